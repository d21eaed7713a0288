"""The terminal as all commands use it: tables of the house, and progress of long work."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

Report = Callable[[int], None]
"""Called with how much of the work is finished."""

PAGE = 120
"""Columns of text where no terminal says how many there are."""
_ENDLESS = 10_000
"""Columns of a table there."""

# Rich is imported when something is shown: it costs a tenth of a second.


def console() -> Console:
    """Standard output for people; in a pipe or a file no table is cut, however wide."""
    if sys.stdout.isatty():
        return screen()
    return screen(file=cast(TextIO, _Trimmed()), width=_ENDLESS)


def screen(**options: Any) -> Console:
    """A console of Rich's. A reader that goes away ends it as it ends all that we print, not with Rich's exit code."""
    from rich.console import Console

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    return Screen(highlight=False, **options)


def page_width(out: Console) -> int:
    """The columns that text is wrapped to, and beyond which a table leaves out what is not essential."""
    return PAGE if out.width == _ENDLESS else out.width


class _Trimmed:
    """Standard output without the spaces that fill the lines of a table."""

    def write(self, text: str) -> int:
        return sys.stdout.write(re.sub(r" +$", "", text, flags=re.M))

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stdout, name)


def plain_table(*columns: str, title: str | None = None) -> Table:
    """A table in the house style: the first column to the left, numbers to the right.

    Where it is too wide, the first column is folded: names may be long, and numbers must not be cut.
    """
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="dim")
    for i, column in enumerate(columns):
        table.add_column(column, justify="left" if i == 0 else "right", no_wrap=i > 0, overflow="fold")
    return table


def folded(line: str, stream: TextIO) -> str:
    """A line that is too long for a terminal as several, the later ones indented; elsewhere as it is."""
    width = max(shutil.get_terminal_size().columns, 40) if stream.isatty() else len(line)
    if len(line) <= width:
        return line
    indent = line[: len(line) - len(line.lstrip())]
    more = f"{indent}  "
    wrapper = textwrap.TextWrapper(width, indent, more, break_long_words=False, break_on_hyphens=False)
    return wrapper.fill(line.lstrip())


def tell(line: str) -> None:
    """Print a line to standard error, folded."""
    print(folded(line, sys.stderr), file=sys.stderr)


def print_json(value: Any) -> None:
    """Print a value as one line of JSON, for programs: in UTF-8, whatever the terminal's encoding is."""
    import msgspec

    sys.stdout.flush()
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")
    sys.stdout.buffer.flush()


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
