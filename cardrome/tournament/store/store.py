"""A tournament's store: its entrants, rounds and games, so that a run killed at any moment can go on.

Games are saved as they end, in batches that are kept as a whole or not at all. Every call that writes may be repeated
after `DatabaseUnavailable`: nothing is ever written, or counted, twice.
"""

from __future__ import annotations

import contextlib
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy as sa

from cardrome.arena.players.behaviour import Behaviour
from cardrome.arena.secret import draw_secret
from cardrome.arena.storage.store import Store, differences, stored_json, stored_number, stored_row, values_in
from cardrome.errors import CallerError
from cardrome.tournament.games import Entrant, GameKey, GameTable, MissingGames, PlayedGame
from cardrome.tournament.schedule.pairing import Pairing
from cardrome.tournament.settings import BotSection
from cardrome.tournament.store.games import (
    SomeAreStored,
    clean,
    edition_ids,
    insert,
    missing_games,
    only_new,
    read_faults,
    read_record,
    read_table,
    stored_replays,
)
from cardrome.tournament.store.schema import SCHEMA, editions, entrants, games, meta, pairings, rounds

LATEST_FAULTS = 50
"""Faults of each entrant that a snapshot holds with their texts."""

_DEFINITION = ("agent", "command", "keep", "directory", "build", "environment")
"""What makes a bot play as it does. A bot that differs in one of these needs another version."""


class StoredSettings(msgspec.Struct, frozen=True):
    """Which tournament a store holds."""

    name: str
    seed: int
    fixed: str
    """JSON: the settings that its games depend on."""
    growing: str
    """JSON: the settings that only add games, as they were in the last run."""

    def differences(self, name: str, seed: int | None, fixed: str) -> list[str]:
        """How another tournament differs, in phrases: ``limits.clock is true there and false here``."""
        there = {"name": repr(self.name), "seed": str(self.seed), **values_in(self.fixed)}
        here = {"name": repr(name), "seed": str(self.seed if seed is None else seed), **values_in(fixed)}
        return differences(there, here)


class StoredRound(msgspec.Struct, frozen=True):
    """A round as it was drawn. Times are seconds since 1970."""

    number: int
    """From 0 on, as schedules count."""
    pairings: tuple[Pairing, ...]
    began_at: float
    finished_at: float | None
    """None while games of the round are missing."""


class Pulse(msgspec.Struct, frozen=True):
    """A tournament in a few figures, quickly read: a snapshot of an equal pulse holds the same games and bots."""

    name: str
    growing: str
    """As in `StoredSettings`."""
    games: int
    latest: float | None
    """When the last game ended."""
    bots: int
    active: int
    problems: int
    rounds: int
    finished_rounds: int


@dataclass(frozen=True, eq=False)
class TournamentSnapshot:
    """A tournament at one moment, though its store may be growing: all that a report is made from."""

    settings: StoredSettings
    entrants: list[Entrant]
    rounds: list[StoredRound]
    games: GameTable
    behaviours: dict[int, Behaviour]
    """Of programs, by entrant."""
    faults: list[PlayedGame]
    """The latest of each entrant, the latest first, without replays."""


