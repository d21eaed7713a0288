"""What a game has to say about the programs that play it, for `check-bot`: are their answers right, and if not, why?"""

from __future__ import annotations

import abc
import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from cardrome.games.replays import Call, ProgramRecorder


class Severity(enum.StrEnum):
    """How serious a fault is."""

    ERROR = "error"
    """It loses the game, or puts questions and answers out of step."""
    WARNING = "warning"
    """It loses nothing by itself, but is probably not what the bot's author wants."""
    NOTE = "note"
    """Good to know."""


Kinds = Mapping[str, tuple[Severity, str]]
"""Kinds of fault by name: how serious each is, and what it means."""


def kinds(errors: Mapping[str, str], warnings: Mapping[str, str], notes: Mapping[str, str]) -> Kinds:
    """Kinds of fault, given as names and meanings."""
    grades = zip(Severity, (errors, warnings, notes), strict=True)
    return {kind: (severity, meaning) for severity, group in grades for kind, meaning in group.items()}


@dataclass(frozen=True, slots=True)
class Remark:
    """One fault in one answer: its kind, what exactly is wrong, and what would be right."""

    kind: str
    message: str
    expected: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What there is to say about an answer."""

    readable: bool
    """The referee understands the line. One that it does not understand loses the game."""
    remarks: tuple[Remark, ...] = ()
    actions: int = 0
    """Actions that were carried out."""


class Examiner(abc.ABC):
    """Judges the answers of programs that play an edition, and sets up positions that are hard on them."""

    kinds: ClassVar[Kinds]
    """Every kind of remark that it makes."""
    edges: ClassVar[tuple[str, ...]] = ()
    """The names of rare positions, to play some turns from."""
    opponents: ClassVar[tuple[str, ...]]
    """Built-in agents to play against, in turn."""

    @abc.abstractmethod
    def judge(self, game: Any, call: Call, line: str) -> Judgement:
        """Judge an answer to a call. In the game, which stays as it is, the player who was asked is to move."""

    @abc.abstractmethod
    def edge(self, name: str, game: Any, seat: int) -> ProgramRecorder | None:
        """A game that goes on from the rare position of that name, with the program in that seat to move.

        It is set up with what ``game`` has at the start of its battle. None if the edition has no such position.
        """


def shown(text: str) -> str:
    """What a program wrote, as a message can show it."""
    return repr(text if len(text) <= 120 else text[:117] + "...")
