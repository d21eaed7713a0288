"""Reading a tournament's games: as records, as arrays, or added up. All functions read in the caller's transaction."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
import sqlalchemy as sa

from cardrome.tournament.records import TIME_BINS, Conduct, GameKey, GameRecord
from cardrome.tournament.schedule.pairing import Pairing
from cardrome.tournament.store.records import Columns, ConductTotal
from cardrome.tournament.store.schema import KEY, details, editions, entrants, games, pairings, replays

_AT_ONCE = 10_000
"""Rows in memory at a time, where all games are read."""

_NUMBERS = ("a", "b", "pair", "game", "winner", "turns", "actions")
_MAYBE = ("score_a", "score_b", "fault_of")
_CONDUCT = ("answers", "total_ms", "worst_ms", "first_ms", "times")
_BY_KEY = [games.c[name] for name in KEY]
_SAME_GAME = sa.and_(*(details.c[name] == games.c[name] for name in KEY))
_RECORDS = sa.select(games, *(column for column in details.c if column.name not in KEY)).select_from(
    games.outerjoin(details, _SAME_GAME)
)


def edition_ids(connection: sa.Connection) -> dict[str, int]:
    """The numbers of the editions that were ever drawn or played."""
    return {row.name: row.id for row in connection.execute(sa.select(editions))}


def known_keys(connection: sa.Connection, wanted: Sequence[Pairing]) -> set[tuple[str, int, int, int, int]]:
    """Keys of stored games: all those of some pairings, and maybe others."""
    ids = edition_ids(connection)
    here = [pairing for pairing in wanted if pairing.edition in ids]
    if not here:
        return set()
    # One query for all of them, even if that finds some more: a server may be a millisecond away. With one pairing it
    # is as narrow as the key itself.
    query = sa.select(*_BY_KEY).where(
        games.c.edition.in_(sorted({ids[pairing.edition] for pairing in here})),
        games.c.a.in_(sorted({pairing.a for pairing in here})),
        games.c.b.in_(sorted({pairing.b for pairing in here})),
        games.c.pair >= min(pairing.first_pair for pairing in here),
        games.c.pair < max(pairing.first_pair + pairing.pairs for pairing in here),
    )
    names = {number: name for name, number in ids.items()}
    return {(names[edition], a, b, pair, game) for edition, a, b, pair, game in connection.execute(query)}


def stored_winners(connection: sa.Connection, keys: Sequence[GameKey]) -> dict[GameKey, int]:
    """Who won those of some games that are stored."""
    ids = edition_ids(connection)
    groups: dict[tuple[str, int, int], list[int]] = defaultdict(list)
    for key in keys:
        groups[key.edition, key.a, key.b].append(key.pair)
    found: dict[GameKey, int] = {}
    for (edition, a, b), pairs in groups.items():
        query = sa.select(games.c.pair, games.c.game, games.c.winner).where(
            games.c.edition == ids.get(edition, -1),
            games.c.a == a,
            games.c.b == b,
            games.c.pair.between(min(pairs), max(pairs)),
        )
        found |= {GameKey(edition, a, b, row.pair, row.game): row.winner for row in connection.execute(query)}
    return {key: found[key] for key in keys if key in found}


def columns(connection: sa.Connection, wanted: Sequence[str] | None, before_round: int | None) -> Columns:
    """The games of some editions as arrays, without those of a round and later ones if one is given."""
    ids = edition_ids(connection)
    names = tuple(sorted(ids) if wanted is None else wanted)
    query = sa.select(*(games.c[name] for name in _NUMBERS + _MAYBE))
    if before_round is not None:
        query = query.where(~_in_a_round_from(before_round))
    kinds: list[Any] = [np.int64] * len(_NUMBERS) + [np.float64] * len(_MAYBE)  # None becomes NaN
    parts = [[np.empty(0, kind)] for kind in ("int64", *kinds)]
    for place, name in enumerate(names):
        # An edition at a time: within one, the order of the key is that of the table.
        rows = connection.execute(query.where(games.c.edition == ids.get(name, -1)).order_by(*_BY_KEY))
        for part in rows.partitions(_AT_ONCE):
            arrays = [np.array(column, kind) for column, kind in zip(zip(*part, strict=True), kinds, strict=True)]
            for so_far, array in zip(parts, [np.full(len(part), place), *arrays], strict=True):
                so_far.append(array)
    found: list[Any] = [np.concatenate(arrays) for arrays in parts]
    fault_of = found.pop()
    edition, a, b, pair, game, winner, turns, actions, score_a, score_b = found
    forfeit = ~np.isnan(fault_of)
    return Columns(names, edition, a, b, pair, game, winner, turns, actions, score_a, score_b, forfeit)


def _in_a_round_from(number: int) -> sa.ColumnElement[bool]:
    # Rounds after are few, one as a rule; those before may be thousands.
    return sa.exists().where(
        pairings.c.round >= number,
        *(pairings.c[name] == games.c[name] for name in ("edition", "a", "b")),
        games.c.pair >= pairings.c.first_pair,
        games.c.pair < pairings.c.first_pair + pairings.c.pairs,
    )


def record_of(connection: sa.Connection, key: GameKey) -> GameRecord | None:
    """A game with all that is kept of it."""
    edition = edition_ids(connection).get(key.edition, -1)
    values = dict(zip(KEY, (edition, key.a, key.b, key.pair, key.game), strict=True))
    row = connection.execute(_RECORDS.where(*(games.c[name] == values[name] for name in KEY))).one_or_none()
    if row is None:
        return None
    replay = connection.scalar(sa.select(replays.c.replay).where(*(replays.c[name] == values[name] for name in KEY)))
    return msgspec.structs.replace(_record(row, key.edition), replay=replay)


def records_between(connection: sa.Connection, edition: str, one: int, other: int) -> list[GameRecord]:
    """The games of two entrants, whichever of them was A, without replays."""
    query = _RECORDS.where(
        games.c.edition == edition_ids(connection).get(edition, -1),
        sa.or_(sa.and_(games.c.a == one, games.c.b == other), sa.and_(games.c.a == other, games.c.b == one)),
    )
    return [_record(row, edition) for row in connection.execute(query.order_by(*_BY_KEY))]


def records_with_faults(connection: sa.Connection, limit: int | None, entrant: int | None) -> list[GameRecord]:
    """Games that were lost by a fault, the latest first, without replays."""
    names = {number: name for name, number in edition_ids(connection).items()}
    query = _RECORDS.where(games.c.fault_of.is_not(None))
    if entrant is not None:
        query = query.where(sa.or_(*(_at_fault(side) & (games.c[name] == entrant) for side, name in enumerate("ab"))))
    query = query.order_by(games.c.finished_at.desc(), *_BY_KEY).limit(limit)
    return [_record(row, names[row.edition]) for row in connection.execute(query)]


def all_records(connection: sa.Connection) -> Iterator[GameRecord]:
    """All games by key, without replays, read as they are asked for."""
    for name, number in sorted(edition_ids(connection).items()):
        query = _RECORDS.where(games.c.edition == number).order_by(*_BY_KEY)
        # Closed even if nobody asks for the rest: the server keeps something for us until then.
        with connection.execute(query, execution_options={"yield_per": _AT_ONCE}) as rows:
            for row in rows:
                yield _record(row, name)


def conducts(connection: sa.Connection, entrant: int | None = None) -> dict[int, ConductTotal]:
    """How all entrants behaved, or one of them."""
    times: dict[int, list[str]] = defaultdict(list)
    sums: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    faults: dict[int, Counter[str]] = defaultdict(Counter)
    for side, name in enumerate("ab"):
        query = sa.select(details.c[name], *(details.c[f"{column}_{name}"] for column in _CONDUCT))
        query = query.where(details.c[f"answers_{name}"].is_not(None))
        lost = sa.select(games.c[name], games.c.fault_kind, sa.func.count()).where(_at_fault(side))
        if entrant is not None:
            query, lost = query.where(details.c[name] == entrant), lost.where(games.c[name] == entrant)
        for who, answers, total, worst, first, counts in connection.execute(query):
            times[who].append(counts)
            so_far = sums[who]
            so_far[0] += answers
            so_far[1] += total
            so_far[2] = max(so_far[2], worst)
            so_far[3] = max(so_far[3], first)
        for who, kind, count in connection.execute(lost.group_by(games.c[name], games.c.fault_kind)):
            faults[who][kind or "unknown"] += count
    known = connection.scalars(sa.select(entrants.c.id).order_by(entrants.c.id))
    return {
        who: ConductTotal(
            games=len(times[who]),
            answers=sums[who][0],
            total_ms=sums[who][1],
            worst_ms=sums[who][2],
            worst_first_ms=sums[who][3],
            times=_added(times[who]),
            faults=dict(sorted(faults[who].items())),
        )
        for who in ([entrant] if entrant is not None else known)
    }


def _added(texts: Sequence[str]) -> tuple[int, ...]:
    if not texts:
        return (0,) * TIME_BINS
    counts = msgspec.json.decode(f"[{','.join(texts)}]")
    return tuple(np.array(counts, np.int64).sum(axis=0).tolist())


def _at_fault(side: int) -> sa.ColumnElement[bool]:
    return games.c.fault_of == side


def _record(row: sa.Row[Any], edition: str) -> GameRecord:
    # By place and not by name: exports make a record of every game. `_RECORDS` has the columns in this order.
    values = tuple(row)
    _, a, b, pair, game, seed, winner, turns, actions, score_a, score_b, fault_of, fault_kind, finished_at, *more = (
        values
    )
    *conducts, message, stderr_a, stderr_b = more
    return GameRecord(
        key=GameKey(edition, a, b, pair, game),
        seed=seed,
        winner=winner,
        turns=turns,
        actions=actions,
        score_a=score_a,
        score_b=score_b,
        fault_of=fault_of,
        fault_kind=fault_kind,
        fault_message=message or "",
        conduct_a=_conduct(conducts[:5], stderr_a),
        conduct_b=_conduct(conducts[5:], stderr_b),
        finished_at=finished_at,
    )


def _conduct(values: Sequence[Any], stderr: str) -> Conduct | None:
    answers, total, worst, first, times = values
    return None if answers is None else Conduct(answers, total, worst, first, tuple(msgspec.json.decode(times)), stderr)
