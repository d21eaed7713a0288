"""Games in a tournament's store: written and read as tables. All functions work in the caller's transaction."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

import msgspec
import numpy as np
import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from cardrome.arena.players.behaviour import Behaviour, total
from cardrome.arena.storage.database import DamagedRow
from cardrome.arena.storage.store import stored_bytes
from cardrome.engine.bulk import DRAWN
from cardrome.errors import CallerError
from cardrome.tournament.games import ANSWERS, KEY, GameKey, GameTable, MissingGames, PlayedGame, blank_rows
from cardrome.tournament.schedule.pairing import Pairing
from cardrome.tournament.store.schema import details, editions, games, replays

_AT_ONCE = 10_000
"""Rows in memory at a time, where all games are read."""

_COLUMNS = games.c.keys()
_BY_KEY = [games.c[name] for name in KEY]
_WITH_DETAILS = games.outerjoin(details, sa.and_(*(details.c[name] == games.c[name] for name in KEY)))
_Behaviours = tuple[Behaviour | None, Behaviour | None]
_decoder = msgspec.msgpack.Decoder(_Behaviours)


class SomeAreStored(Exception):
    """Ends a transaction that was meant to store only new games."""


# Writing


def insert(connection: sa.Connection, table: GameTable) -> None:
    """Store games; `SomeAreStored` unless all of them are new."""
    if not len(table):
        return
    used = [table.editions[place] for place in np.unique(table["edition"])]
    ids = edition_ids(connection, used)
    rows = table.rows[_COLUMNS].copy()
    rows["edition"] = np.array([ids.get(name, 0) for name in table.editions])[rows["edition"]]
    if _insert_rows(connection, rows) < len(rows):
        raise SomeAreStored
    found = [(rows[list(KEY)][place].item(), record) for place, record in table.records.items()]
    keyed = [(dict(zip(KEY, key, strict=True)), record) for key, record in found]
    if keyed:
        connection.execute(details.insert(), [key | _details(record) for key, record in keyed])
    if kept := [key | {"replay": record.replay} for key, record in keyed if record.replay is not None]:
        connection.execute(replays.insert(), kept)


def _insert_rows(connection: sa.Connection, rows: np.ndarray[Any, Any]) -> int:
    """Store rows, except those that are there already, in the quickest way of each database; the number of new ones."""
    counted = {"preserve_rowcount": True}
    if connection.dialect.name == "sqlite":
        return connection.exec_driver_sql(_one_by_one(), rows.tolist(), execution_options=counted).rowcount
    columns = {name: rows[name].tolist() for name in _COLUMNS}
    return connection.execute(_by_columns(), columns, execution_options=counted).rowcount


@cache
def _one_by_one() -> str:
    """A statement for each row. Handed to the driver as text, it takes half the time."""
    return str(sqlite.insert(games).on_conflict_do_nothing().compile(dialect=sqlite.dialect()))


@cache
def _by_columns() -> sa.Insert:
    """One statement for all rows, with an array for each column. A row at a time would take twice as long."""
    from sqlalchemy.dialects import postgresql  # only here: importing it takes time, and most stores are files

    arrays = (sa.bindparam(column.name, type_=postgresql.ARRAY(column.type)) for column in games.c)
    rows = sa.func.unnest(*arrays).table_valued(*_COLUMNS).render_derived()
    return postgresql.insert(games).from_select(_COLUMNS, sa.select(*rows.c)).on_conflict_do_nothing()


def _details(record: PlayedGame) -> dict[str, Any]:
    return {
        "fault_kind": record.fault_kind,
        "fault_message": clean(record.fault_message),
        "behaviours": msgspec.msgpack.encode(record.behaviours),
        "stderr_a": clean(record.stderr[0]),
        "stderr_b": clean(record.stderr[1]),
    }


def clean(text: str) -> str:
    """A text that every database takes: programs also write zero bytes and invalid UTF-8."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def only_new(connection: sa.Connection, table: GameTable) -> GameTable:
    """The games that are not stored yet, each once; `CallerError` if a game is known with another winner."""
    keys = table.keys()
    known = _stored_winners(connection, keys)
    new: list[int] = []
    for place, (key, winner) in enumerate(zip(keys, table["winner"].tolist(), strict=True)):
        if key not in known:
            known[key] = winner
            new.append(place)
        elif known[key] != winner:
            raise CallerError(
                f"game {key.game} of pair {key.pair} of entrants {key.a} and {key.b} in {key.edition} is stored "
                f"already: {_result(key, known[key])} there and {_result(key, winner)} here"
            )
    records = {k: table.records[place] for k, place in enumerate(new) if place in table.records}
    return GameTable(table.rows[new], table.editions, table.fault_kinds, records)


