"""The results of rounds, from which the next round of a Swiss tournament or a ladder is drawn.

A ladder is rated by OpenSkill's Plackett-Luce model. A tournament that is over is rated as a whole (`ratings`); on a
ladder players come and go and old results fade, so every result moves the ratings of its two players and is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce, PlackettLuceRating

from cardrome.engine.bulk import DRAWN
from cardrome.errors import CallerError
from cardrome.tournament.games import GameTable
from cardrome.tournament.schedule.pairing import Pairing, Ratings, Total

MU = 25.0
"""The rating of a new player."""

SIGMA = MU / 3
"""How uncertain a new player's rating is."""

BETA = SIGMA / 2
"""How much luck there is in a result."""

TAU = SIGMA / 100
"""How much uncertainty every result adds, so that ratings keep following players who change."""


@dataclass(frozen=True, slots=True)
class LadderRating:
    """A player's skill as the ladder estimates it: a normal distribution."""

    mu: float = MU
    sigma: float = SIGMA
    results: int = 0
    """The number of results it comes from."""

    @property
    def ordinal(self) -> float:
        """Three deviations below the mean, a skill that the player almost certainly has: ladders are sorted by it."""
        return self.mu - 3 * self.sigma


class LadderTable:
    """The ratings of all players of a ladder, by id. The same results in the same order give the same table."""

    def __init__(self) -> None:
        self._model = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU)
        self._ratings: dict[int, LadderRating] = {}

    def __getitem__(self, player: int) -> LadderRating:
        """A player's rating; the one of a new player before the first result."""
        return self._ratings.get(player, LadderRating())

    def update(self, a: int, b: int, points: float, games: int) -> None:
        """Take a result: A made ``points`` in ``games``. By how much it was won does not matter."""
        if a == b:
            raise CallerError(f"player {a} cannot meet itself")
        if games < 1 or not 0 <= points <= games:
            raise CallerError(f"{points:g} points in {games} games")
        lead = 2 * points - games
        ranks = [0.0, 0.0] if lead == 0 else [0.0, 1.0] if lead > 0 else [1.0, 0.0]
        (new_a,), (new_b,) = self._model.rate([[self._model_rating(a)], [self._model_rating(b)]], ranks=ranks)
        for player, new in ((a, new_a), (b, new_b)):
            self._ratings[player] = LadderRating(new.mu, new.sigma, self[player].results + 1)

    def standings(self) -> list[tuple[int, LadderRating]]:
        """All players who have a rating, the best first; equals by id."""
        return sorted(self._ratings.items(), key=lambda entry: (-entry[1].ordinal, entry[0]))

    def _model_rating(self, player: int) -> PlackettLuceRating:
        rating = self[player]
        return self._model.rating(mu=rating.mu, sigma=rating.sigma)


class RoundResults:
    """Counts games as they end, and adds round after round to totals and ratings.

    A ladder may go on for weeks: the cost of a round does not depend on how many rounds there were before.
    """

    def __init__(self, pairs: int, played: GameTable) -> None:
        """Begin with the stored games; in each round a pairing has this many pairs."""
        self._pairs = pairs
        self._open: dict[tuple[str, int, int, int], tuple[int, int]] = {}
        self.table = LadderTable()
        """Ratings from the rounds that are over."""
        self.totals: dict[tuple[str, int, int], Total] = {}
        """Of pairings that were played to the end. If one player left during a pairing, the other has a bye."""
        self.add(played)

    def add(self, games: GameTable) -> None:
        """Count games that have ended."""
        columns = (games[name].tolist() for name in ("edition", "a", "b", "pair", "winner"))
        for edition, a, b, pair, winner in zip(*columns, strict=True):
            key = games.editions[edition], a, b, pair // self._pairs
            half_points, played = self._open.get(key, (0, 0))
            self._open[key] = half_points + (2 if winner == 0 else winner == DRAWN), played + 1

    def end_round(self, number: int, pairings: Sequence[Pairing]) -> None:
        """Let the results of a round count. Rounds end in order."""
        for each in sorted(pairings):
            half_points, games = self._open.pop((each.edition, each.a, each.b, number), (0, 0))
            if games:  # there may be none if a bot was removed
                self.table.update(each.a, each.b, half_points / 2, games)
            if games == 2 * each.pairs:
                pairing = each.edition, each.a, each.b
                points, pairs = self.totals.get(pairing, (0.0, 0))
                self.totals[pairing] = Total(points + half_points / 2, pairs + each.pairs)

    def ratings(self, entrants: Iterable[int]) -> Ratings:
        """The ladder ratings of entrants, as a schedule takes them."""
        return {entrant: (self.table[entrant].mu, self.table[entrant].sigma) for entrant in entrants}


def ladder_table(games: GameTable, rounds: Sequence[Sequence[Pairing]]) -> LadderTable:
    """The ladder ratings after all rounds, given their pairings in order."""
    pairs = max((each.pairs for pairings in rounds for each in pairings), default=1)  # the same in all of them
    results = RoundResults(pairs, games)
    for number, pairings in enumerate(rounds):
        results.end_round(number, pairings)
    return results.table
