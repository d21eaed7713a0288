"""Databases by URL: an SQLite file where nothing is set up, or a PostgreSQL server.

Both keep the same promises, so a store is written once:

- what was committed survives a killed process and a power failure;
- writers take turns: two transactions that write never overlap;
- a reader sees one moment, however many queries it makes in one transaction;
- a database whose tables this version of cardrome does not know is refused, and so is one that is damaged: what is
  there is never begun anew.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import sqlite3
import time
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import msgspec
import sqlalchemy as sa
from sqlalchemy import event, exc

from cardrome.arena.storage.locks import AdvisoryLock, FileLock, Lock
from cardrome.errors import CallerError

PATIENCE = 30
"""Seconds that a transaction waits for another writer before it fails."""
CONNECT_PATIENCE = 10
"""Seconds to wait for a server, unless the URL says otherwise (``?connect_timeout=…``)."""

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_SMALLEST = 512
"""Bytes of the smallest page of SQLite."""

Migration = Callable[[sa.Connection], None]
"""Brings the tables from one version to the next, in a transaction. Once released, it never changes."""

VERSIONS = sa.Table(
    "cardrome_schema_version",
    sa.MetaData(),
    sa.Column("schema", sa.Text, primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
)
"""The version of each schema that a database holds: it may hold several."""

TIME = sa.Double
"""Seconds since 1970, UTC, which are the same in every database."""


@dataclass(frozen=True)
class Schema:
    """A named set of tables, and the migrations that make them. Its version is the number of migrations."""

    name: str
    migrations: Sequence[Migration]

    @property
    def version(self) -> int:
        """The version that this cardrome works with."""
        return len(self.migrations)


def first_tables(metadata: sa.MetaData) -> Migration:
    """The migration that makes all tables as they are today; before adding a second one, give it a copy of them."""
    return lambda connection: metadata.create_all(connection, checkfirst=False)


def only_row(table: str) -> tuple[sa.Column[int], sa.CheckConstraint]:
    """The key of a table that has a single row, with the id 1."""
    key = sa.Column("id", sa.Integer, primary_key=True, autoincrement=False)
    return key, sa.CheckConstraint("id = 1", name=f"{table}_one_row")


class DatabaseUnavailable(CallerError):
    """The database cannot be used now: no server, no space, no permission. Nothing of the transaction was kept.

    The one exception is a server that vanished during the commit itself: nobody can tell what it kept. Writes that are
    tried again must therefore do no harm the second time.
    """


class NothingThere(CallerError):
    """There is no store yet, and none was to be made."""


def open_database(where: str | Path, schema: Schema, *, base: Path | None = None, create: bool = True) -> Database:
    """Open a database and bring its tables up to date. Without ``create``, `NothingThere` if it has none yet.

    ``where`` is a path or a URL: ``cup.db``, ``sqlite:///cup.db``, ``postgresql://user:password@host/database``.
    Relative paths start from ``base``, by default the current folder.
    """
    url = _parse(where, base)
    database = (_SqliteDatabase if url.get_backend_name() == "sqlite" else _PostgresDatabase)(url, schema)
    try:
        with database._explained(setting_up=True):
            database._prepare(create)
            database._migrate(create)
    except BaseException:
        database.close()
        raise
    return database


class Database(ABC):
    """An open database with the tables of a schema. Any thread may use it."""

    name: str
    """Its name in messages: a path, or a URL without user and password."""

    def __init__(self, url: sa.URL, schema: Schema) -> None:
        self._url = url
        self._schema = schema
        self._locks: list[Lock] = []
        self._engine = self._make_engine()

    def __repr__(self) -> str:
        return f"<{type(self).__name__.strip('_')} {self.name}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections and release all locks."""
        while self._locks:
            self._locks.pop().release()
        self._engine.dispose()

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A transaction for reading, whose queries all see the same moment."""
        with self._explained(), self._reader().begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """A transaction for writing: committed when the block ends, rolled back if it raises."""
        with self._explained():
            self._check_locks()
            with self._writer() as connection:
                yield connection

    def claim(self, what: str) -> None:
        """Be the only process that runs ``what`` ("event") on this database, until it is closed or killed.

        Readers, and writers that take no lock, are not affected.
        """
        with self._explained():
            self._locks.append(self._new_lock(what))

    def _check_locks(self) -> None:
        for lock in self._locks:
            try:
                lock.check()
            except CallerError as error:
                # Not final: after a network failure it may be our own old connection that still holds the lock.
                raise DatabaseUnavailable(str(error)) from None

    @abstractmethod
    def _make_engine(self) -> sa.Engine: ...

    @abstractmethod
    def _prepare(self, create: bool) -> None:
        """Connect for the first time, and refuse a database that cannot hold a store."""

    @abstractmethod
    def _reader(self) -> sa.Engine: ...

    @abstractmethod
    def _writer(self) -> AbstractContextManager[sa.Connection]: ...

    @abstractmethod
    def _new_lock(self, what: str) -> Lock: ...

    @abstractmethod
    def _refuse_foreign(self, connection: sa.Connection) -> None:
        """Refuse the database of another program before the first tables are made."""

    def _migrate(self, create: bool) -> None:
        with self._reader().begin() as connection:
            found = self._version(connection)
        if found == self._schema.version:
            return  # without waiting for a writer
        if not found and not create:
            raise NothingThere(f"{self.name} holds no {self._schema.name}")
        with self._writer() as connection:
            found = self._version(connection)  # again: another process may have been faster
            if found is None:
                self._refuse_foreign(connection)
                VERSIONS.create(connection)
            for migrate in self._schema.migrations[found or 0 :]:
                migrate(connection)
            row = {"schema": self._schema.name, "version": self._schema.version}
            if found:
                connection.execute(VERSIONS.update().where(VERSIONS.c.schema == self._schema.name), row)
            else:
                connection.execute(VERSIONS.insert(), row)

    def _version(self, connection: sa.Connection) -> int | None:
        """The version of our schema, 0 if the database only holds others; None if it has no table of versions."""
        if not sa.inspect(connection).has_table(VERSIONS.name):
            return None
        query = sa.select(VERSIONS.c.version).where(VERSIONS.c.schema == self._schema.name)
        found: int = connection.scalar(query) or 0
        if found > self._schema.version:
            raise CallerError(
                f"{self.name} was made by a newer cardrome ({self._schema.name} tables of version {found}; "
                f"this one knows {self._schema.version}): update cardrome"
            )
        return found

    @contextmanager
    def _explained(self, *, setting_up: bool = False) -> Iterator[None]:
        """Turn errors of the database, and values that cannot be what was stored, into a message without secrets.

        Violated constraints and wrong statements are bugs and stay as they are, except while setting up: then a table
        of another program may be in the way, or the permission to make ours may be missing.
        """
        try:
            yield
        except (msgspec.MsgspecError, zlib.error, UnicodeError, OverflowError) as error:
            raise self._damaged(error) from None
        except exc.DBAPIError as error:
            if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _DAMAGED or "decode to UTF-8" in str(error.orig):
                raise self._damaged(error.orig) from None
            ours = isinstance(error, exc.IntegrityError | exc.ProgrammingError | exc.DataError)
            if ours and not setting_up:
                raise
            raise DatabaseUnavailable(f"cannot use {self.name}: {self._reason(error)}") from None
        except exc.TimeoutError:
            raise DatabaseUnavailable(f"cannot use {self.name}: all connections are busy") from None

    def _damaged(self, what: object) -> CallerError:
        return CallerError(
            f"{self.name} is damaged ({what}) and was left as it is: restore it from a copy, or choose another store"
        )

    def _reason(self, error: exc.DBAPIError) -> str:
        text = str(error.orig).strip()
        reason = text.splitlines()[0] if text else type(error.orig).__name__
        secrets = [self._url.password, *_listed(self._url.query.get("password"))]
        shown = any(secret and (secret in reason or quote(secret) in reason) for secret in secrets)
        return "the database refused" if shown else reason


class _SqliteDatabase(Database):
    """A file. Beside it are SQLite's log (``-wal``, ``-shm``) and our lock (``.lock``)."""

    def __init__(self, url: sa.URL, schema: Schema) -> None:
        self._path = Path(str(url.database))
        self.name = str(self._path)
        super().__init__(url, schema)

    def _make_engine(self) -> sa.Engine:
        arguments = {"timeout": PATIENCE, "check_same_thread": False}
        engine = sa.create_engine(self._url, connect_args=arguments, hide_parameters=True)

        @event.listens_for(engine, "connect")
        def _(connection: Any, _record: object) -> None:
            # By default, Python's driver begins transactions before some statements only.
            connection.isolation_level = None
            connection.execute("PRAGMA foreign_keys = ON")
            # NORMAL would survive a killed process, but not a power failure. Stores write a few times a minute.
            connection.execute("PRAGMA synchronous = FULL")

        @event.listens_for(engine, "begin")
        def _(connection: sa.Connection) -> None:
            # A writer asks for its turn at once: SQLite does not let a reader that becomes a writer wait.
            writing = connection.get_execution_options().get("cardrome_writing", False)
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

        self._writing = engine.execution_options(cardrome_writing=True)
        return engine

    def _prepare(self, create: bool) -> None:
        if not os.path.lexists(self._path):
            if not create:
                raise NothingThere(f"{self.name} does not exist")
            self._create()
        if self._path.is_dir():
            raise DatabaseUnavailable(f"cannot use {self.name}: it is a folder")
        if not os.access(self._path, os.R_OK | os.W_OK):
            raise DatabaseUnavailable(f"cannot use {self.name}: no permission to read and write it")
        if (size := self._path.stat().st_size) < _SMALLEST:  # SQLite would take it for a new database
            raise CallerError(
                f"{self.name} is {'cut off' if size else 'empty'}, which no store ever is: restore it from a copy, or "
                "remove it if nothing was in it"
            )
        deadline = time.monotonic() + PATIENCE
        while True:
            # With a write-ahead log, readers and the writer do not wait for each other.
            try:
                with closing(sqlite3.connect(self._path, timeout=PATIENCE)) as driver:
                    driver.execute("PRAGMA journal_mode = WAL")
                    (problem,) = driver.execute("PRAGMA quick_check(1)").fetchone()
                    if self._path.stat().st_size % driver.execute("PRAGMA page_size").fetchone()[0]:
                        log = Path(f"{self._path}-wal")  # which may hold the page that is cut off here
                        problem = problem if log.exists() and log.stat().st_size else "the end is cut off"
                if problem != "ok":
                    raise self._damaged(" ".join(problem.split()))
                return
            except sqlite3.Error as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT:
                    raise self._damaged(error) from None
                # Here SQLite does not wait as it does elsewhere, and another process may be doing the same.
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise DatabaseUnavailable(f"cannot use {self.name}: {error}") from None
            time.sleep(0.02)

    def _create(self) -> None:
        """Make the file. It appears complete, so that a file without content is never a store about to begin."""
        part = self._path.with_name(f".{self._path.name}.{secrets.token_hex(6)}.part")
        try:
            # Nobody else may read it: it may hold password hashes.
            os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            try:
                with closing(sqlite3.connect(part)) as driver:
                    driver.execute("PRAGMA journal_mode = WAL")
                try:
                    os.link(part, self._path)
                except FileExistsError:
                    pass  # another process was faster
                except PermissionError:  # a file system without links
                    part.rename(self._path)
            finally:
                part.unlink(missing_ok=True)
        except (OSError, sqlite3.Error) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise DatabaseUnavailable(f"{self.name} cannot be written: {reason}") from None

    def _reader(self) -> sa.Engine:
        return self._engine

    @contextmanager
    def _writer(self) -> Iterator[sa.Connection]:
        with self._writing.begin() as connection:
            yield connection

    def _refuse_foreign(self, connection: sa.Connection) -> None:
        if sa.inspect(connection).get_table_names():
            raise CallerError(f"{self.name} is a database of another program; choose another file")

    def _new_lock(self, what: str) -> Lock:
        return FileLock(Path(f"{self._path}.lock"), f"{self.name}: another process is running this {what}")


