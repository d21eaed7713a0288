"""`cardrome mcp`: a server through which an assistant plays."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from cardrome.cli.options import examples


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=examples("mcp --replays replays     # the command in an assistant's settings"))(mcp)


def mcp(
    replays: Annotated[
        Path | None,
        typer.Option("--replays", metavar="DIR", help="Keep replays in this folder. Nothing else is ever written."),
    ] = None,
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, max=1000, metavar="N", help="The most games at a time.")
    ] = 20,
) -> None:
    """Let an assistant play, over the Model Context Protocol.

    The server talks on standard input and output. Assistants start it by themselves, once their settings name the
    command `cardrome mcp`. It needs the extra `llm`: `pip install 'cardrome[llm]'`.
    """
    from cardrome.assistant.games import AssistantGames
    from cardrome.errors import CallerError

    try:
        from cardrome.assistant.server import make_server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("mcp", "pydantic"):
            raise
        raise CallerError("`cardrome mcp` needs the extra llm: pip install 'cardrome[llm]'") from None
    if replays is not None and not replays.is_dir():
        raise CallerError(f"--replays {replays}: there is no such folder")
    if sys.stdin.isatty():
        print("cardrome mcp: waiting for an assistant on standard input; Ctrl-C ends it", file=sys.stderr)
    make_server(AssistantGames(replays, games)).run("stdio")
