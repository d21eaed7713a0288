"""How a tournament is shown: live on a terminal, as lines elsewhere, as JSON for programs; in the end as tables."""

from __future__ import annotations

import abc
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cardrome.cli.console import page_width, print_json
from cardrome.escaping import printable
from cardrome.wording import counted

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.table import Table

    from cardrome.tournament.games import Entrant, GameTable
    from cardrome.tournament.results.live_table import LiveRow, LiveTable
    from cardrome.tournament.results.summary import Section, Summary
    from cardrome.tournament.work import Job

_LINE_SECONDS = 10.0
_ROWS_SECONDS = 1.0
_MESSAGES = 4
_MATRIX = 8
"""The most entrants for which the table of win rates may fit a terminal."""


class RunView(abc.ABC):
    """Shows how far a run is; the base of all views."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.table: LiveTable | None = None
        self.number = 0
        self.of_round = 0
        self.stored = 0
        self.done = 0
        self.planned: int | None = None
        self.before = 0

    @abc.abstractmethod
    def message(self, text: str) -> None:
        """Show a text to people."""

    def begin(self, entrants: Sequence[Entrant], table: LiveTable) -> None:
        """Show these bots, whose games the table counts."""
        self.table = table

    def round(self, number: int, games: int, stored: int, planned: int | None) -> None:
        """A round begins."""
        self.before += self.of_round
        self.number, self.of_round, self.stored, self.planned = number, games, stored, planned
        self.done = stored
        if stored and stored < games:
            self.message(f"resuming: {stored:,} of {counted(games, 'game')} are stored already")

    def played(self, games: GameTable) -> None:
        """Games have ended."""
        self.done += len(games)
        if self.table is not None:
            self.table.add(games)

    def headline(self) -> str:
        """The state of the tournament in one line."""
        speed = self.table.games_per_second() if self.table is not None else 0.0
        parts = [f"round {self.number}: {self.done:,} of {counted(self.of_round, 'game')}"]
        if speed > 0:
            left = (self.of_round - self.done) / speed
            if self.planned is not None:
                left = max(self.planned - self.before - self.done, 0) / speed
            parts += [f"{speed:,.0f} games/s" if speed >= 10 else f"{speed:.2f} games/s", f"{duration(left)} left"]
        return ", ".join(parts)


class QuietView(RunView):
    """Shows nothing at all."""

    def message(self, text: str) -> None:
        """Ignore it."""


class PlainView(RunView):
    """Prints a line now and then, on standard error."""

    _next = 0.0

    def message(self, text: str) -> None:
        """Print it; the output of a failed build has several lines."""
        for line in text.splitlines():
            print(f"{printable(self.name)}: {printable(line, 1000)}", file=sys.stderr, flush=True)

    def played(self, games: GameTable) -> None:
        """Print the state, if it is time for a line."""
        super().played(games)
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _LINE_SECONDS
            self.message(self.headline())


class JsonView(RunView):
    """Prints a line of JSON for every event, on standard output."""

    def _print(self, event: str, **fields: Any) -> None:
        print_json({"event": event, **fields})

    def message(self, text: str) -> None:
        """Print it."""
        self._print("message", text=text)

    def begin(self, entrants: Sequence[Entrant], table: LiveTable) -> None:
        """Print which bots the ids in later lines stand for."""
        super().begin(entrants, table)
        bots = [{"id": each.id, "name": each.bot.name, "version": each.bot.version} for each in entrants]
        self._print("entrants", entrants=bots)

    def round(self, number: int, games: int, stored: int, planned: int | None) -> None:
        """A round begins."""
        super().round(number, games, stored, planned)
        self._print("round", number=number, games=games, stored=stored, planned=planned)

    def played(self, games: GameTable) -> None:
        """Games have ended."""
        super().played(games)
        for record in map(games.record, range(len(games))):
            key = record.key
            self._print(
                "game", edition=key.edition, a=key.a, b=key.b, pair=key.pair, game=key.game, winner=record.winner,
                turns=record.turns, fault_of=record.fault_of, fault=record.fault_kind,
            )  # fmt: skip


class LiveView(RunView):
    """Progress, standings, faults and messages, to be drawn by `rich.live.Live`."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._messages: deque[str] = deque(maxlen=_MESSAGES)
        self._rows: list[LiveRow] = []
        self._rows_at = 0.0
        self.running: Callable[[], Sequence[Job]] = tuple
        """Returns the jobs being played."""

    def message(self, text: str) -> None:
        """Show it below the table."""
        self._messages.extend(text.splitlines()[-_MESSAGES:])

    def played(self, games: GameTable) -> None:
        """Count games; the table is updated once a second."""
        super().played(games)
        now = time.monotonic()
        if self.table is not None and now - self._rows_at >= _ROWS_SECONDS:
            self._rows_at = now
            self._rows = self.table.rows()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.progress_bar import ProgressBar
        from rich.text import Text

        yield Text(printable(self.name), style="bold")
        yield Text(self.headline())
        yield ProgressBar(total=max(self.of_round, 1), completed=self.done, width=min(options.max_width, 60))
        yield Text()  # a bar does not end its line
        games = ", ".join(f"{job.a.name} v {job.b.name} ({job.edition})" for job in self.running())
        yield Text(f"playing {printable(games)}" if games else "", style="dim", no_wrap=True, overflow="ellipsis")
        if self._rows:
            yield standings_table(self._rows, (options.height or console.height) - 8 - len(self._messages))
        for text in list(self._messages):
            yield Text(printable(text)[: options.max_width * 2], style="yellow")


