"""A bot's process: started, asked line by line with a deadline, and ended together with all its children.

Bots are hostile until proven otherwise. Everything here is bounded: the time to wait, the length of a line, what is
kept of standard error, what waits to be sent. Nothing a bot does can block the referee beyond the deadline.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO

from cardrome.arena.players.cgroups import entering, make_group, remove_group
from cardrome.arena.players.orphans import (
    END_SECONDS,
    MARK,
    adopt_orphans,
    children,
    descendants,
    kill_orphans,
    running,
    starting,
    wait_for_end,
)
from cardrome.arena.players.sandbox import Limits, find_program, sandboxed, tasks_of_user
from cardrome.arena.players.suggestions import suggested_command
from cardrome.arena.players.syscalls import filter_pipe
from cardrome.errors import BotFailure, CallerError, InfrastructureFault
from cardrome.escaping import printable

MAX_LINE = 10_000
"""Bytes a bot may write without ending the line, as in the original framework."""
STDERR_TAIL = 4096
"""Bytes of standard error that are kept: the last ones."""
MAX_UNSENT = 1 << 20
"""Bytes that may wait for a bot that does not read."""
_CHUNK = 65536
_PIPE_CHUNKS = 16  # that the largest pipe holds
_END_SECONDS = 0.5  # that a process may take to end after its output
_NOT_RUN = (126, 127)
"""Exit codes with which launchers report that a program could not be run."""
LONGEST_WAIT = 1.0
"""Seconds after which a wait for a bot is begun anew: Python handles a signal that came just before a wait, or was
delivered to another thread, only once the wait is over."""

_OUR_SHORTAGES = (errno.ENOMEM, errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOSPC)
"""Reasons why a process cannot be started that are not its program's fault."""


