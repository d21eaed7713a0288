"""An event at one moment, as the terminal view and the page show it and the status endpoint serves it."""

from __future__ import annotations

from typing import Literal

import msgspec

from cardrome.server.store.control import Announcement

Phase = Literal["waiting", "playing", "pause", "over"]
"""Waiting for enough teams; playing a tournament; between two tournaments; the event has ended."""


class TournamentRow(msgspec.Struct, frozen=True):
    """One tournament of the event."""

    number: int
    """Counted from 1."""
    status: Literal["playing", "finished"]
    teams: int
    matches: int
    attempts: int
    """More than 1 if the server was stopped during the tournament, which was then played again from its start."""


class TeamRow(msgspec.Struct, frozen=True):
    """One team in the standings."""

    rank: int
    """Teams with equal totals share a rank."""
    name: str
    connections: int
    total: float
    points: tuple[float | None, ...]
    """One value for each finished tournament; None where the team did not take part."""
    away: int | None = None
    """Seconds since the last connection was closed; None for teams that are here, or were not seen in this run."""


class Load(msgspec.Struct, frozen=True):
    """How the server is doing."""

    connections: int
    commands_per_second: float
    refused_per_second: float
    last_lag_ms: float
    """How late the last tick was."""
    worst_lag_ms: float
    late_ticks: int
    """Ticks that were more than 50 ms late since the server started."""
    ticks: int


class Snapshot(msgspec.Struct, frozen=True):
    """An event at one moment."""

    event: str
    phase: Phase
    commitment: str | None
    """The hash of the secret that all decks follow from; None for a seed from the settings, which is no secret."""
    secret: str | None
    """The secret in decimal digits, once the event is over."""
    tick: int
    turn_seconds: float
    tournament: int | None
    """The number of the present or last tournament."""
    planned_tournaments: int | None
    """None if the event ends at a time, or never."""
    turns_left: int | None
    """In the present tournament; None between tournaments."""
    matches: int
    """In the present tournament."""
    matches_running: int
    tournaments: tuple[TournamentRow, ...]
    teams: tuple[TeamRow, ...]
    load: Load
    turns: int | None = None
    """All turns of a tournament; None if unknown, in which case no progress bar is shown."""
    paused: bool = False
    """The operator lets no tournament begin."""
    announcements: tuple[Announcement, ...] = ()
    """The operator's, the newest first."""
    starts_at: float | None = None
    """When the first tournament may begin, in seconds since 1970; None if that depends on teams alone."""
    turns_to_start: int | None = None
    """Turns until the next tournament may begin; None while one is played, or if that depends on other things."""
