"""`cardrome bot`: a built-in agent as a program that any LOCM referee can run."""

from __future__ import annotations

from typing import Annotated

import typer

from cardrome.cli.options import EditionOption, not_locm


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(bot)


def bot(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="A built-in agent, or module:Class.")],
    edition: EditionOption = "locm-1.2",
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, max=(1 << 62) - 1, help="Makes the agent's random choices reproducible."),
    ] = None,
    no_clock: Annotated[
        bool, typer.Option("--no-clock", help="Never answer before the agent is loaded, however long that takes.")
    ] = False,
) -> None:
    """Be a bot: read a referee's messages from standard input, answer on standard output.

    Use it as a player's command line under any LOCM referee. It ends when its input ends.
    """
    import secrets

    from cardrome.errors import UnknownEdition
    from cardrome.games.locm.bot import run_bot

    try:
        code = run_bot(agent, edition, secrets.randbits(62) if seed is None else seed, clock=not no_clock)
    except UnknownEdition:
        raise not_locm(edition, "bot") from None
    raise typer.Exit(code)
