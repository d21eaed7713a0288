"""The ladder: better players climb, the same updates give the same table, and it survives being written down."""

import json
from typing import Any

import numpy as np
import pytest

from cardrome.errors import CallerError
from cardrome.tournament.results.ladder_ratings import MU, SIGMA, LadderRating, LadderTable


def climbed(seed: int = 1, pairs: int = 600) -> LadderTable:
    rng = np.random.default_rng(seed)
    table = LadderTable()
    strengths = {"weak": -1.0, "middling": 0.0, "strong": 1.0}
    for _ in range(pairs):
        a, b = rng.choice(list(strengths), 2, replace=False).tolist()
        table.update(a, b, float(rng.binomial(2, 1 / (1 + np.exp(strengths[b] - strengths[a])))))
    return table


def test_new_players_begin_in_the_middle_and_uncertain() -> None:
    table = LadderTable()
    assert (table.mu("new"), table.sigma("new"), table.ordinal("new")) == (MU, SIGMA, 0.0)
    assert table.standings() == []


def test_a_win_lifts_one_and_lowers_the_other() -> None:
    table = LadderTable()
    table.update("a", "b", 2)
    assert table.mu("a") > MU > table.mu("b")
    assert table.mu("a") - MU == pytest.approx(MU - table.mu("b"))
    assert table.sigma("a") == pytest.approx(table.sigma("b"))
    assert table.sigma("a") < SIGMA
    assert table["a"].pairs == table["b"].pairs == 1


def test_a_split_pair_is_a_draw() -> None:
    table = LadderTable()
    table.update("a", "b", 1)
    assert table.mu("a") == table.mu("b") == MU
    table = LadderTable({"a": LadderRating(30, 3), "b": LadderRating(20, 3)})
    table.update("a", "b", 1)
    assert 20 < table.mu("b") < table.mu("a") < 30


@pytest.mark.parametrize(("points", "games"), [(2.0, 2), (1.5, 2), (1.0, 1)])
def test_a_pair_is_one_result_however_clear(points: float, games: int) -> None:
    clear, other, mirrored = LadderTable(), LadderTable(), LadderTable()
    clear.update("a", "b", 2)
    other.update("a", "b", points, games)
    mirrored.update("b", "a", games - points, games)
    assert other.to_data() == clear.to_data()
    assert mirrored.mu("a") == pytest.approx(clear.mu("a"))


def test_better_players_climb() -> None:
    table = climbed()
    assert [name for name, _ in table.standings()] == ["strong", "middling", "weak"]
    assert all(rating.sigma < SIGMA / 3 for _, rating in table.standings())
    assert table.ordinal("strong") == table.mu("strong") - 3 * table.sigma("strong")


def test_the_same_updates_give_the_same_table() -> None:
    assert climbed().to_data() == climbed().to_data()
    assert climbed().to_data() != climbed(seed=2).to_data()


def test_a_table_goes_on_exactly_where_it_was_written_down() -> None:
    table = climbed(pairs=50)
    again = LadderTable.from_data(json.loads(json.dumps(table.to_data())))
    for ladder in (table, again):
        ladder.update("strong", "weak", 0.5)
        ladder.update("new", "middling", 1.5)
    assert again.to_data() == table.to_data()


def test_players_alike_are_sorted_by_name() -> None:
    table = LadderTable()
    table.update("y", "x", 1)
    assert [name for name, _ in table.standings()] == ["x", "y"]


def test_what_cannot_be_a_result_is_refused() -> None:
    table = LadderTable()
    with pytest.raises(CallerError, match="itself"):
        table.update("a", "a", 1)
    for points, games in ((-0.5, 2), (2.5, 2), (2, 1), (0, 0)):
        with pytest.raises(CallerError, match="points"):
            table.update("a", "b", points, games)


@pytest.mark.parametrize(
    "entry",
    [
        {"mu": 25.0, "sigma": 8.0},
        {"mu": "high", "sigma": 8.0, "pairs": 1},
        {"mu": 25.0, "sigma": 0.0, "pairs": 1},
        {"mu": float("nan"), "sigma": 8.0, "pairs": 1},
        {"mu": 25.0, "sigma": 8.0, "pairs": -1},
        7,
    ],
)
def test_what_cannot_be_a_table_is_refused(entry: Any) -> None:
    with pytest.raises(CallerError, match="ladder ratings"):
        LadderTable.from_data({"a": entry})
