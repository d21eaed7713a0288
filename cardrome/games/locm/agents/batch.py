"""Many games between two built-in agents, all in compiled code: the bulk path of every comparison.

Games come in mirrored pairs: the same deal twice, seats swapped. A game depends on its deal's seed and its players
alone, so the results are the same however the pairs are split among threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardrome.engine.bulk import GameFacts, Games, PlayRange
from cardrome.engine.kernel import entry, kernel, large_kernel
from cardrome.engine.random import player_seed
from cardrome.engine.records import Records, new_records
from cardrome.games.game import ENDINGS, Ending
from cardrome.games.locm.agents.registry import (
    ALL_STEPS,
    RANDOM,
    AgentRecord,
    Desk,
    choose_action,
    choose_random,
    new_desks,
    prepare,
)
from cardrome.games.locm.agents.search.brain import Brain
from cardrome.games.locm.rules.actions import apply_action
from cardrome.games.locm.rules.cardgen import Workshop
from cardrome.games.locm.rules.deal import blank_deals, deal_from_seed
from cardrome.games.locm.rules.deckbuilding import start_game
from cardrome.games.locm.rules.edition import PASS, LocmEdition, Rules
from cardrome.games.locm.rules.state import BATTLE, NOBODY, DealRecord, State, new_states
from cardrome.games.locm.rules.view import hide_deal, hide_from

MOST_ACTIONS_IN_A_TURN = 64
"""Far more than cards and creatures allow; an agent that gets there is made to pass, so that every game ends."""

BY_HEALTH, BY_DRAW = ENDINGS.index(Ending.HEALTH), ENDINGS.index(Ending.DRAW)


@kernel
def look(rules: Rules, states: Records[State], viewer: int) -> None:
    """Make the viewer's view of the state: place 0 of the array holds what is true, place 1 what they know."""
    states[1] = states[0]
    hide_from(rules, states[1], viewer)


@kernel
def look_at_deal(rules: Rules, deals: Records[DealRecord], s: State) -> None:
    """Make the players' view of the deal, in the same way: at their first look, then round by round of the draft."""
    t = int(s.players[s.current].n_deck)
    if s.phase == BATTLE or t == 0:
        deals[1] = deals[0]
        hide_deal(rules, deals[1], s)
    else:
        for k in range(rules.offer_size):
            deals[1].offers[t, k] = deals[0].offers[t, k]


@large_kernel
def play_turn(
    rules: Rules,
    deals: Records[DealRecord],
    states: Records[State],
    desk: Desk,
    agent: AgentRecord,
    random: int,
) -> tuple[int, int]:
    """Let an agent act until it is the other's turn, or the game is over.

    Place 0 of deals and states holds what is true, place 1 what the agent knows. Returns the next state of the agent's
    generator, and the battle actions taken.
    """
    s = states[0]
    seat, battle, in_turn = int(s.current), s.phase == BATTLE, 0
    if agent.kind == RANDOM:  # no need to look: what is legal depends on nothing hidden
        while s.current == seat and s.winner == NOBODY:
            random, action = choose_random(rules, deals[0], s, random)
            apply_action(rules, deals[0], s, action)
            in_turn += 1
        return random, in_turn - (s.current != seat) if battle else 0
    look(rules, states, seat)
    if not battle or s.turn < 2:  # in battle, what players know of the deal does not change any more
        look_at_deal(rules, deals, s)
    actions = 0
    while s.current == seat and s.winner == NOBODY:
        random, action = choose_action(agent, rules, deals[1], states[1], desk, random, ALL_STEPS)
        in_turn += 1
        if battle:
            if in_turn >= MOST_ACTIONS_IN_A_TURN:
                action = PASS
            actions += action != PASS
        apply_action(rules, deals[0], s, action)
        # No action reveals a hidden card before the turn ends: until then the view goes on as the state does.
        if s.current == seat and s.winner == NOBODY:
            apply_action(rules, deals[1], states[1], action)
    return random, actions


@large_kernel
def play_game(
    rules: Rules,
    deals: Records[DealRecord],
    states: Records[State],
    desk: Desk,
    agents: Records[AgentRecord],
    first: int,
    seed: int,
) -> tuple[int, int]:
    """Play a dealt game to its end; ``agents[first]`` is player 0. Returns how many actions it took, and the ending."""
    s = states[0]
    start_game(rules, s)
    random_a, random_b = player_seed(seed, 0), player_seed(seed, 1)
    actions, seat = 0, 0
    while s.winner == NOBODY:
        seat = int(s.current)
        player = seat ^ first
        random, taken = play_turn(rules, deals, states, desk, agents[player], random_a if player == 0 else random_b)
        if player == 0:
            random_a = random
        else:
            random_b = random
        actions += taken
    # Only a card that cannot be drawn kills a player at the start of their own turn.
    return actions, BY_DRAW if s.current != seat and s.winner != s.current else BY_HEALTH


@entry(Rules, AgentRecord, DealRecord, State, Workshop, Desk, GameFacts, int, int)
def play_range(
    rules: Records[Rules],
    agents: Records[AgentRecord],
    deals: Records[DealRecord],
    states: Records[State],
    work: Records[Workshop],
    desks: Records[Desk],
    games: Records[GameFacts],
    start: int,
    stop: int,
) -> int:
    """Play the games from ``start`` up to ``stop``: each says which deal, and who begins."""
    r, s = rules[0], states[0]
    for g in range(start, stop):
        game = games[g]
        seed, first = int(game.seed), int(game.first)
        deal_from_seed(r, deals[0], work[0], seed)
        game.actions, game.ending = play_game(r, deals, states, desks[0], agents, first, seed)
        game.turns = s.turn + 1
        winner = int(s.winner) ^ first
        game.score_a = 1 - winner
        game.score_b = winner
        game.winner = winner
    return 0


def bulk_player(
    edition: LocmEdition, agents: np.ndarray[Any, Any], games: Games, brains: Records[Brain] | None = None
) -> PlayRange:
    """`play_range` with memory of its own. Brains other than the edition's are given to be compared."""
    desks = new_desks(edition)
    if brains is not None:
        desks["brains"] = brains
    prepare(agents)
    return play_range.bind(
        edition.rules,
        agents,
        blank_deals(edition, 2),
        new_states(4)[1:3],  # with room to both sides: threads that write to one cache line slow each other down
        new_records(Workshop),
        desks,
        games,
    )
