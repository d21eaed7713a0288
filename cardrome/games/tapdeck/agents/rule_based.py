"""The searching agent: it thinks through many turns of its own, and the opponent's answer to the best of them.

A beam of plans grows block by block, then card by card: each plan is continued in every sensible way, and the most
promising ones are kept. The best of all lengths are tried with several sets of attackers, and played on for a few
turns by the greedy agent, who answers for the opponent. What the position is worth then decides. So a finish is seen,
one's own and the opponent's. All this is done for each way to burn cards along with the draws: who gets which card of
the common deck matters more than anything else. At last the best turns are looked at once more, with an opponent who
searches too.
"""

from __future__ import annotations

from cardrome.engine.kernel import kernel, large_kernel, shared_kernel
from cardrome.engine.records import Records
from cardrome.games.tapdeck.agents.beam import (
    FINALISTS,
    MOST_ATTACKERS,
    SHORTLIST,
    TRIES,
    Search,
    keep,
    mark,
    search_blocks,
    search_cards,
)
from cardrome.games.tapdeck.agents.card_choice import exchange_cards, list_sequences
from cardrome.games.tapdeck.agents.evaluate import WON, Weights, judge
from cardrome.games.tapdeck.agents.greedy import attack_greedily, block_greedily, plan_greedily
from cardrome.games.tapdeck.agents.plan import Plan, add, add_end, begin_plan, copy_plan
from cardrome.games.tapdeck.rules.actions import ATTACK
from cardrome.games.tapdeck.rules.cards import Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.legal import can_act
from cardrome.games.tapdeck.rules.state import BY_HEALTH, PLAYING, State

SOONER = 1_000_000
"""What a finish is worth more for each turn that it comes sooner."""
DONE = -4 * WON
"""The value of a finalist that need not be looked at any more."""
OPPONENTS_PART = 4
"""The opponent, when thought to search, is given this part of the budget."""


# Attackers, and the answer


@large_kernel
def value_after_reply(w: Weights, depth: int, rules: Rules, deck: Deck, s: State, reply: Plan, me: int) -> int:
    """What a position at the end of the own turn is worth after ``depth`` turns of the greedy agent for both players,
    the opponent's first, and the blocks after them."""
    begin_plan(reply, s)
    turn = 0
    while turn < depth and reply.state.ending == PLAYING:
        reply.n = 0
        plan_greedily(w, rules, deck, reply)
        turn += 1
    if reply.state.ending == PLAYING:
        block_greedily(w, rules, deck, reply)
    # A finish that is near is surer than one far ahead.
    value = int(judge(w, rules, deck, reply.state, me))
    if reply.state.ending == BY_HEALTH:
        value += -turn * SOONER if value > 0 else turn * SOONER
    return value


@large_kernel
def consider(w: Weights, rules: Rules, deck: Deck, search: Search, me: int) -> int:
    """End the turn of the trial, look at the answer, and keep the plan if it is the best so far; returns its value."""
    trial = search.trial
    if trial.state.ending == PLAYING:
        exchange_cards(w, rules, deck, trial)
    add_end(rules, deck, trial)
    trial.value = value_after_reply(w, int(search.depth), rules, deck, trial.state, search.reply, me)
    search.left -= 1
    trial.mark = mark(trial.state)
    search.n_shortlist = keep(search.shortlist, int(search.n_shortlist), SHORTLIST, trial)
    if trial.value > search.best.value:
        copy_plan(search.best, trial)
    return int(trial.value)


@large_kernel
def list_attackers(s: State, search: Search) -> int:
    """Note the current player's creatures that may attack; returns how many."""
    n = 0
    for i in range(s.n_creatures):
        c = s.creatures[i]
        if can_act(s, c) and c.attack > 0 and n < MOST_ATTACKERS:
            search.places[n] = i
            n += 1
    return n


@large_kernel
def consider_attackers(
    w: Weights, rules: Rules, deck: Deck, search: Search, plan: Plan, n: int, mask: int, me: int
) -> int:
    """Try a plan with the attackers whose bits are set."""
    trial = search.trial
    copy_plan(trial, plan)
    s = trial.state
    for k in range(n):
        if mask >> k & 1:
            add(rules, deck, trial, ATTACK, int(deck.cards[s.creatures[search.places[k]].card].id), 0)
    return int(consider(w, rules, deck, search, me))


