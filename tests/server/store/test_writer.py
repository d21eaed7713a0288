"""Results are written in order, tried again while the store is unavailable, and never dropped silently."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardrome.arena.storage.database import DatabaseUnavailable
from cardrome.server.event import Played
from cardrome.server.store import writer as writers
from cardrome.server.store.store import EventStore
from cardrome.server.store.unsaved import BeginTournament, FinishTournament, SaveMatches
from cardrome.server.store.writer import ResultWriter
from tests.server.in_memory import InMemoryEvent
from tests.server.processes import write_event

TEAMS = ["ann", "bob", "cy"]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "_RETRY_SECONDS", 0.01)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    with EventStore.open(tmp_path / "store.db") as store:
        for team in TEAMS:
            store.accounts.add(team, "secret")
        yield store


class Writing:
    """An event in memory with a writer, and what the writer reports."""

    def __init__(self, store: EventStore, path: Path) -> None:
        self.said: list[str] = []
        self.failures: list[str] = []
        self.played: list[Played] = []
        self.writer = ResultWriter(store, "Cup", "{}", self.played.append, self.said.append, self.failures.append)
        self.cup = InMemoryEvent(write_event(path / "e.toml"), TEAMS)
        self.cup.event._recorder = self.writer
        for team in TEAMS:
            self.cup.talk(team)


@pytest.fixture
def writing(store: EventStore, tmp_path: Path) -> Writing:
    return Writing(store, tmp_path)


def test_tournaments_are_written_with_all_their_matches(store: EventStore, writing: Writing) -> None:
    writing.cup.tick(10)
    writing.writer.close()
    assert (writing.said, writing.failures) == ([], [])
    assert [each.number for each in writing.played] == [1, 2]
    first, second = store.tournaments()
    assert first.finished_at is not None
    assert second.finished_at is not None
    assert [each.id for number in (1, 2) for each in store.matches(number)] == list(range(1, 13))
    last = store.match(12)
    assert last is not None
    assert b'"ann"' in last.transcript or b'"bob"' in last.transcript
    assert store.match(13) is None


def test_an_unavailable_store_is_tried_until_it_is_back(
    store: EventStore, writing: Writing, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = store.save_matches
    calls: list[int] = []

    def away(records: Any) -> int:
        calls.append(1)
        if len(calls) < 4:
            raise DatabaseUnavailable("no room")
        return save(records)

    monkeypatch.setattr(store, "save_matches", away)
    writing.cup.tick(5)
    writing.writer.close()
    assert writing.said == ["the store is unavailable, results are held until it is back: no room", "the store is back"]
    assert [each.number for each in writing.played] == [1]
    assert len(store.matches(1)) == 6


def test_what_the_store_refuses_is_reported_once_and_kept_with_all_that_follows(
    store: EventStore, writing: Writing
) -> None:
    store.accounts.remove("cy")  # the moment before it plays
    writing.writer.look()
    writing.cup.tick(5)
    assert not writing.writer.close()
    assert writing.failures == ["there are no accounts with the ids 3"]
    assert writing.played == []
    begin, save, finish = writing.writer.unsaved()
    assert isinstance(begin, BeginTournament)
    assert isinstance(save, SaveMatches)
    assert isinstance(finish, FinishTournament)
    assert len(save.records) == 6


def test_removed_accounts_that_are_connected_are_reported(store: EventStore, writing: Writing) -> None:
    writer, told = writing.writer, []
    writer.later(lambda: told.append(writer.look([1, 2, 3])))

    def change() -> None:
        store.accounts.remove("bob")
        store.accounts.add("dan", "secret")
        store.control.pause(True)

    writer.later(change)
    writer.later(lambda: told.append(writer.look([1])))  # bob is not here, and dan is not here yet
    writer.later(lambda: told.append(writer.look([1, 2, 4])))
    writer.close()
    assert told == [set(), set(), {2}]
    assert writer.orders.paused
    assert writing.writer.everybody == (1, 3, 4)
    assert writing.writer.names == {1: "ann", 3: "cy", 4: "dan"}
