"""The accounts of an event: who may log in, and who plays in the next tournaments."""

from __future__ import annotations

import csv
import io
import os
import time
import unicodedata
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import msgspec
import sqlalchemy as sa

from cardrome.arena.storage.database import Database
from cardrome.arena.storage.store import stored_row
from cardrome.errors import CallerError
from cardrome.server.passwords import Credentials, hash_password
from cardrome.server.store.schema import accounts, entries
from cardrome.wording import unreadable

NAME_LENGTH = 32
PASSWORD_LENGTH = 200
PASSWORD_BYTES = 512
PROBLEMS_SHOWN = 10
"""Problems of a file that an error lists; the others are only counted."""

_SHOWN = (accounts.c.id, accounts.c.name, accounts.c.active, accounts.c.created_at)


class Account(msgspec.Struct, frozen=True):
    """An account, without its password."""

    id: int
    name: str
    active: bool
    """Whether it may log in and play."""
    created_at: float
    """Seconds since 1970."""


Reason = Literal[
    "name-empty",
    "name-long",
    "name-space",
    "name-unprintable",
    "team-known",
    "team-unknown",
    "team-removed",
    "text-empty",
    "text-long",
    "text-unprintable",
]


class RefusedChange(CallerError):
    """A change to an event's accounts or announcements that cannot be made. Pages word the reason themselves."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Imported(msgspec.Struct, frozen=True):
    """How many accounts an import changed."""

    added: int
    updated: int
    """Existing accounts, which have the file's password now."""
    reactivated: int
    """Removed accounts, which are back with the file's password."""


def name_problem(name: str) -> RefusedChange | None:
    """Why this cannot be an account's name; None if it can."""
    if not name:
        return RefusedChange("name-empty", "the name is empty")
    if len(name) > NAME_LENGTH:
        return RefusedChange("name-long", f"the name has more than {NAME_LENGTH} characters")
    if any(letter.isspace() for letter in name):
        return RefusedChange("name-space", "the name contains white space")
    if not name.isprintable():
        return RefusedChange("name-unprintable", "the name contains characters that cannot be shown")
    return None


def password_problem(password: str) -> str | None:
    """Why this cannot be a password, without repeating it; None if it can."""
    if not password:
        return "the password is empty"
    if len(password) > PASSWORD_LENGTH:
        return f"the password has more than {PASSWORD_LENGTH} characters"
    if password != password.strip():
        return "the password begins or ends with white space"  # which a login strips
    if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in password):
        return "the password contains line ends or control characters"
    if len(password.encode()) > PASSWORD_BYTES:
        return f"the password takes more than {PASSWORD_BYTES} bytes"
    return None


