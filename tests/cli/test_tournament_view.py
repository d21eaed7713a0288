"""What a tournament shows while it runs and at its end, on a terminal, as lines and as JSON."""

from __future__ import annotations

import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console

from cardrome.cli import console
from cardrome.cli.tournament.view import JsonView, LiveView, PlainView, duration, print_standings, standings_table
from cardrome.tournament.games import GameTable
from cardrome.tournament.results.live_table import LiveTable
from cardrome.tournament.results.summary import summarize
from cardrome.tournament.store.store import TournamentStore
from tests.tournament.results.tools import ended, entrants
from tests.tournament.tools import THREE, agent, run_cup, write_cup

HOSTILE = "\x9b31m[red]x[/] \u202eturned"


def drawn(view: Any, width: int = 100, height: int = 30) -> str:
    console = Console(record=True, width=width, height=height, file=io.StringIO(), force_terminal=True)
    console.print(view)
    return console.export_text()


def test_the_live_view_says_how_far_it_is() -> None:
    view = LiveView("Spring Cup")
    assert "Spring Cup" in drawn(view)
    players = entrants("strong", "weak")
    view.begin(players, LiveTable(players, ended()))
    view.round(1, 1000, 0, 4000)
    view.played(ended(*[(0, 1, 0)] * 300))
    view.message("weak is late")
    text = drawn(view)
    assert "round 1: 300 of 1,000 games" in text
    assert "weak is late" in text
    assert text.index("strong") < text.index("weak")
    assert "100.0%" in text


def test_a_hostile_name_is_only_a_name() -> None:
    view = LiveView(HOSTILE)
    players = entrants(HOSTILE, "[bold]b", "\x1b[2Jc")
    view.begin(players, LiveTable(players, ended()))
    view.round(1, 10, 0, 10)
    view.played(ended((0, 1, 0), (1, 2, 0)))
    view.message(f"{HOSTILE} is left out:\n\x1b[2Jwhat it wrote")
    text = drawn(view)
    assert text.replace("\n", "").isprintable()
    assert "[red]x[/]" in text
    assert "[bold]b" in text
    assert "what it wrote" in text


def test_a_large_field_fits_the_terminal() -> None:
    players = entrants(*(f"bot{k}" for k in range(200)))
    view = LiveView("Cup")
    view.begin(players, LiveTable(players, ended()))
    view.round(1, 200, 0, None)
    view.played(ended(*((k, k + 1, 0) for k in range(0, 200, 2))))
    text = drawn(view, height=24)
    assert len(text.splitlines()) <= 24
    assert "more" in text
    assert "more" not in drawn(standings_table(LiveTable(players[:3], ended()).rows(), 3))


def test_plain_lines_come_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    view = PlainView(HOSTILE)
    view.round(1, 100, 40, 100)
    for _ in range(50):
        view.played(ended((0, 1, 0)))
    view.message("its build failed:\nno such file")
    err = capsys.readouterr().err.splitlines()
    assert [line.rpartition("turned: ")[2] for line in err] == [
        "resuming: 40 of 100 games are stored already",
        "round 1: 41 of 100 games",
        "its build failed:",
        "no such file",
    ]
    assert all(line.isprintable() for line in err)


def test_json_lines_hold_any_name(capsys: pytest.CaptureFixture[str]) -> None:
    view = JsonView(HOSTILE)
    players = entrants(HOSTILE, "b")
    view.begin(players, LiveTable(players, ended()))
    view.message(HOSTILE)
    view.played(ended((0, 1, 1, 0)))
    told, message, game = map(json.loads, capsys.readouterr().out.splitlines())
    assert told["entrants"][0] == {"id": 0, "name": HOSTILE, "version": "1"}
    assert message == {"event": "message", "text": HOSTILE}
    assert (game["winner"], game["fault_of"], game["fault"]) == (1, 0, "crash")


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (89, "89 s"), (600, "10 min"), (7200, "2.0 h")])
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_before_the_first_game_there_are_no_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_cup(write_cup(tmp_path, THREE))
    with TournamentStore.open("cup.db", claim=False, base=tmp_path) as store:
        snapshot = store.snapshot()
    empty = dataclasses.replace(snapshot, games=GameTable.of_records([]))
    summary = summarize(empty, replicates=50)
    print_standings(summary)
    assert capsys.readouterr().out.splitlines() == ["Cup: 0 games on locm-1.2, seed 5", "no game has ended yet"]
    drawn = 123456 * 10**70 + 654321  # longer than a terminal is wide
    print_standings(msgspec.structs.replace(summary, seed=drawn))
    assert capsys.readouterr().out.startswith("Cup: 0 games on locm-1.2, seed 123456…654321\n")


@pytest.mark.parametrize(("width", "matrix"), [(80, False), (200, True)])
def test_standings_leave_out_what_does_not_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int, matrix: bool
) -> None:
    run_cup(write_cup(tmp_path, [agent("a rather long name", "greedy"), agent("[red]another name", "random"), *THREE]))
    monkeypatch.setattr(console, "console", lambda: Console(highlight=False, width=width, color_system=None))
    with TournamentStore.open("cup.db", claim=False, base=tmp_path) as store:
        print_standings(summarize(store.snapshot(), replicates=50))
    text = capsys.readouterr().out
    assert ("v greedy" in text) == matrix
    assert "…" not in text
    assert "[red]another name" in text
