"""The terminal as all commands use it, and the tables of the house."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table


def console() -> Console:
    """Standard output for people; a pipe or a file gets whole lines, however long."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else 200)


def plain_table(*columns: str, title: str | None = None) -> Table:
    """A table in the house style: the first column to the left, numbers to the right."""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="dim")
    for i, column in enumerate(columns):
        table.add_column(column, justify="left" if i == 0 else "right", no_wrap=True)
    return table
