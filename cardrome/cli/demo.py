"""`cardrome demo`: the main job in a minute."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from cardrome.cli.console import print_json
from cardrome.cli.options import JobsOption, JsonOption, examples, next_steps

_SETTINGS = """\
# Written by `cardrome demo`. `cardrome tournament {file}` goes on with it.

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
    app.command(epilog=examples("demo", "demo --games 100 --out try     # quicker, in another folder"))(demo)


def demo(
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", min=2, max=1_000_000, metavar="N", help="Games of each pairing on each edition, in pairs."
        ),
    ] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, metavar="SEED", help="Fixes all deals.")] = 1,
    jobs: JobsOption = 0,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The folder for everything that is written.")
    ] = Path("cardrome-demo"),
    as_json: JsonOption = False,
) -> None:
    """Play a small tournament and write a report.

    The quick built-in agents meet on two editions; the report has ratings, who beat whom, and replays to watch.
    Every pairing plays mirrored pairs on the same deals; ratings have 95% intervals. What the folder holds from an
    earlier demo is replaced.
    """
    from cardrome.cli.options import job_count
    from cardrome.cli.tournament.commands import Stopped, play, view_for
    from cardrome.cli.tournament.view import print_standings
    from cardrome.engine.warming import declare, warm
    from cardrome.games.family import find_family
    from cardrome.tournament.results.summary import summarize
    from cardrome.tournament.settings import read_plan
    from cardrome.tournament.store.store import TournamentStore
    from cardrome.web.tournaments.report import write_report

    family = find_family("locm-1.2")
    if games % 2 and not as_json:
        print(f"cardrome: games come in pairs, seats swapped: {games + 1} of each pairing", file=sys.stderr)
    file = _fresh(
        out,
        _SETTINGS.format(file=out / "cup.toml", pairs=(games + 1) // 2, seed=seed),
        list(_AGENTS),
    )
    plan = read_plan(file)
    report = out / "report"
    declare(family.package, "episodes", "training", "analysis", "review")  # for learners, and for `analyse`
    needed = tuple(f"{family.package}.{part}." for part in ("rules", "protocol", "agents"))
    # Games and replays need nearly all of these, but imagine no hidden cards and deal no pool of cards.
    warm(needed, deferred=False, without=(".fill_in_place", ".deal_pool"))
    with TournamentStore.open(plan.store, base=plan.folder) as store:
        try:
            play(plan, store, view_for(plan, plain=False, as_json=False, quiet=as_json), jobs, None)
        except Stopped:
            print(f"stopped; `cardrome tournament {file}` goes on with it", file=sys.stderr)
            raise
        snapshot = store.snapshot()
        summary = summarize(snapshot)
        write_report(report, store, summary, snapshot.games, jobs=job_count(jobs))
    if as_json:
        print_json(summary.to_data())
        return
    print_standings(summary)
    print(f"\nreport, to open in a browser: {report / 'index.html'}\n")
    print_next_steps(file)


def _fresh(folder: Path, settings: str, agents: list[str]) -> Path:
    """The settings file of a demo that begins anew; a folder of something else is left alone."""
    from cardrome.errors import CallerError
    from cardrome.wording import unwritable

    file = folder / "cup.toml"
    try:
        if folder.exists() and not folder.is_dir():
            raise CallerError(f"--out {folder}: this is a file; name a folder, which is made if needed")
        if folder.exists() and any(folder.iterdir()) and not _is_demo(file):
            raise CallerError(f"--out {folder}: the folder holds something other than a demo; choose another")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        text = settings + "".join(_BOT.format(name=name) for name in agents)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CallerError(unwritable(folder, error)) from None
    return file


def _is_demo(file: Path) -> bool:
    try:
        return file.read_text(encoding="utf-8", errors="replace").startswith(_SETTINGS.partition(".")[0])
    except OSError:
        return False


def _program() -> str:
    """This program as it can be typed here."""
    if shutil.which("cardrome"):
        return "cardrome"
    if sys.argv[0].endswith("__main__.py"):
        return f"{sys.executable} -m cardrome"
    near = os.path.relpath(sys.argv[0])
    return os.path.abspath(sys.argv[0]) if near.startswith(os.pardir) else near


def print_next_steps(file: Path) -> None:
    """What a newcomer may try now, as it can be typed here."""
    program = _program()
    steps = {
        f"web --store {file.with_name('cup.db')}": "play, watch, and see this tournament in the browser",
        "match greedy rule-based --games 2000": "is one better? with error bars",
        "match search greedy --edition tapdeck": "another game, the same engine",
        f"tournament {file} --dry-run": "a tournament of your own begins with such a file",
        "bench": "how fast this machine plays",
    }
    if Path("tests/conformance/golden").is_dir():
        steps["conform tests/conformance/golden/*.gz"] = "the proof that the rules are right"
    print(next_steps(steps, program))
