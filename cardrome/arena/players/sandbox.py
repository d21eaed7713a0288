"""How bots are confined: by limits always, by a sandbox on request.

Limits are set by a launcher before the program's first instruction. The sandbox is bubblewrap: namespaces of its own,
no network, no capabilities, and no files but a list of what a bot may see. Where it is not available, asking for it is
an error.
"""

from __future__ import annotations

import contextlib
import functools
import os
import pwd
import resource
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from cardrome.arena.players.cgroups import bot_groups
from cardrome.arena.players.syscalls import filter_pipe
from cardrome.errors import CallerError

NOBODY = 65534
"""The user and group that a bot in the sandbox is."""
_WRITABLE = {"/tmp": 256 << 20, "/dev/shm": 64 << 20}
"""What a bot in the sandbox can write to, in memory, and how many bytes."""

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "ssl/openssl.cnf")
"""What system libraries and interpreters read of /etc; those of Java and Mono are found by their names."""
_PREFIX = ("bin", "lib", "lib32", "lib64", "libexec", "conf", "jmods", "release", "pyvenv.cfg")
"""What belongs to an interpreter that lies in a folder named bin: all this beside it, and nothing else."""
_TOO_BROAD = {
    Path(each) for each in ("/", "/home", "/mnt", "/opt", "/root", "/srv", "/tmp", "/var", "/var/lib", "/var/tmp")
}
"""Folders that hold other people's files: if a bot lies in one, it sees only the files that its command names."""
_MOST_LOOKED_AT = 10_000
"""Files of a folder that are looked at to see whether everybody may read them."""
_BESIDE = ("", "-wal", "-shm", "-journal")
"""What the names of a store and of the files that SQLite keeps beside it end with."""
_COUNT_SECONDS = 5.0
"""How long a count of the user's processes is used: bots may be started many times a second."""
_NEVER = ("/boot", "/dev", "/etc", "/proc", "/run", "/sys")
"""Where no bot's files are."""

# Bubblewrap's own processes keep standard input and output open for as long as the bot runs, so nobody would notice
# that the bot closed them. Therefore they pass by bubblewrap under other numbers, and are put in place behind it.
_AROUND = 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null'
_BACK = 'exec "$@" <&3 >&4 3<&- 4>&-'


@dataclass(frozen=True, slots=True)
class Limits:
    """What a bot's process may use. None means no limit."""

    memory: int | None = 16 << 30
    """Bytes of address space of each process. Runtimes with garbage collection reserve far more than they use."""
    processes: int | None = 1024
    """Processes and threads, beside those that the user already has; the kernel does not enforce it for root."""
    file_size: int | None = 64 << 20
    """Bytes of any file it writes."""

    def launcher(self, beside: int = 0) -> list[str]:
        """The words before a command that make a process set its limits and only then become the program.

        ``beside`` are processes and threads that the kernel counts together with those of the program.
        """
        wanted = {
            "as": (resource.RLIMIT_AS, self.memory),
            "nproc": (resource.RLIMIT_NPROC, None if self.processes is None else self.processes + beside),
            "fsize": (resource.RLIMIT_FSIZE, self.file_size),
            "core": (resource.RLIMIT_CORE, 0),
        }
        words = [_tool("prlimit")]
        for name, (kind, value) in wanted.items():
            if value is not None:
                _, hard = resource.getrlimit(kind)
                words.append(f"--{name}={value if hard == resource.RLIM_INFINITY else min(value, hard)}")
        return [*words, "--"]


def tasks_of_user() -> int:
    """The processes and threads of the user who runs this, a few seconds ago at most; 0 for root, who has no limit."""
    return 0 if os.geteuid() == 0 else _counted_tasks(os.getuid(), int(time.monotonic() / _COUNT_SECONDS))


@functools.lru_cache(maxsize=1)
def _counted_tasks(user: int, period: int) -> int:
    found = 0
    for place in os.scandir("/proc"):
        if place.name.isdigit():
            with contextlib.suppress(OSError):
                tasks = os.stat(f"/proc/{place.name}/task")
                found += tasks.st_nlink - 2 if tasks.st_uid == user else 0  # a folder for each, "." and ".."
    return found


def find_program(name: str, folder: Path | None, path: str | None, sandbox: bool = False) -> str:
    """The file that a command's first word means; `OSError` if there is none that can be run.

    A path means a file in the bot's own folder, any other word one that is found on ``path``.
    """
    if sandbox and path is not None:
        # Not a script of a version manager in some other folder, which needs files that the sandbox does not show.
        path = os.pathsep.join(each for each in path.split(os.pathsep) if os.path.basename(each) in ("bin", "sbin"))
    found = os.path.join(os.getcwd(), folder or "", name) if os.sep in name else shutil.which(name, path=path)
    if found is None:
        raise FileNotFoundError("it is not on PATH")
    os.stat(found)
    if os.path.isdir(found) or not os.access(found, os.X_OK):
        raise PermissionError("it is not an executable file")
    return found


