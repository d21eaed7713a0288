"""Writes to an event's store as data, and the file that keeps them while the store is away.

A server that is stopped before it could store everything leaves the rest in a file beside its settings; the next start
takes it over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from cardrome.errors import CallerError
from cardrome.games.replay_files import write_whole
from cardrome.server.store.records import MatchRecord
from cardrome.server.store.store import EventStore
from cardrome.wording import counted, json_problem


class BeginTournament(msgspec.Struct, tag="begin", frozen=True):
    """A tournament has begun."""

    number: int
    seed: int
    deck_text: str
    rules_text: str
    first_match_id: int
    roster: tuple[int, ...]


class SaveMatches(msgspec.Struct, tag="save", frozen=True):
    """Matches have ended."""

    records: list[MatchRecord]


class FinishTournament(msgspec.Struct, tag="finish", frozen=True):
    """All matches of a tournament are stored."""

    number: int
    points: dict[int, float]


StoreWrite = BeginTournament | SaveMatches | FinishTournament


class _File(msgspec.Struct, frozen=True):
    commitment: str
    """Tells which event it is."""
    writes: list[StoreWrite]


def carry_out(store: EventStore, write: StoreWrite) -> None:
    """Write to the store. Nothing happens if it was written before."""
    if isinstance(write, SaveMatches):
        store.save_matches(write.records)
    elif isinstance(write, FinishTournament):
        store.finish_tournament(write.number, write.points)
    elif len(store.tournaments()) < write.number:
        store.begin_tournament(**msgspec.structs.asdict(write))


def write_unsaved(file: Path, commitment: str, writes: Sequence[StoreWrite]) -> None:
    """Leave writes for the next start; `CallerError` if the file cannot be written.

    Nobody else may read it, as little as the store: it holds the deck of a tournament that will be played again.
    """
    write_whole(file, [msgspec.json.encode(_File(commitment, list(writes)))], mode=0o600)


def read_unsaved(file: Path, commitment: str, store: EventStore, log: Callable[[str], None]) -> None:
    """Store what an earlier run has left, if there is such a file, and remove it."""
    try:
        found = msgspec.json.decode(file.read_bytes(), type=_File)
    except FileNotFoundError:
        return
    except (OSError, msgspec.DecodeError) as error:
        raise CallerError(
            f"{file} cannot be read: {json_problem(error)}. It holds results: move it away to start without them"
        ) from None
    if found.commitment != commitment:
        raise CallerError(f"{file} holds results of another event: move it away to start")
    for write in found.writes:
        try:
            carry_out(store, write)
        except CallerError as error:
            raise CallerError(
                f"{file} holds results that cannot be stored: {error}. Move it away to start without them"
            ) from None
    file.unlink()
    matches = sum(len(write.records) for write in found.writes if isinstance(write, SaveMatches))
    log(f"stored what {file} held: {counted(matches, 'match', 'matches')}")
