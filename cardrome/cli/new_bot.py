"""`cardrome new-bot`: a bot to begin from."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from cardrome.cli.options import EditionOption, JsonOption, examples


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "new-bot",
        epilog=examples(
            "new-bot mybot",
            "new-bot mybot --lang rust --edition locm-1.5",
            "new-bot myteam --lang java -e tapdeck     # for live events",
        ),
    )(new_bot)


def new_bot(
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help="A new or empty folder.")] = None,
    lang: Annotated[str, typer.Option("--lang", metavar="LANG", help="python, cpp, java, js, rust or go.")] = "python",
    edition: EditionOption = "locm-1.2",
    listing: Annotated[bool, typer.Option("--list", help="List the languages instead.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Write a small bot to begin from, with a README.

    It reads all that the referee sends, plays legally, beats `random`, and has one place for your ideas. A kit for
    LOCM plays every edition; `--edition tapdeck` gives a team for live events over TCP.
    """
    from cardrome.errors import CallerError
    from cardrome.kits.kit import LANGUAGES, find_language, write_kit

    if listing:
        _list(as_json)
        return
    if folder is None:
        raise CallerError(f"name a folder for the bot: cardrome new-bot mybot --lang {'|'.join(LANGUAGES)}")
    kit = write_kit(folder, find_language(lang), edition)
    if as_json:
        import msgspec

        language = kit.language
        data = {"folder": str(folder), "edition": edition, "language": language.name, "source": language.source}
        data |= {"build": language.build, "run": language.run}
        print(msgspec.json.encode(data).decode())
        return
    _print_steps(folder, kit.language.title, edition, kit.steps)
    _name_missing_tool(kit.language.tool)


def _list(as_json: bool) -> None:
    from cardrome.kits.kit import LANGUAGES

    if as_json:
        import msgspec

        print(msgspec.json.encode(list(LANGUAGES.values())).decode())
        return
    from cardrome.cli.console import console, plain_table

    table = plain_table("language", "file", "build and run")
    for column in table.columns:
        column.justify = "left"
    for language in LANGUAGES.values():
        commands = " && ".join(filter(None, (language.build, language.run)))
        table.add_row(language.name, language.source, commands)
    console().print(table)


def _print_steps(folder: Path, title: str, edition: str, steps: tuple[str, ...]) -> None:
    print(f"Wrote a bot in {title} for {edition}. Next:")
    for step in (f"cd {shlex.quote(str(folder))}", *steps):
        print(f"  {step}")
    print("README.md tells the rest: where ideas go, watching games, why one was lost.")


def _name_missing_tool(tool: str) -> None:
    import shutil
    import sys

    if shutil.which(tool) is None:
        print(f"cardrome: {tool} was not found on this machine; install it first", file=sys.stderr)
