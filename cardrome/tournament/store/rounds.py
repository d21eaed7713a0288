"""Rounds and editions in a tournament's store. All functions work in the caller's transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import sqlalchemy as sa

from cardrome.errors import CallerError
from cardrome.tournament.schedule.pairing import Pairing
from cardrome.tournament.store.queries import edition_ids
from cardrome.tournament.store.records import StoredRound
from cardrome.tournament.store.schema import editions, pairings, rounds


def stored_rounds(connection: sa.Connection, number: int | None = None) -> list[StoredRound]:
    """All rounds in order, or only the one of this number."""
    places = sa.select(pairings, editions.c.name).join(editions, editions.c.id == pairings.c.edition)
    rows = sa.select(rounds)
    if number is not None:
        places, rows = places.where(pairings.c.round == number), rows.where(rounds.c.number == number)
    drawn: dict[int, list[Pairing]] = defaultdict(list)
    for row in connection.execute(places.order_by(pairings.c.round, pairings.c.position)):
        drawn[row.round].append(Pairing(row.name, row.a, row.b, row.first_pair, row.pairs))
    return [
        StoredRound(row.number, tuple(drawn[row.number]), row.began_at, row.finished_at)
        for row in connection.execute(rows.order_by(rounds.c.number))
    ]


def next_or_known(connection: sa.Connection, number: int) -> StoredRound | None:
    """The round of this number; None if it is the next, and an error if it is neither."""
    found = stored_rounds(connection, number)
    if found:
        return found[0]
    last: int | None = connection.scalar(sa.select(sa.func.max(rounds.c.number)))
    if number != (0 if last is None else last + 1):
        raise CallerError(f"round {number} cannot be the next after {'none' if last is None else last}")
    return None


def insert_pairings(connection: sa.Connection, number: int, drawn: Sequence[Pairing]) -> None:
    """Store what was drawn for a round that has no pairings."""
    ids = numbered(connection, (pairing.edition for pairing in drawn))
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


def numbered(connection: sa.Connection, names: Iterable[str]) -> dict[str, int]:
    """The numbers of editions, those included that have none yet."""
    ids = edition_ids(connection)
    for name in sorted(set(names) - set(ids)):
        ids[name] = max(ids.values(), default=0) + 1
        connection.execute(editions.insert(), {"id": ids[name], "name": name})
    return ids
