"""Games become pairs, pairs become cells, and forfeits can be left out."""

from typing import Any

import numpy as np
import pytest

from cardrome.errors import CallerError
from cardrome.tournament.results.bradley_terry import bradley_terry
from cardrome.tournament.results.pair_results import GameResults, PairResults

GAMES: dict[str, Any] = {
    "players": 3,
    "a": np.array([0, 0, 2, 1, 0, 0]),
    "b": np.array([1, 1, 1, 2, 1, 2]),
    "pair": np.array([0, 0, 0, 0, 5, 0]),
    "game": np.array([0, 1, 0, 0, 0, 1]),
    "points": np.array([1.0, 0.5, 1.0, 0.5, 0.0, 1.0]),
    "forfeit": np.array([False, True, False, False, True, False]),
}


def rows(results: PairResults) -> list[tuple[int, int, float, int]]:
    columns = (results.a.tolist(), results.b.tolist(), results.points.tolist(), results.games.tolist())
    return list(zip(*columns, strict=True))


def test_games_add_up_to_pairs_whoever_is_called_a() -> None:
    assert rows(GameResults(**GAMES).pairs()) == [(0, 1, 1.5, 2), (0, 1, 0.0, 1), (0, 2, 1.0, 1), (1, 2, 0.5, 2)]


def test_without_forfeits_the_other_game_of_a_pair_stays() -> None:
    assert rows(GameResults(**GAMES).without_forfeits().pairs()) == [(0, 1, 1.0, 1), (0, 2, 1.0, 1), (1, 2, 0.5, 2)]


def test_forfeits_matter_to_ratings_only_where_they_count() -> None:
    n = 40
    index = np.arange(2 * n)
    faults = index % 4 == 1
    games = GameResults(
        players=2,
        a=np.zeros(2 * n, np.int64),
        b=np.ones(2 * n, np.int64),
        pair=index // 2,
        game=index % 2,
        points=np.where(faults, 0.0, (index % 4 == 0).astype(np.float64) + 0.5 * (index % 4 > 1)),
        forfeit=faults,
    )
    assert bradley_terry(games.pairs())[0] == pytest.approx(0)
    assert bradley_terry(games.without_forfeits().pairs())[0] > 50


def test_no_games() -> None:
    empty = np.zeros(0, np.int64)
    games = GameResults(2, empty, empty, empty, empty, np.zeros(0), np.zeros(0, np.bool_))
    assert rows(games.pairs()) == []
    assert len(games.pairs().cells().count) == 0


def test_cells_count_what_is_alike() -> None:
    a, b = np.array([1, 0, 0, 2, 0]), np.array([0, 1, 1, 0, 1])
    cells = PairResults(3, a, b, np.array([0.5, 1.5, 0.0, 1.0, 1.0]), np.array([2, 2, 2, 1, 1])).cells()
    columns = (cells.a.tolist(), cells.b.tolist(), cells.points.tolist(), cells.games.tolist(), cells.count.tolist())
    assert list(zip(*columns, strict=True)) == [
        (0, 1, 1.0, 1, 1),
        (0, 1, 0.0, 2, 1),
        (0, 1, 1.5, 2, 2),
        (0, 2, 0.0, 1, 1),
    ]
    assert cells.starts().tolist() == [0, 3]
    assert cells.won().tolist() == [[0, 4, 0], [3, 0, 0], [1, 0, 0]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": 0}, "0 players"),
        ({"players": 2}, "from 0 to 1"),
        ({"a": np.array([0, 0, 2, 1, 0, -1])}, "from 0 to 2"),
        ({"a": np.array([0, 0, 2, 1, 0, 2])}, "itself"),
        ({"points": np.array([1.0])}, "same length"),
        ({"points": np.array([1.0, 0.5, 1.0, 0.5, 0.0, 2.0])}, "points of a game"),
        ({"game": np.array([0, 1, 0, 0, 0, 2])}, "0 or 1"),
    ],
)
def test_what_cannot_be_results_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(CallerError, match=message):
        GameResults(**(GAMES | change))


@pytest.mark.parametrize(
    ("points", "games", "message"),
    [(1.5, 1, "points of a pair"), (0.3, 2, "points of a pair"), (0.0, 3, "one game or two")],
)
def test_what_cannot_be_pairs_is_refused(points: float, games: int, message: str) -> None:
    with pytest.raises(CallerError, match=message):
        PairResults(2, np.array([0]), np.array([1]), np.array([points]), np.array([games]))


def test_a_pair_cannot_have_three_games() -> None:
    with pytest.raises(CallerError, match="one game or two"):
        GameResults(**(GAMES | {"pair": np.zeros(6, np.int64)})).pairs()
