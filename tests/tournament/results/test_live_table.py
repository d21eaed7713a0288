"""Standings of a running tournament: counts, ratings and the recent speed."""

from __future__ import annotations

import time

import pytest

from cardrome.tournament.results.live_table import LiveTable
from tests.tournament.results.tools import ended, entrants


def test_the_live_table_counts_stored_games_and_new_ones() -> None:
    table = LiveTable(entrants("a", "b", "c"), ended((0, 1, 0), (0, 1, 1, 0), (0, 9, 0)))
    table.add(ended((0, 1, 0, 1), (1, 2, 2), (0, 2, 0)))
    rows = {row.name: row for row in table.rows()}
    assert {name: (row.games, row.points, row.faults) for name, row in rows.items()} == {
        "a": (4, 3.0, 1),
        "b": (4, 1.5, 1),
        "c": (2, 0.5, 0),
    }
    assert [row.rank for row in table.rows()] == [1, 2, 3]
    assert table.rows()[0].name == "a"
    assert table.games == 3
    assert rows["a"].rate == 0.75


def test_a_table_without_games() -> None:
    rows = LiveTable(entrants("b", "a"), ended()).rows()
    assert [(row.name, row.elo, row.games, row.rate) for row in rows] == [("a", 0.0, 0, 0.0), ("b", 0.0, 0, 0.0)]


def test_the_speed_is_that_of_late(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    table = LiveTable(entrants("a", "b"), ended())
    assert table.games_per_second() == 0.0
    for _ in range(1000):
        now += 0.1
        table.add(ended(*[(0, 1, 0)] * 5))
    assert table.games_per_second() == pytest.approx(50, rel=0.02)
    assert len(table._recent) <= 202
    now += 60
    assert table.games_per_second() == 0.0
