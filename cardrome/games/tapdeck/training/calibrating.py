"""Matches from which chances are calibrated: agents against themselves, and what `analyse` says of some positions."""

from __future__ import annotations

from collections.abc import Callable

from cardrome.engine.random import player_seed
from cardrome.games.agents import take_turn
from cardrome.games.learning.calibration import Rated
from cardrome.games.tapdeck.agents.registry import AGENTS
from cardrome.games.tapdeck.analysis import chance_of, searching_agent
from cardrome.games.tapdeck.family import FAMILY
from cardrome.games.tapdeck.protocol.game import TapdeckGame
from cardrome.games.tapdeck.rules.edition import TapdeckEdition

EVERY = 4
"""One turn in so many is looked at."""
AGENT = "search-fast"


def rater(edition: TapdeckEdition) -> Callable[[int], Rated]:
    """Plays the match of a seed, and rates the ends of some turns."""
    thinker = searching_agent("search")

    def rate(seed: int) -> Rated:
        game = FAMILY.new_game(edition, FAMILY.deal(edition, {"seed": str(seed)}))
        assert isinstance(game, TapdeckGame)
        agents = [AGENTS[AGENT].new(player_seed(seed, seat)) for seat in range(2)]
        found: list[tuple[float, int]] = []
        while (outcome := game.outcome) is None:
            turn, seat = game.turn, game.current
            take_turn(game, agents[seat], AGENT)
            if game.outcome is None and (turn + seed) // 2 % (EVERY // 2) == 0:  # of both players
                found.append((chance_of(thinker, game, seat), seat))
        return [(chance, 0.5 if outcome.winner is None else float(seat == outcome.winner)) for chance, seat in found]

    return rate
