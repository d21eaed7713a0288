"""What an event looks like at one moment: what the terminal view and the page show, and the status endpoint serves."""

from __future__ import annotations

from typing import Literal

import msgspec

Phase = Literal["waiting", "playing", "pause", "over"]
"""Waiting for enough teams; a tournament is played; between two tournaments; the event has ended."""


class TournamentRow(msgspec.Struct, frozen=True):
    """One tournament of the event."""

    number: int
    """From 1 on."""
    status: Literal["playing", "finished"]
    teams: int
    matches: int
    attempts: int
    """More than 1: the server was stopped while it was played, and it was played again from its beginning."""


class TeamRow(msgspec.Struct, frozen=True):
    """One team's place in the standings. Rows come in the order of the standings."""

    rank: int
    """Teams with equal totals share a rank."""
    name: str
    connections: int
    total: float
    points: tuple[float | None, ...]
    """Of each finished tournament in turn; None where the team did not take part."""


class Load(msgspec.Struct, frozen=True):
    """How the server is doing."""

    connections: int
    commands_per_second: float
    refused_per_second: float
    last_lag_ms: float
    """How late the last tick was served."""
    worst_lag_ms: float
    late_ticks: int
    """Ticks served more than 50 ms late since the server started."""
    ticks: int


class Snapshot(msgspec.Struct, frozen=True):
    """An event at one moment."""

    event: str
    phase: Phase
    seed: int
    tick: int
    turn_seconds: float
    tournament: int | None
    """The number of the tournament being played, or played last."""
    planned_tournaments: int | None
    """None if the event ends at a time, or never."""
    turns_left: int | None
    """Of the present tournament; None while none is played."""
    matches: int
    """Of the present tournament."""
    matches_running: int
    tournaments: tuple[TournamentRow, ...]
    teams: tuple[TeamRow, ...]
    load: Load
    turns: int | None = None
    """Of the present tournament, from its first turn to its last; None where nobody has said: no bar is shown then."""
