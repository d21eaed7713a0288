"""Many matches between two built-in agents, all in compiled code: the bulk path of every comparison.

Matches come in mirrored pairs: the same deck twice, with the other player having the first turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardrome.engine.bulk import DRAWN, GameFacts, Games, PlayRange
from cardrome.engine.kernel import entry, large_kernel
from cardrome.engine.random import player_seed
from cardrome.engine.records import Records
from cardrome.games.game import ENDINGS, Ending
from cardrome.games.tapdeck.agents.registry import AgentRecord, Desk, new_desks, plan_turn, prepare
from cardrome.games.tapdeck.agents.search.brain import Brain
from cardrome.games.tapdeck.rules.actions import END_TURN, action_kind
from cardrome.games.tapdeck.rules.cards import Deck, blank_deck
from cardrome.games.tapdeck.rules.deckgen import generate_deck
from cardrome.games.tapdeck.rules.edition import Rules, TapdeckEdition
from cardrome.games.tapdeck.rules.scoring import match_score
from cardrome.games.tapdeck.rules.state import BY_HEALTH, PLAYING, State, new_states, turns_begun
from cardrome.games.tapdeck.rules.turn import apply_action, start_match

ON_HEALTH, ON_TURNS = ENDINGS.index(Ending.HEALTH), ENDINGS.index(Ending.TURNS)


@large_kernel
def play_match(
    rules: Rules, deck: Deck, s: State, desk: Desk, agents: Records[AgentRecord], first: int, seed: int
) -> int:
    """Play a match to its end; ``agents[first]`` has the first turn. Returns the number of actions but END_TURN."""
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
                actions += action_kind(int(plan.codes[k])) != END_TURN
    return actions


@entry(Rules, AgentRecord, Deck, State, Desk, GameFacts, int, int, int)
def play_range(
    rules: Records[Rules],
    agents: Records[AgentRecord],
    decks: Records[Deck],
    states: Records[State],
    desks: Records[Desk],
    games: Records[GameFacts],
    cards: int,
    start: int,
    stop: int,
) -> int:
    """Play the matches from ``start`` up to ``stop``: each says which deck, and who begins."""
    r, deck, s = rules[0], decks[0], states[0]
    for g in range(start, stop):
        game = games[g]
        seed, first = int(game.seed), int(game.first)
        generate_deck(deck, cards, seed)
        game.actions = play_match(r, deck, s, desks[0], agents, first, seed)
        game.turns = turns_begun(s)
        game.ending = ON_HEALTH if s.ending == BY_HEALTH else ON_TURNS
        mine, theirs = int(s.health[first]), int(s.health[1 - first])
        a, b = match_score(r, mine, theirs), match_score(r, theirs, mine)
        game.score_a = a
        game.score_b = b
        game.winner = 0 if a > b else 1 if b > a else DRAWN
    return 0


def bulk_player(
    edition: TapdeckEdition, agents: np.ndarray[Any, Any], games: Games, brains: Records[Brain] | None = None
) -> PlayRange:
    """`play_range` with memory of its own. ``brains`` are two that are compared, in place of what was learned."""
    desks = new_desks()
    if brains is not None:
        desks["brains"][0] = brains
    prepare(agents)
    play = play_range.bind(edition.rules, agents, blank_deck(), new_states(), desks, games)
    return lambda start, stop: play(edition.deck_size, start, stop)
