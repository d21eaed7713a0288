"""The sandbox, with bots that try to get out: as an ordinary user, and as root with private and with public files."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardrome.arena.players import sandbox
from cardrome.arena.players.orphans import children, process_state
from cardrome.arena.players.process import BotProcess
from cardrome.arena.players.sandbox import NOBODY, Limits, protections, sandbox_problem, sandboxed
from cardrome.errors import BotFailure, CallerError, InfrastructureFault
from tests.needs import needs

PATIENCE = 200.0
MODES = ["user", "root", "root, public files"] if os.geteuid() == 0 else ["user"]

needs_sandbox = pytest.mark.skipif(sandbox_problem() is not None, reason=str(sandbox_problem()))
needs_compiler = needs("gcc")

DRIVER = f"""
import json, os, sys
from pathlib import Path
from cardrome.arena.players.orphans import children
from cardrome.arena.players.process import BotProcess
from cardrome.arena.players.sandbox import Limits
mode, program, *attacks = sys.argv[1:]
if mode == "user" and os.geteuid() == 0:
    os.setgroups([]); os.setresgid({NOBODY}, {NOBODY}, {NOBODY}); os.setresuid({NOBODY}, {NOBODY}, {NOBODY})
limits = Limits(memory=1 << 30, processes=50)
with BotProcess([program], limits, Path(program).parent, {{"GIVEN": "token"}}, sandbox=True) as bot:
    print(json.dumps([bot.ask(attack.encode() + b"\\n", 30).decode() for attack in attacks]))
"""


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that attacks on demand."""
    program = tmp_path_factory.mktemp("hostile") / "hostile"
    source = Path(__file__).with_name("hostile.c")
    subprocess.run(["gcc", "-O1", "-w", "-o", str(program), str(source)], check=True)
    return program


