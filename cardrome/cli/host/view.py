"""The operator's view of a live event: a screen on a terminal, a line elsewhere."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from cardrome.cli.console import plain_table
from cardrome.escaping import printable
from cardrome.server.snapshot import Snapshot, TeamRow
from cardrome.web.templates import milliseconds, points
from cardrome.wording import counted

_HEADER = 4
_LOG = 6
"""Lines of the log, if the terminal is tall enough."""

_NEWEST = 3
"""Tournaments whose points are shown beside the total."""

_LATE_MS = 50


class HostView:
    """The view as rich draws it: `Live(HostView(lambda: board.latest, log, addresses))`.

    ``log`` holds the latest messages, the newest last. The caller appends to it and bounds its length. ``addresses``
    are lines that say where teams and viewers connect.
    """

    def __init__(self, source: Callable[[], Snapshot | None], log: deque[str], addresses: Sequence[str] = ()) -> None:
        self.source = source
        self.log = log
        self.addresses = addresses

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield render(self.source(), tuple(self.log), options.height or console.height, self.addresses)


def render(snapshot: Snapshot | None, log: Iterable[str], height: int, addresses: Sequence[str] = ()) -> RenderableType:
    """The view, at most ``height`` lines tall. Names and messages are never taken for markup."""
    messages, where = list(log), [_line((line, "cyan")) for line in addresses]
    if snapshot is None:
        waiting = Text("waiting for the event", style="dim")
        return Group(waiting, *where, *_log_lines(messages, height - 2 - len(where)))
    room = max(height - _HEADER - len(where) - 1, 3)
    log_room = min(_LOG, len(messages), room // 3)
    parts: list[RenderableType] = [*_header(snapshot), *where, Text()]
    parts.append(_standings(snapshot, room - (log_room + 1 if log_room else 0)))
    if log_room:
        parts += [Text(), *_log_lines(messages, log_room)]
    return Group(*parts)


def plain_line(snapshot: Snapshot) -> str:
    """The event on one line, for a log file."""
    load = snapshot.load
    parts = [f"{shown_name(snapshot.event)}: {phase_words(snapshot)}", _lower(headline(snapshot))]
    if snapshot.turns_left is not None:
        parts.append(counted(snapshot.turns_left, "turn") + " left")
    parts += [
        matches_words(snapshot),
        _teams(snapshot),
        counted(load.connections, "connection"),
        f"{load.commands_per_second:,.0f} commands/s, {load.refused_per_second:,.0f} refused/s",
        _lag(snapshot),
    ]
    if snapshot.teams:
        leader = snapshot.teams[0]
        parts.append(f"first {shown_name(leader.name)} with {points(leader.total)}")
    return ", ".join(parts)


def _header(snapshot: Snapshot) -> list[RenderableType]:
    load = snapshot.load
    colour = {"playing": "green", "pause": "yellow", "waiting": "yellow", "over": "dim"}[snapshot.phase]
    title = _line((shown_name(snapshot.event), "bold"), "  ", (phase_words(snapshot), colour))
    traffic = [
        _teams(snapshot),
        counted(load.connections, "connection"),
        f"{load.commands_per_second:,.0f} commands/s",
    ]
    refused = (f"{load.refused_per_second:,.0f} refused/s", "yellow" if load.refused_per_second >= 1 else "")
    lag = (f"{_lag(snapshot)} of {counted(load.ticks, 'tick')}", "red" if load.last_lag_ms > _LATE_MS else "")
    return [title, _clock(snapshot), _line(", ".join(traffic), ", ", refused), _line(lag)]


def _clock(snapshot: Snapshot) -> RenderableType:
    """The tournament, a progress bar, turns left and matches, on one line."""
    left = snapshot.turns_left
    row: list[RenderableType] = [_line(headline(snapshot))]
    if left is not None and snapshot.turns:
        row.append(ProgressBar(total=snapshot.turns, completed=snapshot.turns - left, width=16))
    if left is not None:
        row.append(_line(counted(left, "turn") + " left"))
    row.append(_line((matches_words(snapshot), "dim")))
    grid = Table.grid(padding=(0, 2))
    for _ in row:
        grid.add_column(no_wrap=True, overflow="ellipsis")
    grid.add_row(*row)
    return grid


def _standings(snapshot: Snapshot, room: int) -> RenderableType:
    """As many teams as fit, and the number of the others."""
    teams = snapshot.teams
    if not teams:
        return Text("no team has joined yet", style="dim")
    fitting = len(teams) if len(teams) < room else max(room - 2, 1)
    finished = [row for row in snapshot.tournaments if row.status == "finished"]
    newest = range(len(finished) - 1, max(len(finished) - 1 - _NEWEST, -1), -1)
    again = {i: "*" if finished[i].attempts > 1 else "" for i in newest}
    table = plain_table("#", "team", "", "total", *(f"T{finished[i].number}{again[i]}" for i in newest))
    table.columns[0].justify = "right"
    table.columns[1].justify = table.columns[2].justify = "left"
    table.columns[1].max_width = 32
    table.columns[1].overflow = "ellipsis"
    table.padding = (0, 2, 0, 0)
    shown = teams[:fitting]
    columns = [aligned([team.total for team in shown])]
    columns += [aligned([points_in(team, i) for team in shown]) for i in newest]
    for team, (total, *made) in zip(shown, zip(*columns, strict=True), strict=True):
        table.add_row(*_row(team), Text(total, style="bold"), *made)
    below = []
    if len(teams) > fitting:
        below.append(f"and {counted(len(teams) - fitting, 'more team')}")
    if any(again.values()):
        below.append("* played again after a restart")
    if not below:
        return table
    return Group(table, _line((", ".join(below), "dim")))


def _row(team: TeamRow) -> list[Text]:
    """Rank, name, connections."""
    dot = Text("●", style="green") if team.connections else Text("○", style="dim")
    dot.append(f" {team.connections}" if team.connections > 1 else "")
    return [Text(str(team.rank), style="dim"), Text(shown_name(team.name)), dot]


def _log_lines(messages: list[str], room: int) -> list[Text]:
    return [_line((printable(message, 500), "dim")) for message in messages[-room:]] if room > 0 else []


def _teams(snapshot: Snapshot) -> str:
    connected = sum(team.connections > 0 for team in snapshot.teams)
    return f"{connected} of {counted(len(snapshot.teams), 'team')} connected"


def _lag(snapshot: Snapshot) -> str:
    load = snapshot.load
    last, worst = milliseconds(load.last_lag_ms), milliseconds(load.worst_lag_ms)
    return f"tick lag {last}, worst {worst}, {load.late_ticks:,} late"


def points_in(team: TeamRow, i: int) -> float | None:
    """A team's points in the finished tournament with this index; None if it did not take part."""
    return team.points[i] if i < len(team.points) else None


def aligned(values: Sequence[float | None]) -> list[str]:
    """A column of points, all with as many decimals as the longest needs; a dot where there are none."""
    digits = max((len(points(value).partition(".")[2]) for value in values if value is not None), default=0)
    return ["·" if value is None else points(value, digits) for value in values]


def phase_words(snapshot: Snapshot) -> str:
    """The phase, in words."""
    if snapshot.paused and snapshot.phase in ("waiting", "pause"):
        return "paused by the operator"
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


def shown_name(name: str) -> str:
    """A name that somebody else chose: on one line, without characters that hide or reverse the text."""
    return printable(name, 100)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _line(*parts: str | tuple[str, str]) -> Text:
    return Text.assemble(*parts, no_wrap=True, overflow="ellipsis")
