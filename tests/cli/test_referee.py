"""`cardrome referee`, called as the original referees are."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cardrome.games.replay_files import read_replays
from tests.arena.bots import faulty_bot
from tests.cli.runner import cardrome


def test_scores_and_parameters_are_printed_as_by_the_original(tmp_path: Path) -> None:
    log = tmp_path / "game.json"
    done = cardrome("referee", "play", "-p1", "greedy", "-p2", "pass", "-d", "seed=1 shufflePlayer0Seed=5", "-l", log)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:4] == ["1", "0", "seed=1", "shufflePlayer0Seed=5"]
    assert [line.split("=")[0] for line in done.stdout.splitlines()[4:]] == ["draftChoicesSeed", "shufflePlayer1Seed"]
    (replay,) = read_replays(log)
    assert replay.scores == (1, 0)


@pytest.mark.parametrize(
    "options",
    [
        ["-d", "seed=6 predefinedDraftIds={offers}"],
        ["-d", "predefinedDraftIds='{offers}' seed=6"],
        ["-d", "seed=6", "-d", "predefinedDraftIds={offers}"],
    ],
    ids=["plain", "quoted", "repeated"],
)
def test_a_value_may_hold_spaces(options: list[str]) -> None:
    offers = ", ".join(f"{t + 1} {t + 2}  {t + 3}" for t in range(30))
    players = ("-p1", "pass", "-p2", "pass", "-e", "locm-1.0")  # whose triples underscores cannot separate
    done = cardrome("referee", *players, *(option.format(offers=offers) for option in options))
    assert done.returncode == 0, done.stderr
    (said,) = [line for line in done.stdout.splitlines() if line.startswith("predefinedDraftIds=")]
    assert said.split("=")[1].split() == offers.split()


def test_what_a_bot_writes_reaches_the_terminal_as_harmless_text(tmp_path: Path) -> None:
    bot = faulty_bot(tmp_path, "sys.exit(chr(27) + '[2J' + chr(10) + 'bye' + chr(155))", after=3)
    done = cardrome("referee", "-p1", bot, "-p2", "pass", "--no-clock")
    assert done.stdout.splitlines()[:2] == ["-1", "0"]
    lines = done.stderr.splitlines()
    assert lines[-3].startswith("player 0 (")
    assert lines[-3].endswith("crash: ended with exit code 1")
    assert lines[-2:] == [r"\x1b[2J", r"bye\x9b"]
    answer = faulty_bot(tmp_path, "print(chr(27) + '[2J', flush=True)")
    told = cardrome("referee", "-p1", answer, "-p2", "pass", "--no-clock").stderr
    assert r"got '\x1b[2J'" in told
    assert all(line.isprintable() for line in told.splitlines())


@pytest.mark.parametrize(
    "script", ["{referee} -l /dev/stdout | cat", "{referee} -l /dev/stdout > out; cat out", "{referee} -l >(cat > log)"]
)
def test_a_log_goes_wherever_scripts_send_it_and_comes_before_the_scores(tmp_path: Path, script: str) -> None:
    referee = f"{shlex.quote(sys.executable)} -m cardrome referee -p1 pass -p2 pass -d seed=1"
    command = ["bash", "-c", script.format(referee=referee) + "; wait"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    # The shell does not say who of two writes first: `cat` has a place of its own.
    log = (tmp_path / "log").read_text() if (tmp_path / "log").exists() else lines.pop(0)
    assert json.loads(log)["format"] == "cardrome-replay"
    assert lines[:3] == ["0", "1", "seed=1"]
    assert done.stderr == ""


def test_the_original_log_and_psyleague(tmp_path: Path) -> None:
    lines = ["[PDATA] name = me", "[PDATA+] turns = 2", "[PDATA+] turns = 3", "[TDATA] map = 7", "[PDATA] x"]
    lines += ["[PDATA+] name = 1", "[PDATA] n = 1", "[PDATA+] n = 2", "[TDATA] seed = 99"]  # a bot may say anything
    bot = faulty_bot(tmp_path, f"sys.exit(chr(10).join({lines}))", after=31)
    log = tmp_path / "log.json"
    args = ("referee", "-p1", bot, "-p2", "pass", "-d", "seed=1", "--no-clock", "-l", log)
    done = cardrome(*args, "--log-format", "original", "--psyleague")
    assert done.returncode == 0, done.stderr
    assert "protections" not in done.stderr  # cg-brutaltester takes any word for a failure
    assert json.loads(done.stdout) == {
        "ranks": [1, 0],
        "errors": [1, 0],
        "test_data": {"seed": 1, "edition": "locm-1.2", "map": "7"},
        "player_data": [{"name": 1.0, "turns": 5.0, "n": 3.0}, {}],
    }
    found = json.loads(log.read_text())
    assert found["scores"] == {"0": -1, "1": 0}
    assert found["outputs"]["0"][:2] == ["PASS\n", None]
    assert found["outputs"]["1"][:2] == [None, "PICK 0\n"]
    assert len(found["errors"]["0"]) == len(found["outputs"]["0"]) == len(found["outputs"]["1"]) == 63
    assert found["errors"]["0"][-1].startswith("[PDATA] name = me\n")
    assert found["uinput"][0] == "seed=1"
    assert [agent["name"] for agent in found["agents"]] == [bot, "pass"]


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (("watch",), "expected options, got 'watch'"),
        (("-p1", "pass"), "two players are needed"),
        (("-p1", "pass", "-p2", "pass", "-d", "seed"), "seed is 'seed'; expected a whole number"),
        (("-p1", "pass", "-p2", "pass", "-d", "seed=1", "-d", "seed=1"), "-d: seed is given twice"),
        (("-p1", "pass", "-p2", "pass", "-d", "sed=1"), "'sed'; did you mean seed?"),
        (("-p1", "pass", "-p2", "pass", "-d", "shufflePlayerSeed=1"), "did you mean shufflePlayer1Seed"),
        (("-p1", "pass", "-p2", "pass", "-e", "locm-9"), "unknown edition 'locm-9'"),
        (
            ("-p1", "pass", "-p2", "pass", "-e", "tapdeck"),
            "`cardrome referee` cannot play tapdeck: Tapdeck",
        ),
    ],
)
def test_wrong_use(args: tuple[str, ...], text: str) -> None:
    done = cardrome("referee", *args)
    assert done.returncode == 2
    assert text in done.stderr
