"""What the tests of the agents share."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardrome.games.agents import Agent
from cardrome.games.locm.agents.batch import play_pairs
from cardrome.games.locm.agents.registry import AGENTS
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.edition import EDITIONS


def kernel(name: str) -> np.recarray[Any, Any]:
    """A built-in agent as the bulk path takes it."""
    array = AGENTS[name].kernel
    assert array is not None
    return array


def finish(game: LocmGame, first: Agent, second: Agent) -> LocmGame:
    """Play a game to its end with agents that see views only; every action must be legal."""
    while game.to_move is not None:
        agent = first if game.to_move == 0 else second
        game.play(agent.act(game.view(game.to_move)))
    return game


def play_named(game: LocmGame, first: str, second: str) -> LocmGame:
    """Play a game to its end with built-in agents."""
    return finish(game, AGENTS[first].new(1), AGENTS[second].new(2))


def wins(edition: str, a: str, b: str, pairs: int, seed: int = 0) -> float:
    """The share of games that agent a wins against b."""
    results = play_pairs(EDITIONS[edition], kernel(a), kernel(b), np.arange(seed, seed + pairs), jobs=2)
    return float(np.mean(results.winner == 0))
