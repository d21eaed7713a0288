"""Bots' folders: built where the tournament runs, or packed, and unpacked and built once on every other machine."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import io
import os
import shlex
import shutil
import signal
import stat
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path

import msgspec

from cardrome.arena.players.sandbox import Limits, find_program, sandboxed
from cardrome.arena.players.syscalls import filter_pipe
from cardrome.errors import CallerError, InfrastructureFault
from cardrome.tournament.settings import BotSection, TournamentSettings

SIZE_LIMIT = 256 << 20
"""Bytes of all files in a bot's folder. It is sent to every machine."""
_TAIL = 2_000
"""Characters of a build's output that are shown."""
_FORGOTTEN_SECONDS = 86_400
"""Folders that were not used for this long belong to runs that are over."""


class Build(msgspec.Struct, frozen=True):
    """A command line to be run in a bot's folder before its first game."""

    command: str
    environment: dict[str, str]

    seconds: float
    """The time limit."""
    limits: Limits | None
    """Those of the sandbox; None: it runs outside."""

    @classmethod
    def of(cls, bot: BotSection, settings: TournamentSettings) -> Build | None:
        """How a bot is built, if it is."""
        if bot.build is None:
            return None
        limits = settings.bot_settings.limits if settings.tournament.sandbox else None
        return cls(bot.build, bot.environment, settings.limits.build_seconds, limits)

    def run(self, folder: Path, private: Collection[str] = ()) -> str | None:
        """Run it in a folder; returns what went wrong, with the end of the output.

        In the sandbox it can write to the folder, in which therefore none of the ``private`` files may lie.
        """
        words = shlex.split(self.command)
        with contextlib.ExitStack() as stack:
            output = stack.enter_context(tempfile.TemporaryFile())
            descriptors: list[int] = []
            try:
                environment: Mapping[str, str] = {**os.environ, **self.environment}
                if self.limits is not None:
                    if any(Path(each).resolve().is_relative_to(folder.resolve()) for each in private):
                        return "it cannot be built in the sandbox beside the tournament's files: give it a directory"
                    program = find_program(words[0], folder, environment.get("PATH"))
                    limits = replace(self.limits, file_size=None)
                    refused = filter_pipe()
                    stack.callback(os.close, refused)
                    descriptors.append(refused)
                    words = sandboxed([program, *words[1:]], limits, refused, folder, self.environment, writable=True)
                    environment = {}
                process = subprocess.Popen(
                    words,
                    cwd=folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,  # a group of its own, to be killed as a whole
                    pass_fds=descriptors,
                )
            except (OSError, ValueError) as error:
                if isinstance(error, CallerError):  # there is no sandbox
                    raise
                name = shlex.split(self.command)[0]
                return f"its build command {name!r} cannot be started: {getattr(error, 'strerror', None) or error}"
            try:
                code = process.wait(self.seconds)
                problem = None if code == 0 else f"its build failed with exit code {code}"
            except subprocess.TimeoutExpired:
                problem = f"its build took longer than {self.seconds:g} s"
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
            if problem is None:
                return None
            output.seek(0, os.SEEK_END)
            output.seek(max(output.tell() - 4 * _TAIL, 0))
            tail = output.read().decode("utf-8", "replace")[-_TAIL:].strip()
        return f"{problem}: {tail}" if tail else problem


class Package(msgspec.Struct, frozen=True):
    """A bot's folder, without its content, and how the bots in it are built."""

    key: str
    """Identifies the content and the run: every run builds anew."""
    builds: tuple[Build, ...]


def pack(folder: Path, private: Collection[str] = ()) -> bytes:
    """The files of a folder as a tar archive, except private ones, given by their paths, and what belongs to these.

    `CallerError` if there are too many bytes to send around.
    """
    found, size = io.BytesIO(), 0
    left_out = {each + end for each in private for end in ("", "-wal", "-shm", ".lock")}
    with tarfile.open(fileobj=found, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(folder.rglob("*")):
            mode = path.lstat().st_mode
            kinds = stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)
            if not kinds or str(path.resolve()) in left_out or ".git" in path.relative_to(folder).parts:
                continue
            size += path.stat().st_size if stat.S_ISREG(mode) else 0
            if size > SIZE_LIMIT:
                raise CallerError(
                    f"{folder} has over {SIZE_LIMIT >> 20} MiB, which is too much to be sent to other machines: give "
                    "the bot a directory of its own"
                )
            entry = archive.gettarinfo(path, str(path.relative_to(folder)))
            if not stat.S_ISREG(mode):
                archive.addfile(entry)
                continue
            with path.open("rb") as content:
                # A file with two names would be sent as a link by the second one.
                entry.type, entry.size = tarfile.REGTYPE, os.fstat(content.fileno()).st_size
                archive.addfile(entry, content)
    return found.getvalue()


def digest(data: bytes) -> str:
    """Identifies a packed folder by its content."""
    return hashlib.sha256(data).hexdigest()[:32]


def unpacked(package: Package, fetch: Callable[[], bytes]) -> Path:
    """The bot's folder on this machine, where the first one that needs it unpacks and builds it.

    `CallerError` if it cannot be built here.
    """
    base = Path(tempfile.gettempdir()) / f"cardrome-bots-{os.getuid()}"
    base.mkdir(mode=0o700, exist_ok=True)
    if base.is_symlink() or base.stat().st_uid != os.getuid():
        raise InfrastructureFault(f"{base} belongs to somebody else")
    folder, done = base / package.key, base / f"{package.key}.done"
    if not done.exists():
        lock = os.open(base / f"{package.key}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                _forget_old(base)
                shutil.rmtree(folder, ignore_errors=True)
                _unpack(fetch(), folder)
                problems = (each.run(folder) for each in package.builds)
                done.write_text(next(filter(None, problems), ""))
        finally:
            os.close(lock)
    os.utime(done)
    if problem := done.read_text():
        raise CallerError(problem)
    return folder


def _unpack(data: bytes, folder: Path) -> None:
    """Nothing is written outside the folder, whatever links are in it.

    The library's own filters are missing in the first releases of Python 3.11, which Debian 12 has.
    """
    folder.mkdir()
    inside = folder.resolve()
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for entry in archive:
            path = inside / entry.name
            if not path.parent.resolve().is_relative_to(inside):
                raise InfrastructureFault(f"a packed file would be written outside its folder: {entry.name}")
            path.parent.mkdir(parents=True, exist_ok=True)
            content = archive.extractfile(entry) if entry.isreg() else None
            if entry.issym():
                path.symlink_to(entry.linkname)
            elif entry.isdir():
                path.mkdir(exist_ok=True)
                path.chmod(entry.mode & 0o755 | 0o700)  # whatever the umask is, and its files are still to come
            elif content is not None:
                with path.open("xb") as file:  # new, so not through a link that has this name
                    shutil.copyfileobj(content, file)
                path.chmod(entry.mode & 0o755)


def _forget_old(base: Path) -> None:
    for done in base.glob("*.done"):
        with contextlib.suppress(OSError):
            if done.stat().st_mtime < time.time() - _FORGOTTEN_SECONDS:
                shutil.rmtree(done.with_suffix(""), ignore_errors=True)
                done.unlink()
                done.with_suffix(".lock").unlink()
