"""Databases in an SQLite file."""

from __future__ import annotations

import os
import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event

from cardrome.arena.storage.database import Database, DatabaseUnavailable, NothingThere, Schema
from cardrome.arena.storage.locks import FileLock, Lock
from cardrome.errors import CallerError

_SMALLEST = 512
"""Bytes of the smallest page of SQLite."""


class SqliteDatabase(Database):
    """A file. Beside it are SQLite's log (``-wal``, ``-shm``) and our lock (``.lock``)."""

    def __init__(self, url: sa.URL, schema: Schema) -> None:
        self._path = Path(str(url.database))
        self.name = str(self._path)
        self._opened: tuple[int, int] | None = None
        """The file that was opened, as `_file` tells it."""
        super().__init__(url, schema)

    def _make_engine(self) -> sa.Engine:
        arguments = {"timeout": self.patience, "check_same_thread": False}
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
        deadline = time.monotonic() + self.patience
        while True:
            # With a write-ahead log, readers and the writer do not wait for each other.
            try:
                with closing(sqlite3.connect(self._path, timeout=self.patience)) as driver:
                    driver.execute("PRAGMA journal_mode = WAL")
                    (problem,) = driver.execute("PRAGMA quick_check(1)").fetchone()
                    if self._path.stat().st_size % driver.execute("PRAGMA page_size").fetchone()[0]:
                        log = Path(f"{self._path}-wal")  # which may hold the page that is cut off here
                        problem = problem if log.exists() and log.stat().st_size else "the end is cut off"
                if problem != "ok":
                    raise self.damaged(" ".join(problem.split()))
                self._opened = self._file()
                return
            except sqlite3.Error as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT:
                    raise self.damaged(error) from None
                # Here SQLite does not wait as it does elsewhere, and another process may be doing the same.
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise DatabaseUnavailable(f"cannot use {self.name}: {error}") from None
            time.sleep(0.02)

    def _file(self) -> tuple[int, int] | None:
        """Which file is there now; None if there is none."""
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _check_there(self) -> None:
        # SQLite would go on with the removed file, and all that it writes would end with the process.
        if self._file() != self._opened:
            raise DatabaseUnavailable(f"cannot use {self.name}: it was removed or replaced while it was in use")

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
