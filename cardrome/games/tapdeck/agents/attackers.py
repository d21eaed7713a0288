"""Who attacks: a plan is tried with several sets of attackers, for agents that rate whole turns."""

from __future__ import annotations

from typing import Any

from cardrome.engine.kernel import large_kernel
from cardrome.engine.records import Integers
from cardrome.games.tapdeck.agents.evaluate import Weights
from cardrome.games.tapdeck.agents.greedy import attack_greedily
from cardrome.games.tapdeck.agents.plan import Plan, add, copy_plan
from cardrome.games.tapdeck.rules.actions import ATTACK
from cardrome.games.tapdeck.rules.cards import Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.legal import can_act
from cardrome.games.tapdeck.rules.state import PLAYING, State

MOST_ATTACKERS = 60
"""Creatures whose attacks are weighed one by one."""


@large_kernel
def list_attackers(s: State, places: Integers) -> int:
    """Note where the current player's creatures are that may attack; returns how many."""
    n = 0
    for i in range(s.n_creatures):
        c = s.creatures[i]
        if can_act(s, c) and c.attack > 0 and n < MOST_ATTACKERS:
            places[n] = i
            n += 1
    return n


def choosing_attackers(consider: Any, done: int) -> tuple[Any, Any]:
    """Kernels that choose the attackers of a plan: a first look at it, and improving on the best set so far.

    ``consider(brain, w, rules, deck, search, me)`` rates the search's trial as a whole turn. ``brain`` is whatever it
    judges by besides the weights. ``done`` is the value of a plan that need not be looked at any more.
    """

    @large_kernel
    def rate_attackers(
        brain: Any, w: Weights, rules: Rules, deck: Deck, search: Any, plan: Plan, n: int, mask: int
    ) -> int:
        """What a plan is worth with the attackers whose bits are set."""
        trial = search.trial
        copy_plan(trial, plan)
        s = trial.state
        for k in range(n):
            if mask >> k & 1:
                add(rules, deck, trial, ATTACK, int(deck.cards[s.creatures[search.places[k]].card].id), 0)
        return int(consider(brain, w, rules, deck, search, int(s.current)))

    @large_kernel
    def first_attackers(brain: Any, w: Weights, rules: Rules, deck: Deck, search: Any, plan: Plan) -> None:
        """Try a plan with all attackers, and with those that the greedy agent takes; note the best set, and its value.

        The plan's value is what it is worth without any.
        """
        plan.attackers = 0
        if plan.state.ending != PLAYING or plan.state.turn + 1 >= rules.turns:
            return
        n = list_attackers(plan.state, search.places)
        if n == 0:
            return
        every = (1 << n) - 1
        value = rate_attackers(brain, w, rules, deck, search, plan, n, every)
        if value > plan.value:
            plan.value = value
            plan.attackers = every
        copy_plan(search.trial, plan)
        attack_greedily(w, rules, deck, search.trial)
        chosen = 0
        for k in range(n):
            if search.trial.state.creatures[search.places[k]].active == 0:
                chosen |= 1 << k
        if chosen != 0 and chosen != every:
            value = int(consider(brain, w, rules, deck, search, int(plan.state.current)))
            if value > plan.value:
                plan.value = value
                plan.attackers = chosen

    @large_kernel
    def improve_attackers(brain: Any, w: Weights, rules: Rules, deck: Deck, search: Any, plan: Plan) -> None:
        """Add attackers to a plan's set, or take them out, one at a time, as long as that helps and budget is left."""
        value, mask = int(plan.value), int(plan.attackers)
        plan.value = done
        if plan.state.ending != PLAYING or plan.state.turn + 1 >= rules.turns:
            return
        n = list_attackers(plan.state, search.places)
        since, k = 0, 0
        while since < n and search.left > 0:
            changed = mask ^ (1 << k)
            found = rate_attackers(brain, w, rules, deck, search, plan, n, changed)
            since += 1
            if found > value:
                value, mask, since = found, changed, 0
            k = k + 1 if k + 1 < n else 0

    return first_attackers, improve_attackers
