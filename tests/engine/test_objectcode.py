"""Compiled entries as files: what is kept, what is trusted, what is removed."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cardrome.engine import objectcode
from tests.engine.fresh_process import COMPILING, COPY, STEP, Run, cached, run, start

NAME = "game.rules.apply-0123456789abcdef.o"
CODE = b"\x7fELF, or so" * 100
DAY = 86_400


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder."""
    monkeypatch.setattr(objectcode, "cache_folder", lambda: tmp_path / "kernels")
    monkeypatch.delenv("CARDROME_PRIVATE_CACHE", raising=False)
    return tmp_path / "kernels"


def age(path: Path, days: float) -> None:
    then = time.time() - days * DAY
    os.utime(path, (then, then))


# --- Whole processes ----------------------------------------------------------------------------------------------


def test_a_cold_process_compiles_and_a_warm_one_loads(tmp_path: Path, fork: Run) -> None:
    cold = fork(STEP, tmp_path)
    assert (cold.returncode, cold.stdout) == (0, "0 True True\n"), cold.stderr
    assert cold.stderr == COMPILING
    files = cached(tmp_path)
    assert [path.name.split("-")[0] for path in files] == ["tests.engine.compiled_random.step_all"]
    assert files[0].suffix == ".o"
    before = files[0].stat()

    warm = run(STEP, tmp_path)
    assert (warm.returncode, warm.stdout, warm.stderr) == (0, "0 True False\n", "")
    after = files[0].stat()
    assert cached(tmp_path) == files
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)

    good = files[0].read_bytes()
    files[0].write_bytes(good[: len(good) // 2])  # cut short by a crash, say

    # Of several processes one compiles it again. The others wait, nobody sees half a file, and nothing else is left.
    processes = [start(STEP, tmp_path) for _ in range(3)]
    outputs = sorted(process.communicate()[0] for process in processes)
    assert outputs == ["0 True False\n", "0 True False\n", "0 True True\n"]
    assert cached(tmp_path) == files


def test_the_default_cache_folder(tmp_path: Path) -> None:
    code = "from cardrome.engine.objectcode import cache_folder; print(cache_folder())"
    by_xdg = run(code, XDG_CACHE_HOME=str(tmp_path / "xdg"), CARDROME_CACHE_DIR="")
    assert by_xdg.stdout == f"{tmp_path}/xdg/cardrome/kernels\n"
    by_home = run(code, HOME=str(tmp_path / "home"), XDG_CACHE_HOME="")
    assert by_home.stdout == f"{tmp_path}/home/.cache/cardrome/kernels\n"


def test_a_cache_that_cannot_be_used_is_replaced_by_a_private_folder(tmp_path: Path, fork: Run) -> None:
    """Child processes find there what their parent has compiled; it is removed with the parent."""
    (tmp_path / "file").write_text("in the way")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    child = "import subprocess, sys\nsubprocess.run([sys.executable, '-c', sys.argv[0]])"
    code = f"code = {STEP!r}\nexec(code)\n{child.replace('sys.argv[0]', 'code')}"
    result = fork(code, tmp_path / "file" / "cache", TMPDIR=str(scratch))
    assert (result.returncode, result.stdout) == (0, "0 True True\n0 True False\n")
    where = tmp_path / "file" / "cache" / "kernels"
    said = f"cardrome: compiling for this run only: {where} cannot be written (Not a directory); CARDROME_CACHE_DIR"
    assert result.stderr == f"{said} can name another folder\n"
    assert list(scratch.iterdir()) == []


def test_a_cache_folder_that_cannot_be_written_to(tmp_path: Path, fork: Run) -> None:
    tmp_path.joinpath("kernels").mkdir(mode=0o555)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    result = fork(STEP, tmp_path, TMPDIR=str(scratch))
    assert (result.returncode, result.stdout) == (0, "0 True True\n"), result.stderr
    assert "kernels cannot be written (Permission denied)" in result.stderr
    assert cached(tmp_path) == []


SMALL_DISK = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
NEW_MOUNTS, NEW_USERS, PRIVATE = 0x20000, 0x10000000, 0x44000
folder = os.environ["CARDROME_CACHE_DIR"].encode()
if (
    libc.unshare(NEW_MOUNTS | (NEW_USERS if os.geteuid() else 0))
    or libc.mount(b"none", b"/", None, PRIVATE, None)
    or libc.mount(b"tmpfs", folder, b"tmpfs", 0, b"size=4k,mode=755")
):
    sys.exit("this machine lets nobody mount")
"""
"""Puts the cache onto a disk that is too small for any entry, which this process alone sees."""


def test_a_full_disk(tmp_path: Path, fork: Run) -> None:
    """What cannot be written is used all the same, and nothing half-written stays."""
    (tmp_path / "cache").mkdir()
    files = "print(os.listdir(os.environ['CARDROME_CACHE_DIR'] + '/kernels'))"
    result = fork(f"{SMALL_DISK}\n{COPY}\n{files}", tmp_path / "cache")
    if "lets nobody mount" in result.stderr:
        pytest.skip("needs a machine where one may mount")
    assert (result.returncode, result.stdout) == (0, "35 7\n[]\n"), result.stderr


def test_worker_processes_say_nothing(tmp_path: Path, fork: Run) -> None:
    code = f"""
from multiprocessing import get_context
if __name__ == "__main__":
    worker = get_context("fork").Process(target=exec, args=({STEP!r},))
    worker.start()
    worker.join()
"""
    result = fork(code, tmp_path)
    assert (result.returncode, result.stdout, result.stderr) == (0, "0 True True\n", "")


# --- What is trusted ----------------------------------------------------------------------------------------------


def test_what_was_written_is_read(folder: Path) -> None:
    assert objectcode.read(NAME) is None
    objectcode.write(NAME, b"old")
    objectcode.write(NAME, CODE)
    assert objectcode.read(NAME) == CODE
    assert [path.name for path in folder.iterdir()] == [NAME]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:10],
        lambda data: data[:-1],
        lambda data: data[1:],
        lambda data: data + b"\0",
        lambda data: data[:100] + bytes([data[100] ^ 1]) + data[101:],
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: bytes(len(data)),
    ],
    ids=["empty", "10 bytes", "short", "begins late", "long", "one bit", "checksum", "zeros"],
)
def test_a_damaged_file_counts_as_missing_and_is_replaced(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    objectcode.write(NAME, CODE)
    (folder / NAME).write_bytes(damage((folder / NAME).read_bytes()))
    assert objectcode.read(NAME) is None
    objectcode.write(NAME, CODE)
    assert objectcode.read(NAME) == CODE


def test_a_file_is_good_under_its_own_name_only(folder: Path) -> None:
    objectcode.write(NAME, CODE)
    (folder / NAME).rename(folder / "other-1.o")
    assert objectcode.read("other-1.o") is None


@pytest.mark.parametrize("mode", [0o664, 0o646, 0o666])
def test_a_file_that_others_can_write_to_is_not_trusted(folder: Path, mode: int) -> None:
    objectcode.write(NAME, CODE)
    (folder / NAME).chmod(mode)
    assert objectcode.read(NAME) is None
    objectcode.write(NAME, CODE)
    assert objectcode.read(NAME) == CODE


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_of_another_user_is_not_trusted(folder: Path) -> None:
    objectcode.write(NAME, CODE)
    os.chown(folder / NAME, 12345, -1)
    assert objectcode.read(NAME) is None


@pytest.mark.parametrize("whose", ["everybody's", "another user's"])
def test_a_folder_of_others_is_neither_read_nor_written(
    folder: Path, whose: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    objectcode.write(NAME, CODE)
    if whose == "everybody's":
        folder.chmod(0o777)
    elif os.geteuid() == 0:
        os.chown(folder, 12345, -1)
    else:
        pytest.skip("only root can give files away")
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    monkeypatch.setenv("CARDROME_PRIVATE_CACHE", str(private))
    assert objectcode.read(NAME) is None
    objectcode.write("new-1.o", CODE)
    assert objectcode.read("new-1.o") == CODE
    assert [path.name for path in cached(folder)] == [NAME]
    assert [path.name for path in cached(private)] == ["new-1.o"]


def test_the_cache_can_be_read_by_all_and_written_by_one(folder: Path) -> None:
    before = os.umask(0)
    try:
        objectcode.write(NAME, CODE)
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o755
    assert (folder / NAME).stat().st_mode & 0o777 == 0o644


def test_what_is_not_a_file_is_not_read(folder: Path) -> None:
    objectcode.write(NAME, CODE)
    (folder / NAME).rename(folder / "elsewhere")
    (folder / NAME).symlink_to(folder / "elsewhere")
    assert objectcode.read(NAME) is None
    os.mkfifo(folder / "pipe-1.o")
    assert objectcode.read("pipe-1.o") is None
    (folder / "folder-1.o").mkdir()
    assert objectcode.read("folder-1.o") is None


# --- What is removed ----------------------------------------------------------------------------------------------


def test_the_versions_last_used_are_kept(folder: Path) -> None:
    names = [f"game.rules.apply-{number:016}.o" for number in range(12)]
    for number, name in enumerate(names):
        objectcode.write(name, CODE)
        age(folder / name, 20 - number)
    age(folder / names[4], 30)  # long ago, and then ...
    assert objectcode.read(names[4]) == CODE  # ... used again
    objectcode.write("game.rules.other-1.o", CODE)
    objectcode.write(NAME, CODE)
    kept = {path.name for path in folder.iterdir()}
    assert kept == {NAME, "game.rules.other-1.o", names[4], *names[6:]}


def test_files_that_nobody_uses_are_removed(folder: Path) -> None:
    objectcode.write("gone.rules.apply-1.o", CODE)
    objectcode.write("game.rules.legal-1.o", CODE)
    (folder / f"{NAME}abc.part").write_bytes(b"a process died here")
    (folder / f"{NAME}def.part").write_bytes(b"a process is writing here")
    age(folder / "gone.rules.apply-1.o", 61)
    age(folder / "game.rules.legal-1.o", 59)
    age(folder / f"{NAME}abc.part", 2)
    objectcode.write(NAME, CODE)
    assert {path.name for path in folder.iterdir()} == {NAME, "game.rules.legal-1.o", f"{NAME}def.part"}


# --- Waiting for another process ----------------------------------------------------------------------------------


def test_nobody_waits_forever(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objectcode, "_PATIENCE_SECONDS", 0.1)
    folder.mkdir()
    with open(folder / f"{NAME}.lock", "w") as stuck:
        fcntl.flock(stuck, fcntl.LOCK_EX)
        with objectcode.compiling(NAME):
            pass
    assert (folder / f"{NAME}.lock").exists()  # it is the other's
    with objectcode.compiling(NAME):
        pass
    assert not (folder / f"{NAME}.lock").exists()


def test_where_nothing_can_be_locked_nobody_waits(folder: Path) -> None:
    folder.write_text("in the way")
    with objectcode.compiling(NAME):
        pass


def test_errors_while_compiling_come_through(folder: Path) -> None:
    with pytest.raises(OSError, match="of the compiler"), objectcode.compiling(NAME):
        raise OSError("of the compiler")
    assert cached(folder) == []


# --- The key ------------------------------------------------------------------------------------------------------


def test_the_key_depends_on_numba_and_its_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    key = objectcode.machine_key.__wrapped__
    before = key()
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    assert key() == before
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert key() != before
    monkeypatch.delenv("NUMBA_BOUNDSCHECK")
    monkeypatch.setattr(objectcode, "_numba_version", lambda: "another")
    assert key() != before


def test_the_version_is_numba_s_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import numba

    assert numba.__version__ in objectcode._numba_version()
    monkeypatch.setattr(objectcode, "find_spec", lambda name: None)
    assert objectcode._numba_version() == numba.__version__
