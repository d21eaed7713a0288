"""An event's store: its accounts, its tournaments and every match, so that a killed server can continue.

A tournament is begun, its matches are saved as they end, and it is finished; only then does it count. One that was
being played when the server ended is played again from its start. Every call that writes may be repeated after
`DatabaseUnavailable`: nothing is ever stored, or counted, twice.
"""

from __future__ import annotations

import math
import time
import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa

from cardrome.arena.storage.database import DamagedRow, Database
from cardrome.arena.storage.store import Store, stored_bytes, stored_json, stored_number, stored_row
from cardrome.errors import CallerError
from cardrome.server.store.accounts import Accounts, read_accounts
from cardrome.server.store.control import Control
from cardrome.server.store.records import (
    Counts,
    EventTournament,
    MatchRecord,
    MatchResult,
    MatchScore,
    StoredEvent,
    TeamStanding,
)
from cardrome.server.store.schema import SCHEMA, accounts, entries, event, matches, published, tournaments
from cardrome.wording import counted

_T = TypeVar("_T")

_RESULT = [column for column in matches.c if column.name != "transcript"]
_COUNTS = Counts.__struct_fields__
_AT_ONCE = 1000
"""Matches read or written by one statement."""
_COMPRESSION = 4
_SCORES = 1 << 31
"""Scores, positive or negative, are less: servers keep them in 32 bits."""


class _Points(msgspec.Struct, frozen=True):
    """What an account has from a finished tournament."""

    account: int
    tournament: int
    points: float


