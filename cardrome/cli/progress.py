"""Progress of long work: a bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Report(Protocol):
    """Told how much is finished."""

    def __call__(self, finished: int) -> None:
        """So much of the work is finished now."""


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