class TournamentStore(Store):
    """The store of one tournament. One process runs the tournament; others may read meanwhile."""

    schema = SCHEMA
    what = "tournament"

    # The tournament

    def register(
        self, name: str, seed: int | None, fixed: str, growing: str = "{}", *, draw: Callable[[], int] = draw_secret
    ) -> int:
        """Declare which tournament this is; returns its seed.

        The first call stores everything, with a drawn seed if none is given. Later calls compare the name, the seed if
        one is given, and ``fixed``, and refuse another tournament; ``growing`` replaces what was stored. Both texts are
        JSON: ``fixed`` holds what stored games depend on, ``growing`` what only adds games.
        """
        with self._database.write() as connection:
            found = _settings(connection)
            if found is None:
                found = StoredSettings(name, draw() if seed is None else seed, fixed, growing)
                row = msgspec.structs.asdict(found) | {"id": 1, "seed": str(found.seed), "registered_at": time.time()}
                connection.execute(meta.insert(), row)
            self._refuse(found.differences(name, seed, fixed))
            if found.growing != growing:
                connection.execute(meta.update().values(growing=growing))
        return found.seed

    def check(self, name: str, seed: int | None, fixed: str, bots: Sequence[BotSection]) -> None:
        """Refuse, as `register` and `enter` would, another tournament or a bot that changed; nothing is written."""
        with self._database.read() as connection:
            found, known = _settings(connection), _by_version(connection)
        if found is not None:
            self._refuse(found.differences(name, seed, fixed))
        for bot in bots:
            if (entrant := known.get((bot.name, bot.version))) is not None:
                _check_definition(entrant.bot, bot)

    def settings(self) -> StoredSettings | None:
        """The tournament in the store; None if none was registered yet."""
        with self._database.read() as connection:
            return _settings(connection)

    def snapshot(self, faults: int = LATEST_FAULTS) -> TournamentSnapshot:
        """Everything but replays, as of one moment; with at most this many faults of each entrant."""
        with self._database.read() as connection:
            settings = _settings(connection)
            if settings is None:
                raise CallerError(f"{self.name} holds no tournament: none has been started there yet")
            table, behaviours = read_table(connection, answers=True)
            everybody = list(_by_version(connection).values())
            return TournamentSnapshot(
                settings, everybody, _rounds(connection), table, behaviours, read_faults(connection, faults)
            )

    def pulse(self) -> Pulse | None:
        """What the store holds by now, in figures; None if no tournament was registered yet."""
        with self._database.read() as connection:
            found = _settings(connection)
            if found is None:
                return None
            count = sa.func.count

            def row(table: sa.Table, *figures: Any) -> Any:
                return connection.execute(sa.select(count(), *figures).select_from(table)).one()

            played, latest = row(games, sa.func.max(games.c.finished_at))
            active = sa.func.coalesce(sa.func.sum(sa.case((entrants.c.active, 1), else_=0)), 0)
            bots, entered, problems = row(entrants, active, count(entrants.c.problem))
            drawn, finished = row(rounds, count(rounds.c.finished_at))
            return Pulse(found.name, found.growing, played, latest, bots, int(entered), problems, drawn, finished)

    # Entrants

    def enter(self, bots: Sequence[BotSection]) -> list[Entrant]:
        """The entrants of bots in their versions: new ones, or the same as before, which are active again.

        All are entered or none. A bot that changed under its name and version is refused: it needs a new version.
        """
        with self._database.write() as connection:
            found = _by_version(connection)
            # Counted here, and not by the database, which would leave gaps where a transaction was dropped.
            last = max((entrant.id for entrant in found.values()), default=0)
            for bot in bots:
                known = found.get((bot.name, bot.version))
                row = {"bot": msgspec.json.encode(bot).decode(), "active": True}
                if known is None:
                    last += 1
                    new = {"id": last, "name": bot.name, "version": bot.version, "entered_at": time.time()}
                    connection.execute(entrants.insert(), new | row)
                    found[bot.name, bot.version] = Entrant(id=last, bot=bot, active=True, problem=None)
                    continue
                _check_definition(known.bot, bot)
                now = msgspec.structs.replace(known, bot=bot, active=True)
                if now != known:
                    connection.execute(entrants.update().where(entrants.c.id == known.id), row)
                    found[bot.name, bot.version] = now
        return [found[bot.name, bot.version] for bot in bots]

    def entrants(self) -> list[Entrant]:
        """Everybody who ever entered, by id."""
        with self._database.read() as connection:
            return list(_by_version(connection).values())

    def set_active(self, ids: Collection[int]) -> None:
        """Make these entrants active, and no others."""
        with self._database.write() as connection:
            _check_ids(connection, ids)
            connection.execute(entrants.update().values(active=entrants.c.id.in_(sorted(ids))))

    def set_problem(self, entrant: int, problem: str | None) -> None:
        """Store why an entrant was not admitted, or None if it was."""
        with self._database.write() as connection:
            _check_ids(connection, [entrant])
            text = None if problem is None else clean(problem)
            connection.execute(entrants.update().where(entrants.c.id == entrant).values(problem=text))

    # Rounds

    def rounds(self) -> list[StoredRound]:
        """The rounds so far, in order."""
        with self._database.read() as connection:
            return _rounds(connection)

    def add_round(self, number: int, drawn: Sequence[Pairing]) -> None:
        """Store the pairings of the next round, counted from 0. A round that is stored must have the same ones."""
        with self._database.write() as connection:
            if known := _rounds(connection, number):
                if known[0].pairings != tuple(drawn):
                    raise CallerError(f"round {number} is stored already, with other pairings")
                return
            last: int | None = connection.scalar(sa.select(sa.func.max(rounds.c.number)))
            if number != (0 if last is None else last + 1):
                raise CallerError(f"round {number} cannot be the next after {'none' if last is None else last}")
            connection.execute(rounds.insert(), {"number": number, "began_at": time.time()})
            ids = edition_ids(connection, (pairing.edition for pairing in drawn))
            rows = [
                {
                    "round": number,
                    "position": position,
                    "edition": ids[pairing.edition],
                    "a": pairing.a,
                    "b": pairing.b,
                    "first_pair": pairing.first_pair,
                    "pairs": pairing.pairs,
                }
                for position, pairing in enumerate(drawn)
            ]
            if rows:
                connection.execute(pairings.insert(), rows)

    def finish_round(self, number: int) -> None:
        """Store that all games of a round that can be played were played."""
        with self._database.write() as connection:
            this = rounds.c.number == number
            if not connection.scalar(sa.select(sa.func.count()).select_from(rounds).where(this)):
                raise CallerError(f"round {number} was not drawn")
            unfinished = rounds.c.finished_at.is_(None)
            connection.execute(rounds.update().where(this, unfinished).values(finished_at=time.time()))

    # Games

    def save(self, games: GameTable) -> int:
        """Store ended games, all or none; those stored already stay as they are. Returns the number of new ones.

        A game that is stored with another winner is an error: somebody may rely on that result.
        """
        with contextlib.suppress(SomeAreStored), self._database.write() as connection:
            insert(connection, games)
            return len(games)
        # Only now is it worth asking which games are stored: usually none is.
        with self._database.write() as connection:
            new = only_new(connection, games)
            insert(connection, new)
        return len(new)

    def missing(self, wanted: Sequence[Pairing]) -> MissingGames:
        """The games of pairings that are not stored, each once, pairing after pairing."""
        with self._database.read() as connection:
            return missing_games(connection, wanted)

    def games(self) -> GameTable:
        """All games, sorted by edition, A, B, pair and game. Only a snapshot has the answers of programs."""
        with self._database.read() as connection:
            return read_table(connection, answers=False)[0]

    def game(self, key: GameKey) -> PlayedGame | None:
        """A game with everything that is kept of it; None if it is not stored."""
        with self._database.read() as connection:
            return read_record(connection, key)

    def replays(self, keys: Sequence[GameKey] | None = None) -> set[GameKey]:
        """Which games have a replay: some of these, or of all."""
        with self._database.read() as connection:
            return stored_replays(connection, keys)