class _PostgresDatabase(Database):
    """A database on a PostgreSQL server. The tables are in the first schema of its search path."""

    def __init__(self, url: sa.URL, schema: Schema) -> None:
        self.name = sa.URL.create("postgresql", host=url.host, port=url.port, database=url.database).render_as_string()
        super().__init__(url, schema)

    def _make_engine(self) -> sa.Engine:
        arguments: dict[str, Any] = {"client_encoding": "utf8"}
        if "connect_timeout" not in self._url.query:
            arguments["connect_timeout"] = CONNECT_PATIENCE
        try:
            # Connections are tested before use, so a restarted server is simply connected to again.
            engine = sa.create_engine(self._url, connect_args=arguments, pool_pre_ping=True, hide_parameters=True)
        except ImportError:
            raise CallerError(
                f"{self.name} needs psycopg, which is not installed: pip install 'cardrome[postgres]'"
            ) from None
        self._reading = engine.execution_options(isolation_level="REPEATABLE READ")
        return engine

    def _prepare(self, create: bool) -> None:
        with self._engine.begin() as connection:
            encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
            # Locks are per database, but stores in two of its schemas are two stores.
            self._place = connection.exec_driver_sql("SELECT current_schema()").scalar()
        if encoding != "UTF8":
            raise CallerError(f"{self.name} stores text as {encoding}; make a database with ENCODING 'UTF8'")
        if self._place is None:
            raise CallerError(
                f"{self.name}: none of the schemas in its search_path exists; create one, or change the search_path"
            )

    def _reader(self) -> sa.Engine:
        return self._reading

    @contextmanager
    def _writer(self) -> Iterator[sa.Connection]:
        with self._engine.begin() as connection:
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{PATIENCE}s'")
            # One writer at a time, as in SQLite. The key does not name our schema: all share the table of versions.
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(self._key("write"))))
            yield connection

    def _refuse_foreign(self, connection: sa.Connection) -> None:
        """Do nothing: sharing a database is usual here, and a table of the same name makes the migration fail."""

    def _new_lock(self, what: str) -> Lock:
        return AdvisoryLock(
            self._engine,
            self._key(f"claim {self._schema.name} {what}"),
            f"{self.name}: another process is running this {what}",
        )

    def _key(self, what: str) -> int:
        """The number of an advisory lock."""
        digest = hashlib.sha256(f"cardrome {self._place} {what}".encode()).digest()
        return int.from_bytes(digest[:8], "big", signed=True)


