"""`cardrome demo`: the main job in a minute."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from cardrome.cli.options import JsonOption

_SETTINGS = """\
# Written by `cardrome demo`. The same command, or `cardrome tournament {file}`, goes on with it.

[tournament]
name = "Demo"
editions = ["locm-1.2", "locm-1.5"]
pairs = {pairs}
seed = {seed}
"""
_AGENTS = ("pass", "random", "greedy", "rule-based")
"""Those who play thousands of games in seconds; those who search would take hours."""
_BOT = """
[[bots]]
name = "{name}"
agent = "{name}"
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)


def demo(
    games: Annotated[int, typer.Option("--games", "-n", min=2, help="Games of each pairing on each edition.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Fixes all deals.")] = 1,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Games at a time; 0 means one per core.")] = 0,
    out: Annotated[Path, typer.Option("--out", help="The folder for everything that is written.")] = Path(
        "cardrome-demo"
    ),
    as_json: JsonOption = False,
) -> None:
    """Play a tournament of the quick built-in agents on two editions, and write a report with replays.

    Every pairing plays mirrored pairs on the same deals; ratings have 95% intervals. What the folder holds from an
    earlier demo is replaced.
    """
    from cardrome.cli.options import job_count
    from cardrome.cli.tournament.commands import play, view_for
    from cardrome.cli.tournament.view import print_standings
    from cardrome.engine.warming import declare, warm
    from cardrome.games.family import find_family
    from cardrome.tournament.results.summary import summarize
    from cardrome.tournament.settings import read_plan
    from cardrome.tournament.store.store import TournamentStore
    from cardrome.web.tournaments.report import write_report

    family = find_family("locm-1.2")
    file = _fresh(
        out,
        _SETTINGS.format(file=out / "cup.toml", pairs=(games + 1) // 2, seed=seed),
        list(_AGENTS),
    )
    plan = read_plan(file)
    report = out / "report"
    declare(family.package, "episodes", "training")  # those are for learners
    warm(family.package, deferred=False)  # games and replays need nearly all of the others
    with TournamentStore.open(plan.store, base=plan.folder) as store:
        play(plan, store, view_for(plan, plain=False, as_json=False, quiet=as_json), jobs, None)
        snapshot = store.snapshot()
        summary = summarize(snapshot)
        write_report(report, store, summary, snapshot.games, jobs=job_count(jobs))
    if as_json:
        print(summary.to_json(), end="")
        return
    print_standings(summary)
    print(f"\nreport: {report / 'index.html'} (open it in a browser: ratings, who beat whom, replays to watch)")
    print_next_steps(file)


def _fresh(folder: Path, settings: str, agents: list[str]) -> Path:
    """The settings file of a demo that begins anew; a folder of something else is left alone."""
    from cardrome.errors import CallerError

    file = folder / "cup.toml"
    if folder.exists() and any(folder.iterdir()) and not _is_demo(file):
        raise CallerError(f"{folder} is there and holds something else than a demo; choose another with --out")
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        file.write_text(settings + "".join(_BOT.format(name=name) for name in agents))
    except OSError as error:
        raise CallerError(f"{folder} cannot be written: {error.strerror}") from None
    return file


def _is_demo(file: Path) -> bool:
    try:
        return file.read_text().startswith(_SETTINGS.partition(".")[0])
    except OSError:
        return False


def print_next_steps(file: Path) -> None:
    """What a newcomer may try now, as it can be typed here."""
    program = "cardrome" if shutil.which("cardrome") else os.path.relpath(sys.argv[0])
    steps = {
        f"web --store {file.with_name('cup.db')}": "play, watch, and this tournament, in the browser",
        "match greedy rule-based --games 2000": "is one better? with error bars",
        "match search greedy --edition tapdeck": "another game, the same engine",
        f"tournament {file} --dry-run": "a tournament of your own begins with such a file",
        "bench": "how fast this machine plays",
    }
    if Path("tests/conformance/golden").is_dir():
        steps["conform tests/conformance/golden/*.gz"] = "the proof that the rules are right"
    print("\nNext:")
    for command, purpose in steps.items():
        print(f"  {program} {command:<48}{purpose}")
