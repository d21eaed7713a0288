"""Ratings: known values, another implementation, extremes, and intervals that cover the truth as often as they say."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrome.arena.elo import elo_of_rate
from cardrome.arena.statistics import Estimate
from cardrome.errors import CallerError
from cardrome.tournament.games import Floats
from cardrome.tournament.results.pairs import PairResults
from cardrome.tournament.results.ratings import ELO, RatingTable, bradley_terry, rate
from tests.tournament.results.tools import ids


def pairs(players: int, *rows: tuple[int, int, float]) -> PairResults:
    """Pairs given as player, player and the first one's points."""
    a, b, points = (np.array(column) for column in zip(*rows, strict=True)) if rows else (np.zeros(0),) * 3
    return PairResults.of_pairs(ids(players), a.astype(np.int64), b.astype(np.int64), points.astype(np.float64))


def by_choix(won: Floats) -> Floats:
    """What the library choix makes of a matrix of won games; imported here, for it brings all of SciPy."""
    import choix

    strengths: Floats = choix.ilsr_pairwise_dense(won, tol=1e-11)
    return strengths


def play(rng: np.random.Generator, strengths: Floats, each: int, luck: float = 0.0) -> PairResults:
    """A round-robin in which everybody meets everybody else in so many pairs. With the chance ``luck``, the deal alone
    decides a pair: its second game ends like the first."""
    low, high = np.triu_indices(len(strengths), 1)
    a, b = np.repeat(low, each), np.repeat(high, each)
    chance = 1 / (1 + np.exp(strengths[b] - strengths[a]))
    first, second = rng.random((2, len(a))) < chance
    second = np.where(rng.random(len(a)) < luck, first, second)
    return PairResults.of_pairs(ids(len(strengths)), a, b, first + second.astype(np.float64))


def elo(table: RatingTable) -> list[float]:
    """Elo by number of player."""
    return [rating.elo.value for rating in sorted(table.ratings, key=lambda rating: rating.entrant)]


def coverage(strengths: Floats, luck: float, apart: bool = False) -> float:
    """How often intervals hold the truth, over 100 tournaments. ``apart`` takes each pair for two independent games."""
    rng = np.random.default_rng(11)
    covered = 0
    for seed in range(100):
        results = play(rng, strengths, each=10, luck=luck)
        if apart:
            # With luck 1 both games of a pair end alike, so each of them has half of the points.
            times = 2 * results.count
            a, b, points = np.repeat(results.a, times), np.repeat(results.b, times), np.repeat(results.points, times)
            results = PairResults.of_pairs(results.players, a, b, points / 2, np.ones(len(a), np.int64))
        for rating in rate(results, replicates=200, seed=seed).ratings:
            covered += rating.elo.low <= ELO * strengths[rating.entrant] <= rating.elo.high
    return covered / (100 * len(strengths))


def test_two_players_get_the_elo_of_their_rate() -> None:
    low, high = bradley_terry(pairs(2, *[(0, 1, 0.5)] * 5000, *[(0, 1, 0.0)] * 5000))
    assert high - low == pytest.approx(elo_of_rate(7 / 8), abs=0.5)
    assert high == pytest.approx(-low)


def test_virtual_games_alone_decide_what_one_won_pair_says() -> None:
    # One strength x for the winner, -x for the loser: 2 wins of 2 games at odds exp(2x), 1 of 2 at odds exp(x).
    first, _ = bradley_terry(pairs(2, (0, 1, 2.0)))
    x = first / ELO
    assert 2 / (1 + math.exp(2 * x)) + 1 - 2 / (1 + math.exp(-x)) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("each", [3, 300])
def test_agrees_with_choix_given_the_same_virtual_games(each: int) -> None:
    results = play(np.random.default_rng(3), np.array([-1.0, -0.4, 0.0, 0.1, 0.7, 1.2]), each)
    matrix = np.zeros((7, 7))
    matrix[:6, :6] = results.won()
    matrix[6, :6] = matrix[:6, 6] = 1
    expected = by_choix(matrix)[:6]
    assert bradley_terry(results) == pytest.approx(ELO * (expected - expected.mean()), abs=1e-6)


