from __future__ import annotations

from collections import Counter

from cardrome.rules.random import below, step


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
