"""The tables of a tournament's store."""

from __future__ import annotations

import sqlalchemy as sa

from cardrome.arena.storage.database import TIME, Schema, first_tables, only_row
from cardrome.errors import CallerError
from cardrome.tournament.games import KEY

metadata = sa.MetaData()

meta = sa.Table(
    "tournament_meta",
    metadata,
    *only_row("tournament_meta"),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("seed", sa.Text, nullable=False),  # which has no largest value
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
"""Numbers for the names of editions, so that games do not have to repeat them."""

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

games = sa.Table(
    "tournament_games",
    metadata,
    sa.Column("edition", sa.ForeignKey(editions.c.id), primary_key=True, autoincrement=False),
    sa.Column("a", sa.ForeignKey(entrants.c.id), primary_key=True, autoincrement=False),
    sa.Column("b", sa.ForeignKey(entrants.c.id), primary_key=True, autoincrement=False),
    sa.Column("pair", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("first", sa.SmallInteger, primary_key=True, autoincrement=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("score_a", sa.Integer, nullable=False),
    sa.Column("score_b", sa.Integer, nullable=False),
    sa.Column("actions", sa.Integer, nullable=False),
    sa.Column("turns", sa.Integer, nullable=False),
    sa.Column("winner", sa.SmallInteger, nullable=False),
    sa.Column("ending", sa.SmallInteger, nullable=False),
    sa.Column("fault_of", sa.SmallInteger, nullable=False),
    sa.Column("finished_at", TIME, nullable=False),
    sa.CheckConstraint("a <> b", name="tournament_games_two_entrants"),
    sa.CheckConstraint("first IN (0, 1)", name="tournament_games_first"),
    sa.CheckConstraint("winner IN (0, 1, 2)", name="tournament_games_winner"),
    sa.CheckConstraint("fault_of IN (-1, 0, 1)", name="tournament_games_fault_of"),
    sqlite_with_rowid=False,  # the rows lie in the order of the key, in one tree instead of two
)
"""All games, as rows of a `GameTable`: numbers only, since ratings read them by the hundred thousand."""


def _key() -> list[sa.Column[int]]:
    return [sa.Column(name, games.c[name].type, primary_key=True, autoincrement=False) for name in KEY]


def _of_game() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(KEY, [games.c[name] for name in KEY])


details = sa.Table(
    "tournament_details",
    metadata,
    *_key(),
    sa.Column("fault_kind", sa.Text),
    sa.Column("fault_message", sa.Text, nullable=False),
    sa.Column("behaviours", sa.LargeBinary, nullable=False),  # MessagePack: those of A and B
    sa.Column("stderr_a", sa.Text, nullable=False),
    sa.Column("stderr_b", sa.Text, nullable=False),
    _of_game(),
)
"""What is kept besides of games with programs and of games with a fault."""

replays = sa.Table(
    "tournament_replays",
    metadata,
    *_key(),
    sa.Column("replay", sa.LargeBinary, nullable=False),
    _of_game(),
)
"""Apart from the details, which are all read at once: the length of replays would make that slow."""


def _unreleased(connection: sa.Connection) -> None:
    """Version 1 was never released."""


def _tables(connection: sa.Connection) -> None:
    if sa.inspect(connection).has_table(meta.name):
        where = connection.engine.url.render_as_string(hide_password=True)
        raise CallerError(
            f"{where} holds a tournament of an unreleased cardrome, which cannot be read any more; choose another store"
        )
    first_tables(metadata)(connection)


SCHEMA = Schema("tournament", [_unreleased, _tables])
