"""What the tests of the agents share."""

from __future__ import annotations

import numpy as np

from cardrome.games.agents import Agent
from cardrome.games.family import Kernel
from cardrome.games.locm.agents.registry import AGENTS
from cardrome.games.locm.family import FAMILY
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.edition import EDITIONS

INSTANT = [name for name in AGENTS if not name.startswith("search")]
"""Agents that do not search: whole games of theirs take no time."""


def kernels(a: str, b: str) -> tuple[Kernel, Kernel]:
    """Two built-in agents as the bulk path takes them."""
    first, second = AGENTS[a].kernel, AGENTS[b].kernel
    assert first is not None
    assert second is not None
    return first, second


def finish(game: LocmGame, first: Agent, second: Agent) -> LocmGame:
    """Play a game to its end with agents that see views only; every action must be legal."""
    while game.to_move is not None:
        agent = first if game.to_move == 0 else second
        game.push(agent.act(game.view(game.to_move)))
    return game


def play_named(game: LocmGame, first: str, second: str) -> LocmGame:
    """Play a game to its end with built-in agents."""
    return finish(game, AGENTS[first].new(1), AGENTS[second].new(2))


def wins(edition: str, a: str, b: str, pairs: int, seed: int = 0) -> float:
    """The share of games that agent a wins against b."""
    games = FAMILY.play_bulk(EDITIONS[edition], kernels(a, b), np.arange(seed, seed + pairs), jobs=2)
    return float(np.mean(games.winner == 0))
