"""Games add up to pairs, pairs that are alike are counted, and forfeits can be left out."""

from __future__ import annotations

import numpy as np
import pytest

from cardrome.errors import CallerError
from cardrome.tournament.results.bradley_terry import bradley_terry
from cardrome.tournament.results.pairs import PairResults
from tests.tournament.results.tools import games

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
