"""`cardrome demo`: the main job in a minute."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Annotated

import typer

from cardrome.cli.options import EditionOption, JobsOption, JsonOption, job_count, series_seed


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)


def demo(
    edition: EditionOption = "locm-1.2",
    games: Annotated[int, typer.Option("--games", "-n", min=2, help="Games of each pairing.")] = 2000,
    seed: Annotated[str, typer.Option("--seed", help="Fixes all deals.")] = "1",
    jobs: JobsOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Play a round robin of the built-in agents.

    Every pairing plays mirrored pairs on the same deals; the table shows win rates with 95% intervals.
    """
    from cardrome.agents.locm.registry import AGENTS
    from cardrome.arena.series import SeriesResult, play_series
    from cardrome.cli.progress import progress
    from cardrome.rules.locm.edition import find_edition

    chosen, number = find_edition(edition), series_seed(seed)
    pairs = (games + 1) // 2
    pairings = list(combinations(AGENTS, 2))
    results: list[SeriesResult] = []
    with progress(f"round robin on {chosen.name}", pairs * len(pairings), "pairs", quiet=as_json) as report:
        for a, b in pairings:
            part = partial(_report_part, report, len(results) * pairs)
            results.append(play_series(chosen, a, b, pairs, number, job_count(jobs), part))
            if results[-1].interrupted:
                break
    if as_json:
        import msgspec

        print(msgspec.json.encode([result.summary() for result in results]).decode())
    else:
        from cardrome.cli.tables import print_round_robin

        print_round_robin(list(AGENTS), results)
        print_next_steps()
    if results[-1].interrupted:
        raise typer.Exit(130)


def _report_part(report: Callable[[int], None], before: int, finished: int) -> None:
    report(before + finished)


def print_next_steps() -> None:
    """What a newcomer may try now, as it can be typed here."""
    program = "cardrome" if shutil.which("cardrome") else os.path.relpath(sys.argv[0])
    steps = {
        "match greedy rule-based --edition locm-1.5": "two agents, another edition",
        "editions": "all rule sets",
        "bench": "how fast this machine plays",
    }
    if Path("tests/conformance/golden").is_dir():
        steps["conform tests/conformance/golden/*.gz"] = "the proof that the rules are right"
    print("\nNext:")
    for command, purpose in steps.items():
        print(f"  {program} {command:<44}{purpose}")
