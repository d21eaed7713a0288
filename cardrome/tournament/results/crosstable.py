"""Who beat whom how often, and what the first seat is worth, with intervals over mirrored pairs."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from cardrome.arena.statistics import Estimate, wilson
from cardrome.tournament.results.pair_results import Floats, GameResults, Ints, PairResults


@dataclass(frozen=True, eq=False, slots=True)
class WinMatrix:
    """Row by column, by number of player: the win rate of a player against another, with its 95% interval.

    NaN where they did not meet, and in the diagonal.
    """

    rate: Floats
    low: Floats
    high: Floats
    games: Ints


def win_matrix(results: PairResults) -> WinMatrix:
    """The win rates of all players against each other."""
    shape = (results.players, results.players)
    rate, low, high = np.full((3, *shape), np.nan)
    matrix = WinMatrix(rate, low, high, np.zeros(shape, np.int64))
    cells = results.cells()
    bounds = [*cells.starts().tolist(), len(cells.count)]
    for first, end in itertools.pairwise(bounds):
        a, b = int(cells.a[first]), int(cells.b[first])
        points, games, count = cells.points[first:end], cells.games[first:end], cells.count[first:end]
        estimate = rate_over_pairs(points, games, count)
        matrix.rate[a, b], matrix.low[a, b], matrix.high[a, b] = estimate.value, estimate.low, estimate.high
        matrix.rate[b, a], matrix.low[b, a], matrix.high[b, a] = 1 - estimate.value, 1 - estimate.high, 1 - estimate.low
        matrix.games[a, b] = matrix.games[b, a] = games @ count
    return matrix


def first_seat(results: GameResults) -> Estimate:
    """How often whoever has the first turn wins."""
    place = results.pair_index()
    points = np.bincount(place, np.where(results.game == 0, results.points, 1 - results.points)).astype(np.float64)
    return rate_over_pairs(points, np.bincount(place), np.ones(len(points), np.int64))


def rate_over_pairs(points: Floats, games: Ints, count: Ints) -> Estimate:
    """The win rate of pairs of which ``count[k]`` had so many points in so many games.

    This is `statistics.pair_win_rate` for pairs of which some have one game only: a pair scatters around what its games
    would give at the common rate, and in all other respects two games of a pair are replaced by those it has.
    """
    n, played = int(count.sum()), int(count @ games)
    if played == 0:
        return Estimate(0.5, 0.0, 1.0)
    rate = float(count @ points) / played
    scatter = float(count @ (points - rate * games) ** 2)
    if scatter > 1e-12 * played and n > 1:
        # The variance of the rate is scatter / played ** 2, corrected for the rate's being taken from the same pairs.
        worth = rate * (1 - rate) * played**2 * (n - 1) / (n * scatter)
    else:
        worth = 2.0 * played if 0 < rate < 1 and n > 1 else float(played)
    return wilson(rate, min(worth, 2.0 * played))
