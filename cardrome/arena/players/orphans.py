"""What bots leave behind: their processes are found, killed and reaped, and those of others are left alone."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import signal
import threading
from collections.abc import Collection
from pathlib import Path

MARK = "CARDROME_BOT"
"""Set in the environment of every bot, to tell its children, wherever they went, from those of others."""

starting = threading.Lock()
"""Held while bots are started, and while children are told apart."""
running: set[int] = set()
"""The bots that have not been closed."""
_only_bots = False


@functools.cache
def adopt_orphans() -> None:
    """Ask the kernel to make us the parent of processes that bots leave behind, even outside their process group."""
    pr_set_child_subreaper = 36
    ctypes.CDLL(None, use_errno=True).prctl(pr_set_child_subreaper, 1, 0, 0, 0)


def all_children_are_bots() -> None:
    """This process starts nothing but bots: whatever else becomes its child, a bot has left behind."""
    global _only_bots
    _only_bots = True


def kill_orphans(before: Collection[int] = (), doomed: Collection[int] = ()) -> None:
    """Kill and reap the processes that bots left behind. Their children become ours in turn, until none is left.

    ``before`` are children that we had before the bots were started: if they are dead, they were not theirs. ``doomed``
    are a bot's own, already killed but perhaps not dead yet: one that is not waited for now would stay as a zombie.
    """
    with starting:
        for pid in doomed:
            with contextlib.suppress(ChildProcessError):  # somebody else's child: that one waits for it
                os.waitpid(pid, 0)
        for _ in range(100):
            if not [pid for pid in children() if pid not in running and _reap(pid, before)]:
                return


def kill_bots() -> None:
    """Kill all bots of this process and let it start no others: for a process that is about to end."""
    # With a timeout, since the code that a signal has interrupted may be holding the lock.
    starting.acquire(timeout=0.2)
    for pid in list(running):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
    for _ in range(100):
        if not [pid for pid in children() if _reap(pid)]:
            return


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


def _reap(pid: int, before: Collection[int] = ()) -> bool:
    """Kill and reap a process if a bot started it; returns whether it did.

    The program that uses this package may have children of its own, which are left alone. A bot's living child is known
    by its mark. A dead one has no environment any more, but bots and what they start are in sessions other than ours.
    """
    with contextlib.suppress(ProcessLookupError, ChildProcessError, PermissionError):
        if process_state(pid) == "Z":
            ours = pid in before or os.getsid(pid) == os.getsid(0)
            return not ours and os.waitpid(pid, os.WNOHANG)[0] == pid
        if _only_bots or _is_marked(pid):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return True
    return False


def _is_marked(pid: int) -> bool:
    """The process has the mark in its environment that bots and their children have."""
    try:
        return f"{MARK}=".encode() in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
