"""What the tests of the agents share."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardrome.games.agents import Agent
from cardrome.games.tapdeck.agents.batch import play_pairs
from cardrome.games.tapdeck.agents.registry import AGENTS, searching_kind
from cardrome.games.tapdeck.protocol.game import TapdeckGame
from cardrome.games.tapdeck.rules.actions import END_TURN, action_kind
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition

KINDS = {**AGENTS, "quick": searching_kind(60, 2, 1), "tiny": searching_kind(4, 1, 1)}
"""The built-in agents, and searches that think little."""


def kernel(name: str) -> np.recarray[Any, Any]:
    """An agent as the bulk path takes it."""
    array = KINDS[name].kernel
    assert array is not None
    return array


def new_agent(name: str, seed: int = 0) -> Agent:
    """An agent, ready for a match."""
    return KINDS[name].new(seed)


def play_turn(match: TapdeckGame, agent: Agent) -> list[int]:
    """Let an agent play its turn; every action must be legal, and the end of the turn the last."""
    codes = agent.plan(match.edition, match.deck, match.states)
    assert [action_kind(code) for code in codes].count(END_TURN) == 1
    assert action_kind(codes[-1]) == END_TURN
    done = []
    for code in codes:
        if match.outcome is None:
            assert code in match.legal_codes()
            assert match.act(code) == 0
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
    results = play_pairs(edition, kernel(a), kernel(b), np.arange(seed, seed + pairs), jobs=2)
    return float(np.mean((results.winner == 0) + (results.winner == 2) / 2))
