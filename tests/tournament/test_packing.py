"""Bots' folders on their way to other machines: what travels, what does not, and how they are built there."""

from __future__ import annotations

import io
import os
import stat
import sys
import tarfile
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cardrome.arena.players.sandbox import Limits, sandbox_problem
from cardrome.errors import CallerError, InfrastructureFault
from cardrome.tournament import packing
from cardrome.tournament.packing import Build, Package, digest, pack, unpacked
from tests.paths import ROOT


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bot's folder; another one stands for the temporary files of this machine."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    made = tmp_path / "bot"
    made.mkdir()
    (made / "bot.py").write_text("print('PASS')")
    return made


def python(code: str, limits: Limits | None = None) -> Build:
    return Build(f'{sys.executable} -c "{code}"', {}, 60.0, limits)


def test_files_travel_with_their_modes_but_nothing_private_does(folder: Path) -> None:
    (folder / "deep" / ".git").mkdir(parents=True)
    (folder / "deep").chmod(0o755)
    (folder / "deep" / ".git" / "config").write_text("secret")
    (folder / "deep" / "data").write_bytes(b"\0\1")
    (folder / "run").write_text("#!/bin/sh\n")
    (folder / "run").chmod(0o755)
    (folder / "link").symlink_to("run")
    (folder / "twin").hardlink_to(folder / "run")
    os.mkfifo(folder / "pipe")
    private = [str(folder / "cup.toml"), str(folder / "cup.db")]
    for name in ("cup.toml", "cup.db", "cup.db-wal", "cup.db-shm", "cup.db.lock"):
        (folder / name).write_text("secret")
    (folder / "sly").symlink_to("cup.db")
    data = pack(folder, private)
    assert b"secret" not in data
    before = os.umask(0o077)
    try:
        there = unpacked(Package("key", ()), lambda: data)
    finally:
        os.umask(before)
    assert stat.S_IMODE((there / "deep").stat().st_mode) == 0o755
    assert sorted(path.name for path in there.rglob("*")) == ["bot.py", "data", "deep", "link", "run", "twin"]
    assert os.access(there / "run", os.X_OK)
    assert (there / "link").readlink() == Path("run")
    assert [(there / name).read_text() for name in ("run", "twin", "bot.py")] == ["#!/bin/sh\n"] * 2 + ["print('PASS')"]
    assert (there / "deep" / "data").read_bytes() == b"\0\1"


def test_the_same_content_has_the_same_digest(folder: Path) -> None:
    before = digest(pack(folder))
    assert digest(pack(folder)) == before
    (folder / "bot.py").write_text("print('PICK')")
    assert digest(pack(folder)) != before


def test_a_folder_that_is_too_large_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "SIZE_LIMIT", 1 << 20)
    (folder / "large").write_bytes(bytes(1 << 20))
    with pytest.raises(CallerError, match=r"bot has over 1 MiB, .*give the bot a directory of its own"):
        pack(folder)


def test_whoever_comes_first_unpacks_and_builds(folder: Path) -> None:
    data, fetched = pack(folder), []
    package = Package("key", (python("import time; time.sleep(0.2); open('built', 'a').write('x')"),))

    def fetch() -> bytes:
        fetched.append(1)
        return data

    with ThreadPoolExecutor(4) as pool:
        found = {done.result() for done in [pool.submit(unpacked, package, fetch) for _ in range(4)]}
    assert fetched == [1]
    assert [(path / "built").read_text() for path in found] == ["x"]


def test_a_build_that_fails_is_told_to_everybody_and_not_repeated(folder: Path) -> None:
    data = pack(folder)
    package = Package("key", (python("open('tried', 'a').write('x'); raise SystemExit('no compiler')"),))
    for _ in range(2):
        with pytest.raises(CallerError, match="its build failed with exit code 1: no compiler"):
            unpacked(package, lambda: data)
    (tried,) = Path(tempfile.gettempdir()).rglob("tried")
    assert tried.read_text() == "x"


def test_one_that_was_interrupted_is_unpacked_anew(folder: Path) -> None:
    data = pack(folder)

    def interrupted() -> bytes:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        unpacked(Package("key", ()), interrupted)
    assert (unpacked(Package("key", ()), lambda: data) / "bot.py").exists()


def test_what_nobody_used_for_a_day_is_removed(folder: Path) -> None:
    data = pack(folder)
    old, used = (unpacked(Package(key, ()), lambda: data) for key in ("old", "used"))
    for path in (old, used):
        os.utime(f"{path}.done", (time.time() - 90_000,) * 2)
    unpacked(Package("used", ()), lambda: data)
    unpacked(Package("new", ()), lambda: data)
    assert not old.exists()
    assert used.exists()


def test_nothing_is_written_outside(folder: Path, tmp_path: Path) -> None:
    for name, link in (("../escaped", None), ("/escaped", None), ("deep/../../escaped", None), ("door", str(tmp_path))):
        made = io.BytesIO()
        with tarfile.open(fileobj=made, mode="w") as archive:
            if link is not None:
                entry = tarfile.TarInfo(name)
                entry.type, entry.linkname = tarfile.SYMTYPE, link
                archive.addfile(entry)
                name = f"{name}/escaped"
            archive.addfile(tarfile.TarInfo(name), io.BytesIO())
        with pytest.raises(InfrastructureFault, match=r"would be written outside its folder: .*escaped"):
            unpacked(Package(digest(made.getvalue()), ()), made.getvalue)
    assert not list(tmp_path.rglob("escaped"))
    assert not Path("/escaped").exists()


def test_nothing_is_written_through_a_link_of_the_same_name(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        link = tarfile.TarInfo("door")
        link.type, link.linkname = tarfile.SYMTYPE, str(tmp_path / "mine")
        archive.addfile(link)
        archive.addfile(tarfile.TarInfo("door"), io.BytesIO())
    with pytest.raises(FileExistsError):
        unpacked(Package("key", ()), made.getvalue)
    assert (tmp_path / "mine").read_text() == "mine"


def test_the_place_of_somebody_else_is_not_used(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    Path(tempfile.gettempdir(), f"cardrome-bots-{os.getuid()}").symlink_to(tmp_path / "theirs")
    with pytest.raises(InfrastructureFault, match="belongs to somebody else"):
        unpacked(Package("key", ()), lambda: b"")
    assert list((tmp_path / "theirs").iterdir()) == []


@pytest.mark.skipif(sandbox_problem() is not None, reason=f"no sandbox: {sandbox_problem()}")
def test_a_build_in_the_sandbox_writes_to_its_folder_and_nowhere_else(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hunter2")
    assert python("open('built', 'w').write('x')", Limits()).run(folder) is None
    assert (folder / "built").read_text() == "x"
    problem = python(f"open('{tmp_path}/secret').read()", Limits()).run(folder)
    assert problem is not None
    assert "FileNotFoundError" in problem
    python(f"open('{tmp_path}/more', 'w')", Limits()).run(folder)  # at most in the sandbox's own /tmp
    for place in (ROOT / "escaped", Path("/var/tmp/escaped"), Path("/usr/escaped")):
        problem = python(f"open('{place}', 'w')", Limits()).run(folder)
        assert problem is not None or place.is_relative_to("/tmp")  # the sandbox has a /tmp of its own
        assert not place.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bot", "secret", "temporary"]
    told = python("pass", Limits()).run(folder, [str(folder / "cup.db")])
    assert told == "it cannot be built in the sandbox beside the tournament's files: give it a directory"
