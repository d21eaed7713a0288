"""The Swiss system: a few rounds, in which those with equal points meet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cardrome.errors import CallerError
from cardrome.tournament.schedule.matching import HIGHEST_COST, cheapest_matching
from cardrome.tournament.schedule.pairing import (
    Pairing,
    Ratings,
    Results,
    check_settings,
    field_of,
    stable_hash,
    totals_of,
)


@dataclass(frozen=True)
class Swiss:
    """In every round all play, against somebody with as many points as possible, and in each edition for itself.

    A pairing won is a point, a pairing tied half a point. In this order, each as far as those before leave a choice:

    1. the bye (with an odd number of entrants) goes to one who had the fewest; it is worth a point;
    2. nobody meets again whom he has met;
    3. the bye goes to one with few points;
    4. differences of points are small: the sum of their squares is the least possible;
    5. of those with equal points the better half (by share of games won, then by an order drawn from the seed) meets
       the other half, the best of one the best of the other.

    The entrants of the first round may leave; nobody can join. Rounds that somebody did not play count as byes.
    """

    rounds: int
    pairs: int
    editions: Sequence[str]
    seed: int = 0

    def __post_init__(self) -> None:
        check_settings(self.editions, rounds=self.rounds, pairs=self.pairs)

    def round(
        self, number: int, entrants: Iterable[int], results: Results, ratings: Ratings | None = None
    ) -> list[Pairing] | None:
        """One round; see `Schedule`."""
        field = field_of(entrants)
        if number >= self.rounds:
            return None
        pairings = []
        for edition in self.editions:
            standings = _SwissStandings(self, edition, number, field, results)
            couples = standings.couples()
            pairings += [Pairing(edition, a, b, number * self.pairs, self.pairs) for a, b in couples]
        return pairings

    def games(self, entrants: int) -> int:
        """See `Schedule`."""
        return 2 * (entrants // 2) * self.rounds * self.pairs * len(self.editions)


class _SwissStandings:
    """Points, byes and meetings of one edition after so many rounds."""

    def __init__(self, swiss: Swiss, edition: str, number: int, field: list[int], results: Results) -> None:
        self.met: defaultdict[tuple[int, int], int] = defaultdict(int)
        played: defaultdict[int, int] = defaultdict(int)
        half_points: defaultdict[int, int] = defaultdict(int)
        game_points: defaultdict[int, float] = defaultdict(float)
        for (a, b), total in totals_of(results, edition).items():
            times, rest = divmod(total.pairs, swiss.pairs)
            if rest:
                raise CallerError(f"{edition}: {a} and {b} played {total.pairs} pairs; a round has {swiss.pairs}")
            self.met[a, b] = times
            for entrant, made in ((a, total.points), (b, 2 * total.pairs - total.points)):
                played[entrant] += times
                # Of entrants who met again only the sum is known: it counts for all their meetings.
                half_points[entrant] += times * ((made >= total.pairs) + (made > total.pairs))
                game_points[entrant] += made
        fresh = [entrant for entrant in field if not played[entrant]]
        if (number == 1 and len(fresh) > 1) or (number > 1 and fresh):
            raise CallerError(
                f"{edition}: entrant {fresh[-1]} has played none of {number} rounds; nobody can join a Swiss tournament"
            )
        busy = [entrant for entrant in field if played[entrant] > number]
        if busy:
            raise CallerError(f"{edition}: entrant {busy[0]} has played {played[busy[0]]} rounds of {number}")
        byes = {entrant: number - played[entrant] for entrant in field}
        points = {entrant: half_points[entrant] + 2 * byes[entrant] for entrant in field}
        share = {entrant: game_points[entrant] / max(1, played[entrant]) for entrant in field}
        drawn = {entrant: stable_hash(f"cardrome order {swiss.seed} {edition} {entrant}") for entrant in field}
        self.order = sorted(field, key=lambda entrant: (-points[entrant], -share[entrant], drawn[entrant], entrant))
        self.points = np.array([points[entrant] for entrant in self.order])
        self.byes = np.array([byes[entrant] for entrant in self.order])

    def couples(self) -> list[tuple[int, int]]:
        """Who plays whom; one of an odd number is left out."""
        order, n = self.order, len(self.order)
        partners = cheapest_matching(self.costs())
        places = [(u, v) for u, v in enumerate(partners) if u < v < n]
        return sorted((min(order[u], order[v]), max(order[u], order[v])) for u, v in places)

    def costs(self) -> npt.NDArray[np.int64]:
        """What each couple costs, by places in the order; a row more stands for the bye if the number is odd."""
        n = len(self.order)
        size = n + n % 2
        place = {entrant: k for k, entrant in enumerate(self.order)}
        met, distance, fold = (np.zeros((size, size), np.int64) for _ in range(3))
        for (a, b), times in self.met.items():
            if a in place and b in place:
                met[place[a], place[b]] = met[place[b], place[a]] = times
        distance[:n, :n] = (self.points[:, None] - self.points) ** 2
        apart = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
        half = (self.points[:, None] == self.points).sum(axis=1) // 2
        fold[:n, :n] = np.where(distance[:n, :n] == 0, np.abs(apart - half[:, None]), apart)
        low, unfair = np.zeros_like(met), np.zeros_like(met)
        if n % 2:
            low[n, :n] = low[:n, n] = self.points - self.points.min()
            unfair[n, :n] = unfair[:n, n] = self.byes > self.byes.min()
            fold[n, :n] = fold[:n, n] = np.arange(n)[::-1]
        # Who met everybody has to meet somebody again; then one whom he met least.
        met[:n, :n] = (met[:n, :n] - met[:n, :n][~np.eye(n, dtype=bool)].min()) ** 2
        np.fill_diagonal(met, 0)
        np.fill_diagonal(fold, 0)
        couples = size // 2
        levels = [(fold, couples), (distance, couples), (low, 1), (met, couples), (unfair, 1)]
        # Of thousands of entrants in hundreds of rounds the finest differences have no room in a number.
        while (units := _units(levels))[-1] > HIGHEST_COST:
            levels.pop(0)
        cost = np.zeros_like(met)
        for (level, _), unit in zip(levels, units, strict=False):
            cost += unit * level
        return cost


def _units(levels: list[tuple[npt.NDArray[np.int64], int]]) -> list[int]:
    """What one of each level costs: more than all levels before it can add up to, each in so many couples.

    One number more than there are levels, which is more than everything together.
    """
    units = [1]
    for level, couples in levels:
        units.append(units[-1] * (int(level.max()) * couples + 1))
    return units
