"""An event's store: nothing finished is lost, nothing is counted twice, and nothing unfinished counts."""

from __future__ import annotations

import contextlib
import itertools
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrome.arena.storage.database import open_database
from cardrome.errors import CallerError
from cardrome.server.store.records import Counts, MatchRecord, MatchScore, TeamStanding
from cardrome.server.store.schema import SCHEMA, metadata
from cardrome.server.store.store import EventStore

RULES = json.dumps({"turns": 60, "limits": {"hand": 10, "draw": 2}})
SEED = 2**64 - 1


@pytest.fixture
def store(database_url: str) -> Iterator[EventStore]:
    with EventStore.open(database_url) as store:
        yield store


def add(store: EventStore, *names: str) -> list[int]:
    return [store.accounts.add(name, "secret").id for name in names]


def begin(store: EventStore, roster: Sequence[int], number: int = 1) -> list[MatchRecord]:
    """Begin a tournament; returns its matches as they will end."""
    first = store.next_match_id()
    store.begin_tournament(number, SEED - number, "1 0 2 3 3 0 1", RULES, first, roster)
    return ended(number, first, roster)


def ended(number: int, first_id: int, roster: Sequence[int]) -> list[MatchRecord]:
    return [
        MatchRecord(
            id=match_id,
            tournament=number,
            first=one,
            second=two,
            score_first=31 + match_id,
            score_second=-match_id,
            health_first=7,
            health_second=0,
            end_reason="health" if match_id % 2 else "turns",
            turns_played=match_id % 60,
            counts_first=Counts(100, 1, 2, 3),
            counts_second=Counts(5, 6, 7, 8),
            finished_at=1000.25 + match_id,
            transcript=bytes(range(256)) * (match_id % 7),
        )
        for match_id, (one, two) in enumerate(itertools.permutations(roster, 2), first_id)
    ]


def play(store: EventStore, roster: Sequence[int], number: int, points: Sequence[float]) -> None:
    store.save_matches(begin(store, roster, number))
    store.finish_tournament(number, dict(zip(roster, points, strict=True)))


def test_what_is_stored_comes_back(database_url: str) -> None:
    with EventStore.open(database_url) as store:
        roster = add(store, "ann", "bob", "cy")[::-1]
        records = begin(store, roster)
        assert store.save_matches(records) == 6
    with EventStore.open(database_url) as store:
        [tournament] = store.tournaments()
        assert store.unfinished() == tournament
        assert tournament.roster == tuple(roster)
        assert (tournament.number, tournament.seed, tournament.attempts, tournament.matches) == (1, SEED - 1, 1, 6)
        assert (tournament.deck_text, tournament.rules_text) == ("1 0 2 3 3 0 1", RULES)
        assert [store.match(record.id) for record in records] == records
        assert store.match(99) is None
        found = store.matches(1)
        assert [result.id for result in found] == [1, 2, 3, 4, 5, 6]
        for result, record in zip(found, records, strict=True):
            assert MatchRecord(**msgspec.structs.asdict(result), transcript=record.transcript) == record
        assert store.matches(2) == []


def test_only_finished_tournaments_count(store: EventStore) -> None:
    ann, bob, cy = add(store, "ann", "bob", "cy")
    assert store.standings() == [
        TeamStanding(ann, "ann", 0, ()),
        TeamStanding(bob, "bob", 0, ()),
        TeamStanding(cy, "cy", 0, ()),
    ]
    records = begin(store, [ann, bob])
    store.save_matches(records)
    assert [row.total for row in store.standings()] == [0, 0, 0]
    assert store.scores_by_match() == {}
    store.finish_tournament(1, {ann: 0.5, bob: 1.5})
    play(store, [bob, cy], 2, [0.25, 1.25])
    begin(store, [ann, bob, cy], 3)
    assert store.standings() == [
        TeamStanding(bob, "bob", 1.75, (1.5, 0.25)),
        TeamStanding(cy, "cy", 1.25, (None, 1.25)),
        TeamStanding(ann, "ann", 0.5, (0.5, None)),
    ]
    assert store.scores_by_match() == {
        1: MatchScore(ann, bob, 32, -1),
        2: MatchScore(bob, ann, 33, -2),
        3: MatchScore(bob, cy, 34, -3),
        4: MatchScore(cy, bob, 35, -4),
    }
    finished = [tournament.finished_at is not None for tournament in store.tournaments()]
    assert finished == [True, True, False]


