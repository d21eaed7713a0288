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

    It plays some games and some turns from rare positions: full boards, empty hands, empty decks, big numbers. Found
    are crashes, late answers, lines the referee cannot read, illegal actions with the reason, and output nobody asked
    for. Exit code 1 if there are errors; warnings and notes are no errors.
    """
    import shlex

    from cardrome.arena.check import run as check
    from cardrome.arena.players.clock import Clock
    from cardrome.errors import CallerError
    from cardrome.games.locm.rules.edition import find_edition

    try:
        words = shlex.split(command.removeprefix("bot:"))
    except ValueError as error:
        raise CallerError(f"bot {command!r}: {error}") from None
    if not words:
        raise CallerError("expected a bot's command line, got nothing")
    chosen, clock, number = find_edition(edition), Clock(not no_clock, time_scale), series_seed(seed)
    with progress("checking", check.total_runs(games), "runs", quiet=as_json) as told:
        report = check.check_bot(words, chosen, number, games, clock, progress=told)
    if as_json:
        import msgspec

        print(msgspec.json.encode(report.to_dict()).decode())
    else:
        print(f"{command} on {chosen.name}, seed {number}: {report.runs} runs")
        print()
        for line in report.lines():
            print(line)
    if report.total(check.Severity.ERROR):
        raise typer.Exit(1)
