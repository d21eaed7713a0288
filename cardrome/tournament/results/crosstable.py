"""Who beat whom how often, and what the first turn is worth, with intervals over mirrored pairs."""

from __future__ import annotations

import itertools

import numpy as np

from cardrome.arena.statistics import UNKNOWN_RATE, Estimate, wilson
from cardrome.tournament.games import Floats, GameTable, Ints
from cardrome.tournament.results.pairs import PairResults


def win_rates(results: PairResults) -> list[list[Estimate | None]]:
    """Row by column, by place of the player: the win rate of one player against another; None if they never met."""
    players = len(results.players)
    rates: list[list[Estimate | None]] = [[None] * players for _ in range(players)]
    bounds = [*results.starts().tolist(), len(results.count)]
    for first, end in itertools.pairwise(bounds):
        a, b = int(results.a[first]), int(results.b[first])
        found = rate_over_pairs(results.points[first:end], results.games[first:end], results.count[first:end])
        rates[a][b] = found
        rates[b][a] = Estimate(1 - found.value, 1 - found.high, 1 - found.low)
    return rates


def first_seat(games: GameTable) -> Estimate:
    """How often the player with the first turn wins."""
    place = games.pair_places()
    points = np.bincount(place, np.where(games["first"] == 0, games.points, 1 - games.points)).astype(np.float64)
    return rate_over_pairs(points, np.bincount(place), np.ones(len(points), np.int64))


def rate_over_pairs(points: Floats, games: Ints, count: Ints) -> Estimate:
    """The win rate in pairs, of which ``count[k]`` have ``points[k]`` points in ``games[k]`` games.

    This is `statistics.pair_win_rate` for pairs of which some have only one game. A pair's points scatter around what
    its games would yield at the common rate; everywhere else its games take the place of the usual two.
    """
    n, played = int(count.sum()), int(count @ games)
    if played == 0:
        return UNKNOWN_RATE
    rate = float(count @ points) / played
    scatter = float(count @ (points - rate * games) ** 2)
    if scatter > 1e-12 * played and n > 1:
        # The variance of the rate is scatter / played ** 2, corrected because the rate comes from the same pairs.
        worth = rate * (1 - rate) * played**2 * (n - 1) / (n * scatter)
    else:
        worth = 2.0 * played if 0 < rate < 1 and n > 1 else float(played)
    return wilson(rate, min(worth, 2.0 * played))
