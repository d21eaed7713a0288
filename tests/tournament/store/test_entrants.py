"""What a store knows besides games: which tournament it holds, its entrants and their versions, its rounds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from cardrome.arena.storage.database import Schema, open_database
from cardrome.errors import CallerError
from cardrome.tournament.games import GameKey
from cardrome.tournament.schedule.pairing import Pairing
from cardrome.tournament.settings import BotSection
from cardrome.tournament.store.schema import SCHEMA, metadata
from cardrome.tournament.store.store import TournamentStore
from tests.tournament.store.tools import EDITION, agent, enter, played, stored, table

FIXED = json.dumps({"schedule": "swiss", "limits": {"clock": True, "memory_mb": 64}})


def test_versions_are_kept_apart(store: TournamentStore) -> None:
    program = BotSection("mine", command="./bot --deep", directory="bots", environment={"KEY": "secret"}, author="me")
    [first] = store.enter([program])
    assert (first.id, first.bot, first.active, first.problem) == (1, program, True, None)
    assert store.enter([program]) == [first]
    assert store.enter([msgspec.structs.replace(program, author="us")])[0].bot.author == "us"
    changes: dict[str, Any] = {
        "command": "./bot",
        "directory": ".",
        "build": "make",
        "keep": True,
        "environment": {"KEY": "changed"},
        "agent": "greedy",
    }
    for field, value in changes.items():
        with pytest.raises(
            CallerError, match=f"'mine' entered as version '1' with another {field}: .*new version"
        ) as e:
            store.enter([agent("other"), msgspec.structs.replace(program, **{field: value})])
        assert "secret" not in str(e.value)
    [second] = store.enter([msgspec.structs.replace(program, version="2", command="./bot")])
    assert (second.id, second.name) == (2, "mine 2")
    store.save(table(played(GameKey(EDITION, 1, 2, 0, 0))))
    assert [entrant.id for entrant in store.enter([agent("x"), program, agent("x")])] == [3, 1, 3]
    assert [entrant.bot.version for entrant in store.entrants()] == ["1", "2", "1"]


def test_entrants_that_left_can_come_back(store: TournamentStore) -> None:
    one, two, three = enter(store, 3)
    store.set_active({one, three})
    store.set_problem(three, "no such file")
    assert [(entrant.active, entrant.problem) for entrant in store.entrants()] == [
        (True, None),
        (False, None),
        (True, "no such file"),
    ]
    assert store.enter([agent("bot1")])[0].active
    assert store.enter([agent("bot2")])[0].problem == "no such file"
    store.set_problem(three, None)
    store.set_active([])
    assert [(entrant.active, entrant.problem) for entrant in store.entrants()] == [(False, None)] * 3
    with pytest.raises(CallerError, match="no entrants with the ids 8, 9"):
        store.set_active([two, 9, 8])
    with pytest.raises(CallerError, match="no entrants with the ids 9"):
        store.set_problem(9, None)


def test_rounds_follow_one_another(store: TournamentStore) -> None:
    enter(store, 4)
    first = [Pairing(EDITION, 3, 4, 0, 2), Pairing("a", 1, 2, 0, 2)]
    with pytest.raises(CallerError, match="round 1 cannot be the next after none"):
        store.add_round(1, first)
    store.add_round(0, first)
    store.add_round(0, first)
    with pytest.raises(CallerError, match="round 0 is stored already, with other pairings"):
        store.add_round(0, first[::-1])
    store.finish_round(0)
    [found] = store.rounds()
    assert (found.number, found.pairings) == (0, tuple(first))
    assert found.finished_at is not None
    store.finish_round(0)
    store.add_round(0, first)
    assert store.rounds() == [found]
    store.add_round(1, [])
    assert [(one.number, one.pairings, one.finished_at is None) for one in store.rounds()] == [
        (0, tuple(first), False),
        (1, (), True),
    ]
    for number in (3, -1):
        with pytest.raises(CallerError, match=f"round {number} cannot be the next after 1"):
            store.add_round(number, first)
    with pytest.raises(CallerError, match="round 2 was not drawn"):
        store.finish_round(2)


def test_another_tournament_is_refused_with_what_differs(database_url: str) -> None:
    with TournamentStore.open(database_url) as store:
        assert store.settings() is None
        assert store.register("Cup", None, FIXED, '{"pairs": 50}', draw=lambda: 2**62 - 1) == 2**62 - 1
    with TournamentStore.open(database_url) as store:
        assert store.register("Cup", None, FIXED, '{"pairs": 50}') == 2**62 - 1
        assert store.register("Cup", 2**62 - 1, json.dumps(json.loads(FIXED), indent=4), '{"pairs": 60}') == 2**62 - 1
        found = store.settings()
        assert found is not None
        assert (found.name, found.seed, found.fixed, found.growing) == ("Cup", 2**62 - 1, FIXED, '{"pairs": 60}')
        with pytest.raises(CallerError) as caught:
            store.register("Mug", 7, json.dumps({"schedule": "ladder", "limits": {"clock": True}, "more": []}), "{}")
        assert str(caught.value).startswith(f"{store.name} holds a tournament with other settings: ")
        for phrase in (
            "name is 'Cup' there and 'Mug' here",
            f"seed is {2**62 - 1} there and 7 here",
            'schedule is "swiss" there and "ladder" here',
            "limits.memory_mb is 64 there and not set here",
            "more is not set there and [] here",
        ):
            assert phrase in str(caught.value)
        assert "clock" not in str(caught.value)
        for fixed in ("no JSON", "7"):
            with pytest.raises(CallerError, match="settings is not set there and"):
                store.register("Cup", None, fixed)
        assert store.settings() == found


def test_a_seed_is_drawn(tmp_path: Path) -> None:
    seeds = set()
    for number in range(3):
        with TournamentStore.open(f"{number}.db", base=tmp_path) as store:
            seeds.add(store.register("Cup", None, "{}"))
            assert store.name == str(tmp_path.resolve() / f"{number}.db")
    assert len(seeds) == 3
    assert all(1 << 200 < seed < 1 << 256 for seed in seeds)  # no bot can find it out from its deals


def test_one_process_runs_the_tournament_and_others_look_on(database_url: str) -> None:
    with TournamentStore.open(database_url) as store, TournamentStore.open(database_url, claim=False) as other:
        with pytest.raises(CallerError, match="another process is running this tournament"):
            TournamentStore.open(database_url)
        enter(store, 2)
        store.save(table(played(GameKey(EDITION, 1, 2, 0, 0))))
        assert stored(other) == stored(store)
    TournamentStore.open(database_url).close()


def test_the_tables_are_those_the_migrations_make(database_url: str) -> None:
    """A table changed without a migration would be missing in stores that exist."""
    with open_database(database_url, SCHEMA) as database, database.read() as connection:
        there = sa.inspect(connection)
        for table in metadata.sorted_tables:
            assert table.name.startswith("tournament_")
            columns = {column["name"]: column["nullable"] for column in there.get_columns(table.name)}
            assert columns == {column.name: column.nullable for column in table.columns}


def test_a_store_of_an_unreleased_version_is_refused(database_url: str) -> None:
    def old_tables(connection: sa.Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE tournament_meta (id INTEGER)")

    open_database(database_url, Schema("tournament", [old_tables])).close()
    with pytest.raises(CallerError, match="of an unreleased cardrome, which cannot be read any more; choose another"):
        TournamentStore.open(database_url)
