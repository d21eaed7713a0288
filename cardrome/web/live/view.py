"""What the scoreboard shows of an event: numbers and names, which the page puts into words.

It is made from what spectators may know: standings with the points of the running tournament as they would be if all
matches ended now, and the health in the matches some turns ago.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from cardrome.escaping import printable
from cardrome.server.broadcast import Broadcast
from cardrome.server.snapshot import Snapshot, TeamRow
from cardrome.server.store.control import TEXT_LENGTH

COLUMNS = 7
"""Tournaments over which ranks are drawn, the running one included."""
TILES = 6
"""Matches whose health is shown, besides the one whose board is."""
MESSAGES = 3
"""Announcements on the scoreboard."""
_NAME = 100
"""Characters sent of a name. The page shows as many as fit."""


def shown_name(name: str) -> str:
    """A name that somebody else chose: on one line, without characters that hide or reverse the text."""
    return printable(name, _NAME)


class Climb(msgspec.Struct, frozen=True):
    """The team that has gained the most places over the tournaments shown."""

    name: str
    before: int
    now: int


class ScoreRow(msgspec.Struct, frozen=True):
    """A team in the standings."""

    name: str
    rank: int
    move: int
    """Places gained since the last tournament."""
    connections: int
    away: int | None
    """Seconds since the team was last connected."""
    now: float | None
    """Points in the running or the last tournament; None if the team does not take part."""
    total: float
    """With those."""
    places: tuple[int, ...]
    """Its place after each of the tournaments shown, the last one now."""
    points: tuple[float | None, ...]
    """In the finished ones of them."""


class TileMatch(msgspec.Struct, frozen=True):
    """A match in a line for each player."""

    id: int
    players: tuple[str, str]
    health: tuple[int, int]


class EndedMatch(msgspec.Struct, frozen=True):
    """A match that a player has lost."""

    winner: str
    loser: str
    turn: int


class Scoreboard(msgspec.Struct, frozen=True, kw_only=True):
    """Everything on the scoreboard, except the board of the match that is shown."""

    event: str
    phase: str
    paused: bool
    provisional: bool
    """Points of the running tournament are in the totals."""
    tournament: int | None
    planned: int | None
    again: int | None
    """How often the running tournament was begun, if more than once."""
    turns: int | None
    turns_left: int | None
    turns_to_start: int | None
    turn_seconds: float
    starts_at: float | None
    behind: int
    """Turns by which the matches shown are behind."""
    matches: int
    running: int
    lag_ms: float
    late_ticks: int
    announcements: tuple[tuple[str, float], ...]
    join: tuple[str, ...]
    """Where teams connect."""
    commitment: str | None
    secret: str | None
    columns: tuple[int, ...]
    """The tournaments shown."""
    rows: tuple[ScoreRow, ...]
    climb: Climb | None
    tiles: tuple[TileMatch, ...]
    ended: EndedMatch | None


def scoreboard(
    snapshot: Snapshot, broadcast: Broadcast | None, join: Sequence[str] = (), ended: EndedMatch | None = None
) -> Scoreboard:
    """The scoreboard of a snapshot. ``ended`` is the latest news of a match that was lost."""
    finished = [row for row in snapshot.tournaments if row.status == "finished"]
    playing = next((row for row in snapshot.tournaments if row.status == "playing"), None)
    provisional = broadcast is not None and playing is not None and broadcast.tournament.number == playing.number
    now = _points_now(broadcast) if broadcast is not None and provisional else {}
    columns = tuple(row.number for row in finished[-(COLUMNS - 1 if provisional else COLUMNS) :])
    rows = _rows(snapshot.teams, now if provisional else None, len(columns))
    shown = () if broadcast is None else tuple(match_order(snapshot, broadcast)[1 : 1 + TILES])
    return Scoreboard(
        event=shown_name(snapshot.event),
        phase=snapshot.phase,
        paused=snapshot.paused,
        provisional=provisional,
        tournament=snapshot.tournament,
        planned=snapshot.planned_tournaments,
        again=playing.attempts if playing is not None and playing.attempts > 1 else None,
        turns=snapshot.turns,
        turns_left=snapshot.turns_left,
        turns_to_start=snapshot.turns_to_start,
        turn_seconds=snapshot.turn_seconds,
        starts_at=snapshot.starts_at,
        behind=_behind(snapshot, broadcast),
        matches=snapshot.matches,
        running=int(broadcast.running.sum()) if broadcast is not None else snapshot.matches_running,
        lag_ms=round(snapshot.load.last_lag_ms, 1),
        late_ticks=snapshot.load.late_ticks,
        announcements=tuple((printable(each.text, TEXT_LENGTH), each.at) for each in snapshot.announcements[:MESSAGES]),
        join=tuple(join),
        commitment=snapshot.commitment,
        secret=snapshot.secret,
        columns=(*columns, playing.number) if provisional and playing is not None else columns,
        rows=rows,
        climb=_climb(rows),
        tiles=tuple(tile(broadcast, index) for index in shown) if broadcast is not None else (),
        ended=ended,
    )


def _behind(snapshot: Snapshot, broadcast: Broadcast | None) -> int:
    if broadcast is None or snapshot.turns_left is None or snapshot.turns is None:
        return 0
    return max(snapshot.turns - snapshot.turns_left - broadcast.turn, 0)


def _points_now(broadcast: Broadcast) -> dict[str, float]:
    return {broadcast.names.get(account, "?"): points for account, points in broadcast.points().items()}


def _rows(teams: Sequence[TeamRow], now: dict[str, float] | None, columns: int) -> tuple[ScoreRow, ...]:
    """The standings, best first. ``now`` is the points of the running tournament, None if none is running."""
    totals = {team.name: team.total + (now or {}).get(team.name, 0.0) for team in teams}
    order = sorted(teams, key=lambda team: (-totals[team.name], team.name))
    past = _past_places(order, columns)
    places = {team.name: place for place, team in enumerate(order, 1)}
    rows: list[ScoreRow] = []
    for place, team in enumerate(order, 1):
        total = totals[team.name]
        rank = rows[-1].rank if rows and rows[-1].total == total else place
        points = team.points[len(team.points) - columns :] if columns else ()
        line = (*past[team.name], places[team.name]) if now is not None else past[team.name]
        before = line[-2] if len(line) > 1 else place
        if now is not None:
            latest = now.get(team.name)
        else:
            latest = points[-1] if points else None
        rows.append(
            ScoreRow(
                shown_name(team.name), rank, before - place, team.connections, team.away, latest, total, line, points
            )
        )
    return tuple(rows)


def _past_places(teams: Sequence[TeamRow], columns: int) -> dict[str, tuple[int, ...]]:
    """Every team's place after each of the latest finished tournaments; equal totals in the order of today."""
    if not columns or not teams:
        return {team.name: () for team in teams}
    points = np.array([[value or 0.0 for value in team.points[-columns:]] for team in teams])
    later = points[:, ::-1].cumsum(axis=1)[:, ::-1] - points
    totals = np.array([team.total for team in teams])[:, None] - later
    order = np.argsort(-np.round(totals, 6), axis=0, kind="stable")
    places = np.empty_like(order)
    np.put_along_axis(places, order, np.arange(1, len(teams) + 1)[:, None], axis=0)
    return {team.name: tuple(row) for team, row in zip(teams, places.tolist(), strict=True)}


