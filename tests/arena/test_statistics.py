"""Intervals: known values, extremes, and that they cover the truth as often as they say."""

import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.arena.statistics import (
    Estimate,
    PairCounts,
    count_pairs,
    mean_score,
    pair_win_rate,
    share_and_variance,
    wilson,
)


def win_rate(points: npt.NDArray[np.float64]) -> Estimate:
    return pair_win_rate(count_pairs(points))


def test_wilson_matches_textbook_values() -> None:
    estimate = wilson(0.5, 100)
    assert (estimate.low, estimate.high) == pytest.approx((0.4038, 0.5962), abs=1e-4)


@pytest.mark.parametrize(("rate", "low", "high"), [(0.0, 0.0, 0.2775), (1.0, 0.7225, 1.0)])
def test_extremes_stay_inside_and_keep_doubt(rate: float, low: float, high: float) -> None:
    estimate = wilson(rate, 10)
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=1e-3)


def test_nothing_played_says_nothing() -> None:
    assert win_rate(np.array([])) == Estimate(0.5, 0.0, 1.0)


def test_pairs_that_always_split_are_certain_but_not_infinitely() -> None:
    estimate = win_rate(np.ones(100))
    assert estimate.value == 0.5
    assert 0.4 < estimate.low < 0.5 < estimate.high < 0.6


def test_equal_results_inside_pairs_widen_the_interval() -> None:
    together = win_rate(np.array([0.0, 2.0] * 50))  # the deal decides both games of a pair
    apart = win_rate(np.array([0.0, 1.0, 1.0, 2.0] * 25))
    assert together.high - together.low > 1.3 * (apart.high - apart.low)


@pytest.mark.parametrize("chance", [0.5, 0.8, 0.97])
def test_interval_covers_the_truth_about_as_often_as_it_says(chance: float) -> None:
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(1000):
        points = rng.binomial(1, chance, (100, 2)).sum(axis=1).astype(np.float64)
        estimate = win_rate(points)
        covered += estimate.low <= chance <= estimate.high
    assert 920 <= covered <= 985


def test_pairs_are_counted_by_result() -> None:
    assert count_pairs(np.array([0.0, 2.0, 1.0, 2.0, 2.0])) == (1, 1, 3)
    assert count_pairs(np.array([])) == (0, 0, 0)


@given(st.tuples(*[st.integers(0, 1000)] * 3).filter(lambda counts: sum(counts) > 0))
def test_variance_is_that_of_the_single_pairs(counts: PairCounts) -> None:
    shares = np.repeat([0.0, 0.5, 1.0], counts)
    assert share_and_variance(counts) == pytest.approx((shares.mean(), shares.var()))


def test_swapping_the_players_mirrors_the_interval() -> None:
    one, other = pair_win_rate((5, 20, 60)), pair_win_rate((60, 20, 5))
    assert (other.value, other.low, other.high) == pytest.approx((1 - one.value, 1 - one.high, 1 - one.low))


def test_the_interval_of_a_mean_score_by_hand() -> None:
    """Four pairs with the means 15, 20, 10, 15: their variance is 50 / 3, so the error of the mean is sqrt(50 / 12)."""
    found = mean_score(np.array([10, 20, 30, 10, 5, 15, 0, 30], np.int32))
    assert found.value == 15
    assert found.high - 15 == pytest.approx(1.959964 * 2.041241, abs=1e-5)
    assert 15 - found.low == pytest.approx(found.high - 15)
    assert mean_score(np.array([3, 5])) == Estimate(4.0, -math.inf, math.inf)
    assert mean_score(np.array([], np.int32)) == Estimate(0.0, -math.inf, math.inf)
