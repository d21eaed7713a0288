"""The tables of a tournament's store."""

from __future__ import annotations

import sqlalchemy as sa

from cardrome.arena.storage.database import TIME, Schema, first_tables, only_row

metadata = sa.MetaData()

meta = sa.Table(
    "tournament_meta",
    metadata,
    *only_row("tournament_meta"),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("fixed", sa.Text, nullable=False),
    sa.Column("growing", sa.Text, nullable=False),
    sa.Column("registered_at", TIME, nullable=False),
)
"""The one tournament of the store."""

editions = sa.Table(
    "tournament_editions",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, nullable=False, unique=True),
)
"""Numbers for the names of editions, so that games need not repeat them."""

entrants = sa.Table(
    "tournament_entrants",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("version", sa.Text, nullable=False),
    sa.Column("bot", sa.Text, nullable=False),
    sa.Column("active", sa.Boolean, nullable=False),
    sa.Column("problem", sa.Text),
    sa.Column("entered_at", TIME, nullable=False),
    sa.UniqueConstraint("name", "version"),
)

rounds = sa.Table(
    "tournament_rounds",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("began_at", TIME, nullable=False),
    sa.Column("finished_at", TIME),
)

pairings = sa.Table(
    "tournament_pairings",
    metadata,
    sa.Column("round", sa.ForeignKey(rounds.c.number), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("edition", sa.ForeignKey(editions.c.id), nullable=False),
    sa.Column("a", sa.ForeignKey(entrants.c.id), nullable=False),
    sa.Column("b", sa.ForeignKey(entrants.c.id), nullable=False),
    sa.Column("first_pair", sa.Integer, nullable=False),
    sa.Column("pairs", sa.Integer, nullable=False),
    sa.Index("tournament_pairings_of_two", "edition", "a", "b", "round"),
    sa.CheckConstraint("a <> b", name="tournament_pairings_two_entrants"),
)

KEY = ("edition", "a", "b", "pair", "game")
"""The columns that say which game."""

games = sa.Table(
    "tournament_games",
    metadata,
    sa.Column("edition", sa.ForeignKey(editions.c.id), primary_key=True, autoincrement=False),
    sa.Column("a", sa.ForeignKey(entrants.c.id), primary_key=True, autoincrement=False),
    sa.Column("b", sa.ForeignKey(entrants.c.id), primary_key=True, autoincrement=False),
    sa.Column("pair", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game", sa.SmallInteger, primary_key=True, autoincrement=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("winner", sa.SmallInteger, nullable=False),
    sa.Column("turns", sa.Integer, nullable=False),
    sa.Column("actions", sa.Integer, nullable=False),
    sa.Column("score_a", sa.Integer),
    sa.Column("score_b", sa.Integer),
    sa.Column("fault_of", sa.SmallInteger),
    sa.Column("fault_kind", sa.Text),
    sa.Column("finished_at", TIME, nullable=False),
    sa.CheckConstraint("a <> b", name="tournament_games_two_entrants"),
    sa.CheckConstraint("game IN (0, 1)", name="tournament_games_game"),
    sa.CheckConstraint("winner IN (0, 1, 2)", name="tournament_games_winner"),
    sa.CheckConstraint("fault_of IN (0, 1)", name="tournament_games_fault_of"),
    sqlite_with_rowid=False,  # the rows lie in the order of the key, in one tree instead of two
)
"""All games, each a short row: ratings read them by the hundred thousand."""


def _key() -> list[sa.Column[int]]:
    kinds = (sa.Integer, sa.Integer, sa.Integer, sa.Integer, sa.SmallInteger)
    return [sa.Column(name, kind, primary_key=True, autoincrement=False) for name, kind in zip(KEY, kinds, strict=True)]


def _of_game() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(KEY, [games.c[name] for name in KEY])


def _conduct(side: str) -> list[sa.Column[int] | sa.Column[str]]:
    return [
        sa.Column(f"answers_{side}", sa.Integer),
        sa.Column(f"total_ms_{side}", sa.BigInteger),
        sa.Column(f"worst_ms_{side}", sa.BigInteger),
        sa.Column(f"first_ms_{side}", sa.BigInteger),
        sa.Column(f"times_{side}", sa.Text),  # JSON: the counts of `Conduct.times`
    ]


details = sa.Table(
    "tournament_details",
    metadata,
    *_key(),
    *_conduct("a"),
    *_conduct("b"),
    sa.Column("fault_message", sa.Text, nullable=False),
    sa.Column("stderr_a", sa.Text, nullable=False),
    sa.Column("stderr_b", sa.Text, nullable=False),
    _of_game(),
)
"""What games with programs have besides, and games with a fault."""

replays = sa.Table(
    "tournament_replays",
    metadata,
    *_key(),
    sa.Column("replay", sa.LargeBinary, nullable=False),
    _of_game(),
)
"""Apart from the details: those are read all at once, which the length of replays would make slow."""


SCHEMA = Schema("tournament", [first_tables(metadata)])
