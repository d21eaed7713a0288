"""The starter kits for LOCM: in every language the same bot, without a fault, and better than chance."""

from __future__ import annotations

import subprocess

import pytest

from cardrome.arena.check import check_bot
from cardrome.arena.players.clock import Clock
from cardrome.games.family import find_family
from cardrome.kits.kit import LANGUAGES
from tests.arena.games import play
from tests.cli.runner import cardrome
from tests.kits.built import EACH_LANGUAGE, built

EDITIONS = ("locm-1.0-wood3", "locm-1.0", "locm-1.0-multi", "locm-1.2", "locm-1.5")
"""One for each layout of the input, and the smallest pool of cards."""


def what_is_sent(edition: str) -> bytes:
    """The input of both players of some games, one after the other."""
    replays = [play(first, "rule-based", seed=seed, edition=edition) for seed, first in enumerate(("random", "greedy"))]
    return b"".join(b"".join(find_family(edition).inputs(replay, p)) for replay in replays for p in (0, 1))


def answers(language: str, text: bytes) -> list[str]:
    command = LANGUAGES[language].run.split()
    done = subprocess.run(command, cwd=built(language, "locm-1.2"), input=text, capture_output=True, check=True)
    assert done.stderr == b""
    return done.stdout.decode().splitlines()


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_every_language_plays_the_same_bot(language: str) -> None:
    for edition in EDITIONS:
        text = what_is_sent(edition)
        found = answers(language, text)
        assert found == answers("python", text)
        assert any("ATTACK" in line for line in found)


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_it_has_no_faults_and_beats_random(language: str) -> None:
    run, folder = LANGUAGES[language].run, built(language, "locm-1.2")
    report = cardrome("check-bot", run, "--dir", folder, "--games", 1, "--seed", 1, "--no-clock")
    assert report.returncode == 0, report.stdout
    assert report.stdout.splitlines()[-1].startswith("no faults found in ")
    assert not any(heading in report.stdout for heading in ("ERRORS", "WARNINGS", "NOTES"))
    played = cardrome("match", run, "random", "--dir", folder, "-n", 6, "--seed", 1, "--no-clock", "--no-replays")
    assert "Wins: 6, Losses: 0" in played.stdout, played.stdout


@pytest.mark.parametrize("edition", EDITIONS)
def test_it_has_no_faults_in_any_edition(edition: str) -> None:
    report = check_bot(["python3", str(built("python", edition) / "bot.py")], edition, 5, games=2, clock=Clock(False))
    assert report.findings == []