@large_kernel
def first_look(w: Weights, rules: Rules, deck: Deck, search: Search, plan: Plan, me: int) -> None:
    """Try a plan without attackers, with all, and with those that the greedy agent takes; note the best set."""
    plan.attackers = 0
    if plan.state.ending != PLAYING:
        copy_plan(search.trial, plan)
        plan.value = consider(w, rules, deck, search, me)
        return
    n = list_attackers(plan.state, search)
    plan.value = consider_attackers(w, rules, deck, search, plan, n, 0, me)
    if n == 0 or plan.state.turn + 1 >= rules.turns:
        return
    every = (1 << n) - 1
    value = consider_attackers(w, rules, deck, search, plan, n, every, me)
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
        value = consider(w, rules, deck, search, me)
        if value > plan.value:
            plan.value = value
            plan.attackers = chosen


@large_kernel
def improve(w: Weights, rules: Rules, deck: Deck, search: Search, plan: Plan, me: int) -> None:
    """Add attackers to a plan's set, or take them out, one at a time, as long as that helps and budget is left."""
    value, mask = int(plan.value), int(plan.attackers)
    plan.value = DONE
    if plan.state.ending != PLAYING or plan.state.turn + 1 >= rules.turns:
        return
    n = list_attackers(plan.state, search)
    since, k = 0, 0
    while since < n and search.left > 0:
        changed = mask ^ (1 << k)
        found = consider_attackers(w, rules, deck, search, plan, n, changed, me)
        since += 1
        if found > value:
            value, mask, since = found, changed, 0
        k = k + 1 if k + 1 < n else 0


@kernel
def best_of(plans: Records[Plan], n: int) -> int:
    """The place of the plan that is worth most."""
    best = 0
    for i in range(1, n):
        if plans[i].value > plans[best].value:
            best = i
    return best


@kernel
def worst_of(plans: Records[Plan], n: int) -> int:
    """The place of the plan that is worth least."""
    worst = 0
    for i in range(1, n):
        if plans[i].value < plans[worst].value:
            worst = i
    return worst


@large_kernel
def plan_by_search(w: Weights, budget: int, depth: int, rules: Rules, deck: Deck, plan: Plan, search: Search) -> None:
    """Plan the rest of a turn; the budget says how many of the opponent's answers may be looked at."""
    me = int(plan.state.current)
    search.left = budget
    search.tries = TRIES * budget
    search.depth = depth
    search.n_finalists = 0
    search.n_shortlist = 0
    # What the greedy agent would do is one of the turns considered.
    copy_plan(search.best, plan)
    plan_greedily(w, rules, deck, search.best)
    search.best.value = value_after_reply(w, depth, rules, deck, search.best.state, search.reply, me)
    if plan.state.blocking:
        search_blocks(w, rules, deck, plan, search)
    else:
        search.n_roots = 1
        copy_plan(search.roots[0], plan)
    sequences = list_sequences(w, rules, deck, search.roots[0].state, search.sequences, search.values)
    for k in range(sequences):
        search.tries = TRIES * budget
        if search.left > 0:
            search_cards(w, rules, deck, search, int(search.sequences[k]))
        else:
            search.n_candidates = 0
        for c in range(search.n_candidates):
            if search.left > 0:
                first_look(w, rules, deck, search, search.candidates[c], me)
                search.n_finalists = keep(search.finalists, int(search.n_finalists), FINALISTS, search.candidates[c])
    while search.left > 0 and search.n_finalists > 0:
        best = best_of(search.finalists, int(search.n_finalists))
        if search.finalists[best].value == DONE:
            break
        improve(w, rules, deck, search, search.finalists[best], me)
    copy_plan(plan, search.best)


@shared_kernel
def plan_twice(
    w: Weights,
    budget: int,
    depth: int,
    second_looks: int,
    rules: Rules,
    deck: Deck,
    plan: Plan,
    search: Search,
    answer: Search,
) -> None:
    """Plan the rest of a turn, then look at the best plans once more, with an opponent who searches as well."""
    me = int(plan.state.current)
    plan_by_search(w, budget, depth, rules, deck, plan, search)
    if search.best.value > WON // 2 or search.n_shortlist < 2:
        return
    copy_plan(search.shortlist[worst_of(search.shortlist, int(search.n_shortlist))], search.best)
    best = DONE
    for _ in range(min(second_looks, int(search.n_shortlist))):
        k = best_of(search.shortlist, int(search.n_shortlist))
        begin_plan(search.trial, search.shortlist[k].state)
        if search.trial.state.ending == PLAYING:
            plan_by_search(w, budget // OPPONENTS_PART, depth, rules, deck, search.trial, answer)
        value = value_after_reply(w, depth - 1, rules, deck, search.trial.state, search.reply, me)
        value = (2 * value + int(search.shortlist[k].value)) // 3  # they may play simpler than that
        if value > best:
            best = value
            copy_plan(plan, search.shortlist[k])
        search.shortlist[k].value = DONE
