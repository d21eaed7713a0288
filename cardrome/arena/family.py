"""What a series needs to know of a game family: how its pairs are played, and what a game leaves behind."""

from __future__ import annotations

import abc
from collections.abc import Callable, Generator, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from cardrome.arena.openings import Openings
from cardrome.arena.pairs import BotSettings, GameOutcome, PairOutcome

Games = np.recarray[Any, Any]
"""Results of games, two for each pair: records with at least `seed`, `first`, `winner`, `turns` and `actions`."""

Kernel = np.recarray[Any, Any]
"""A built-in agent."""

E = TypeVar("E")
"""The family's editions."""


def deal_seeds(seed: int, pairs: int) -> npt.NDArray[np.int64]:
    """The seeds of a series' deals. They follow from the series' seed alone: a longer series begins with the same."""
    # SplitMix64: the k-th output is a bijective mix of seed + (k + 1) times an odd constant.
    x = np.arange(1, pairs + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed % (1 << 64))
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (x ^ (x >> np.uint64(31))).view(np.int64)


class Family(abc.ABC, Generic[E]):
    """A game family, as a series plays it."""

    name: str
    has_bots = False
    """Programs outside can play in a series."""
    has_draws = False
    """Games can be drawn: half a point for each player."""
    has_scores = False
    """Games end with a score of each player, beside who won."""
    columns: tuple[str, ...] = ("winner", "turns", "actions")
    """What is saved of a game."""
    winners = 2
    """Different values of a finished game's `winner`."""

    def seeds(self, seed: int, pairs: int) -> npt.NDArray[np.int64]:
        """The seeds of a series' deals."""
        return deal_seeds(seed, pairs)

    @abc.abstractmethod
    def blank_results(self, seeds: npt.NDArray[np.int64]) -> Games:
        """Results to be filled in: two games for each seed, A begins the first and B the second."""

    @abc.abstractmethod
    def kernel(self, player: str) -> Kernel | None:
        """The built-in agent that a player's text means; None if he is somebody else, an error if he is nobody."""

    @abc.abstractmethod
    def play_kernels(
        self,
        edition: E,
        kernels: tuple[Kernel, Kernel],
        seeds: npt.NDArray[np.int64],
        jobs: int,
        progress: Callable[[int], None] | None,
    ) -> Games:
        """Play pairs of built-in agents in bulk."""

    @abc.abstractmethod
    def play_others(
        self,
        edition: E,
        players: tuple[str, str],
        seeds: npt.NDArray[np.int64],
        openings: Openings | None,
        start: int,
        jobs: int,
        settings: BotSettings,
    ) -> Generator[PairOutcome, None, None]:
        """Play the pairs from ``start`` on one by one, where a player is Python code or a program."""

    def fill(self, game: Any, outcome: GameOutcome) -> None:
        """Write how a game ended into its result."""
        game.winner, game.turns, game.actions = outcome.winner, outcome.turns, outcome.actions

    def rows(self, games: Games) -> list[tuple[int, ...]]:
        """The columns of games, to be saved."""
        return list(zip(*(games[name].tolist() for name in self.columns), strict=True))

    def restore(self, games: Games, rows: Sequence[tuple[int, ...]]) -> None:
        """Write saved columns into results."""
        for name, column in zip(self.columns, np.array(rows, np.int64).T, strict=True):
            games[name] = column
