"""Kernels for measurements and property tests: each does one thing over and over."""

from __future__ import annotations

import numpy as np

from cardrome.engine.kernel import entry
from cardrome.engine.random import below, step
from cardrome.engine.records import Integers, Records
from cardrome.games.locm.agents.registry import AgentRecord, Desk
from cardrome.games.locm.agents.search.turn import search_turn
from cardrome.games.locm.rules.actions import write_mask
from cardrome.games.locm.rules.battle import apply_battle
from cardrome.games.locm.rules.cardgen import Workshop
from cardrome.games.locm.rules.deal import deal_from_seed
from cardrome.games.locm.rules.deckbuilding import choose, start_game
from cardrome.games.locm.rules.edition import Rules
from cardrome.games.locm.rules.legal import random_battle_action, random_choice
from cardrome.games.locm.rules.state import BATTLE, NOBODY, DealRecord, State


@entry(Rules, DealRecord, State, Workshop, int, int)
def play_random_games(
    rules: Records[Rules],
    deals: Records[DealRecord],
    states: Records[State],
    work: Records[Workshop],
    games: int,
    seed: int,
) -> int:
    """Play whole games, deal and deck building included, with uniformly random actions; returns the battle actions."""
    deal = deals[0]
    s = states[0]
    r = rules[0]
    random = step(seed)
    actions = 0
    for g in range(games):
        deal_from_seed(r, deal, work[0], seed + g)
        start_game(r, s)
        while s.phase != BATTLE:
            random, k = random_choice(r, deal, s, random)
            choose(r, deal, s, k)
        while s.winner == NOBODY:
            random, action = random_battle_action(r, deal, s, random)
            apply_battle(r, deal, s, action)
            actions += 1
    return actions


@entry(Rules, DealRecord, State, np.int16, np.uint8, int)
def mask_many(
    rules: Records[Rules],
    deals: Records[DealRecord],
    states: Records[State],
    codes: Integers,
    mask: Integers,
    times: int,
) -> int:
    """Write the mask of each of the states over and over: what one mask costs, measured."""
    check = 0
    for k in range(times):
        check += write_mask(rules[0], deals[0], states[k % len(states)], codes, mask)
    return check


@entry(np.int8, np.int64, np.int64)
def pick_legal(masks: Integers, actions: Integers, random: Integers) -> int:
    """Choose a legal action at random for each row of masks; the state in ``random`` moves on."""
    state, width = int(random[0]), len(masks) // len(actions)
    for g in range(len(actions)):
        legal = 0
        for k in range(g * width, (g + 1) * width):
            legal += int(masks[k] != 0)
        state, left = below(state, legal)
        for k in range(width):
            if masks[g * width + k]:
                if left == 0:
                    actions[g] = k
                left -= 1
    random[0] = state
    return 0


@entry(State, int, int, int)
def copy_many(states: Records[State], source: int, target: int, times: int) -> int:
    """Copy a state over and over to ``target`` and the places behind it: what one copy costs, measured."""
    check = 0
    for i in range(times):
        place = target + i % 32
        states[place] = states[source]
        check += states[place].turn
    return check


@entry(AgentRecord, Rules, DealRecord, State, Desk, int, int)
def search_many(
    agents: Records[AgentRecord],
    rules: Records[Rules],
    deals: Records[DealRecord],
    views: Records[State],
    desks: Records[Desk],
    width: int,
    times: int,
) -> int:
    """Search the turns of some views over and over, for their best lines; returns the positions looked at."""
    desk = desks[0]
    t = desk.search.turn
    before = int(t.nodes)
    for k in range(times):
        view = views[k % len(views)]
        search_turn(desk.brains[0], agents[0].weights, rules[0], deals[0], view, t, desk.search.mind, width, 64)
    return int(t.nodes) - before