class BotProcess:
    """One bot, running. Use it as a context manager, or call `close`: it kills whatever is left of the bot."""

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits = Limits(),
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        sandbox: bool = False,
        private: Iterable[str] = (),
    ) -> None:
        """Start the bot; raises `BotFailure` of kind ``no-start`` if that is not possible.

        ``environment`` is added to that of this process, or in the sandbox to the little that every bot has there.
        ``private`` are files that the sandbox hides, wherever they lie.
        """
        adopt_orphans()
        folder = None if folder is None else folder.resolve()
        added = environment or {}
        self._report: int | None = None
        theirs: list[int] = []
        if sandbox:
            self._report, report = _report_pipe()
            theirs = [report, filter_pipe()]
        self._group = make_group(limits.memory, limits.processes)
        self._before = children()
        try:
            program = find_program(command[0], folder, {**os.environ, **added}.get("PATH"), sandbox)
            words = [program, *command[1:]]
            if sandbox:
                report, refused = theirs
                words = sandboxed(words, limits, refused, folder, added, private, report)
            else:
                words = [*limits.launcher(tasks_of_user()), *words]
            if self._group is not None:
                words = [*entering(self._group), *words]
            with starting:
                self.process = subprocess.Popen(
                    words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    cwd=folder,
                    env={**({} if sandbox else {**os.environ, **added}), MARK: "1"},
                    start_new_session=True,  # a process group of its own, to be killed as a whole
                    pass_fds=theirs,
                )
                running.add(self.process.pid)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            _close(self._report)
            if self._group is not None:
                remove_group(self._group)
            if isinstance(error, CallerError):  # there is no sandbox
                raise
            if isinstance(error, OSError) and error.errno in _OUR_SHORTAGES:
                raise InfrastructureFault(f"{command[0]!r} cannot be started: {error.strerror}") from None
            meant = suggested_command(command[0], folder) if len(command) == 1 else None
            hint = "" if meant is None else f"; did you mean {meant!r}?"
            reason = str(error)
            if os.sep in command[0] and not Path(folder or "", command[0]).exists():
                reason = "there is no such file; does it have to be built first?"
            raise BotFailure("no-start", f"{command[0]!r} cannot be started: {reason}{hint}") from None
        finally:
            for descriptor in theirs:
                _close(descriptor)
        self._pipes = self.process.stdin, self.process.stdout, self.process.stderr
        self._stdin, self._stdout, self._stderr = (_unblocked(pipe) for pipe in self._pipes)
        self._exit = os.pidfd_open(self.process.pid)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)
        self._selector.register(self._exit, selectors.EVENT_READ)
        self._unsent = b""
        self._received = bytearray()
        self._after_return = False  # the last line ended with \r: a \n right after it belongs to it
        self._ended = False  # there will be no more output
        self._spoke = False
        self.stderr_tail = b""
        self.stderr_bytes = 0

    def __enter__(self) -> BotProcess:
        """The bot itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Kill it."""
        self.close()

    def ask(self, text: bytes, seconds: float | None) -> bytes:
        """Send an input and wait for one line, which is returned without its end. None waits for ever.

        Lines that a bot wrote ahead of time answer later inputs, as under the original referee.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        self._unsent += text
        if len(self._unsent) > MAX_UNSENT:
            raise self._failure("timeout", "it does not read its input")
        while True:
            self._send()
            line = self._take_line()
            if line is not None:
                self._spoke = True
                return line
            if self._ended:
                raise self._crash()
            rest = None if deadline is None else deadline - time.monotonic()
            if rest is not None and rest <= 0:
                raise self._failure("timeout", f"no answer in {seconds:g} s")
            self._wait(rest)

    def forget(self) -> bool:
        """Drop what a finished game left behind; returns whether the bot can begin another.

        It cannot if a message was sent in part: the next one would be read as the rest of it.
        """
        self._receive()
        self._received.clear()
        self._after_return = False
        return not self._unsent

    def close(self) -> int:
        """Kill the bot and everything it started; returns its exit code, negative for a signal.

        It may be called again.
        """
        if self._selector.get_map() is not None:
            self._drain(self._stderr)
            doomed = descendants(self.process.pid)
            self._kill_group()
            for pid in doomed:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            self._await_end()
            if self._group is not None:
                remove_group(self._group)
            with starting:
                running.discard(self.process.pid)
            kill_orphans(self._before, doomed)
            self._selector.close()
            for pipe in (*self._pipes, self._exit, self._report):
                _close(pipe)
        return self._code

    def _await_end(self) -> None:
        """Reap the killed process, unless something that we cannot kill traces it: then it stays a zombie."""
        wait_for_end(self.process.pid, END_SECONDS)
        if self.process.poll() is None:  # a daemon that it left behind may trace it
            kill_orphans(self._before)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(END_SECONDS)

    @property
    def _code(self) -> int:
        """How the process ended: bubblewrap reports a signal as shells do."""
        code = self.process.returncode
        if code is None:  # killed, but not reaped
            return -signal.SIGKILL
        return 128 - code if self._report is not None and code > 128 else code

    def _kill_group(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def _wait(self, seconds: float | None) -> None:
        """Wait until something can be read or sent."""
        events = selectors.EVENT_WRITE if self._unsent else 0
        registered = self._stdin in self._selector.get_map()
        if events and not registered:
            self._selector.register(self._stdin, events)
        elif registered and not events:
            self._selector.unregister(self._stdin)
        for key, _ in self._selector.select(LONGEST_WAIT if seconds is None else min(seconds, LONGEST_WAIT)):
            if key.fd == self._stdout:
                self._receive()
            elif key.fd == self._stderr:
                self._drain(self._stderr)
            elif key.fd == self._exit:  # others may hold its output open, but nothing they write is an answer
                self._selector.unregister(self._exit)
                self._receive(_PIPE_CHUNKS)
                self._end_of_output()

    def _send(self) -> None:
        """Send as much as the pipe takes. A bot that closed its input may still answer: that is not a failure yet."""
        while self._unsent:
            try:
                sent = os.write(self._stdin, self._unsent)
            except BlockingIOError:
                return
            except OSError:
                self._unsent = b""
                return
            self._unsent = self._unsent[sent:]

    def _receive(self, chunks: int = 1) -> None:
        for _ in range(chunks):
            try:
                data = os.read(self._stdout, _CHUNK)
            except BlockingIOError:
                return
            if not data:
                self._end_of_output()
                return
            self._received += data

    def _end_of_output(self) -> None:
        self._ended = True
        if self._stdout in self._selector.get_map():
            self._selector.unregister(self._stdout)

    def _take_line(self) -> bytes | None:
        """The next line, if it is complete."""
        if self._after_return and self._received:
            if self._received[0] == 0x0A:
                del self._received[0]
            self._after_return = False
        ends = [at for at in (self._received.find(b"\n"), self._received.find(b"\r")) if at >= 0]
        end = min(ends, default=len(self._received))
        if end > MAX_LINE:
            raise self._failure("too-much-output", f"more than {MAX_LINE} bytes without the end of a line")
        if not ends:
            return None
        line = bytes(self._received[:end])
        self._after_return = self._received[end] == 0x0D
        del self._received[: end + 1]
        return line

    def _drain(self, fd: int) -> None:
        """Keep the end of what the bot writes to standard error."""
        for _ in range(16):
            try:
                data = os.read(fd, _CHUNK)
            except (BlockingIOError, OSError):
                return
            if not data:
                if fd in self._selector.get_map():
                    self._selector.unregister(fd)
                return
            self.stderr_bytes += len(data)
            self.stderr_tail = (self.stderr_tail + data)[-STDERR_TAIL:]

    def _crash(self) -> BotFailure:
        """Why there is no more output: the bot ended, or closed its output."""
        try:
            self.process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            return self._failure("crash", "it closed its standard output")
        code = self._code
        if code < 0:
            return self._failure("crash", f"killed by {_signal_name(-code)}", code)
        if self._report is not None and b'"exit-code"' not in os.read(self._report, _CHUNK):
            self._drain(self._stderr)
            reason = self.stderr_tail.decode("utf-8", "replace").strip()
            raise InfrastructureFault(f"the sandbox could not be set up: {printable(reason)}")
        if code in _NOT_RUN and not self._spoke:
            return self._failure("no-start", f"it cannot be run (exit code {code})", code)
        return self._failure("crash", f"ended with exit code {code}", code)

    def _failure(self, kind: str, message: str, exit_code: int | None = None) -> BotFailure:
        self._drain(self._stderr)
        return BotFailure(kind, message, exit_code, self.stderr_tail.decode("utf-8", "replace"))


def _report_pipe() -> tuple[int, int]:
    """A pipe whose other end the sandbox's launcher leaves alone: it uses descriptors of one digit."""
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    moved = fcntl.fcntl(theirs, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(theirs)
    return ours, moved


def _unblocked(pipe: IO[bytes] | None) -> int:
    assert pipe is not None
    os.set_blocking(pipe.fileno(), False)
    return pipe.fileno()


def _close(pipe: IO[bytes] | int | None) -> None:
    with contextlib.suppress(OSError):
        if isinstance(pipe, int):
            os.close(pipe)
        elif pipe is not None:
            pipe.close()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
