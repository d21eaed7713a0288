"""The results of pairs, and win rates with intervals from them. Pairs rather than games are independent."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from cardrome.arena.statistics import UNKNOWN_RATE, Estimate, wilson
from cardrome.errors import CallerError
from cardrome.tournament.games import Floats, GameTable, Ints


@dataclass(frozen=True, eq=False)
class PairResults:
    """Pairs, counted: the ones with the same two players and the same result share a place in the arrays.

    There are at most eight places for two players. They are sorted, with A below B, so that neither the order of the
    pairs nor who is called A can change anything that is computed from them.
    """

    players: Ints
    """Ids; all other arrays refer to players by their place here."""
    a: Ints
    b: Ints
    points: Floats
    """Of A in a pair, in steps of 0.5."""
    games: Ints
    """In a pair: two, or one where the other is left out."""
    count: Ints
    """How many pairs are like this."""

    @classmethod
    def of_games(cls, games: GameTable, players: Ints | None = None) -> PairResults:
        """The results of games, added up to pairs; of some players, or of all who play in these games."""
        players = games.entrants if players is None else players
        place = games.pair_places()
        points = np.where(games["a"] > games["b"], 1 - games.points, games.points)
        size = np.bincount(place)
        # All games of a pair have the same two players: any of them will do.
        low, high = np.zeros_like(size), np.zeros_like(size)
        low[place] = np.searchsorted(players, np.minimum(games["a"], games["b"]))
        high[place] = np.searchsorted(players, np.maximum(games["a"], games["b"]))
        return cls.of_pairs(players, low, high, np.bincount(place, points).astype(np.float64), size)

    @classmethod
    def of_pairs(cls, players: Ints, a: Ints, b: Ints, points: Floats, games: Ints | None = None) -> PairResults:
        """The results of pairs in any order, one in each place of the arrays; of two games each unless told."""
        games = np.full(len(a), 2, np.int64) if games is None else games
        _check(len(players), a, b, points, games)
        low, high = np.minimum(a, b), np.maximum(a, b)
        half_points = (2 * np.where(a > b, games - points, points)).astype(np.int64)
        key, count = np.unique(((low * len(players) + high) * 3 + games) * 5 + half_points, return_counts=True)
        key, half_points = np.divmod(key, 5)
        key, games = np.divmod(key, 3)
        low, high = np.divmod(key, len(players))
        return cls(players, low, high, half_points / 2, games, count)

    def starts(self) -> Ints:
        """Where the results of each two players begin."""
        return np.flatnonzero(np.diff(self.a * len(self.players) + self.b, prepend=-1))

    def won(self) -> Floats:
        """Row by column: the points of a player against another."""
        matrix = np.zeros((len(self.players), len(self.players)))
        np.add.at(matrix, (self.a, self.b), self.count * self.points)
        np.add.at(matrix, (self.b, self.a), self.count * (self.games - self.points))
        return matrix


def _check(players: int, a: Ints, b: Ints, points: Floats, games: Ints) -> None:
    """Refuse what cannot be the results of pairs."""
    if players < 1:
        raise CallerError("results of 0 players: there must be at least one")
    if any(column.shape != (len(a),) for column in (a, b, points, games)):
        raise CallerError("results need arrays of one dimension and of the same length")
    if len(a) and (min(a.min(), b.min()) < 0 or max(a.max(), b.max()) >= players):
        raise CallerError(f"results of {players} players: players are numbers from 0 to {players - 1}")
    if (a == b).any():
        raise CallerError("a player cannot meet itself")
    if not np.isin(games, (1, 2)).all():
        raise CallerError("a pair has one game or two")
    if not (np.isin(points, (0.0, 0.5, 1.0, 1.5, 2.0)) & (points <= games)).all():
        raise CallerError("points of a pair go from 0 to the number of its games, in steps of 0.5")


# Win rates


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
