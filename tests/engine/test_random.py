from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.engine.random import below, mix, player_seed, step
from tests.engine.compiled_random import count_below, step_all

STATES = st.integers(0, (1 << 62) - 1)
CORNERS = [0, 1, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, 1 << 61, (1 << 62) - (1 << 31), (1 << 62) - 2, (1 << 62) - 1]


def formula(state: int) -> int:
    """The step in Python's unlimited integers."""
    state = (state * 0x2545F4914F6CDD1D + 0x14057B7EF767814F) % (1 << 62)
    return state ^ (state >> 29)


@given(STATES)
def test_the_step_is_its_formula(state: int) -> None:
    assert step(state) == formula(state)


@given(st.lists(STATES, min_size=1, max_size=50))
def test_the_compiled_step_is_its_formula(states: list[int]) -> None:
    array = np.array(states + CORNERS, np.int64)
    step_all(array, 1)
    assert array.tolist() == [formula(state) for state in states + CORNERS]


def test_many_compiled_steps_in_a_row_are_the_formula_s() -> None:
    array = np.array(CORNERS, np.int64)
    step_all(array, 2000)
    expected = []
    for state in CORNERS:
        for _ in range(2000):
            state = formula(state)
        expected.append(state)
    assert array.tolist() == expected


@pytest.mark.parametrize("bound", [2, 3, 7, 20, 100, 1000])
@pytest.mark.parametrize("seed", [0, 1, 12345, (1 << 62) - 1])
def test_compiled_numbers_below_a_bound_are_even_and_those_of_the_interpreter(bound: int, seed: int) -> None:
    draws = 200 * bound
    counts = np.zeros(bound, np.int64)
    last = count_below(counts, seed, draws)
    expected = [0] * bound
    state = step(seed)
    for _ in range(draws):
        state, value = below(state, bound)
        expected[value] += 1
    assert (last, counts.tolist()) == (state, expected)
    # Chi-square with bound - 1 degrees of freedom: its mean is that, its deviation the root of twice that.
    chi_square = float(np.sum((counts - 200) ** 2 / 200))
    assert chi_square < bound - 1 + 6 * (2 * (bound - 1)) ** 0.5


def test_pairs_of_numbers_are_even_too() -> None:
    counts = np.zeros((12, 12))
    state = step(99)
    for _ in range(144 * 100):
        state, first = below(state, 12)
        state, second = below(state, 12)
        counts[first, second] += 1
    assert float(np.sum((counts - 100) ** 2 / 100)) < 143 + 6 * (2 * 143) ** 0.5


def test_nearby_seeds_part_at_once() -> None:
    assert len({step(seed) for seed in range(1000)}) == 1000


def test_below_is_even() -> None:
    counts: Counter[int] = Counter()
    state = step(1)
    for _ in range(30_000):
        state, value = below(state, 30)
        counts[value] += 1
    assert set(counts) == set(range(30))
    assert all(850 < n < 1150 for n in counts.values())


def test_below_one_is_zero() -> None:
    assert below(step(3), 1)[1] == 0


def test_states_stay_in_62_bits() -> None:
    state = (1 << 62) - 1
    for _ in range(1000):
        state = step(state)
        assert 0 <= state < 1 << 62


def test_a_mix_has_62_bits_and_keeps_numbers_apart() -> None:
    mixed = [mix(x) for x in range(5000)]
    assert len(set(mixed)) == 5000
    assert all(0 <= x < 1 << 62 for x in mixed)
    # Neighbours differ in about half of their bits.
    distances = [(mix(x) ^ mix(x + 1)).bit_count() for x in range(1, 1000)]
    assert 30 < sum(distances) / len(distances) < 32


@given(STATES)
def test_the_players_of_a_pair_have_randomness_of_their_own(seed: int) -> None:
    assert player_seed(seed, 0) == formula(formula(seed))
    assert player_seed(seed, 0) != player_seed(seed, 1)
