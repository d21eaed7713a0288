"""A tournament's standings while it is played: points, ratings without intervals, faults, speed."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from cardrome.tournament.records import DRAW, Entrant, GameRecord
from cardrome.tournament.results.bradley_terry import fit, on_elo_scale
from cardrome.tournament.results.pair_results import Cells
from cardrome.tournament.store.records import Columns

_WINDOW = 20.0
"""Seconds over which the speed is measured."""


class LiveRow(msgspec.Struct, frozen=True):
    """An entrant's line."""

    rank: int
    name: str
    elo: float
    games: int
    points: float
    faults: int
    """Games lost by a fault of his."""

    @property
    def rate(self) -> float:
        """The share of points made."""
        return self.points / self.games if self.games else 0.0


class LiveTable:
    """Counts games as they end."""

    def __init__(self, entrants: Sequence[Entrant], played: Columns) -> None:
        """Begin with the games that are stored already."""
        self._entrants = list(entrants)
        self._place = {entrant.id: k for k, entrant in enumerate(self._entrants)}
        self._points: Counter[tuple[int, int]] = Counter()
        self._games: Counter[tuple[int, int]] = Counter()
        self._faults: Counter[int] = Counter()
        self._recent: deque[tuple[float, int]] = deque()
        self._lock = threading.Lock()  # a live view asks for the speed from its own thread
        self.games = 0
        """Games of this run."""
        rows = zip(played.a.tolist(), played.b.tolist(), played.winner.tolist(), played.forfeit.tolist(), strict=True)
        for a, b, winner, forfeit in rows:
            self._count(a, b, winner)
            if forfeit:  # whose fault it was has lost
                self._faults[a if winner else b] += 1

    def add(self, records: Iterable[GameRecord]) -> None:
        """Games have ended."""
        n = 0
        for record in records:
            key = record.key
            self._count(key.a, key.b, record.winner)
            if record.fault_of is not None:
                self._faults[key.b if record.fault_of else key.a] += 1
            n += 1
        self.games += n
        with self._lock:
            self._recent.append((time.monotonic(), n))
            self._forget()

    def _count(self, a: int, b: int, winner: int) -> None:
        if a in self._place and b in self._place:
            pairing = self._place[a], self._place[b]
            self._games[pairing] += 1
            self._points[pairing] += 1.0 if winner == 0 else 0.5 if winner == DRAW else 0.0  # type: ignore[assignment]

    def games_per_second(self) -> float:
        """The speed of late."""
        with self._lock:
            self._forget()
            if len(self._recent) < 2:
                return 0.0
            games = sum(n for _, n in self._recent) - self._recent[0][1]
            return games / max(time.monotonic() - self._recent[0][0], 0.001)

    def _forget(self) -> None:
        """Drop what was too long ago."""
        while self._recent and self._recent[0][0] < time.monotonic() - _WINDOW:
            self._recent.popleft()

    def rows(self) -> list[LiveRow]:
        """The standings now, best first."""
        n = len(self._entrants)
        pairings = sorted(self._games)
        a = np.array([pairing[0] for pairing in pairings], np.int64)
        b = np.array([pairing[1] for pairing in pairings], np.int64)
        points = np.array([self._points[pairing] for pairing in pairings], np.float64)
        games = np.array([self._games[pairing] for pairing in pairings], np.int64)
        cells = Cells(n, a, b, points, games, np.ones(len(pairings), np.int64))
        strengths = fit(cells, np.ones((1, len(pairings))), np.ones((1, 2, n)), np.zeros(n))
        elo = on_elo_scale(strengths, None, 0.0)[0]
        own_points, own_games = np.zeros(n), np.zeros(n, np.int64)
        np.add.at(own_points, a, points)
        np.add.at(own_points, b, games - points)
        np.add.at(own_games, a, games)
        np.add.at(own_games, b, games)
        order = sorted(range(n), key=lambda k: (-elo[k], self._entrants[k].name))
        return [
            LiveRow(
                rank,
                self._entrants[k].name,
                float(elo[k]),
                int(own_games[k]),
                float(own_points[k]),
                self._faults[self._entrants[k].id],
            )
            for rank, k in enumerate(order, 1)
        ]