def test_virtual_games_fade_with_data() -> None:
    results = play(np.random.default_rng(4), np.array([-1.0, -0.4, 0.0, 0.1, 0.7, 1.2]), each=20_000)
    expected = by_choix(results.won())
    assert bradley_terry(results) == pytest.approx(ELO * (expected - expected.mean()), abs=0.01)


def test_draws_are_half_a_win_and_half_a_loss() -> None:
    drawn = bradley_terry(pairs(3, *[(0, 1, 1.5), (1, 2, 1.5)] * 20))
    decided = bradley_terry(pairs(3, *[(0, 1, 2.0), (0, 1, 1.0), (1, 2, 2.0), (1, 2, 1.0)] * 10))
    assert drawn == pytest.approx(decided)
    assert bradley_terry(pairs(2, (0, 1, 1.0))) == pytest.approx([0, 0])


def test_the_mean_is_zero() -> None:
    results = pairs(3, *[(0, 1, 1.5), (1, 2, 1.5)] * 20)
    assert bradley_terry(results).mean() == pytest.approx(0)
    assert elo(rate(results, replicates=10)) == pytest.approx(bradley_terry(results))


def test_entrants_keep_their_ids() -> None:
    results = PairResults.of_pairs(np.array([7, 12, 40]), np.array([1, 1]), np.array([0, 2]), np.array([1.5, 2.0]))
    table = rate(results, replicates=10)
    assert [rating.entrant for rating in table.ratings] == [12, 7, 40]
    assert table.groups == ((7, 12, 40),)


PLAYER = st.integers(0, 4)
ROWS = st.lists(
    st.tuples(PLAYER, PLAYER, st.integers(0, 4), st.booleans()).filter(lambda row: row[0] != row[1]), max_size=30
)
"""Two players, half points of the first, and whether to swap them."""


@settings(max_examples=50, deadline=None)
@given(rows=ROWS, data=st.data())
def test_order_and_sides_change_nothing_at_all(rows: list[tuple[int, int, int, bool]], data: st.DataObject) -> None:
    table = rate(pairs(5, *[(a, b, half / 2) for a, b, half, _ in rows]), replicates=10)
    shuffled = data.draw(st.permutations(rows))
    other = [(b, a, 2 - half / 2) if swap else (a, b, half / 2) for a, b, half, swap in shuffled]
    again = rate(pairs(5, *other), replicates=10)
    assert again == table


@settings(max_examples=50, deadline=None)
@given(rows=ROWS, new=st.permutations(range(5)))
def test_numbers_of_players_mean_nothing(rows: list[tuple[int, int, int, bool]], new: list[int]) -> None:
    before = bradley_terry(pairs(5, *[(a, b, half / 2) for a, b, half, _ in rows]))
    after = bradley_terry(pairs(5, *[(new[a], new[b], half / 2) for a, b, half, _ in rows]))
    assert after[new] == pytest.approx(before, abs=1e-6)


def test_table_is_sorted_and_the_seed_decides_the_intervals() -> None:
    results = play(np.random.default_rng(5), np.array([0.0, 1.0, -1.0, 0.5]), each=30)
    table = rate(results, replicates=100, seed=1)
    assert [rating.entrant for rating in table.ratings] == [1, 3, 0, 2]
    assert [rating.rank for rating in table.ratings] == [1, 2, 3, 4]
    assert all(rating.elo.low < rating.elo.value < rating.elo.high for rating in table.ratings)
    assert all(rating.rank_low <= rating.rank <= rating.rank_high for rating in table.ratings)
    assert all(rating.games == 180 for rating in table.ratings)
    assert sum(rating.points for rating in table.ratings) == 360
    assert rate(results, replicates=100, seed=1).ratings == table.ratings
    assert rate(results, replicates=100, seed=2).ratings != table.ratings
    assert all(rating.rate == rating.points / 180 for rating in table.ratings)
    assert table.groups == ((0, 1, 2, 3),)


