"""Writes the example and the table of docs/analysis.md anew: after the agents' weights or the calibration have changed.

What stands between ``<!-- NAME -->`` and ``<!-- end -->`` is made here; the rest is written by hand and stays. The
picture is made by ``examples/train/calibrate.py --games 0 --picture docs/images/reliability.svg``.
"""

from __future__ import annotations

import io
import tempfile
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

from rich.console import Console

from cardrome.cli import analyse, app
from cardrome.games.learning.calibration import read_calibrations
from cardrome.games.locm.agents.search.brain import WEIGHTS

PAGE = Path(__file__).with_name("analysis.md")


def run(*words: str, width: int = 80) -> str:
    """What a command prints in a terminal of some columns."""
    out = io.StringIO()
    console = Console(highlight=False, width=width, file=out)
    with mock.patch.object(analyse, "console", return_value=console), redirect_stdout(out):
        app([*words], standalone_mode=False)
    return "\n".join(line.rstrip() for line in out.getvalue().strip().splitlines())


def example() -> str:
    """The game that the page explains."""
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "game.json")
        run("replay", "record", "greedy", "rule-based", "--seed", "18", "--out", file)
        return f"```\n{run('analyse', file, '--player', 'greedy')}\n```"


def table(edition: str) -> str:
    """How reliable chances are."""
    found = read_calibrations(WEIGHTS)[edition]
    rows = ["| as the search says | told | won | positions |", "| ---: | ---: | ---: | ---: |"]
    rows += [f"| {said:.1%} | {told:.1%} | {won:.1%} | {n} |" for said, told, won, n in found.reliability]
    title = f"For `{edition}`, over {found.games:,} games, half of them to fit and half for this table:"
    return "\n".join([title, "", *rows])


def main() -> None:
    """Write the page."""
    text = PAGE.read_text(encoding="utf-8")
    for name, made in (("example", example()), ("table", table("locm-1.2"))):
        before, start, rest = text.partition(f"<!-- {name} -->\n")
        text = f"{before}{start}{made}\n<!-- end -->{rest.partition('<!-- end -->')[2]}"
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
