"""The quick way to store many games, which every database has in its own form."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from cardrome.tournament.store.schema import games

_NAMES = games.c.keys()
_COUNTED = {"preserve_rowcount": True}


def insert_games(connection: sa.Connection, rows: Sequence[tuple[Any, ...]]) -> int:
    """Store rows with all columns of the table in turn, except those that are there. The number of new ones."""
    if connection.dialect.name == "sqlite":
        return connection.exec_driver_sql(_one_by_one(), list(rows), execution_options=_COUNTED).rowcount
    columns = dict(zip(_NAMES, map(list, zip(*rows, strict=True)), strict=True))
    return connection.execute(_by_columns(), columns, execution_options=_COUNTED).rowcount


@cache
def _one_by_one() -> str:
    """A statement for each row. Handed to the driver as a text, it takes half the time."""
    return str(sqlite.insert(games).on_conflict_do_nothing().compile(dialect=sqlite.dialect()))


@cache
def _by_columns() -> sa.Insert:
    """One statement for all rows, with an array for each column. A row at a time would take twice as long."""
    arrays = (sa.bindparam(column.name, type_=postgresql.ARRAY(column.type)) for column in games.c)
    rows = sa.func.unnest(*arrays).table_valued(*_NAMES).render_derived()
    return postgresql.insert(games).from_select(_NAMES, sa.select(*rows.c)).on_conflict_do_nothing()
