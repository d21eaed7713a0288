"""Many games between two built-in agents, without Python in between: the bulk path of every comparison.

Games come in mirrored pairs: the same deal twice, seats swapped. A game depends on its deal's seed and its players
alone, so the results are the same however the pairs are split among threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cardrome.engine.bulk import Table, mirrored_results, play_results
from cardrome.engine.kernel import entry, kernel, large_kernel, record
from cardrome.games.locm.agents.choose import AGENT, DESK, choose_action, player_seed
from cardrome.games.locm.rules.cardgen import WORKSHOP
from cardrome.games.locm.rules.deal import blank_deals
from cardrome.games.locm.rules.deckbuilding import start_game
from cardrome.games.locm.rules.edition import DECK_SIZE, PASS, RULES, Edition
from cardrome.games.locm.rules.entries import apply_action, deal_from_seed
from cardrome.games.locm.rules.state import BATTLE, DEAL, NOBODY, STATE, new_states
from cardrome.games.locm.rules.view import hide_deal, hide_from

MOST_ACTIONS_IN_A_TURN = 64
"""Far more than cards and creatures allow; an agent that gets there is made to pass, so that every game ends."""

GAME_RESULT = record(
    ("seed", "i8"),
    ("first", "i1"),
    ("winner", "i1"),
    ("turns", "i2"),
    ("actions", "i2"),
)
"""One game: its deal's seed; who was player 0, and who won (0 = agent A, 1 = agent B; -1 = not played); battle turns
begun; battle actions taken by both, PASS included."""


@kernel
def look(rules: Any, deals: Any, states: Any, viewer: int) -> None:
    """Make the viewer's view of the state: place 0 of the array holds what is true, place 1 what he knows."""
    states[1] = states[0]
    hide_from(rules, states[1], viewer)


@kernel
def look_at_deal(rules: Any, deals: Any, states: Any) -> None:
    """Make the players' view of the deal, in the same way."""
    deals[1] = deals[0]
    hide_deal(rules, deals[1], states[0])


@large_kernel
def play_game(rules: Any, deals: Any, states: Any, desk: Any, agents: Any, first: int, seed: int) -> int:
    """Play a dealt game to its end; ``agents[first]`` is player 0. Returns the number of battle actions."""
    s = states[0]
    start_game(rules, s)
    random_a, random_b = player_seed(seed, 0), player_seed(seed, 1)
    actions, in_turn, known_round, new_turn = 0, 0, -1, True
    while s.winner == NOBODY:
        seat = int(s.current)
        if new_turn:
            in_turn = 0
            look(rules, deals, states, seat)
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
            actions += 1
            in_turn += 1
            if in_turn >= MOST_ACTIONS_IN_A_TURN:
                action = PASS
        new_turn = False
        for i in range(len(states)):
            # No action reveals a hidden card before the turn ends: until then the view goes on as the state does.
            if not new_turn:
                apply_action(rules, deals[i], states[i], action)
                new_turn = s.current != seat or s.winner != NOBODY
    return actions


@entry(RULES, AGENT, DEAL, STATE, WORKSHOP, DESK, GAME_RESULT, int, int)
def play_range(
    rules: Any, agents: Any, deals: Any, states: Any, work: Any, desks: Any, results: Any, start: int, stop: int
) -> int:
    """Play the games from ``start`` up to ``stop``: each result says which deal, and who begins."""
    r, s = rules[0], states[0]
    for g in range(start, stop):
        result = results[g]
        seed, first = int(result.seed), int(result.first)
        deal_from_seed(r, deals[0], work[0], seed)
        result.actions = play_game(r, deals, states, desks[0], agents, first, seed)
        result.turns = s.turn + 1
        result.winner = int(s.winner) ^ first
    return 0


def blank_results(seeds: np.ndarray[Any, Any]) -> np.recarray[Any, Any]:
    """Results to be filled in: two games for each seed, A begins the first and B the second."""
    return mirrored_results(GAME_RESULT, seeds)


def play_pairs(
    edition: Edition,
    agent_a: np.recarray[Any, Any],
    agent_b: np.recarray[Any, Any],
    seeds: np.ndarray[Any, Any],
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> np.recarray[Any, Any]:
    """Play a mirrored pair of games for each deal seed; games 2k and 2k+1 of the result are those of seed k.

    Agents are given as arrays of one `AGENT` record (`find_agent(name).kernel`). ``progress`` is told, in the calling
    thread, how many pairs are finished. Ctrl-C raises `Interrupted` with the finished games.
    """
    results = blank_results(np.asarray(seeds, np.int64))
    agents = np.concatenate([agent_a, agent_b])
    play_results(results, lambda: _table(edition, agents, results), jobs, progress)
    return results


def _table(edition: Edition, agents: np.ndarray[Any, Any], results: np.recarray[Any, Any]) -> Table:
    """A place to play at: `play_range` with memory of its own."""
    return play_range.bind(
        edition.rules,
        agents,
        blank_deals(edition, 2),
        new_states(4)[1:3],  # with room to both sides: threads that write to one cache line slow each other down
        np.zeros(1, WORKSHOP),
        np.zeros(1, DESK),
        results,
    )