def _settings(connection: sa.Connection) -> StoredSettings | None:
    row = connection.execute(sa.select(meta)).one_or_none()
    if row is None:
        return None
    # What is damaged is found here, where it is known which store it is in.
    texts = {name: stored_json(getattr(row, name), "the text of the settings") for name in ("fixed", "growing")}
    return stored_row(row, StoredSettings, seed=stored_number(row.seed, "the seed"), **texts)


def _by_version(connection: sa.Connection) -> dict[tuple[str, str], Entrant]:
    """All entrants in the order of their ids, under their name and version."""
    return {
        (row.name, row.version): Entrant(
            id=row.id,
            bot=msgspec.json.decode(row.bot, type=BotSection),
            active=row.active,
            problem=msgspec.convert(row.problem, str | None),
        )
        for row in connection.execute(sa.select(entrants).order_by(entrants.c.id))
    }


def _check_definition(known: BotSection, bot: BotSection) -> None:
    changed = [field for field in _DEFINITION if getattr(known, field) != getattr(bot, field)]
    if changed:
        raise CallerError(
            f"bot {bot.name!r} entered as version {bot.version!r} with another {', another '.join(changed)}: "
            "give it a new version, so that its results are kept apart"
        )


def _check_ids(connection: sa.Connection, ids: Collection[int]) -> None:
    unknown = sorted(set(ids) - set(connection.scalars(sa.select(entrants.c.id))))
    if unknown:
        raise CallerError(f"no entrants with the ids {', '.join(map(str, unknown))}")


def _rounds(connection: sa.Connection, number: int | None = None) -> list[StoredRound]:
    """All rounds in order, or only the one with this number."""
    places = sa.select(pairings, editions.c.name.label("edition_name")).join(
        editions, editions.c.id == pairings.c.edition
    )
    rows = sa.select(rounds)
    if number is not None:
        places, rows = places.where(pairings.c.round == number), rows.where(rounds.c.number == number)
    drawn: dict[int, list[Pairing]] = defaultdict(list)
    for row in connection.execute(places.order_by(pairings.c.round, pairings.c.position)):
        numbers = msgspec.convert((row.a, row.b, row.first_pair, row.pairs), tuple[int, int, int, int])
        drawn[row.round].append(Pairing(row.edition_name, *numbers))
    return [
        stored_row(row, StoredRound, pairings=tuple(drawn[row.number]))
        for row in connection.execute(rows.order_by(rounds.c.number))
    ]
