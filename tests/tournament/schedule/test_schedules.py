"""Every schedule: who plays whom follows from entrants and results alone, however they are listed."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.errors import CallerError
from cardrome.tournament.schedule.ladder import Ladder
from cardrome.tournament.schedule.pairing import Schedule, Total, deal_seed, estimate
from cardrome.tournament.schedule.round_robin import Gauntlet, RoundRobin
from cardrome.tournament.schedule.swiss import Swiss
from tests.tournament.schedule.tools import ONE, TWO, Totals, add, couples

ENTRANTS = st.lists(st.integers(-5, 1000), min_size=2, max_size=12, unique=True)


def shuffled(results: Totals, rng: np.random.Generator) -> Totals:
    keys = list(results)
    return {keys[k]: results[keys[k]] for k in rng.permutation(len(keys))}


# Deals


def test_deal_seeds_never_change() -> None:
    assert deal_seed(0, "locm-1.2", 0) == 4223552161821234946
    assert deal_seed(2026, "locm-1.2", 1) == 967362131121004801
    assert deal_seed(2026, "tapdeck", 1) == 398562905145651324


def test_deal_seeds_are_distinct_and_in_range() -> None:
    seeds = {deal_seed(master, edition, k) for master in (0, 1, 12) for edition in TWO for k in range(500)}
    assert len(seeds) == 3 * 2 * 500
    assert all(0 <= seed < 1 << 62 for seed in seeds)
    assert max(seeds) >= 1 << 61


def test_pairs_have_no_negative_numbers() -> None:
    with pytest.raises(CallerError, match="numbered from 0"):
        deal_seed(1, "locm-1.2", -1)


# What all schedules have in common

ALL: list[Schedule] = [
    RoundRobin(3, TWO),
    Gauntlet([4], 3, TWO),
    Gauntlet([4, 9], 3, TWO),
    Swiss(3, 3, TWO),
    Ladder(3, TWO, rounds=4),
]


@pytest.mark.parametrize("schedule", ALL, ids=lambda schedule: type(schedule).__name__)
@pytest.mark.parametrize(
    ("entrants", "message"), [([], "got none"), ([4], "got only one"), ([4, 9, 4], "entrant 4 appears twice")]
)
def test_who_cannot_play(schedule: Schedule, entrants: list[int], message: str) -> None:
    with pytest.raises(CallerError, match=message):
        schedule.round(0, entrants, {})
    with pytest.raises(CallerError, match=message):
        estimate(schedule, entrants)


@pytest.mark.parametrize("schedule", ALL, ids=lambda schedule: type(schedule).__name__)
@pytest.mark.parametrize("n", [2, 3, 6, 7])
def test_a_whole_tournament(schedule: Schedule, n: int) -> None:
    """The games are as many as estimated, no game is asked for twice, and order of the questions does not matter."""
    rng = np.random.default_rng(n)
    entrants = [4, 9, 2, 30, 11, 5, 8][:n]
    results: Totals = {}
    asked = Counter[tuple[str, int, int, int]]()
    for number in itertools.count():
        pairings = schedule.round(number, entrants, results)
        again = schedule.round(number, rng.permutation(entrants).tolist(), shuffled(results, rng))
        assert pairings == again
        if pairings is None:
            break
        for pairing in pairings:
            assert pairing.a < pairing.b
            assert {pairing.a, pairing.b} <= set(entrants)
            assert pairing.pairs == 3
            add(results, pairing, int(rng.integers(0, 7)))
            numbers = range(pairing.first_pair, pairing.first_pair + pairing.pairs)
            asked.update((pairing.edition, pairing.a, pairing.b, k) for k in numbers)
    assert set(asked.values()) == {1}
    assert 2 * len(asked) == estimate(schedule, entrants)
    assert {edition for edition, *_ in asked} == set(TWO)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RoundRobin(0, ONE), "pairs must be at least 1, got 0"),
        (lambda: Swiss(0, 1, ONE), "rounds must be at least 1, got 0"),
        (lambda: Ladder(1, ONE, rounds=0), "rounds must be at least 1"),
        (lambda: Ladder(1, ONE, beta=0), "beta must be a positive number"),
        (lambda: RoundRobin(1, ()), "different editions"),
        (lambda: RoundRobin(1, ("a", "a")), "different editions"),
        (lambda: RoundRobin(1, "locm-1.2"), "different editions"),
        (lambda: Gauntlet((), 1, ONE), "needs a challenger"),
        (lambda: Gauntlet((1, 1), 1, ONE), "named twice"),
        (lambda: Gauntlet((7,), 1, ONE).round(0, [1, 2], {}), "challenger 7 is not an entrant"),
        (lambda: Swiss(3, 2, ONE).round(1, [1, 2], {("locm-1.2", 1, 2): Total(1, 3)}), "a round has 2"),
        (lambda: Swiss(3, 1, ONE).round(1, [1, 2], {("locm-1.2", 1, 2): Total(1, 2)}), "2 rounds of 1"),
        (lambda: Swiss(3, 1, ONE).round(1, [1, 2], {("locm-1.2", 2, 1): Total(1, 1)}), "is not a result"),
        (lambda: Swiss(3, 1, ONE).round(1, [1, 2], {("locm-1.2", 1, 2): Total(3, 1)}), "is not a result"),
        (lambda: Swiss(3, 1, ONE).round(1, [1, 2], {}), "nobody can join"),
        (lambda: Ladder(1, ONE).round(0, [1, 2], {}, {1: (0.0, 0.0)}), "a positive deviation"),
        (lambda: Ladder(1, ONE).round(0, [1, 2], {}, {1: (math.nan, 1.0)}), "must be a number"),
    ],
)
def test_what_cannot_be_used(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(CallerError, match=message):
        make()


# Round robin and gauntlet


@given(ENTRANTS)
def test_round_robin_has_every_couple_once(entrants: list[int]) -> None:
    schedule = RoundRobin(5, TWO)
    pairings = schedule.round(0, entrants, {})
    assert pairings is not None
    for edition in TWO:
        listed = couples([pairing for pairing in pairings if pairing.edition == edition])
        assert listed == list(itertools.combinations(sorted(entrants), 2))
    assert {(pairing.first_pair, pairing.pairs) for pairing in pairings} == {(0, 5)}
    assert schedule.round(1, entrants, {}) is None


@given(ENTRANTS, st.data())
def test_gauntlet_has_every_couple_with_a_challenger(entrants: list[int], data: st.DataObject) -> None:
    challengers = data.draw(st.lists(st.sampled_from(entrants), min_size=1, unique=True))
    schedule = Gauntlet(challengers, 2, ONE)
    pairings = schedule.round(0, entrants, {})
    expected = [couple for couple in itertools.combinations(sorted(entrants), 2) if set(couple) & set(challengers)]
    assert couples(pairings) == expected
    assert estimate(schedule, entrants) == 4 * len(expected)
    assert schedule.round(1, entrants, {}) is None
