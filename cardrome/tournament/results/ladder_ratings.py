"""Ratings of a ladder that never ends: updated with each pair, by OpenSkill's Plackett-Luce model.

A tournament that is over is rated as a whole (`ratings`). On a ladder players come and go and old results fade, so each
pair moves the ratings of its two players and is forgotten. The order of the pairs matters: the caller fixes it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from openskill.models import PlackettLuce, PlackettLuceRating

from cardrome.errors import CallerError

MU = 25.0
"""Where a new player begins."""

SIGMA = MU / 3
"""How uncertain a new player's rating is."""

BETA = SIGMA / 2
"""How much luck there is in a result."""

TAU = SIGMA / 100
"""By how much ratings grow uncertain with each pair, so that they keep following players who change."""


@dataclass(frozen=True, slots=True)
class LadderRating:
    """What the ladder believes of a player's skill: a normal distribution."""

    mu: float = MU
    sigma: float = SIGMA
    pairs: int = 0
    """Pairs it comes from."""

    @property
    def ordinal(self) -> float:
        """The skill the player has almost certainly, three deviations below the mean: what the ladder is sorted by."""
        return self.mu - 3 * self.sigma


class LadderTable:
    """The ratings of all players of a ladder, by name. The same updates in the same order give the same table."""

    def __init__(self, ratings: Mapping[str, LadderRating] | None = None) -> None:
        """An empty ladder, or one that goes on from these ratings."""
        self._model = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU)
        self._ratings = dict(ratings or {})

    def __getitem__(self, player: str) -> LadderRating:
        """A player's rating; that of a new player before the first pair."""
        return self._ratings.get(player, LadderRating())

    def update(self, a: str, b: str, points: float, games: int = 2) -> None:
        """Take a pair in which A made so many points of ``games``; for a single game of a pair, say ``games=1``.

        A pair is one result, won, drawn or lost, for its games are not independent. By how much it was won is not used.
        """
        if a == b:
            raise CallerError(f"{a!r} cannot meet itself")
        if games < 1 or not 0 <= points <= games:
            raise CallerError(f"{points:g} points in {games} games")
        lead = 2 * points - games
        ranks = [0.0, 0.0] if lead == 0 else [0.0, 1.0] if lead > 0 else [1.0, 0.0]
        (new_a,), (new_b,) = self._model.rate([[self._model_rating(a)], [self._model_rating(b)]], ranks=ranks)
        for player, new in ((a, new_a), (b, new_b)):
            self._ratings[player] = LadderRating(new.mu, new.sigma, self[player].pairs + 1)

    def mu(self, player: str) -> float:
        """The player's most likely skill."""
        return self[player].mu

    def sigma(self, player: str) -> float:
        """How uncertain the player's skill is."""
        return self[player].sigma

    def ordinal(self, player: str) -> float:
        """The skill the player has almost certainly."""
        return self[player].ordinal

    def standings(self) -> list[tuple[str, LadderRating]]:
        """All players who have a rating, the best first; those alike by name."""
        return sorted(self._ratings.items(), key=lambda entry: (-entry[1].ordinal, entry[0]))

    def to_data(self) -> dict[str, dict[str, Any]]:
        """All ratings as plain data, from which `from_data` makes exactly the same table."""
        return {player: asdict(rating) for player, rating in sorted(self._ratings.items())}

    @classmethod
    def from_data(cls, data: Mapping[str, Mapping[str, Any]]) -> LadderTable:
        """The table that `to_data` described."""
        try:
            ratings = {
                player: LadderRating(float(entry["mu"]), float(entry["sigma"]), int(entry["pairs"]))
                for player, entry in data.items()
            }
        except (KeyError, TypeError, ValueError) as error:
            raise CallerError(f"ladder ratings: {error!r}") from None
        for player, rating in ratings.items():
            if not (math.isfinite(rating.mu) and 0 < rating.sigma < math.inf and rating.pairs >= 0):
                raise CallerError(f"ladder ratings: {player!r} cannot have {rating}")
        return cls(ratings)

    def _model_rating(self, player: str) -> PlackettLuceRating:
        rating = self[player]
        return self._model.rating(mu=rating.mu, sigma=rating.sigma)