def test_equal_totals_come_by_name_and_removed_accounts_keep_their_points(store: EventStore) -> None:
    zed, ann, bob = add(store, "zed", "ann", "bob")
    play(store, [zed, ann], 1, [2.0, 2.0])
    store.accounts.remove("zed")
    store.accounts.remove("bob")
    assert [(row.name, row.total) for row in store.standings()] == [("ann", 2.0), ("zed", 2.0)]
    assert bob not in store.accounts.names()


def test_a_tournament_is_finished_with_all_its_matches_only(store: EventStore) -> None:
    ann, bob, cy = add(store, "ann", "bob", "cy")
    records = begin(store, [ann, bob])
    store.save_matches(records[:1])
    with pytest.raises(CallerError, match="1 of its 2 matches"):
        store.finish_tournament(1, {ann: 1, bob: 2})
    store.save_matches(records)
    for points in ({ann: 1.0}, {ann: 1.0, bob: 2.0, cy: 3.0}, {ann: 1.0, bob: float("nan")}):
        with pytest.raises(CallerError, match="points for each account"):
            store.finish_tournament(1, points)
    assert store.unfinished() is not None
    store.finish_tournament(1, {ann: 1, bob: 2})
    store.finish_tournament(1, {bob: 2, ann: 1})
    with pytest.raises(CallerError, match="already finished, with other points"):
        store.finish_tournament(1, {ann: 2, bob: 1})
    with pytest.raises(CallerError, match="tournament 7 has not begun"):
        store.finish_tournament(7, {})
    assert store.unfinished() is None


def test_an_interrupted_tournament_is_played_again(store: EventStore) -> None:
    ann, bob = add(store, "ann", "bob")
    records = begin(store, [ann, bob])
    store.save_matches(records[:1])
    again = store.restart_tournament(1)
    assert again.attempts == 2
    assert store.unfinished() == again
    assert store.matches(1) == []
    other = [msgspec.structs.replace(record, score_first=-5) for record in records]
    assert store.save_matches(other) == 2
    store.finish_tournament(1, {ann: 1, bob: 2})
    with pytest.raises(CallerError, match="is finished and cannot be played again"):
        store.restart_tournament(1)
    assert [match.score_first for match in store.matches(1)] == [-5, -5]


def test_tournaments_follow_one_another(store: EventStore) -> None:
    ann, bob = add(store, "ann", "bob")
    with pytest.raises(CallerError, match="tournament 2 cannot follow none"):
        begin(store, [ann, bob], 2)
    assert store.unfinished() is None
    records = begin(store, [ann, bob])
    assert store.next_match_id() == 3
    store.begin_tournament(1, SEED - 1, "1 0 2 3 3 0 1", RULES, 1, [ann, bob])  # repeated, as after a lost connection
    with pytest.raises(CallerError, match="tournament 1 is not finished, so 2 cannot begin"):
        begin(store, [ann, bob], 2)
    with pytest.raises(CallerError, match="tournament 1 is not finished"):
        begin(store, [bob, ann], 1)
    store.save_matches(records)
    store.finish_tournament(1, {ann: 1, bob: 2})
    with pytest.raises(CallerError, match="match ids from 2 on"):
        store.begin_tournament(2, 1, "", "{}", 2, [ann, bob])
    store.begin_tournament(2, 1, "", "{}", 50, [ann, bob])
    assert store.next_match_id() == 52


