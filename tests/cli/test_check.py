"""`cardrome check-bot`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.arena.bots import faulty_bot, passing_bot
from tests.cli.runner import cardrome


def test_a_good_bot(tmp_path: Path) -> None:
    done = cardrome("check-bot", passing_bot("python", tmp_path), "--games", 1, "--seed", 3, "--no-clock")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("no faults found in ")
    assert "seed 3" in done.stdout


def test_a_faulty_bot_and_json(tmp_path: Path) -> None:
    bot = faulty_bot(tmp_path, "print('Summon 1 1', flush=True)", after=1)
    args = ("check-bot", bot, "--edition", "locm-1.5", "--games", 1, "--seed", 3, "--time-scale", 1000)
    done = cardrome(*args)
    assert done.returncode == 1
    assert "lower-case" in done.stdout
    assert done.stdout.splitlines()[-1].split()[1].startswith("error")
    data = json.loads(cardrome(*args, "--json").stdout)
    assert (data["edition"], data["seed"]) == ("locm-1.5", 3)
    assert data["errors"] > 0
    assert data["findings"][0]["severity"] == "error"


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (("",), "command line"),
        (("python3 'unfinished",), "quotation"),
        (("x", "-e", "locm-9"), "edition"),
        (("x", "--time-scale", "0"), "scale"),
        (("x", "--seed", "x"), "seed"),
        (
            ("x", "-e", "tapdeck"),
            "check-bot cannot check programs for tapdeck: Tapdeck bots are TCP clients;",
        ),
    ],
)
def test_wrong_use(args: tuple[str, ...], text: str) -> None:
    done = cardrome("check-bot", *args)
    assert done.returncode == 2
    assert text in done.stderr


def test_every_kind_of_question_has_one_row_of_times(tmp_path: Path) -> None:
    done = cardrome("check-bot", passing_bot("python", tmp_path), "-n", 1, "--seed", 3, "--time-scale", 1000)
    rows = [line.split(": ")[1] for line in done.stdout.splitlines() if line.startswith("time: ")]
    assert rows == ["first answer", "draft", "first battle", "battle"]


def test_a_file_is_not_a_command(tmp_path: Path) -> None:
    bot = Path(passing_bot("python", tmp_path).split()[-1])
    done = cardrome("check-bot", bot.name, cwd=tmp_path)
    assert done.returncode == 1
    assert f"it is not on PATH; did you mean 'python3 {bot.name}'?" in done.stdout
    there = cardrome("check-bot", f"{sys.executable} {bot.name}", "--dir", tmp_path, "-n", 0, "--no-clock")
    assert there.returncode == 0, there.stdout
    missing = cardrome("check-bot", "x", "--dir", tmp_path / "nowhere")
    assert missing.returncode == 2
    assert "there is no such folder" in missing.stderr


def test_a_bot_that_does_not_exist_is_a_finding() -> None:
    done = cardrome("check-bot", "/no/such/bot")
    assert done.returncode == 1
    assert "no-start" in done.stdout
