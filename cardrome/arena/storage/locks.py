"""Claims on a database: one process at a time runs an event or a tournament. A claim dies with its process."""

from __future__ import annotations

import fcntl
import os
import threading
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa
from sqlalchemy import exc

from cardrome.errors import CallerError


class Claim(Protocol):
    """Something held by this process only, from its making until it is released."""

    def check(self) -> None:
        """Make sure, before writing, that the claim still holds."""

    def release(self) -> None:
        """Let others have it."""


class FileClaim:
    """A locked file beside the database. The file stays when the lock goes: removing it would race with others."""

    def __init__(self, path: Path, taken: str) -> None:
        """Claim, or raise `CallerError` with the message ``taken`` and the process that has it."""
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise CallerError(f"cannot claim {path}: {error.strerror}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, b"%d\n" % os.getpid(), 0)
        except BlockingIOError:
            holder = os.pread(self._file, 20, 0).decode("ascii", "replace").strip()
            os.close(self._file)
            raise CallerError(f"{taken} (process {holder})" if holder.isdigit() else taken) from None
        except OSError as error:
            os.close(self._file)
            raise CallerError(f"cannot claim {path}: {error.strerror}") from None

    def check(self) -> None:
        """Nothing takes the lock away."""

    def release(self) -> None:
        """Unlock."""
        os.close(self._file)


class SessionClaim:
    """An advisory lock of PostgreSQL, held by a connection of its own: the server drops it when the connection ends.

    The connection must be one to the server itself; a pooler that shares sessions between clients cannot hold claims.
    """

    def __init__(self, engine: sa.Engine, key: int, taken: str) -> None:
        """Claim, or raise `CallerError` with the message ``taken``."""
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._key = key
        self._taken = taken
        self._turn = threading.Lock()
        self._connection = self._connect()

    def check(self) -> None:
        """Claim again if the connection broke, for instance because the server was restarted."""
        with self._turn:
            try:
                self._connection.exec_driver_sql("SELECT 1")
            except (exc.DBAPIError, exc.ResourceClosedError):  # closed: claiming again failed the last time
                self._connection.close()
                self._connection = self._connect()

    def release(self) -> None:
        """Close the connection."""
        with self._turn:
            self._connection.close()

    def _connect(self) -> sa.Connection:
        connection = self._engine.connect()
        try:
            connection.detach()  # closed when we close it, instead of going back, lock and all, to the pool
            # A machine that lost its power says no goodbye: the server asks after it, and frees the claim in a minute.
            for setting, value in (("idle", 30), ("interval", 10), ("count", 3)):
                connection.exec_driver_sql(f"SET tcp_keepalives_{setting} = {value}")
            if not connection.scalar(sa.select(sa.func.pg_try_advisory_lock(self._key))):
                raise CallerError(self._taken)
        except BaseException:
            connection.close()
            raise
        return connection
