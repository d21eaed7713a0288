"""Win rates of all against all, and of the first seat."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.arena.statistics import Estimate, pair_win_rate
from cardrome.tournament.results.crosstable import first_seat, rate_over_pairs, win_rates
from cardrome.tournament.results.pairs import PairResults
from tests.tournament.results.tools import games, ids

STEPS = np.array([0.0, 0.5, 1.0, 1.5, 2.0])


@given(st.lists(st.integers(0, 50), min_size=5, max_size=5))
def test_complete_pairs_have_the_interval_of_a_series(counts: list[int]) -> None:
    here = rate_over_pairs(STEPS, np.full(5, 2), np.array(counts))
    there = pair_win_rate(tuple(counts))
    assert (here.value, here.low, here.high) == pytest.approx((there.value, there.low, there.high), abs=1e-9)


def test_single_games_count_as_the_one_game_they_are() -> None:
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(500):
        games = rng.integers(1, 3, 60)
        estimate = rate_over_pairs(rng.binomial(games, 0.7).astype(np.float64), games, np.ones(60, np.int64))
        covered += estimate.low <= 0.7 <= estimate.high
    assert 460 <= covered <= 493


def test_matrix_shows_who_beats_whom_even_in_a_circle() -> None:
    a, b = np.repeat([0, 1, 2], 50), np.repeat([1, 2, 0], 50)
    rates = win_rates(PairResults.of_pairs(ids(4), a, b, np.tile([2.0, 2.0, 1.0, 2.0, 1.0], 30)))
    for x, y in ((0, 1), (1, 2), (2, 0)):
        one, other = rates[x][y], rates[y][x]
        assert one is not None
        assert other is not None
        assert one.value == pytest.approx(0.8)
        assert 0.7 < one.low < 0.8 < one.high < 0.9
        assert (other.value, other.low, other.high) == pytest.approx((1 - one.value, 1 - one.high, 1 - one.low))
    assert rates[3] == [None] * 4
    assert [rates[k][k] for k in range(4)] == [None] * 4


def test_matrix_without_games() -> None:
    empty = np.zeros(0, np.int64)
    assert win_rates(PairResults.of_pairs(ids(2), empty, empty, np.zeros(0))) == [[None] * 2] * 2


def seats(points: list[float], first: list[int]) -> Estimate:
    rows = ((0, 1, k // 2, seat, made, False) for k, (made, seat) in enumerate(zip(points, first, strict=True)))
    return first_seat(games(*rows))


def test_first_seat_is_the_one_with_the_first_turn() -> None:
    assert seats([1.0, 0.0] * 50, [0, 1] * 50).value == 1
    assert seats([1.0, 0.0] * 50, [1, 0] * 50).value == 0
    assert seats([1.0, 1.0, 0.5, 0.5] * 50, [0, 1] * 100).value == 0.5
    assert seats([], []) == Estimate(0.5, 0.0, 1.0)


def test_first_seat_is_taken_over_pairs() -> None:
    # The better player wins from both seats: pairs always split, so the first seat is known better than from games.
    split = seats([1.0, 1.0, 0.0, 0.0] * 50, [0, 1] * 100)
    # The seat decides, in half of the deals the first, in half the second: worth half as many games.
    alike = seats([1.0, 0.0, 0.0, 1.0] * 50, [0, 1] * 100)
    assert split.value == alike.value == 0.5
    assert alike.high - alike.low > 1.9 * (split.high - split.low)