def sandboxed(
    command: Sequence[str],
    limits: Limits,
    refused: int,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    private: Iterable[str] = (),
    status: int | None = None,
    writable: bool = False,
) -> list[str]:
    """The command line that runs a program, given by its path, inside the sandbox.

    From the file descriptor ``refused`` (`filter_pipe`) bubblewrap reads which system calls the kernel refuses.
    ``private`` are files that no bot may see, even if they lie in the bot's own folder. Bubblewrap reports to the file
    descriptor ``status``. Only a build may write to the folder. `CallerError` where there is no sandbox.
    """
    _check_sandbox()
    return _wrapped(command, limits, refused, folder, environment or {}, private, status, writable)


def _wrapped(
    command: Sequence[str],
    limits: Limits,
    refused: int,
    folder: Path | None,
    environment: Mapping[str, str],
    private: Iterable[str],
    status: int | None,
    writable: bool = False,
) -> list[str]:
    home = (folder or Path.cwd()).resolve()
    words = [_placed(word, home) if k == 0 or ".." in Path(word).parts else word for k, word in enumerate(command)]
    tools = _interpreters(words[0]) if words else []
    secret = [Path(each).resolve() for each in private]
    visible = sorted(_visible(words, tools, folder, home, secret))
    as_nobody = os.geteuid() == 0 and not writable and all(map(_is_public, visible))
    empty = [path for path in _in_system(secret) if not as_nobody or _can_be_reached(path)]
    bins = dict.fromkeys(str(folder) for tool in tools if (folder := Path(tool).parent).name == "bin")
    clean = {
        "PATH": os.pathsep.join([*bins, "/usr/local/bin", "/usr/bin", "/bin"]),
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        **environment,
    }
    arguments = ["--unshare-all", "--unshare-user", "--disable-userns", "--uid", str(NOBODY), "--gid", str(NOBODY)]
    arguments += ["--cap-drop", "ALL", "--die-with-parent", "--hostname", "sandbox", "--clearenv"]
    arguments += ["--seccomp", str(refused)]
    if status is not None:
        arguments += ["--json-status-fd", str(status)]
    for name, value in clean.items():
        arguments += ["--setenv", name, value]
    arguments += _system()
    arguments += ["--proc", "/proc", "--dev", "/dev"]
    for place, size in _WRITABLE.items():
        arguments += ["--size", str(size), "--tmpfs", place]
    for path in visible:
        arguments += ["--ro-bind", str(path), str(path)]
    for path in empty:
        arguments += ["--tmpfs", str(path)] if path.is_dir() else ["--ro-bind", os.devnull, str(path)]
    arguments += ["--bind" if writable else "--dir", *([str(home)] * (2 if writable else 1)), "--chdir", str(home)]
    # Root without capabilities still owns /proc/sys, and could have the kernel run a program on the host.
    for place in (*(str(path) for path in empty if path.is_dir()), "/proc", "/dev", "/"):
        arguments += ["--remount-ro", place]
    shell = _tool("sh")
    around = [shell, "-c", _AROUND, "sh", _tool("bwrap"), *arguments, "--"]
    if as_nobody:
        around = [_tool("setpriv"), f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *around]
    return [*around, *limits.launcher(), shell, "-c", _BACK, "sh", *words]


def _system() -> list[str]:
    """Arguments that show system libraries and interpreters."""
    arguments = []
    for place in _SYSTEM:
        if os.path.islink(place):
            arguments += ["--symlink", os.readlink(place), place]
        elif os.path.isdir(place):
            arguments += ["--ro-bind", place, place]
    etc = Path("/etc")
    for path in (*(etc / name for name in _SETTINGS), *etc.glob("java*"), *etc.glob("mono")):
        if path.exists():
            arguments += ["--ro-bind", str(path.resolve()), str(path)]
    return arguments


def _in_system(private: Iterable[Path]) -> list[Path]:
    """What of the private files lies below system folders, which are shown as a whole."""
    files = (path.with_name(path.name + end) for path in private if not _is_own(path) for end in _BESIDE)
    return sorted(path for path in set(files) if os.path.exists(path))


def _placed(word: str, home: Path) -> str:
    """A path without ``..``, whose folders need not exist in the sandbox; anything else stays as it is."""
    path = os.path.normpath(home / word)
    return path if os.path.exists(path) else word


def _interpreters(program: str) -> list[str]:
    """A program, and the interpreter that its first line has looked for on PATH.

    One that is named by its path is seen if it is part of the system: a bot's author may have written anything there.
    """
    try:
        with open(program, "rb") as file:
            first, *words = file.readline(200).decode("utf-8", "replace").split() or [""]
    except OSError:
        return [program]
    found = [shutil.which(word) for word in words[:1] if first in ("#!/usr/bin/env", "#!/bin/env")]
    return [program, *filter(None, found)]


