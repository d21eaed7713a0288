"""Stores while things go wrong: a killed run, a full disk, a server that drops connections, readers meanwhile."""

from __future__ import annotations

import contextlib
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa

from cardrome.arena.storage.database import DatabaseUnavailable
from cardrome.errors import CallerError
from cardrome.tournament.games import PlayedGame
from cardrome.tournament.schedule.pairing import Pairing
from cardrome.tournament.store import games as games_module
from cardrome.tournament.store import store as store_module
from cardrome.tournament.store.store import TournamentStore
from tests.postgres import PostgresServer, needs_postgres
from tests.tournament.store.tools import EDITION, enter, keys, played, stored, table, with_fault


def test_readers_see_whole_batches(store: TournamentStore) -> None:
    enter(store, 2)
    records = [played(key) for key in keys(Pairing(EDITION, 1, 2, 0, 100))]
    store.save(table(*records[:10]))

    def look() -> set[int]:
        return {len(store.games()) % 10 for _ in range(30)}

    with ThreadPoolExecutor(2) as readers:
        looking = [readers.submit(look) for _ in range(2)]
        for start in range(10, 200, 10):
            store.save(table(*records[start : start + 10]))
        assert set().union(*(seen.result() for seen in looking)) == {0}
    assert len(store.games()) == 200


def test_a_snapshot_is_of_one_moment(store: TournamentStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is saved between its queries, all that it says of the games agrees."""
    store.register("Cup", 1, "{}")
    enter(store, 2)
    one, other = (with_fault(key) for key in keys(Pairing(EDITION, 1, 2, 0, 1)))
    store.save(table(one))
    read = games_module.read_table

    def interrupted(connection: sa.Connection, answers: bool) -> object:
        found = read(connection, answers)
        with ThreadPoolExecutor(1) as writer:
            writer.submit(store.save, table(other)).result()
        return found

    monkeypatch.setattr(store_module, "read_table", interrupted)
    found = store.snapshot()
    assert (len(found.games), len(found.faults), found.behaviours[1].games) == (1, 1, 1)
    monkeypatch.undo()
    assert len(store.snapshot().faults) == 2


KILLED = """
import sys
from cardrome.tournament.games import GameTable
from cardrome.tournament.store.store import TournamentStore
from tests.tournament.store.test_failures import batches
store = TournamentStore.open(sys.argv[1])
for number, batch in enumerate(batches(), 1):
    store.save(GameTable.of_records(batch))
    print(number, flush=True)
"""
BATCH = 20


def batches(count: int = 2_000) -> Iterator[list[PlayedGame]]:
    for number in range(count):
        pairing = Pairing(EDITION, 1, 2, number * BATCH // 2, BATCH // 2)
        yield [with_fault(key) if key.pair % 3 else played(key) for key in keys(pairing)]


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
        kept = stored(store)
        assert told[-1] * BATCH <= len(kept) <= (told[-1] + 1) * BATCH
        assert len(kept) % BATCH == 0
        whole = [record for batch in batches(told[-1] + 2) for record in batch]
        assert kept == whole[: len(kept)]
        pairing = Pairing(EDITION, 1, 2, 0, len(whole) // 2)
        assert list(store.missing([pairing])) == [record.key for record in whole[len(kept) :]]
        assert store.save(table(*whole)) == len(whole) - len(kept)
        assert list(store.missing([pairing])) == []


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
        store.save(table(*records[:100]))
        limit_pages(store, 1)
        with pytest.raises(DatabaseUnavailable, match="database or disk is full"):
            store.save(table(*records))
        assert len(store.games()) == 100
        assert list(store.missing([Pairing(EDITION, 1, 2, 0, 50)])) == []
        limit_pages(store, 1_000_000)
        assert store.save(table(*records)) == 700
        assert stored(store) == records


def limit_pages(store: TournamentStore, pages: int) -> None:
    """Of the connection that the store uses: a smaller number than there are pages means no more than there are."""
    with store._database.read() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")


@needs_postgres
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
                    store.save(table(*records[: start + 5]))
                    break
                time.sleep(0.05)
        assert stored(store) == records


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE tournament_meta SET seed = '12345678x'", "the seed is not a number"),
        ("UPDATE tournament_meta SET growing = '12345678x'", "the text of the settings is not JSON"),
        ("UPDATE tournament_entrants SET bot = '12345678x'", "Expected `object`, got `int`"),
        ("UPDATE tournament_rounds SET began_at = '12345678x'", "Expected `float`, got `str`"),
        ("UPDATE tournament_pairings SET pairs = '12345678x'", "Expected `int`, got `str`"),
        ("UPDATE tournament_games SET score_a = '12345678x'", "score_a of a game is not a number"),
        ("UPDATE tournament_games SET turns = x'ff'", "turns of a game is not a number"),
        ("UPDATE tournament_details SET behaviours = '12345678x'", "what a program did in a game cannot be read"),
        ("UPDATE tournament_replays SET edition = 12345678", "there are games of an edition that does not exist"),
    ],
)
def test_a_damaged_row_is_told_without_its_values(tmp_path: Path, statement: str, words: str) -> None:
    with TournamentStore.open(tmp_path / "cup.db") as store:
        store.register("Cup", 1, "{}")
        enter(store, 2)
        pairing = Pairing(EDITION, 1, 2, 0, 1)
        store.add_round(0, [pairing])
        store.save(table(with_fault(keys(pairing)[0])))
        assert store.snapshot().faults
        with contextlib.closing(sqlite3.connect(tmp_path / "cup.db")) as driver:
            driver.execute(statement)
            driver.commit()
        with pytest.raises(CallerError, match=r"cup\.db is damaged") as caught:
            (store.snapshot(), store.replays())
    assert words in str(caught.value)
    assert "12345678" not in str(caught.value)
