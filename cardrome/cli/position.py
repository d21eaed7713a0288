"""`cardrome position`: look at a saved position."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from cardrome.cli.options import JsonOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(position)


def position(
    file: Annotated[Path, typer.Argument(help="A position as JSON, saved or written by hand; - for standard input.")],
    bot_input: Annotated[bool, typer.Option("--input", help="Print what a bot to move would be sent instead.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Draw a position and list its legal actions.

    Almost everything in the file may be left out: an edition and the creatures on both boards are enough.
    """
    from cardrome.errors import InvalidPosition
    from cardrome.games.family import from_json, to_json

    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidPosition(f"{file}: {error}") from None
    try:
        found = from_json(text)
    except InvalidPosition as error:
        raise InvalidPosition(f"{file}: {error}") from None
    if bot_input:
        print(found.input_text(), end="")
    elif as_json:
        print(to_json(found))
    else:
        print(found)
        print("\nlegal actions:", ", ".join(found.legal_actions) or "none")
