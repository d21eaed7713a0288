"""`cardrome play`: a person against an agent, in the terminal."""

from cardrome.cli.play.commands import register

__all__ = ["register"]
