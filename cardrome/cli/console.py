"""The terminal as all commands use it: tables of the house, and progress of long work."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

Report = Callable[[int], None]
"""Called with how much of the work is finished."""

# Rich is imported when something is shown: it costs a tenth of a second.


def console() -> Console:
    """Standard output for people; a pipe or a file gets whole lines, however long."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else 200)


def plain_table(*columns: str, title: str | None = None) -> Table:
    """A table in the house style: the first column to the left, numbers to the right."""
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="dim")
    for i, column in enumerate(columns):
        table.add_column(column, justify="left" if i == 0 else "right", no_wrap=True)
    return table


@contextmanager
def progress(title: str, total: int, unit: str = "games", quiet: bool = False) -> Iterator[Report]:
    """Show progress on standard error while the block runs."""
    if quiet:
        yield lambda finished: None
    elif sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn(unit),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(title, total=total)
            yield lambda finished: bar.update(task, completed=finished)
    else:
        yield _PlainLines(title, total, unit)


class _PlainLines:
    """A line on standard error after a second, then every ten."""

    def __init__(self, title: str, total: int, unit: str) -> None:
        self.title, self.total, self.unit = title, total, unit
        self.next = time.monotonic() + 1

    def __call__(self, finished: int) -> None:
        now = time.monotonic()
        if now >= self.next:
            self.next = now + 10
            print(f"{self.title}: {finished} of {self.total} {self.unit}", file=sys.stderr, flush=True)
