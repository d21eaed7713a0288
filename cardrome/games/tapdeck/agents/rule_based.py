"""The agent `rule-based`: it thinks through many turns of its own, and the opponent's answer to the best of them.

A beam of plans grows block by block, then card by card: each plan is continued in every sensible way, and the most
promising ones are kept. The best of all lengths are tried with several sets of attackers, and played on for a few turns
by the greedy agent, who answers for the opponent. What the position is worth then decides. So both players' finishes
are seen. All this is done for each way to burn cards along with the draws: who gets which card of the common deck
matters more than anything else. Finally the best turns are looked at once more, with an opponent who searches too.
"""

from __future__ import annotations

from typing import Annotated

from cardrome.engine.kernel import large_kernel, shared_kernel
from cardrome.engine.records import Integers, Record, Records, i8
from cardrome.games.tapdeck.agents.attackers import MOST_ATTACKERS, choosing_attackers
from cardrome.games.tapdeck.agents.beam import (
    STEPS,
    add_block,
    add_card,
    best_of,
    growing,
    keep,
    mark,
    swap_beam,
    worst_of,
)
from cardrome.games.tapdeck.agents.card_choice import MOST_SEQUENCES, exchange_cards, follow_sequence, list_sequences
from cardrome.games.tapdeck.agents.evaluate import WON, Weights, awake, can_finish, judge, past_blockers
from cardrome.games.tapdeck.agents.greedy import block_greedily, plan_greedily
from cardrome.games.tapdeck.agents.plan import Plan, add, add_end, begin_plan, copy_plan
from cardrome.games.tapdeck.rules.actions import FINISH_BLOCK
from cardrome.games.tapdeck.rules.cards import CardRecord, Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.legal import attacks_now, can_act
from cardrome.games.tapdeck.rules.state import BY_HEALTH, PLAYING, State

WIDTH = 12
"""Plans that are continued at each step."""
ROOTS = 3
"""Ways to block that are followed further."""
CANDIDATES = 8
"""Plans of all lengths, for each way to draw and burn, that are tried with attackers and the opponent's answer."""
FINALISTS = 12
"""Those of them whose attackers are chosen one by one."""
SHORTLIST = 16
"""Whole turns that may be thought over once more."""
TRIES = 5
"""Continuations that a beam may try, in all, for each reply of the budget. Only crowded boards need so many."""
SOONER = 1_000_000
"""What a finish is worth more for each turn that it comes sooner."""
DONE = -4 * WON
"""The value of a finalist that need not be looked at any more."""
OPPONENTS_PART = 4
"""The opponent, when assumed to search, gets this part of the budget."""


class Search(Record):
    """Scratch memory of a search."""

    beam: Annotated[Records[Plan], WIDTH]
    grown: Annotated[Records[Plan], WIDTH]
    roots: Annotated[Records[Plan], ROOTS]
    candidates: Annotated[Records[Plan], CANDIDATES]
    finalists: Annotated[Records[Plan], FINALISTS]
    shortlist: Annotated[Records[Plan], SHORTLIST]
    trial: Plan
    closed: Plan
    reply: Plan
    best: Plan
    n_beam: i8
    n_grown: i8
    n_roots: i8
    n_candidates: i8
    n_finalists: i8
    n_shortlist: i8
    sequences: Annotated[Integers, "i8", MOST_SEQUENCES]
    values: Annotated[Integers, "i8", MOST_SEQUENCES]
    places: Annotated[Integers, "i8", MOST_ATTACKERS]
    left: i8
    """What is left of the budget."""
    tries: i8
    """Continuations that may still be tried for the beam that is growing."""
    depth: i8
    spare: i8


@large_kernel
def promise(w: Weights, rules: Rules, deck: Deck, s: State, me: int) -> int:
    """How promising a position is in the course of the player's own turn, given what is still awake."""
    value = judge(w, rules, deck, s, me)
    if s.ending != PLAYING:
        return value
    if can_finish(rules, s):
        return WON // 2 + value
    mine = awake(s, me)
    if s.turn + 2 < rules.turns and past_blockers(s, 1 - me, 1, mine) >= s.health[me]:
        value -= int(w.doom)
    for i in range(s.n_creatures):
        c = s.creatures[i]
        if c.owner == me and c.active:
            value += int(w.tap) * int(c.attack)
    return value


# Blocking


@large_kernel
def judge_blocks(w: Weights, rules: Rules, deck: Deck, search: Search, me: int) -> None:
    """Close the blocking phase of the trial on a copy: what it is worth then, and whether it is one of the roots."""
    trial, closed = search.trial, search.closed
    copy_plan(closed, trial)
    add(rules, deck, closed, FINISH_BLOCK, 0, 0)
    closed.value = promise(w, rules, deck, closed.state, me)
    closed.mark = mark(closed.state)
    trial.value = closed.value
    trial.mark = mark(trial.state)
    search.n_roots = keep(search.roots, int(search.n_roots), ROOTS, closed)


