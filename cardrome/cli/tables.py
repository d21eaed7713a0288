"""Results as tables for people."""

from __future__ import annotations

import sys

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cardrome.arena.series import SeriesResult
from cardrome.arena.statistics import Estimate, win_rate


def console() -> Console:
    """Standard output for people; a pipe or a file gets whole lines, however long."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else 200)


def plain_table(*columns: str, title: str | None = None) -> Table:
    """A table in the house style: the first column to the left, numbers to the right."""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="dim")
    for i, column in enumerate(columns):
        table.add_column(column, justify="left" if i == 0 else "right", no_wrap=True)
    return table


def shown(estimate: Estimate) -> tuple[str, str]:
    """Rate and interval; both ends are given, since intervals near 0% and 100% are lopsided."""
    return f"{estimate.value:.1%}", f"{estimate.low:.1%} to {estimate.high:.1%}"


def print_series(result: SeriesResult) -> None:
    """Print the result of a series."""
    out = console()
    table = plain_table("player", "wins", "win rate", "95% interval")
    rate = result.win_rate
    other = Estimate(1 - rate.value, 1 - rate.high, 1 - rate.low)
    for name, wins, share in zip((result.a, result.b), result.wins, (rate, other), strict=True):
        table.add_row(Text(name), str(wins), *shown(share))
    out.print(table)
    lost, split, won = result.pair_counts
    games = len(result.games)
    out.print(f"{games} games on {result.edition.name}, seed {result.seed}")
    out.print(f"pairs: {result.a} won {won}, split {split}, lost {lost}")
    out.print(f"the first seat wins {result.first_seat}", style="dim")
    if result.interrupted:
        out.print(f"stopped after {games} of {2 * result.asked_pairs} games", style="yellow")


def print_round_robin(names: list[str], results: list[SeriesResult]) -> None:
    """Print who beats whom: a row for each player, the best first, and a column for each opponent."""
    out = console()
    points: dict[tuple[str, str], Estimate] = {}
    pooled: dict[str, list[npt.NDArray[np.float64]]] = {name: [] for name in names}
    for result in results:
        rate = result.win_rate
        points[result.a, result.b] = rate
        points[result.b, result.a] = Estimate(1 - rate.value, 1 - rate.high, 1 - rate.low)
        pooled[result.a].append(result.points)
        pooled[result.b].append(2 - result.points)
    overall = {name: win_rate(np.concatenate(shares)) for name, shares in pooled.items() if shares}
    order = sorted(overall, key=lambda name: -overall[name].value)
    games = sum(len(result.games) for result in results)
    edition, seed = results[0].edition.name, results[0].seed
    table = plain_table("player", "win rate", "95% interval", *(f"v {name}" for name in order))
    for name in order:
        against = [f"{points[name, other].value:.1%}" if (name, other) in points else "·" for other in order]
        table.add_row(Text(name, style="bold"), *shown(overall[name]), *against)
    out.print(f"[bold]Round robin on {edition}[/bold], {games} games, seed {seed}")
    out.print(table)
    if any(result.interrupted for result in results):
        out.print("stopped before the end", style="yellow")
