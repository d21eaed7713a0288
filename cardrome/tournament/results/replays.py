"""A tournament's stored replays as files."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from cardrome.errors import CallerError, UnknownName
from cardrome.games.replay_files import unpack_replay, write_replays
from cardrome.tournament.games import GameKey
from cardrome.tournament.store.store import TournamentStore
from cardrome.wording import unwritable


def export_replays(store: TournamentStore, place: Path, bots: Collection[str] = ()) -> tuple[list[Path], int]:
    """Write the replays that a store holds; returns the files and the number of games.

    A name that ends in ``.jsonl`` or ``.jsonl.gz`` is one file for all of them; in a folder every pairing on an edition
    has its own. Games are in the order of their deals, each deal's two games together. ``bots`` limits it to games of
    these bots.
    """
    names = {entrant.id: entrant.name for entrant in store.entrants()}
    for name in bots:
        if name not in names.values():
            raise UnknownName("bot", name, names.values())
    chosen = {number for number, name in names.items() if not bots or name in bots}
    keys = sorted(key for key in store.replays() if key.a in chosen or key.b in chosen)
    if place.name.removesuffix(".gz").endswith(".jsonl"):
        return [place], write_replays(place, _replays(store, keys))
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CallerError(unwritable(place, error)) from None
    files, count = [], 0
    for (edition, a, b), group in groupby(keys, lambda key: (key.edition, key.a, key.b)):
        # The ids keep names apart that look alike once everything but letters and digits is gone.
        sides = "-v-".join(f"{number}-{_plain(names[number])}" for number in (a, b))
        file = place / f"{edition}-{sides}.jsonl.gz"
        count += write_replays(file, _replays(store, group))
        files.append(file)
    return files, count


def _replays(store: TournamentStore, keys: Iterable[GameKey]) -> Iterator[Any]:
    for key in keys:
        record = store.game(key)
        if record is not None and record.replay is not None:
            yield unpack_replay(record.replay)


def _plain(name: str) -> str:
    """A bot's name as a part of a file's name."""
    return re.sub(r"[^A-Za-z0-9.]+", "_", name).strip("._")[:60] or "bot"
