"""Series on disk: what was played is not lost when the program ends, however it ends.

A saved series is a tournament of two entrants, A and B, in a store of its own: ``series.db`` in a folder.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Self

import msgspec
import numpy as np

from cardrome.arena.openings import Openings
from cardrome.arena.series import Seeds
from cardrome.arena.storage.database import Database
from cardrome.engine.bulk import GAME, Games, mirrored_games
from cardrome.errors import CallerError
from cardrome.tournament.games import GameTable
from cardrome.tournament.settings import BotSection
from cardrome.tournament.store.store import TournamentStore
from cardrome.wording import unwritable

_FILE = "series.db"


class SeriesStore(TournamentStore):
    """The store of one series. One process at a time plays it."""

    what = "series"

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._edition = ""
        self._entrants = 0, 0
        self._pairs = 0

    @classmethod
    def of(
        cls,
        folder: str | Path,
        edition: str,
        players: tuple[str, str],
        seed: int,
        pairs: int,
        openings: Openings | None = None,
    ) -> Self:
        """Open or begin the series in a folder; `CallerError` if another one is saved there."""
        folder = Path(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CallerError(unwritable(folder, error)) from None
        store = cls.open(folder / _FILE)
        try:
            deals = None if openings is None else openings.digest[:12]
            fixed = {"edition": edition, "players": players, "openings": deals, "cardrome": version("cardrome")}
            growing = msgspec.json.encode({"pairs": pairs}).decode()
            name = " v ".join(players)
            store.register(name, seed if openings is None else 0, msgspec.json.encode(fixed).decode(), growing)
            entrants = store.enter([BotSection(name, agent=text) for name, text in zip("AB", players, strict=True)])
            store._edition, store._entrants = edition, (entrants[0].id, entrants[1].id)
        except BaseException:
            store.close()
            raise
        return store

    def read(self, seeds: Seeds) -> Games:
        """The games of the finished pairs, from the first on without a gap; ``seeds`` are those of the deals wanted."""
        rows = self.games().rows
        wanted = mirrored_games(seeds[: len(rows)])[: len(rows)]
        rows = rows[: len(wanted)]
        # Sorted by pair and game: the first that is another one ends what is without a gap.
        expected = np.arange(len(rows)) // 2
        fits = (rows["pair"] == expected) & (rows["seed"] == wanted["seed"]) & (rows["first"] == wanted["first"])
        pairs = (len(rows) if fits.all() else int(fits.argmin())) // 2
        games = wanted[: 2 * pairs].view(np.recarray)
        for name in GAME.names or ():
            games[name] = rows[name][: 2 * pairs]
        self._pairs = pairs
        return games

    def append(self, games: Games) -> None:
        """Add finished pairs, in order, behind those that were read or added before."""
        pairs = range(self._pairs, self._pairs + len(games) // 2)
        self.save(GameTable.played(self._edition, *self._entrants, pairs, games))
        self._pairs += len(pairs)


def saved_seed(folder: Path) -> int | None:
    """The seed of the series in a folder, so that a command without ``--seed`` can go on; None if there is none."""
    if not (folder / _FILE).exists():
        return None
    with SeriesStore.open(folder / _FILE, claim=False) as store:
        settings = store.settings()
    return None if settings is None else settings.seed
