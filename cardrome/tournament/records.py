"""Entrants and single games of a tournament. Many games at once are a `GameTable`."""

from __future__ import annotations

from typing import Literal

import msgspec

from cardrome.arena.players.behaviour import Behaviour
from cardrome.tournament.settings import BotSection

Side = Literal[0, 1]


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """A bot in one version. All results refer to it by its id."""

    id: int
    bot: BotSection
    active: bool
    """Whether the settings file still has the bot in this version."""
    problem: str | None
    """Why it was not admitted; None if it was."""

    @property
    def name(self) -> str:
        """The name to show: with the version, unless that is the first."""
        return self.bot.name if self.bot.version == "1" else f"{self.bot.name} {self.bot.version}"


class GameKey(msgspec.Struct, frozen=True, order=True):
    """Identifies a game: a pair of games of two entrants on one deal, and which of the two."""

    edition: str
    a: int
    b: int
    pair: int
    game: Side
    """0: A has the first turn; 1: B has."""


class PlayedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game with everything that is kept of it."""

    key: GameKey
    seed: int
    """Of its deal."""
    winner: Literal[0, 1, 2]
    """0 for A, 1 for B, `DRAWN`."""
    turns: int
    actions: int
    score_a: int = 0
    score_b: int = 0
    """In families that have scores."""
    ending: int = 0
    """Why it ended, as a place in `cardrome.games.game.ENDINGS`."""
    fault_of: Side | None = None
    """Who lost the game by a fault: 0 for A, 1 for B."""
    fault_kind: str | None = None
    fault_message: str = ""
    behaviours: tuple[Behaviour | None, Behaviour | None] = (None, None)
    """Of A and B if they are programs."""
    stderr: tuple[str, str] = ("", "")
    """The last output of A and B on standard error."""
    replay: bytes | None = None
    """The replay as compressed JSON, if it is kept."""
    finished_at: float
    """Seconds since 1970."""

    @property
    def at_fault(self) -> int | None:
        """The entrant who lost the game by a fault."""
        return None if self.fault_of is None else (self.key.a, self.key.b)[self.fault_of]