@pytest.fixture
def folder(request: pytest.FixtureRequest, hostile: Path) -> Iterator[Path]:
    """A bot's folder, with the attacker in it, as one who runs tournaments in this mode would have it."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        (place / "notes").write_text("remembered")
        shutil.copy(hostile, place)
        place.chmod(0o755 if "public" in request.param else 0o700)
        if request.param == "user" and os.geteuid() == 0:
            os.chown(place, NOBODY, NOBODY)
        yield place


def attacked(mode: str, folder: Path, *attacks: str) -> dict[str, str]:
    """What came of attacks, each a line for `hostile.c`."""
    words = [sys.executable, "-c", DRIVER, mode, str(folder / "hostile"), *attacks]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, "SECRET": "xyzzy"})
    assert done.returncode == 0, done.stderr
    return dict(zip(attacks, json.loads(done.stdout), strict=True))


def inside(code: str, folder: Path | None = None) -> str:
    """What a Python bot prints in the sandbox; errors are printed as their class."""
    wrapped = f"try:\n    {code}\nexcept Exception as error: print(type(error).__name__)\ninput()"
    with BotProcess([sys.executable, "-u", "-c", wrapped], folder=folder, sandbox=True) as bot:
        return bot.ask(b"", PATIENCE).decode()


@needs_sandbox
@needs_compiler
@pytest.mark.parametrize(("mode", "folder"), [(mode, mode) for mode in MODES], indirect=["folder"], ids=MODES)
def test_nothing_gets_out(mode: str, folder: Path) -> None:
    """Everything is refused: mounts, devices, namespaces, other users, settings of the kernel, files, limits."""
    refused = [
        *(f"remount {place}" for place in (folder, "/", "/usr", "/proc", "/dev")),
        *(f"umount {place}" for place in (folder, "/tmp", "/proc", "/dev", "/usr")),
        *("mount /tmp", "mknod /tmp/disk", "chroot /tmp", "setuid 0", "user-namespace", "mount-namespace"),
        *(f"create {place}/left" for place in (folder, "", "/usr", "/dev", "/etc", "/proc", "/var")),
        *(f"create /proc/sys/kernel/{name}" for name in ("core_pattern", "modprobe", "hostname")),
        *("create /proc/sysrq-trigger", "create /proc/1/oom_score_adj", "create /proc/self/uid_map"),
        *("read /etc/shadow", "read /etc/passwd", "read /root/.bashrc", "list /root", "list /home", "list /sys"),
        *("add-key", "search-keys", "join-keys"),
        *("raise-limit", f"allocate {2 << 30}", f"read {__file__}"),
    ]
    with socket.create_server(("127.0.0.1", 0)) as server:
        refused.append(f"connect {server.getsockname()[1]}")
        found = attacked(mode, folder, *refused)
    errors = {"EPERM", "EACCES", "EROFS", "ENOENT", "EINVAL", "ENOSPC", "ENOMEM", "ECONNREFUSED"}
    assert {attack: result for attack, result in found.items() if result not in errors} == {}
    assert not (folder / "left").exists()


@needs_sandbox
@needs_compiler
@pytest.mark.parametrize(("mode", "folder"), [(mode, mode) for mode in MODES], indirect=["folder"], ids=MODES)
def test_a_bot_sees_its_own_folder_the_system_and_nothing_else(mode: str, folder: Path) -> None:
    looks = ("list /", "list /tmp", f"read {folder}/notes", "processes /proc", "read /proc/self/status", "environment")
    more = ("read /proc/1/environ", "list /proc/self/fd", "fork 200", "fill /tmp", "fill /dev/shm")
    found = attacked(mode, folder, *looks, *more)
    assert found["list /proc/self/fd"].split() == ["0", "1", "2", "3"]  # the last is the list itself
    assert set(found["list /"].split()) <= {"bin", "dev", "etc", "lib", "lib32", "lib64", "proc", "sbin", "tmp", "usr"}
    assert found["list /tmp"].split() == [folder.name]
    assert found[f"read {folder}/notes"].strip() == "remembered"
    assert found["processes /proc"].split() == ["1", "2"]
    status = found["read /proc/self/status"].split()
    assert [status[status.index(name) + 1] for name in ("CapPrm:", "CapEff:", "CapBnd:", "CapAmb:")] == ["0" * 16] * 4
    assert (status[status.index("NoNewPrivs:") + 1], status[status.index("Uid:") + 1]) == ("1", str(NOBODY))
    environment = dict(word.split("=", 1) for word in found["environment"].split())
    assert environment.pop("PWD", str(folder)) == str(folder)
    assert environment == {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "GIVEN": "token"}
    assert "xyzzy" not in found["read /proc/1/environ"]
    assert found["fork 200"] == ("200" if mode == "root" else "48")  # the kernel does not count root's processes
    assert (found["fill /tmp"], found["fill /dev/shm"]) == ("256", "64")


@needs_sandbox
@needs_compiler
@pytest.mark.parametrize("sandbox", [False, True])
def test_limits_hold_before_the_first_instruction(hostile: Path, sandbox: bool) -> None:
    for _ in range(40):
        command = [str(hostile), "at-once", str(1 << 30)]
        with BotProcess(command, Limits(memory=512 << 20), hostile.parent, sandbox=sandbox) as bot:
            assert bot.ask(b"", PATIENCE) == b"ENOMEM"
            if sandbox or os.geteuid() != 0:
                assert bot.ask(b"", PATIENCE) == b"EPERM"


@needs_sandbox
def test_a_bot_plays_in_the_sandbox_from_the_folder_of_its_files(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text("import helper; print(helper.NOTE, open('notes').read()); input()")
    (tmp_path / "helper.py").write_text("NOTE = 'well'")
    (tmp_path / "notes").write_text("remembered")
    with BotProcess([sys.executable, "bot.py"], folder=tmp_path, sandbox=True) as bot:
        assert bot.ask(b"", PATIENCE) == b"well remembered"
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path_factory.mktemp("mine"))
    Path("secret").touch()
    (tmp_path / "bot.py").write_text("import helper, os; print(helper.NOTE, os.listdir('.')); input()")
    command = [sys.executable, str(tmp_path / "elsewhere" / ".." / "bot.py")]
    with BotProcess(command, sandbox=True) as bot:  # nothing of the current folder is the bot's
        assert bot.ask(b"", PATIENCE) == b"well []"


@needs_sandbox
@pytest.mark.parametrize("first", ["/bin/sh", "/usr/bin/env sh"])
def test_scripts_find_their_interpreter(tmp_path: Path, first: str) -> None:
    script = tmp_path / "sub" / "bot"
    script.parent.mkdir()
    script.write_text(f"#!{first}\necho up\nread line")
    script.chmod(0o755)
    (tmp_path / "hidden").mkdir()
    with BotProcess(["../hidden/../sub/bot"], folder=script.parent, sandbox=True) as bot:
        assert bot.ask(b"", PATIENCE) == b"up"


@needs_sandbox
def test_a_program_is_found_on_the_path_and_sees_what_belongs_to_it(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool, shim = tmp_path / "opt" / "bin" / "mytool", tmp_path / "shims" / "mytool"
    for path, text in ((tool, 'cat "${0%/bin/*}/lib/data"; read line'), (shim, "exit 1")):
        path.parent.mkdir(parents=True)
        path.write_text(f"#!/bin/sh\n{text}")
        path.chmod(0o755)
    for name in ("lib", "private"):
        (tmp_path / "opt" / name).mkdir()
        (tmp_path / "opt" / name / "data").write_text("found\n")
    monkeypatch.setenv("PATH", f"{shim.parent}:{tool.parent}:{os.environ['PATH']}")
    with BotProcess(["mytool"], folder=tmp_path / "shims", sandbox=True) as bot:
        assert bot.ask(b"", PATIENCE) == b"found"
    tool.write_text('#!/bin/sh\nls "${0%/bin/*}" | tr "\\n" " "; echo; read line')
    with BotProcess(["mytool"], folder=tmp_path / "shims", sandbox=True) as bot:
        assert bot.ask(b"", PATIENCE) == b"bin lib "


@needs_sandbox
def test_a_bot_whose_folder_is_shared_with_others_sees_only_what_its_command_names() -> None:
    with tempfile.NamedTemporaryFile("w", dir="/tmp", suffix=".sh") as bot_file:
        bot_file.write('echo "$PWD" *; read line')
        bot_file.flush()
        os.chmod(bot_file.name, 0o755)
        name = Path(bot_file.name).name
        for path in (name, f"../var/../tmp/{name}"):
            with BotProcess(["/bin/sh", path], folder=Path("/tmp"), sandbox=True) as bot:
                assert bot.ask(b"", PATIENCE).decode() == f"/tmp {name}"


@needs_sandbox
def test_private_files_are_hidden_even_in_the_bots_own_folder(tmp_path: Path) -> None:
    for name in ("cup.toml", "cup.db", "cup.db-wal", "weights"):
        (tmp_path / name).write_text("seed = 1")
    (tmp_path / "bot.py").write_text("import os; print(*sorted(os.listdir('.'))); input()")
    command, private = [sys.executable, "bot.py", "weights", "cup.toml"], [str(tmp_path / "cup.toml")]
    with BotProcess(command, folder=tmp_path, sandbox=True, private=private) as bot:
        assert bot.ask(b"", PATIENCE) == b"bot.py weights"
    with BotProcess(command, folder=tmp_path, sandbox=True) as bot:
        assert bot.ask(b"", PATIENCE) == b"bot.py cup.db cup.db-wal cup.toml weights"


@needs_sandbox
def test_nothing_is_left_of_closed_bots() -> None:
    """Not even zombies: a tournament starts hundreds of thousands."""
    before = set(children())
    for _ in range(20):
        with BotProcess(["/bin/cat"], sandbox=True) as bot:
            assert bot.ask(b"hello\n", PATIENCE) == b"hello"
    assert set(children()) <= before


@needs_sandbox
def test_a_bot_has_a_virtual_environment_of_its_own(tmp_path: Path) -> None:
    """Its interpreter is a link out of the bot's folder, to one that the machine has."""
    folder = tmp_path / "bot"
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "python").symlink_to(Path(sys.executable).resolve())
    for given in (folder, None):
        command = [".venv/bin/python" if given else str(folder / ".venv/bin/python"), "-c", "print(input())"]
        with BotProcess(command, folder=given, sandbox=True) as bot:
            assert bot.ask(b"hello\n", PATIENCE) == b"hello"
    (tmp_path / "secret").mkdir()
    (folder / ".venv" / "lib").symlink_to(tmp_path / "secret")
    looks = f"import os; input(); print(os.path.exists({str(tmp_path / 'secret')!r}), os.path.exists('.venv/lib'))"
    with BotProcess([".venv/bin/python", "-c", looks], folder=folder, sandbox=True) as bot:
        assert bot.ask(b"\n", PATIENCE) == b"False False"


