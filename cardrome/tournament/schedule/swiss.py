"""The Swiss system: a few rounds, in which entrants with equal points meet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cardrome.arena.secret import derived
from cardrome.errors import CallerError
from cardrome.tournament.schedule.pairing import (
    Pairing,
    Ratings,
    Results,
    check_settings,
    field_of,
    totals_of,
)

HIGHEST_COST = 1 << 120
"""The matching is computed in 128 bits."""


@dataclass(frozen=True)
class Swiss:
    """Everybody plays in every round, each edition on its own, against an opponent with nearly as many points.

    A pairing won is a point, a pairing tied half a point. A round is chosen by these goals, the more important first:

    1. the bye, which an odd number of entrants needs and which is worth a point, goes to someone who had the fewest;
    2. nobody meets the same opponent again;
    3. the bye goes to someone with few points;
    4. opponents have similar points: the sum of the squared differences is as small as possible;
    5. among entrants with equal points the better half (by share of games won, then by an order drawn from the seed)
       meets the other half, the best of one the best of the other.

    Entrants of the first round may leave, but nobody can join. Rounds that an entrant did not play count as byes.
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
        return [
            Pairing(edition, a, b, number * self.pairs, self.pairs)
            for edition in self.editions
            for a, b in _Round(self, edition, number, field, results).couples()
        ]

    def games(self, entrants: int) -> int:
        """See `Schedule`."""
        return 2 * (entrants // 2) * self.rounds * self.pairs * len(self.editions)


class _Round:
    """One round of one edition: the standings before it, and who plays whom."""

    def __init__(self, swiss: Swiss, edition: str, number: int, field: list[int], results: Results) -> None:
        self._seed, self._edition = swiss.seed, edition
        self._number = number
        self._met: defaultdict[tuple[int, int], int] = defaultdict(int)
        played: defaultdict[int, int] = defaultdict(int)
        half_points: defaultdict[int, int] = defaultdict(int)
        game_points: defaultdict[int, float] = defaultdict(float)
        for (a, b), total in totals_of(results, edition).items():
            times, rest = divmod(total.pairs, swiss.pairs)
            if rest:
                raise CallerError(f"{edition}: {a} and {b} played {total.pairs} pairs; a round has {swiss.pairs}")
            self._met[a, b] = times
            for entrant, made in ((a, total.points), (b, 2 * total.pairs - total.points)):
                played[entrant] += times
                # Only the sum over all meetings of two entrants is known: it decides each of them.
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
        drawn = {entrant: derived(self._seed, "order", self._edition, entrant) for entrant in field}
        self._order = sorted(field, key=lambda entrant: (-points[entrant], -share[entrant], drawn[entrant], entrant))
        self._points = np.array([points[entrant] for entrant in self._order])
        self._byes = np.array([byes[entrant] for entrant in self._order])

    def couples(self) -> list[tuple[int, int]]:
        """Who plays whom; one of an odd number of entrants is left out."""
        order = self._order
        places = [(u, v) for u, v in cheapest_matching(self._costs()) if v < len(order)]
        return sorted((min(order[u], order[v]), max(order[u], order[v])) for u, v in places)

    def _costs(self) -> list[list[int]]:
        """The cost of each couple, by places in the order; the last row stands for the bye of an odd number."""
        n = len(self._order)
        size = n + n % 2
        place = {entrant: k for k, entrant in enumerate(self._order)}
        met, distance, fold, tie = (np.zeros((size, size), np.int64) for _ in range(4))
        for (a, b), times in self._met.items():
            if a in place and b in place:
                met[place[a], place[b]] = met[place[b], place[a]] = times
        distance[:n, :n] = (self._points[:, None] - self._points) ** 2
        apart = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
        half = (self._points[:, None] == self._points).sum(axis=1) // 2
        fold[:n, :n] = np.where(distance[:n, :n] == 0, np.abs(apart - half[:, None]), apart)
        low, unfair = np.zeros_like(met), np.zeros_like(met)
        if n % 2:
            low[n, :n] = low[:n, n] = self._points - self._points.min()
            unfair[n, :n] = unfair[:n, n] = self._byes > self._byes.min()
            fold[n, :n] = fold[:n, n] = np.arange(n)[::-1]
        # Where everybody has met, those who met least often meet again.
        met[:n, :n] = (met[:n, :n] - met[:n, :n][~np.eye(n, dtype=bool)].min()) ** 2
        for u in range(size):
            for v in range(u):
                one, other = sorted(self._order[k] if k < n else -1 for k in (u, v))
                tie[u, v] = tie[v, u] = derived(self._seed, "tie", self._edition, self._number, one, other) >> 22
        couples = size // 2
        # The finest level is as good as free of ties: which of equally good rounds is played follows from the seed, and
        # not from the way in which a matching is searched.
        levels = [(tie, couples), (fold, couples), (distance, couples), (low, 1), (met, couples), (unfair, 1)]
        # With thousands of entrants in thousands of rounds, the finest levels have no room in a number.
        while (units := _units(levels))[-1] >= HIGHEST_COST:
            levels.pop(0)
        cost = sum(unit * level.astype(object) for (level, _), unit in zip(levels, units, strict=False))
        return cost.tolist()  # type: ignore[union-attr]


def _units(levels: list[tuple[npt.NDArray[np.int64], int]]) -> list[int]:
    """The weight of each level: more than all couples together can cost on the finer ones, which come first.

    One number follows the last level, which is more than any round costs.
    """
    units = [1]
    for level, couples in levels:
        units.append(units[-1] * (int(level.max()) * couples + 1))
    return units


def cheapest_matching(cost: list[list[int]]) -> list[tuple[int, int]]:
    """Divide an even number of places into couples at the least total cost; of each couple the lower place is first.

    ``cost`` is a symmetric table of numbers from 0 to `HIGHEST_COST`; its diagonal does not count.
    """
    import rustworkx  # only Swiss tournaments need it

    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(len(cost)))
    graph.add_edges_from([(u, v, HIGHEST_COST - row[v]) for v in range(len(cost)) for u, row in enumerate(cost[:v])])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(couple), max(couple)) for couple in found)
