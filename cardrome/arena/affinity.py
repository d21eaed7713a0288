"""One core for a worker and its bots.

A referee and a bot take turns. On one core the next to run is woken at once, on two it is woken across them, which
takes longer than most bots think. Every worker takes a core of its own while it plays; other workers of ours on this
machine leave it alone.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def pinned(wanted: bool = True) -> Iterator[int | None]:
    """Keep this thread, and the processes it starts, on a free core meanwhile; yields the core, or None if none is."""
    taken = _take_core() if wanted and hasattr(os, "sched_setaffinity") else None
    if taken is None:
        yield None
        return
    core, lock = taken
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {core})
        yield core
    finally:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, before)
        os.close(lock)


def _take_core() -> tuple[int, int] | None:
    """A core that no other worker of this user has, with the open lock that says so."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        return None
    try:
        folder = Path(tempfile.gettempdir()) / f"cardrome-cores-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_uid != os.getuid():
            return None
        for core in cores:
            lock = os.open(folder / str(core), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
            else:
                return core, lock
    except OSError:
        return None
    return None
