"""Many matches between two built-in agents, without Python in between: the bulk path of every comparison.

Matches come in mirrored pairs: the same deck twice, with the other player having the first turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cardrome.engine.bulk import DRAWN, Table, mirrored_results, play_results
from cardrome.engine.kernel import entry, large_kernel, record
from cardrome.games.tapdeck.agents.choose import AGENT, DESK, plan_turn, player_seed
from cardrome.games.tapdeck.rules.cards import DECK, blank_deck
from cardrome.games.tapdeck.rules.deckgen import generate_deck
from cardrome.games.tapdeck.rules.edition import RULES, TapdeckEdition
from cardrome.games.tapdeck.rules.entries import apply_action
from cardrome.games.tapdeck.rules.scoring import match_score
from cardrome.games.tapdeck.rules.state import PLAYING, STATE, new_states
from cardrome.games.tapdeck.rules.turn import start_match

GAME_RESULT = record(
    ("seed", "i8"),
    ("score_a", "i4"),
    ("score_b", "i4"),
    ("actions", "i4"),
    ("turns", "i2"),
    ("first", "i1"),
    ("winner", "i1"),
)
"""One match: its deck's seed; the scores of A and B; actions of both, END_TURN included; turns begun; who had the first
turn, and who won (0 = agent A, 1 = agent B, 2 = a draw, -1 = not played)."""


@large_kernel
def play_match(rules: Any, deck: Any, s: Any, desk: Any, agents: Any, first: int, seed: int) -> int:
    """Play a match to its end; ``agents[first]`` has the first turn. Returns the number of actions."""
    start_match(rules, s)
    random_a, random_b = player_seed(seed, 0), player_seed(seed, 1)
    actions = 0
    while s.ending == PLAYING:
        player = int(s.current) ^ first
        random = plan_turn(agents[player], rules, deck, s, desk, random_a if player == 0 else random_b)
        if player == 0:
            random_a = random
        else:
            random_b = random
        plan = desk.plan
        for k in range(plan.n):
            if s.ending == PLAYING:
                apply_action(rules, deck, s, int(plan.codes[k]))
                actions += 1
    return actions


@entry(RULES, AGENT, DECK, STATE, DESK, GAME_RESULT, int, int, int)
def play_range(
    rules: Any, agents: Any, decks: Any, states: Any, desks: Any, results: Any, cards: int, start: int, stop: int
) -> int:
    """Play the matches from ``start`` up to ``stop``: each result says which deck, and who begins."""
    r, deck, s = rules[0], decks[0], states[0]
    for g in range(start, stop):
        result = results[g]
        seed, first = int(result.seed), int(result.first)
        generate_deck(deck, cards, seed)
        result.actions = play_match(r, deck, s, desks[0], agents, first, seed)
        # The last turn of a match that its turns ended is counted already.
        result.turns = min(int(s.turn) + 1, int(r.turns))
        mine, theirs = int(s.health[first]), int(s.health[1 - first])
        a, b = match_score(r, mine, theirs), match_score(r, theirs, mine)
        result.score_a = a
        result.score_b = b
        result.winner = 0 if a > b else 1 if b > a else DRAWN
    return 0


def blank_results(seeds: np.ndarray[Any, Any]) -> np.recarray[Any, Any]:
    """Results to be filled in: two matches for each seed, A begins the first and B the second."""
    return mirrored_results(GAME_RESULT, seeds)


def play_pairs(
    edition: TapdeckEdition,
    agent_a: np.recarray[Any, Any],
    agent_b: np.recarray[Any, Any],
    seeds: np.ndarray[Any, Any],
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> np.recarray[Any, Any]:
    """Play a mirrored pair of matches for each deck seed; matches 2k and 2k+1 of the result are those of seed k.

    Agents are given as arrays of one `AGENT` record (`find_tapdeck_agent(name).kernel`). ``progress`` is told, in the
    calling thread, how many pairs are finished. Ctrl-C raises `Interrupted` with the finished matches.
    """
    results = blank_results(np.asarray(seeds, np.int64))
    agents = np.concatenate([agent_a, agent_b])
    play_results(results, lambda: _table(edition, agents, results), jobs, progress)
    return results


def _table(edition: TapdeckEdition, agents: np.ndarray[Any, Any], results: np.recarray[Any, Any]) -> Table:
    """A place to play at: `play_range` with memory of its own."""
    play = play_range.bind(edition.rules, agents, blank_deck(), new_states(), np.zeros(1, DESK), results)
    return lambda start, stop: play(edition.deck_size, start, stop)
