"""Databases: the same promises on SQLite and PostgreSQL, and clear errors when they cannot be kept."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
import sqlalchemy as sa

from cardrome.arena.storage.database import Database, DatabaseUnavailable, Migration, Schema, open_database
from cardrome.arena.storage.locks import FileLock
from cardrome.arena.storage.postgres import PostgresDatabase
from cardrome.errors import CallerError
from tests.postgres import AVAILABLE, PostgresServer, running_postgres

numbers = sa.Table("numbers", sa.MetaData(), sa.Column("value", sa.BigInteger, primary_key=True, autoincrement=False))


def make(connection: sa.Connection) -> None:
    numbers.create(connection)


def put(value: int) -> Migration:
    return lambda connection: void(connection.execute(numbers.insert().values(value=value)))


def void(_: object) -> None: ...


NUMBERS = Schema("numbers", [make])
available = [None] if AVAILABLE else []
"""The parameter of tests that need PostgreSQL, which CI has."""


def insert(where: Database, *values: int) -> None:
    with where.write() as connection:
        connection.execute(numbers.insert(), [{"value": value} for value in values])


def fail_half_way(where: Database) -> None:
    with where.write() as connection:
        connection.execute(numbers.insert().values(value=5))
        raise ZeroDivisionError


def held(where: Database) -> list[int]:
    with where.read() as connection:
        return sorted(connection.scalars(sa.select(numbers.c.value)))


def test_what_is_written_is_there_after_opening_again(database_url: str) -> None:
    with open_database(database_url, NUMBERS) as opened:
        insert(opened, 1, 2)
    with open_database(database_url, NUMBERS) as opened:
        assert held(opened) == [1, 2]


def test_a_transaction_that_fails_leaves_nothing(database_url: str) -> None:
    with open_database(database_url, NUMBERS) as opened:
        with pytest.raises(sa.exc.IntegrityError) as caught:
            insert(opened, 1, 2, 1)
        assert "parameters hidden" in str(caught.value)
        with pytest.raises(ZeroDivisionError):
            fail_half_way(opened)
        assert held(opened) == []


def test_a_reader_sees_one_moment_and_does_not_hold_up_writers(database_url: str) -> None:
    with open_database(database_url, NUMBERS) as opened, opened.read() as connection:
        count = sa.select(sa.func.count()).select_from(numbers)
        assert connection.scalar(count) == 0
        with ThreadPoolExecutor(1) as other:
            other.submit(insert, opened, 7).result()
        assert connection.scalar(count) == 0
        assert held(opened) == [7]


def test_writers_take_turns(database_url: str) -> None:
    """Each reads the largest number and writes the next: without turns, two would write the same one."""
    with open_database(database_url, NUMBERS) as opened:

        def count() -> None:
            for _ in range(10):
                with opened.write() as connection:
                    last = connection.scalar(sa.select(sa.func.max(numbers.c.value))) or 0
                    connection.execute(numbers.insert().values(value=last + 1))

        with ThreadPoolExecutor(4) as workers:
            for done in [workers.submit(count) for _ in range(4)]:
                done.result()
        assert held(opened) == list(range(1, 41))


def test_a_writer_does_not_wait_for_ever(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Database, "patience", 1)
    with open_database(database_url, NUMBERS) as opened, opened.write(), ThreadPoolExecutor(1) as other:
        trouble = other.submit(insert, opened, 1).exception()
    assert isinstance(trouble, DatabaseUnavailable)
    assert "lock" in str(trouble)


def test_migrations_are_applied_once_and_in_order(database_url: str) -> None:
    open_database(database_url, NUMBERS).close()
    third = Schema("numbers", [make, put(2), put(3)])
    for _ in range(2):
        with open_database(database_url, third) as opened:
            assert held(opened) == [2, 3]


def test_a_migration_that_fails_leaves_the_tables_as_they_were(database_url: str) -> None:
    with pytest.raises(DatabaseUnavailable):
        open_database(database_url, Schema("numbers", [make, put(2), put(2)]))
    with open_database(database_url, Schema("numbers", [make, put(4)])) as opened:
        assert held(opened) == [4]


def test_a_newer_database_is_refused(database_url: str) -> None:
    open_database(database_url, Schema("numbers", [make, put(1)])).close()
    with pytest.raises(CallerError, match=r"newer cardrome .*version 2; this one knows 1.*update"):
        open_database(database_url, NUMBERS)


def test_two_schemas_share_a_database(database_url: str) -> None:
    other = sa.Table("others", sa.MetaData(), sa.Column("value", sa.Integer))
    with open_database(database_url, NUMBERS) as one:
        with open_database(database_url, Schema("others", [other.create, void])) as two, two.read() as connection:
            assert connection.execute(sa.select(other)).all() == []
        assert held(one) == []


def test_many_may_open_a_new_database_at_once(database_url: str) -> None:
    begin = threading.Barrier(8)

    def enter() -> list[int]:
        begin.wait()
        with open_database(database_url, Schema("numbers", [make, put(1)])) as opened:
            return held(opened)

    with ThreadPoolExecutor(8) as workers:
        assert [done.result() for done in [workers.submit(enter) for _ in range(8)]] == [[1]] * 8


def test_one_claim_at_a_time(database_url: str) -> None:
    with open_database(database_url, NUMBERS) as one, open_database(database_url, NUMBERS) as two:
        one.claim("event")
        with pytest.raises(CallerError, match="another process is running this event"):
            two.claim("event")
        insert(two, 1)
        one.close()
        two.claim("event")
        insert(two, 2)
        assert held(two) == [1, 2]


WRITER = """
import sys
from cardrome.arena.storage.database import open_database
from tests.arena.storage.test_database import NUMBERS, insert
opened = open_database(sys.argv[1], NUMBERS)
opened.claim("event")
for k in range(10**9):
    insert(opened, *range(10 * k, 10 * k + 10))
    print(k, flush=True)
