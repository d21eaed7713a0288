"""A tournament's standings as tables in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from cardrome.cli.console import console, plain_table
from cardrome.escaping import printable

if TYPE_CHECKING:
    from cardrome.tournament.results.summary import Section, Summary

_MATRIX = 8
"""The most entrants for which the table of win rates may fit a terminal."""


def print_standings(summary: Summary) -> None:
    """Print ratings with intervals, for all editions together and for each of them."""
    out = console()
    sections = [summary.overall] if len(summary.by_edition) < 2 else [summary.overall, *summary.by_edition]
    for place, section in enumerate(sections):
        if place:
            out.print()
        _print_section(summary, section)
    for entrant in summary.left_out:
        for line in (entrant.problem or "").splitlines():
            out.print(Text(f"{printable(entrant.name)} was left out: {printable(line, 1000)}", style="yellow"))


def _print_section(summary: Summary, section: Section) -> None:
    out = console()
    table = _table(summary, section, [each.entrant for each in section.standings])
    if (
        len(section.standings) > _MATRIX
        or out.measure(table, options=out.options.update(width=1000)).maximum > out.width
    ):
        table = _table(summary, section, [])
    out.print(table)
    seat = section.first_seat
    out.print(f"the first seat scores {seat.value:.1%} of the points ({seat.low:.1%} to {seat.high:.1%})", style="dim")
    if section.ladder:
        ladder = plain_table("ladder", "rank", "OpenSkill", "mu", "sigma", "meetings")
        names = {entrant.id: printable(entrant.name) for entrant in summary.entrants}
        for each in section.ladder:
            numbers = f"{each.ordinal:.2f}", f"{each.mu:.2f}", f"{each.sigma:.2f}", f"{each.meetings:,}"
            ladder.add_row(Text(names[each.entrant]), str(each.rank), *numbers)
        out.print(ladder)
    if section.groups > 1:
        out.print("some bots never met, not even through others: their ratings cannot be compared", style="yellow")


def _table(summary: Summary, section: Section, versus: Sequence[int]) -> Table:
    """Ratings, and each entrant's win rate against some others."""
    names = {entrant.id: printable(entrant.name) for entrant in summary.entrants}
    where = section.edition or ", ".join(summary.editions)
    title = f"{printable(summary.name)}: {section.games:,} games on {where}, seed {summary.seed}"
    faults = {entrant: sum(each.faults.values()) for entrant, each in summary.behaviours.items()}
    columns = [f"v {names[entrant]}" for entrant in versus]
    table = plain_table("bot", "rank", "Elo", "95% interval", "points", "games", "faults", *columns, title=title)
    place = {entrant: k for k, entrant in enumerate(section.matrix.entrants)}
    for row in section.standings:
        cells = []
        for other in versus:
            rate = section.matrix.rate[place[row.entrant]][place[other]] if row.entrant != other else None
            cells.append("·" if rate is None else f"{rate.value:.1%}")
        rank = f"{row.rank}" if row.rank_low == row.rank_high else f"{row.rank} ({row.rank_low}-{row.rank_high})"
        count = Text(str(faults.get(row.entrant, 0)), style="red" if faults.get(row.entrant) else "dim")
        table.add_row(
            Text(names[row.entrant]), rank, f"{row.elo.value:+.0f}", f"{row.elo.low:+.0f} to {row.elo.high:+.0f}",
            f"{row.rate:.1%}",
            f"{row.games:,}", count, *cells,
        )  # fmt: skip
    return table
