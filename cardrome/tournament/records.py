"""What a tournament's store takes and gives."""

from __future__ import annotations

from typing import Literal

import msgspec

from cardrome.tournament.settings import BotSection

Side = Literal[0, 1]
DRAW = 2
"""The winner of a game that nobody won."""

TIME_BINS = 16
"""Answers are counted by their time: under 1 ms, under 2, under 4 and so on; the last bin holds all longer ones."""


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """A bot in one version. Its id stands for it in all results."""

    id: int
    bot: BotSection
    active: bool
    """Whether it is still in the settings file, in this version."""
    problem: str | None
    """Why it was not admitted; None if it was."""

    @property
    def name(self) -> str:
        """How it is shown: with its version, if that is not the first."""
        return self.bot.name if self.bot.version == "1" else f"{self.bot.name} {self.bot.version}"


class GameKey(msgspec.Struct, frozen=True, order=True):
    """Which game: two entrants' pair of games on one deal, and which of the two."""

    edition: str
    a: int
    b: int
    pair: int
    game: Side
    """0: A has the first turn; 1: B has."""


class Conduct(msgspec.Struct, frozen=True):
    """How a program behaved in a game."""

    answers: int
    total_ms: int
    worst_ms: int
    """The slowest answer, the first of the game left out: that one contains the start of the program."""
    first_ms: int
    times: tuple[int, ...]
    """Answers by time, `TIME_BINS` counts, the first of the game left out."""
    stderr: str = ""
    """The last of what it wrote to standard error."""


class GameRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game."""

    key: GameKey
    seed: int
    """Of its deal."""
    winner: Literal[0, 1, 2]
    """0 for A, 1 for B, 2 for a draw."""
    turns: int
    actions: int
    score_a: int | None = None
    score_b: int | None = None
    """In families that have scores."""
    fault_of: Side | None = None
    """Who lost the game by a fault: 0 for A, 1 for B."""
    fault_kind: str | None = None
    fault_message: str = ""
    conduct_a: Conduct | None = None
    conduct_b: Conduct | None = None
    """Of programs; None for agents."""
    replay: bytes | None = None
    """The replay as packed JSON, where it is kept."""
    finished_at: float
    """Seconds since 1970."""
