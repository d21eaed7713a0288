"""What results say, with error bars.

Games of a mirrored pair share their deal, so they are not independent; all intervals are taken over pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

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


PairCounts = tuple[int, ...]
"""Pairs by the points a player made in them, from none to two in equal steps: what all statistics of a series are made
from. There are three counts (of pairs of which he won no game, one, both), or five where games can be drawn."""


def count_pairs(points: npt.NDArray[np.float64], draws: bool = False) -> PairCounts:
    """Pairs by result, given a player's points in each: one for a game won, half a point for one that is drawn."""
    steps = 2 if draws else 1
    return tuple(np.bincount(np.asarray(points * steps, np.int64), minlength=2 * steps + 1).tolist())


def lost_split_won(counts: PairCounts) -> tuple[int, int, int]:
    """Pairs in which a player made less than one point, one, and more."""
    middle = len(counts) // 2
    return sum(counts[:middle]), counts[middle], sum(counts[middle + 1 :])


def share_and_variance(counts: PairCounts) -> tuple[float, float]:
    """Mean and variance of a pair's share, which goes from 0 to 1; there must be a pair."""
    n, steps = sum(counts), len(counts) - 1
    mean = sum(k * count for k, count in enumerate(counts)) / steps / n
    # Products of counts instead of squared deviations: exactly 0 where all pairs are alike, the same for both players.
    apart = sum(a * b * (i - j) ** 2 for i, a in enumerate(counts) for j, b in enumerate(counts[:i]))
    return mean, apart / (steps * steps * n * n)


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
        worth = 4.0 * n if 0 < rate < 1 and n > 1 else 2.0 * n
    # Pairs that split more often than chance are worth more than their two games; do not claim more than four.
    return wilson(rate, min(worth, 4.0 * n))


def win_rate(points: npt.NDArray[np.float64]) -> Estimate:
    """The win rate of a player who won ``points[k]`` (0, 1 or 2) of the two games of pair k."""
    return pair_win_rate(count_pairs(points))


@dataclass(frozen=True, slots=True)
class MeanScore:
    """A mean score with the interval that holds it with 95% confidence."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.2f} [{self.low:.2f}, {self.high:.2f}]"


def mean_score(scores: npt.NDArray[Any]) -> MeanScore:
    """The mean of a player's scores, two for each pair in order of the pairs."""
    pairs = (scores[0::2] + scores[1::2]) / 2
    n = len(pairs)
    if n == 0:
        return MeanScore(0.0, -math.inf, math.inf)
    value = float(pairs.mean())
    margin = Z_95 * float(pairs.std(ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    return MeanScore(value, value - margin, value + margin)
