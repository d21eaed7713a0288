"""What the tests of the agents share."""

from __future__ import annotations

import numpy as np

import cardrome
from cardrome.engine.records import duplicate
from cardrome.games.agents import Agent, take_turn
from cardrome.games.family import Kernel
from cardrome.games.locm.agents.registry import AGENTS, LocmKernelAgent
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


def battle(edition: str, seed: int, moves: int) -> LocmGame:
    """A game of `greedy` some moves after its battle began."""
    game, mover = cardrome.new_game(edition, seed=seed), AGENTS["greedy"].new()
    assert isinstance(game, LocmGame)
    while game.to_move is not None and (game.phase != "battle" or moves > 0):
        moves -= game.phase == "battle"
        game.push(mover.act(game.view(game.to_move)))
    return game


def short_search(edition: str) -> list[int]:
    """A turn of an agent that searches hardly anything."""
    kernel = duplicate(kernels("search-fast", "greedy")[0]).view(np.recarray)
    kernel["budget"][0] = (2, 2, 1, 1, 1, 1, 2, 0.1)
    game = battle(edition, 3, 12)
    return [action.code for action in take_turn(game, LocmKernelAgent(kernel, 5), "short")]


def wins(edition: str, a: str, b: str, pairs: int, seed: int = 0) -> float:
    """The share of games that agent a wins against b."""
    games = FAMILY.play_bulk(EDITIONS[edition], kernels(a, b), np.arange(seed, seed + pairs), jobs=2)
    return float(np.mean(games.winner == 0))
