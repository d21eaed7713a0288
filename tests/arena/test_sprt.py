"""Sequential tests: the ratio against an independent maximisation, error rates by simulation, fixed places to stop."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.arena.elo import rate_of_elo
from cardrome.arena.sprt import LOOK_EVERY, Decision, Sprt, SprtResult, Watch
from cardrome.arena.statistics import PairCounts
from cardrome.errors import CallerError

some_counts = st.tuples(*[st.integers(0, 500)] * 3).filter(lambda counts: sum(counts) > 0)


def test_bounds() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Sprt(0, 5, alpha=0.1, beta=0.2).bounds == pytest.approx((math.log(0.2 / 0.9), math.log(0.8 / 0.1)))


def best_likelihood(counts: PairCounts, score: float) -> float:
    """The greatest log-likelihood at a score, by trying all chances of a split pair on a fine grid."""
    split = np.linspace(0, 2 * min(score, 1 - score), 200_001)[1:-1]
    won, lost = score - split / 2, 1 - score - split / 2
    return float((counts[0] * np.log(lost) + counts[1] * np.log(split) + counts[2] * np.log(won)).max())


@pytest.mark.parametrize("counts", [(20, 50, 30), (200, 620, 230), (5, 3, 90), (60, 1, 10)])
@pytest.mark.parametrize("elos", [(0, 10), (-30, 50), (150, 160)])
def test_ratio_is_that_of_the_most_likely_chances(counts: PairCounts, elos: tuple[float, float]) -> None:
    h0, h1 = (best_likelihood(counts, rate_of_elo(elo)) for elo in elos)
    assert Sprt(*elos).llr(counts) == pytest.approx(h1 - h0, abs=1e-6)


def test_ratio_is_near_its_normal_approximation() -> None:
    counts, test = (2400, 5100, 2500), Sprt(0, 5)
    shares = np.repeat([0.0, 0.5, 1.0], counts)
    s0, s1 = rate_of_elo(0), rate_of_elo(5)
    normal = len(shares) * (s1 - s0) * (2 * shares.mean() - s0 - s1) / (2 * shares.var())
    assert test.llr(counts) == pytest.approx(normal, rel=0.01)


def test_nothing_seen_says_nothing() -> None:
    assert Sprt(0, 5).llr((0, 0, 0)) == 0
    assert Sprt(0, 5).decide((0, 0, 0)) is Decision.CONTINUE


@pytest.mark.parametrize(
    ("counts", "decision"),
    [((0, 0, 1000), Decision.H1), ((1000, 0, 0), Decision.H0), ((0, 1000, 0), Decision.H0)],
)
def test_pairs_that_are_all_alike_decide(counts: PairCounts, decision: Decision) -> None:
    assert Sprt(0, 10).decide(counts) is decision


@given(some_counts)
def test_swapping_players_and_hypotheses_negates(counts: PairCounts) -> None:
    lost, split, won = counts
    assert Sprt(-10, 3).llr((won, split, lost)) == pytest.approx(-Sprt(-3, 10).llr(counts), abs=1e-9)


@given(some_counts)
def test_a_symmetric_test_leans_to_whoever_won_more_pairs(counts: PairCounts) -> None:
    lead, llr = counts[2] - counts[0], Sprt(-10, 10).llr(counts)
    assert llr * lead > 0 or (abs(llr) < 1e-9 and lead == 0)


def play_out(test: Sprt, elo: float, split: float, rng: np.random.Generator) -> tuple[Decision, int]:
    """A series of pairs by chance, until the test is decided."""
    score = rate_of_elo(elo)
    chances = [1 - score - split / 2, split, score - split / 2]
    watch, pairs = Watch(test), 0
    while watch.decision is Decision.CONTINUE:
        pairs += watch.follow(rng.choice(3, 500, p=chances).tolist())
    return watch.decision, pairs


@pytest.mark.parametrize(("test", "split"), [(Sprt(0, 30), 0.3), (Sprt(-100, -60, 0.1, 0.05), 0.6)], ids=str)
def test_error_rates_hold(test: Sprt, split: float) -> None:
    rng = np.random.default_rng(11)
    runs = 150
    false_h1 = sum(play_out(test, test.elo0, split, rng)[0] is Decision.H1 for _ in range(runs))
    false_h0 = sum(play_out(test, test.elo1, split, rng)[0] is Decision.H0 for _ in range(runs))
    for wrong, chance in ((false_h1, test.alpha), (false_h0, test.beta)):
        assert wrong <= runs * chance + 3 * math.sqrt(runs * chance * (1 - chance))


def test_clear_differences_end_early() -> None:
    rng = np.random.default_rng(3)
    test = Sprt(0, 30)
    close, clear, worse = ([play_out(test, elo, 0.5, rng) for _ in range(50)] for elo in (15, 120, -120))
    assert {decision for decision, _ in clear} == {Decision.H1}
    assert {decision for decision, _ in worse} == {Decision.H0}
    assert sum(n for _, n in clear) * 5 < sum(n for _, n in close)


@given(st.lists(st.integers(1, 300), min_size=1), st.integers(0, 1000))
def test_ends_at_the_same_pair_however_results_arrive(sizes: list[int], seed: int) -> None:
    points = np.random.default_rng(seed).choice(3, 4000, p=[0.1, 0.4, 0.5]).tolist()
    whole = Watch(Sprt(0, 20))
    end = whole.follow(points)
    assert whole.decision is Decision.H1
    assert end % LOOK_EVERY == 0
    parts, taken = Watch(Sprt(0, 20)), 0
    while parts.decision is Decision.CONTINUE:
        for size in sizes:
            taken += parts.follow(points[taken : taken + size])
    assert (taken, parts.decision) == (end, whole.decision)


def test_is_read_from_text() -> None:
    assert Sprt.parse("0,10") == Sprt(0, 10, 0.05, 0.05)
    assert Sprt.parse("-2.5, 2.5, 0.1, 0.01") == Sprt(-2.5, 2.5, 0.1, 0.01)
    assert Sprt.parse(str(Sprt(-1.5, 7, 0.01, 0.1))) == Sprt(-1.5, 7, 0.01, 0.1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("10", "expected elo0,elo1"),
        ("0,5,0.05", "expected elo0,elo1"),
        ("a,b", "expected elo0,elo1"),
        ("5,5", "elo0 must be below elo1"),
        ("5,0", "elo0 must be below elo1"),
        ("0,inf", "finite"),
        ("nan,5", "finite"),
        ("0,5,0,0.05", "alpha=0"),
        ("0,5,0.05,0.7", "beta=0.7"),
        ("0,5,0.05,nan", "beta=nan"),
    ],
)
def test_impossible_tests_are_refused(text: str, message: str) -> None:
    with pytest.raises(CallerError, match=message):
        Sprt.parse(text)


def test_is_shown_as_chess_programs_do() -> None:
    assert (
        str(SprtResult(Sprt(0, 5), 1.4722194895832204, Decision.CONTINUE)) == "1.47 (50.0%) (-2.94, 2.94) [0.00, 5.00]"
    )
    assert str(SprtResult(Sprt(0, 5), -2.9444389791664403, Decision.H0)).startswith("-2.94 (-100.0%)")
