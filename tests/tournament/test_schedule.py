"""Schedules: everybody plays whom he should, however the question is put, and nothing else decides it."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrome.errors import CallerError
from cardrome.tournament.schedule.schedules import (
    Gauntlet,
    Ladder,
    Pairing,
    RoundRobin,
    Schedule,
    Swiss,
    Total,
    deal_seed,
    estimate,
)

ONE = ("locm-1.2",)
TWO = ("locm-1.2", "locm-1.5")
Table = dict[tuple[str, int, int], Total]

ENTRANTS = st.lists(st.integers(-5, 1000), min_size=2, max_size=12, unique=True)


def couples(pairings: list[Pairing] | None) -> list[tuple[int, int]]:
    assert pairings is not None
    return [(pairing.a, pairing.b) for pairing in pairings]


def add(results: Table, pairing: Pairing, points: float) -> None:
    key = pairing.edition, pairing.a, pairing.b
    before = results.get(key, Total(0, 0))
    results[key] = Total(before.points + points, before.pairs + pairing.pairs)


def shuffled(results: Table, rng: np.random.Generator) -> Table:
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
    ("entrants", "message"), [([], "got none"), ([4], "got only one"), ([4, 9, 4], "entrant 4 is there twice")]
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
    results: Table = {}
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
        (lambda: Gauntlet((7,), 1, ONE).round(0, [1, 2], {}), "challenger 7 is no entrant"),
        (lambda: Swiss(3, 2, ONE).round(1, [1, 2], {("locm-1.2", 1, 2): Total(1, 3)}), "a round has 2"),
        (lambda: Swiss(3, 1, ONE).round(1, [1, 2], {("locm-1.2", 1, 2): Total(1, 2)}), "2 rounds of 1"),
        (lambda: Swiss(3, 1, ONE).round(1, [1, 2], {("locm-1.2", 2, 1): Total(1, 1)}), "is no result"),
        (lambda: Swiss(3, 1, ONE).round(1, [1, 2], {("locm-1.2", 1, 2): Total(3, 1)}), "is no result"),
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


# Swiss


def matchings(entrants: list[int]) -> Iterator[list[tuple[int, int]]]:
    """All ways to sort entrants into twos, one of an odd number being left out."""
    if len(entrants) < 2:
        yield []
        return
    first, *others = entrants
    for opponent in others:
        rest = [entrant for entrant in others if entrant != opponent]
        yield from ([(first, opponent), *more] for more in matchings(rest))
    if len(entrants) % 2:
        yield from matchings(others)


def standings(results: Table, entrants: list[int], pairs: int, number: int) -> tuple[dict[int, int], dict[int, int]]:
    """Half points and byes, the plain way; of entrants who have not met twice."""
    half, played = Counter[int](), Counter[int]()
    for (_, a, b), total in results.items():
        times = total.pairs // pairs
        made = int(total.points > total.pairs) + int(total.points >= total.pairs)
        half[a] += times * made
        half[b] += times * (2 - made)
        played.update({a: times, b: times})
    byes = {entrant: number - played[entrant] for entrant in entrants}
    return {entrant: half[entrant] + 2 * byes[entrant] for entrant in entrants}, byes


@settings(max_examples=40)
@given(st.integers(2, 8), st.integers(1, 9), st.integers(0, 1 << 30), st.integers(0, 5))
def test_swiss_rounds_are_the_best_of_all(n: int, rounds: int, luck: int, seed: int) -> None:
    """Against every way to pair the round: fair byes first, then no rematch, a low bye, and equal points."""
    rng = np.random.default_rng(luck)
    entrants, results = list(range(n)), Table()
    schedule = Swiss(rounds, 2, ONE, seed)
    for number in range(rounds):
        found = couples(schedule.round(number, entrants, results))
        assert len(found) == n // 2
        assert len({entrant for couple in found for entrant in couple}) == 2 * (n // 2)
        points, byes = standings(results, entrants, 2, number)
        assert max(byes.values()) - min(byes.values()) <= 1
        met = dict.fromkeys(itertools.combinations(entrants, 2), 0)
        met.update({(a, b): total.pairs // 2 for (_, a, b), total in results.items()})
        least = min(met.values())

        def cost(
            chosen: list[tuple[int, int]],
            points: dict[int, int] = points,
            byes: dict[int, int] = byes,
            met: dict[tuple[int, int], int] = met,
            least: int = least,
        ) -> tuple[int, ...]:
            out = set(points) - {entrant for couple in chosen for entrant in couple}
            return (
                sum(byes[entrant] > min(byes.values()) for entrant in out),
                sum((met[couple] - least) ** 2 for couple in chosen),
                sum(points[entrant] for entrant in out),
                sum((points[a] - points[b]) ** 2 for a, b in chosen),
            )

        assert cost(found) == min(cost(chosen) for chosen in matchings(entrants))
        for a, b in found:
            add(results, Pairing(ONE[0], a, b, 0, 2), int(rng.integers(0, 5)))


@given(st.integers(2, 40), st.integers(0, 1 << 30))
def test_a_swiss_tournament_of_few_rounds_has_no_rematch(n: int, luck: int) -> None:
    rng = np.random.default_rng(luck)
    results: Table = {}
    schedule = Swiss(max(1, n // 4), 1, ONE)
    for number in range(schedule.rounds):
        pairings = schedule.round(number, range(n), results) or []
        assert {pairing.first_pair for pairing in pairings} == {number}
        for pairing in pairings:
            assert (ONE[0], pairing.a, pairing.b) not in results
            add(results, pairing, int(rng.integers(0, 3)))
    assert schedule.round(schedule.rounds, range(n), results) is None


def test_swiss_plays_a_whole_round_robin_if_it_lasts_long_enough() -> None:
    """A few entrants, as many rounds as there are opponents, and then all over again."""
    results: Table = {}
    schedule = Swiss(6, 1, ONE)
    for number in range(6):
        for pairing in schedule.round(number, range(4), results) or []:
            add(results, pairing, 2)
        if number == 2:
            assert len(results) == 6
    assert {total.pairs for total in results.values()} == {2}


def test_swiss_finds_the_only_way() -> None:
    """A and B have equal points and could meet; then C and D, who have met, would have to meet again."""
    results = {(ONE[0], *key): Total(2, 1) for key in [(0, 2), (1, 3), (0, 3), (1, 2)]}
    assert couples(Swiss(3, 1, ONE).round(2, range(4), results)) == [(0, 1), (2, 3)]
    results = {(ONE[0], *key): Total(2, 1) for key in [(0, 1), (2, 3), (0, 2), (1, 3)]}
    assert couples(Swiss(3, 1, ONE).round(2, range(4), results)) == [(0, 3), (1, 2)]


def test_swiss_starts_in_an_order_drawn_from_the_seed() -> None:
    first = {tuple(couples(Swiss(3, 1, ONE, seed).round(0, range(20), {}))) for seed in range(10)}
    assert len(first) == 10
    by_edition = Swiss(3, 1, TWO).round(0, range(10), {}) or []
    assert couples(by_edition[:5]) != couples(by_edition[5:])


def test_swiss_halves_meet_among_equals() -> None:
    """In the second round winners meet winners: the best by games, the third best."""
    results = {(ONE[0], k, k + 10): Total(20 - k, 10) for k in range(8)}
    entrants = [*range(8), *range(10, 18)]
    found = couples(Swiss(3, 10, ONE).round(1, entrants, results))
    assert found == [(0, 4), (1, 5), (2, 6), (3, 7), (10, 14), (11, 15), (12, 16), (13, 17)]


def test_results_may_be_numpy_numbers() -> None:
    rng = np.random.default_rng(1)
    plain: Table = {(ONE[0], k, k + 8): Total(int(rng.integers(0, 5)), 2) for k in range(8)}
    numpy: Table = {key: Total(np.float64(points), int(pairs)) for key, (points, pairs) in plain.items()}
    assert Swiss(3, 2, ONE).round(1, range(16), numpy) == Swiss(3, 2, ONE).round(1, range(16), plain)


def test_who_leaves_a_swiss_tournament_is_missed_by_nobody() -> None:
    results: Table = {}
    schedule = Swiss(4, 1, ONE)
    for pairing in schedule.round(0, range(6), results) or []:
        add(results, pairing, 2)
    second = couples(schedule.round(1, range(1, 6), results))
    assert len(second) == 2
    assert not {0} & {entrant for couple in second for entrant in couple}
    with pytest.raises(CallerError, match="entrant 8 has played none of 2 rounds"):
        schedule.round(2, [1, 2, 3, 4, 8], {**results, **{(ONE[0], *couple): Total(1, 1) for couple in second}})


@pytest.mark.parametrize("n", [200, 199])
def test_swiss_of_many_entrants(n: int) -> None:
    """Strength decides: those at the top meet each other, and nobody meets anybody twice."""
    rng = np.random.default_rng(n)
    strength = dict(enumerate(rng.normal(size=n)))
    results: Table = {}
    schedule = Swiss(9, 1, ONE)
    for number in range(9):
        for pairing in schedule.round(number, range(n), results) or []:
            assert (ONE[0], pairing.a, pairing.b) not in results
            add(results, pairing, 2.0 * (strength[pairing.a] > strength[pairing.b]))
    points, byes = standings(results, list(range(n)), 1, 9)
    assert max(byes.values()) == n % 2
    best = max(strength, key=strength.__getitem__)
    assert points[best] == max(points.values()) == 18
    top = sorted(strength, key=strength.__getitem__)[-5:]
    assert min(points[entrant] for entrant in top) > 12


def test_a_swiss_tournament_of_many_rounds_still_fits_into_numbers() -> None:
    """Points far apart and entrants who have met very often leave no room for the finest of the goals."""
    everybody = list(itertools.combinations(range(101), 2))
    results = {(ONE[0], a, b): Total(8, 4) for a, b in everybody}
    neighbours = [(k, k + 1) for k in range(0, 100, 2)]
    assert couples(Swiss(1000, 1, ONE).round(400, range(101), results)) == neighbours
    results[ONE[0], 0, 1] = Total(100, 50)
    found = couples(Swiss(1000, 1, ONE).round(446, range(101), results))
    assert found == [(0, 2), *((k, k + 1) for k in range(3, 101, 2))], "1 had no bye, and 0 has more points"


# Ladder


def rank_correlation(a: dict[int, float], b: dict[int, float]) -> float:
    ranks = [np.argsort(np.argsort([table[key] for key in a])) for table in (a, b)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


class Simulation:
    """Entrants of known strength on a ladder, rated by a plain Kalman filter."""

    def __init__(self, strength: dict[int, float], seed: int) -> None:
        self.strength = strength
        self.ladder = Ladder(2, ONE)
        self.rng = np.random.default_rng(seed)
        self.results: Table = {}
        self.ratings: dict[int, tuple[float, float]] = {}
        self.number = 0
        self.played = Counter[int]()

    def play(self, rounds: int, entrants: list[int]) -> list[tuple[int, int]]:
        """The couples of so many rounds."""
        listed = []
        for _ in range(rounds):
            pairings = self.ladder.round(self.number, entrants, self.results, self.ratings) or []
            for pairing in pairings:
                self.play_pairing(pairing)
            listed += couples(pairings)
            self.number += 1
        return listed

    def play_pairing(self, pairing: Pairing) -> None:
        a, b, games, scale = pairing.a, pairing.b, 2 * pairing.pairs, math.sqrt(2) * self.ladder.beta
        chance = 1 / (1 + math.exp((self.strength[b] - self.strength[a]) / scale))
        points = int(self.rng.binomial(games, chance))
        add(self.results, pairing, points)
        self.played.update([a, b])
        (mu_a, sigma_a), (mu_b, sigma_b) = (self.ratings.get(k, (0.0, 2 * self.ladder.beta)) for k in (a, b))
        expected = 1 / (1 + math.exp((mu_b - mu_a) / math.sqrt(scale**2 + sigma_a**2 + sigma_b**2)))
        weight = expected * (1 - expected)
        noise = sigma_a**2 + sigma_b**2 + scale**2 / (games * weight)
        surprise = min(max(scale * (points / games - expected) / weight, -2 * scale), 2 * scale)
        self.ratings[a] = mu_a + sigma_a**2 / noise * surprise, sigma_a * math.sqrt(1 - sigma_a**2 / noise)
        self.ratings[b] = mu_b - sigma_b**2 / noise * surprise, sigma_b * math.sqrt(1 - sigma_b**2 / noise)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_ladder_finds_the_order_and_pairs_neighbours(seed: int) -> None:
    rng = np.random.default_rng(seed)
    strength = {k: float(x) for k, x in enumerate(rng.normal(0, 8, 24))}
    simulation = Simulation(strength, seed)
    simulation.play(20, list(strength))
    late = simulation.play(40, list(strength))
    assert rank_correlation(strength, {k: simulation.ratings[k][0] for k in strength}) > 0.95
    # Of thirty seeds these were 0.46 to 0.67, and 0.63 to 0.87.
    by_chance = np.mean([abs(strength[a] - strength[b]) for a, b in itertools.combinations(strength, 2)])
    assert np.mean([abs(strength[a] - strength[b]) for a, b in late]) < 0.75 * by_chance
    assert min(simulation.played.values()) > np.mean(list(simulation.played.values())) / 2, "nobody is forgotten"


def test_a_ladder_prefers_the_uncertain() -> None:
    ratings = {k: (25.0 + k / 10, 1.0) for k in range(20)} | {7: (25.0, 8.0)}
    count = Counter(itertools.chain.from_iterable(couples(Ladder(5, ONE).round(3, range(20), {}, ratings))))
    assert count[7] == max(count.values()) == 3
    assert sum(count.values()) == 20


def test_a_ladder_prefers_similar_strength() -> None:
    ratings = {0: (10.0, 1.0), 1: (40.0, 1.0), 2: (10.1, 1.0), 3: (40.1, 1.0)}
    assert couples(Ladder(5, ONE).round(0, range(4), {}, ratings)) == [(0, 2), (1, 3)]


def test_a_ladder_prefers_what_was_rarely_played() -> None:
    ratings = dict.fromkeys(range(4), (25.0, 2.0))
    results = {(ONE[0], 0, 1): Total(5, 5), (ONE[0], 2, 3): Total(5, 5), (ONE[0], 0, 2): Total(10, 10)}
    assert couples(Ladder(5, ONE).round(3, range(4), results, ratings)) == [(0, 3), (1, 2)]


def test_every_pairing_of_a_ladder_has_its_turn() -> None:
    """Even of the strongest with the weakest, and though ratings never move."""
    ratings = {k: (3.0 * k, 1.0) for k in range(6)}
    results: Table = {}
    ladder = Ladder(1, ONE)
    for number in range(400):
        for pairing in ladder.round(number, range(6), results, ratings) or []:
            add(results, pairing, 1)
    assert len(results) == 15
    assert results[ONE[0], 0, 1].pairs > 4 * results[ONE[0], 0, 5].pairs


def test_new_versions_climb_while_the_ladder_goes_on() -> None:
    strength = {k: 2.0 * k for k in range(12)} | {20: 30.0, 21: -10.0}
    simulation = Simulation(strength, 5)
    simulation.play(25, list(range(12)))
    before = dict(simulation.results)
    # 3 is replaced by a strong version 20, 8 leaves, 21 joins.
    entrants = [k for k in strength if k not in (3, 8)]
    first = simulation.play(1, entrants)
    count = Counter(itertools.chain.from_iterable(first))
    assert count[20] + count[21] >= 4, "the new ones play at once, and more than others"
    later = simulation.play(20, entrants)
    assert not {3, 8} & set(itertools.chain.from_iterable(first + later))
    assert all(total == simulation.results[key] for key, total in before.items() if {3, 8} & set(key))
    rating = {k: simulation.ratings[k][0] for k in entrants}
    assert max(rating, key=rating.__getitem__) == 20
    assert min(rating, key=rating.__getitem__) == 21


def test_results_and_ratings_of_strangers_change_nothing() -> None:
    ladder, ratings = Ladder(2, ONE), {k: (20.0 + k, 3.0) for k in range(6)}
    plain = ladder.round(4, range(6), {}, ratings)
    strange: Table = {(ONE[0], 1, 99): Total(3, 4), ("tapdeck", 0, 1): Total(3, 4)}
    assert ladder.round(4, range(6), strange, ratings | {99: (1000.0, 50.0)}) == plain


def test_an_open_ladder_has_no_end() -> None:
    assert estimate(Ladder(5, ONE), range(9)) is None
    assert estimate(Ladder(5, ONE, rounds=7), range(9)) == 4 * 7 * 5 * 2
    assert Ladder(5, ONE, rounds=7).round(7, range(9), {}) is None
    late = Ladder(5, ONE).round(10**6, range(9), {})
    assert late is not None
    assert {pairing.first_pair for pairing in late} == {5 * 10**6}
