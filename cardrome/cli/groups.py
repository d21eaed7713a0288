"""Command groups whose main command needs no name."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup


class FileOrCommand(TyperGroup):
    """`cardrome host EVENT.toml` means `cardrome host run EVENT.toml`: what is no command is a file."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the words mean."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            args = ["run", *args]
        return super().resolve_command(ctx, args)
