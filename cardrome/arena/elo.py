"""How much better a player is: Elo difference, normalised Elo and likelihood of superiority, from mirrored pairs.

Counting pairs rather than games keeps the error bars honest: the two games of a pair share their deal, and luck in the
deal cancels out within it. A player who won everything, or nothing, is infinitely far away.
"""

from __future__ import annotations

import math

from cardrome.arena.statistics import Z_95, Estimate, PairCounts, lost_split_won, pair_win_rate, share_and_variance

NORMALISED_UNIT = 800 / math.log(10)
"""Normalised Elo of a player whose lead is one standard deviation of a game: 347.4."""

MOST_EXACT_PAIRS = 1000
"""Up to this many pairs that were not split, the likelihood of superiority is summed term by term."""


def elo_of_rate(rate: float) -> float:
    """The Elo difference at which a player is expected to win this share of their games."""
    if rate <= 0:
        return -math.inf
    if rate >= 1:
        return math.inf
    if rate == 0.5:
        return 0.0  # and not the -0.0 of the formula
    return -400 * math.log10(1 / rate - 1)


def rate_of_elo(elo: float) -> float:
    """The share of games that a player with this lead is expected to win."""
    # The form that cannot overflow on either side.
    if elo < 0:
        odds: float = 10 ** (elo / 400)
        return odds / (1 + odds)
    return 1 / (1 + 10 ** (-elo / 400))


def elo_difference(counts: PairCounts) -> Estimate:
    """The Elo difference: the win rate of the pairs and both ends of its interval, on the Elo scale."""
    rate = pair_win_rate(counts)
    return Estimate(elo_of_rate(rate.value), elo_of_rate(rate.low), elo_of_rate(rate.high))


def normalised_elo(counts: PairCounts) -> Estimate:
    """The lead in standard deviations of a game, on a scale like Elo's: what decides how many games a proof takes."""
    n = sum(counts)
    if n == 0:
        return Estimate(0.0, -math.inf, math.inf)
    rate, variance = share_and_variance(counts)
    lead = rate - 0.5
    if variance > 0:
        # A pair's share is the mean of two games: its variance is half that of a game.
        value = lead / math.sqrt(2 * variance) * NORMALISED_UNIT
    else:
        value = math.copysign(math.inf, lead) if lead else 0.0
    # The spread cancels: how well normalised Elo is known depends on the number of pairs alone.
    margin = Z_95 / math.sqrt(2 * n) * NORMALISED_UNIT
    return Estimate(value, value - margin, value + margin)


def likelihood_of_superiority(counts: PairCounts) -> float:
    """The probability that the player is the better one, who wins more pairs than they lose in the long run.

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


def elo_text(elo: Estimate) -> str:
    """An Elo difference as chess testers write it: ``12.5 +/- 3.1``."""
    if elo.bounded:
        return f"{elo.value:.1f} +/- {elo.margin:.1f}"
    if math.isfinite(elo.low):
        return f"inf (at least {elo.low:.1f})"
    if math.isfinite(elo.high):
        return f"-inf (at most {elo.high:.1f})"
    return "unknown" if math.isfinite(elo.value) else f"{elo.value}"
