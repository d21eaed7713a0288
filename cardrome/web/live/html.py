"""The live pages as the server draws them: complete without a script, which only keeps them current.

Everything that somebody else wrote passes through `html.escape`. Addresses are relative, so that the pages also work
below a path of another server.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from html import escape
from importlib import resources
from urllib.parse import quote

import msgspec

from cardrome.web.live.view import Column, Line, Results, Status, counted, points, shown_name


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


def standings_page(status: Status, results: Results) -> str:
    """The page of the standings."""
    heads = "".join(_head(column) for column in results.columns)
    cells = dict(results.cells)
    rows = "".join(_row(line, results.columns, cells.get(line.name, ())) for line in status.lines)
    return _fill(
        part("templates/live/standings.html"),
        {
            "event": escape(status.event),
            "phase": status.phase,
            "words": status.words,
            "headline": escape(status.headline),
            "turns": status.turns,
            "bar": f'max="{status.of}" value="{status.done}"' if status.of else 'max="1" value="0" hidden',
            "matches": status.matches,
            "health": status.health,
            "late": "late" if status.late else "",
            "heads": heads,
            "rows": rows,
            "note": results.note,
            "nobody": "hidden" if status.lines else "",
            "again": "" if any(column.again for column in results.columns) else "hidden",
        },
    )


def _head(column: Column) -> str:
    mark = '<span class="again" title="played again after a restart">↻</span>' if column.again else ""
    link = f'<a href="tournaments/{column.number}" aria-label="Tournament {column.number}">T{column.number}</a>'
    return f'<th scope="col">{mark}{link}</th>'


def _row(line: Line, columns: tuple[Column, ...], cells: tuple[str, ...]) -> str:
    name = escape(line.name)
    made = "".join(
        f'<td class="best">{cell}</td>' if cell == column.best else f"<td>{cell}</td>"
        for column, cell in zip(columns, cells, strict=False)
    )
    return (
        f'<tr class="{"on" if line.connected else "off"}"><td class="rank">{line.rank}</td>'
        f'<th scope="row" class="team" title="{name}"><span class="dot"></span><bdi>{name}</bdi>'
        f'<span class="unseen">, {line.link}</span></th><td class="total">{line.total}</td>{made}</tr>\n'
    )


def tournament_page(
    event: str, number: int, matches: Sequence[MatchRow], team: str | None, earlier: bool, later: bool
) -> str:
    """The page of one tournament: its matches, or those of one team."""
    teams = sorted({name for match in matches for name in (match.first, match.second)}, key=str.casefold)
    shown = [match for match in matches if team in (None, match.first, match.second)]
    choices = "".join(
        f'<option value="{escape(name)}"{" selected" if name == team else ""}>{escape(shown_name(name))}</option>'
        for name in teams
    )
    asked = "" if team is None else f"?team={quote(team, safe='')}"
    before = f'<a rel="prev" href="{number - 1}{asked}">← {number - 1}</a>' if earlier else ""
    after = f'<a rel="next" href="{number + 1}{asked}">{number + 1} →</a>' if later else ""
    count = counted(len(shown), "match", "matches") if matches else "No match of this tournament is stored yet."
    return _fill(
        part("templates/live/tournament.html"),
        {
            "event": escape(shown_name(event)),
            "number": str(number),
            "before": before,
            "after": after,
            "choices": choices,
            "count": count,
            "rows": "".join(_match(match) for match in shown),
            "empty": "" if matches else "hidden",
        },
    )


def _match(match: MatchRow) -> str:
    first, second = match.first_score, match.second_score
    won = ["", ""]
    if first != second:
        won[first < second] = " best"
    sides = [escape(shown_name(name)) for name in (match.first, match.second)]
    return (
        f'<tr><td class="id">{match.match_id}</td><th scope="row" class="side{won[0]}"><bdi>{sides[0]}</bdi></th>'
        f'<td class="score{won[0]}">{points(first)}</td><td class="score{won[1]}">{points(second)}</td>'
        f'<td class="side{won[1]}"><bdi>{sides[1]}</bdi></td><td>{match.turns}</td>'
        f'<td class="words">{escape(shown_name(match.end_reason))}</td>'
        f'<td class="words"><a href="../matches/{match.match_id}.html">watch</a> '
        f'<a href="../matches/{match.match_id}.json" download>transcript</a></td></tr>\n'
    )


@functools.cache
def part(name: str) -> str:
    """A file of the package's web folder."""
    return resources.files("cardrome.web").joinpath(name).read_text(encoding="utf-8")


def _fill(template: str, values: dict[str, str]) -> str:
    """Fill in all gaps at once, so that nothing filled in is taken for a gap."""
    return re.sub(r"\[\[(\w+)\]\]", lambda gap: values[gap[1]], template)
