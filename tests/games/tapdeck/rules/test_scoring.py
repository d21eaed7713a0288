"""Scores of matches and tournaments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.games.tapdeck.rules import scoring
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from cardrome.games.tapdeck.rules.scoring import match_score, scores_of, tournament_points
from cardrome.games.tapdeck.rules.state import new_states


@pytest.mark.parametrize(
    ("initial", "mine", "theirs", "score"),
    [
        (10, 10, 10, 15),
        (10, 10, 0, 40),
        (10, 0, 10, -10),
        (10, 1, 0, 31),
        (10, 0, 1, -1),
        (10, 10, 1, 24),
        (10, 1, 10, 6),
        (10, 4, 8, 11),
        (2, 2, 2, 3),
        (2, 1, 2, 2),
        (10_000, 1, 0, 30_001),
        (10_000, 10_000, 9_999, 15_001),
    ],
)
def test_the_score_of_a_match(initial: int, mine: int, theirs: int, score: int) -> None:
    edition = TapdeckEdition(initial_health=initial)
    rules = edition.rules
    assert match_score(rules[0], mine, theirs) == score
    states = new_states()
    states["health"][0] = (mine, theirs)
    assert (scoring.score(rules, states, 0, 0), scoring.score(rules, states, 0, 1)) == (score, 3 * initial - score)
    assert scores_of(edition, states["health"]).tolist() == [[score, 3 * initial - score]]


@given(st.integers(1, 5000).map(lambda half: 2 * half), st.data())
def test_the_two_scores_of_a_match_add_up_to_three_times_the_initial_health(initial: int, data: st.DataObject) -> None:
    rules = TapdeckEdition(initial_health=initial).rules[0]
    mine = data.draw(st.integers(0, initial))
    theirs = data.draw(st.integers(0 if mine else 1, initial))
    assert match_score(rules, mine, theirs) + match_score(rules, theirs, mine) == 3 * initial


def test_a_win_beats_everything_else() -> None:
    rules = TapdeckEdition(initial_health=10).rules[0]
    worst_win = match_score(rules, 1, 0)
    others = [match_score(rules, mine, theirs) for mine in range(11) for theirs in range(1, 11)]
    assert worst_win > max(others)
    assert min(score for score in others if score > -1) == match_score(rules, 1, 10) > match_score(rules, 0, 1)


def test_ranks_count_strictly_smaller_scores_of_all_players() -> None:
    # All scores: -10, 6, 15, 15, 24, 40. Ranks: 0, 1, 2, 2, 4, 5.
    points = tournament_points([[-10, 15], [40, 6], [15, 24]])
    assert points == pytest.approx([0 + 2**1.5, 5**1.5 + 1, 2**1.5 + 4**1.5])


def test_equal_scores_share_the_lower_rank() -> None:
    assert tournament_points([[15, 15], [15, 15], [15, 15]]) == [0.0, 0.0, 0.0]
    assert tournament_points([[7, 7], [3, 9], [7, 3]]) == pytest.approx([2 * 2**1.5, 5**1.5, 2**1.5])


def test_a_tournament_of_nobody_and_of_players_without_matches() -> None:
    assert tournament_points([]) == []
    assert tournament_points([[]]) == [0.0]
    assert tournament_points([[], [5], [1]]) == [0.0, 1.0, 0.0]


def test_equal_bots_in_mirrored_matches_have_equal_points() -> None:
    # In every pair whoever begins wins by the same health: each player begins as often as they come second.
    players = 7
    scores: list[list[int]] = [[] for _ in range(players)]
    for first in range(players):
        for second in range(players):
            if first != second:
                scores[first].append(36)
                scores[second].append(-6)
    points = tournament_points(scores)
    assert len(set(points)) == 1
    assert points[0] == pytest.approx((players - 1) * (players * (players - 1)) ** 1.5)


def test_the_order_of_a_player_s_matches_does_not_matter_to_the_last_bit() -> None:
    own = [3, 40, 15, 6, -9, 22, 31, 15]
    one, other = tournament_points([own, own[::-1]])
    assert one == other


SCORES = st.lists(st.lists(st.integers(-20, 60), max_size=12), max_size=8)


@given(SCORES)
def test_points_as_the_formula_says(scores: list[list[int]]) -> None:
    everything = [score for own in scores for score in own]
    expected = [sum(sum(other < score for other in everything) ** 1.5 for score in own) for own in scores]
    assert tournament_points(scores) == pytest.approx(expected)
