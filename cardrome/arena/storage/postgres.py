"""Databases on a PostgreSQL server."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from cardrome.arena.storage.database import Database, Schema
from cardrome.arena.storage.locks import AdvisoryLock, Lock
from cardrome.errors import CallerError

CONNECT_PATIENCE = 10
"""Seconds to wait for a server, unless the URL says otherwise (``?connect_timeout=…``)."""


class PostgresDatabase(Database):
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
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{self.patience}s'")
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
