"""The words of the live page."""

from __future__ import annotations

import msgspec

from cardrome.web.live.view import NEWEST, aligned, results_of, status_of
from tests.web.live.live_event import snapshot


def test_a_column_has_as_many_decimals_as_it_needs() -> None:
    assert aligned([12.0, 1 / 3, None, -0.001]) == ["12.00", "0.33", "·", "0.00"]
    assert aligned([12.0, None]) == ["12", "·"]
    assert aligned([]) == []


def test_only_the_newest_tournaments_are_shown() -> None:
    results = results_of(snapshot(tournaments=NEWEST + 7))
    assert [column.number for column in results.columns] == list(range(NEWEST + 7, 7, -1))
    assert all(len(cells) == NEWEST for _, cells in results.cells)
    assert results.note == "Showing the newest 50 of 57 tournaments; totals count all of them."
    assert results_of(snapshot(tournaments=NEWEST)).note == ""


def test_a_tournament_played_again_is_marked() -> None:
    results = results_of(snapshot(tournaments=4))
    assert [(column.number, column.again) for column in results.columns] == [
        (4, False),
        (3, True),
        (2, False),
        (1, False),
    ]
    again = snapshot(tournaments=1)
    playing = msgspec.structs.replace(again.tournaments[-1], attempts=2)
    again = msgspec.structs.replace(again, tournaments=(again.tournaments[0], playing))
    assert status_of(again).headline == "Tournament 2 of 6, played again after a restart"


def test_there_is_no_bar_without_a_length() -> None:
    assert (status_of(snapshot()).done, status_of(snapshot()).of) == (19, 60)
    assert status_of(snapshot(turns=None)).of == 0
    assert status_of(snapshot(turns_left=None, phase="pause")).of == 0
