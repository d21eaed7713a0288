"""The agent that knows nothing: a yardstick for all others."""

from __future__ import annotations

from cardrome.engine.kernel import large_kernel
from cardrome.engine.random import below
from cardrome.engine.records import Integers
from cardrome.games.tapdeck.agents.plan import Plan
from cardrome.games.tapdeck.rules.actions import END_TURN, action_code, action_kind
from cardrome.games.tapdeck.rules.cards import Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.entries import apply_action
from cardrome.games.tapdeck.rules.legal import list_actions
from cardrome.games.tapdeck.rules.state import PLAYING


@large_kernel
def plan_randomly(rules: Rules, deck: Deck, plan: Plan, legal: Integers, random: int) -> int:
    """Plan a turn of legal actions, all equally likely, until END_TURN is one; returns the generator's next state."""
    s = plan.state
    kind = -1
    while kind != END_TURN and s.ending == PLAYING:
        n = int(list_actions(rules, deck, s, legal))
        random, k = below(random, n)
        code = int(legal[k])
        kind = action_kind(code)
        apply_action(rules, deck, s, code)
        plan.codes[plan.n] = code
        plan.n += 1
    if kind != END_TURN:  # the attackers have won: the turn is over as well
        plan.codes[plan.n] = action_code(END_TURN, 0, 0)
        plan.n += 1
    return random
