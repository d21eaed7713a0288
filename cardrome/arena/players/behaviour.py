"""How a bot behaved: the faults by which it lost games, and how long its answers took."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, TypeVar

import msgspec
import numpy as np

from cardrome.games.replays import Replay

TIME_BINS = 16
"""Bins of a histogram of answer times: under 1 ms, under 2, under 4 and so on; the last one holds all longer times."""


class Behaviour(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The behaviour of a bot in one game, or in all its games added up. Times are in milliseconds.

    The first answer of a game includes the start of the program, so it is counted apart from all later ones.
    """

    games: int = 0
    starts: dict[int, int] = {}
    """First answers by time."""
    times: dict[int, int] = {}
    """Later answers by time."""
    faults: dict[str, int] = {}
    """Games lost by a fault, by kind of fault, the most frequent first."""

    @property
    def answers(self) -> int:
        """The number of answers."""
        return sum(self.starts.values()) + sum(self.times.values())

    @property
    def total_ms(self) -> int:
        """The time of all answers together."""
        return _sum(self.starts) + _sum(self.times)

    @property
    def mean_ms(self) -> float:
        """The mean time of later answers."""
        return _sum(self.times) / max(sum(self.times.values()), 1)

    @property
    def p99_ms(self) -> int:
        """The time that 99 % of later answers did not exceed."""
        left = 0.99 * sum(self.times.values())
        for ms, count in sorted(self.times.items()):
            left -= count
            if left <= 0:
                return ms
        return self.worst_ms

    @property
    def worst_ms(self) -> int:
        """The slowest of all later answers."""
        return max(self.times, default=0)

    @property
    def start_ms(self) -> float:
        """The mean time of first answers."""
        return _sum(self.starts) / max(sum(self.starts.values()), 1)

    @property
    def worst_first_ms(self) -> int:
        """The slowest first answer."""
        return max(self.starts, default=0)

    @property
    def histogram(self) -> tuple[int, ...]:
        """Later answers by time, in `TIME_BINS` bins."""
        bins = [0] * TIME_BINS
        for ms, count in self.times.items():
            bins[min(ms.bit_length(), TIME_BINS - 1)] += count
        return tuple(bins)

    @property
    def error_rate(self) -> float:
        """The share of games lost by a fault."""
        return sum(self.faults.values()) / self.games if self.games else 0.0

    def summary(self) -> dict[str, Any]:
        """What a series reports about a bot, as plain data."""
        return {
            "games": self.games,
            "failures": self.faults,
            "mean_ms": self.mean_ms,
            "p99_ms": self.p99_ms,
            "max_ms": self.worst_ms,
            "start_ms": self.start_ms,
            "error_rate": self.error_rate,
        }


def behaviour_in(replay: Replay, seat: int) -> Behaviour:
    """The behaviour of the bot that had a seat in a game."""
    answers = list(replay.answer_times(seat))
    fault = replay.fault
    return Behaviour(
        1,
        dict(Counter(answers[:1])),
        dict(sorted(Counter(answers[1:]).items())),
        {} if fault is None or fault.player != seat else {fault.kind: 1},
    )


def total(behaviours: Iterable[Behaviour]) -> Behaviour:
    """The behaviour in several games, added up."""
    several = list(behaviours)
    faults = _added([each.faults for each in several])
    return Behaviour(
        sum(each.games for each in several),
        _added([each.starts for each in several]),
        _added([each.times for each in several]),
        dict(sorted(faults.items(), key=lambda item: (-item[1], item[0]))),
    )


_K = TypeVar("_K", int, str)


def _added(parts: Sequence[dict[_K, int]]) -> dict[_K, int]:
    """Counts added up, sorted by key."""
    # Without a loop in Python: a report adds up hundreds of thousands of games.
    keys = list(chain.from_iterable(parts))
    counts = list(chain.from_iterable(part.values() for part in parts))
    unique, places = np.unique(keys, return_inverse=True)
    sums = np.bincount(places, counts, len(unique)).astype(np.int64)
    return dict(zip(unique.tolist(), sums.tolist(), strict=True))


def _sum(times: dict[int, int]) -> int:
    return sum(map(operator.mul, times, times.values()))