def standings_table(rows: Sequence[LiveRow], room: int) -> Any:
    """Standings without intervals, as many rows as fit."""
    from rich.text import Text

    from cardrome.cli.console import plain_table

    table = plain_table("bot", "rank", "Elo", "points", "games", "faults")
    shown = rows if len(rows) <= room else rows[: max(room - 1, 1)]
    for row in shown:
        faults = Text(str(row.faults), style="red" if row.faults else "dim")
        table.add_row(
            Text(printable(row.name)), str(row.rank), f"{row.elo:+.0f}", f"{row.rate:.1%}", f"{row.games:,}", faults
        )
    if len(shown) < len(rows):
        table.add_row(Text(f"and {len(rows) - len(shown)} more", style="dim"))
    return table


def duration(seconds: float) -> str:
    """A time to wait, in words."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


# When it is over

if TYPE_CHECKING:
    from cardrome.tournament.results.summary import Section, Summary


def print_standings(summary: Summary) -> None:
    """Print ratings with intervals, for all editions together and for each of them."""
    from rich.text import Text

    from cardrome.cli.console import console

    out = console()
    sections = [summary.overall] if len(summary.by_edition) < 2 else [summary.overall, *summary.by_edition]
    for place, section in enumerate(sections):
        if place:
            out.print()
        _print_section(summary, section, out)
    for entrant in summary.left_out:
        for line in (entrant.problem or "").splitlines():
            out.print(Text(f"{printable(entrant.name)} was left out: {printable(line, 1000)}", style="yellow"))


def _print_section(summary: Summary, section: Section, out: Console) -> None:
    from rich.text import Text

    from cardrome.cli.console import plain_table

    where = section.edition or ", ".join(summary.editions)
    # A drawn seed has nearly eighty digits; reports and --json have them all.
    seed = re.sub(r"(\d{6})\d{12,}(\d{6})", r"\1…\2", summary.seed_words)
    title = f"{printable(summary.name)}: {counted(section.games, 'game')} on {where}, {seed}"
    out.print(Text(title, "bold"), soft_wrap=True)  # not as the table's own, which would be cut to its width
    if not section.games:
        out.print("no game has ended yet")
        return
    table = _table(summary, section, [each.entrant for each in section.standings])
    width = out.measure(table, options=out.options.update(width=1000)).maximum
    if len(section.standings) > _MATRIX or width > page_width(out):
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
    from rich.text import Text

    from cardrome.cli.console import plain_table

    names = {entrant.id: printable(entrant.name) for entrant in summary.entrants}
    faults = {entrant: sum(each.faults.values()) for entrant, each in summary.behaviours.items()}
    known = section is summary.overall  # faults are counted over all editions
    columns = [*(["faults"] if known else []), *(f"v {names[entrant]}" for entrant in versus)]
    table = plain_table("bot", "rank", "Elo", "95% interval", "points", "games", *columns)
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
            f"{row.games:,}", *([count] if known else []), *cells,
        )  # fmt: skip
    return table