@needs_sandbox
def test_links_and_first_lines_lead_nowhere_else(tmp_path: Path) -> None:
    """An author may put links into the bot's folder, and an interpreter into a script: the command names them."""
    own, secret = tmp_path / "bots" / "own", tmp_path / "secret" / "bin"
    own.mkdir(parents=True)
    secret.mkdir(parents=True)
    (tmp_path / "secret" / "lib").mkdir()
    shutil.copy("/bin/sh", secret / "sh")
    script = f"#!{secret}/sh\necho out; read line"
    (secret / "bot").write_text(script)
    (own / "script").write_text(script)
    for path in (secret / "bot", own / "script"):
        path.chmod(0o755)
    (own / "file").symlink_to(secret / "bot")
    (own / "folder").symlink_to(secret)
    (own / "up").symlink_to(tmp_path)
    looks = "ls -d %s %s/* 2>/dev/null; echo end; read line" % (secret, secret.parent)  # noqa: UP031
    for name in ("file", "folder", "folder/bot", "up/secret/bin/bot", "up/secret"):
        for folder in (own, None):
            command = ["/bin/sh", "-c", looks, name if folder else str(own / name)]
            if folder is None and "/" in name:
                continue  # what is below a link that the one who runs the bot has named, they want to be seen
            with BotProcess(command, folder=folder, sandbox=True) as bot:
                assert bot.ask(b"", PATIENCE) == b"end", (name, folder)
    for name in ("file", "folder/bot", "up/secret/bin/bot", "script"):
        with BotProcess([f"./{name}"], folder=own, sandbox=True) as bot, pytest.raises(BotFailure) as caught:
            bot.ask(b"", PATIENCE)
        assert caught.value.kind == "no-start"


