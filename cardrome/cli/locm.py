"""`cardrome bot`, `cardrome conform`: an agent as a program for any LOCM referee, and games of the original ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cardrome.cli.console import print_json, progress
from cardrome.cli.options import AgentSeedOption, EditionOption, JsonOption, agent_seed, examples, not_locm
from cardrome.wording import counted


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        epilog=examples(
            'referee -p1 "cardrome bot greedy" -p2 ./mybot     # or any referee',
            "bot search --edition locm-1.0 --seed 1",
        )
    )(bot)
    app.command(epilog=examples("conform tests/conformance/golden/*.gz", "conform mine.jsonl --json"))(conform)


def bot(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="A built-in agent, policy:FILE, or module:Class.")],
    edition: EditionOption = "locm-1.2",
    seed: AgentSeedOption = None,
    no_clock: Annotated[
        bool, typer.Option("--no-clock", help="Never answer before the agent is loaded, however long that takes.")
    ] = False,
) -> None:
    """Be a bot on standard input and output.

    It reads a referee's messages and answers them. Use it as a player's command line under any LOCM referee. It ends
    when its input ends.
    """
    from cardrome.errors import CallerError
    from cardrome.games.locm.bot import run_bot

    try:
        code = run_bot(agent, edition, agent_seed(seed), clock=not no_clock)
    except CallerError as error:
        from cardrome.games.locm.rules.edition import EDITIONS

        raise error if edition in EDITIONS else not_locm(edition, "bot") from None
    raise typer.Exit(code)


def conform(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Recorded games, one JSON object a line, plain or gzipped."),
    ],
    as_json: JsonOption = False,
) -> None:
    """Replay games of the original referees.

    Every byte that a bot was sent, every action, score and fault is compared, and the first difference of each game is
    named. Exit code 1 if there is any.
    """
    from cardrome.errors import CallerError
    from cardrome.escaping import printable
    from cardrome.games.locm.protocol.golden import read_games, replay

    games = [(path, number, game) for path in files for number, game in enumerate(read_games(path), 1)]
    empty = [path for path in files if path not in {path for path, _, _ in games}]
    if empty:
        raise CallerError(f"{empty[0]}: no game in it; expected recorded games, one JSON object a line")
    differing = []
    with progress("replaying", len(games), quiet=as_json) as report:
        for finished, (path, number, game) in enumerate(games, 1):
            difference = replay(game)
            if difference is not None:
                name = str(game.game) if isinstance(game.game, int | str) else f"on line {number}"
                differing.append(
                    {"file": str(path), "game": name, "edition": game.edition.name, "difference": difference}
                )
            report(finished)
    identical = len(games) - len(differing)
    if as_json:
        print_json({"games": len(games), "identical": identical, "differing": differing})
    else:
        for found in differing:
            what = f"game {found['game']} ({found['edition']}): {found['difference']}"
            print(f"{found['file']}: {printable(what, 1000)}")
        print(f"{identical} of {counted(len(games), 'game')} identical")
    if differing:
        raise typer.Exit(1)
