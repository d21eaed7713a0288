"""The game families there are, and all editions by name."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import numpy as np
import numpy.typing as npt

from cardrome.arena.family import Family, Games, Kernel, deal_seeds
from cardrome.arena.openings import Openings
from cardrome.arena.pairs import BotSettings, GameOutcome, PairOutcome, play_each
from cardrome.arena.players.player import is_bot
from cardrome.arena.tapdeck_pairs import play_tapdeck_pairs
from cardrome.engine.bulk import DRAWN
from cardrome.errors import CallerError, UnknownEdition
from cardrome.games.locm.agents import batch as locm
from cardrome.games.locm.agents.registry import find_agent
from cardrome.games.locm.rules.deal import Deal
from cardrome.games.locm.rules.edition import EDITIONS, Edition
from cardrome.games.tapdeck.agents import batch as tapdeck
from cardrome.games.tapdeck.agents.registry import TAPDECK_AGENTS, find_tapdeck_agent
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition

_DECK_SEED = (1 << 62) - 1
"""The greatest seed of a deck."""


class LocmFamily(Family[Edition]):
    """Legends of Code and Magic."""

    name = "locm"
    has_bots = True

    def blank_results(self, seeds: npt.NDArray[np.int64]) -> Games:
        """Results to be filled in."""
        return locm.blank_results(seeds)

    def kernel(self, player: str) -> Kernel | None:
        """The built-in agent; None for a bot or a class."""
        return None if is_bot(player) else find_agent(player).kernel

    def play_kernels(
        self,
        edition: Edition,
        kernels: tuple[Kernel, Kernel],
        seeds: npt.NDArray[np.int64],
        jobs: int,
        progress: Callable[[int], None] | None,
    ) -> Games:
        """Play pairs of built-in agents in bulk."""
        return locm.play_pairs(edition, *kernels, seeds, jobs, progress)

    def play_others(
        self,
        edition: Edition,
        players: tuple[str, str],
        seeds: npt.NDArray[np.int64],
        openings: Openings | None,
        start: int,
        jobs: int,
        settings: BotSettings,
    ) -> Generator[PairOutcome, None, None]:
        """Play pairs on deals of a book, or of the seeds."""
        pairs = range(start, len(seeds))
        deals = (Deal(int(seeds[k])) if openings is None else openings.deal(k) for k in pairs)
        return play_each(edition.name, players, deals, jobs, settings)


class TapdeckFamily(Family[TapdeckEdition]):
    """Tapdeck."""

    name = "tapdeck"
    has_draws = True
    has_scores = True
    columns = ("winner", "turns", "actions", "score_a", "score_b")
    winners = DRAWN + 1

    def seeds(self, seed: int, pairs: int) -> npt.NDArray[np.int64]:
        """The seeds of a series' decks."""
        return deal_seeds(seed, pairs) & _DECK_SEED

    def blank_results(self, seeds: npt.NDArray[np.int64]) -> Games:
        """Results to be filled in."""
        return tapdeck.blank_results(seeds)

    def kernel(self, player: str) -> Kernel | None:
        """The built-in agent; None for a class."""
        if player not in TAPDECK_AGENTS and is_bot(player):
            raise CallerError(
                f"player {player!r}: Tapdeck bots are TCP clients, which `cardrome host` lets play; "
                f"here a player is one of {', '.join(TAPDECK_AGENTS)}, or module:Class"
            )
        return find_tapdeck_agent(player).kernel

    def play_kernels(
        self,
        edition: TapdeckEdition,
        kernels: tuple[Kernel, Kernel],
        seeds: npt.NDArray[np.int64],
        jobs: int,
        progress: Callable[[int], None] | None,
    ) -> Games:
        """Play pairs of built-in agents in bulk."""
        return tapdeck.play_pairs(edition, *kernels, seeds, jobs, progress)

    def play_others(
        self,
        edition: TapdeckEdition,
        players: tuple[str, str],
        seeds: npt.NDArray[np.int64],
        openings: Openings | None,
        start: int,
        jobs: int,
        settings: BotSettings,
    ) -> Generator[PairOutcome, None, None]:
        """Play pairs with an agent that is Python code."""
        return play_tapdeck_pairs(edition, players, seeds[start:].tolist(), jobs)

    def fill(self, game: Any, outcome: GameOutcome) -> None:
        """Write how a match ended into its result, scores included."""
        super().fill(game, outcome)
        assert outcome.scores is not None
        game.score_a, game.score_b = outcome.scores


LOCM, TAPDECK_FAMILY = LocmFamily(), TapdeckFamily()


def find_any_edition(name: str) -> Edition | TapdeckEdition:
    """The edition of that name, of any family."""
    if name == TAPDECK.name:
        return TAPDECK
    try:
        return EDITIONS[name]
    except KeyError:
        raise UnknownEdition(name, [*EDITIONS, TAPDECK.name]) from None


def family_of(edition: Edition | TapdeckEdition) -> Family[Any]:
    """The family that an edition belongs to."""
    return TAPDECK_FAMILY if isinstance(edition, TapdeckEdition) else LOCM
