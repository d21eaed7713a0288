"""A tournament's store: nothing saved is lost, nothing is counted twice, and no order of saving matters."""

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
import numpy as np
import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrome.arena.storage.database import DatabaseUnavailable, open_database
from cardrome.errors import CallerError
from cardrome.tournament.records import TIME_BINS, Conduct, GameKey, GameRecord
from cardrome.tournament.schedule.pairing import Pairing
from cardrome.tournament.settings import BotSection
from cardrome.tournament.store.schema import SCHEMA, metadata
from cardrome.tournament.store.store import TournamentStore
from tests.postgres import AVAILABLE, PostgresServer

EDITION = "locm-1.2"
FIXED = json.dumps({"schedule": "swiss", "limits": {"clock": True, "memory_mb": 64}})


@pytest.fixture
def store(database_url: str) -> Iterator[TournamentStore]:
    with TournamentStore.open(database_url) as store:
        yield store


def agent(name: str, version: str = "1") -> BotSection:
    return BotSection(name, agent="greedy", version=version)


def enter(store: TournamentStore, count: int) -> list[int]:
    return [entrant.id for entrant in store.enter_all([agent(f"bot{k}") for k in range(count)])]


def played(key: GameKey) -> GameRecord:
    """A game between agents, the same whenever it is played."""
    return GameRecord(
        key=key,
        seed=-(key.pair + 1) << 40,
        winner=(key.a + key.b + key.pair + key.game) % 3,  # type: ignore[arg-type]
        turns=20 + key.pair % 50,
        actions=100 + key.a,
        finished_at=1_700_000_000.125 + key.pair,
    )


def conduct(worst: int = 40, stderr: str = "") -> Conduct:
    times = [0] * TIME_BINS
    times[worst.bit_length()] = 9
    return Conduct(10, 700 + worst, worst, 300, tuple(times), stderr)


def with_fault(key: GameKey, kind: str = "timeout", of: Any = 0) -> GameRecord:
    """A game of two programs, of which one loses by a fault."""
    return msgspec.structs.replace(
        played(key),
        winner=1 - of,
        score_a=31,
        score_b=-4,
        fault_of=of,
        fault_kind=kind,
        fault_message=f"no answer within {key.pair} ms",
        conduct_a=conduct(40 + key.pair, "warning: é\n"),
        conduct_b=conduct(3),
        replay=bytes(range(256)),
    )


def keys(pairing: Pairing) -> list[GameKey]:
    pairs = range(pairing.first_pair, pairing.first_pair + pairing.pairs)
    return [GameKey(pairing.edition, pairing.a, pairing.b, pair, game) for pair in pairs for game in (0, 1)]


def without_replay(record: GameRecord) -> GameRecord:
    return msgspec.structs.replace(record, replay=None)


def test_what_is_stored_comes_back(database_url: str) -> None:
    records = [
        played(GameKey(EDITION, 1, 2, 0, 0)),
        with_fault(GameKey(EDITION, 1, 2, 0, 1)),
        msgspec.structs.replace(played(GameKey(EDITION, 1, 3, 2**31 - 1, 0)), seed=-(2**63)),
        msgspec.structs.replace(played(GameKey("locm-1.5", 2, 3, 0, 0)), conduct_b=conduct()),
        msgspec.structs.replace(played(GameKey("locm-1.5", 2, 3, 0, 1)), replay=b""),
    ]
    with TournamentStore.open(database_url) as store:
        assert enter(store, 3) == [1, 2, 3]
        assert store.save(records) == 5
    with TournamentStore.open(database_url, claim=False) as store:
        assert [store.game(record.key) for record in records] == records
        assert store.game(GameKey(EDITION, 2, 3, 0, 0)) is None
        assert store.game(GameKey("tapdeck", 1, 2, 0, 0)) is None
        assert list(store.all_games()) == [without_replay(record) for record in records]
        assert store.games(EDITION, 1, 2) == [records[0], without_replay(records[1])]
        assert store.games(EDITION, 2, 1) == store.games(EDITION, 1, 2)
        assert store.games("locm-1.5", 1, 2) == []


def test_texts_that_no_database_takes_are_mended(store: TournamentStore) -> None:
    enter(store, 2)
    record = with_fault(GameKey(EDITION, 1, 2, 0, 0))
    odd = msgspec.structs.replace(record, fault_message="a\0b", conduct_a=conduct(stderr="\0\udcff\n"))
    store.save([odd])
    found = store.game(record.key)
    assert found is not None
    assert found.fault_message == "a\ufffdb"
    assert found.conduct_a == conduct(stderr="\ufffd?\n")
    store.set_problem(1, "\0")
    assert store.entrants()[0].problem == "\ufffd"


