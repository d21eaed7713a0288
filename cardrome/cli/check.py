"""`cardrome check-bot`: what a bot does wrong, explained."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardrome.cli.console import folded, progress
from cardrome.cli.options import EditionOption, JsonOption, SeedOption, checked_folder, examples, series_seed
from cardrome.wording import counted

if TYPE_CHECKING:
    from cardrome.arena.check import CheckReport, Finding


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "check-bot",
        epilog=examples('check-bot "python3 mybot.py"', "check-bot ./mybot -e locm-1.5 --games 20 --json"),
    )(check_bot)


def check_bot(
    command: Annotated[str, typer.Argument(metavar="CMD", help='The bot\'s command line, as in "python3 bot.py".')],
    edition: EditionOption = "locm-1.2",
    games: Annotated[int, typer.Option("--games", "-n", min=0, help="Whole games to play.")] = 4,
    seed: SeedOption = None,
    time_scale: Annotated[float, typer.Option("--time-scale", help="Multiply all time limits by this.")] = 1.0,
    no_clock: Annotated[bool, typer.Option("--no-clock", help="Let the bot think as long as it likes.")] = False,
    folder: Annotated[Path | None, typer.Option("--dir", help="The bot's working directory.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Check a bot and explain its faults.

    It plays some games, and some turns from rare positions: full boards, empty hands, empty decks, big numbers. The
    report lists crashes, late answers, lines the referee cannot read, illegal actions with the reason, and output
    nobody asked for. Exit code 1 if there are errors; warnings and notes are not errors.
    """
    from cardrome.arena import check
    from cardrome.arena.players.clock import Clock
    from cardrome.arena.players.player import split_command
    from cardrome.games.examiner import Severity

    words, clock = split_command(command.removeprefix("bot:")), Clock(not no_clock, time_scale)
    number, place = series_seed(seed), None if folder is None else checked_folder(folder)
    runs = games + len(check.find_examiner(edition).edges)
    with progress("checking", runs, "runs", quiet=as_json) as update:
        report = check.check_bot(words, edition, number, games, clock, progress=update, folder=place)
    if as_json:
        import msgspec

        print(msgspec.json.encode(report.to_dict()).decode())
    else:
        print(f"{command} on {edition}, seed {number}: {counted(report.runs, 'run')}\n")
        for line in report_lines(report):
            print(folded(line, sys.stdout))
    if report.total(Severity.ERROR):
        raise typer.Exit(1)


def report_lines(report: CheckReport) -> Iterable[str]:
    """The report for people, line by line; the verdict comes last."""
    from cardrome.games.examiner import Severity

    for severity in Severity:
        findings = [finding for finding in report.findings if finding.severity is severity]
        if findings:
            yield f"{severity.upper()}S"
        for finding in findings:
            yield from _finding_lines(finding)
            yield ""
    for timing in report.timings:
        limit = f"of {timing.limit_ms:g} ms" if timing.limit_ms else "(no clock)"
        yield (
            f"time: {timing.question}: median {timing.median_ms:g} ms, longest {timing.longest_ms:g} ms {limit}, "
            f"{counted(timing.answers, 'answer')}"
        )
    yield report.verdict


def _finding_lines(finding: Finding) -> Iterable[str]:
    example = finding.example
    times = f" ({finding.count} times)" if finding.count > 1 else ""
    yield f"  {finding.kind}{times}: {finding.meaning}"
    yield f"    where:    {example.where}"
    if example.line:
        yield f"    line:     {example.line}"
    yield f"    what:     {example.message}"
    if example.expected:
        yield f"    expected: {example.expected}"
    for line in example.stderr.splitlines():
        yield f"    stderr:   {line}"
