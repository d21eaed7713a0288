"""What the live page says about an event: every number as the text that is shown, and nothing but text.

The page drawn by the server and the script that keeps it current are given the same views, so both say the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cardrome.escaping import printable
from cardrome.server.snapshot import Snapshot, TeamRow

NEWEST = 50
"""Tournaments shown, at most: an event of a day has more than a browser should lay out every second."""

_NAME = 100
"""Characters of a name that are sent; the page shows as many as fit."""

_NEVER = "waiting for the event"


class Line(msgspec.Struct, frozen=True):
    """One team's line, without its points."""

    name: str
    rank: str
    total: str
    link: str
    """For those who do not see the dot: `connected`, `3 connections`, `not connected`."""
    connected: bool


class Status(msgspec.Struct, frozen=True):
    """What changes from tick to tick."""

    event: str
    phase: str
    words: str
    """The phase in words."""
    headline: str
    turns: str
    done: int
    """Turns played of the present tournament, for the bar."""
    of: int
    """Turns of the present tournament; 0: there is no bar."""
    matches: str
    health: str
    late: bool
    """The last tick was late enough for the teams to notice."""
    lines: tuple[Line, ...]


class Column(msgspec.Struct, frozen=True):
    """One tournament in the table."""

    number: int
    again: bool
    """It was played again after a restart of the server."""
    best: str
    """The most points anybody made."""


class Results(msgspec.Struct, frozen=True):
    """What changes when a tournament ends: the newest tournaments first, and each team's points in them."""

    columns: tuple[Column, ...]
    cells: tuple[tuple[str, tuple[str, ...]], ...]
    """Pairs of a team's name and its points, column by column."""
    note: str
    """What is not shown; usually empty."""


EMPTY = Status(
    event="Tapdeck",
    phase="waiting",
    words=_NEVER,
    headline="",
    turns="",
    done=0,
    of=0,
    matches="",
    health="",
    late=False,
    lines=(),
)
"""Before the event has said anything."""

NO_RESULTS = Results((), (), "")


def status_of(snapshot: Snapshot) -> Status:
    """The status, in words."""
    left = snapshot.turns_left
    of = 0 if left is None else snapshot.turns or 0
    totals = aligned([team.total for team in snapshot.teams])
    return Status(
        event=shown_name(snapshot.event),
        phase=snapshot.phase,
        words=phase_words(snapshot),
        headline=headline(snapshot),
        turns="" if left is None else counted(left, "turn") + " left",
        done=min(max(of - (left or 0), 0), of),
        of=of,
        matches=matches_words(snapshot),
        health=health(snapshot),
        late=snapshot.load.last_lag_ms > 50,
        lines=tuple(
            Line(shown_name(team.name), str(team.rank), total, link(team.connections), team.connections > 0)
            for team, total in zip(snapshot.teams, totals, strict=True)
        ),
    )


def results_of(snapshot: Snapshot) -> Results:
    """The points of the newest tournaments."""
    finished = [row for row in snapshot.tournaments if row.status == "finished"]
    first = max(len(finished) - NEWEST, 0)
    shown = list(reversed(range(first, len(finished))))
    made = [[points_in(team, i) for team in snapshot.teams] for i in shown]
    texts = [aligned(values) for values in made]
    columns = tuple(
        Column(finished[i].number, finished[i].attempts > 1, _best(values, column))
        for i, values, column in zip(shown, made, texts, strict=True)
    )
    cells = tuple(
        (shown_name(team.name), tuple(column[t] for column in texts)) for t, team in enumerate(snapshot.teams)
    )
    note = f"The newest {NEWEST} of {len(finished)} tournaments are shown; the totals count all." if first else ""
    return Results(columns, cells, note)


def _best(values: list[float | None], texts: list[str]) -> str:
    made = [(value, text) for value, text in zip(values, texts, strict=True) if value is not None]
    return max(made)[1] if made else ""


# Words that the page and the terminal share


def shown_name(name: str) -> str:
    """A name that somebody else chose, on one line and without characters that hide or turn the text around."""
    return printable(name, _NAME)


def points(value: float) -> str:
    """Points with at most two decimals: `12`, `12.5`, `0.33`."""
    return _decimals(value, 2).rstrip("0").rstrip(".")


def points_in(team: TeamRow, i: int) -> float | None:
    """What a team made in the finished tournament of this index; None if it did not take part."""
    return team.points[i] if i < len(team.points) else None


def aligned(values: Sequence[float | None]) -> list[str]:
    """A column of points, all with as many decimals as one of them needs; a dot where there are none."""
    digits = max((len(points(value).partition(".")[2]) for value in values if value is not None), default=0)
    return ["·" if value is None else _decimals(value, digits) for value in values]


def _decimals(value: float, digits: int) -> str:
    return f"{round(value, 2) + 0.0:,.{digits}f}"  # the zero turns -0 into 0


def counted(number: int, thing: str, plural: str = "") -> str:
    """`1 match`, `1,200 matches`."""
    return f"{number:,} {thing if number == 1 else plural or thing + 's'}"


def link(connections: int) -> str:
    """How a team is connected, in words."""
    if connections == 0:
        return "not connected"
    return "connected" if connections == 1 else f"{connections} connections"


def phase_words(snapshot: Snapshot) -> str:
    """The phase, in words."""
    return {"waiting": "waiting for teams", "playing": "playing", "pause": "pause", "over": "over"}[snapshot.phase]


def headline(snapshot: Snapshot) -> str:
    """Which tournament is played, of how many, and whether it is played once more."""
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
    """How many matches run."""
    if snapshot.matches == 0:
        return "no matches"
    if snapshot.matches_running == snapshot.matches:
        return counted(snapshot.matches, "match", "matches") + " running"
    return f"{snapshot.matches_running:,} of {counted(snapshot.matches, 'match', 'matches')} running"


def health(snapshot: Snapshot) -> str:
    """How the server is doing, on one line."""
    load = snapshot.load
    return (
        f"tick lag {milliseconds(load.last_lag_ms)} (worst {milliseconds(load.worst_lag_ms)}, {load.late_ticks:,} late)"
        f" · {load.commands_per_second:,.0f} commands/s · {counted(load.connections, 'connection')}"
    )


def milliseconds(value: float) -> str:
    """A lag: `0.4 ms`, `12 ms`."""
    return f"{value:.1f} ms" if value < 10 else f"{value:,.0f} ms"
