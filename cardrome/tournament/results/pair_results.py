"""Results of a tournament as arrays, and their reduction to mirrored pairs, from which ratings and tables are made.

A pair is two games on one deal with seats swapped. Its games are not independent, so nothing here takes them apart
once they are added up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cardrome.errors import CallerError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class GameResults:
    """Games in any order, one in each place of the arrays. Players are numbers from 0 to ``players`` - 1."""

    players: int
    a: Ints
    b: Ints
    pair: Ints
    """Which pair of these two players the game belongs to. Pairs of other players may have the same number."""
    game: Ints
    """0: A has the first turn; 1: B has."""
    points: Floats
    """Of A: 1, or 0.5 for a draw, or 0."""
    forfeit: Flags
    """Whether a fault decided the game, and not play."""

    def __post_init__(self) -> None:
        _check(self.players, self.a, self.b, self.pair, self.game, self.points, self.forfeit)
        if not np.isin(self.points, (0.0, 0.5, 1.0)).all():
            raise CallerError("points of a game are 0, 0.5 or 1")
        if not np.isin(self.game, (0, 1)).all():
            raise CallerError("the game of a pair is 0 or 1")

    def without_forfeits(self) -> GameResults:
        """The games that were decided by play. Of a pair with one forfeit, the other game stays."""
        played = ~self.forfeit
        return GameResults(
            self.players,
            self.a[played],
            self.b[played],
            self.pair[played],
            self.game[played],
            self.points[played],
            self.forfeit[played],
        )

    def pair_index(self) -> Ints:
        """For each game the place of its pair, when pairs are sorted by players and number."""
        low, high = np.minimum(self.a, self.b), np.maximum(self.a, self.b)
        _, number = np.unique(self.pair, return_inverse=True)
        key = (low * self.players + high) * (len(number) + 1) + number
        _, place = np.unique(key, return_inverse=True)
        return place.astype(np.int64)

    def pairs(self) -> PairResults:
        """The games added up to pairs."""
        swapped = self.a > self.b
        points = np.where(swapped, 1 - self.points, self.points)
        place = self.pair_index()
        games = np.bincount(place)
        # All games of a pair have the same two players: any of them will do.
        low, high = np.zeros_like(games), np.zeros_like(games)
        low[place], high[place] = np.minimum(self.a, self.b), np.maximum(self.a, self.b)
        return PairResults(self.players, low, high, np.bincount(place, points).astype(np.float64), games)


@dataclass(frozen=True, eq=False)
class PairResults:
    """Pairs in any order, one in each place of the arrays. A pair has two games, or one where the other is left out."""

    players: int
    a: Ints
    b: Ints
    points: Floats
    """Of A in the pair, in steps of 0.5."""
    games: Ints

    def __post_init__(self) -> None:
        _check(self.players, self.a, self.b, self.points, self.games)
        if not np.isin(self.games, (1, 2)).all():
            raise CallerError("a pair has one game or two")
        if not (np.isin(self.points, (0.0, 0.5, 1.0, 1.5, 2.0)) & (self.points <= self.games)).all():
            raise CallerError("points of a pair go from 0 to the number of its games, in steps of 0.5")

    @classmethod
    def complete(cls, players: int, a: Ints, b: Ints, points: Floats) -> PairResults:
        """Pairs of which both games count."""
        return cls(players, a, b, points, np.full(len(a), 2, np.int64))

    def cells(self) -> Cells:
        """How often each result of each two players occurred: all that matters about the pairs."""
        swapped = self.a > self.b
        low, high = np.minimum(self.a, self.b), np.maximum(self.a, self.b)
        half_points = (2 * np.where(swapped, self.games - self.points, self.points)).astype(np.int64)
        key, count = np.unique(((low * self.players + high) * 3 + self.games) * 5 + half_points, return_counts=True)
        key, half_points = np.divmod(key, 5)
        key, games = np.divmod(key, 3)
        low, high = np.divmod(key, self.players)
        return Cells(self.players, low, high, half_points / 2, games, count)


@dataclass(frozen=True, eq=False)
class Cells:
    """Pairs that are alike, counted: at most eight cells for each two players. Sorted, with A below B, so that neither
    the order of the pairs nor who is called A can change anything that is computed from them."""

    players: int
    a: Ints
    b: Ints
    points: Floats
    games: Ints
    count: Ints

    def starts(self) -> Ints:
        """Where the cells of each two players begin."""
        return np.flatnonzero(np.diff(self.a * self.players + self.b, prepend=-1))

    def won(self) -> Floats:
        """Row by column: the points a player made against another."""
        matrix = np.zeros((self.players, self.players))
        np.add.at(matrix, (self.a, self.b), self.count * self.points)
        np.add.at(matrix, (self.b, self.a), self.count * (self.games - self.points))
        return matrix


def _check(players: int, a: Ints, b: Ints, *others: npt.NDArray[np.generic]) -> None:
    """Refuse what cannot be results."""
    if players < 1:
        raise CallerError(f"results of {players} players: there must be one at least")
    if any(other.shape != a.shape for other in (b, *others)) or a.ndim != 1:
        raise CallerError("results need arrays of one dimension and of the same length")
    if len(a) and (min(a.min(), b.min()) < 0 or max(a.max(), b.max()) >= players):
        raise CallerError(f"results of {players} players: players are numbers from 0 to {players - 1}")
    if (a == b).any():
        raise CallerError("a player cannot meet itself")