class EventStore(Store):
    """The store of one event. One process runs the event; others may look on, and change accounts."""

    schema = SCHEMA
    what = "event"

    def __init__(self, database: Database) -> None:
        """Use an open database that has the tables of `SCHEMA`; `open` is the usual way."""
        super().__init__(database)
        self.accounts = Accounts(database)
        self.control = Control(database)

    def register(self, name: str, secret: int, rules_text: str) -> None:
        """Note which event this is; later, refuse any other event."""
        wanted = StoredEvent(name, secret, rules_text)
        with self._database.write() as connection:
            found = _event(connection)
            if found is None:
                row = {"id": 1, "name": name, "seed": str(secret), "rules": rules_text, "registered_at": time.time()}
                connection.execute(event.insert(), row)
                return
        self._refuse(found.differences(wanted))

    def event(self) -> StoredEvent | None:
        """The event of the store; None before it is registered."""
        with self._database.read() as connection:
            return _event(connection)

    def note_published(self) -> None:
        """Note that the secret is published from now on."""
        with self._database.write() as connection:
            if connection.scalar(sa.select(published.c.at)) is None:
                connection.execute(published.insert(), {"id": 1, "at": time.time()})

    def is_published(self) -> bool:
        """Whether the secret was published, in this run or an earlier one."""
        with self._database.read() as connection:
            return connection.scalar(sa.select(published.c.at)) is not None

    def begin_tournament(
        self,
        number: int,
        seed: int,
        deck_text: str,
        rules_text: str,
        first_match_id: int,
        roster: Sequence[int],
    ) -> None:
        """Store who plays in the next tournament, in seat order, and what is played. The last one must be finished."""
        with self._database.write() as connection:
            last = _last(connection)
            new = EventTournament(
                number=number,
                seed=seed,
                deck_text=deck_text,
                rules_text=rules_text,
                first_match_id=first_match_id,
                roster=tuple(roster),
                started_at=time.time(),
                finished_at=None,
                attempts=1,
            )
            if last is not None and last.finished_at is None:
                if msgspec.structs.replace(last, started_at=new.started_at) == new:
                    return  # an earlier call has stored it
                raise CallerError(f"tournament {last.number} is not finished, so {number} cannot begin")
            if number != (last.number + 1 if last else 1):
                raise CallerError(f"tournament {number} cannot follow {last.number if last else 'none'}")
            if first_match_id < _next_match_id(last):
                raise CallerError(f"match ids from {first_match_id} on belong to earlier matches")
            _check_roster(connection, new.roster)
            connection.execute(
                tournaments.insert(),
                {
                    "number": number,
                    "seed": str(seed),
                    "deck": deck_text,
                    "rules": rules_text,
                    "first_match_id": first_match_id,
                    "started_at": new.started_at,
                    "attempts": 1,
                },
            )
            connection.execute(
                entries.insert(),
                [{"tournament": number, "account": account, "position": k} for k, account in enumerate(new.roster)],
            )

    def restart_tournament(self, number: int) -> EventTournament:
        """Delete the matches of an interrupted tournament, to play it again from its start."""
        with self._database.write() as connection:
            found = _tournament(connection, number)
            if found.finished_at is not None:
                raise CallerError(f"tournament {number} is finished and cannot be played again")
            connection.execute(matches.delete().where(matches.c.tournament == number))
            again = msgspec.structs.replace(found, attempts=found.attempts + 1, started_at=time.time())
            changed = {"attempts": again.attempts, "started_at": again.started_at}
            connection.execute(tournaments.update().where(tournaments.c.number == number).values(changed))
        return again

    def unfinished(self) -> EventTournament | None:
        """The tournament that has begun and is not finished; None if there is none."""
        with self._database.read() as connection:
            last = _last(connection)
        return last if last is not None and last.finished_at is None else None

    def tournaments(self) -> list[EventTournament]:
        """All tournaments, in order."""
        with self._database.read() as connection:
            return _tournaments(connection)

    def save_matches(self, records: Iterable[MatchRecord]) -> int:
        """Store ended matches, all or none, except those that are stored already. Returns the number of new ones."""
        wanted: dict[int, MatchRecord] = {}
        for record in records:
            _check_same(wanted.setdefault(record.id, record), record)
        if not wanted:
            return 0
        rows = {record.id: _row(record) for record in wanted.values()}
        with self._database.write() as connection:
            for number in {record.tournament for record in wanted.values()}:
                _check_matches(_tournament(connection, number), wanted.values())
            known: set[int] = set()
            for ids in _chunks(list(wanted)):
                for row in connection.execute(sa.select(*_RESULT).where(matches.c.id.in_(ids))):
                    _check_same(_result(row), wanted[row.id])
                    known.add(row.id)
            new = [row for match_id, row in rows.items() if match_id not in known]
            for chunk in _chunks(new):
                connection.execute(matches.insert(), chunk)
        return len(new)

    def finish_tournament(self, number: int, points: Mapping[int, float]) -> None:
        """Store the points of every account of the roster. All matches must be stored; from now on they count."""
        with self._database.write() as connection:
            found = _tournament(connection, number)
            if set(points) != set(found.roster) or not all(math.isfinite(value) for value in points.values()):
                raise CallerError(f"tournament {number} needs a number of points for each account of its roster")
            if found.finished_at is not None:
                rows = connection.execute(sa.select(entries).where(entries.c.tournament == number))
                if {row.account: row.points for row in rows} != dict(points):
                    raise CallerError(f"tournament {number} is already finished, with other points")
                return
            played = connection.scalar(sa.select(sa.func.count()).where(matches.c.tournament == number))
            if played != found.matches:
                of_all = f"{played} of its {counted(found.matches, 'match', 'matches')}"
                raise CallerError(f"tournament {number} has {of_all}: not finished")
            connection.execute(
                entries.update()
                .where(entries.c.tournament == number, entries.c.account == sa.bindparam("of"))
                .values(points=sa.bindparam("to")),
                [{"of": account, "to": float(value)} for account, value in points.items()],
            )
            this = tournaments.c.number == number
            connection.execute(tournaments.update().where(this).values(finished_at=time.time()))

    def standings(self) -> list[TeamStanding]:
        """The points from all finished tournaments, most first, equal ones by name.

        The list holds every account that has played in one of them or may play in the next.
        """
        with self._database.read() as connection:
            people = read_accounts(connection)
            query = (
                sa.select(entries.c.account, entries.c.tournament, entries.c.points)
                .join(tournaments, tournaments.c.number == entries.c.tournament)
                .where(tournaments.c.finished_at.is_not(None))
            )
            rows = [stored_row(row, _Points) for row in connection.execute(query)]
        gained: dict[int, dict[int, float]] = defaultdict(dict)
        for row in rows:
            gained[row.account][row.tournament] = row.points
        finished = sorted({row.tournament for row in rows})
        table = []
        for one in people:
            points = gained.get(one.id, {})
            if one.active or points:
                each = tuple(points.get(number) for number in finished)
                table.append(TeamStanding(one.id, one.name, math.fsum(points.values()), each))
        return sorted(table, key=lambda row: (-row.total, row.name))

    def points_of(self, account: int) -> dict[int, float]:
        """An account's points by the number of the tournament, for all that are finished."""
        query = sa.select(entries.c.tournament, entries.c.points).where(
            entries.c.account == account, entries.c.points.is_not(None)
        )
        with self._database.read() as connection:
            return msgspec.convert({row.tournament: row.points for row in connection.execute(query)}, dict[int, float])

    def match(self, match_id: int, *, counts: bool = False) -> MatchRecord | None:
        """A stored match with its transcript; None if there is none with this id.

        With ``counts``, its tournament must be finished: until then, others play on with the same deck.
        """
        query = sa.select(matches).where(matches.c.id == match_id)
        if counts:
            query = query.join(tournaments, tournaments.c.number == matches.c.tournament)
            query = query.where(tournaments.c.finished_at.is_not(None))
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
            if row is None:
                return None
            packed = stored_bytes(row.transcript, f"the transcript of match {match_id}")
            return MatchRecord(**msgspec.structs.asdict(_result(row)), transcript=zlib.decompress(packed))

    def matches(self, tournament: int) -> list[MatchResult]:
        """The stored matches of a tournament by id, without transcripts."""
        return self._results(matches.c.tournament == tournament)

    def matches_of(self, account: int, numbers: Sequence[int]) -> list[MatchResult]:
        """The matches of an account in some finished tournaments by id, without transcripts."""
        return self._results(
            sa.or_(matches.c.first == account, matches.c.second == account),
            tournaments.c.finished_at.is_not(None),
            tournaments.c.number.in_(numbers),
        )

    def _results(self, *conditions: sa.ColumnElement[bool]) -> list[MatchResult]:
        query = sa.select(*_RESULT).join(tournaments, tournaments.c.number == matches.c.tournament)
        with self._database.read() as connection:
            rows = connection.execute(query.where(*conditions).order_by(matches.c.id))
            found = [_result(row) for row in rows]
            _check_known(connection, {account for each in found for account in (each.first, each.second)}, "matches")
            return found

    def scores_by_match(self) -> dict[int, MatchScore]:
        """The final scores of all matches of finished tournaments, by match id. None of them is missing."""
        query = (
            sa.select(matches.c.id, *(matches.c[name] for name in MatchScore._fields))
            .join(tournaments, tournaments.c.number == matches.c.tournament)
            .where(tournaments.c.finished_at.is_not(None))
            .order_by(matches.c.id)
        )
        with self._database.read() as connection:
            rows = {row[0]: tuple(row[1:]) for row in connection.execute(query)}
            found = msgspec.convert(rows, dict[int, MatchScore])
            _check_known(connection, {account for each in found.values() for account in each[:2]}, "matches")
            if any(not -_SCORES <= score < _SCORES for each in found.values() for score in each[2:]):
                raise DamagedRow("a score is out of range")
            for each in _tournaments(connection):
                if each.finished_at is not None and not all(match_id in found for match_id in each.match_ids):
                    raise DamagedRow(f"matches of tournament {each.number} are missing")
            return found

    def next_match_id(self) -> int:
        """The smallest match id that no tournament has used, including the one being played."""
        with self._database.read() as connection:
            return _next_match_id(_last(connection))


