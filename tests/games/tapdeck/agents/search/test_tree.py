"""The tree of turns: it grows in rounds, and forgets what it was used for before."""

from __future__ import annotations

import time

import numpy as np

from cardrome.games.tapdeck.agents.registry import TapdeckKernelAgent
from cardrome.games.tapdeck.protocol.game import TapdeckGame
from tests.games.tapdeck.agents.helpers import finish, new_agent, play_turn


def middle_game(seed: int, turns: int = 14) -> TapdeckGame:
    match, agent = TapdeckGame(deck=seed), new_agent("greedy")
    for _ in range(turns):
        play_turn(match, agent)
    return match


def test_rounds_lead_to_the_same_turn() -> None:
    match = middle_game(5)
    at_once = new_agent("search-fast").plan(match.view(0))
    agent = new_agent("search-fast")
    agent.due = time.monotonic(), time.monotonic() + 1e6  # a clock that never stops it
    assert agent.plan(match.view(0)) == at_once


def test_a_clock_that_has_run_out_still_gets_a_turn() -> None:
    match = middle_game(5)
    agent = new_agent("search-max")
    agent.due = 0.0, 0.0
    play_turn(match, agent)
    assert isinstance(agent, TapdeckKernelAgent)
    assert agent.imagined == 0


def test_decisions_depend_on_the_view_alone() -> None:
    # Whatever was searched before, and whatever lies in parts of the state that are not in use.
    used = new_agent("search-fast", 1)
    finish(TapdeckGame(deck=9), used, new_agent("greedy"))
    for seed in range(4):
        match = middle_game(seed)
        plan = new_agent("search-fast", 2).plan(match.view(0))
        assert used.plan(match.view(0)) == plan
        state = match.states[0]
        junk = np.random.default_rng(seed).integers(1, 255, state.creatures[state.n_creatures :].nbytes, np.uint8)
        match.states["creatures"][0, int(state.n_creatures) :] = junk.view(state.creatures.dtype)
        for player in (0, 1):
            match.states["hands"][0, player, int(state.n_hand[player]) :] = 77
        match.decks["cards"]["attack"][0, int(match.decks["n"][0]) :] = 99
        assert used.plan(match.view(0)) == plan
