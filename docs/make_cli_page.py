"""Prints docs/cli.md: every command with its arguments and options, as the program declares them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import typer

from cardrome.cli import app


def parameter_rows(command: Any) -> list[tuple[str, str, str]]:
    """Name, meaning and default of each argument and option."""
    rows = []
    for parameter in command.params:
        option = parameter.param_type_name == "option"
        name = (
            ", ".join(f"`{opt}`" for opt in parameter.opts)
            if option
            else f"`{parameter.metavar or parameter.name.upper()}`"
        )
        default = "" if parameter.default in (None, False) or parameter.required else f"`{parameter.default}`"
        rows.append((name, parameter.help or "", default))
    return rows


def commands(group: Any, prefix: str = "cardrome") -> Iterator[tuple[str, Any]]:
    """Every command by its full name, those of sub-groups included."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{prefix} {name}")
        else:
            yield f"{prefix} {name}", command


def main() -> None:
    """Print the page."""
    print("# The command line\n")
    print("Made by `python docs/make_cli_page.py > docs/cli.md`; a test keeps it up to date.")
    print(
        "[json.md](json.md) describes what `--json` prints, [environment.md](environment.md) the variables that count."
    )
    print("\nExit codes: 0 done, 1 a finding or a failure, 2 wrong use; 130 and 143 stopped by Ctrl-C and SIGTERM;")
    print("141 nobody reads the output any more.")
    for name, command in commands(typer.main.get_command(app)):
        print(f"\n## {name}\n")
        print(inspect.cleandoc(command.help or ""))
        rows = [row for row in parameter_rows(command) if row[0] != "`--help`"]
        if rows:
            print("\n| | | default |\n| --- | --- | --- |")
            for row in rows:
                print(f"| {' | '.join(row)} |")
        examples = [line.strip() for line in (command.epilog or "").splitlines() if line.startswith("  ")]
        print("\n".join(["", "```", *examples, "```"]))


if __name__ == "__main__":
    main()
