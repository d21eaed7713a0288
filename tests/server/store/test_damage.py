"""A damaged store says so in a sentence: no traceback, and no value, which may be the secret of the decks."""

from __future__ import annotations

import shutil
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cardrome.errors import CallerError
from cardrome.server.host import EventHost
from cardrome.server.settings import read_plan
from cardrome.server.store.store import EventStore
from tests.cli.runner import cardrome
from tests.server.in_process import server_thread
from tests.server.test_the_end import play_to_the_end


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The settings of an event with a finished tournament and an interrupted one."""
    folder = tmp_path_factory.mktemp("played")
    event = {"tournaments": 2, "roster": "all", "pause": 1}
    with server_thread(folder, ["ann", "bob"], players=0, event=event) as server:
        play_to_the_end(server, "tournament 1 is over")
    with closing(sqlite3.connect(folder / "event.db")) as driver:
        driver.execute("DELETE FROM event_tournaments WHERE number = 2")
        driver.execute("DELETE FROM event_entries WHERE tournament = 2")
        driver.execute("DELETE FROM event_matches WHERE tournament = 2")
        driver.commit()
    plan = read_plan(server.path)
    with EventStore.open(plan.store, base=folder) as store:
        [first] = store.tournaments()
        store.begin_tournament(2, 5, first.deck_text, "{}", store.next_match_id(), first.roster)
    return server.path


@pytest.fixture
def damaged(played: Path, tmp_path: Path) -> Callable[..., Path]:
    """Makes a copy of the event in which a statement has changed something."""

    def damage(statement: str, *values: Any) -> Path:
        path = tmp_path / "event.toml"
        for suffix in (".toml", ".db"):
            shutil.copy(played.with_suffix(suffix), path.with_suffix(suffix))
        with closing(sqlite3.connect(path.with_suffix(".db"))) as driver:
            driver.execute("PRAGMA ignore_check_constraints = ON")
            assert driver.execute(statement, values).rowcount
            driver.commit()
        return path

    return damage


def start(path: Path) -> EventHost:
    plan = read_plan(path)
    with EventStore.open(plan.store, base=plan.folder) as store:
        return EventHost(plan, store, lambda line: None)


def test_what_is_damaged_here_was_good(played: Path, tmp_path: Path) -> None:
    for suffix in (".toml", ".db"):
        shutil.copy(played.with_suffix(suffix), tmp_path / f"event{suffix}")
    assert len(start(tmp_path / "event.toml").event.played) == 1


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE event_meta SET seed = '12345678x'", "the secret is not a number"),
        ("UPDATE event_meta SET rules = '{\"12345678'", "the text of the rules is not JSON"),
        ("UPDATE event_meta SET name = x'ff'", "Expected `str`, got `bytes`"),
        ("UPDATE event_tournaments SET seed = '12345678x'", "the seed of tournament 2 is not a number"),
        ("UPDATE event_tournaments SET rules = '12345678x'", "the text of tournament 2's rules is not JSON"),
        ("UPDATE event_tournaments SET attempts = '12345678x'", "Expected `int`, got `str`"),
        ("UPDATE event_tournaments SET deck = '12345678x'", "the deck of tournament 2 cannot be read"),
        ("UPDATE event_matches SET score_first = '12345678x'", "Expected `int`, got `str`"),
        ("UPDATE event_matches SET score_first = 12345678901", "a score is out of range"),
        ("DELETE FROM event_matches WHERE id = 2", "matches of tournament 1 are missing"),
        ("UPDATE event_matches SET first = 12345678 WHERE id = 1", "there are matches of accounts that do not exist"),
        ("DELETE FROM event_accounts WHERE id = 2", "there are tournaments of accounts that do not exist"),
        ("DELETE FROM event_entries WHERE tournament = 2", "the roster of tournament 2 is missing"),
        ("UPDATE event_entries SET points = '12345678x'", "Expected `float`, got `str`"),
        ("UPDATE event_accounts SET name = x'ff' || id", "is damaged"),
    ],
)
def test_a_damaged_event_does_not_start(damaged: Callable[..., Path], statement: str, words: str) -> None:
    with pytest.raises(CallerError, match="is damaged") as caught:
        start(damaged(statement))
    assert words in str(caught.value)
    assert "12345678" not in str(caught.value)


@pytest.mark.parametrize("transcript", [b"12345678", "12345678", None])
def test_an_export_leaves_out_a_transcript_that_cannot_be_read(
    damaged: Callable[..., Path], tmp_path: Path, transcript: object
) -> None:
    if transcript is None:  # packed well, and no replay
        path = damaged("UPDATE event_matches SET transcript = ? WHERE id = 1", zlib.compress(b"{}"))
    else:
        path = damaged("UPDATE event_matches SET transcript = ? WHERE id = 1", transcript)
    done = cardrome("host", "export", path, tmp_path / "site")
    assert done.returncode == 1
    assert "wrote 1 match: " in done.stdout
    assert "is damaged: 1 transcript cannot be read and is missing there (match 1)" in done.stderr
    assert sorted(each.name for each in (tmp_path / "site" / "matches").iterdir()) == ["2.html", "2.json"]
    page = (tmp_path / "site" / "tournaments" / "1.html").read_text()
    assert "matches/2.html" in page
    assert "matches/1.html" not in page
