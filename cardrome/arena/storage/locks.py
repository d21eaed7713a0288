"""Locks on a database, so that only one process at a time runs an event or a tournament. They end with the process."""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa
from sqlalchemy import exc

from cardrome.errors import CallerError


class Lock(Protocol):
    """Something that only this process holds, from its creation until it is released."""

    def check(self) -> None:
        """Make sure, before writing, that the lock is still held."""

    def release(self) -> None:
        """Let others take it."""


class FileLock:
    """A locked file beside the database. The file itself stays: removing it would race with other processes."""

    def __init__(self, path: Path, taken: str) -> None:
        """Take the lock, or raise `CallerError` with the message ``taken`` and the process that holds it."""
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise CallerError(f"cannot lock {path}: {error.strerror}") from None
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
            raise CallerError(f"cannot lock {path}: {error.strerror}") from None

    def check(self) -> None:
        """Do nothing: a file lock cannot be lost."""

    def release(self) -> None:
        """Unlock the file."""
        os.close(self._file)


class AdvisoryLock:
    """A lock of PostgreSQL, held by a connection of its own: the server releases it when the connection ends.

    It must be a connection to the server itself. A pooler that shares sessions between clients cannot hold locks.
    """

    def __init__(self, engine: sa.Engine, key: int, taken: str) -> None:
        """Take the lock, or raise `CallerError` with the message ``taken``."""
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._key = key
        self._taken = taken
        self._checking = threading.Lock()
        self._connection = self._connect()

    def check(self) -> None:
        """Take the lock again if the connection broke, for instance because the server was restarted."""
        with self._checking:
            try:
                self._connection.exec_driver_sql("SELECT 1")
            except (exc.DBAPIError, exc.ResourceClosedError):  # closed if taking it again failed the last time
                self._connection.close()
                self._connection = self._connect()

    def release(self) -> None:
        """Free the lock and close the connection."""
        with self._checking:
            # A closed connection frees it too, but only when the server notices.
            with contextlib.suppress(exc.DBAPIError, exc.ResourceClosedError):
                self._connection.scalar(sa.select(sa.func.pg_advisory_unlock(self._key)))
            self._connection.close()

    def _connect(self) -> sa.Connection:
        connection = self._engine.connect()
        try:
            connection.detach()  # so that closing it does not return it, lock and all, to the pool
            # A machine that lost its power does not say goodbye: the server checks, and frees the lock in a minute.
            for setting, value in (("idle", 30), ("interval", 10), ("count", 3)):
                connection.exec_driver_sql(f"SET tcp_keepalives_{setting} = {value}")
            if not connection.scalar(sa.select(sa.func.pg_try_advisory_lock(self._key))):
                raise CallerError(self._taken)
        except BaseException:
            connection.close()
            raise
        return connection
