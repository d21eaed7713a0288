"""`cardrome tournament`, from a new settings file to the report."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from cardrome.tournament.settings import BotSection, read_plan
from cardrome.tournament.store.store import TournamentStore
from tests.cli.runner import cardrome
from tests.tournament.tools import LOCM, THREE, agent, program, stored_games, write_cup


def test_from_new_to_standings(tmp_path: Path) -> None:
    """The way of an organiser, each command as the one before suggests it."""
    new = cardrome("tournament", "new", "cup.toml", cwd=tmp_path)
    assert new.returncode == 0, new.stderr
    assert "cardrome tournament cup.toml --dry-run" in new.stdout
    again = cardrome("tournament", "new", "cup.toml", cwd=tmp_path)
    assert again.returncode == 2
    assert again.stderr == "cardrome: cup.toml exists already and was left alone\n"

    early = cardrome("tournament", "standings", "cup.toml", cwd=tmp_path)
    assert early.returncode == 2
    assert "cup.db does not exist: the tournament was not started" in early.stderr

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
    assert report.stdout.splitlines() == ["wrote out", "wrote out.json"]
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
    assert done.returncode == 1, done.stderr
    assert "problem: bad: crash: ended with exit code 3 (it was not built for this)\n" in done.stdout
    assert "problem: cannot use postgresql://nowhere/cup: " in done.stdout
    assert done.stdout.count("problem: ") == 2
    assert "secret" not in done.stdout + done.stderr
    assert "store: postgresql server; seed 5" in done.stdout
    listed = cardrome("tournament", file, "--dry-run", "--json", "--store", tmp_path / "new.db")
    assert listed.returncode == 1
    data = json.loads(listed.stdout)
    assert not (tmp_path / "new.db").exists()
    assert (data["bots"], data["games"], data["schedule"], data["editions"]) == (4, 120, "round-robin", [LOCM])
    assert data["seconds"] > 0
    assert data["problems"] == ["bad: crash: ended with exit code 3 (it was not built for this)"]


def test_a_dry_run_counts_what_is_stored(tmp_path: Path) -> None:
    file = write_cup(tmp_path, THREE, pairs=3)
    assert cardrome("tournament", file, "-j", 1).returncode == 0
    before = (tmp_path / "cup.db").read_bytes()
    write_cup(tmp_path, [*THREE[:2], agent("new", "greedy")], pairs=2)
    dry = cardrome("tournament", file, "--dry-run")
    assert dry.returncode == 0, dry.stdout
    assert "games: 12, 4 of them stored already\n" in dry.stdout  # two pairs of the two who are still there
    write_cup(tmp_path, [agent("greedy"), agent("lucky", "greedy")], pairs=2)
    dry = cardrome("tournament", file, "--dry-run")
    assert dry.returncode == 1
    assert "problem: bot 'lucky' entered as version '1' with another agent: give it a new version" in dry.stdout
    write_cup(tmp_path, THREE, pairs=2, seed=6)
    dry = cardrome("tournament", file, "--dry-run", "--json")
    assert dry.returncode == 1
    assert "seed is 5 there and 6 here" in json.loads(dry.stdout)["problems"][0]
    assert (tmp_path / "cup.db").read_bytes() == before


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("nowhere.toml",), "nowhere.toml cannot be read: No such file or directory"),
        (("cup.toml", "--workers", "nonsense"), "--workers nonsense: expected `ray` or `ray://HOST:PORT`"),
        (("cup.toml", "--store", "mysql://host/cup"), "cannot use a database of the kind 'mysql'"),
        (("cup.toml", "--store", "/no/such/folder/cup.db"), "/no/such/folder/cup.db cannot be written"),
        (("standings", "cup.toml", "--store", "other.db"), "other.db does not exist: the tournament was not started"),
        (("cup.toml", "--jobs", "-1"), "--jobs: expected at least 0"),
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


@pytest.mark.parametrize("kept", [0, 5000])
def test_a_store_that_lost_its_content_is_not_begun_anew(tmp_path: Path, kept: int) -> None:
    write_cup(tmp_path, THREE, pairs=1)
    assert cardrome("tournament", "cup.toml", "-j", 1, cwd=tmp_path).returncode == 0
    os.truncate(tmp_path / "cup.db", kept)
    for words in (("cup.toml",), ("standings", "cup.toml"), ("report", "cup.toml", "--csv", "out")):
        done = cardrome("tournament", *words, cwd=tmp_path)
        assert done.returncode == 2
        assert re.match(r"cardrome: \S*cup\.db is (empty, which no store ever is|damaged \(.*\))", done.stderr)
        assert done.stderr.count("\n") == 1
    assert (tmp_path / "cup.db").stat().st_size == kept


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


def test_stored_replays_become_files(tmp_path: Path) -> None:
    bots = [agent("pass"), program(tmp_path, "one"), program(tmp_path, "two")]
    file = write_cup(tmp_path, bots, pairs=1)
    file.write_text(file.read_text().replace("seed = 5\n", ""))  # one is drawn, and secret while games are missing
    assert cardrome("tournament", file, "--jobs", 1).returncode == 0
    done = cardrome("tournament", "export", file, "--out", tmp_path / "replays")
    assert (done.returncode, done.stderr) == (0, "")
    head, *files = done.stdout.splitlines()
    assert head == "6 replays of 6 games in 3 files"
    assert len(files) == 3
    assert "6 of 6 replays verified" in cardrome("replay", "verify", *files).stdout
    one = tmp_path / "one.jsonl"
    some = json.loads(cardrome("tournament", "export", file, "-o", one, "--bot", "one", "--json").stdout)
    assert some == {"files": [str(one)], "replays": 4, "games": 6}
    assert len(one.read_text().splitlines()) == 4
    unknown = cardrome("tournament", "export", file, "-o", one, "--bot", "onr")
    assert unknown.returncode == 2
    assert "unknown bot 'onr'; did you mean one?" in unknown.stderr
    with TournamentStore.open(tmp_path / "cup.db", claim=False) as store:
        store.enter([*read_plan(file).settings.bots, BotSection("late", agent="greedy")])
    early = cardrome("tournament", "export", file, "--out", one)
    assert "secret until the last game: do not publish" in early.stderr