def _event(connection: sa.Connection) -> StoredEvent | None:
    row = connection.execute(sa.select(event)).one_or_none()
    if row is None:
        return None
    rules_text = stored_json(row.rules, "the text of the rules")
    return stored_row(row, StoredEvent, secret=stored_number(row.seed, "the secret"), rules_text=rules_text)


def _tournaments(connection: sa.Connection, number: int | None = None) -> list[EventTournament]:
    """All tournaments in order, or only the one with this number."""
    rows, places = sa.select(tournaments), sa.select(entries)
    if number is not None:
        rows, places = rows.where(tournaments.c.number == number), places.where(entries.c.tournament == number)
    rosters: dict[int, list[int]] = defaultdict(list)
    for entry in connection.execute(places.order_by(entries.c.tournament, entries.c.position)):
        rosters[entry.tournament].append(entry.account)
    _check_known(connection, {account for roster in rosters.values() for account in roster}, "tournaments")
    found = [
        stored_row(
            row,
            EventTournament,
            seed=stored_number(row.seed, f"the seed of tournament {row.number}"),
            deck_text=row.deck,
            rules_text=stored_json(row.rules, f"the text of tournament {row.number}'s rules"),
            roster=rosters[row.number],
        )
        for row in connection.execute(rows.order_by(tournaments.c.number))
    ]
    for each in found:
        if not each.roster:
            raise DamagedRow(f"the roster of tournament {each.number} is missing")
    return found


