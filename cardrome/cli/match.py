"""`cardrome match`: a series between two players."""

from __future__ import annotations

from typing import Annotated

import typer

from cardrome.cli.options import EditionOption, JobsOption, JsonOption, SeedOption, job_count, series_seed
from cardrome.cli.progress import progress


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(match)


def match(
    a: Annotated[str, typer.Argument(metavar="A", help="A built-in agent, or module:Class.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    edition: EditionOption = "locm-1.2",
    games: Annotated[int, typer.Option("--games", "-n", min=2, help="Games to play: two on each deal.")] = 2000,
    seed: SeedOption = None,
    jobs: JobsOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Play a series and tell who is better, with error bars.

    Games come in mirrored pairs: each deal twice, seats swapped. The same seed gives the same result, whatever the
    number of jobs. Ctrl-C shows what is known so far.
    """
    from cardrome.arena.series import play_series
    from cardrome.rules.locm.edition import find_edition

    chosen = find_edition(edition)
    pairs = (games + 1) // 2
    number = series_seed(seed)
    with progress(f"{a} v {b}", pairs, "pairs", quiet=as_json) as report:
        result = play_series(chosen, a, b, pairs, number, job_count(jobs), report)
    if as_json:
        import msgspec

        print(msgspec.json.encode(result.summary()).decode())
    else:
        from cardrome.cli.tables import print_series

        print_series(result)
    if result.interrupted:
        raise typer.Exit(130)