def _climb(rows: Sequence[ScoreRow]) -> Climb | None:
    best = max(rows, key=lambda row: row.places[0] - row.places[-1] if row.places else 0, default=None)
    if best is None or not best.places or best.places[0] <= best.places[-1]:
        return None
    return Climb(best.name, best.places[0], best.places[-1])


# Matches


def match_order(snapshot: Snapshot, broadcast: Broadcast) -> list[int]:
    """All matches by their index: those that go on first, those of the best teams first of these."""
    place = {team.name: place for place, team in enumerate(snapshot.teams)}
    running = broadcast.running.tolist()

    def key(index: int) -> tuple[bool, int, int]:
        first, second = broadcast.players(index)
        return not running[index], place.get(first, 0) + place.get(second, 0), index

    return sorted(range(len(running)), key=key)


def tile(broadcast: Broadcast, index: int) -> TileMatch:
    """A match in a few numbers."""
    first, second = (shown_name(name) for name in broadcast.players(index))
    mine, theirs = broadcast.health[index].tolist()
    return TileMatch(broadcast.tournament.matches[index].id, (first, second), (mine, theirs))


def just_ended(before: Broadcast | None, now: Broadcast | None) -> EndedMatch | None:
    """A match that somebody has lost between two looks."""
    if before is None or now is None or before.tournament is not now.tournament:
        return None
    lost = np.flatnonzero(before.running & ~((now.health[:, 0] > 0) & (now.health[:, 1] > 0)))
    if not len(lost):
        return None
    ended = tile(now, int(lost[0]))
    winner = int(ended.health[0] == 0)
    return EndedMatch(ended.players[winner], ended.players[1 - winner], now.turn)