"""


def test_a_killed_process_leaves_whole_transactions_and_no_claim(database_url: str) -> None:
    with open_database(database_url, NUMBERS) as opened:
        command = [sys.executable, "-c", WRITER, database_url]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            for line in writer.stdout:
                if line == "5\n":
                    break
            with pytest.raises(CallerError, match="another process"):
                opened.claim("event")
            writer.send_signal(signal.SIGKILL)
            told = [5, *map(int, writer.stdout)][-1]
        until(lambda: opened.claim("event"))
        values = held(opened)
        assert values == list(range(len(values)))
        assert len(values) % 10 == 0
        assert len(values) >= 10 * (told + 1)


def until(done: Callable[[], None]) -> None:
    """Try until it succeeds: a server needs a moment to notice that a connection is gone."""
    for _ in range(1000):
        with contextlib.suppress(CallerError):
            return done()
        time.sleep(0.02)
    return done()


def test_the_lock_of_a_file_names_the_process(tmp_path: Path) -> None:
    with open_database(tmp_path / "a.db", NUMBERS) as one, open_database(tmp_path / "a.db", NUMBERS) as two:
        one.claim("event")
        with pytest.raises(CallerError, match=rf"a\.db: another process .*\(process {os.getpid()}\)"):
            two.claim("event")


def test_only_the_owner_reads_a_new_file(tmp_path: Path) -> None:
    with open_database(tmp_path / "a.db", NUMBERS) as opened:
        insert(opened, 1)
        assert {file.stat().st_mode & 0o077 for file in tmp_path.iterdir()} == {0}


def test_a_path_without_a_scheme_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep").mkdir()
    for where in (
        "cup.db",
        "sqlite:///cup.db",
        "sqlite+pysqlite:///cup.db",
        Path("cup.db"),
        f"sqlite:///{tmp_path}/cup.db",
    ):
        with open_database(where, NUMBERS) as opened:
            assert opened.name == str(tmp_path / "cup.db")
    open_database("cup.db", NUMBERS, base=tmp_path / "deep").close()
    assert (tmp_path / "deep" / "cup.db").exists()


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("", "expected a file's path"),
        (":memory:", "expected a file's path"),
        ("sqlite://", "names a file"),
        ("sqlite:///:memory:", "names a file"),
        ("sqlite:///a.db?mode=ro", "names a file"),
        ("sqlite:a.db", "expected a file's path"),
        ("postgres:secret@host/name", "expected a file's path"),
        ("mysql://me:secret@host/name", "kind 'mysql'"),
        ("postgresql+asyncpg://me:secret@host/name", "kind 'postgresql.asyncpg'"),
        ("postgresql://me:secret@host:port/name", "not a database URL"),
        ("a\0b", "contains no zero character"),
        ("postgresql://me:secret@127.0.0.1:1/name", r"cannot use postgresql://127\.0\.0\.1:1/name: .*refused"),
        ("postgres://me@127.0.0.1:1/name?password=secret", r"cannot use postgresql://127\.0\.0\.1:1/name: "),
        ("postgresql+psycopg:///name?host=/nowhere&password=secret", "cannot use postgresql:///name: "),
        ("postgresql://me:secret@127.0.0.1/name?nonsense=1", "cannot use postgresql://127.0.0.1/name: .*nonsense"),
        ("postgresql://me:secret@127.0.0.1/name?sslmode=secret", "postgresql://127.0.0.1/name: the database refused"),
    ],
)
def test_errors_on_opening_contain_no_secrets(where: str, message: str) -> None:
    with pytest.raises(CallerError, match=message) as caught:
        open_database(where, NUMBERS)
    assert "secret" not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("dear diary, " * 1000)
    with pytest.raises(CallerError, match=r"notes\.txt: file is not a database"):
        open_database(tmp_path / "notes.txt", NUMBERS)
    assert (tmp_path / "notes.txt").read_text().startswith("dear diary")
    with pytest.raises(CallerError, match="it is a folder"):
        open_database(tmp_path, NUMBERS)
    with pytest.raises(CallerError, match=r"a\.db cannot be written: No such file or directory"):
        open_database(tmp_path / "none" / "a.db", NUMBERS)
    with pytest.raises(CallerError, match=r"/proc/a.* cannot be written"):
        open_database("/proc/a.db", NUMBERS)
    with sqlite3.connect(tmp_path / "photos.db") as connection:
        connection.execute("CREATE TABLE photos (id)")
    connection.close()
    with pytest.raises(CallerError, match="another program"):
        open_database(tmp_path / "photos.db", NUMBERS)


def test_an_empty_file_is_not_taken_for_a_new_store(tmp_path: Path) -> None:
    (tmp_path / "a.db").touch()
    with pytest.raises(CallerError, match=r"a\.db is empty, which no store ever is"):
        open_database(tmp_path / "a.db", NUMBERS)
    assert [(file.name, file.stat().st_size) for file in tmp_path.iterdir()] == [("a.db", 0)]


@pytest.mark.parametrize(
    ("place", "data"),
    [
        *((length, None) for length in (1, 99, 100, 4095, 4096, 4097, 8192, 20_000, -4096, -1)),
        (0, b"x" * 16),  # the header
        (100, bytes(12)),  # the table of tables
        (-4096, b"\xff" * 40),  # a page of numbers
        (-8192, bytes(4096)),
    ],
)
def test_a_damaged_file_is_refused_and_left_alone(tmp_path: Path, place: int, data: bytes | None) -> None:
    path = tmp_path / "a.db"
    with open_database(path, NUMBERS) as opened:
        insert(opened, *range(10_000))
    whole = path.read_bytes()
    place %= len(whole)
    damaged = whole[:place] if data is None else whole[:place] + data + whole[place + len(data) :]
    path.write_bytes(damaged)
    told = r"a\.db( is cut off, which| is damaged \(.*choose another store|: file is not a database)"
    with pytest.raises(CallerError, match=told) as caught:
        open_database(path, NUMBERS)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == damaged


def test_damage_that_shows_up_later_is_not_waited_for(tmp_path: Path) -> None:
    """Somebody who keeps trying while a database is unavailable must not try this for ever."""
    path = tmp_path / "a.db"
    with open_database(path, NUMBERS) as opened:
        insert(opened, *range(10_000))
        opened._engine.dispose()
        with path.open("r+b") as file:
            file.seek(4096)
            file.write(b"\xff" * (path.stat().st_size - 4096))
        with pytest.raises(CallerError, match=r"a\.db is damaged \(database disk image is malformed\)") as caught:
            held(opened)
        assert not isinstance(caught.value, DatabaseUnavailable)
        with pytest.raises(CallerError, match=r"a\.db is damaged \(Input data was truncated\)"), opened.read():
            msgspec.json.decode("{")


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.db").touch()
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may do everything
    with pytest.raises(CallerError, match="no permission"):
        open_database(tmp_path / "a.db", NUMBERS)


def test_a_missing_driver_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(CallerError, match=r"pip install 'cardrome\[postgres\]'") as caught:
        open_database("postgresql://me:secret@host/name", NUMBERS)
    assert "secret" not in str(caught.value)


def test_a_lock_that_cannot_be_taken(tmp_path: Path) -> None:
    with pytest.raises(CallerError, match=r"cannot lock .*No such file"):
        FileLock(tmp_path / "none" / "a.lock", "taken")


def test_nothing_shows_the_password(tmp_path: Path) -> None:
    url = sa.make_url("postgresql+psycopg://me:secret@host/name")
    shown = PostgresDatabase(url, NUMBERS)
    assert repr(shown) == "<PostgresDatabase postgresql://host/name>"
    shown.close()


@pytest.mark.parametrize("_", available)
def test_a_server_that_comes_back_is_used_again(_: None, postgres_server: PostgresServer) -> None:
    url = postgres_server.new_database()
    name = urlsplit(url).path.strip("/")
    with open_database(url, NUMBERS) as one, open_database(url, NUMBERS) as two:
        one.claim("event")
        insert(one, 1)
        kill = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        postgres_server.execute(kill)
        insert(one, 2)
        assert held(one) == [1, 2]
        with pytest.raises(CallerError, match="another process"):
            two.claim("event")
        postgres_server.execute(kill)
        until(lambda: two.claim("event"))
        for _again in range(2):
            with pytest.raises(DatabaseUnavailable, match="another process"):
                insert(one, 3)
        two.close()
        until(lambda: insert(one, 3))
        assert held(one) == [1, 2, 3]


@pytest.mark.parametrize("_", available)
def test_stores_in_two_schemas_of_a_database_are_apart(_: None, postgres_server: PostgresServer) -> None:
    url = postgres_server.new_database()
    assert "host" in parse_qs(urlsplit(url).query)
    for name in ("red", "blue"):
        postgres_server.execute(f"CREATE SCHEMA {name}", urlsplit(url).path.strip("/"))
    with (
        open_database(f"{url}&options=-csearch_path%3Dred", NUMBERS) as red,
        open_database(f"{url}&options=-csearch_path%3Dblue", NUMBERS) as blue,
    ):
        red.claim("event")
        blue.claim("event")
        insert(red, 1)
        assert (held(red), held(blue)) == ([1], [])
    with pytest.raises(CallerError, match="none of the schemas in its search_path"):
        open_database(f"{url}&options=-csearch_path%3Dgreen", NUMBERS)


@pytest.mark.parametrize("_", available)
def test_databases_that_cannot_hold_a_store(_: None, postgres_server: PostgresServer) -> None:
    with pytest.raises(CallerError, match="UTF8"):
        open_database(postgres_server.new_database("ENCODING 'SQL_ASCII' TEMPLATE template0"), NUMBERS)
    with pytest.raises(CallerError, match=r'cannot use .*"nowhere" does not exist'):
        open_database(postgres_server.url("nowhere"), NUMBERS)
    url = postgres_server.new_database()
    postgres_server.execute("CREATE TABLE numbers (id int)", urlsplit(url).path.strip("/"))
    with pytest.raises(CallerError, match='"numbers" already exists'):
        open_database(url, NUMBERS)
    postgres_server.execute("CREATE ROLE guest LOGIN")
    with pytest.raises(CallerError, match="permission denied"):
        open_database(postgres_server.new_database().replace("cardrome@", "guest@"), NUMBERS)


@pytest.mark.parametrize("_", available)
def test_a_server_that_goes_away_is_reported_each_time(_: None) -> None:
    with contextlib.ExitStack() as stack:
        with running_postgres() as server:
            opened = stack.enter_context(open_database(server.new_database(), NUMBERS))
            opened.claim("event")
            insert(opened, 1)
        for _again in range(2):
            with pytest.raises(DatabaseUnavailable, match="cannot use postgresql:"):
                insert(opened, 2)
            with pytest.raises(DatabaseUnavailable, match="cannot use postgresql:"):
                held(opened)
