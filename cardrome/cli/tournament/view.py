"""How a running tournament is shown: live on a terminal, as lines elsewhere, as JSON for programs."""

from __future__ import annotations

import abc
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cardrome.escaping import printable

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

    from cardrome.tournament.games import GameTable
    from cardrome.tournament.records import Entrant
    from cardrome.tournament.results.live_table import LiveRow, LiveTable
    from cardrome.tournament.work import Job

_LINE_SECONDS = 10.0
_ROWS_SECONDS = 1.0
_MESSAGES = 4


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
            self.message(f"resuming: {stored:,} of {games:,} games are stored already")

    def played(self, games: GameTable) -> None:
        """Games have ended."""
        self.done += len(games)
        if self.table is not None:
            self.table.add(games)

    def headline(self) -> str:
        """The state of the tournament in one line."""
        speed = self.table.games_per_second() if self.table is not None else 0.0
        parts = [f"round {self.number}: {self.done:,} of {self.of_round:,} games"]
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
        import msgspec

        print(msgspec.json.encode({"event": event, **fields}).decode(), flush=True)

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
