"""The matches that spectators look at, played again for them in the web thread: each once, however many watch it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from cardrome.errors import CallerError
from cardrome.games.frames import Json
from cardrome.games.tapdeck.live import LiveRecording
from cardrome.server.broadcast import Broadcast
from cardrome.server.tournament import LiveTournament
from cardrome.web.live.view import tile

KEPT = 128
"""Matches that are kept; the one that was asked for longest ago is forgotten, and played from its start when needed."""


class Mark(NamedTuple):
    """How much of a match a spectator has."""

    turn: int = -1
    frames: int = 0
    cards: int = 0
    over: bool = False


class MatchOnAir:
    """A match as spectators get it, encoded once for all who have seen as much of it."""

    def __init__(self, recording: LiveRecording, match_id: int) -> None:
        self.recording = recording
        self.id = match_id
        self._encoded: dict[Mark, bytes] = {}

    @property
    def position(self) -> Mark:
        """How much there is to have."""
        shown = self.recording
        return Mark(shown.turn, len(shown.frames), len(shown.cards), shown.outcome is not None)

    def advance(self, turn: int) -> None:
        """Show all turns before this one."""
        if turn > self.recording.turn:
            self._encoded.clear()
            try:
                self.recording.advance(turn)
            except CallerError:  # too long for a page: what was shown so far stays
                self.recording.turn = turn

    def news(self, since: Mark) -> bytes:
        """What a spectator does not have yet, as a message; the head comes first."""
        if since not in self._encoded:
            news: Json = self.recording.news(since.frames, since.cards)
            if since.turn < 0:
                news = {**self.recording.head(), "id": self.id, **news}
            self._encoded[since] = b"data: " + msgspec.json.encode(news) + b"\n\n"
        return self._encoded[since]


class MatchesOnAir:
    """The matches of the present tournament that somebody looks at. Belongs to the web thread."""

    def __init__(self) -> None:
        self._tournament: LiveTournament | None = None
        self._kept: OrderedDict[int, MatchOnAir] = OrderedDict()

    def has(self, broadcast: Broadcast | None, match_id: int) -> bool:
        """Whether somebody has looked at this match already."""
        if broadcast is None or self._tournament is not broadcast.tournament:
            return False
        match = broadcast.tournament.find(match_id)
        return match is not None and match.index in self._kept

    def find(self, broadcast: Broadcast | None, match_id: int) -> MatchOnAir | None:
        """A match with this id as far as spectators may see it; None if it is not one of the present tournament."""
        if broadcast is None or (match := broadcast.tournament.find(match_id)) is None:
            return None
        return self._at(broadcast, match.index)

    def _at(self, broadcast: Broadcast, index: int) -> MatchOnAir:
        if self._tournament is not broadcast.tournament:
            self._tournament = broadcast.tournament
            self._kept.clear()
        if index not in self._kept:
            match_id = broadcast.tournament.matches[index].id
            self._kept[index] = MatchOnAir(broadcast.recording(index), match_id)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(index)
        found = self._kept[index]
        found.advance(broadcast.turn)
        return found

    def boards(self, broadcast: Broadcast | None, indices: Sequence[int]) -> bytes:
        """Small pictures of some matches as JSON: who plays, what lies on the board, and the cards of it."""
        if broadcast is None:
            return b"[]"
        return msgspec.json.encode([self._board(broadcast, index) for index in indices])

    def _board(self, broadcast: Broadcast, index: int) -> Json:
        shown = self._at(broadcast, index).recording
        board = shown.board()
        cards = {creature[0]: shown.card(creature[0]) for row in board["rows"] for creature in row}
        most = broadcast.tournament.edition.initial_health
        return {**msgspec.to_builtins(tile(broadcast, index)), **board, "most": most, "cards": cards}
