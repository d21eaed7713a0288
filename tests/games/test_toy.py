"""A third family, registered by one line, works everywhere: matches, replays, tournaments, standings, reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import cardrome
from cardrome.cli import app
from cardrome.games.family import edition_names, register
from tests.games.toy import FAMILY

CUP = """
[tournament]
name = "Pebbles"
editions = ["pebbles"]
pairs = 10
seed = 1

[[bots]]
name = "perfect"
agent = "perfect"

[[bots]]
name = "chance"
agent = "chance"

[[bots]]
name = "mine"
agent = "tests.arena.agents_here:Hasty"
"""


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDROME_GAMES", "")
    register("tests.games.toy:FAMILY")


def run(*words: object, code: int = 0) -> Result:
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == code, done.output
    return done


def test_it_is_known() -> None:
    assert cardrome.find_family("pebbles") is FAMILY
    assert edition_names()[-1] == "pebbles"
    assert "pebbles" in run("editions").output
    assert "wins what can be won" in run("agents").output


def test_people_can_play_it() -> None:
    game = cardrome.new_game("pebbles", seed=3)
    assert game.legal_actions == ["TAKE 1", "TAKE 2", "TAKE 3"]
    game.push("TAKE 3")
    game.push(game.legal_actions[0])
    assert game.pop() == "TAKE 1"
    assert repr(game) == "<PebbleGame pebbles: taking, turn 1, player 1 to move>"


@pytest.mark.parametrize("jobs", [1, 2])
def test_match(jobs: int) -> None:
    found = json.loads(run("match", "perfect", "chance", "-e", "pebbles", "-n", 40, "-j", jobs, "--json").stdout)
    assert found["games"] == 40
    assert found["win_rate"] > 0.8
    assert "programs cannot play this game" in str(run("match", "./bot", "chance", "-e", "pebbles", code=1).exception)


def test_replays(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    run("replay", "record", "perfect", "chance", "-e", "pebbles", "--seed", 3, "--out", path)
    assert "turn 0: player 0 takes" in run("replay", "show", path).output
    assert "1 of 1 replay verified" in run("replay", "verify", path).output
    wrong = json.loads(path.read_text())
    wrong["winner"] = 1 - wrong["winner"]
    path.write_text(json.dumps(wrong))
    assert "winner: expected" in run("replay", "verify", path, code=1).output


def test_tournament_standings_and_report(tmp_path: Path) -> None:
    cup = tmp_path / "cup.toml"
    cup.write_text(CUP)
    run("tournament", cup, "--jobs", 2)
    standings = json.loads(run("tournament", "standings", cup, "--json").stdout)
    assert "perfect" in json.dumps(standings)
    run("tournament", "report", cup, "--html", tmp_path / "report")
    index = (tmp_path / "report" / "index.html").read_text()
    assert "perfect" in index
    assert "mine" in index