def _result(key: GameKey, winner: int) -> str:
    return "a draw" if winner == DRAWN else f"won by {key.b if winner else key.a}"


def _stored_winners(connection: sa.Connection, keys: Sequence[GameKey]) -> dict[GameKey, int]:
    """The winners of those games that are stored, and perhaps of others."""
    ids = edition_ids(connection)
    pairs: dict[tuple[str, int, int], list[int]] = defaultdict(list)
    for key in keys:
        pairs[key.edition, key.a, key.b].append(key.pair)
    found: dict[GameKey, int] = {}
    for (edition, a, b), numbers in pairs.items():
        query = sa.select(games.c.pair, games.c.first, games.c.winner).where(
            games.c.edition == ids.get(edition, -1),
            games.c.a == a,
            games.c.b == b,
            games.c.pair.between(min(numbers), max(numbers)),
        )
        found |= {GameKey(edition, a, b, row.pair, row.first): row.winner for row in connection.execute(query)}
    return found


def edition_ids(connection: sa.Connection, wanted: Iterable[str] = ()) -> dict[str, int]:
    """The numbers of all editions that were ever drawn or played; those wanted get one if they have none."""
    # As text, since every batch of games asks this: composing a query takes longer than its answer.
    rows = connection.exec_driver_sql(f"SELECT name, id FROM {editions.name}")
    ids: dict[str, int] = {name: number for name, number in rows}  # noqa: C416 - a row is not a tuple for mypy
    for name in sorted(set(wanted) - set(ids)):
        ids[name] = max(ids.values(), default=0) + 1
        connection.execute(editions.insert(), {"id": ids[name], "name": name})
    return ids


# Reading


class _Names(dict[int, str]):
    """The names of editions by their numbers."""

    def __init__(self, ids: Mapping[str, int]) -> None:
        super().__init__({number: name for name, number in ids.items()})

    def __missing__(self, number: object) -> str:
        raise DamagedRow("there are games of an edition that does not exist")


def _decode(packed: object) -> _Behaviours:
    found: _Behaviours = _decoder.decode(stored_bytes(packed, "what a program did in a game"))
    return found


def missing_games(connection: sa.Connection, wanted: Sequence[Pairing]) -> MissingGames:
    """The games of pairings that are not stored."""
    ids = edition_ids(connection)
    here = [pairing for pairing in wanted if pairing.edition in ids]
    stored: dict[tuple[str, int, int], array[int]] = {}
    if not here:
        return MissingGames(wanted, stored)
    # One query for all pairings, even if it finds more games: a server may be a millisecond away. For a single pairing
    # it is as narrow as the key itself.
    query = sa.select(*_BY_KEY).where(
        games.c.edition.in_(sorted({ids[pairing.edition] for pairing in here})),
        games.c.a.in_(sorted({pairing.a for pairing in here})),
        games.c.b.in_(sorted({pairing.b for pairing in here})),
        games.c.pair >= min(pairing.first_pair for pairing in here),
        games.c.pair < max(pairing.first_pair + pairing.pairs for pairing in here),
    )
    names = _Names(ids)
    for part in connection.execute(query.order_by(*_BY_KEY)).partitions(_AT_ONCE):
        for edition, a, b, pair, game in part:
            stored.setdefault((names[edition], a, b), array("q")).append(2 * pair + game)
    return MissingGames(wanted, stored)