def test_games_are_saved_once(store: TournamentStore) -> None:
    enter(store, 2)
    first, second, third = (played(key) for key in keys(Pairing(EDITION, 1, 2, 0, 2))[:3])
    assert store.save([]) == 0
    assert store.save([first, first]) == 1
    later = msgspec.structs.replace(first, turns=99, finished_at=5.0, conduct_a=conduct(), replay=b"other")
    assert store.save([later, second]) == 1
    assert store.save([second, later]) == 0
    assert store.game(first.key) == first
    wrong = msgspec.structs.replace(first, winner=2 - first.winner)
    for batch in ([third, wrong], [third, first, wrong]):
        with pytest.raises(CallerError, match="game 0 of pair 0 of entrants 1 and 2 in"):
            store.save(batch)
    with pytest.raises(CallerError, match="won by 1 there and a draw here"):
        store.save([msgspec.structs.replace(first, winner=2)])
    assert list(store.all_games()) == [first, second]


def test_games_that_cannot_be_are_refused_with_all_others(store: TournamentStore) -> None:
    enter(store, 2)
    good = played(GameKey(EDITION, 1, 2, 0, 0))
    store.save([played(GameKey(EDITION, 1, 2, 7, 0))])
    impossible: list[dict[str, Any]] = [
        {"key": GameKey(EDITION, 1, 3, 0, 0)},
        {"key": GameKey(EDITION, 1, 1, 0, 0)},
        {"key": GameKey(EDITION, 1, 2, 0, 2)},  # type: ignore[arg-type]
        {"winner": 3},
        {"fault_of": 2},
    ]
    for change in impossible:
        other = msgspec.structs.replace(played(GameKey(EDITION, 1, 2, 1, 0)), **change)
        with pytest.raises(sa.exc.IntegrityError, match="hidden"):
            store.save([good, other])
    with pytest.raises(CallerError, match="16 counts of times, not 1"):
        store.save([good, msgspec.structs.replace(good, key=keys(Pairing(EDITION, 1, 2, 9, 1))[0], conduct_a=SHORT)])
    assert len(store.results()) == 1


SHORT = Conduct(1, 2, 3, 4, (5,))


