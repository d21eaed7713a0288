"""What pages draw of a tournament: ratings on an axis, the matrix of results, times as bars. Templates place it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cardrome.arena.players.behaviour import TIME_BINS
from cardrome.tournament.games import GameTable
from cardrome.tournament.results.ratings import Rating
from cardrome.tournament.results.summary import Section

_TICKS = 6
"""Marks on an axis at most."""
_LEVELS = 10
"""Shades of the matrix between an even result and a clear one."""


class Axis(NamedTuple):
    """A scale of ratings; places on it are percentages of its width."""

    low: float
    high: float
    ticks: tuple[int, ...]

    def place(self, value: float) -> str:
        """Where a value is."""
        return f"{100 * (value - self.low) / (self.high - self.low):.2f}%"

    def between(self, tick: int) -> bool:
        """Whether a mark goes without its number where there is little room."""
        return len(self.ticks) > 3 and tick // (self.ticks[1] - self.ticks[0]) % 2 == 1


def axis_of(standings: Sequence[Rating]) -> Axis:
    """A scale with room for all intervals, and round numbers marked."""
    low, high = min(line.elo.low for line in standings), max(line.elo.high for line in standings)
    margin = 0.04 * max(high - low, 50.0)
    low, high = low - margin, high + margin
    least = (high - low) / _TICKS
    power = 10 ** math.floor(math.log10(least))
    step = round(next(power * each for each in (1, 2, 5, 10) if power * each >= least)) or 1
    return Axis(low, high, tuple(range(math.ceil(low / step) * step, math.floor(high / step) * step + 1, step)))


class Seats:
    """How entrants did against each other on the first seat and on the second."""

    def __init__(self, games: GameTable) -> None:
        ids = games.entrants
        self._place = {number: place for place, number in enumerate(ids.tolist())}
        a, b = np.searchsorted(ids, games["a"]), np.searchsorted(ids, games["b"])
        a_first = games["first"] == 0
        seated = np.where(a_first, a, b), np.where(a_first, b, a)
        self._points, self._games = np.zeros((2, len(ids), len(ids)))
        np.add.at(self._points, seated, np.where(a_first, games.points, 1 - games.points))
        np.add.at(self._games, seated, 1)

    def rates(self, one: int, other: int) -> tuple[float | None, float | None]:
        """The share of points of one against another on each seat; None where they never met like this."""
        i, j = self._place[one], self._place[other]
        first, second = self._games[i, j], self._games[j, i]
        return (
            float(self._points[i, j] / first) if first else None,
            float(1 - self._points[j, i] / second) if second else None,
        )


class Cell(NamedTuple):
    """The results of one entrant against another. Shares are percentages."""

    other: int
    won: int
    low: int
    high: int
    games: int
    first: int | None
    second: int | None

    @property
    def shade(self) -> str:
        """The class of its colour: blue for the row's wins, orange for its losses."""
        return f"{'w' if self.won >= 50 else 'l'}{round(abs(self.won - 50) * _LEVELS / 50)}"


def cells(section: Section, seats: Seats) -> list[tuple[int, list[Cell | None]]]:
    """The matrix by rows: an entrant, and a cell for each in the same order; None where two never met."""
    matrix = section.matrix

    def cell(row: int, column: int) -> Cell | None:
        rate = matrix.rate[row][column]
        if rate is None:
            return None
        one, other = matrix.entrants[row], matrix.entrants[column]
        first, second = (None if each is None else round(100 * each) for each in seats.rates(one, other))
        won, low, high = (round(100 * value) for value in (rate.value, rate.low, rate.high))
        return Cell(other, won, low, high, matrix.games[row][column], first, second)

    size = range(len(matrix.entrants))
    return [(matrix.entrants[row], [cell(row, column) for column in size]) for row in size]


class Bar(NamedTuple):
    """A bar of a distribution; places and lengths are percentages."""

    label: str
    """The end of its bin: ``<64 ms``."""
    share: float
    length: float
    """Of the longest."""


def time_bars(times: Sequence[int]) -> list[Bar]:
    """Answers by time: the bins from the first to the last that have any, and one more at each end."""
    filled = [place for place, count in enumerate(times) if count]
    if not filled:
        return []
    total, most = sum(times), max(times)
    bins = range(max(filled[0] - 1, 0), min(filled[-1] + 2, TIME_BINS))
    return [Bar(bin_name(place), times[place] / total, 100 * times[place] / most) for place in bins]


def bin_name(place: int) -> str:
    """A short label for a bin of answer times."""
    if place == TIME_BINS - 1:
        return f"≥{(1 << (place - 1)) // 1000} s"
    return f"<{1 << place} ms" if place < 10 else f"<{(1 << place) / 1000:.0f} s"
