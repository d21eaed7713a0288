"""What writes an event's results: in order, again if the store is away, and not in silence if it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardrome.arena.storage.database import DatabaseUnavailable
from cardrome.server.accounts import passwords
from cardrome.server.event import Played
from cardrome.server.store import writer as keepers
from cardrome.server.store.store import EventStore
from cardrome.server.store.writer import StoreKeeper
from cardrome.server.transcripts import match_transcript
from tests.server.events import write_event
from tests.server.paper import PaperEvent

TEAMS = ["ann", "bob", "cy"]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "LOG_N", 4)
    monkeypatch.setattr(keepers, "_RETRY_SECONDS", 0.01)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    with EventStore.open(tmp_path / "store.db") as store:
        for team in TEAMS:
            store.accounts.add(team, "secret")
        yield store


class Kept:
    """A keeper, and what it says."""

    def __init__(self, store: EventStore, path: Path) -> None:
        self.said: list[str] = []
        self.failures: list[str] = []
        self.played: list[Played] = []
        self.keeper = StoreKeeper(store, "Cup", "{}", self.played.append, self.said.append, self.failures.append)
        self.paper = PaperEvent(write_event(path / "e.toml"), TEAMS)
        self.paper.event._keeper = self.keeper
        for team in TEAMS:
            self.paper.talk(team)


@pytest.fixture
def kept(store: EventStore, tmp_path: Path) -> Kept:
    return Kept(store, tmp_path)


def test_tournaments_are_written_with_all_their_matches(store: EventStore, kept: Kept) -> None:
    kept.paper.tick(10)
    kept.keeper.close()
    assert (kept.said, kept.failures) == ([], [])
    assert [each.number for each in kept.played] == [1, 2]
    first, second = store.tournaments()
    assert first.finished_at is not None
    assert second.finished_at is not None
    assert [each.id for number in (1, 2) for each in store.matches(number)] == list(range(1, 13))
    text = match_transcript(store, 12)
    assert text is not None
    assert b'"ann"' in text or b'"bob"' in text
    assert match_transcript(store, 13) is None


def test_a_store_that_is_away_is_tried_until_it_is_back(
    store: EventStore, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = store.save_matches
    calls: list[int] = []

    def away(records: Any) -> int:
        calls.append(1)
        if len(calls) < 4:
            raise DatabaseUnavailable("no room")
        return save(records)

    monkeypatch.setattr(store, "save_matches", away)
    kept.paper.tick(5)
    kept.keeper.close()
    assert kept.said == ["the store is away, results are held until it is back: no room", "the store is back"]
    assert [each.number for each in kept.played] == [1]
    assert len(store.matches(1)) == 6


def test_what_the_store_refuses_is_told(store: EventStore, kept: Kept) -> None:
    store.accounts.remove("cy")  # in the moment before it plays: its account is gone
    kept.paper.tick(5)
    kept.keeper.close()
    assert kept.failures[0].startswith("could not be stored: CallerError('no accounts with the ids 3')")
    assert kept.played == []


def test_removed_accounts_are_told_among_those_who_are_here(store: EventStore, kept: Kept) -> None:
    told: list[set[int]] = []
    kept.keeper.refresh([1, 2, 3], told.append)
    kept.keeper.refresh([], told.append)

    def change() -> None:
        store.accounts.remove("bob")
        store.accounts.add("dan", "secret")

    kept.keeper._jobs.put(change)
    kept.keeper.refresh([1], told.append)  # bob is not here, and dan is not here yet
    kept.keeper.refresh([1, 2, 4], told.append)
    kept.keeper.close()
    assert told == [{2}]
    assert kept.keeper.everybody == (1, 3, 4)
    assert kept.keeper.names == {1: "ann", 3: "cy", 4: "dan"}
