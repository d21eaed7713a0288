"""`cardrome referee`, called as the original referees are."""

from __future__ import annotations

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
    ("args", "text"),
    [
        (("watch",), "expected options, got 'watch'"),
        (("-p1", "pass"), "two players are needed"),
        (("-p1", "pass", "-p2", "pass", "-d", "seed"), "expected name=value, got 'seed'"),
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
