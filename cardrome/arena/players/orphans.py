"""What bots leave behind: their processes are found, killed and reaped, and those of others are left alone."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import select
import signal
import threading
import time
from collections.abc import Collection, Iterable
from pathlib import Path

MARK = "CARDROME_BOT"
"""Set in the environment of every bot, to tell its children, wherever they went, from those of others."""

starting = threading.Lock()
"""Held while bots are started, and while children are told apart."""
running: set[int] = set()
"""The bots that have not been closed."""
_only_bots = False
END_SECONDS = 2.0
"""How long processes that were killed may take to end. One that something else traces is not ours to reap as long as
that lives: it is left as a zombie rather than waited for."""


@functools.cache
def adopt_orphans() -> None:
    """Ask the kernel to make us the parent of processes that bots leave behind, even outside their process group."""
    pr_set_child_subreaper = 36
    ctypes.CDLL(None, use_errno=True).prctl(pr_set_child_subreaper, 1, 0, 0, 0)


def all_children_are_bots() -> None:
    """This process starts nothing but bots: whatever else becomes its child, a bot has left behind."""
    global _only_bots
    _only_bots = True


def kill_orphans(before: Collection[int] = (), doomed: Collection[int] = (), strangers: bool = False) -> None:
    """Kill and reap the processes that bots left behind. Their children become ours in turn, until none is left.

    ``before`` are children that we had before the bots were started: if they are dead, they were not theirs. ``doomed``
    are a bot's own, already killed but perhaps not dead yet: one that is not waited for now would stay as a zombie.
    With ``strangers`` every process goes that is in another session and was not there ``before``, with the mark of bots
    or without: a child that the program starts meanwhile in a session of its own cannot be told from these.
    """
    with starting:
        reap(doomed)
        for _ in range(100):
            if not _bury([pid for pid in children() if pid not in running], before, strangers):
                return


def kill_bots() -> None:
    """Kill all bots of this process and let it start no others: for a process that is about to end."""
    # With a timeout, since the code that a signal has interrupted may be holding the lock.
    starting.acquire(timeout=0.2)
    for pid in list(running):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
    for _ in range(100):
        if not _bury(children()):
            return


def reap(pids: Iterable[int], seconds: float = END_SECONDS) -> bool:
    """Wait for processes to end, so many seconds at most for all of them; returns whether any was reaped.

    Somebody else's children are left to those.
    """
    end = time.monotonic() + seconds
    reaped = False
    for pid in pids:
        with contextlib.suppress(ChildProcessError):
            if not (found := _reaped(pid)):
                wait_for_end(pid, end - time.monotonic())
                # What was traced is ours a moment after its tracer has ended.
                while not (found := _reaped(pid)) and time.monotonic() < end:
                    time.sleep(0.001)
            reaped |= found
    return reaped


def _reaped(pid: int) -> bool:
    return os.waitpid(pid, os.WNOHANG)[0] == pid


def wait_for_end(pid: int, seconds: float) -> None:
    """Wait until a process has ended, reaped or not, for so many seconds at most."""
    with contextlib.suppress(OSError):
        fd = os.pidfd_open(pid)
        try:
            waiting = select.poll()
            waiting.register(fd, select.POLLIN)
            waiting.poll(max(0, round(seconds * 1000)))
        finally:
            os.close(fd)


def children(pid: int | None = None) -> list[int]:
    """The children of a process, by default of this one, started or adopted."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid or 'self'}/task").iterdir():
            with contextlib.suppress(OSError):
                found += [int(child) for child in (task / "children").read_text().split()]
    return found


def descendants(pid: int | None = None) -> list[int]:
    """The children of a process, by default of this one, their children, and so on."""
    found = children(pid)
    for each in found:  # it grows while we go through it
        found += children(each)
    return found


def process_state(pid: int) -> str:
    """A letter: Z for a process that ended and waits to be reaped, T for one that is stopped; empty if it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


def _bury(pids: Iterable[int], before: Collection[int] = (), strangers: bool = False) -> bool:
    """Kill and reap those of our children that bots have started; returns whether there were any.

    A bot's living child is known by its mark, which it may have removed. A dead one has no environment any more.
    """
    living, dead = [], []
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if process_state(pid) == "Z":
                if not _is_ours(pid, before):
                    dead.append(pid)
            elif _only_bots or _is_marked(pid) or (strangers and not _is_ours(pid, before)):
                os.kill(pid, signal.SIGKILL)
                living.append(pid)
    return reap(dead, 0) | reap(living)


def _is_ours(pid: int, before: Collection[int]) -> bool:
    """This program seems to have started the process itself, perhaps before it used this package.

    Bots and what they start are in sessions other than ours, and cannot come back.
    """
    return pid in before or os.getsid(pid) == os.getsid(0)


def _is_marked(pid: int) -> bool:
    """The process has the mark in its environment that bots and their children have."""
    try:
        return f"{MARK}=".encode() in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
