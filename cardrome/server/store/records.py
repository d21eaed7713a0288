"""What an event's store takes and returns."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from cardrome.arena.secret import is_public
from cardrome.arena.storage.store import differences, values_in


class StoredEvent(msgspec.Struct, frozen=True):
    """What identifies an event and cannot change once it has begun."""

    name: str
    secret: int
    """What all decks follow from: drawn, or the seed of the settings."""
    rules_text: str
    """JSON."""

    def differences(self, other: StoredEvent) -> list[str]:
        """How another event differs, in phrases like ``rules: turns is 60 there and 80 here``."""
        there, here = (
            {"name": repr(it.name), "seed": str(it.secret) if is_public(it.secret) else "drawn"}
            | {f"rules: {key}": value for key, value in values_in(it.rules_text).items()}
            for it in (self, other)
        )
        return differences(there, here)


class EventTournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament of the event, as it was begun."""

    number: int
    seed: int
    deck_text: str
    rules_text: str
    first_match_id: int
    roster: tuple[int, ...]
    """Account ids in seat order."""
    started_at: float
    """When the latest attempt began, in seconds since 1970 like all times here."""
    finished_at: float | None
    attempts: int
    """More than 1 if it was interrupted and played again from its start."""

    @property
    def matches(self) -> int:
        """The number of its matches, two for each pair. Their ids are consecutive from ``first_match_id`` on."""
        return len(self.roster) * (len(self.roster) - 1)

    @property
    def match_ids(self) -> range:
        """The ids of its matches."""
        return range(self.first_match_id, self.first_match_id + self.matches)


class Counts(msgspec.Struct, frozen=True):
    """What one player did in a match."""

    commands: int
    errors: int
    idle_turns: int
    disconnects: int


class MatchResult(msgspec.Struct, frozen=True, kw_only=True):
    """An ended match. ``first`` has the first turn; players are account ids."""

    id: int
    """The match id of the protocol."""
    tournament: int
    first: int
    second: int
    score_first: int
    score_second: int
    health_first: int
    health_second: int
    end_reason: str
    """An `Ending`."""
    turns_played: int
    counts_first: Counts
    counts_second: Counts
    finished_at: float


class MatchRecord(MatchResult, frozen=True, kw_only=True):
    """An ended match with its transcript."""

    transcript: bytes
    """A replay as JSON. The store compresses it."""


class MatchScore(NamedTuple):
    """The final score of a match."""

    first: int
    second: int
    score_first: int
    score_second: int


class TeamStanding(msgspec.Struct, frozen=True):
    """A row of the standings."""

    account: int
    name: str
    total: float
    points: tuple[float | None, ...]
    """One value for each finished tournament; None where the account did not play."""
