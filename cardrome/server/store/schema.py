"""The tables of an event's store."""

from __future__ import annotations

import sqlalchemy as sa

from cardrome.arena.storage.database import Schema

metadata = sa.MetaData()

# Seconds since 1970, UTC, are the same on every database; so are seeds as text, which have no largest value.
_Id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_Time = sa.Double

accounts = sa.Table(
    "event_accounts",
    metadata,
    sa.Column("id", _Id, sa.Identity(), primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("password_hash", sa.Text, nullable=False),
    sa.Column("active", sa.Boolean, nullable=False),
    sa.Column("created_at", _Time, nullable=False),
    sqlite_autoincrement=True,  # ids of removed accounts do not come back: a running server may still hold them
)

event = sa.Table(
    "event_meta",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("seed", sa.Text, nullable=False),
    sa.Column("rules", sa.Text, nullable=False),
    sa.Column("registered_at", _Time, nullable=False),
    sa.CheckConstraint("id = 1", name="event_meta_one_row"),
)
"""The one event of the store."""

tournaments = sa.Table(
    "event_tournaments",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seed", sa.Text, nullable=False),
    sa.Column("deck", sa.Text, nullable=False),
    sa.Column("rules", sa.Text, nullable=False),
    sa.Column("first_match_id", sa.BigInteger, nullable=False),
    sa.Column("started_at", _Time, nullable=False),
    sa.Column("finished_at", _Time),
    sa.Column("attempts", sa.Integer, nullable=False),
)

entries = sa.Table(
    "event_entries",
    metadata,
    sa.Column("tournament", sa.ForeignKey(tournaments.c.number), primary_key=True),
    sa.Column("account", sa.ForeignKey(accounts.c.id), primary_key=True, index=True),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("points", sa.Double),
    sa.UniqueConstraint("tournament", "position"),
)
"""Who plays in a tournament: frozen when it begins."""


def _of_both(*columns: tuple[str, type[sa.Integer]]) -> list[sa.Column[int]]:
    return [sa.Column(f"{name}_{side}", kind, nullable=False) for name, kind in columns for side in ("first", "second")]


matches = sa.Table(
    "event_matches",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("tournament", sa.Integer, nullable=False),
    sa.Column("first", _Id, nullable=False),
    sa.Column("second", _Id, nullable=False),
    *_of_both(("score", sa.Integer), ("health", sa.Integer)),
    sa.Column("end_reason", sa.Text, nullable=False),
    sa.Column("turns_played", sa.Integer, nullable=False),
    *_of_both(
        ("commands", sa.BigInteger),
        ("errors", sa.BigInteger),
        ("idle_turns", sa.Integer),
        ("disconnects", sa.Integer),
    ),
    sa.Column("finished_at", _Time, nullable=False),
    sa.Column("transcript", sa.LargeBinary, nullable=False),  # last: SQLite then reads the others without it
    # With these three, a tournament that has n(n-1) matches has each pair of its roster once in each order.
    sa.UniqueConstraint("tournament", "first", "second"),
    sa.CheckConstraint("first <> second", name="event_matches_two_players"),
    sa.ForeignKeyConstraint(["tournament", "first"], [entries.c.tournament, entries.c.account]),
    sa.ForeignKeyConstraint(["tournament", "second"], [entries.c.tournament, entries.c.account]),
    sa.CheckConstraint("end_reason IN ('health', 'turns')", name="event_matches_end_reason"),
)


def _first_tables(connection: sa.Connection) -> None:
    # Whoever adds a second migration gives this one a copy of the tables as they are today.
    metadata.create_all(connection, checkfirst=False)


SCHEMA = Schema("event", [_first_tables])
