"""`cardrome check-bot`: what a bot does wrong, explained."""

from __future__ import annotations

from typing import Annotated

import typer

from cardrome.cli.options import EditionOption, JsonOption, SeedOption, series_seed
from cardrome.cli.progress import progress


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("check-bot")(check_bot)


def check_bot(
    command: Annotated[str, typer.Argument(metavar="CMD", help='The bot\'s command line, as in "python3 bot.py".')],
    edition: EditionOption = "locm-1.2",
    games: Annotated[int, typer.Option("--games", "-n", min=0, help="Whole games to play.")] = 4,
    seed: SeedOption = None,
    time_scale: Annotated[float, typer.Option("--time-scale", help="Multiply all time limits by this.")] = 1.0,
    no_clock: Annotated[bool, typer.Option("--no-clock", help="Let the bot think as long as it likes.")] = False,
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

    words, clock, number = (
        split_command(command.removeprefix("bot:")),
        Clock(not no_clock, time_scale),
        series_seed(seed),
    )
    runs = games + len(check.find_examiner(edition).edges)
    with progress("checking", runs, "runs", quiet=as_json) as update:
        report = check.check_bot(words, edition, number, games, clock, progress=update)
    if as_json:
        import msgspec

        print(msgspec.json.encode(report.to_dict()).decode())
    else:
        print(f"{command} on {edition}, seed {number}: {report.runs} runs\n")
        for line in report.lines():
            print(line)
    if report.total(Severity.ERROR):
        raise typer.Exit(1)