def read_table(connection: sa.Connection, answers: bool) -> tuple[GameTable, dict[int, Behaviour]]:
    """All games, sorted by edition, A, B, pair and game; with ``answers``, those of programs too, also by entrant."""
    names = sorted(edition_ids(connection).items())
    kinds: dict[str, int] = {}
    behaviours: dict[int, Behaviour] = {}
    packed_answers = details.c.behaviours if answers else sa.null()
    query = sa.select(games, details.c.fault_kind, packed_answers).select_from(_WITH_DETAILS)
    blocks = [blank_rows(0)]
    for place, (_, number) in enumerate(names):
        # An edition at a time: within one, the order of the key is the order of the table.
        for part in connection.execute(query.where(games.c.edition == number).order_by(*_BY_KEY)).partitions(_AT_ONCE):
            *columns, fault_kinds, packed = zip(*part, strict=True)
            rows = blank_rows(len(part))
            for name, column in zip(_COLUMNS, columns, strict=True):
                _fill(rows, name, column)
            rows["edition"] = place
            if any(fault_kinds):
                numbers = [-1 if kind is None else kinds.setdefault(kind, len(kinds)) for kind in fault_kinds]
                rows["fault_kind"] = numbers
            if any(packed):
                _add_behaviours(behaviours, rows, packed)
            blocks.append(rows)
    table = GameTable(np.concatenate(blocks), tuple(name for name, _ in names), tuple(kinds))
    return table, dict(sorted(behaviours.items()))


def _fill(rows: np.ndarray[Any, Any], name: str, column: Sequence[Any]) -> None:
    try:
        rows[name] = column
    except (TypeError, ValueError):  # whose words repeat the value
        raise DamagedRow(f"{name} of a game is not a number") from None


def _add_behaviours(
    behaviours: dict[int, Behaviour], rows: np.ndarray[Any, Any], packed: Sequence[bytes | None]
) -> None:
    """Add up what programs did in some games, and note the figures of each game in its row.

    All games at once, without a loop over their times: a report reads hundreds of thousands.
    """
    decoded = [(place, _decode(each)) for place, each in enumerate(packed) if each]
    for side, name in enumerate("ab"):
        known = [(place, both[side]) for place, both in decoded if both[side] is not None]
        places, several = (list(column) for column in zip(*known, strict=True)) if known else ([], [])
        starts, times = _Times([each.starts for each in several]), _Times([each.times for each in several])
        answers = np.zeros(len(places), ANSWERS)
        answers["answers"], answers["total_ms"] = starts.count + times.count, starts.total + times.total
        answers["first_ms"], answers["worst_ms"] = starts.worst, times.worst
        rows["answers"][places, side] = answers
        entrants, numbers = np.unique(rows[name][places], return_inverse=True)
        games = np.bincount(numbers, [each.games for each in several], len(entrants)).astype(np.int64).tolist()
        faults: dict[int, list[Behaviour]] = defaultdict(list)
        for number, each in zip(numbers.tolist(), several, strict=True):
            if each.faults:
                faults[number].append(Behaviour(faults=each.faults))
        sums = zip(games, starts.sums(numbers, len(entrants)), times.sums(numbers, len(entrants)), strict=True)
        for number, (entrant, figures) in enumerate(zip(entrants.tolist(), sums, strict=True)):
            parts = [behaviours.get(entrant, Behaviour()), Behaviour(*figures), *faults[number]]
            behaviours[entrant] = total(parts)


