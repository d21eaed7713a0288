"""All errors that the package raises: one tree, in which each class says whose fault it is.

`CallerError`: the person or program that called us gave us something we cannot use (exit code 2 on the command line).
`BotError`: a bot broke the rules of the protocol; it loses its game, and nothing else happens.
`InfrastructureFault`: the machine failed; the work is repeated.
Anything else that escapes is a bug.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class CardromeError(Exception):
    """The root of all errors of the package."""


class CallerError(CardromeError, ValueError):
    """The caller's fault: a wrong name, a wrong file, a wrong number."""


class UnknownName(CallerError):
    """A name that is not known; the message suggests similar ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.name = name
        names = list(known)
        near = difflib.get_close_matches(name, names, n=3, cutoff=0.4)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(names)}"
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class UnknownEdition(UnknownName):
    """No edition has this name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__("edition", name, known)


class UnknownAgent(UnknownName):
    """No built-in agent has this name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__("agent", name, known)


class InvalidDeal(CallerError):
    """Deal parameters that no referee would accept."""


class UnknownParameter(UnknownName, InvalidDeal):
    """No deal parameter of the edition has this name."""

    def __init__(self, edition: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"deal parameter of {edition}", name, known)


class InvalidPosition(CallerError):
    """Data that does not describe a possible position; the message names the place that is wrong."""


class IllegalAction(CallerError):
    """An action that the rules do not allow in this state."""


class InvalidRecording(CallerError):
    """A recorded game that cannot be read; the message names the file and the line."""


class InfrastructureFault(CardromeError):
    """No player's fault: a worker died, a disk is full, the machine is short of memory. Games are repeated."""


class BotError(CardromeError):
    """The bot's fault: it loses the game."""

    kind = "error"


class SyntaxFault(BotError):
    """An answer line that the original referee would not have understood."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        super().__init__(message)


class BotFailure(BotError):
    """A bot's process failed: it was late, ended, wrote endless output, or could not be started."""

    def __init__(self, kind: str, message: str, exit_code: int | None = None, stderr: str = "") -> None:
        self.kind = kind
        self.exit_code = exit_code
        self.stderr = stderr
        super().__init__(message)
