"""Transcripts of an event's matches: replays, packed for the store."""

from __future__ import annotations

import datetime
import zlib

from cardrome.games.game import Ending
from cardrome.games.replay_files import encode_replay
from cardrome.games.tapdeck.protocol.replay import from_log
from cardrome.games.tapdeck.protocol.replay_format import ReplayEvent
from cardrome.server.store.records import MatchResult
from cardrome.server.store.store import EventStore
from cardrome.server.tournament import LiveMatch, LiveTournament

_LEVEL = 4


def transcript(
    event: str, tournament: LiveTournament, match: LiveMatch, result: MatchResult, names: tuple[str, str]
) -> bytes:
    """An ended match as a replay, packed."""
    outcome = tournament.table.outcome(match.index)
    assert outcome is not None
    finished = datetime.datetime.fromtimestamp(result.finished_at, datetime.UTC)
    replay = from_log(
        match.log,
        edition=tournament.edition,
        deck=tournament.deck_lines,
        players=names,
        ending=Ending(outcome.reason),
        health=outcome.health,
        scores=outcome.scores,
        turns_played=result.turns_played,
        event=ReplayEvent(event, tournament.number, match.id, finished),
    )
    return zlib.compress(encode_replay(replay, check=False), _LEVEL)


def unpacked(stored: bytes) -> bytes:
    """A transcript from the store as the JSON of a replay."""
    return zlib.decompress(stored)


def match_transcript(store: EventStore, match_id: int) -> bytes | None:
    """The replay of a match as JSON; None if there is no such match, or it has not ended."""
    found = store.match(match_id)
    return None if found is None else unpacked(found.transcript)
