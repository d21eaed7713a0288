"""The cheapest matching is compared with all matchings, on costs that leave many ties and on costs that leave none."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.tournament.schedule.matching import HIGHEST_COST, cheapest_matching

Costs = npt.NDArray[np.int64]


def lowest_cost(cost: Costs) -> int:
    """By trying everything."""
    n, table = len(cost), cost.tolist()

    @functools.cache
    def rest(taken: int) -> int:
        if taken == (1 << n) - 1:
            return 0
        u = next(k for k in range(n) if not taken >> k & 1)
        return min(table[u][v] + rest(taken | 1 << u | 1 << v) for v in range(u + 1, n) if not taken >> v & 1)

    return rest(0)


def checked_cost(cost: Costs) -> int:
    """Of the matching that is found, after a look whether it is one."""
    partners = cheapest_matching(cost)
    assert sorted(partners) == list(range(len(cost)))
    assert all(partners[v] == u != v for u, v in enumerate(partners))
    return sum(int(cost[u, v]) for u, v in enumerate(partners) if u < v)


@st.composite
def costs(draw: st.DrawFn) -> Costs:
    n = 2 * draw(st.integers(1, 6))
    high = draw(st.sampled_from([1, 2, 5, 100, HIGHEST_COST // 2 - 1]))
    values = draw(st.lists(st.integers(0, high), min_size=n * n, max_size=n * n))
    upper = np.triu(np.array(values, np.int64).reshape(n, n))
    return upper + upper.T


@given(costs())
def test_no_matching_is_cheaper(cost: Costs) -> None:
    assert checked_cost(cost) == lowest_cost(cost)


@pytest.mark.parametrize("seed", range(150))
def test_clusters_of_odd_size(seed: int) -> None:
    """Points in clumps of three and five make blossoms within blossoms, which have to be opened again."""
    rng = np.random.default_rng(seed)
    sizes = [(3, 3, 3, 3), (5, 5, 3, 1), (3, 5, 1, 1), (5, 7), (9, 3), (3, 3, 1, 5)][seed % 6]
    clumps = np.repeat(rng.integers(0, 1000, (len(sizes), 2)), sizes, axis=0)
    points = clumps + rng.integers(0, (3, 30, 300)[seed % 3], (sum(sizes), 2))
    cost = np.abs(points[:, None] - points).sum(axis=2)
    assert checked_cost(cost) == lowest_cost(cost)


@pytest.mark.parametrize("seed", range(40))
def test_many_vertices_cannot_be_improved_by_exchanges(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 100, (60, 2))
    cost = np.abs(points[:, None] - points).sum(axis=2)
    partners = cheapest_matching(cost)
    for u, v in enumerate(partners):
        for x, y in enumerate(partners):
            if len({u, v, x, y}) == 4:
                assert cost[u, v] + cost[x, y] <= cost[u, x] + cost[v, y]


def test_the_largest_costs_do_not_overflow() -> None:
    rng = np.random.default_rng(0)
    small = np.triu(rng.integers(0, 2, (40, 40)) | (rng.random((40, 40)) < 0.8), 1)
    forbidden = small + small.T
    partners = cheapest_matching(forbidden * (HIGHEST_COST - 1))
    again = cheapest_matching(forbidden)
    assert sum(forbidden[u, v] for u, v in enumerate(partners)) == sum(forbidden[u, v] for u, v in enumerate(again))


def test_nobody_is_matched_to_nobody() -> None:
    assert cheapest_matching(np.zeros((0, 0), np.int64)) == []


@pytest.mark.parametrize("cost", [np.zeros((3, 3), int), np.zeros((2, 4), int), np.full((2, 2), -1)])
def test_what_is_no_table_of_costs(cost: Costs) -> None:
    with pytest.raises(ValueError, match="even number"):
        cheapest_matching(cost)
