"""One mirrored pair of Tapdeck matches after the other, where an agent is Python code."""

from __future__ import annotations

import operator
import traceback
from collections.abc import Generator, Iterable
from functools import partial

from cardrome.arena.pairs import GameOutcome, PairOutcome
from cardrome.arena.workers import spread
from cardrome.engine.bulk import DRAWN
from cardrome.errors import CallerError
from cardrome.games.tapdeck.agents.base import TapdeckAgent
from cardrome.games.tapdeck.agents.choose import player_seed
from cardrome.games.tapdeck.agents.registry import find_tapdeck_agent
from cardrome.games.tapdeck.protocol.table import TapdeckMatch
from cardrome.games.tapdeck.rules.actions import ATTACK, END_TURN, action_code, action_kind
from cardrome.games.tapdeck.rules.edition import TapdeckEdition


def play_tapdeck_pairs(
    edition: TapdeckEdition, names: tuple[str, str], seeds: Iterable[int], jobs: int
) -> Generator[PairOutcome, None, None]:
    """Play a pair for each deck seed; with several jobs in as many processes."""
    return spread(partial(play_tapdeck_pair, edition, names), seeds, jobs)


def play_tapdeck_pair(edition: TapdeckEdition, names: tuple[str, str], seed: int) -> PairOutcome:
    """Play one mirrored pair on a deck."""
    agents = find_tapdeck_agent(names[0]).new(), find_tapdeck_agent(names[1]).new()
    return [_play_match(edition, names, agents, seed, first) for first in (0, 1)]


def _play_match(
    edition: TapdeckEdition, names: tuple[str, str], agents: tuple[TapdeckAgent, TapdeckAgent], seed: int, first: int
) -> GameOutcome:
    """A match between agents of this process."""
    for player, agent in enumerate(agents):
        agent.begin(player_seed(seed, player))
    match = TapdeckMatch(edition, seed)
    actions = 0
    while match.to_move is not None:
        player = match.to_move ^ first
        actions += play_turn(match, agents[player], names[player])
    turns = min(match.turn + 1, edition.turns)
    outcome = match.outcome
    assert outcome is not None
    scores = outcome.scores[first], outcome.scores[1 - first]
    winner = DRAWN if outcome.winner is None else outcome.winner ^ first
    return GameOutcome(winner, turns, actions, first, scores=scores)


def play_turn(match: TapdeckMatch, agent: TapdeckAgent, name: str) -> int:
    """Let an agent play its turn; returns how many actions it took. What the agent does wrong is told with its name."""
    try:
        codes = [operator.index(code) for code in agent.plan(match.edition, match.deck, match.states.copy())]
    except Exception:
        raise CallerError(f"agent {name!r} failed:\n{traceback.format_exc()}") from None
    actions = 0
    for code in codes:
        if match.outcome is not None or action_kind(code) == END_TURN:
            break
        known = 0 <= code < action_code(ATTACK + 1, 0, 0)
        refused = match.act(code) if known else "no such action"
        if refused and match.outcome is None:
            raise CallerError(
                f"agent {name!r} planned {code!r} as action {actions + 1} of its turn, "
                f"which is not legal there: {refused}"
            )
        actions += 1
    if match.outcome is None:
        match.end_turn()
        actions += 1
    return actions
