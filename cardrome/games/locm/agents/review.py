"""A player's turn beside the one that a searching agent prefers: both are played on with the same imagined cards."""

from __future__ import annotations

import numpy as np

from cardrome.engine.kernel import entry
from cardrome.engine.random import step
from cardrome.engine.records import Floats, Records
from cardrome.games.locm.agents.registry import ALL_STEPS, AgentRecord, Desk, consult
from cardrome.games.locm.agents.search.decks import value_cards
from cardrome.games.locm.agents.search.replies import play_line, play_on
from cardrome.games.locm.agents.search.turn import Line, fingerprint
from cardrome.games.locm.rules.edition import Rules
from cardrome.games.locm.rules.state import DealRecord, State
from cardrome.games.locm.rules.view import fill_in

HAS_WIN, SAME_END = 1, 2
"""What `review_turn` may have found: the turn could be won; both lines end in the same position."""

FRESH = 0x2545F4914F6CDD1D
"""Parts the hands on which lines are compared from those on which one was chosen."""


@entry(AgentRecord, Rules, DealRecord, State, Desk, Line, np.float64, int)
def review_turn(
    agents: Records[AgentRecord],
    rules: Records[Rules],
    deals: Records[DealRecord],
    views: Records[State],
    desks: Records[Desk],
    lines: Records[Line],
    chances: Floats,
    random: int,
) -> int:
    """Rate what was played, which is the first line. If there is room for a second, it becomes what the agent prefers.

    ``chances`` gets those of each line in turn, one for each imagined hand. None of these hands was used to choose a
    line, so that the preferred one is not flattered by the luck that made it look best.
    """
    agent, r, deal, view, desk = agents[0], rules[0], deals[0], views[0], desks[0]
    brain, w, search, trials, viewer = desk.brains[0], agent.weights, desk.search, desk.trials, int(view.current)
    value_cards(brain, 0, r, deal, search.mind, desk.x)
    found = 0
    if len(lines) > 1:
        search.expected = search.searched = 0
        random = consult(agent, r, deal, view, desk, ALL_STEPS, step(random))
        lines[1].n = search.n
        for j in range(search.n):
            lines[1].actions[j] = search.plan[j]
        marks = 0
        for i in range(2):
            search.trial[0] = view
            play_line(r, deal, search.trial[0], lines[i])
            marks ^= fingerprint(r, search.trial[0], 0)
        if search.trial[0].winner == viewer:
            found |= HAS_WIN
        if marks == 0:
            found |= SAME_END
        random = step(random ^ FRESH)
    search.deal[0] = deal
    hands = len(chances) // len(lines)
    for k in range(hands):
        random = step(random)
        search.root[0] = view
        fill_in(r, search.deal[0], search.root[0], viewer, search.scratch, random)
        for i in range(len(lines)):
            search.trial[0] = search.root[0]
            play_line(r, search.deal[0], search.trial[0], lines[i])
            chances[i * hands + k] = play_on(
                brain,
                w,
                r,
                search.deal[0],
                search.trial[0],
                viewer,
                int(agent.budget.turns),
                search,
                trials,
                0,
            )
    return found


@entry(Rules, DealRecord, Desk)
def value_pool(rules: Records[Rules], deals: Records[DealRecord], desks: Records[Desk]) -> int:
    """Note on the desk what the cards of a game are worth."""
    value_cards(desks[0].brains[0], 0, rules[0], deals[0], desks[0].search.mind, desks[0].x)
    return 0
