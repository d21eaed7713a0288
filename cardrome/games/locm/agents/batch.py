"""Many games between two built-in agents, without Python in between: the bulk path of every comparison.

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
from cardrome.games.locm.agents.registry import AgentRecord, Desk, choose_action
from cardrome.games.locm.rules.actions import apply_action
from cardrome.games.locm.rules.cardgen import Workshop
from cardrome.games.locm.rules.deal import blank_deals, deal_from_seed
from cardrome.games.locm.rules.deckbuilding import start_game
from cardrome.games.locm.rules.edition import DECK_SIZE, PASS, LocmEdition, Rules
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
def look_at_deal(rules: Rules, deals: Records[DealRecord], states: Records[State]) -> None:
    """Make the players' view of the deal, in the same way."""
    deals[1] = deals[0]
    hide_deal(rules, deals[1], states[0])


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
    actions, in_turn, known_round, new_turn = 0, 0, -1, True
    seat = 0
    while s.winner == NOBODY:
        seat = int(s.current)
        if new_turn:
            in_turn = 0
            look(rules, states, seat)
            # What a player knows of the deal changes with the draft rounds, and is the same for both in a round.
            known = DECK_SIZE if s.phase == BATTLE else int(s.players[seat].n_deck)
            if known != known_round:
                known_round = known
                look_at_deal(rules, deals, states)
        player = seat ^ first
        random = random_a if player == 0 else random_b
        random, action = choose_action(agents[player], rules, deals[1], states[1], desk, random)
        if player == 0:
            random_a = random
        else:
            random_b = random
        if s.phase == BATTLE:
            in_turn += 1
            if in_turn >= MOST_ACTIONS_IN_A_TURN:
                action = PASS
            actions += action != PASS
        new_turn = False
        for i in range(len(states)):
            # No action reveals a hidden card before the turn ends: until then the view goes on as the state does.
            if not new_turn:
                apply_action(rules, deals[i], states[i], action)
                new_turn = s.current != seat or s.winner != NOBODY
    # Whoever dies at the start of their own turn dies of a card that they could not draw.
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


def bulk_player(edition: LocmEdition, agents: np.ndarray[Any, Any], games: Games) -> PlayRange:
    """`play_range` with memory of its own."""
    return play_range.bind(
        edition.rules,
        agents,
        blank_deals(edition, 2),
        new_states(4)[1:3],  # with room to both sides: threads that write to one cache line slow each other down
        new_records(Workshop),
        new_records(Desk),
        games,
    )
