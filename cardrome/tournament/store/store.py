"""A tournament's store: its entrants, its rounds and every game, so that a run killed at any moment goes on.

Games are saved as they end, in batches that are kept as a whole or not at all. Every call that writes may be made again
after `DatabaseUnavailable`: what is there already is not written, and never counted, twice.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from cardrome.arena.storage.store import Store
from cardrome.errors import CallerError
from cardrome.tournament.records import Entrant, GameKey, GameRecord, Side
from cardrome.tournament.schedule.pairing import Pairing
from cardrome.tournament.settings import BotSection
from cardrome.tournament.store import queries
from cardrome.tournament.store.insert import insert_games
from cardrome.tournament.store.records import Columns, ConductTotal, StoredRound, StoredTournament
from cardrome.tournament.store.rounds import insert_pairings, next_or_known, numbered, stored_rounds
from cardrome.tournament.store.rows import check_winner, clean, detail_row, game_row, once, replay_row
from cardrome.tournament.store.schema import (
    SCHEMA,
    details,
    entrants,
    meta,
    pairings,
    replays,
    rounds,
)

_DEFINITION = ("agent", "command", "keep", "directory", "build", "environment")
"""What makes a bot play as it does. With another of these it is another version."""


_SIDES: tuple[Side, Side] = (0, 1)


def draw_seed() -> int:
    """A seed for a tournament that nobody chose one for."""
    return secrets.randbelow(1 << 31)  # short enough to type again


class _SomeAreThere(Exception):
    """Ends a transaction that was meant to store only new games."""


class TournamentStore(Store):
    """The store of one tournament. One process runs the tournament; others may look meanwhile."""

    schema = SCHEMA
    what = "tournament"

    # The tournament

    def register(
        self, name: str, seed: int | None, fixed: str, growing: str = "{}", *, draw: Callable[[], int] = draw_seed
    ) -> int:
        """Say which tournament this is, and learn its seed.

        At the first time all is noted, with a drawn seed if none is given. Later the name, the seed if one is given,
        and ``fixed`` are compared, and another tournament is refused; ``growing`` takes the place of what was noted.
        Both texts are JSON: ``fixed`` holds what stored games depend on, ``growing`` what only adds games.
        """
        with self._database.write() as connection:
            found = _tournament(connection)
            if found is None:
                found = StoredTournament(name, draw() if seed is None else seed, fixed, growing)
                row = msgspec.structs.asdict(found) | {"id": 1, "registered_at": time.time()}
                connection.execute(meta.insert(), row)
            self._refuse(found.differences(name, seed, fixed))
            if found.growing != growing:
                connection.execute(meta.update().values(growing=growing))
        return found.seed

    def tournament(self) -> StoredTournament | None:
        """The tournament of the store; None if none was registered yet."""
        with self._database.read() as connection:
            return _tournament(connection)

    # Entrants

    def enter(self, bot: BotSection) -> Entrant:
        """The entrant of a bot in its version: a new one, or the same as before, which then is active again."""
        return self.enter_all([bot])[0]

    def enter_all(self, bots: Sequence[BotSection]) -> list[Entrant]:
        """Enter bots, all or none. One that changed under its name and version is refused: it needs a new version."""
        with self._database.write() as connection:
            found = _by_version(connection)
            # Counted here, and not by the database, which would leave gaps where a transaction was dropped.
            last = max((entrant.id for entrant in found.values()), default=0)
            for bot in bots:
                known = found.get(_version(bot))
                row = {"bot": msgspec.json.encode(bot).decode(), "active": True}
                if known is None:
                    last += 1
                    new = {"id": last, "name": bot.name, "version": bot.version, "entered_at": time.time()}
                    connection.execute(entrants.insert(), new | row)
                    found[_version(bot)] = Entrant(id=last, bot=bot, active=True, problem=None)
                    continue
                _check_definition(known.bot, bot)
                now = msgspec.structs.replace(known, bot=bot, active=True)
                if now != known:
                    connection.execute(entrants.update().where(entrants.c.id == known.id), row)
                    found[_version(bot)] = now
        return [found[_version(bot)] for bot in bots]

    def entrants(self) -> list[Entrant]:
        """All that ever entered, by id."""
        with self._database.read() as connection:
            return list(_by_version(connection).values())

    def set_active(self, ids: Collection[int]) -> None:
        """Let these entrants be active, and no others."""
        with self._database.write() as connection:
            _check_ids(connection, ids)
            connection.execute(entrants.update().values(active=entrants.c.id.in_(sorted(ids))))

    def set_problem(self, entrant: int, problem: str | None) -> None:
        """Note why an entrant was not admitted, or that it was."""
        with self._database.write() as connection:
            _check_ids(connection, [entrant])
            text = None if problem is None else clean(problem)
            connection.execute(entrants.update().where(entrants.c.id == entrant).values(problem=text))

    # Rounds

    def rounds(self) -> list[StoredRound]:
        """The rounds so far, in order."""
        with self._database.read() as connection:
            return stored_rounds(connection)

    def add_round(self, number: int, drawn: Sequence[Pairing]) -> None:
        """Note the pairings of the next round, counted from 0. A round that is there must have the same."""
        with self._database.write() as connection:
            found = next_or_known(connection, number)
            if found is None:
                connection.execute(rounds.insert(), {"number": number, "began_at": time.time()})
                insert_pairings(connection, number, drawn)
            elif found.pairings != tuple(drawn):
                raise CallerError(f"round {number} is stored already, with other pairings")

    def replace_round(self, number: int, drawn: Sequence[Pairing]) -> None:
        """Note the pairings of a round that grows with the settings: other ones make it unfinished again.

        Games are kept, whatever becomes of their pairings.
        """
        with self._database.write() as connection:
            found = next_or_known(connection, number)
            if found is None:
                connection.execute(rounds.insert(), {"number": number, "began_at": time.time()})
                insert_pairings(connection, number, drawn)
            elif found.pairings != tuple(drawn):
                connection.execute(rounds.update().where(rounds.c.number == number).values(finished_at=None))
                connection.execute(pairings.delete().where(pairings.c.round == number))
                insert_pairings(connection, number, drawn)

    def finish_round(self, number: int) -> None:
        """Note that all games of a round that will be played were played."""
        with self._database.write() as connection:
            this = rounds.c.number == number
            if not connection.scalar(sa.select(sa.func.count()).select_from(rounds).where(this)):
                raise CallerError(f"round {number} was not drawn")
            unfinished = rounds.c.finished_at.is_(None)
            connection.execute(rounds.update().where(this, unfinished).values(finished_at=time.time()))

    # Games

    def save(self, records: Sequence[GameRecord]) -> int:
        """Store ended games, all or none; those there already stay as they are. The number of new ones.

        A game that is there already with another winner is an error: somebody would be counting on the other result.
        """
        wanted = once(records)
        if not wanted:
            return 0
        with contextlib.suppress(_SomeAreThere), self._database.write() as connection:
            _insert(connection, list(wanted.values()))
            return len(wanted)
        # Which of them are there is looked for only now: as a rule none is, and that was the quicker way to know it.
        with self._database.write() as connection:
            known = queries.stored_winners(connection, list(wanted))
            for key, winner in known.items():
                check_winner(wanted[key], winner)
            new = [record for key, record in wanted.items() if key not in known]
            _insert(connection, new)
        return len(new)

    def missing(self, pairing: Pairing) -> list[GameKey]:
        """The games of a pairing that are not stored, in order."""
        return self.missing_of([pairing])

    def missing_of(self, wanted: Sequence[Pairing]) -> list[GameKey]:
        """The games of pairings that are not stored, each once, pairing after pairing."""
        with self._database.read() as connection:
            known = queries.known_keys(connection, wanted)
        found = []
        for pairing in wanted:
            for pair in range(pairing.first_pair, pairing.first_pair + pairing.pairs):
                for game in _SIDES:
                    key = (pairing.edition, pairing.a, pairing.b, pair, game)
                    if key not in known:
                        known.add(key)
                        found.append(GameKey(*key))
        return found

    def results(self, editions: Iterable[str] | None = None, before_round: int | None = None) -> Columns:
        """The games as arrays: of some editions or all; with ``before_round``, without its games and later ones."""
        with self._database.read() as connection:
            return queries.columns(connection, None if editions is None else list(editions), before_round)

    def game(self, key: GameKey) -> GameRecord | None:
        """A game with all that is kept of it; None if it is not stored."""
        with self._database.read() as connection:
            return queries.record_of(connection, key)

    def games(self, edition: str, one: int, other: int) -> list[GameRecord]:
        """The games of two entrants, whichever of them was A, by key, without replays."""
        with self._database.read() as connection:
            return queries.records_between(connection, edition, one, other)

    def faults(self, limit: int | None = None, *, entrant: int | None = None) -> list[GameRecord]:
        """Games that were lost by a fault, by anyone or by one entrant, the latest first, without replays."""
        with self._database.read() as connection:
            return queries.records_with_faults(connection, limit, entrant)

    def conduct(self, entrant: int) -> ConductTotal:
        """How an entrant behaved in all its games."""
        with self._database.read() as connection:
            _check_ids(connection, [entrant])
            return queries.conducts(connection, entrant)[entrant]

    def conducts(self) -> dict[int, ConductTotal]:
        """How all entrants behaved, by id: quicker than one after the other."""
        with self._database.read() as connection:
            return queries.conducts(connection)

    def all_games(self) -> Iterator[GameRecord]:
        """All games of one moment by key, without replays. They are read while the iterator goes on."""
        with self._database.read() as connection:
            yield from queries.all_records(connection)


def _tournament(connection: sa.Connection) -> StoredTournament | None:
    row = connection.execute(sa.select(meta)).one_or_none()
    return None if row is None else StoredTournament(row.name, row.seed, row.fixed, row.growing)


def _version(bot: BotSection) -> tuple[str, str]:
    return bot.name, bot.version


def _by_version(connection: sa.Connection) -> dict[tuple[str, str], Entrant]:
    """All entrants by id, under their name and version."""
    return {
        (row.name, row.version): Entrant(
            id=row.id, bot=msgspec.json.decode(row.bot, type=BotSection), active=row.active, problem=row.problem
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


def _insert(connection: sa.Connection, records: Sequence[GameRecord]) -> None:
    if not records:
        return
    ids = numbered(connection, {record.key.edition for record in records})
    if insert_games(connection, [game_row(record, ids[record.key.edition]) for record in records]) < len(records):
        raise _SomeAreThere
    for table, to_row in ((details, detail_row), (replays, replay_row)):
        rows: list[dict[str, Any]] = []
        for record in records:
            row = to_row(record, ids[record.key.edition])
            if row is not None:
                rows.append(row)
        if rows:
            connection.execute(table.insert(), rows)