def _listed(value: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return () if value is None else (value,) if isinstance(value, str) else value


def _parse(where: str | Path, base: Path | None) -> sa.URL:
    """The URL for SQLAlchemy. Messages never repeat a URL, which may hold a password."""
    text = str(where)
    known = "a file's path, sqlite:///PATH or postgresql://USER@HOST/DATABASE"
    found = re.match(r"([A-Za-z][\w+.-]*)://", text)
    if isinstance(where, Path) or not found:
        if not text or text == ":memory:" or re.match(r"(sqlite|postgres)\w*(\+\w+)?:", text):
            raise CallerError(f"not a database: expected {known}")
        return _sqlite(text, base)
    scheme = found[1].lower()
    try:
        url = sa.make_url(text)
    except (exc.ArgumentError, ValueError):
        raise CallerError(f"not a database URL: expected {known}") from None
    if scheme in ("sqlite", "sqlite+pysqlite"):
        if not url.database or url.database == ":memory:" or url.query or url.host:
            raise CallerError("an SQLite URL names a file and nothing else: sqlite:///PATH")
        return _sqlite(url.database, base)
    if scheme in ("postgres", "postgresql", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    raise CallerError(f"cannot use a database of the kind {scheme!r}: expected {known}")


def _sqlite(path: str, base: Path | None) -> sa.URL:
    # Absolute, so that it stays the same file if the process changes its folder.
    return sa.URL.create("sqlite+pysqlite", database=str(((base or Path()) / path).resolve()))