def test_a_roster_has_known_accounts_each_once(store: EventStore) -> None:
    ann, bob = add(store, "ann", "bob")
    for roster in ([], [ann], [ann, bob, ann]):
        with pytest.raises(CallerError, match="two or more different accounts"):
            begin(store, roster)
    with pytest.raises(CallerError, match="no accounts with the ids 998, 999"):
        begin(store, [ann, 998, 999])
    assert store.tournaments() == []


def test_matches_are_saved_once(store: EventStore) -> None:
    ann, bob = add(store, "ann", "bob")
    records = begin(store, [ann, bob])
    assert store.save_matches([]) == 0
    assert store.save_matches([records[0], records[0]]) == 1
    assert store.save_matches([msgspec.structs.replace(records[0], finished_at=5.0), records[1]]) == 1
    assert store.match(1) == records[0]
    wrong = msgspec.structs.replace(records[0], score_first=0)
    with pytest.raises(CallerError, match=r"match 1 is already stored, with another result \(score_first\)"):
        store.save_matches([wrong])
    with pytest.raises(CallerError, match="match 1 is already stored"):
        store.save_matches([records[0], wrong])
    assert store.match(1) == records[0]


def test_an_impossible_match_is_refused_with_its_batch(store: EventStore) -> None:
    ann, bob, cy = add(store, "ann", "bob", "cy")
    good, other = begin(store, [ann, bob])
    changes: list[tuple[dict[str, Any], str]] = [
        ({"id": 3}, "match 3 is not one of tournament 1"),
        ({"tournament": 2}, "tournament 2 has not begun"),
        ({"second": cy}, "not a pair of tournament 1's roster"),
        ({"second": bob}, "not a pair of tournament 1's roster"),
    ]
    for change, message in changes:
        with pytest.raises(CallerError, match=message):
            store.save_matches([good, msgspec.structs.replace(other, **change)])
    impossible: list[dict[str, Any]] = [{"first": ann, "second": bob}, {"end_reason": "boredom"}]
    for change in impossible:
        with pytest.raises(sa.exc.IntegrityError, match="hidden"):
            store.save_matches([good, msgspec.structs.replace(other, **change)])
    assert store.matches(1) == []


def test_another_event_is_refused_with_what_differs(database_url: str) -> None:
    with EventStore.open(database_url) as store:
        assert store.event() is None
        store.register("Spring cup", SEED, RULES)
    with EventStore.open(database_url) as store:
        store.register("Spring cup", SEED, json.dumps(json.loads(RULES), indent=4))
        found = store.event()
        assert found is not None
        assert (found.name, found.secret) == ("Spring cup", SEED)
        rules = {"turns": 80, "limits": {"hand": 10}, "more": []}
        with pytest.raises(CallerError) as caught:
            store.register("Autumn cup", 7, json.dumps(rules))
        assert str(caught.value).startswith(f"{store.name} holds an event with other settings: ")
        for phrase in (
            "name is 'Spring cup' there and 'Autumn cup' here",
            "seed is drawn there and 7 here",
            "rules: turns is 60 there and 80 here",
            "rules: limits.draw is 2 there and not set here",
            "rules: more is not set there and [] here",
        ):
            assert phrase in str(caught.value)
        assert "hand" not in str(caught.value)
        with pytest.raises(CallerError, match="rules: settings"):
            store.register("Spring cup", SEED, "house rules")


def test_one_process_runs_the_event_and_others_look_on(database_url: str) -> None:
    with EventStore.open(database_url) as store, EventStore.open(database_url, claim=False) as other:
        with pytest.raises(CallerError, match="another process is running this event"):
            EventStore.open(database_url)
        add(other, "ann", "bob")
        play(store, store.accounts.roster(), 1, [1, 2])
        assert other.standings() == store.standings()