class Accounts:
    """The accounts in an event's store. Another process than the one that runs the event may change them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, name: str, password: str) -> Account:
        """Add an account, or bring back a removed one with a new password."""
        if (problem := name_problem(name)) is not None:
            raise problem
        _check(password_problem(password))
        stored = hash_password(password)
        with self._database.write() as connection:
            found = self._find(connection, name)
            if found is not None and found.active:
                raise RefusedChange("team-known", f"there is already an account {name!r}")
            self._put(connection, name, stored)
            return self._get(connection, name)

    def all(self, *, removed: bool = True) -> list[Account]:
        """All accounts by name, with or without removed ones."""
        query = sa.select(*_SHOWN) if removed else sa.select(*_SHOWN).where(accounts.c.active)
        with self._database.read() as connection:
            found = [stored_row(row, Account) for row in connection.execute(query)]
        return sorted(found, key=lambda account: account.name)

    def get(self, name: str) -> Account:
        """The account with this name; an error if there is none."""
        with self._database.read() as connection:
            return self._get(connection, name)

    def change_password(self, name: str, password: str) -> None:
        """Give an account another password."""
        _check(password_problem(password))
        stored = hash_password(password)
        with self._database.write() as connection:
            account = self._get(connection, name)
            if not account.active:
                raise RefusedChange("team-removed", f"the account {name!r} was removed; add it again")
            self._put(connection, name, stored)

    def remove(self, name: str) -> Literal["deleted", "deactivated"]:
        """Delete an account, or deactivate it if it has played: its results stay."""
        with self._database.write() as connection:
            account = self._get(connection, name)
            this = accounts.c.id == account.id
            if connection.scalar(sa.select(sa.exists().where(entries.c.account == account.id))):
                connection.execute(accounts.update().where(this).values(active=False))
                return "deactivated"
            connection.execute(accounts.delete().where(this))
            return "deleted"

    def import_csv(self, path: str | Path) -> Imported:
        """Add or update the accounts in a file of ``name,password`` lines: all of them, or none if one is wrong.

        The file is UTF-8. Its first line may be the header ``name,password``.
        """
        rows = read_csv(path)
        # Hashing is slow: before the transaction, and on all cores, since scrypt lets other threads run.
        with ThreadPoolExecutor(os.cpu_count()) as workers:
            stored = list(workers.map(hash_password, rows.values()))
        with self._database.write() as connection:
            before = {row.name: row.active for row in connection.execute(sa.select(accounts.c.name, accounts.c.active))}
            for name, password_hash in zip(rows, stored, strict=True):
                self._put(connection, name, password_hash)
        met = [before.get(name) for name in rows]
        return Imported(met.count(None), met.count(True), met.count(False))

    def roster(self) -> tuple[int, ...]:
        """The ids of the accounts that may play, in the order in which they were added."""
        with self._database.read() as connection:
            query = sa.select(accounts.c.id).where(accounts.c.active).order_by(accounts.c.id)
            return tuple(connection.scalars(query))

    def names(self) -> dict[int, str]:
        """The names of all accounts by id, including removed ones."""
        with self._database.read() as connection:
            return {account.id: account.name for account in read_accounts(connection)}

    def credentials(self, name: str) -> Credentials | None:
        """What a login with this name is checked against; None if there is no such account."""
        if name_problem(name) is not None:  # it comes from the network: not every text can be passed to a database
            return None
        query = sa.select(accounts.c.id, accounts.c.password_hash).where(accounts.c.name == name, accounts.c.active)
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
            return None if row is None else Credentials(row.id, msgspec.convert(row.password_hash, str))

    def replace_hash(self, of: Credentials, password_hash: str) -> None:
        """Store another hash of the same password, unless the password has been changed in the meantime."""
        same = (accounts.c.id == of.account, accounts.c.password_hash == of.password_hash)
        with self._database.write() as connection:
            connection.execute(accounts.update().where(*same).values(password_hash=password_hash))

    @staticmethod
    def _find(connection: sa.Connection, name: str) -> Account | None:
        if name_problem(name) is not None:
            return None
        row = connection.execute(sa.select(*_SHOWN).where(accounts.c.name == name)).one_or_none()
        return None if row is None else stored_row(row, Account)

    @classmethod
    def _get(cls, connection: sa.Connection, name: str) -> Account:
        found = cls._find(connection, name)
        if found is None:
            raise RefusedChange("team-unknown", f"there is no account {name!r}")
        return found

    @staticmethod
    def _put(connection: sa.Connection, name: str, password_hash: str) -> None:
        values = {"password_hash": password_hash, "active": True}
        if not connection.execute(accounts.update().where(accounts.c.name == name).values(values)).rowcount:
            connection.execute(accounts.insert().values(**values, name=name, created_at=time.time()))


def read_accounts(connection: sa.Connection) -> list[Account]:
    """All accounts, in the caller's transaction."""
    return [stored_row(row, Account) for row in connection.execute(sa.select(*_SHOWN))]


def read_csv(path: str | Path) -> dict[str, str]:
    """The passwords in a file of accounts, by name. Errors name the file and each wrong line, never a password."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise CallerError(unreadable(path, error)) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise CallerError(f"{path}, line {line}: not UTF-8 text") from None
    found: dict[str, str] = {}
    lines: dict[str, int] = {}
    problems: list[str] = []
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    order = 1
    try:
        for count, row in enumerate(reader):
            if count == 0 and sorted(title.strip().lower() for title in row) == ["name", "password"]:
                order = 1 if row[0].strip().lower() == "name" else -1
            elif any(row):
                problem = _row_problem(row[::order], lines)
                if problem is None:
                    name, password = row[::order]
                    found[name], lines[name] = password, reader.line_num
                else:
                    problems.append(f"line {reader.line_num}: {problem}")
    except csv.Error as error:
        problems.append(f"line {reader.line_num}: {error}")
    _refuse(path, problems)
    if not found:
        raise CallerError(f"{path}: no accounts found; expected lines of name,password")
    return found


def _row_problem(row: Iterable[str], lines: dict[str, int]) -> str | None:
    fields = list(row)
    if len(fields) != 2:
        # The line is not repeated: with another separator it contains the password.
        return f"expected name,password, found {len(fields)} field{'s' * (len(fields) != 1)}"
    name, password = fields
    problem = name_problem(name)
    if problem is not None:
        return str(problem)
    repeated = f"{name!r} is already on line {lines[name]}" if name in lines else None
    return password_problem(password) or repeated


def _refuse(path: str | Path, problems: list[str]) -> None:
    if not problems:
        return
    shown = problems[:PROBLEMS_SHOWN]
    if len(problems) > len(shown):
        shown.append(f"and {len(problems) - len(shown)} more")
    if len(shown) == 1:
        raise CallerError(f"{path}, {shown[0]}")
    raise CallerError(f"{path}: nothing was imported\n" + "\n".join(f"  {problem}" for problem in shown))


def _check(problem: str | None) -> None:
    if problem is not None:
        raise CallerError(problem)
