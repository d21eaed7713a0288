"""`cardrome conform`: replay games recorded under the original referees."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cardrome.cli.options import JsonOption
from cardrome.cli.progress import progress


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(conform)


def conform(
    files: Annotated[list[Path], typer.Argument(help="Recorded games, one JSON object a line, plain or gzipped.")],
    as_json: JsonOption = False,
) -> None:
    """Replay games recorded under the original referees.

    Every byte that a bot was sent, every action, score and fault is compared, and the first difference of each game is
    named. Exit code 1 if there is any.
    """
    from cardrome.escaping import printable
    from cardrome.games.locm.protocol.golden import read_games, replay

    games = [(path, number, game) for path in files for number, game in enumerate(read_games(path), 1)]
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
        import msgspec

        summary = {"games": len(games), "identical": identical, "differing": differing}
        print(msgspec.json.encode(summary).decode())
    else:
        for found in differing:
            what = f"game {found['game']} ({found['edition']}): {found['difference']}"
            print(f"{found['file']}: {printable(what, 1000)}")
        print(f"{identical} of {len(games)} games identical")
    if differing:
        raise typer.Exit(1)
