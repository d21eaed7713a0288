"""Control groups: bounds for all processes of a bot together, where the system lets us make groups of our own.

Limits of a process do not add up: a bot with many processes, or much in temporary files, can use far more. Version 2 of
the kernel's control groups counts all of it, and ends it all at once. Groups can be made where a part of the tree was
delegated to us: by systemd (``systemd-run --user --scope -p Delegate=yes cardrome ...``), or in a container.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import time
from pathlib import Path

CONTROLLERS = ("memory", "pids")
"""What is counted."""
_LEAF = "cardrome-arena"
"""Where our own processes go: a group that counts for its children has no processes itself."""
_REMOVE_SECONDS = 2.0
_numbers = itertools.count()


@functools.cache
def bot_groups() -> Path | None:
    """The group below which every bot gets one; None if we cannot make any. Tried once."""
    own = _own_group()
    if own is None or own.name == _LEAF:  # the process that started us has made it
        return None if own is None else own.parent
    try:
        available = set((own / "cgroup.controllers").read_text().split())
        if not set(CONTROLLERS) <= available or not _is_delegated(own):
            return None
        (own / _LEAF).mkdir(exist_ok=True)
        _write(own / _LEAF / "cgroup.procs", os.getpid())
        try:
            for controller in CONTROLLERS:
                _write(own / "cgroup.subtree_control", f"+{controller}")
        except OSError:  # other processes are in the group too
            _write(own / "cgroup.procs", os.getpid())
            (own / _LEAF).rmdir()
            return None
    except OSError:
        return None
    return own


def _own_group() -> Path | None:
    """The folder of the group that this process is in."""
    try:
        mounts = [line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines()]
        mount = next((words for words in mounts if words[words.index("-") + 1] == "cgroup2"), None)
        path = next(line[3:] for line in Path("/proc/self/cgroup").read_text().splitlines() if line.startswith("0::"))
    except (OSError, ValueError, StopIteration):
        return None
    return None if mount is None else Path(mount[4]) / path.strip("/")


def _is_delegated(group: Path) -> bool:
    """Whether this group was delegated to us."""
    for name in ("user.delegate", "trusted.delegate"):
        with contextlib.suppress(OSError):
            if os.getxattr(group, name) == b"1":
                return os.access(group, os.W_OK)
    return os.access(group, os.W_OK) and not os.path.isdir("/run/systemd/system")


def make_group(memory: int | None, processes: int | None) -> Path | None:
    """A group for one bot with bounds on all its processes together, where that is possible."""
    base = bot_groups()
    if base is None:
        return None
    group = base / f"bot-{os.getpid()}-{next(_numbers)}"
    try:
        group.mkdir()
        if "memory" in CONTROLLERS and memory is not None:
            _write(group / "memory.max", memory)
            with contextlib.suppress(OSError):  # where there is no swap, there is nothing to bound
                _write(group / "memory.swap.max", 0)
        if "pids" in CONTROLLERS and processes is not None:
            _write(group / "pids.max", processes)
    except OSError:
        remove_group(group)
        return None
    return group


def entering(group: Path) -> list[str]:
    """The words before a command that make a process enter a group and only then become the program."""
    return ["/bin/sh", "-c", 'echo $$ >"$0" && exec "$@"', str(group / "cgroup.procs")]


def remove_group(group: Path) -> None:
    """Kill whatever is in a group, and remove it."""
    with contextlib.suppress(OSError):
        _write(group / "cgroup.kill", 1)
    end = time.monotonic() + _REMOVE_SECONDS
    while group.is_dir() and time.monotonic() < end:
        try:
            group.rmdir()
        except OSError:  # some of them are still ending
            time.sleep(0.001)


def remove_groups_of(pid: int) -> None:
    """Remove the groups of the bots of a process that has ended."""
    base = bot_groups()
    for group in [] if base is None else base.glob(f"bot-{pid}-*"):
        remove_group(group)


def _write(file: Path, value: object) -> None:
    with file.open("w") as opened:
        opened.write(str(value))