@pytest.mark.parametrize("luck", [0.0, 1.0])
def test_intervals_cover_the_truth_about_as_often_as_they_say(luck: float) -> None:
    assert 0.92 <= coverage(np.linspace(-1, 1, 6), luck) <= 0.98


def test_taking_pairs_for_independent_games_would_cover_too_little() -> None:
    assert coverage(np.linspace(-1, 1, 6), luck=1.0, apart=True) < 0.88


def test_ranks_of_equal_players_stay_open() -> None:
    table = rate(play(np.random.default_rng(6), np.zeros(5), each=20), replicates=300)
    assert max(rating.rank_high - rating.rank_low for rating in table.ratings) >= 3
    assert all(1 <= rating.rank_low <= rating.rank_high <= 5 for rating in table.ratings)


def test_who_won_or_lost_everything_stays_finite_and_keeps_doubt() -> None:
    rows = [(0, 1, 2.0), (0, 2, 2.0), (1, 3, 2.0), (2, 3, 2.0), (0, 3, 2.0), (1, 2, 1.0)] * 10
    table = rate(pairs(4, *rows), replicates=400)
    best, worst = table.ratings[0], table.ratings[-1]
    assert (best.entrant, best.one_sided, worst.entrant, worst.one_sided) == (0, True, 3, True)
    assert [rating.one_sided for rating in table.ratings[1:3]] == [False, False]
    for rating in (best, worst):
        assert rating.elo.high - rating.elo.low > 200
        assert abs(rating.elo.value) < rating.games * 50
        assert -3000 < rating.elo.low < rating.elo.value < rating.elo.high < 3000
    assert len(table.groups) == 1


def test_more_games_won_mean_more_strength_even_without_a_loss() -> None:
    strengths = [bradley_terry(pairs(2, *[(0, 1, 2.0)] * n))[0] for n in (1, 10, 1000, 50_000)]
    assert strengths == sorted(strengths)
    assert math.isfinite(strengths[-1])


def test_interval_of_a_clean_sweep_shrinks_from_below() -> None:
    lows = [rate(pairs(2, *[(0, 1, 2.0)] * n), replicates=200).ratings[0].elo.low for n in (5, 50, 500)]
    assert 0 < lows[0] < lows[1] < lows[2]


def test_groups_that_never_met_are_named() -> None:
    table = rate(pairs(5, *[(0, 1, 1.5), (2, 3, 0.5)] * 10), replicates=50)
    assert table.groups == ((0, 1), (2, 3), (4,))
    # Each group lies around the average player.
    zero, one, two, three, four = elo(table)
    assert zero == pytest.approx(three)
    assert zero == pytest.approx(-one)
    assert one == pytest.approx(two)
    assert four == pytest.approx(0)
    assert [rating.rank for rating in table.ratings] == [1, 1, 3, 4, 4]


def test_no_games_at_all() -> None:
    table = rate(pairs(3), replicates=200)
    assert elo(table) == [0, 0, 0]
    assert all((rating.games, rating.points, rating.one_sided) == (0, 0, False) for rating in table.ratings)
    assert all(rating.elo.low < -200 and rating.elo.high > 200 for rating in table.ratings)
    assert all((rating.rank, rating.rank_low, rating.rank_high) == (1, 1, 3) for rating in table.ratings)
    assert table.groups == ((0,), (1,), (2,))


def test_one_player() -> None:
    (only,) = rate(pairs(1), replicates=10).ratings
    assert (only.rank, only.elo) == (1, Estimate(0, 0, 0))


def test_blocks_of_replicates_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    results = play(np.random.default_rng(7), np.array([0.0, 1.0, -1.0]), each=5)
    table = rate(results, replicates=20)
    monkeypatch.setattr("cardrome.tournament.results.ratings.BLOCK", 50)
    assert elo(rate(results, replicates=20)) == elo(table)
    assert [rating.elo.low for rating in rate(results, replicates=20).ratings] == pytest.approx(
        [rating.elo.low for rating in table.ratings]
    )


def test_an_interval_needs_replicates() -> None:
    with pytest.raises(CallerError, match="replicates"):
        rate(pairs(2), replicates=0)
