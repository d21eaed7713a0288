"""What results say, with error bars.

Games of a mirrored pair share their deal, so they are not independent; all intervals are taken over pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Z_95 = 1.959963984540054
"""Standard deviations to each side that hold 95% of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value between 0 and 1 with the interval that holds it with 95% confidence."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.1%} [{self.low:.1%}, {self.high:.1%}]"


def wilson(rate: float, n: float, z: float = Z_95) -> Estimate:
    """Wilson's interval of a rate seen in n independent trials: sensible for few trials and for 0% and 100% too."""
    if n <= 0:
        return Estimate(0.5, 0.0, 1.0)
    square = z * z
    center = (rate + square / (2 * n)) / (1 + square / n)
    spread = z / (1 + square / n) * math.sqrt(rate * (1 - rate) / n + square / (4 * n * n))
    low = 0.0 if rate == 0 else max(0.0, center - spread)
    high = 1.0 if rate == 1 else min(1.0, center + spread)
    return Estimate(rate, low, high)


PairCounts = tuple[int, int, int]
"""Pairs of which a player won no game, one, both: what all statistics of a series are made from."""


def count_pairs(points: npt.NDArray[np.float64]) -> PairCounts:
    """Pairs by result, given how many games of each (0, 1 or 2) a player won."""
    lost, split, won = np.bincount(np.asarray(points, np.int64), minlength=3).tolist()
    return lost, split, won


def share_and_variance(counts: PairCounts) -> tuple[float, float]:
    """Mean and variance of a pair's share, which is 0, 1/2 or 1; there must be a pair."""
    lost, split, won = counts
    n = lost + split + won
    mean = (split / 2 + won) / n
    # Products of counts instead of squared deviations: exactly 0 where all pairs are alike, the same for both players.
    variance = (4 * lost * won + split * (lost + won)) / (4 * n * n)
    return mean, variance


def pair_win_rate(counts: PairCounts) -> Estimate:
    """The win rate of a player, from his pairs by result.

    The spread of the pairs' results tells how many independent games they are worth; Wilson's interval is taken for
    that many.
    """
    n = sum(counts)
    if n == 0:
        return Estimate(0.5, 0.0, 1.0)
    rate, variance = share_and_variance(counts)
    if variance > 0:
        worth = rate * (1 - rate) * (n - 1) / variance
    else:
        worth = 4.0 * n if counts[1] and n > 1 else 2.0 * n
    # Pairs that split more often than chance are worth more than their two games; do not claim more than four.
    return wilson(rate, min(worth, 4.0 * n))


def win_rate(points: npt.NDArray[np.float64]) -> Estimate:
    """The win rate of a player who won ``points[k]`` (0, 1 or 2) of the two games of pair k."""
    return pair_win_rate(count_pairs(points))