@settings(max_examples=25)
@given(data=st.data())
def test_the_order_of_saving_does_not_matter(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Whatever is saved twice, in whatever batches, the store is the same in the end."""
    path: Path = tmp_path_factory.mktemp("stores") / "store.db"
    drawn = [Pairing(edition, a, b, 3, 2) for edition in ("b", "a") for a, b in itertools.combinations((1, 2, 3), 2)]
    records = [with_fault(key) if key.a == 1 else played(key) for pairing in drawn for key in keys(pairing)]
    with TournamentStore.open(path) as store:
        enter(store, 3)
        twice = data.draw(st.permutations([*records, *data.draw(st.lists(st.sampled_from(records), max_size=9))]))
        cuts = sorted(data.draw(st.lists(st.integers(0, len(twice)), max_size=4)))
        batches = [twice[start:end] for start, end in itertools.pairwise([0, *cuts, len(twice)])]
        done: set[GameKey] = set()
        for batch in batches:
            assert store.save(batch) == len({record.key for record in batch} - done)
            done |= {record.key for record in batch}
            assert store.missing_of(drawn) == [record.key for record in records if record.key not in done]
        assert list(store.all_games()) == [
            without_replay(record) for record in sorted(records, key=lambda record: record.key)
        ]
        assert [store.game(record.key) for record in records] == records
        found = store.results()
        names = [found.editions[place] for place in found.edition]
        order = list(zip(names, found.a, found.b, found.pair, found.game, strict=True))
        assert order == sorted((key.edition, key.a, key.b, key.pair, key.game) for key in done)


def test_results_are_arrays(store: TournamentStore) -> None:
    enter(store, 3)
    empty = store.results()
    assert (len(empty), empty.editions) == (0, ())
    one = Pairing("locm-1.5", 2, 3, 0, 3)
    other = Pairing(EDITION, 1, 3, 5, 1)
    records = [played(key) for key in keys(one)] + [with_fault(key, of=1) for key in keys(other)]
    store.save(records)
    found = store.results()
    assert found.editions == (EDITION, "locm-1.5")
    assert found.edition.tolist() == [0, 0] + [1] * 6
    assert found.a.tolist() == [1, 1] + [2] * 6
    assert found.b.tolist() == [3] * 8
    assert found.pair.tolist() == [5, 5, 0, 0, 1, 1, 2, 2]
    assert found.game.tolist() == [0, 1] * 4
    ordered = sorted(records, key=lambda record: record.key)
    assert found.winner.tolist() == [record.winner for record in ordered]
    assert found.turns.tolist() == [record.turns for record in ordered]
    assert found.actions.tolist() == [record.actions for record in ordered]
    assert found.score_a[:2].tolist() == [31, 31]
    assert found.score_b[:2].tolist() == [-4, -4]
    assert np.isnan(found.score_a[2:]).all()
    assert np.isnan(found.score_b[2:]).all()
    assert found.forfeit.tolist() == [True, True] + [False] * 6
    assert found.winner.dtype == found.edition.dtype == np.int64
    assert found.forfeit.dtype == np.bool_
    chosen = store.results(["locm-1.5", "none such", EDITION])
    assert chosen.edition.tolist() == [0] * 6 + [2, 2]
    assert len(store.results([EDITION])) == 2
    assert len(store.results([])) == 0


def test_results_before_a_round(store: TournamentStore) -> None:
    enter(store, 4)
    for number in range(3):
        drawn = [Pairing(EDITION, 1, 2, 2 * number, 2), Pairing(EDITION, 3, 4, 2 * number, 2)]
        store.add_round(number, drawn)
        store.save([played(key) for pairing in drawn for key in keys(pairing)][: 3 if number == 2 else None])
    assert [len(store.results(before_round=number)) for number in range(4)] == [0, 8, 16, 19]
    assert store.results([EDITION], before_round=1).pair.tolist() == [0, 0, 1, 1] * 2


def test_missing_games_come_in_order(store: TournamentStore) -> None:
    enter(store, 4)
    one, other, more = Pairing(EDITION, 1, 2, 3, 2), Pairing("tapdeck", 3, 4, 0, 1), Pairing(EDITION, 1, 4, 0, 2)
    assert store.missing(one) == keys(one)
    assert store.missing_of([]) == []
    store.save([played(keys(one)[2]), played(GameKey(EDITION, 1, 2, 2, 0)), played(GameKey(EDITION, 1, 2, 5, 0))])
    left = [keys(one)[0], keys(one)[1], keys(one)[3]]
    assert store.missing(one) == left
    assert store.missing_of([other, one, more]) == [*keys(other), *left, *keys(more)]
    assert store.missing_of([one, Pairing(EDITION, 1, 2, 4, 2)]) == [*left, GameKey(EDITION, 1, 2, 5, 1)]
    store.save([played(key) for key in left])
    assert store.missing(one) == []


def test_many_games_at_once(store: TournamentStore) -> None:
    enter(store, 8)
    drawn = [Pairing(EDITION, a, b, 0, 200) for a, b in itertools.combinations(range(1, 9), 2)]
    records = [played(key) for pairing in drawn for key in keys(pairing)]
    assert store.save(records[1:]) == 11_199
    assert store.missing_of(drawn) == [records[0].key]
    assert store.save(records) == 1
    assert list(store.all_games()) == records
    assert store.results().turns.tolist() == [record.turns for record in records]


def test_faults_the_latest_first(store: TournamentStore) -> None:
    enter(store, 3)
    store.save([with_fault(GameKey(EDITION, 1, 2, pair, 0), of=pair % 2) for pair in range(3)])
    store.save([played(GameKey(EDITION, 1, 2, 8, 0)), with_fault(GameKey("a", 2, 3, 1, 1))])
    found = store.faults()
    where = [(record.key.edition, record.key.a, record.key.pair) for record in found]
    assert where == [(EDITION, 1, 2), (EDITION, 1, 1), ("a", 2, 1), (EDITION, 1, 0)]
    assert found[0] == without_replay(with_fault(GameKey(EDITION, 1, 2, 2, 0)))
    assert store.faults(2) == found[:2]
    assert store.faults(entrant=2) == found[1:3]
    assert store.faults(entrant=3) == []


def test_conduct_is_added_up(store: TournamentStore) -> None:
    enter(store, 3)
    store.save([with_fault(GameKey(EDITION, 1, 2, pair, 0), "crash" if pair else "timeout") for pair in range(3)])
    store.save([with_fault(GameKey("a", 2, 3, 25, 1), of=1), played(GameKey("a", 1, 3, 0, 0))])
    first = store.conduct(1)
    assert (first.games, first.answers, first.total_ms) == (3, 30, 2100 + 40 + 41 + 42)
    assert (first.worst_ms, first.worst_first_ms) == (42, 300)
    assert first.mean_ms == first.total_ms / 30
    assert first.times == (0,) * 6 + (27,) + (0,) * 9
    assert first.faults == {"crash": 2, "timeout": 1}
    second = store.conduct(2)
    assert (second.games, second.worst_ms, second.faults) == (4, 65, {})
    assert second.times[2] == 27
    assert second.times[7] == 9
    assert store.conduct(3).faults == {"timeout": 1}
    assert store.conducts() == {entrant: store.conduct(entrant) for entrant in (1, 2, 3)}
    with pytest.raises(CallerError, match="no entrants with the ids 4"):
        store.conduct(4)


def test_an_entrant_without_programs_has_no_conduct(store: TournamentStore) -> None:
    enter(store, 2)
    store.save([played(GameKey(EDITION, 1, 2, 0, 0))])
    nothing = store.conduct(1)
    assert (nothing.games, nothing.mean_ms, nothing.times, nothing.faults) == (0, 0.0, (0,) * TIME_BINS, {})


def test_versions_are_kept_apart(store: TournamentStore) -> None:
    program = BotSection("mine", command="./bot --deep", directory="bots", environment={"KEY": "secret"}, author="me")
    first = store.enter(program)
    assert (first.id, first.bot, first.active, first.problem) == (1, program, True, None)
    assert store.enter(program) == first
    assert store.enter(msgspec.structs.replace(program, author="us")).bot.author == "us"
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
            store.enter_all([agent("other"), msgspec.structs.replace(program, **{field: value})])
        assert "secret" not in str(e.value)
    second = store.enter(msgspec.structs.replace(program, version="2", command="./bot"))
    assert (second.id, second.name) == (2, "mine 2")
    store.save([played(GameKey(EDITION, 1, 2, 0, 0))])
    assert [entrant.id for entrant in store.enter_all([agent("x"), program, agent("x")])] == [3, 1, 3]
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
    assert store.enter(agent("bot1")).active
    assert store.enter(agent("bot2")).problem == "no such file"
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


def test_a_round_that_grows(store: TournamentStore) -> None:
    enter(store, 3)
    small = [Pairing(EDITION, 1, 2, 0, 2)]
    store.replace_round(0, small)
    store.save([played(key) for key in keys(small[0])])
    store.finish_round(0)
    store.replace_round(0, small)
    [before] = store.rounds()
    assert before.finished_at is not None
    large = [Pairing(EDITION, 1, 2, 0, 3), Pairing(EDITION, 1, 3, 0, 3)]
    store.replace_round(0, large)
    [after] = store.rounds()
    assert (after.pairings, after.began_at, after.finished_at) == (tuple(large), before.began_at, None)
    assert store.missing_of(large) == [*keys(large[0])[4:], *keys(large[1])]
    with pytest.raises(CallerError, match="round 2 cannot be the next after 0"):
        store.replace_round(2, large)


def test_another_tournament_is_refused_with_what_differs(database_url: str) -> None:
    with TournamentStore.open(database_url) as store:
        assert store.tournament() is None
        assert store.register("Cup", None, FIXED, '{"pairs": 50}', draw=lambda: 2**62 - 1) == 2**62 - 1
    with TournamentStore.open(database_url) as store:
        assert store.register("Cup", None, FIXED, '{"pairs": 50}') == 2**62 - 1
        assert store.register("Cup", 2**62 - 1, json.dumps(json.loads(FIXED), indent=4), '{"pairs": 60}') == 2**62 - 1
        found = store.tournament()
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
        assert store.tournament() == found


def test_a_seed_is_drawn(tmp_path: Path) -> None:
    seeds = set()
    for number in range(3):
        with TournamentStore.open(f"{number}.db", base=tmp_path) as store:
            seeds.add(store.register("Cup", None, "{}"))
            assert store.name == str(tmp_path.resolve() / f"{number}.db")
    assert len(seeds) == 3
    assert all(0 <= seed < 1 << 62 for seed in seeds)


def test_one_process_runs_the_tournament_and_others_look_on(database_url: str) -> None:
    with TournamentStore.open(database_url) as store, TournamentStore.open(database_url, claim=False) as other:
        with pytest.raises(CallerError, match="another process is running this tournament"):
            TournamentStore.open(database_url)
        enter(store, 2)
        store.save([played(GameKey(EDITION, 1, 2, 0, 0))])
        assert list(other.all_games()) == list(store.all_games())
    TournamentStore.open(database_url).close()


def test_readers_see_whole_batches_of_one_moment(store: TournamentStore) -> None:
    enter(store, 2)
    records = [played(key) for key in keys(Pairing(EDITION, 1, 2, 0, 100))]
    store.save(records[:10])
    reading = store.all_games()
    assert next(reading) == records[0]

    def look() -> set[int]:
        return {len(store.results()) % 10 for _ in range(30)}

    with ThreadPoolExecutor(2) as readers:
        looking = [readers.submit(look) for _ in range(2)]
        for start in range(10, 200, 10):
            store.save(records[start : start + 10])
        assert set().union(*(seen.result() for seen in looking)) == {0}
    assert list(reading) == records[1:10]
    given_up = store.all_games()
    next(given_up)
    given_up.close()  # type: ignore[attr-defined]
    assert len(store.results()) == 200


def test_the_tables_are_those_the_migrations_make(database_url: str) -> None:
    """A table changed without a migration would be missing in stores that exist."""
    with open_database(database_url, SCHEMA) as database, database.read() as connection:
        there = sa.inspect(connection)
        for table in metadata.sorted_tables:
            assert table.name.startswith("tournament_")
            columns = {column["name"]: column["nullable"] for column in there.get_columns(table.name)}
            assert columns == {column.name: column.nullable for column in table.columns}


KILLED = """
import sys
from cardrome.tournament.store.store import TournamentStore
from tests.tournament.test_store import batches
store = TournamentStore.open(sys.argv[1])
for number, batch in enumerate(batches(), 1):
    store.save(batch)
    print(number, flush=True)
"""
BATCH = 20


def batches() -> list[Sequence[GameRecord]]:
    pairing = Pairing(EDITION, 1, 2, 0, 20_000)
    records = [with_fault(key) if key.pair % 3 else played(key) for key in keys(pairing)]
    return [records[start : start + BATCH] for start in range(0, len(records), BATCH)]


def test_a_killed_run_loses_nothing_and_goes_on(database_url: str) -> None:
    with TournamentStore.open(database_url) as store:
        enter(store, 2)
    command = [sys.executable, "-c", KILLED, database_url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        told = [int(run.stdout.readline()) for _ in range(4)]
        with pytest.raises(CallerError, match="another process is running"):
            TournamentStore.open(database_url)
        run.send_signal(signal.SIGKILL)
        told += map(int, run.stdout)
    with until_free(database_url) as store:
        kept = list(store.all_games())
        assert told[-1] * BATCH <= len(kept) <= (told[-1] + 1) * BATCH
        assert len(kept) % BATCH == 0
        whole = [record for batch in batches()[: told[-1] + 2] for record in batch]
        assert [store.game(record.key) for record in kept] == whole[: len(kept)]
        pairing = Pairing(EDITION, 1, 2, 0, len(whole) // 2)
        assert store.missing(pairing) == [record.key for record in whole[len(kept) :]]
        assert store.save(whole) == len(whole) - len(kept)
        assert store.missing(pairing) == []


def until_free(url: str) -> TournamentStore:
    """Open the store; a server needs a moment to see that a connection was cut."""
    for _ in range(1000):
        with contextlib.suppress(CallerError):
            return TournamentStore.open(url)
        time.sleep(0.02)
    return TournamentStore.open(url)


def test_a_full_disk_is_waited_for(tmp_path: Path) -> None:
    """SQLite is told that the file must not grow, which fails as a full disk does."""
    records = [with_fault(key) for key in keys(Pairing(EDITION, 1, 2, 0, 400))]
    with TournamentStore.open(tmp_path / "store.db") as store:
        enter(store, 2)
        store.save(records[:100])
        limit_pages(store, 1)
        with pytest.raises(DatabaseUnavailable, match="database or disk is full"):
            store.save(records)
        assert len(store.results()) == 100
        assert store.missing(Pairing(EDITION, 1, 2, 0, 50)) == []
        limit_pages(store, 1_000_000)
        assert store.save(records) == 700
        assert list(store.all_games()) == [without_replay(record) for record in records]


def limit_pages(store: TournamentStore, pages: int) -> None:
    """Of the connection that the store uses: a smaller number than there are pages means no more than there are."""
    with store._database.read() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")


@pytest.mark.skipif(not AVAILABLE, reason="needs PostgreSQL")
def test_a_server_that_drops_all_connections_is_tried_again(postgres_server: PostgresServer) -> None:
    url = postgres_server.new_database()
    records = [with_fault(key) for key in keys(Pairing(EDITION, 1, 2, 0, 10))]
    with TournamentStore.open(url) as store:
        enter(store, 2)
        for start in range(0, 20, 5):
            postgres_server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                f"AND datname = '{sa.make_url(url).database}'"
            )
            for _ in range(100):
                with contextlib.suppress(DatabaseUnavailable):
                    store.save(records[: start + 5])
                    break
                time.sleep(0.05)
        assert list(store.all_games()) == [without_replay(record) for record in records]
