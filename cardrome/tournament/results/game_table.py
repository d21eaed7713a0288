"""All games of a tournament as arrays, read from its store in one pass, with the latest faults and all answer times.

A store may grow while it is read. One pass sees one moment, so all that is said of the games agrees.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cardrome.tournament.records import DRAW, TIME_BINS, GameKey, GameRecord
from cardrome.tournament.results.pair_results import Floats, GameResults, Ints
from cardrome.tournament.store.records import Columns
from cardrome.tournament.store.store import TournamentStore

LATEST_FAULTS = 50
"""Faults of each entrant that are kept with their texts."""

_BLOCK = 20_000
"""Answer times that are collected before they are added up."""

_NUMBERS = ("edition", "a", "b", "pair", "game", "winner", "turns", "actions")


@dataclass(frozen=True, eq=False)
class GameTable:
    """Games by key: one in each place of the arrays. Whatever a game does not have is -1, or NaN among scores."""

    editions: tuple[str, ...]
    edition: Ints
    """A place in ``editions``."""
    a: Ints
    b: Ints
    """Entrants' ids."""
    pair: Ints
    game: Ints
    seed: Ints
    winner: Ints
    turns: Ints
    actions: Ints
    score_a: Floats
    score_b: Floats
    fault_of: Ints
    fault_kind: Ints
    """A place in ``fault_kinds``."""
    fault_kinds: tuple[str, ...]
    finished_at: Floats
    conduct_a: Ints
    conduct_b: Ints
    """Four numbers of each game: answers, and the time in ms of all, of the worst and of the first one."""
    times: dict[int, Ints]
    """The answers of each program by time, as in `Conduct.times`."""
    faults: dict[int, list[GameRecord]]
    """The latest faults of each entrant that has any, the latest first."""

    def __len__(self) -> int:
        return len(self.a)

    @property
    def points(self) -> Floats:
        """What A made in each game."""
        return np.where(self.winner == DRAW, 0.5, 1.0 - self.winner)

    def key(self, place: int) -> GameKey:
        """The key of the game in a place."""
        numbers = (int(column[place]) for column in (self.a, self.b, self.pair, self.game))
        return GameKey(self.editions[self.edition[place]], *numbers)  # type: ignore[arg-type]

    def of_editions(self, names: tuple[str, ...]) -> Ints:
        """The places of the games of some editions."""
        wanted = [place for place, name in enumerate(self.editions) if name in names]
        return np.flatnonzero(np.isin(self.edition, wanted))

    def results(self, places: Ints, players: Ints) -> GameResults:
        """Some games as ratings take them: player k is the entrant ``players[k]``, which are sorted ids."""
        # Pairs of one number are on different deals in different editions.
        pair = self.pair[places] * max(len(self.editions), 1) + self.edition[places]
        return GameResults(
            len(players),
            np.searchsorted(players, self.a[places]),
            np.searchsorted(players, self.b[places]),
            pair,
            self.game[places],
            self.points[places],
            self.fault_of[places] >= 0,
        )

    def columns(self, places: Ints) -> Columns:
        """Some games as the store itself gives them."""
        numbers = {name: getattr(self, name)[places] for name in _NUMBERS}
        scores = {name: getattr(self, name)[places] for name in ("score_a", "score_b")}
        return Columns(self.editions, **numbers, **scores, forfeit=self.fault_of[places] >= 0)

    def pairings(self) -> Iterator[tuple[str, int, int, Ints]]:
        """Edition, the two entrants, the lower id first, and the places of their games, sorted by all of these."""
        low, high = np.minimum(self.a, self.b), np.maximum(self.a, self.b)
        # Within an edition and two entrants, games stay in the order of the key.
        order = np.lexsort((self.a, high, low, self.edition))
        keys = np.stack([self.edition[order], low[order], high[order]])
        starts = np.flatnonzero(np.any(keys[:, 1:] != keys[:, :-1], axis=0)) + 1
        for places in np.split(order, starts) if len(order) else ():
            first = places[0]
            yield self.editions[self.edition[first]], int(low[first]), int(high[first]), places


def read_games(store: TournamentStore, faults: int = LATEST_FAULTS) -> GameTable:
    """Read all games of a store; of each entrant's faults the latest so many with their texts."""
    reader = _Reader(faults)
    for record in store.all_games():
        reader.take(record)
    return reader.table()


class _Reader:
    """Collects records."""

    def __init__(self, faults: int) -> None:
        self._limit = faults
        self._editions: dict[str, int] = {}
        self._kinds: dict[str, int] = {}
        self._rows: list[tuple[int | float | None, ...]] = []
        self._blocks: list[Floats] = []
        self._seeds: list[int] = []
        self._answers: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        self._times: dict[int, Ints] = {}
        self._faults: dict[int, list[GameRecord]] = defaultdict(list)

    def take(self, record: GameRecord) -> None:
        """The next record."""
        key, fault = record.key, -1
        if record.fault_of is not None:
            fault = self._kinds.setdefault(record.fault_kind or "unknown", len(self._kinds))
            mine = self._faults[key.b if record.fault_of else key.a]
            mine.append(record)
            if len(mine) > 4 * self._limit + 4:
                self._cut(mine)
        one, other = record.conduct_a, record.conduct_b
        if one is not None:
            self._answers[key.a].append(one.times)
        if other is not None:
            self._answers[key.b].append(other.times)
        self._seeds.append(record.seed)
        self._rows.append(
            (
                self._editions.setdefault(key.edition, len(self._editions)),
                key.a,
                key.b,
                key.pair,
                key.game,
                record.winner,
                record.turns,
                record.actions,
                record.fault_of,
                fault,
                record.finished_at,
                record.score_a,
                record.score_b,
                *((None,) * 4 if one is None else (one.answers, one.total_ms, one.worst_ms, one.first_ms)),
                *((None,) * 4 if other is None else (other.answers, other.total_ms, other.worst_ms, other.first_ms)),
            )
        )
        if len(self._rows) >= _BLOCK:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            # All of these numbers are far below 2^53, where floats are no longer exact; None becomes NaN.
            self._blocks.append(np.array(self._rows, np.float64))
            self._rows.clear()
        for entrant, times in self._answers.items():
            so_far = self._times.get(entrant, np.zeros(TIME_BINS, np.int64))
            self._times[entrant] = so_far + np.array(times, np.int64).sum(axis=0)
        self._answers.clear()

    def _cut(self, mine: list[GameRecord]) -> None:
        mine.sort(key=lambda record: (-record.finished_at, record.key))
        del mine[self._limit :]

    def table(self) -> GameTable:
        """All that was taken."""
        self._flush()
        for mine in self._faults.values():
            self._cut(mine)
        rows = np.concatenate(self._blocks) if self._blocks else np.empty((0, 21))
        numbers = {name: _whole(rows[:, place]) for place, name in enumerate((*_NUMBERS, "fault_of", "fault_kind"))}
        return GameTable(
            editions=tuple(self._editions),
            fault_kinds=tuple(self._kinds),
            seed=np.array(self._seeds, np.int64),
            finished_at=rows[:, 10].copy(),
            score_a=rows[:, 11].copy(),
            score_b=rows[:, 12].copy(),
            conduct_a=_whole(rows[:, 13:17]),
            conduct_b=_whole(rows[:, 17:21]),
            times=dict(sorted(self._times.items())),
            faults=dict(sorted(self._faults.items())),
            **numbers,
        )


def _whole(column: Floats) -> Ints:
    return np.where(np.isnan(column), -1, column).astype(np.int64)
