"""The finished matches of an event: how the live page lists them, and where they come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from cardrome.games.replay_files import decode_replay
from cardrome.server.store.store import EventStore
from cardrome.web.replay import replay_page
from cardrome.web.templates import render

_REASONS = {"health": "no health left", "turns": "turns over"}


class MatchRow(msgspec.Struct, frozen=True):
    """A finished match, as a tournament's page lists it."""

    match_id: int
    first: str
    """The name of the team that had the first turn."""
    second: str
    first_score: float
    second_score: float
    end_reason: str
    """In words."""
    turns: int


class MatchSource(Protocol):
    """Where finished matches are kept. Its methods are called from several threads."""

    def transcript(self, match_id: int) -> bytes | None:
        """The transcript of a match as JSON; None if there is no such match or it has not ended."""

    def page(self, match_id: int) -> str | None:
        """The transcript as a self-contained HTML page."""

    def matches(self, number: int) -> Sequence[MatchRow]:
        """The finished matches of a tournament, by id."""


class StoredMatches:
    """The matches in an event's store."""

    def __init__(self, store: EventStore) -> None:
        self._store = store

    def transcript(self, match_id: int) -> bytes | None:
        """The transcript of a match as JSON; None if there is no such match or it has not ended."""
        found = self._store.match(match_id)
        return None if found is None else found.transcript

    def page(self, match_id: int) -> str | None:
        """The transcript as a self-contained HTML page."""
        text = self.transcript(match_id)
        return None if text is None else replay_page(decode_replay(text))

    def matches(self, number: int) -> Sequence[MatchRow]:
        """The finished matches of a tournament, by id."""
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


def tournament_page(
    event: str,
    number: int,
    matches: Sequence[MatchRow],
    team: str | None,
    earlier: bool,
    later: bool,
    suffix: str = "",
) -> str:
    """The page of one tournament: all of its matches, or those of one team.

    ``suffix`` ends the names of the pages if they are files; nobody is there then to choose the matches of a team.
    """
    return render(
        "live/tournament.html",
        event=event,
        number=number,
        teams=sorted({name for match in matches for name in (match.first, match.second)}, key=str.casefold),
        team=team,
        played=bool(matches),
        matches=[match for match in matches if team in (None, match.first, match.second)],
        earlier=earlier,
        later=later,
        suffix=suffix,
    )
