"""A tournament's standings while it is played: points, ratings without intervals, faults, speed."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence

import msgspec
import numpy as np

from cardrome.tournament.games import Entrant, GameTable, Ints
from cardrome.tournament.results.pairs import PairResults
from cardrome.tournament.results.ratings import bradley_terry

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
    """Games lost by the entrant's own fault."""

    @property
    def rate(self) -> float:
        """The share of points."""
        return self.points / self.games if self.games else 0.0


class LiveTable:
    """Counts games as they end. Games of anybody who is not among the entrants are ignored."""

    def __init__(self, entrants: Sequence[Entrant], played: GameTable) -> None:
        """Begin with the stored games."""
        self._entrants = sorted(entrants, key=lambda entrant: entrant.id)
        self._ids = np.array([entrant.id for entrant in self._entrants], np.int64)
        size = len(self._entrants)
        self._points, self._games = np.zeros((size, size)), np.zeros((size, size), np.int64)
        self._faults = np.zeros(size, np.int64)
        self._recent: deque[tuple[float, int]] = deque()
        self._lock = threading.Lock()  # a live view asks for the speed from its own thread
        self.games = 0
        """Games of this run."""
        self._count(played)

    def add(self, games: GameTable) -> None:
        """Count games that have ended."""
        self._count(games)
        self.games += len(games)
        with self._lock:
            self._recent.append((time.monotonic(), len(games)))
            self._forget()

    def _count(self, games: GameTable) -> None:
        games = games.where(np.isin(games["a"], self._ids) & np.isin(games["b"], self._ids))
        a, b = self._places(games["a"]), self._places(games["b"])
        for one, other, points in ((a, b, games.points), (b, a, 1 - games.points)):
            np.add.at(self._points, (one, other), points)
            np.add.at(self._games, (one, other), 1)
        np.add.at(self._faults, self._places(games.at_fault[games.forfeit]), 1)

    def _places(self, ids: Ints) -> Ints:
        return np.searchsorted(self._ids, ids)

    def games_per_second(self) -> float:
        """The recent speed."""
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
        """The standings now, the best first."""
        a, b = np.nonzero(np.triu(self._games))
        points, games = self._points[a, b], self._games[a, b]
        # All games of two entrants are taken for one result: without intervals, pairs make no difference.
        elo = bradley_terry(PairResults(self._ids, a, b, points, games, np.ones(len(a), np.int64)))
        own_points, own_games = self._points.sum(axis=1), self._games.sum(axis=1)
        order = sorted(range(len(self._ids)), key=lambda k: (-elo[k], self._entrants[k].name))
        return [
            LiveRow(
                rank,
                self._entrants[k].name,
                float(elo[k]),
                int(own_games[k]),
                float(own_points[k]),
                int(self._faults[k]),
            )
            for rank, k in enumerate(order, 1)
        ]