@needs_sandbox
def test_the_home_folder_is_no_bots_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "diary").touch()
    for folder in (tmp_path, tmp_path.parent):
        assert inside(f"import os; print(os.listdir({str(tmp_path)!r}))", folder) in ("[]", "FileNotFoundError")


@needs_sandbox
def test_the_home_folder_is_known_by_all_its_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, link = tmp_path / "homes" / "me", tmp_path / "link"
    home.mkdir(parents=True)
    (home / "diary").touch()
    link.symlink_to(home.parent)
    looks = f"import os; print(os.listdir({str(home)!r}))"
    assert inside(looks, home) == "['diary']"
    with monkeypatch.context() as patch:
        patch.setenv("HOME", str(link / "me"))
        assert inside(looks, home) == "[]"
    monkeypatch.setattr(sandbox, "_home_of_user", lambda: str(link / "me"))  # as the system knows it
    assert inside(looks, home) == "[]"


@needs_sandbox
def test_private_files_are_hidden_behind_links(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real" / "cup.toml").touch()
    (tmp_path / "real" / "bot.py").write_text(
        "import os, sys; print(*sorted(os.listdir(os.path.dirname(sys.argv[0])))); input()"
    )
    command = [sys.executable, str(tmp_path / "link" / "bot.py")]
    for private, seen in (((), b"bot.py cup.toml"), ((str(tmp_path / "real" / "cup.toml"),), b"bot.py")):
        with BotProcess(command, sandbox=True, private=private) as bot:
            assert bot.ask(b"", PATIENCE) == seen


@needs_sandbox
def test_private_files_are_hidden_in_system_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name, tempfile.TemporaryDirectory(dir="/var/tmp") as own:
        system = Path(name)
        system.chmod(0o755)
        os.chmod(own, 0o755)  # a folder that everybody may read, so that the bot of root runs as nobody
        monkeypatch.setattr(sandbox, "_SYSTEM", (*sandbox._SYSTEM, name))
        (system / "saved").mkdir()
        for file in ("cup.db", "cup.db-wal", "library", "saved/game"):
            (system / file).write_text("text\n")
        private = [str(system / "cup.db"), str(system / "saved")]
        looks = f"cd {name}; cat cup.db cup.db-wal saved/* library 2>/dev/null; touch saved/new || echo end; read line"
        for mode in (0o755, 0o700):
            system.chmod(mode)
            with BotProcess(["/bin/sh", "-c", looks], folder=Path(own), sandbox=True, private=private) as bot:
                lines = [bot.ask(b"", PATIENCE)]
                while lines[-1] != b"end":
                    lines.append(bot.ask(b"", PATIENCE))
            can_enter = mode == 0o755 or os.geteuid() != 0  # nobody, who the bot of root is, cannot
            assert lines == [b"text", b"end"][not can_enter :]


FAILURES = {
    "os.close(1); time.sleep(1000)": ("crash", "it closed its standard output", None),
    "os.close(0); os.close(1); time.sleep(1000)": ("crash", "it closed its standard output", None),
    "os.kill(os.getpid(), signal.SIGSEGV)": ("crash", "killed by SIGSEGV", -11),
    "os.kill(os.getpid(), signal.SIGKILL)": ("crash", "killed by SIGKILL", -9),
    "os._exit(3)": ("crash", "ended with exit code 3", 3),
    "os._exit(0 if os.fork() else time.sleep(1000))": ("crash", "ended with exit code 0", 0),
    "os.fork() or (os.setsid(), time.sleep(1000)); os._exit(4)": ("crash", "ended with exit code 4", 4),
    "os.execv('/usr/bin/env', ['env', 'no-such-program'])": ("no-start", r"it cannot be run (exit code 127)", 127),
}


@needs_sandbox
@pytest.mark.parametrize("sandbox", [False, True])
@pytest.mark.parametrize("code", FAILURES)
def test_the_same_failure_has_the_same_type_in_the_sandbox_and_outside(code: str, sandbox: bool) -> None:
    command = [sys.executable, "-c", f"import os, signal, time\n{code}"]
    with BotProcess(command, sandbox=sandbox) as bot, pytest.raises(BotFailure) as caught:
        bot.ask(b"hello\n", PATIENCE)
    assert (caught.value.kind, str(caught.value), caught.value.exit_code) == FAILURES[code]


@needs_sandbox
@pytest.mark.parametrize("sandbox", [False, True])
def test_what_cannot_be_run_is_no_start(tmp_path: Path, sandbox: bool) -> None:
    (tmp_path / "text").write_text("hello")
    (tmp_path / "lost").write_text("#!/no/such/interpreter\n")
    (tmp_path / "lost").chmod(0o755)
    for program in ("./missing", "./text", "no-such-program", "."):
        with pytest.raises(BotFailure, match="cannot be started") as caught:
            BotProcess([program], folder=tmp_path, sandbox=sandbox)
        assert caught.value.kind == "no-start"
    with BotProcess(["./lost"], folder=tmp_path, sandbox=sandbox) as bot, pytest.raises(BotFailure) as caught:
        bot.ask(b"", PATIENCE)
    assert caught.value.kind == "no-start"


@needs_sandbox
def test_a_sandbox_that_cannot_be_set_up_is_nobodys_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    monkeypatch.setattr(sandbox, "_visible", lambda *_: {gone})
    monkeypatch.setattr(sandbox, "_is_public", lambda _: False)
    with (
        BotProcess(["cat"], sandbox=True) as bot,
        pytest.raises(InfrastructureFault, match="could not be set up: bwrap"),
    ):
        bot.ask(b"", PATIENCE)


@needs_sandbox
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can choose who a bot is")
def test_root_runs_a_bot_as_somebody_who_can_read_its_files() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "weights").write_text("7")
        for mode, kernel_knows in ((0o644, NOBODY), (0o600, 0)):
            (folder / "weights").chmod(mode)
            sandbox._is_public.cache_clear()
            with BotProcess(["/bin/sh", "-c", "cat weights; echo; read line"], folder=folder, sandbox=True) as bot:
                assert bot.ask(b"", PATIENCE) == b"7"
                assert Path(f"/proc/{bot.process.pid}").stat().st_uid == kernel_knows


