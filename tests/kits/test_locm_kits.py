"""The starter kits for LOCM: in every language the same bot, without a fault, and better than chance."""

from __future__ import annotations

import functools
import subprocess
import sys

import pytest

from cardrome.arena.check import check_bot
from cardrome.arena.players.clock import Clock
from cardrome.arena.players.player import BotSettings
from cardrome.arena.series import play_series
from cardrome.games.family import find_family
from cardrome.kits.kit import LANGUAGES
from tests.arena.games import play
from tests.kits.built import EACH_LANGUAGE, built
from tests.paths import DOCS

EDITIONS = ("locm-1.0-wood3", "locm-1.0", "locm-1.0-multi", "locm-1.2", "locm-1.5")
"""One for each layout of the input, and the smallest pool of cards."""
NO_CLOCK = Clock(False)


@functools.cache
def what_is_sent() -> bytes:
    """The input of both players of some games of every edition, one after the other: the bot has no memory."""
    text = b""
    for edition in EDITIONS:
        for seed, first in enumerate(("random", "greedy")):
            replay = play(first, "rule-based", seed=seed, edition=edition)
            text += b"".join(b"".join(find_family(edition).inputs(replay, p)) for p in (0, 1))
    return text


@functools.cache
def answers(language: str) -> list[str]:
    command, folder = LANGUAGES[language].run.split(), built(language, "locm-1.2")
    done = subprocess.run(command, cwd=folder, input=what_is_sent(), capture_output=True, check=True)
    assert done.stderr == b""
    return done.stdout.decode().splitlines()


# One test for each language, because each has to be built; programs that start at once take on the rare positions.
@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_every_language_plays_the_same_bot_without_faults(language: str) -> None:
    assert len(answers(language)) > 500
    assert answers(language) == answers("python")
    run, folder = LANGUAGES[language].run, built(language, "locm-1.2")
    for edition in EDITIONS if language == "cpp" else ["locm-1.2"]:
        edges: list[str] | None = None if run == "./bot" else []
        report = check_bot(run.split(), edition, 1, games=1, clock=NO_CLOCK, edges=edges, folder=folder)
        assert report.findings == []
    settings = BotSettings(NO_CLOCK)
    result = play_series("locm-1.2", run, "random", 2, seed=1, settings=settings, folders=(folder, None))
    assert result.wins == (4, 0)


def test_the_worked_turn_of_the_documentation_is_what_the_kit_does() -> None:
    page = (DOCS / "first-bot.md").read_text(encoding="utf-8")
    blocks = page.split("## A worked turn")[1].split("```\n")
    sent, answer = blocks[1], blocks[3]
    bot = built("python", "locm-1.2") / "bot.py"
    done = subprocess.run([sys.executable, bot], input=sent, capture_output=True, text=True, check=True)
    assert done.stdout == answer
