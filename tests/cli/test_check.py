"""`cardrome check-bot`."""

from __future__ import annotations

import json
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


def test_a_bot_that_does_not_exist_is_a_finding() -> None:
    done = cardrome("check-bot", "/no/such/bot")
    assert done.returncode == 1
    assert "no-start" in done.stdout