@needs_sandbox
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can choose who a bot is")
def test_the_bot_of_root_has_none_of_the_groups_of_root() -> None:
    before = os.getgroups()
    os.setgroups([4, 24])
    try:
        with BotProcess(["/bin/cat"], folder=Path("/usr"), sandbox=True) as bot:
            assert bot.ask(b"up\n", PATIENCE) == b"up"
            status = Path(f"/proc/{bot.process.pid}/status").read_text()
    finally:
        os.setgroups(before)
    assert [line.split()[1:] for line in status.splitlines() if line.startswith("Groups:")] == [[]]


KILLED_REFEREE = """
import os
from cardrome.arena.players.orphans import descendants
from cardrome.arena.players.process import BotProcess
with BotProcess(["/bin/sh", "-c", "echo up; exec sleep 1000"], sandbox=True) as bot:
    bot.ask(b"", 200)
    print(*descendants(), flush=True)
    os.kill(os.getpid(), 9)
"""


@needs_sandbox
def test_a_bot_in_the_sandbox_ends_with_a_referee_that_is_killed() -> None:
    done = subprocess.run([sys.executable, "-c", KILLED_REFEREE], stdout=subprocess.PIPE, text=True, check=False)
    left = [int(pid) for pid in done.stdout.split()]
    assert len(left) >= 2
    end = time.monotonic() + PATIENCE
    while any(process_state(pid) not in ("", "Z") for pid in left):
        assert time.monotonic() < end
        time.sleep(0.01)


