"""Elo, normalised Elo and likelihood of superiority: known values, extremes and symmetry."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.arena.elo import (
    MOST_EXACT_PAIRS,
    elo_difference,
    elo_of_rate,
    elo_text,
    likelihood_of_superiority,
    normalised_elo,
    rate_of_elo,
)
from cardrome.arena.statistics import PairCounts

some_counts = st.tuples(*[st.integers(0, 300)] * 3).filter(lambda counts: sum(counts) > 0)


@pytest.mark.parametrize(
    ("rate", "elo"), [(0.5, 0.0), (10 / 11, 400.0), (1 / 11, -400.0), (0.75, 190.848501887865), (0.6, 70.436503622)]
)
def test_elo_of_a_rate(rate: float, elo: float) -> None:
    assert elo_of_rate(rate) == pytest.approx(elo)
    assert rate_of_elo(elo) == pytest.approx(rate)


def test_far_apart_is_no_overflow() -> None:
    assert rate_of_elo(1e6) == 1
    assert rate_of_elo(-1e6) == 0
    assert rate_of_elo(-math.inf) == 0
    assert (elo_of_rate(0.0), elo_of_rate(1.0)) == (-math.inf, math.inf)


def by_hand(counts: PairCounts) -> tuple[float, float, float, float]:
    """Elo, its margin, normalised Elo and its margin, as chess programs find them: sums over single pairs."""
    shares = np.repeat([0.0, 0.5, 1.0], counts)
    mean, deviation = shares.mean(), shares.std()
    error = 1.959963984540054 * deviation / math.sqrt(len(shares))

    def elo(x: float) -> float:
        return -400 * math.log10(1 / x - 1)

    def nelo(x: float) -> float:
        return (x - 0.5) / (math.sqrt(2) * deviation) * 800 / math.log(10)

    return (
        elo(mean),
        (elo(mean + error) - elo(mean - error)) / 2,
        nelo(mean),
        (nelo(mean + error) - nelo(mean - error)) / 2,
    )


@pytest.mark.parametrize("counts", [(1303, 662, 35), (200, 620, 230), (4000, 2000, 4000), (10, 60, 400)])
def test_agrees_with_the_formulas_of_chess_programs(counts: PairCounts) -> None:
    elo, elo_margin, nelo, nelo_margin = by_hand(counts)
    assert elo_difference(counts).value == pytest.approx(elo)
    assert elo_difference(counts).margin == pytest.approx(elo_margin, rel=0.02)
    assert normalised_elo(counts).value == pytest.approx(nelo)
    assert normalised_elo(counts).margin == pytest.approx(nelo_margin)


def test_a_result_worked_out_by_hand() -> None:
    # 25 lost, 50 split, 25 won: even, variance 1/8 a pair, so a pair is worth two games and 100 pairs 198 (n - 1).
    assert elo_difference((25, 50, 25)).value == 0
    assert elo_difference((25, 50, 25)).high == pytest.approx(elo_of_rate(0.5 + 1.96 / 2 / math.sqrt(198 + 3.84)), 1e-3)
    # 50 split, 50 won: share 3/4, variance 1/16; a lead of 1/4 is 1/4 / sqrt(1/8) deviations of a game.
    assert normalised_elo((0, 50, 50)).value == pytest.approx(math.sqrt(0.5) * 347.43558552)


@pytest.mark.parametrize(
    ("counts", "text"), [((0, 0, 10), "inf (at least 286.6)"), ((10, 0, 0), "-inf (at most -286.6)")]
)
def test_all_or_nothing_is_infinite_with_one_sensible_end(counts: PairCounts, text: str) -> None:
    # Wilson for 20 of 20: at least 20 / (20 + 1.96^2) = 83.9%, which is 286.6 Elo.
    assert elo_text(elo_difference(counts)) == text
    assert not elo_difference(counts).bounded
    assert elo_text(normalised_elo(counts)) == text.split(" ")[0]


def test_nothing_played_is_unknown() -> None:
    assert elo_text(elo_difference((0, 0, 0))) == elo_text(normalised_elo((0, 0, 0))) == "unknown"
    assert likelihood_of_superiority((0, 0, 0)) == 0.5


def test_only_split_pairs_are_even_with_some_doubt() -> None:
    elo, normalised = elo_difference((0, 40, 0)), normalised_elo((0, 40, 0))
    assert elo.value == normalised.value == 0
    assert 0 < elo.margin < 60
    assert 0 < normalised.margin < 100


@pytest.mark.parametrize(
    ("counts", "los"),
    [((0, 5, 1), 3 / 4), ((0, 0, 2), 7 / 8), ((1, 9, 2), 11 / 16), ((3, 0, 3), 1 / 2), ((10, 0, 0), 2**-11)],
)
def test_superiority_worked_out_by_hand(counts: PairCounts, los: float) -> None:
    assert likelihood_of_superiority(counts) == pytest.approx(los)


def test_superiority_of_many_pairs_agrees_with_the_exact_sum_and_with_chess_programs() -> None:
    assert 470 + 500 < MOST_EXACT_PAIRS < 500 + 530
    exact = likelihood_of_superiority((470, 700, 500))
    normal = likelihood_of_superiority((500, 700, 530))
    assert exact == pytest.approx((1 + math.erf(30 / math.sqrt(2 * 971))) / 2, abs=2e-4)
    mean, variance = 0.5 + 15 / 1730, np.repeat([0.0, 0.5, 1.0], (500, 700, 530)).var()
    assert normal == pytest.approx((1 + math.erf((mean - 0.5) / math.sqrt(2 * variance / 1730))) / 2, abs=1e-3)


def test_superiority_agrees_with_drawing_from_the_posterior() -> None:
    rng = np.random.default_rng(5)
    chances = rng.beta(13 + 1, 8 + 1, 200_000)
    assert likelihood_of_superiority((8, 30, 13)) == pytest.approx((chances > 0.5).mean(), abs=0.005)


@given(some_counts)
def test_swapping_the_players_negates(counts: PairCounts) -> None:
    swapped = counts[::-1]
    for measure in (elo_difference, normalised_elo):
        one, other = measure(counts), measure(swapped)
        assert other.value == pytest.approx(-one.value, abs=1e-7)
        assert (other.low, other.high) == pytest.approx((-one.high, -one.low), abs=1e-7)
    assert likelihood_of_superiority(swapped) == pytest.approx(1 - likelihood_of_superiority(counts))


@given(some_counts, st.integers(0, 1))
def test_a_better_pair_never_lowers_anything(counts: PairCounts, which: int) -> None:
    if counts[which] == 0:
        return
    moved = list(counts)
    moved[which] -= 1
    moved[which + 1] += 1
    better = moved[0], moved[1], moved[2]
    assert elo_difference(better).value > elo_difference(counts).value or len(set(better)) == 1
    assert likelihood_of_superiority(better) >= likelihood_of_superiority(counts)


@given(some_counts)
def test_the_value_lies_in_its_interval(counts: PairCounts) -> None:
    for estimate in (elo_difference(counts), normalised_elo(counts)):
        assert estimate.low <= estimate.value <= estimate.high
        assert "nan" not in elo_text(estimate)


@given(some_counts.filter(lambda counts: 0 < counts[1] + 2 * counts[2] < 2 * sum(counts)), st.integers(2, 30))
def test_more_of_the_same_narrows_the_interval(counts: PairCounts, times: int) -> None:
    more = counts[0] * times, counts[1] * times, counts[2] * times
    assert elo_difference(more).value == pytest.approx(elo_difference(counts).value)
    assert elo_difference(more).margin < elo_difference(counts).margin
