"""What the operator of an event has said (password, pauses, announcements), and the failed logins they are shown."""

from __future__ import annotations

import time
from collections.abc import Mapping

import msgspec
import sqlalchemy as sa

from cardrome.arena.storage.database import Database
from cardrome.arena.storage.store import stored_row
from cardrome.errors import CallerError
from cardrome.server.passwords import Credentials, hash_password
from cardrome.server.store.accounts import RefusedChange, password_problem
from cardrome.server.store.schema import announcements, control, failed_logins

TEXT_LENGTH = 280
"""Characters of an announcement."""
KEPT = 20
"""Announcements; one more takes the place of the oldest."""


class Announcement(msgspec.Struct, frozen=True):
    """A message for everybody."""

    id: int
    text: str
    at: float
    """Seconds since 1970."""


class Orders(msgspec.Struct, frozen=True):
    """What the operator wants now."""

    paused: bool = False
    """No tournament begins."""
    announcements: tuple[Announcement, ...] = ()
    """The newest first."""


def text_problem(text: str) -> RefusedChange | None:
    """Why this cannot be an announcement; None if it can."""
    if not text.strip():
        return RefusedChange("text-empty", "the announcement is empty")
    if len(text) > TEXT_LENGTH:
        return RefusedChange("text-long", f"the announcement has more than {TEXT_LENGTH} characters")
    if not text.isprintable():
        return RefusedChange(
            "text-unprintable", "the announcement contains line ends or characters that cannot be shown"
        )
    return None


class Control:
    """The operator's orders in an event's store, so that a killed server forgets none of them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def orders(self) -> Orders:
        """What the operator wants now."""
        with self._database.read() as connection:
            paused = connection.scalar(sa.select(control.c.paused))
            rows = connection.execute(sa.select(announcements).order_by(announcements.c.id.desc()))
            return Orders(bool(paused), tuple(stored_row(row, Announcement) for row in rows))

    def pause(self, paused: bool) -> None:
        """Begin no tournament from now on, or go on."""
        self._set(paused=paused)

    def announce(self, text: str) -> None:
        """Add an announcement."""
        text = text.strip()
        if (problem := text_problem(text)) is not None:
            raise problem
        with self._database.write() as connection:
            connection.execute(announcements.insert().values(text=text, at=time.time()))
            kept = sa.select(announcements.c.id).order_by(announcements.c.id.desc()).limit(KEPT)
            connection.execute(announcements.delete().where(announcements.c.id.not_in(kept)))

    def withdraw(self, announcement: int) -> None:
        """Remove an announcement; nothing happens if it is gone already."""
        with self._database.write() as connection:
            connection.execute(announcements.delete().where(announcements.c.id == announcement))

    def failed_logins(self) -> dict[str, int]:
        """How many logins have failed, by account; the empty name stands for names that nobody has."""
        with self._database.read() as connection:
            rows = connection.execute(sa.select(failed_logins))
            return msgspec.convert({row.name: row.failures for row in rows}, dict[str, int])

    def keep_failed_logins(self, counts: Mapping[str, int]) -> None:
        """Store how many logins have failed so far."""
        with self._database.write() as connection:
            for name, count in counts.items():
                this = failed_logins.update().where(failed_logins.c.name == name).values(failures=count)
                if not connection.execute(this).rowcount:
                    connection.execute(failed_logins.insert().values(name=name, failures=count))

    def change_password(self, password: str) -> None:
        """Give the operator another password."""
        if (problem := password_problem(password)) is not None:
            raise CallerError(problem)
        self._set(password_hash=hash_password(password))

    def credentials(self, name: str = "") -> Credentials | None:
        """What a login of the operator is checked against; None while they have no password."""
        with self._database.read() as connection:
            stored = msgspec.convert(connection.scalar(sa.select(control.c.password_hash)), str | None)
        return None if stored is None else Credentials(0, stored)

    def _set(self, **values: object) -> None:
        with self._database.write() as connection:
            if not connection.execute(control.update().values(values)).rowcount:
                connection.execute(control.insert().values({"id": 1, "paused": False, **values}))
