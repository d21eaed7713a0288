"""The tables of an event's store."""

from __future__ import annotations

import sqlalchemy as sa

from cardrome.arena.storage.database import TIME, Schema, first_tables, only_row

metadata = sa.MetaData()

_Id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_Seed = sa.Text  # which has no largest value

accounts = sa.Table(
    "event_accounts",
    metadata,
    sa.Column("id", _Id, sa.Identity(), primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("password_hash", sa.Text, nullable=False),
    sa.Column("active", sa.Boolean, nullable=False),
    sa.Column("created_at", TIME, nullable=False),
    sqlite_autoincrement=True,  # never reuses the id of a removed account, which a running server may still hold
)

event = sa.Table(
    "event_meta",
    metadata,
    *only_row("event_meta"),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("seed", _Seed, nullable=False),
    sa.Column("rules", sa.Text, nullable=False),
    sa.Column("registered_at", TIME, nullable=False),
)
"""The one event of the store."""

tournaments = sa.Table(
    "event_tournaments",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seed", _Seed, nullable=False),
    sa.Column("deck", sa.Text, nullable=False),
    sa.Column("rules", sa.Text, nullable=False),
    sa.Column("first_match_id", sa.BigInteger, nullable=False),
    sa.Column("started_at", TIME, nullable=False),
    sa.Column("finished_at", TIME),
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
"""Who plays in a tournament, from its beginning on."""


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
    sa.Column("finished_at", TIME, nullable=False),
    sa.Column("transcript", sa.LargeBinary, nullable=False),  # last, so that SQLite can read the others without it
    # With these, a tournament of n(n-1) matches has each pair of its roster once in each order.
    sa.UniqueConstraint("tournament", "first", "second"),
    sa.CheckConstraint("first <> second", name="event_matches_two_players"),
    sa.ForeignKeyConstraint(["tournament", "first"], [entries.c.tournament, entries.c.account]),
    sa.ForeignKeyConstraint(["tournament", "second"], [entries.c.tournament, entries.c.account]),
    sa.CheckConstraint("end_reason IN ('health', 'turns')", name="event_matches_end_reason"),
)


later = sa.MetaData()

control = sa.Table(
    "event_control",
    later,
    *only_row("event_control"),
    sa.Column("paused", sa.Boolean, nullable=False),
    sa.Column("password_hash", sa.Text),
)
"""The operator's password, and whether they let tournaments begin."""

announcements = sa.Table(
    "event_announcements",
    later,
    sa.Column("id", _Id, sa.Identity(), primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", TIME, nullable=False),
    sqlite_autoincrement=True,
)

counts = sa.MetaData()

failed_logins = sa.Table(
    "event_failed_logins",
    counts,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("failures", sa.BigInteger, nullable=False),
)
"""Failed logins by account; those with names that nobody has under the empty name."""

publication = sa.MetaData()

published = sa.Table(
    "event_published", publication, *only_row("event_published"), sa.Column("at", TIME, nullable=False)
)
"""When the secret of the decks was first published, if it was."""

SCHEMA = Schema("event", [first_tables(each) for each in (metadata, later, counts, publication)])
