"""Databases by URL: an SQLite file where nothing is set up, or a PostgreSQL server.

Both keep the same promises, so a store is written once:

- what was committed survives a killed process and a power failure;
- writers take turns: two transactions that write never overlap;
- a reader sees one moment, however many queries it makes in one transaction;
- a database whose tables this version of cardrome does not know is refused, and so is one that is damaged: what is
there is never overwritten.
"""

from __future__ import annotations

import re
import sqlite3
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self
from urllib.parse import quote

import msgspec
import sqlalchemy as sa
from sqlalchemy import exc

from cardrome.arena.storage.locks import Lock
from cardrome.errors import CallerError

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

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


class DamagedRow(Exception):
    """What was read cannot be what was stored. In a transaction it becomes the error of a damaged database.

    Its words say what is wrong and repeat no value, which may be a secret.
    """


class NothingThere(CallerError):
    """There is no store yet, and the caller did not ask for a new one."""


def open_database(where: str | Path, schema: Schema, *, base: Path | None = None, create: bool = True) -> Database:
    """Open a database and bring its tables up to date. Without ``create``, `NothingThere` if it has none yet.

    ``where`` is a path or a URL: ``cup.db``, ``sqlite:///cup.db``, ``postgresql://user:password@host/database``.
    Relative paths start from ``base``, by default the current folder.
    """
    from cardrome.arena.storage.postgres import PostgresDatabase
    from cardrome.arena.storage.sqlite import SqliteDatabase

    url = _parse(where, base)
    database = (SqliteDatabase if url.get_backend_name() == "sqlite" else PostgresDatabase)(url, schema)
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
    patience: ClassVar[float] = 30
    """Seconds that a transaction waits for another writer before it fails."""

    def __init__(self, url: sa.URL, schema: Schema) -> None:
        self._url = url
        self._schema = schema
        self._locks: list[Lock] = []
        self._engine = self._make_engine()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"

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
        with self._explained():
            self._check_there()
            with self._reader().begin() as connection:
                yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """A transaction for writing: committed when the block ends, rolled back if it raises."""
        with self._explained():
            self._check_there()
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

    def _check_there(self) -> None:  # noqa: B027
        """Raise `DatabaseUnavailable` if what was opened is no longer what its name stands for."""

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
        except (DamagedRow, msgspec.MsgspecError, zlib.error, UnicodeError, OverflowError) as error:
            raise self.damaged(error) from None
        except exc.DBAPIError as error:
            if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _DAMAGED or "decode to UTF-8" in str(error.orig):
                raise self.damaged(error.orig) from None
            ours = isinstance(error, exc.IntegrityError | exc.ProgrammingError | exc.DataError)
            if ours and not setting_up:
                raise
            raise DatabaseUnavailable(f"cannot use {self.name}: {self._reason(error)}") from None
        except exc.TimeoutError:
            raise DatabaseUnavailable(f"cannot use {self.name}: all connections are busy") from None

    def damaged(self, what: object) -> CallerError:
        """The error for something that cannot be what was stored."""
        return CallerError(
            f"{self.name} is damaged ({what}) and was left as it is: restore it from a copy, or choose another store"
        )

    def _reason(self, error: exc.DBAPIError) -> str:
        text = str(error.orig).strip()
        reason = text.splitlines()[0] if text else type(error.orig).__name__
        secrets = [self._url.password, *_listed(self._url.query.get("password"))]
        shown = any(secret and (secret in reason or quote(secret) in reason) for secret in secrets)
        return "the database refused" if shown else reason


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
    if "\0" in path:
        raise CallerError("not a database: a file's path contains no zero character")
    # Absolute, so that it stays the same file if the process changes its folder.
    return sa.URL.create("sqlite+pysqlite", database=str(((base or Path()) / path).resolve()))
