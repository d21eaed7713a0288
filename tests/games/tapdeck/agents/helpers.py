"""What the tests of the agents share."""

from __future__ import annotations

import numpy as np

from cardrome.engine.records import duplicate
from cardrome.games.agents import Agent, AgentKind, kernel_kind
from cardrome.games.family import Kernel
from cardrome.games.tapdeck.agents.registry import AGENTS, TapdeckKernelAgent, rule_based_kind
from cardrome.games.tapdeck.family import FAMILY
from cardrome.games.tapdeck.protocol.game import TapdeckGame
from cardrome.games.tapdeck.rules.actions import END_TURN, action_kind
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition


def tree_kind(root: tuple[int, ...], inner: tuple[int, ...], turns: int) -> AgentKind:
    """A search with other efforts than the built-in ones."""
    kernel = AGENTS["search"].kernel
    assert kernel is not None
    kernel = duplicate(kernel)
    kernel["search"] = (root, inner, turns, 0.1, 0.5)
    return kernel_kind("search", "", TapdeckKernelAgent, kernel)


KINDS = {
    **AGENTS,
    "quick": rule_based_kind(60, 2, 1),
    "tiny": rule_based_kind(4, 1, 1),
    "twig": tree_kind((12, 2, 2, 3), (5, 2, 2, 2), 2),
}
"""The built-in agents, and some that think little."""


def kernels(a: str, b: str) -> tuple[Kernel, Kernel]:
    """Two agents as the bulk path takes them."""
    first, second = KINDS[a].kernel, KINDS[b].kernel
    assert first is not None
    assert second is not None
    return first, second


def new_agent(name: str, seed: int = 0) -> Agent:
    """An agent, ready for a match."""
    return KINDS[name].new(seed)


def play_turn(match: TapdeckGame, agent: Agent) -> list[int]:
    """Let an agent play its turn; every action must be legal, and the end of the turn the last."""
    player = match.to_move
    assert player is not None
    codes = [match.code_of(choice) for choice in agent.plan(match.view(player))]
    assert [action_kind(code) for code in codes].count(END_TURN) == 1
    assert action_kind(codes[-1]) == END_TURN
    done = []
    for code in codes:
        if match.outcome is None:
            assert code in match.legal_codes()
            assert match.try_play(code)
            done.append(code)
    return done


def finish(match: TapdeckGame, first: Agent, second: Agent) -> list[int]:
    """Play a match to its end; returns all actions."""
    codes = []
    while match.to_move is not None:
        codes += play_turn(match, first if match.to_move == 0 else second)
    return codes


def points(a: str, b: str, pairs: int, seed: int = 0, edition: TapdeckEdition = TAPDECK) -> float:
    """The share of points that agent a makes against b."""
    games = FAMILY.play_bulk(edition, kernels(a, b), np.arange(seed, seed + pairs), jobs=2)
    return float(np.mean((games.winner == 0) + (games.winner == 2) / 2))
