"""Replays of any family of games: for whoever gets a file and does not know what is in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cardrome.errors import InvalidRecording, UnknownEdition
from cardrome.games.difference import Difference
from cardrome.games.locm.protocol import replay as locm
from cardrome.games.locm.protocol.replay import Replay
from cardrome.games.locm.rules.edition import EDITIONS
from cardrome.games.replay_files import edition_in, read_file
from cardrome.games.tapdeck.protocol import replay as tapdeck
from cardrome.games.tapdeck.protocol.replay import TapdeckReplay
from cardrome.games.tapdeck.rules.edition import TAPDECK

AnyReplay = Replay | TapdeckReplay


def decode_any(data: bytes) -> AnyReplay:
    """A replay from JSON, of the family that its edition belongs to."""
    edition = edition_in(data)
    if edition == TAPDECK.name:
        return tapdeck.decode_replay(data)
    if edition and edition not in EDITIONS:
        raise InvalidRecording(str(UnknownEdition(edition, [*EDITIONS, TAPDECK.name])))
    return locm.decode_replay(data)


def read_any(path: Path) -> Iterator[AnyReplay]:
    """The replays of a file, one by one; a file may hold several families."""
    return read_file(path, decode_any)


def verify_any(replay: AnyReplay) -> Difference | None:
    """Play a replay again; returns the first thing that comes out differently from what it says, or None."""
    return tapdeck.verify(replay) if isinstance(replay, TapdeckReplay) else locm.verify(replay)