def _check_known(connection: sa.Connection, players: set[int], where: str) -> None:
    """Refuse a store in which somebody has played who has no account."""
    if not players <= set(connection.scalars(sa.select(accounts.c.id))):
        raise DamagedRow(f"there are {where} of accounts that do not exist")


def _tournament(connection: sa.Connection, number: int) -> EventTournament:
    found = _tournaments(connection, number)
    if not found:
        raise CallerError(f"tournament {number} has not begun")
    return found[0]


def _last(connection: sa.Connection) -> EventTournament | None:
    number = connection.scalar(sa.select(sa.func.max(tournaments.c.number)))
    return None if number is None else _tournament(connection, number)


def _next_match_id(last: EventTournament | None) -> int:
    return 1 if last is None else last.first_match_id + last.matches


def _check_roster(connection: sa.Connection, roster: tuple[int, ...]) -> None:
    if len(roster) < 2 or len(set(roster)) != len(roster):
        raise CallerError("a roster has two or more different accounts")
    known = set(connection.scalars(sa.select(accounts.c.id)))
    gone = [account for account in roster if account not in known]
    if gone:
        raise CallerError(f"there are no accounts with the ids {', '.join(map(str, gone))}")


def _check_matches(tournament: EventTournament, records: Iterable[MatchRecord]) -> None:
    """Refuse matches that cannot be of this tournament, with a better message than the database's."""
    ids = tournament.match_ids
    players = set(tournament.roster)
    for record in records:
        if record.tournament == tournament.number:
            if record.id not in ids:
                raise CallerError(f"match {record.id} is not one of tournament {tournament.number}")
            if record.first == record.second or not {record.first, record.second} <= players:
                raise CallerError(
                    f"match {record.id}: {record.first} and {record.second} are not a pair of tournament "
                    f"{tournament.number}'s roster"
                )


def _check_same(found: MatchResult, again: MatchResult) -> None:
    """Refuse another result for a match. Only the time of its end may differ: the first one counts."""
    for name in MatchResult.__struct_fields__:
        if name != "finished_at" and getattr(found, name) != getattr(again, name):
            raise CallerError(f"match {found.id} is already stored, with another result ({name})")


def _row(record: MatchRecord) -> dict[str, Any]:
    row = msgspec.structs.asdict(record) | {"transcript": zlib.compress(record.transcript, _COMPRESSION)}
    for side in ("first", "second"):
        counts = row.pop(f"counts_{side}")
        row |= {f"{name}_{side}": getattr(counts, name) for name in _COUNTS}
    return row


def _result(row: sa.Row[Any]) -> MatchResult:
    counts = {
        f"counts_{side}": {name: getattr(row, f"{name}_{side}") for name in _COUNTS} for side in ("first", "second")
    }
    return stored_row(row, MatchResult, **counts)


def _chunks(items: Sequence[_T]) -> Iterable[Sequence[_T]]:
    return (items[k : k + _AT_ONCE] for k in range(0, len(items), _AT_ONCE))
