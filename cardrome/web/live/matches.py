"""The live page's matches, out of the event's store."""

from __future__ import annotations

from collections.abc import Sequence

from cardrome.games.tapdeck.protocol.replay_format import decode_replay
from cardrome.server.store.store import EventStore
from cardrome.server.transcripts import match_transcript
from cardrome.web.live.html import MatchRow

_REASONS = {"health": "no health left", "turns": "turns over"}


class StoredMatches:
    """What `cardrome.web.live.app` asks for, from a store."""

    def __init__(self, store: EventStore) -> None:
        self._store = store

    def transcript(self, match_id: int) -> bytes | None:
        """The transcript of a match as JSON; None if there is no such match, or it has not ended."""
        return match_transcript(self._store, match_id)

    def page(self, match_id: int) -> str | None:
        """The same as a self-contained HTML page."""
        from cardrome.web.replay import replay_page

        text = self.transcript(match_id)
        return None if text is None else replay_page(decode_replay(text))

    def matches(self, number: int) -> Sequence[MatchRow]:
        """The finished matches of a tournament, in the order of their ids."""
        names = self._store.accounts.names()
        return [
            MatchRow(
                match.id,
                names.get(match.first, "?"),
                names.get(match.second, "?"),
                match.score_first,
                match.score_second,
                _REASONS[match.end_reason],
                match.turns_played,
            )
            for match in self._store.matches(number)
        ]
