"""The rating table of a tournament: Elo of all players with 95% intervals, ranks, and who is better than whom.

Intervals come from a bootstrap over mirrored pairs. Each replicate weighs every pair at random, by an exponential
weight with mean 1, and fits all strengths anew. Weights are better than drawing with replacement in one respect: no
replicate loses the only pair that links two players.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cardrome.errors import CallerError
from cardrome.tournament.results.bradley_terry import fit, on_elo_scale
from cardrome.tournament.results.pair_results import Cells, Flags, Floats, PairResults

REPLICATES = 1000
"""Replicates of the bootstrap, unless told otherwise: the ends of intervals then wobble by some 2% of their width."""

BLOCK = 1_000_000
"""Numbers in one array of work, which bounds memory: replicates are fitted in blocks."""

TIE_DIGITS = 6
"""Players whose Elo agrees to so many digits have the same rank."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's line in the table. Intervals are those that hold the truth with 95% confidence."""

    player: int
    rank: int
    """From 1; players with the same Elo have the same rank."""
    rank_low: int
    rank_high: int
    elo: float
    low: float
    high: float
    games: int
    points: float

    @property
    def one_sided(self) -> bool:
        """The player won all games or lost all: the finite end of the interval is a fact, the other an assumption."""
        return self.games > 0 and self.points in (0, self.games)

    def summary(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, eq=False, slots=True)
class RatingTable:
    """All players, the best first."""

    ratings: tuple[Rating, ...]
    superiority: Floats
    """Row by column, by number of player: the share of replicates in which a player is stronger than another; a half in
    the diagonal."""
    groups: tuple[tuple[int, ...], ...]
    """Players who met, directly or through others. If there is more than one group, ratings can be compared within
    a group only."""
    tiers: tuple[tuple[int, ...], ...]
    """A finer division: between any two players of a tier, points went both ways, directly or through others. How far
    apart tiers are is known on one side only, and the virtual games decide on the other."""

    @property
    def connected(self) -> bool:
        """All ratings can be compared."""
        return len(self.groups) == 1


def rate(
    results: PairResults, *, replicates: int = REPLICATES, seed: int = 0, anchor: int | None = None, at: float = 0.0
) -> RatingTable:
    """The rating table of these pairs, with mean ``at``, or such that the player ``anchor`` has ``at``.

    The same pairs and the same seed give the same table, whatever the order of the pairs.
    """
    if replicates < 1:
        raise CallerError(f"{replicates} replicates: an interval needs one at least, and better hundreds")
    players, cells = results.players, results.cells()
    found = fit(cells, cells.count[None].astype(np.float64), np.ones((1, 2, players)), np.zeros(players))
    elo = on_elo_scale(found, anchor, at)[0]
    drawn = on_elo_scale(_bootstrap(cells, found[0], replicates, seed), anchor, at)

    # Weibull's quantiles leave out 2.5% on each side on average; NumPy's own leave out more when replicates are few.
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0, method="weibull")
    places = 1 + np.argsort(np.argsort(-drawn, axis=1, kind="stable"), axis=1)
    rank_low, rank_high = np.quantile(places, (0.025, 0.975), axis=0, method="inverted_cdf")
    shown = np.round(elo, TIE_DIGITS)
    rank = 1 + (shown[None] > shown[:, None]).sum(axis=1)
    won = cells.won()
    points, games = won.sum(axis=1), (won + won.T).sum(axis=1)
    ratings = [
        Rating(
            player=k,
            rank=int(rank[k]),
            # The rank itself belongs to the interval, even where ties or few replicates would leave it out.
            rank_low=min(int(rank_low[k]), int(rank[k])),
            rank_high=max(int(rank_high[k]), int(rank[k])),
            elo=float(elo[k]),
            low=float(low[k]),
            high=float(high[k]),
            games=int(games[k]),
            points=float(points[k]),
        )
        for k in range(players)
    ]
    ratings.sort(key=lambda rating: (rating.rank, rating.player))
    above = np.array([(drawn[:, k, None] > drawn).mean(axis=0) for k in range(players)])
    np.fill_diagonal(above, 0.5)
    return RatingTable(tuple(ratings), above, _mutual((won + won.T) > 0), _mutual(won > 0))


def _bootstrap(cells: Cells, start: Floats, replicates: int, seed: int) -> Floats:
    """Strengths of all players in each replicate."""
    rng = np.random.default_rng(seed)
    # Virtual games are weighed at random as well. Otherwise all replicates would agree on a player who won everything,
    # and its interval would be a point.
    virtual = rng.exponential(size=(replicates, 2, cells.players))
    rows = max(1, BLOCK // max(cells.players**2, len(cells.count)))
    blocks = []
    for first in range(0, replicates, rows):
        block = virtual[first : first + rows]
        # The sum of exponential weights of pairs that are alike has a gamma distribution.
        weights = rng.standard_gamma(cells.count.astype(np.float64), (len(block), len(cells.count)))
        blocks.append(fit(cells, weights, block, start))
    return np.concatenate(blocks)


def _mutual(leads: Flags) -> tuple[tuple[int, ...], ...]:
    """Groups of players each of whom can be reached from every other, over steps that lead from row to column."""
    reach = leads | np.eye(len(leads), dtype=np.bool_)
    while True:
        further = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
        if (further == reach).all():
            break
        reach = further
    groups = {tuple(np.flatnonzero(row).tolist()) for row in reach & reach.T}
    return tuple(sorted(groups))
