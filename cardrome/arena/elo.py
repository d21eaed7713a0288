"""How much better: Elo difference, normalised Elo and likelihood of superiority, all from mirrored pairs.

A pair gives its player 0, 1 or 2 wins. Counting pairs rather than games keeps the error bars honest: the two games of
a pair share their deal, and luck in the deal cancels within it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from cardrome.arena.statistics import Z_95, PairCounts, lost_split_won, pair_win_rate, share_and_variance

NORMALISED_UNIT = 800 / math.log(10)
"""Normalised Elo of a player who is one standard deviation of a game above even: 347.4."""

MOST_EXACT_PAIRS = 1000
"""Up to so many pairs that were not split, the likelihood of superiority is summed term by term."""


@dataclass(frozen=True, slots=True)
class EloEstimate:
    """A difference in Elo points with its 95% interval. Whoever won all or nothing is infinitely far away."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the width of the interval: the number after +/-."""
        return (self.high - self.low) / 2

    @property
    def bounded(self) -> bool:
        """The estimate and both ends of the interval are finite."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    def __str__(self) -> str:
        if self.bounded:
            return f"{self.value:.1f} +/- {self.margin:.1f}"
        if math.isfinite(self.low):
            return f"inf (at least {self.low:.1f})"
        if math.isfinite(self.high):
            return f"-inf (at most {self.high:.1f})"
        return "unknown" if math.isfinite(self.value) else f"{self.value}"


def elo_of_rate(rate: float) -> float:
    """The Elo difference at which a player is expected to win this share of games."""
    if rate <= 0:
        return -math.inf
    if rate >= 1:
        return math.inf
    if rate == 0.5:
        return 0.0  # and not the -0.0 of the formula
    return -400 * math.log10(1 / rate - 1)


def rate_of_elo(elo: float) -> float:
    """The share of games that a player is expected to win who is ahead by so much."""
    # The form that cannot overflow on either side.
    if elo < 0:
        odds: float = 10 ** (elo / 400)
        return odds / (1 + odds)
    return 1 / (1 + 10 ** (-elo / 400))


def elo_difference(counts: PairCounts) -> EloEstimate:
    """The Elo difference that the pairs tell: their win rate and both ends of its interval, on the Elo scale."""
    rate = pair_win_rate(counts)
    return EloEstimate(elo_of_rate(rate.value), elo_of_rate(rate.low), elo_of_rate(rate.high))


def normalised_elo(counts: PairCounts) -> EloEstimate:
    """The lead in standard deviations of a game, on a scale like Elo's: what decides how many games a proof takes."""
    n = sum(counts)
    if n == 0:
        return EloEstimate(0.0, -math.inf, math.inf)
    rate, variance = share_and_variance(counts)
    lead = rate - 0.5
    if variance > 0:
        # A pair's share is the mean of two games: its variance is half that of a game.
        value = lead / math.sqrt(2 * variance) * NORMALISED_UNIT
    else:
        value = math.copysign(math.inf, lead) if lead else 0.0
    # The spread cancels: how well normalised Elo is known depends on the number of pairs alone.
    margin = Z_95 / math.sqrt(2 * n) * NORMALISED_UNIT
    return EloEstimate(value, value - margin, value + margin)


def likelihood_of_superiority(counts: PairCounts) -> float:
    """The probability that the player is the better one: that he wins more pairs than he loses in the long run.

    Split pairs say nothing about it. Before the first pair all chances are held equally likely.
    """
    lost, _, won = lost_split_won(counts)
    n = lost + won + 1
    if n > MOST_EXACT_PAIRS:
        return (1 + math.erf((won - lost) / math.sqrt(2 * n))) / 2
    # P(p > 1/2) for p ~ Beta(won + 1, lost + 1) is P(at most `won` heads in n tosses of a fair coin).
    fewer = min(won, lost)
    term = total = 1
    for k in range(1, fewer + 1):
        term = term * (n - k + 1) // k
        total += term
    tail = total / (1 << n)
    return tail if won <= lost else 1 - tail
