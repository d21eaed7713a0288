"""What the rounds of a Swiss tournament or a ladder came to: all that the next round is drawn from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cardrome.tournament.records import DRAW, GameRecord
from cardrome.tournament.results.ladder_ratings import LadderTable
from cardrome.tournament.schedule.pairing import Pairing, Ratings, Total
from cardrome.tournament.store.records import Columns


class RoundResults:
    """Counts games as they come, and takes round after round into totals and ratings.

    A ladder may go on for weeks: what a round costs here does not depend on how many were before.
    """

    def __init__(self, pairs: int, played: Columns) -> None:
        """Begin with the games that are stored already; a pairing has so many pairs in each round."""
        self._pairs = pairs
        self._open: dict[tuple[str, int, int, int], tuple[int, int]] = {}
        self.table = LadderTable()
        """OpenSkill ratings from the rounds that are over."""
        self.totals: dict[tuple[str, int, int], Total] = {}
        """Of pairings that were played to the end. One that somebody left is none: the other had a bye."""
        names = [played.editions[edition] for edition in played.edition.tolist()]
        rows = zip(names, played.a.tolist(), played.b.tolist(), played.pair.tolist(), strict=True)
        for key, winner in zip(rows, played.winner.tolist(), strict=True):
            self._count(*key, winner)

    def add(self, records: Iterable[GameRecord]) -> None:
        """Games have ended."""
        for record in records:
            key = record.key
            self._count(key.edition, key.a, key.b, key.pair, record.winner)

    def end_round(self, number: int, pairings: Sequence[Pairing]) -> None:
        """A round is over: its results count from now on. Rounds end in order."""
        for each in sorted(pairings):
            half_points, games = self._open.pop((each.edition, each.a, each.b, number), (0, 0))
            if games:  # a bot that was removed has left its last round
                self.table.update(str(each.a), str(each.b), half_points / 2, games)
            if games == 2 * each.pairs:
                pairing = each.edition, each.a, each.b
                points, pairs = self.totals.get(pairing, (0.0, 0))
                self.totals[pairing] = Total(points + half_points / 2, pairs + each.pairs)

    def ratings(self, entrants: Iterable[int]) -> Ratings:
        """What the rounds say of entrants."""
        return {entrant: (self.table.mu(str(entrant)), self.table.sigma(str(entrant))) for entrant in entrants}

    def _count(self, edition: str, a: int, b: int, pair: int, winner: int) -> None:
        key = edition, a, b, pair // self._pairs
        half_points, games = self._open.get(key, (0, 0))
        self._open[key] = half_points + (2 if winner == 0 else winner == DRAW), games + 1


def ladder_table(columns: Columns, rounds: Sequence[Sequence[Pairing]]) -> LadderTable:
    """OpenSkill ratings from the results of rounds, in the order in which they were drawn."""
    pairs = max((each.pairs for pairings in rounds for each in pairings), default=1)  # the same in all of them
    results = RoundResults(pairs, columns)
    for number, pairings in enumerate(rounds):
        results.end_round(number, pairings)
    return results.table
