"""What all stores share: how they are opened and claimed, and how they refuse other settings than their own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self, TypeVar

import msgspec

from cardrome.arena.storage.database import DamagedRow, Database, Schema, open_database
from cardrome.errors import CallerError

T = TypeVar("T")


class Store:
    """The tables of one schema in an open database. One process runs what is stored; others may look on."""

    schema: ClassVar[Schema]
    what: ClassVar[str]
    """What one process runs: an event, a tournament."""

    def __init__(self, database: Database) -> None:
        """Use an open database that has the tables of the schema; `open` is the usual way."""
        self._database = database

    @classmethod
    def open(cls, where: str | Path, *, claim: bool = True, base: Path | None = None, create: bool = True) -> Self:
        """Open the store at a path or URL, making it if needed; with ``claim``, as the process that runs it.

        Without ``create``, `NothingThere` if there is none.
        """
        database = open_database(where, cls.schema, base=base, create=create)
        try:
            if claim:
                database.claim(cls.what)
        except BaseException:
            database.close()
            raise
        return cls(database)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def name(self) -> str:
        """Where the store is, without secrets."""
        return self._database.name

    def close(self) -> None:
        """Close the store and let another process claim it."""
        self._database.close()

    def damaged(self, what: str) -> CallerError:
        """The error for something in the store that cannot be what was stored."""
        return self._database.damaged(what)

    def _refuse(self, differences: list[str]) -> None:
        """Raise `CallerError` if there are differences between the stored settings and the present ones."""
        if differences:
            article = "an" if self.what[0] in "aeiou" else "a"
            raise CallerError(
                f"{self.name} holds {article} {self.what} with other settings: {'; '.join(differences)}. "
                "Continue with those, or choose another store"
            )


def stored_row(row: Any, kind: type[T], **others: object) -> T:
    """A row, with other values if given, as a struct. The type of every value is checked: SQLite would store any."""
    # SQLAlchemy's names of columns are no plain strings, and msgspec takes nothing else.
    return msgspec.convert({**dict(zip(map(str, row._fields), row, strict=True)), **others}, kind)


def stored_number(text: object, what: str) -> int:
    """A whole number that is stored as text, since it has no largest value; `DamagedRow` if it is none."""
    if not isinstance(text, str) or re.fullmatch(r"-?[0-9]{1,1000}", text) is None:
        raise DamagedRow(f"{what} is not a number")
    return int(text)


def stored_bytes(data: object, what: str) -> bytes:
    """Stored bytes; `DamagedRow` if they are something else."""
    if not isinstance(data, bytes):
        raise DamagedRow(f"{what} cannot be read")
    return data


def stored_json(text: object, what: str) -> str:
    """A stored text that is JSON; `DamagedRow` if it is not."""
    try:
        if isinstance(text, str):
            msgspec.json.decode(text)
            return text
    except msgspec.DecodeError:
        pass
    raise DamagedRow(f"{what} is not JSON")


def differences(there: Mapping[str, str], here: Mapping[str, str]) -> list[str]:
    """The differences between two settings, each as a phrase: ``limits.clock is true there and false here``."""
    return [
        f"{key} is {there.get(key, 'not set')} there and {here.get(key, 'not set')} here"
        for key in {**there, **here}
        if there.get(key) != here.get(key)
    ]


def values_in(text: str) -> dict[str, str]:
    """The values in a JSON text by their dotted names; the text itself if it is not JSON."""
    try:
        return dict(_leaves(msgspec.json.decode(text), ""))
    except msgspec.DecodeError:
        return {"settings": repr(text)}


def _leaves(value: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and (value or not name):
        for key, inner in value.items():
            yield from _leaves(inner, f"{name}.{key}" if name else key)
    else:
        yield name or "settings", msgspec.json.encode(value).decode()