def _visible(
    words: Sequence[str], tools: Sequence[str], folder: Path | None, home: Path, private: Sequence[Path]
) -> set[Path]:
    """What a bot sees beside the system: its own folder, and what its command names.

    Links in its own folder are the author's and could lead anywhere: they are followed to the machine's own
    interpreters, as those of a virtual environment are, and nowhere else.
    """
    found = set[Path]()
    for tool in map(Path, tools):
        own, target = tool.is_relative_to(home), tool.resolve()
        if own and not target.is_relative_to(home) and not _is_known(target):
            continue
        for path in {tool, target}:
            if path.parent.name == "bin":
                beside = {each for name in _PREFIX if (each := path.parent.parent / name).exists()}
                hostile = own and path == tool
                found |= {each for each in beside if not hostile or each.resolve().is_relative_to(home)}
    for word in words:
        path = Path(os.path.normpath(home / word))
        inside = path.is_relative_to(home)
        if not path.exists() or (inside and not path.resolve().is_relative_to(home)) or path.is_symlink():
            continue
        if path.is_dir():
            found.add(path)
        elif inside or path.parent.name != "bin":
            found.add(path.parent if _may_be_seen(path.parent, private) else path)
    if folder is not None or not any(_is_own(path) for path in found):
        found.add(home)
    return {path for path in found if _is_own(path) and _may_be_seen(path, private)}


def _is_known(path: Path) -> bool:
    """It is a program that everybody here can name: it is on PATH, or runs this process."""
    return any(path == Path(each).resolve() for each in (shutil.which(path.name), sys.executable) if each)


def _is_own(path: Path) -> bool:
    """It is not part of the system, which all bots see."""
    return not any(path.is_relative_to(place) for place in _SYSTEM)


def _may_be_seen(path: Path, private: Sequence[Path]) -> bool:
    """Nothing else than a bot's own files is there, whatever links lead to it."""
    path = path.resolve()
    if path in _TOO_BROAD or any(path.is_relative_to(each) for each in _NEVER):
        return False
    homes = (Path(os.path.expanduser(each)).resolve() for each in ("~", _home_of_user()))
    return not any(each.is_relative_to(path) for each in (*homes, *private))


@functools.cache
def _home_of_user() -> str:
    """The home folder that the system knows; the environment may name another one, or none."""
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return "~"


@functools.cache
def _is_public(path: Path) -> bool:
    """Everybody may read it, and all that is in it."""
    if not _can_be_reached(path):
        return False
    below = (os.path.join(place, name) for place, folders, files in os.walk(path) for name in (*folders, *files))
    return all(_is_readable(each) for each in (str(path), *islice(below, _MOST_LOOKED_AT)))


def _can_be_reached(path: Path) -> bool:
    """Everybody may enter the folders that it is in."""
    return all(each.stat().st_mode & 0o1 for each in path.parents)


def _is_readable(path: str) -> bool:
    """Everybody may read a file, or enter a folder."""
    try:
        mode = os.stat(path).st_mode
    except OSError:  # a link that leads nowhere
        return True
    wanted = 0o5 if stat.S_ISDIR(mode) else 0o4
    return mode & wanted == wanted


@functools.cache
def _tool(name: str) -> str:
    found = shutil.which(name, path="/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin") or shutil.which(name)
    if found is None:
        raise CallerError(
            f"bots cannot be started: {name} is not installed (on Debian and Ubuntu: apt install util-linux)"
        )
    return found


@functools.cache
def sandbox_problem() -> str | None:
    """Why the sandbox is not available on this machine, or None if it is. Tried once."""
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)"
    refused = filter_pipe()
    try:
        command = _wrapped([_tool("true")], Limits(), refused, None, {}, (), None)
        tried = subprocess.run(command, capture_output=True, text=True, check=False, env={}, pass_fds=(refused,))
    finally:
        os.close(refused)
    if tried.returncode != 0:
        return f"bubblewrap does not work here: {tried.stderr.strip() or f'exit code {tried.returncode}'}"
    return None


def _check_sandbox() -> None:
    problem = sandbox_problem()
    if problem is not None:
        raise CallerError(f"--sandbox: {problem}")


def protections(limits: Limits, sandbox: bool) -> str:
    """One line that says which protections are on; `CallerError` if there is no sandbox, and it is wanted."""
    together = bot_groups() is not None
    bounds = []
    if limits.memory is not None:
        bounds.append(f"memory {_size(limits.memory)} {'in all' if together else 'a process (not in all: no cgroup)'}")
    if limits.processes is not None:
        bounds.append(f"processes {limits.processes}{'' if together else _for_root(sandbox)}")
    if limits.file_size is not None:
        bounds.append(f"files {_size(limits.file_size)}")
    inside = "off"
    if sandbox:
        _check_sandbox()
        tmp = _size(_WRITABLE["/tmp"])
        inside = f"no network, no privileges, only its own files, read-only, /tmp of {tmp}, own process ids"
    return f"protections: limits on {', '.join(bounds)}, no core; children killed; sandbox: {inside}"


def _for_root(sandbox: bool) -> str:
    """Where the kernel does not enforce a limit on processes."""
    if os.geteuid() != 0:
        return ""
    return " (if all may read the bot's files)" if sandbox else " (not enforced for root)"


def _size(n: int) -> str:
    return f"{n / (1 << 30):g} GiB" if n >= 1 << 30 else f"{n / (1 << 20):g} MiB"