@large_kernel
def search_blocks(w: Weights, rules: Rules, deck: Deck, plan: Plan, search: Search) -> None:
    """Find the best ways to block; they become the roots, with the blocking phase over."""
    me = int(plan.state.current)
    search.n_roots = 0
    copy_plan(search.trial, plan)
    judge_blocks(w, rules, deck, search, me)
    copy_plan(search.beam[0], search.trial)
    search.n_beam = 1
    step = 0
    while search.n_beam > 0 and step < STEPS:
        search.n_grown = 0
        for b in range(search.n_beam):
            s = search.beam[b].state
            for i in range(s.n_creatures):
                if attacks_now(s, s.creatures[i]):
                    for j in range(s.n_creatures):
                        if can_act(s, s.creatures[j]) and search.tries > 0:
                            search.tries -= 1
                            add_block(rules, deck, search.trial, search.beam[b], i, j)
                            judge_blocks(w, rules, deck, search, me)
                            search.n_grown = keep(search.grown, int(search.n_grown), WIDTH, search.trial)
        swap_beam(search)
        step += 1
    # The usual way to block as well: it may be longer than the search.
    copy_plan(search.trial, plan)
    block_greedily(w, rules, deck, search.trial)
    search.trial.value = promise(w, rules, deck, search.trial.state, me)
    search.trial.mark = mark(search.trial.state)
    search.n_roots = keep(search.roots, int(search.n_roots), ROOTS, search.trial)


# Cards


@large_kernel
def try_play(
    _: Weights, w: Weights, rules: Rules, deck: Deck, search: Search, b: int, card: CardRecord, target: int
) -> None:
    """Continue a plan of the beam by playing a card; the result competes for the next beam and for the finals."""
    if search.tries <= 0:
        return
    search.tries -= 1
    trial = search.trial
    add_card(rules, deck, trial, search.beam[b], card, target)
    trial.value = promise(w, rules, deck, trial.state, int(search.beam[b].state.current))
    trial.mark = mark(trial.state)
    search.n_grown = keep(search.grown, int(search.n_grown), WIDTH, trial)
    search.n_candidates = keep(search.candidates, int(search.n_candidates), CANDIDATES, trial)


grow = growing(try_play)


@large_kernel
def search_cards(w: Weights, rules: Rules, deck: Deck, search: Search, sequence: int) -> None:
    """Draw and burn in one way from all roots, then let the plans grow card by card; the best of all lengths become
    candidates."""
    search.n_candidates = 0
    search.n_beam = search.n_roots
    for b in range(search.n_beam):
        plan = search.beam[b]
        copy_plan(plan, search.roots[b])
        me = int(plan.state.current)
        if plan.state.ending == PLAYING:
            follow_sequence(rules, deck, plan, sequence)
        plan.value = promise(w, rules, deck, plan.state, me)
        plan.mark = mark(plan.state)
        search.n_candidates = keep(search.candidates, int(search.n_candidates), CANDIDATES, plan)
    step = 0
    while search.n_beam > 0 and step < STEPS:
        search.n_grown = 0
        for b in range(search.n_beam):
            grow(w, w, rules, deck, search, b)
        swap_beam(search)
        step += 1


# Attackers, and the answer


@large_kernel
def value_after_reply(w: Weights, depth: int, rules: Rules, deck: Deck, s: State, reply: Plan, me: int) -> int:
    """What a position at the end of the player's turn is worth after ``depth`` turns of the greedy agent for both
    players, the opponent's first, and the blocks after them."""
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
def consider(_: Weights, w: Weights, rules: Rules, deck: Deck, search: Search, me: int) -> int:
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


first_attackers, improve_attackers = choosing_attackers(consider, DONE)


@large_kernel
def first_look(w: Weights, rules: Rules, deck: Deck, search: Search, plan: Plan, me: int) -> None:
    """Try a plan without attackers, and with some; note the best set."""
    plan.attackers = 0
    copy_plan(search.trial, plan)
    plan.value = consider(w, w, rules, deck, search, me)
    first_attackers(w, w, rules, deck, search, plan)


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
        improve_attackers(w, w, rules, deck, search, search.finalists[best])
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
        value = (2 * value + int(search.shortlist[k].value)) // 3  # the opponent may play less well than that
        if value > best:
            best = value
            copy_plan(plan, search.shortlist[k])
        search.shortlist[k].value = DONE
