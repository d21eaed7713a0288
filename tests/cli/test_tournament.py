"""`cardrome tournament` as an organiser runs it: from a new settings file to standings and a report."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from cardrome.cli.tournament.view import JsonProgress, LiveProgress, PlainProgress, duration, standings_table
from cardrome.tournament.live_table import LiveTable
from cardrome.tournament.records import Entrant, GameKey, GameRecord
from cardrome.tournament.settings import BotSection
from cardrome.tournament.store.records import Columns
from cardrome.tournament.store.store import TournamentStore
from tests.tournament.tools import LOCM, TAPDECK, THREE, agent, program, run_cup, stored_games, write_cup

HOSTILE = "\x9b31m[red]x[/] \u202eturned"


def cardrome(*args: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cardrome", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


def test_from_new_to_standings(tmp_path: Path) -> None:
    """The way of an organiser, each command as the one before suggests it."""
    new = cardrome("tournament", "new", "cup.toml", cwd=tmp_path)
    assert new.returncode == 0, new.stderr
    assert "cardrome tournament cup.toml --dry-run" in new.stdout
    again = cardrome("tournament", "new", "cup.toml", cwd=tmp_path)
    assert again.returncode == 2
    assert again.stderr == "cardrome: cup.toml is there already; it was left alone\n"

    early = cardrome("tournament", "standings", "cup.toml", cwd=tmp_path)
    assert early.returncode == 2
    assert "cup.db is not there: the tournament was not begun" in early.stderr

    dry = cardrome("tournament", "cup.toml", "--dry-run", cwd=tmp_path)
    assert dry.returncode == 0, dry.stderr
    assert "My cup: round-robin of 3 bots on locm-1.2\ngames: 300\ntime: " in dry.stdout
    assert "store: cup.db; seed to be drawn" in dry.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cup.toml"]

    played = cardrome("tournament", "cup.toml", "--jobs", 2, cwd=tmp_path)
    assert played.returncode == 0, played.stderr
    assert "My cup: 300 games on locm-1.2, seed " in played.stdout
    assert all(line.startswith("My cup: ") for line in played.stderr.splitlines())
    assert "My cup: round 1: " in played.stderr

    standings = cardrome("tournament", "standings", "cup.toml", cwd=tmp_path)
    assert standings.returncode == 0, standings.stderr
    assert standings.stdout == played.stdout
    data = json.loads(cardrome("tournament", "standings", "cup.toml", "--json", cwd=tmp_path).stdout)
    assert data["games"] == 300

    report = cardrome("tournament", "report", "cup.toml", "--json", "out.json", "--csv", "out", cwd=tmp_path)
    assert report.returncode == 0, report.stderr
    assert report.stdout.splitlines() == ["out", "out.json"]
    assert json.loads((tmp_path / "out.json").read_text())["games"] == 300
    nothing = cardrome("tournament", "report", "cup.toml", cwd=tmp_path)
    assert nothing.returncode == 2
    assert "nothing to write: give --html DIR" in nothing.stderr


def test_json_lines_tell_everything(tmp_path: Path) -> None:
    bots = [*THREE, {"name": "bad", "command": "./nothing"}]
    file = write_cup(tmp_path, bots, pairs=3)
    done = cardrome("tournament", file, "--json", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = [line["event"] for line in lines]
    assert kinds == ["message", "message", "entrants", "round", *["game"] * 18, "standings"]
    assert lines[1]["text"].startswith("bad is left out: in its check game of locm-1.2: no-start: ")
    names = {entrant["id"]: entrant["name"] for entrant in lines[2]["entrants"]}
    assert list(names.values()) == ["greedy", "lucky", "random"]
    assert lines[3] == {"event": "round", "number": 1, "games": 18, "stored": 0, "planned": 18}
    told = {
        (line["edition"], names[line["a"]], names[line["b"]], line["pair"], line["game"], line["winner"], line["turns"])
        for line in lines
        if line["event"] == "game"
    }
    assert told == {(*game[:5], *game[6:8]) for game in stored_games(file)}
    assert lines[-1]["standings"]["games"] == 18
    assert "protections: limits on memory" in done.stderr


def test_a_dry_run_for_programs(tmp_path: Path) -> None:
    bots = [*THREE, program(tmp_path, "bad", "raise SystemExit(3)", build="true")]
    file = write_cup(tmp_path, bots, pairs=10, store="postgresql://me:secret@nowhere/cup")
    done = cardrome("tournament", file, "--dry-run", "--jobs", 2)
    assert done.returncode == 0, done.stderr
    assert "problem: bad: crash: ended with exit code 3 (it was not built for this)\n" in done.stdout
    assert done.stdout.count("problem: ") == 1
    assert "secret" not in done.stdout + done.stderr
    assert "store: postgresql server; seed 5" in done.stdout
    data = json.loads(cardrome("tournament", file, "--dry-run", "--json").stdout)
    assert (data["bots"], data["games"], data["schedule"], data["editions"]) == (4, 120, "round-robin", [LOCM])
    assert data["seconds"] > 0
    assert data["problems"] == ["bad: crash: ended with exit code 3 (it was not built for this)"]


@pytest.mark.parametrize(
    ("keys", "games"),
    [
        ({"schedule": "ladder"}, None),
        ({"schedule": "ladder", "rounds": 5}, 5 * 2 * 2 * 2),
        ({"schedule": "swiss", "rounds": 3, "editions": [LOCM, TAPDECK]}, 3 * 2 * 2 * 2 * 2),
        ({"schedule": "gauntlet", "challengers": ["greedy"]}, 3 * 4),
    ],
    ids=["endless", "ladder", "swiss", "gauntlet"],
)
def test_forecasts_of_schedules(tmp_path: Path, keys: dict[str, Any], games: int | None) -> None:
    from cardrome.tournament.forecast import forecast
    from cardrome.tournament.settings import read_plan

    found = forecast(read_plan(write_cup(tmp_path, [*THREE, agent("other", "greedy")], **keys)), 2)
    assert found.games == games
    assert found.seconds_per_game is not None
    assert found.seconds == (None if games is None else pytest.approx(found.seconds_per_game * games / 2))


def test_a_forecast_does_not_take_programs_for_as_quick_as_agents(tmp_path: Path) -> None:
    """Every pairing plays as many games, though of the quick ones more are sampled."""
    from cardrome.tournament.forecast import forecast
    from cardrome.tournament.settings import read_plan
    from tests.arena.bots import PYTHON

    slow = PYTHON.replace('print("PASS", flush=True)', 'time.sleep(0.01)\n    print("PASS", flush=True)')
    bots = [
        agent("greedy"),
        agent("random"),
        program(tmp_path, "slow", slow.replace("import sys", "import sys, time", 1)),
    ]
    found = forecast(read_plan(write_cup(tmp_path, bots)), 1)
    # More than 30 answers in each game of the program, which are two games of three.
    assert found.seconds_per_game is not None
    assert found.seconds_per_game > 0.3 * 2 / 3


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("nowhere.toml",), "nowhere.toml: cannot be read: No such file or directory"),
        (("cup.toml", "--workers", "nonsense"), "--workers nonsense: expected `ray` or `ray://HOST:PORT`"),
        (("cup.toml", "--store", "mysql://host/cup"), "cannot use a database of the kind 'mysql'"),
        (("cup.toml", "--store", "/no/such/folder/cup.db"), "cannot make /no/such/folder/cup.db"),
        (("standings", "cup.toml", "--store", "other.db"), "other.db is not there: the tournament was not begun"),
        (("cup.toml", "--jobs", "-1"), "Invalid value for '--jobs'"),
        (("few.toml",), "1 of the bots can play; a tournament needs at least two"),
        (("few.toml", "--dry-run"), "a tournament needs at least two bots, got 1"),
    ],
    ids=lambda value: value[-1] if isinstance(value, tuple) else "",
)
def test_wrong_use_is_explained(tmp_path: Path, args: tuple[str, ...], message: str) -> None:
    write_cup(tmp_path, [agent("one", "greedy")]).rename(tmp_path / "few.toml")
    write_cup(tmp_path, THREE)
    done = cardrome("tournament", *args, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_the_stores_of_settings_and_of_the_command_line(tmp_path: Path) -> None:
    """One leads from the settings file, the other from where the command is given."""
    folder = tmp_path / "cups"
    folder.mkdir()
    write_cup(folder, THREE, pairs=1, store="mine.db")
    assert cardrome("tournament", "cups/cup.toml", "-j", 1, cwd=tmp_path).returncode == 0
    assert (folder / "mine.db").exists()
    assert cardrome("tournament", "cups/cup.toml", "-j", 1, "--store", "here.db", cwd=tmp_path).returncode == 0
    assert (tmp_path / "here.db").exists()
    assert not (folder / "here.db").exists()


# Views


def entrants(*names: str) -> list[Entrant]:
    return [
        Entrant(id=k, bot=BotSection(name, agent="greedy"), active=True, problem=None) for k, name in enumerate(names)
    ]


def columns(*games: tuple[int, int, int, bool]) -> Columns:
    """Games of A, B, the winner, and whether a fault decided."""
    a, b, winner = (np.array([game[k] for game in games], np.int64) for k in range(3))
    zeros, nothing = np.zeros(len(games), np.int64), np.full(len(games), np.nan)
    forfeit = np.array([game[3] for game in games], bool)
    return Columns((LOCM,), zeros, a, b, np.arange(len(games)), zeros, winner, zeros, zeros, nothing, nothing, forfeit)


def record(a: int, b: int, winner: int, fault_of: int | None = None) -> GameRecord:
    return GameRecord(
        key=GameKey(LOCM, a, b, 0, 0),
        seed=0,
        winner=winner,  # type: ignore[arg-type]
        turns=9,
        actions=9,
        fault_of=fault_of,  # type: ignore[arg-type]
        fault_kind=None if fault_of is None else "crash",
        finished_at=time.time(),
    )


def test_the_live_table_counts_stored_games_and_new_ones() -> None:
    table = LiveTable(entrants("a", "b", "c"), columns((0, 1, 0, False), (0, 1, 1, True), (0, 9, 0, False)))
    table.add([record(0, 1, 0, fault_of=1), record(1, 2, 2), record(0, 2, 0)])
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
    rows = LiveTable(entrants("b", "a"), columns()).rows()
    assert [(row.name, row.elo, row.games, row.rate) for row in rows] == [("a", 0.0, 0, 0.0), ("b", 0.0, 0, 0.0)]


def test_the_speed_is_that_of_late(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    table = LiveTable(entrants("a", "b"), columns())
    assert table.games_per_second() == 0.0
    for _ in range(1000):
        now += 0.1
        table.add([record(0, 1, 0)] * 5)
    assert table.games_per_second() == pytest.approx(50, rel=0.02)
    assert len(table._recent) <= 202
    now += 60
    assert table.games_per_second() == 0.0


def drawn(view: Any, width: int = 100, height: int = 30) -> str:
    console = Console(record=True, width=width, height=height, file=io.StringIO(), force_terminal=True)
    console.print(view)
    return console.export_text()


def test_the_live_view_says_how_far_it_is() -> None:
    view = LiveProgress("Spring Cup")
    assert "Spring Cup" in drawn(view)
    players = entrants("strong", "weak")
    view.begin(players, LiveTable(players, columns()))
    view.round(1, 1000, 0, 4000)
    view.played([record(0, 1, 0)] * 300)
    view.message("weak is late")
    text = drawn(view)
    assert "round 1: 300 of 1,000 games" in text
    assert "weak is late" in text
    assert text.index("strong") < text.index("weak")
    assert "100.0%" in text


def test_a_hostile_name_is_only_a_name() -> None:
    view = LiveProgress(HOSTILE)
    players = entrants(HOSTILE, "[bold]b", "\x1b[2Jc")
    view.begin(players, LiveTable(players, columns()))
    view.round(1, 10, 0, 10)
    view.played([record(0, 1, 0), record(1, 2, 0)])
    view.message(f"{HOSTILE} is left out:\n\x1b[2Jwhat it wrote")
    text = drawn(view)
    assert text.replace("\n", "").isprintable()
    assert "[red]x[/]" in text
    assert "[bold]b" in text
    assert "what it wrote" in text


def test_a_large_field_fits_the_terminal() -> None:
    players = entrants(*(f"bot{k}" for k in range(200)))
    view = LiveProgress("Cup")
    view.begin(players, LiveTable(players, columns()))
    view.round(1, 200, 0, None)
    view.played([record(k, k + 1, 0) for k in range(0, 200, 2)])
    text = drawn(view, height=24)
    assert len(text.splitlines()) <= 24
    assert "more" in text
    assert "more" not in drawn(standings_table(LiveTable(players[:3], columns()).rows(), 3))


def test_plain_lines_come_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    view = PlainProgress(HOSTILE)
    view.round(1, 100, 40, 100)
    for _ in range(50):
        view.played([record(0, 1, 0)])
    view.message("its build failed:\nno such file")
    err = capsys.readouterr().err.splitlines()
    assert [line.rpartition("turned: ")[2] for line in err] == [
        "going on: 40 of 100 games are stored already",
        "round 1: 41 of 100 games",
        "its build failed:",
        "no such file",
    ]
    assert all(line.isprintable() for line in err)


def test_json_lines_hold_any_name(capsys: pytest.CaptureFixture[str]) -> None:
    view = JsonProgress(HOSTILE)
    players = entrants(HOSTILE, "b")
    view.begin(players, LiveTable(players, columns()))
    view.message(HOSTILE)
    view.played([record(0, 1, 1, fault_of=0)])
    told, message, game = map(json.loads, capsys.readouterr().out.splitlines())
    assert told["entrants"][0] == {"id": 0, "name": HOSTILE, "version": "1"}
    assert message == {"event": "message", "text": HOSTILE}
    assert (game["winner"], game["fault_of"], game["fault"]) == (1, 0, "crash")


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (89, "89 s"), (600, "10 min"), (7200, "2.0 h")])
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(("width", "matrix"), [(80, False), (200, True)])
def test_standings_leave_out_what_does_not_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int, matrix: bool
) -> None:
    from cardrome.cli.tournament import standings
    from cardrome.tournament.results.summary import summarize

    run_cup(write_cup(tmp_path, [agent("a rather long name", "greedy"), agent("[red]another name", "random"), *THREE]))
    monkeypatch.setattr(standings, "console", lambda: Console(highlight=False, width=width, color_system=None))
    with TournamentStore.open("cup.db", claim=False, base=tmp_path) as store:
        standings.print_standings(summarize(store, replicates=50))
    text = capsys.readouterr().out
    assert ("v greedy" in text) == matrix
    assert "…" not in text
    assert "[red]another name" in text