class _Times:
    """Answers by time of several games, and of each game their number, the sum of times, and the worst."""

    def __init__(self, games: Sequence[dict[int, int]]) -> None:
        self._game = np.repeat(np.arange(len(games)), [len(each) for each in games])
        self._ms = np.fromiter(chain.from_iterable(games), np.int64)
        self._count = np.fromiter(chain.from_iterable(each.values() for each in games), np.int64)
        self.count = np.bincount(self._game, self._count, len(games)).astype(np.int64)
        self.total = np.bincount(self._game, self._count * self._ms, len(games)).astype(np.int64)
        self.worst = np.zeros(len(games), np.int64)
        np.maximum.at(self.worst, self._game, self._ms)

    def sums(self, numbers: np.ndarray[Any, Any], players: int) -> list[dict[int, int]]:
        """The same added up for each player; ``numbers`` says which one each game belongs to."""
        span = self._ms.max(initial=0) + 1
        keys = numbers[self._game] * span + self._ms
        order = np.argsort(keys)
        keys, first = np.unique(keys[order], return_index=True)
        counts = np.add.reduceat(self._count[order], first) if len(keys) else keys
        found: list[dict[int, int]] = [{} for _ in range(players)]
        for number, ms, count in zip((keys // span).tolist(), (keys % span).tolist(), counts.tolist(), strict=True):
            found[number][ms] = count
        return found


def read_record(connection: sa.Connection, key: GameKey) -> PlayedGame | None:
    """A game with everything that is kept of it."""
    edition = edition_ids(connection).get(key.edition, -1)
    values = dict(zip(KEY, (edition, key.a, key.b, key.pair, key.game), strict=True))
    query = _records().where(*(games.c[name] == value for name, value in values.items()))
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    replay = connection.scalar(sa.select(replays.c.replay).where(*(replays.c[name] == values[name] for name in KEY)))
    return msgspec.structs.replace(_record(row, key.edition), replay=replay)


def stored_replays(connection: sa.Connection, keys: Sequence[GameKey] | None = None) -> set[GameKey]:
    """Which games have a replay: some of these, or of all."""
    names = _Names(edition_ids(connection))
    columns = [replays.c[name] for name in KEY]
    query = sa.select(*columns)
    if keys is not None:
        ids = {name: number for number, name in names.items()}
        wanted = [(ids.get(key.edition, -1), key.a, key.b, key.pair, key.game) for key in keys]
        query = query.where(sa.tuple_(*columns).in_(wanted))
    return {GameKey(names[edition], *key) for edition, *key in connection.execute(query)}


def read_faults(connection: sa.Connection, latest: int) -> list[PlayedGame]:
    """Games lost by a fault, the latest of each entrant at fault, the latest first; without replays."""
    at_fault = sa.case((games.c.fault_of == 0, games.c.a), else_=games.c.b)
    by_time = (games.c.finished_at.desc(), *_BY_KEY)
    place = sa.func.row_number().over(partition_by=at_fault, order_by=by_time).label("place")
    query = _records().add_columns(place).where(games.c.fault_of >= 0).order_by(*by_time)
    chosen = query.subquery()
    names = _Names(edition_ids(connection))
    order = (chosen.c.finished_at.desc(), *(chosen.c[name] for name in KEY))
    rows = connection.execute(sa.select(chosen).where(chosen.c.place <= latest).order_by(*order))
    return [_record(row, names[row.edition]) for row in rows]


def _records() -> sa.Select[Any]:
    """Games with their details, to be made records."""
    more = [column for column in details.c if column.name not in KEY]
    return sa.select(games, *more).select_from(_WITH_DETAILS)


def _record(row: sa.Row[Any], edition: str) -> PlayedGame:
    columns = ("seed", "winner", "turns", "actions", "score_a", "score_b", "ending", "fault_kind", "finished_at")
    record = PlayedGame(
        key=GameKey(edition, row.a, row.b, row.pair, row.first),
        fault_of=None if row.fault_of == -1 else row.fault_of,
        fault_message=row.fault_message or "",
        behaviours=(None, None) if row.behaviours is None else _decode(row.behaviours),
        stderr=(row.stderr_a or "", row.stderr_b or ""),
        **{name: getattr(row, name) for name in columns},
    )
    return msgspec.convert(msgspec.structs.asdict(record), PlayedGame)
