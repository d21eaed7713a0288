"""The finished matches of an event: how pages list them, and where they come from."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import msgspec

from cardrome.games.replay_files import decode_replay
from cardrome.server.store.records import Counts, MatchResult
from cardrome.server.store.store import EventStore
from cardrome.web.replay import replay_page

_REMEMBERED = 10_000
"""Matches whose errors are remembered once they were counted."""


class MatchRow(msgspec.Struct, frozen=True):
    """A finished match, as a tournament's page lists it."""

    match_id: int
    first: str
    """The name of the team that had the first turn."""
    second: str
    first_score: float
    second_score: float
    end_reason: str
    """`health` or `turns`."""
    turns: int


class TeamMatch(msgspec.Struct, frozen=True):
    """A finished match, as the page of one of its teams lists it."""

    match_id: int
    opponent: str
    begins: bool
    """The team had the first turn."""
    score: int
    opponent_score: int
    end_reason: str
    turns: int
    counts: Counts


class TeamTournament(msgspec.Struct, frozen=True):
    """A finished tournament, as the page of a team shows it."""

    number: int
    points: float
    matches: tuple[TeamMatch, ...]
    errors: tuple[tuple[int, int], ...]
    """Error codes and how often each came, the most frequent first. The team's `Counts` know of more, if they were
    too many to be kept."""

    def total(self, name: str) -> int:
        """A count over all matches."""
        return sum(getattr(match.counts, name) for match in self.matches)


class MatchSource(Protocol):
    """Where finished matches are kept. Its methods are called from several threads."""

    def transcript(self, match_id: int) -> bytes | None:
        """The transcript of a match as JSON; None if there is no such match, or if its tournament goes on."""

    def page(self, match_id: int) -> str | None:
        """The transcript as a self-contained HTML page."""

    def matches(self, number: int) -> Sequence[MatchRow]:
        """The finished matches of a tournament, by id."""

    def tournaments_of(self, account: int) -> Sequence[int]:
        """The numbers of the finished tournaments in which a team took part."""

    def team(self, account: int, numbers: Sequence[int]) -> Sequence[TeamTournament]:
        """What a team did in some of them, the newest first."""


class StoredMatches:
    """The matches in an event's store. They are published when their tournament is over: others play the same deck."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._errors_of = functools.lru_cache(_REMEMBERED)(self._read_errors)

    def transcript(self, match_id: int) -> bytes | None:
        """The transcript of a match as JSON; None if there is no such match, or if its tournament goes on."""
        found = self._store.match(match_id, counts=True)
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
                match.end_reason,
                match.turns_played,
            )
            for match in self._store.matches(number)
        ]

    def tournaments_of(self, account: int) -> Sequence[int]:
        """The numbers of the finished tournaments in which a team took part."""
        return list(self._store.points_of(account))

    def team(self, account: int, numbers: Sequence[int]) -> Sequence[TeamTournament]:
        """What a team did in some of them, the newest first."""
        names = self._store.accounts.names()
        points = self._store.points_of(account)
        played: dict[int, list[MatchResult]] = {}
        for match in self._store.matches_of(account, numbers):
            played.setdefault(match.tournament, []).append(match)
        found = []
        for number in sorted(played, reverse=True):
            errors: Counter[int] = Counter()
            for match in played[number]:
                errors.update(dict(self._errors_of(match.id)[0 if match.first == account else 1]))
            rows = tuple(_team_match(match, account, names) for match in played[number])
            found.append(TeamTournament(number, points.get(number, 0.0), rows, tuple(errors.most_common())))
        return found

    def _read_errors(self, match_id: int) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
        """Error codes and how often each came, for each player."""
        record = self._store.match(match_id, counts=True)
        counted: tuple[Counter[int], Counter[int]] = Counter(), Counter()
        if record is not None:
            for line in msgspec.json.decode(record.transcript, type=_Commands).commands:
                _, player, code, _ = line.split(" ", 3)
                if code != "0":
                    counted[player == "1"][int(code)] += 1
        return tuple(counted[0].items()), tuple(counted[1].items())


class _Commands(msgspec.Struct):
    """As much of a transcript as the errors need."""

    commands: list[str]


def _team_match(match: MatchResult, account: int, names: dict[int, str]) -> TeamMatch:
    sides = [
        (match.first, match.score_first, match.counts_first),
        (match.second, match.score_second, match.counts_second),
    ]
    begins = match.first == account
    mine, theirs = sides if begins else sides[::-1]
    return TeamMatch(
        match.id,
        names.get(theirs[0], "?"),
        begins,
        mine[1],
        theirs[1],
        match.end_reason,
        match.turns_played,
        mine[2],
    )
