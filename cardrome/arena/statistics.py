"""Win rates and mean scores with their intervals.

The two games of a mirrored pair share their deal and are not independent, so all intervals are taken over pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Z_95 = 1.959963984540054
"""Standard deviations on each side of the mean that hold 95% of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95% interval: a win rate, an Elo difference, a rating, a mean score."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the width of the interval: the number after +/-."""
        return (self.high - self.low) / 2

    @property
    def bounded(self) -> bool:
        """Whether both ends of the interval are finite."""
        return math.isfinite(self.low) and math.isfinite(self.high)


UNKNOWN_RATE = Estimate(0.5, 0.0, 1.0)
"""The win rate before the first game."""


def wilson(rate: float, n: float, z: float = Z_95) -> Estimate:
    """Wilson's interval of a rate seen in n independent trials: sensible for few trials, and for 0% and 100% too."""
    if n <= 0:
        return UNKNOWN_RATE
    square = z * z
    center = (rate + square / (2 * n)) / (1 + square / n)
    spread = z / (1 + square / n) * math.sqrt(rate * (1 - rate) / n + square / (4 * n * n))
    low = 0.0 if rate == 0 else max(0.0, center - spread)
    high = 1.0 if rate == 1 else min(1.0, center + spread)
    return Estimate(rate, low, high)


PairCounts = tuple[int, ...]
"""Pairs by the points that a player made in them, from none to two in equal steps: all statistics of a series follow
from these counts. There are three (pairs with no game won, one, both), or five where games can be drawn."""


def count_pairs(points: npt.NDArray[np.float64], draws: bool = False) -> PairCounts:
    """Pairs by result, given a player's points in each: one for a game won, half a point for a draw."""
    steps = 2 if draws else 1
    return tuple(np.bincount(np.asarray(points * steps, np.int64), minlength=2 * steps + 1).tolist())


def lost_split_won(counts: PairCounts) -> tuple[int, int, int]:
    """Pairs in which a player made less than one point, exactly one, and more."""
    middle = len(counts) // 2
    return sum(counts[:middle]), counts[middle], sum(counts[middle + 1 :])


def share_and_variance(counts: PairCounts) -> tuple[float, float]:
    """Mean and variance of a pair's share, which goes from 0 to 1; there must be at least one pair."""
    n, steps = sum(counts), len(counts) - 1
    mean = sum(k * count for k, count in enumerate(counts)) / steps / n
    # Products of counts instead of squared deviations: exactly 0 where all pairs are alike, the same for both players.
    apart = sum(a * b * (i - j) ** 2 for i, a in enumerate(counts) for j, b in enumerate(counts[:i]))
    return mean, apart / (steps * steps * n * n)


def pair_win_rate(counts: PairCounts) -> Estimate:
    """A player's win rate, from their pairs by result.

    The spread of the pairs' results tells how many independent games they are worth; the interval is Wilson's for that
    many.
    """
    n = sum(counts)
    if n == 0:
        return UNKNOWN_RATE
    rate, variance = share_and_variance(counts)
    if variance > 0:
        worth = rate * (1 - rate) * (n - 1) / variance
    else:
        worth = 4.0 * n if 0 < rate < 1 and n > 1 else 2.0 * n
    # Pairs that split more often than by chance are worth more than their two games; claim at most four.
    return wilson(rate, min(worth, 4.0 * n))


def mean_score(scores: npt.NDArray[Any]) -> Estimate:
    """The mean of a player's scores, given two for each pair in the order of the pairs."""
    pairs = (scores[0::2] + scores[1::2]) / 2
    n = len(pairs)
    if n == 0:
        return Estimate(0.0, -math.inf, math.inf)
    value = float(pairs.mean())
    margin = Z_95 * float(pairs.std(ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    return Estimate(value, value - margin, value + margin)
