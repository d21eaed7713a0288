"""Rounds and the ladder: better players climb, and the same results in the same order give the same table."""

from __future__ import annotations

import numpy as np
import pytest

from cardrome.errors import CallerError
from cardrome.tournament.results.rounds import MU, SIGMA, LadderTable, RoundResults, ladder_table
from cardrome.tournament.schedule.pairing import Pairing, Total
from tests.tournament.results.tools import games

WEAK, MIDDLING, STRONG = 1, 2, 3


def climbed(seed: int = 1, pairs: int = 600) -> LadderTable:
    rng = np.random.default_rng(seed)
    table = LadderTable()
    strengths = {WEAK: -1.0, MIDDLING: 0.0, STRONG: 1.0}
    for _ in range(pairs):
        a, b = rng.choice(list(strengths), 2, replace=False).tolist()
        table.update(a, b, float(rng.binomial(2, 1 / (1 + np.exp(strengths[b] - strengths[a])))), 2)
    return table


def test_new_players_begin_in_the_middle_and_uncertain() -> None:
    new = LadderTable()[9]
    assert (new.mu, new.sigma, new.ordinal, new.results) == (MU, SIGMA, 0.0, 0)
    assert LadderTable().standings() == []


def test_a_win_lifts_one_and_lowers_the_other() -> None:
    table = LadderTable()
    table.update(1, 2, 2, 2)
    assert table[1].mu > MU > table[2].mu
    assert table[1].mu - MU == pytest.approx(MU - table[2].mu)
    assert table[1].sigma == pytest.approx(table[2].sigma)
    assert table[1].sigma < SIGMA
    assert table[1].results == table[2].results == 1


def test_a_split_pair_is_a_draw() -> None:
    table = LadderTable()
    table.update(1, 2, 1, 2)
    assert table[1].mu == table[2].mu == MU
    table.update(1, 2, 2, 2)
    ahead, behind = table[1].mu, table[2].mu
    table.update(1, 2, 1, 2)
    assert behind < table[2].mu < table[1].mu < ahead


@pytest.mark.parametrize(("points", "played"), [(2.0, 2), (1.5, 2), (1.0, 1), (40.5, 60)])
def test_a_meeting_is_one_result_however_clear(points: float, played: int) -> None:
    clear, other, mirrored = LadderTable(), LadderTable(), LadderTable()
    clear.update(1, 2, 2, 2)
    other.update(1, 2, points, played)
    mirrored.update(2, 1, played - points, played)
    assert other.standings() == clear.standings()
    assert mirrored[1].mu == pytest.approx(clear[1].mu)


def test_better_players_climb() -> None:
    table = climbed()
    assert [player for player, _ in table.standings()] == [STRONG, MIDDLING, WEAK]
    assert all(rating.sigma < SIGMA / 3 for _, rating in table.standings())
    assert table[STRONG].ordinal == table[STRONG].mu - 3 * table[STRONG].sigma


def test_the_same_updates_give_the_same_table() -> None:
    assert climbed().standings() == climbed().standings()
    assert climbed().standings() != climbed(seed=2).standings()


def test_equal_players_are_sorted_by_id() -> None:
    table = LadderTable()
    table.update(10, 9, 1, 2)
    assert [player for player, _ in table.standings()] == [9, 10]


def test_what_cannot_be_a_result_is_refused() -> None:
    table = LadderTable()
    with pytest.raises(CallerError, match="itself"):
        table.update(1, 1, 1, 2)
    for points, played in ((-0.5, 2), (2.5, 2), (2, 1), (0, 0)):
        with pytest.raises(CallerError, match="points"):
            table.update(1, 2, points, played)


EDITION = "locm-1.2"
FIRST = [Pairing(EDITION, 1, 2, 0, 2), Pairing(EDITION, 3, 4, 0, 2)]
SECOND = [Pairing(EDITION, 1, 2, 2, 2), Pairing(EDITION, 3, 4, 2, 2)]


def test_rounds_count_when_they_are_over() -> None:
    results = RoundResults(2, games((1, 2, 0, 0, 1.0, False), (1, 2, 0, 1, 0.5, False)))
    results.add(games((1, 2, 1, 0, 1.0, False), (1, 2, 1, 1, 0.0, False), (1, 2, 2, 0, 0.0, False)))
    assert results.totals == {}
    results.end_round(0, FIRST)
    # 3 and 4 did not play: one of them has left, and the other has a bye.
    assert results.totals == {(EDITION, 1, 2): Total(2.5, 2)}
    assert results.ratings([1, 3]) == {1: (results.table[1].mu, results.table[1].sigma), 3: (MU, SIGMA)}
    assert results.table[1].mu > MU
    results.end_round(1, SECOND)
    assert results.totals == {(EDITION, 1, 2): Total(2.5, 2)}, "a pairing that was not played to its end"
    assert results.table[1].results == 2, "but it moves the ratings"


def test_a_ladder_is_rated_round_by_round() -> None:
    played = games(*((1, 2, pair, first, 1.0 if pair < 2 else 0.0, False) for pair in range(4) for first in (0, 1)))
    expected = LadderTable()
    expected.update(1, 2, 4, 4)
    expected.update(1, 2, 0, 4)
    assert ladder_table(played, [FIRST, SECOND]).standings() == expected.standings()
    assert ladder_table(games(), []).standings() == []