def test_readers_are_not_held_up_while_a_tournament_is_written(store: EventStore) -> None:
    roster = add(store, *"abcdef")

    def look() -> set[float]:
        return {sum(row.total for row in store.standings()) for _ in range(30)}

    with ThreadPoolExecutor(2) as readers:
        looking = [readers.submit(look) for _ in range(2)]
        for number in range(1, 4):
            play(store, roster, number, [1.0] * 6)
        assert set().union(*(seen.result() for seen in looking)) <= {0, 6, 12, 18}


def test_more_matches_than_one_statement_takes(store: EventStore) -> None:
    roster = add(store, *(f"team{k}" for k in range(40)))
    records = [msgspec.structs.replace(record, transcript=b"") for record in begin(store, roster)]
    assert store.save_matches(records) == 1560
    assert store.save_matches(records) == 0
    assert len(store.matches(1)) == 1560


def test_the_tables_are_those_the_migrations_make(database_url: str) -> None:
    """Existing stores would lack a table that was changed without a migration."""
    with open_database(database_url, SCHEMA) as database, database.read() as connection:
        there = sa.inspect(connection)
        for table in metadata.sorted_tables:
            columns = {column["name"]: column["nullable"] for column in there.get_columns(table.name)}
            assert columns == {column.name: column.nullable for column in table.columns}


KILLED = """
import sys
from cardrome.server.store.store import EventStore
from tests.server.store.test_store import ended
store = EventStore.open(sys.argv[1])
tournament = store.unfinished()
records = ended(1, 1, tournament.roster)
for k in range(0, len(records), 5):
    store.save_matches(records[k : k + 5])
    print(k + 5, flush=True)
"""


def test_a_killed_server_loses_nothing_and_continues(database_url: str) -> None:
    with EventStore.open(database_url) as store:
        roster = add(store, *(f"team{k}" for k in range(30)))
        records = begin(store, roster)
    command = [sys.executable, "-c", KILLED, database_url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        told = [int(server.stdout.readline()) for _ in range(4)]
        with pytest.raises(CallerError, match="another process is running"):
            EventStore.open(database_url)
        server.send_signal(signal.SIGKILL)
        told += map(int, server.stdout)
    with until_free(database_url) as store:
        kept = store.matches(1)
        assert len(kept) % 5 == 0
        assert told[-1] <= len(kept) <= told[-1] + 5
        assert [store.match(result.id) for result in kept] == records[: len(kept)]
        assert store.restart_tournament(1).attempts == 2
        assert store.save_matches(records) == 870
        store.finish_tournament(1, dict.fromkeys(roster, 1.0))
        assert len(store.standings()) == 30


def until_free(url: str) -> EventStore:
    """Open the store once it is free: a server needs a moment to notice that a connection is gone."""
    for _ in range(1000):
        with contextlib.suppress(CallerError):
            return EventStore.open(url)
        time.sleep(0.02)
    return EventStore.open(url)


@settings(max_examples=15)
@given(data=st.data())
def test_the_order_of_saving_does_not_matter(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Whatever is saved twice and in whatever batches, the store ends up the same."""
    path: Path = tmp_path_factory.mktemp("stores") / "store.db"
    with EventStore.open(path) as store:
        roster = add(store, "ann", "bob", "cy")
        records = begin(store, roster)
        twice = data.draw(st.permutations([*records, *data.draw(st.lists(st.sampled_from(records), max_size=6))]))
        cuts = sorted(data.draw(st.lists(st.integers(0, len(twice)), max_size=4)))
        new = [store.save_matches(twice[start:end]) for start, end in itertools.pairwise([0, *cuts, len(twice)])]
        assert sum(new) == len(records)
        assert [store.match(record.id) for record in records] == records
        for _ in range(2):
            store.finish_tournament(1, dict(zip(roster, (1.5, 2.5, 0.5), strict=True)))
        assert [(row.name, row.total) for row in store.standings()] == [("bob", 2.5), ("ann", 1.5), ("cy", 0.5)]
        assert len(store.scores_by_match()) == 6
