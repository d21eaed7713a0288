"""Games add up to pairs, pairs that are alike are counted, forfeits can be left out; win rates of all and of seats."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.arena.statistics import Estimate, pair_win_rate
from cardrome.errors import CallerError
from cardrome.tournament.results.pairs import PairResults, first_seat, rate_over_pairs, win_rates
from cardrome.tournament.results.ratings import bradley_terry
from tests.tournament.results.tools import games, ids

STEPS = np.array([0.0, 0.5, 1.0, 1.5, 2.0])
GAMES = games(
    # entrants, pair, first, A's points, forfeit
    (10, 11, 0, 0, 1.0, False),
    (10, 11, 0, 1, 0.5, True),
    (12, 11, 0, 0, 1.0, False),
    (11, 12, 0, 0, 0.5, False),
    (10, 11, 5, 0, 0.0, True),
    (10, 12, 0, 1, 1.0, False),
)


def rows(results: PairResults) -> list[tuple[int, int, float, int, int]]:
    columns = (getattr(results, name).tolist() for name in ("a", "b", "points", "games", "count"))
    return list(zip(*columns, strict=True))


def test_games_add_up_to_pairs_whoever_is_called_a() -> None:
    results = PairResults.of_games(GAMES)
    assert results.players.tolist() == [10, 11, 12]
    assert rows(results) == [(0, 1, 0.0, 1, 1), (0, 1, 1.5, 2, 1), (0, 2, 1.0, 1, 1), (1, 2, 0.5, 2, 1)]


def test_without_forfeits_the_other_game_of_a_pair_stays() -> None:
    results = PairResults.of_games(GAMES.where(~GAMES.forfeit))
    assert rows(results) == [(0, 1, 1.0, 1, 1), (0, 2, 1.0, 1, 1), (1, 2, 0.5, 2, 1)]


def test_forfeits_matter_to_ratings_only_where_they_count() -> None:
    # Of four games, A wins one, loses one by a fault, and draws two.
    played = games(*((0, 1, k // 2, k % 2, (1.0, 0.0, 0.5, 0.5)[k % 4], k % 4 == 1) for k in range(80)))
    assert bradley_terry(PairResults.of_games(played))[0] == pytest.approx(0)
    assert bradley_terry(PairResults.of_games(played.where(~played.forfeit)))[0] > 50


def test_pairs_of_different_editions_are_different() -> None:
    played = games((1, 2, 0, 0, 1.0, False), (1, 2, 0, 1, 1.0, False), editions=("a", "b"))
    assert rows(PairResults.of_games(played)) == [(0, 1, 1.0, 1, 2)]


def test_no_games() -> None:
    results = PairResults.of_games(games(), np.array([3, 4]))
    assert rows(results) == []
    assert results.won().tolist() == [[0, 0], [0, 0]]


def test_pairs_that_are_alike_are_counted() -> None:
    a, b = np.array([1, 0, 0, 2, 0]), np.array([0, 1, 1, 0, 1])
    points, size = np.array([0.5, 1.5, 0.0, 1.0, 1.0]), np.array([2, 2, 2, 1, 1])
    results = PairResults.of_pairs(np.arange(3), a, b, points, size)
    assert rows(results) == [(0, 1, 1.0, 1, 1), (0, 1, 0.0, 2, 1), (0, 1, 1.5, 2, 2), (0, 2, 0.0, 1, 1)]
    assert results.starts().tolist() == [0, 3]
    assert results.won().tolist() == [[0, 4, 0], [3, 0, 0], [1, 0, 0]]


@pytest.mark.parametrize(
    ("players", "a", "b", "points", "size", "message"),
    [
        (0, [], [], [], [], "0 players"),
        (2, [0], [2], [1.0], [2], "from 0 to 1"),
        (2, [-1], [1], [1.0], [2], "from 0 to 1"),
        (2, [1], [1], [1.0], [2], "itself"),
        (2, [0], [1], [1.0, 1.0], [2], "same length"),
        (2, [0], [1], [1.5], [1], "points of a pair"),
        (2, [0], [1], [0.3], [2], "points of a pair"),
        (2, [0], [1], [0.0], [3], "one game or two"),
    ],
)
def test_what_cannot_be_pairs_is_refused(
    players: int, a: list[int], b: list[int], points: list[float], size: list[int], message: str
) -> None:
    with pytest.raises(CallerError, match=message):
        PairResults.of_pairs(np.arange(players), *map(np.array, (a, b, points, size)))


def test_a_pair_cannot_have_three_games() -> None:
    with pytest.raises(CallerError, match="one game or two"):
        PairResults.of_games(games(*((0, 1, 0, 0, 1.0, False) for _ in range(3))))


# Win rates


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
