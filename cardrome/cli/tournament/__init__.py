"""`cardrome tournament`: many bots by a schedule."""

from cardrome.cli.tournament.commands import register

__all__ = ["register"]
