"""Round robin and gauntlet: all pairings are known from the start, and make one round."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardrome.errors import CallerError
from cardrome.tournament.schedule.pairing import Pairing, Ratings, Results, check_settings, field_of


@dataclass(frozen=True)
class RoundRobin:
    """Everybody plays everybody, in one round."""

    pairs: int
    editions: Sequence[str]

    def __post_init__(self) -> None:
        check_settings(self.editions, pairs=self.pairs)

    def round(
        self, number: int, entrants: Iterable[int], results: Results, ratings: Ratings | None = None
    ) -> list[Pairing] | None:
        """All pairings at once; see `Schedule`."""
        couples = list(itertools.combinations(field_of(entrants), 2))
        return None if number else [Pairing(name, a, b, 0, self.pairs) for name in self.editions for a, b in couples]

    def games(self, entrants: int) -> int:
        """See `Schedule`."""
        return entrants * (entrants - 1) * self.pairs * len(self.editions)


@dataclass(frozen=True)
class Gauntlet:
    """Each challenger plays everybody, other challengers included; the rest play challengers only."""

    challengers: Sequence[int]
    pairs: int
    editions: Sequence[str]

    def __post_init__(self) -> None:
        check_settings(self.editions, pairs=self.pairs)
        if not self.challengers:
            raise CallerError("a gauntlet needs a challenger")
        if len(set(self.challengers)) < len(self.challengers):
            raise CallerError(f"a challenger is named twice in {list(self.challengers)}")

    def round(
        self, number: int, entrants: Iterable[int], results: Results, ratings: Ratings | None = None
    ) -> list[Pairing] | None:
        """All pairings at once; see `Schedule`."""
        field, challengers = field_of(entrants), set(self.challengers)
        absent = sorted(challengers.difference(field))
        if absent:
            raise CallerError(f"challenger {absent[0]} is not an entrant")
        couples = [(a, b) for a, b in itertools.combinations(field, 2) if a in challengers or b in challengers]
        return None if number else [Pairing(name, a, b, 0, self.pairs) for name in self.editions for a, b in couples]

    def games(self, entrants: int) -> int:
        """See `Schedule`."""
        count = len(self.challengers)
        couples = count * (count - 1) // 2 + count * (entrants - count)
        return 2 * couples * self.pairs * len(self.editions)
