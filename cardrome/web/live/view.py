"""What the live page says about an event, with every number already written as text.

The server's template and the script that keeps the page current are given the same values, so both show the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cardrome.escaping import printable
from cardrome.server.snapshot import Snapshot, TeamRow
from cardrome.web.templates import counted, milliseconds, points

NEWEST = 50
"""Tournaments shown at most. A day's event has more than a browser can lay out every second."""

_NAME = 100
"""Characters sent of a name. The page shows as many as fit."""


class TeamLine(msgspec.Struct, frozen=True):
    """A team in the standings; its points are in `EventResults`."""

    name: str
    rank: str
    total: str
    link: str
    """For readers who do not see the dot: `connected`, `3 connections`, `not connected`."""
    connected: bool


class EventStatus(msgspec.Struct, frozen=True):
    """The part of the page that changes with every tick."""

    event: str
    phase: str
    words: str
    """The phase in words."""
    headline: str
    turns: str
    done: int
    """Turns played of the current tournament, for the bar."""
    of: int
    """Turns of the current tournament; 0 hides the bar."""
    matches: str
    health: str
    proof: str
    """How everybody can check that the decks were fixed from the start."""
    late: bool
    """The last tick was late enough for teams to notice."""
    lines: tuple[TeamLine, ...]


class PointsColumn(msgspec.Struct, frozen=True):
    """A tournament in the table."""

    number: int
    again: bool
    """It was played again after a restart of the server."""
    best: str
    """The most points that a team made."""


class EventResults(msgspec.Struct, frozen=True):
    """The part that changes when a tournament ends: the newest tournaments first, and each team's points in them."""

    columns: tuple[PointsColumn, ...]
    cells: tuple[tuple[str, tuple[str, ...]], ...]
    """A team's name and its points, column by column."""
    note: str
    """Says what is not shown; usually empty."""


EMPTY = EventStatus(
    event="Tapdeck",
    phase="waiting",
    words="waiting for the event",
    headline="",
    turns="",
    done=0,
    of=0,
    matches="",
    health="",
    proof="",
    late=False,
    lines=(),
)
"""Shown before the first snapshot."""

NO_RESULTS = EventResults((), (), "")


def status_of(snapshot: Snapshot) -> EventStatus:
    """The status of a snapshot, in words."""
    left = snapshot.turns_left
    of = 0 if left is None else snapshot.turns or 0
    totals = aligned([team.total for team in snapshot.teams])
    return EventStatus(
        event=shown_name(snapshot.event),
        phase=snapshot.phase,
        words=phase_words(snapshot),
        headline=headline(snapshot),
        turns="" if left is None else counted(left, "turn") + " left",
        done=min(max(of - (left or 0), 0), of),
        of=of,
        matches=matches_words(snapshot),
        health=health(snapshot),
        proof=proof(snapshot),
        late=snapshot.load.last_lag_ms > 50,
        lines=tuple(
            TeamLine(shown_name(team.name), str(team.rank), total, link(team.connections), team.connections > 0)
            for team, total in zip(snapshot.teams, totals, strict=True)
        ),
    )


def results_of(snapshot: Snapshot) -> EventResults:
    """The points of the newest tournaments."""
    finished = [row for row in snapshot.tournaments if row.status == "finished"]
    first = max(len(finished) - NEWEST, 0)
    shown = list(reversed(range(first, len(finished))))
    made = [[points_in(team, i) for team in snapshot.teams] for i in shown]
    texts = [aligned(values) for values in made]
    columns = tuple(
        PointsColumn(finished[i].number, finished[i].attempts > 1, _best(values, column))
        for i, values, column in zip(shown, made, texts, strict=True)
    )
    cells = tuple(
        (shown_name(team.name), tuple(column[t] for column in texts)) for t, team in enumerate(snapshot.teams)
    )
    note = f"Showing the newest {NEWEST} of {len(finished)} tournaments; totals count all of them." if first else ""
    return EventResults(columns, cells, note)


def _best(values: list[float | None], texts: list[str]) -> str:
    made = [(value, text) for value, text in zip(values, texts, strict=True) if value is not None]
    return max(made)[1] if made else ""


# Words that the page and the terminal share


def shown_name(name: str) -> str:
    """A name that somebody else chose: on one line, without characters that hide or reverse the text."""
    return printable(name, _NAME)


def points_in(team: TeamRow, i: int) -> float | None:
    """A team's points in the finished tournament with this index; None if it did not take part."""
    return team.points[i] if i < len(team.points) else None


def aligned(values: Sequence[float | None]) -> list[str]:
    """A column of points, all with as many decimals as the longest needs; a dot where there are none."""
    digits = max((len(points(value).partition(".")[2]) for value in values if value is not None), default=0)
    return ["·" if value is None else points(value, digits) for value in values]


def link(connections: int) -> str:
    """How a team is connected, in words."""
    if connections == 0:
        return "not connected"
    return "connected" if connections == 1 else f"{connections} connections"


def phase_words(snapshot: Snapshot) -> str:
    """The phase, in words."""
    return {"waiting": "waiting for teams", "playing": "playing", "pause": "pause", "over": "over"}[snapshot.phase]


def headline(snapshot: Snapshot) -> str:
    """Which tournament is being played, of how many, and whether it had to start over."""
    if snapshot.tournament is None:
        return "No tournament yet"
    text = f"Tournament {snapshot.tournament}"
    if snapshot.planned_tournaments is not None:
        text += f" of {snapshot.planned_tournaments}"
    row = next((row for row in reversed(snapshot.tournaments) if row.number == snapshot.tournament), None)
    if row is not None and row.status == "playing" and row.attempts > 1:
        text += ", played again after a restart"
    return text


def matches_words(snapshot: Snapshot) -> str:
    """How many matches are running."""
    if snapshot.matches == 0:
        return "no matches"
    if snapshot.matches_running == snapshot.matches:
        return counted(snapshot.matches, "match", "matches") + " running"
    return f"{snapshot.matches_running:,} of {counted(snapshot.matches, 'match', 'matches')} running"


def proof(snapshot: Snapshot) -> str:
    """The commitment to the secret that all decks follow from, and the secret itself once the event is over."""
    text = f"decks: sha256 {snapshot.commitment}"
    return text if snapshot.secret is None else f"{text} · secret {snapshot.secret}"


def health(snapshot: Snapshot) -> str:
    """How the server is doing, on one line."""
    load = snapshot.load
    return (
        f"tick lag {milliseconds(load.last_lag_ms)} (worst {milliseconds(load.worst_lag_ms)}, {load.late_ticks:,} late)"
        f" · {load.commands_per_second:,.0f} commands/s · {counted(load.connections, 'connection')}"
    )
