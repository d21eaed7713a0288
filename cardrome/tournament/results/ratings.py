"""The rating table of a tournament: Elo and rank of all players from all their games at once, with 95% intervals.

The model of Bradley and Terry gives each player a strength; the difference of two strengths is the logarithm of the
odds between them. It is fitted by maximum likelihood, with a drawn game counted as half a win and half a loss. To keep
all strengths finite, and comparable even between players who never met, each player gets two virtual games against an
average player: one won and one lost.

The intervals come from a bootstrap over mirrored pairs. Each replicate gives every pair a random weight, exponential
with mean 1, and fits all strengths anew. Weights have an advantage over drawing with replacement: no replicate loses
the only pair that links two players.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from cardrome.arena.statistics import Estimate
from cardrome.errors import CallerError
from cardrome.tournament.games import Floats, Ints
from cardrome.tournament.results.pairs import PairResults

REPLICATES = 1000
"""The default number of replicates: the ends of intervals then vary by some 2% of their width."""

BLOCK = 1_000_000
"""Numbers in one array: replicates are fitted in blocks, which bounds memory."""

ELO = 400 / math.log(10)
"""Elo points of one unit of strength."""

PRECISION = 1e-10
"""The search ends when a step moves no strength by more than this."""

MOST_STEPS = 500
"""Far more than any results need: even 100,000 games won of 100,000 take some twenty."""

TIE_DIGITS = 6
"""Players whose Elo agrees to this many digits have the same rank."""


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the rating table; see docs/ratings.md."""

    entrant: int
    rank: int
    """From 1; players with the same Elo have the same rank."""
    rank_low: int
    rank_high: int
    """The 95% interval of the rank."""
    elo: Estimate
    one_sided: bool
    """All games won, or all lost: one end of the interval is an assumption."""
    games: int
    points: float
    rate: float
    """The share of points."""


class RatingTable(NamedTuple):
    """All players, the best first."""

    ratings: tuple[Rating, ...]
    groups: tuple[tuple[int, ...], ...]
    """Ids of players who met, directly or through others. Ratings can be compared within a group only."""


def rate(results: PairResults, *, replicates: int = REPLICATES, seed: int = 0) -> RatingTable:
    """The rating table of these pairs. The same pairs and the same seed give the same table, in whatever order."""
    if replicates < 1:
        raise CallerError(f"{replicates} replicates: an interval needs at least one, and preferably hundreds")
    players = len(results.players)
    found = fit(results, results.count[None].astype(np.float64), np.ones((1, 2, players)), np.zeros(players))
    elo = on_elo_scale(found)[0]
    drawn = on_elo_scale(_bootstrap(results, found[0], replicates, seed))

    # Weibull's quantiles leave out 2.5% on each side on average; NumPy's own leave out more when replicates are few.
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0, method="weibull")
    places = 1 + np.argsort(np.argsort(-drawn, axis=1, kind="stable"), axis=1)
    rank_low, rank_high = np.quantile(places, (0.025, 0.975), axis=0, method="inverted_cdf")
    shown = np.round(elo, TIE_DIGITS)
    rank = 1 + (shown[None] > shown[:, None]).sum(axis=1)
    won = results.won()
    points, games = won.sum(axis=1), (won + won.T).sum(axis=1)
    ratings = [
        Rating(
            entrant=int(results.players[k]),
            rank=int(rank[k]),
            # The rank itself belongs to the interval, even where ties or few replicates would leave it out.
            rank_low=min(int(rank_low[k]), int(rank[k])),
            rank_high=max(int(rank_high[k]), int(rank[k])),
            elo=Estimate(float(elo[k]), float(low[k]), float(high[k])),
            one_sided=bool(games[k] > 0 and points[k] in (0, games[k])),
            games=int(games[k]),
            points=float(points[k]),
            rate=float(points[k] / games[k]) if games[k] else 0.5,
        )
        for k in range(players)
    ]
    ratings.sort(key=lambda rating: (rating.rank, rating.entrant))
    groups = (tuple(results.players[group].tolist()) for group in _connected((won + won.T) > 0))
    return RatingTable(tuple(ratings), tuple(groups))