@needs_sandbox
def test_a_bot_cannot_pretend_that_the_sandbox_failed() -> None:
    code = "import sys; print('bwrap: out of memory', file=sys.stderr); sys.exit(1)"
    with BotProcess([sys.executable, "-c", code], sandbox=True) as bot, pytest.raises(BotFailure, match="exit code 1"):
        bot.ask(b"", PATIENCE)


@needs_sandbox
def test_one_line_tells_which_protections_are_on() -> None:
    off, on = protections(Limits(), sandbox=False), protections(Limits(memory=1 << 30), sandbox=True)
    assert "memory 16 GiB " in off
    assert off.endswith("sandbox: off")
    assert ("not enforced for root" in off) == (os.geteuid() == 0)
    assert "memory 1 GiB " in on
    assert "no network" in on
    assert "/tmp of 256 MiB" in on


def test_a_sandbox_that_cannot_be_had_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("bwrap") is None
    sandbox.sandbox_problem.cache_clear()
    try:
        with pytest.raises(CallerError, match="apt install bubblewrap"):
            sandboxed(["true"], Limits(), 10)
        with pytest.raises(CallerError, match="apt install bubblewrap"):
            BotProcess(["/bin/cat"], sandbox=True)
    finally:
        sandbox.sandbox_problem.cache_clear()
