"""What the scoreboard makes of a snapshot."""

from __future__ import annotations

import msgspec

from cardrome.server.snapshot import TournamentRow
from cardrome.web.live.view import COLUMNS, ScoreRow, scoreboard
from tests.web.live.live_event import snapshot, standings


def test_places_after_each_tournament_and_the_biggest_climb() -> None:
    teams = standings([("a", 1, (9.0, 1.0, None)), ("b", 1, (5.0, 1.0, 3.0)), ("c", 0, (1.0, 5.0, 9.0))])
    played = tuple(TournamentRow(n, "finished", 3, 6, 1) for n in (4, 5, 6))
    board = scoreboard(msgspec.structs.replace(snapshot(), teams=teams, tournaments=played, phase="pause"), None)
    assert board.columns == (4, 5, 6)
    rows = {row.name: row for row in board.rows}
    assert {name: row.places for name, row in rows.items()} == {"c": (3, 2, 1), "a": (1, 1, 2), "b": (2, 3, 3)}
    assert [(row.name, row.rank, row.move, row.now) for row in board.rows] == [
        ("c", 1, 1, 9.0),
        ("a", 2, -1, None),
        ("b", 3, 0, 3.0),
    ]
    assert board.climb is not None
    assert (board.climb.name, board.climb.before, board.climb.now) == ("c", 3, 1)
    assert not board.provisional


def test_equal_totals_share_a_rank_and_not_a_place() -> None:
    teams = standings([("a", 1, ()), ("b", 1, ()), ("c", 0, ())])
    board = scoreboard(msgspec.structs.replace(snapshot(tournaments=0), teams=teams), None)
    assert [(row.rank, row.move, row.places) for row in board.rows] == [(1, 0, ())] * 3
    assert board.climb is None
    assert board.columns == ()


def test_totals_count_tournaments_that_are_not_shown() -> None:
    board = scoreboard(snapshot(teams=5, tournaments=COLUMNS + 4, phase="pause", turns_left=None), None)
    assert board.columns == tuple(range(5, COLUMNS + 5))
    assert [row.total for row in board.rows] == sorted((row.total for row in board.rows), reverse=True)
    shown: list[ScoreRow] = sorted(board.rows, key=lambda row: row.places[-1])
    assert shown == list(board.rows)
    assert all(len(row.places) == COLUMNS for row in board.rows)