def _bootstrap(results: PairResults, start: Floats, replicates: int, seed: int) -> Floats:
    """Strengths of all players in each replicate."""
    rng = np.random.default_rng(seed)
    players = len(results.players)
    # Virtual games get random weights too. Otherwise all replicates would agree on a player who won everything, and the
    # interval would be a point.
    virtual = rng.exponential(size=(replicates, 2, players))
    rows = max(1, BLOCK // max(players**2, len(results.count)))
    blocks = []
    for first in range(0, replicates, rows):
        block = virtual[first : first + rows]
        # The sum of exponential weights of pairs that are alike has a gamma distribution.
        weights = rng.standard_gamma(results.count.astype(np.float64), (len(block), len(results.count)))
        blocks.append(fit(results, weights, block, start))
    return np.concatenate(blocks)


def _connected(met: npt.NDArray[np.bool_]) -> list[list[int]]:
    """Groups of players who met, directly or through others, by places."""
    reach = met | np.eye(len(met), dtype=np.bool_)
    while True:
        further = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
        if (further == reach).all():
            return [list(group) for group in sorted({tuple(np.flatnonzero(row).tolist()) for row in reach})]
        reach = further


# The model


def bradley_terry(results: PairResults) -> Floats:
    """The Elo of each player, with mean 0."""
    players = len(results.players)
    found = fit(results, results.count[None].astype(np.float64), np.ones((1, 2, players)), np.zeros(players))
    elo: Floats = on_elo_scale(found)[0]
    return elo


def on_elo_scale(strengths: Floats) -> Floats:
    """Rows of strengths as Elo, with mean 0."""
    elo: Floats = (strengths - strengths.mean(axis=1, keepdims=True)) * ELO
    return elo


def fit(results: PairResults, weights: Floats, virtual: Floats, start: Floats) -> Floats:
    """The most likely strengths for each row of weights, which say how often each result counts.

    ``virtual`` holds for each row how often each player won (0) and lost (1) against the average player, whose strength
    is 0; all of these must be positive. The search begins at ``start``.
    """
    firsts = results.starts()
    a, b = results.a[firsts], results.b[firsts]
    if len(firsts):
        won = np.add.reduceat(weights * results.points, firsts, axis=1)
        lost = np.add.reduceat(weights * (results.games - results.points), firsts, axis=1)
    else:
        won = lost = np.zeros((len(weights), 0))
    strengths = np.tile(start, (len(weights), 1))
    rows = np.arange(len(weights))  # those that have not converged yet
    for _ in range(MOST_STEPS):
        step = _step(strengths[rows], a, b, won[rows], lost[rows], virtual[rows])
        strengths[rows] += step
        rows = rows[np.abs(step).max(axis=1) > PRECISION]
        if not len(rows):
            break
    return strengths


def _step(strengths: Floats, a: Ints, b: Ints, won: Floats, lost: Floats, virtual: Floats) -> Floats:
    """Newton's step for each row of strengths, shortened where it would go too far."""
    rows, players = strengths.shape
    lead = strengths[:, a] - strengths[:, b]
    # Each chance has its own formula: one minus the other would lose the digits of a small one.
    win, lose = 1 / (1 + np.exp(-lead)), 1 / (1 + np.exp(lead))
    win_average, lose_average = 1 / (1 + np.exp(-strengths)), 1 / (1 + np.exp(strengths))
    surplus = np.zeros((rows, players, players))
    surplus[:, a, b] = won * lose - lost * win
    surplus[:, b, a] = -surplus[:, a, b]
    slope = surplus.sum(axis=2) + virtual[:, 0] * lose_average - virtual[:, 1] * win_average
    curvature = np.zeros((rows, players, players))
    curvature[:, a, b] = curvature[:, b, a] = -(won + lost) * win * lose
    diagonal = np.arange(players)
    curvature[:, diagonal, diagonal] = virtual.sum(axis=1) * win_average * lose_average - curvature.sum(axis=2)
    step: Floats = np.linalg.solve(curvature, slope[:, :, None])[:, :, 0]
    # The curvature of a logistic likelihood changes at most by a factor e per unit of lead. So this length, in
    # terms of the greatest change of any lead, is sure to increase the likelihood; it approaches the full step.
    reach = np.maximum(step.max(axis=1), 0) - np.minimum(step.min(axis=1), 0)
    step *= (np.log1p(reach) / np.maximum(reach, np.finfo(np.float64).tiny))[:, None]
    return step
