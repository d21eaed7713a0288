"""Games as rows of a tournament's store, and what its texts may contain."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from cardrome.errors import CallerError
from cardrome.tournament.records import DRAW, TIME_BINS, Conduct, GameKey, GameRecord

Row = dict[str, Any]


def clean(text: str) -> str:
    """A text that every database takes: programs also write zero bytes and what is no UTF-8."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def once(records: Iterable[GameRecord]) -> dict[GameKey, GameRecord]:
    """The first record of each game."""
    wanted: dict[GameKey, GameRecord] = {}
    for record in records:
        first = wanted.setdefault(record.key, record)
        if first is not record:
            check_winner(record, first.winner)
    return wanted


def check_winner(record: GameRecord, stored: int) -> None:
    """Refuse a game that had another winner before."""
    if record.winner != stored:
        key = record.key
        raise CallerError(
            f"game {key.game} of pair {key.pair} of entrants {key.a} and {key.b} in {key.edition} is stored already: "
            f"{_winner(key, stored)} there and {_winner(key, record.winner)} here"
        )


def _winner(key: GameKey, winner: int) -> str:
    return "a draw" if winner == DRAW else f"won by {key.b if winner else key.a}"


def game_row(record: GameRecord, edition: int) -> tuple[Any, ...]:
    """What every game has: the columns of its table in turn."""
    key = record.key
    return (
        edition,
        key.a,
        key.b,
        key.pair,
        key.game,
        record.seed,
        record.winner,
        record.turns,
        record.actions,
        record.score_a,
        record.score_b,
        record.fault_of,
        record.fault_kind,
        record.finished_at,
    )


def detail_row(record: GameRecord, edition: int) -> Row | None:
    """What only some games have; None if this one has nothing of it."""
    one, other = record.conduct_a, record.conduct_b
    if one is None and other is None and not record.fault_message:
        return None
    row = _key(record.key, edition) | {"fault_message": clean(record.fault_message)}
    return row | _conduct(one, "a") | _conduct(other, "b")


def replay_row(record: GameRecord, edition: int) -> Row | None:
    """The replay, if it is kept."""
    return None if record.replay is None else _key(record.key, edition) | {"replay": record.replay}


def _key(key: GameKey, edition: int) -> Row:
    return {"edition": edition, "a": key.a, "b": key.b, "pair": key.pair, "game": key.game}


def _conduct(conduct: Conduct | None, side: str) -> Row:
    if conduct is None:
        names = ("answers", "total_ms", "worst_ms", "first_ms", "times")
        return {f"{name}_{side}": None for name in names} | {f"stderr_{side}": ""}
    if len(conduct.times) != TIME_BINS:
        raise CallerError(f"a conduct has {TIME_BINS} counts of times, not {len(conduct.times)}")
    return {
        f"answers_{side}": conduct.answers,
        f"total_ms_{side}": conduct.total_ms,
        f"worst_ms_{side}": conduct.worst_ms,
        f"first_ms_{side}": conduct.first_ms,
        f"times_{side}": msgspec.json.encode(conduct.times).decode(),
        f"stderr_{side}": clean(conduct.stderr),
    }
