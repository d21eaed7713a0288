"""Replays of the latest series, kept without being asked for: whoever lost wants to see why.

The folder is bounded: when a series is added, the oldest ones go that are too many or take too much room.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from cardrome.games.replay_files import write_replays
from cardrome.games.replays import Replay

MOST_SERIES = 50
MOST_BYTES = 200 << 20
MOST_GAMES = 2000
"""Of one series: the first ones."""
_ENDING = ".jsonl.gz"


class Kept(NamedTuple):
    """A file of replays, and where each game of the series is in it; the first is 1."""

    file: Path
    places: dict[int, int]


def recent_folder() -> Path:
    """Where replays are kept that nobody asked for, by the XDG convention for state."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return Path(state, "cardrome", "replays")


def series_file(folder: Path, edition: str) -> Path:
    """A new name in a folder for the games of a series that ends now."""
    stem = f"{time.strftime('%Y-%m-%d-%H%M%S')}-{edition}"
    name, number = f"{stem}{_ENDING}", 1
    while (folder / name).exists():
        number += 1
        name = f"{stem}-{number}{_ENDING}"
    return folder / name


def keep_recent(replays: Sequence[Replay], edition: str, wanted: Collection[int]) -> Kept:
    """Keep the games of a series among the recent ones; those with the numbers ``wanted`` are in any case.

    `CallerError` or `OSError` if the folder cannot be written.
    """
    folder = recent_folder()
    folder.mkdir(parents=True, exist_ok=True)
    numbers = sorted({*range(1, min(len(replays), MOST_GAMES) + 1), *wanted})
    file = series_file(folder, edition)
    write_replays(file, (replays[number - 1] for number in numbers))
    _prune(folder)
    return Kept(file, {number: place for place, number in enumerate(numbers, 1)})


def _prune(folder: Path) -> None:
    """Remove the oldest series beyond the bounds; the newest stays, however large it is."""
    found = []
    for path in folder.glob(f"*{_ENDING}"):
        with contextlib.suppress(OSError):  # another process may have removed it
            status = path.stat()
            found.append((status.st_mtime_ns, path.name, status.st_size, path))
    room = MOST_BYTES
    for place, (_, _, size, path) in enumerate(sorted(found, reverse=True)):
        room -= size
        if place > 0 and (place >= MOST_SERIES or room < 0):
            with contextlib.suppress(OSError):
                path.unlink()
