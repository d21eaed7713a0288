"""The first half of a search: how the player's own turn may go, block by block and card by card.

A beam of plans grows: each plan is continued in every sensible way, and the most promising ones are kept.
"""

from __future__ import annotations

from typing import Annotated

from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.records import Integers, Record, Records, i8
from cardrome.games.tapdeck.agents.card_choice import MOST_SEQUENCES, draw_more, follow_sequence
from cardrome.games.tapdeck.agents.evaluate import WON, Weights, awake, can_finish, judge, past_blockers
from cardrome.games.tapdeck.agents.greedy import block_greedily
from cardrome.games.tapdeck.agents.plan import (
    Plan,
    add,
    copy_plan,
    mana_within_reach,
    tap_for,
)
from cardrome.games.tapdeck.rules.actions import BLOCK, FINISH_BLOCK, MYSELF, NO_TARGET, OPPONENT, PLAY_CARD
from cardrome.games.tapdeck.rules.cards import BUFF, CREATURE_CARD, DAMAGE, HEAL, TAKE, Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.legal import attacks_now, can_act
from cardrome.games.tapdeck.rules.state import PLAYING, State

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
STEPS = 12
"""Cards that are played in one turn at most, and blocks made."""
MOST_ATTACKERS = 60
"""Creatures whose attacks are weighed one by one."""


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


_MARK = (1 << 40) - 1


@large_kernel
def mark(s: State) -> int:
    """A number that tells positions of one turn apart, however they were reached."""
    number = 1000 * int(s.mana) + int(s.top)
    for i in range(s.n_creatures):
        c = s.creatures[i]
        own = 8 * int(c.card) + 2 * int(c.active) + int(c.blocked) + (4 if c.declared > 0 else 0)
        number = (number * 1_000_003 + own) & _MARK
        number = (number * 1_000_003 + 64 * int(c.health) + int(c.attack)) & _MARK
    for i in range(s.n_hand[s.current]):
        number = (number * 1_000_003 + int(s.hands[s.current, i])) & _MARK
    return ((number * 31 + int(s.health[0])) * 31 + int(s.health[1])) & _MARK


@large_kernel
def promise(w: Weights, rules: Rules, deck: Deck, s: State, me: int) -> int:
    """What a position looks like in the course of the own turn: as it stands, with what is still awake."""
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


@large_kernel
def keep(plans: Records[Plan], n: int, size: int, plan: Plan) -> int:
    """Put a plan among the best ``size``, unless its position is there already; returns how many there are."""
    worst = 0
    for i in range(n):
        if plans[i].mark == plan.mark and plans[i].value == plan.value:
            return n
        if plans[i].value < plans[worst].value:
            worst = i
    if n < size:
        copy_plan(plans[n], plan)
        return n + 1
    if plan.value > plans[worst].value:
        copy_plan(plans[worst], plan)
    return n


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
                attacker = s.creatures[i]
                if attacks_now(s, attacker):
                    for j in range(s.n_creatures):
                        blocker = s.creatures[j]
                        if can_act(s, blocker) and search.tries > 0:
                            search.tries -= 1
                            copy_plan(search.trial, search.beam[b])
                            first, second = int(deck.cards[attacker.card].id), int(deck.cards[blocker.card].id)
                            add(rules, deck, search.trial, BLOCK, first, second)
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


@kernel
def swap_beam(search: Search) -> None:
    """What has grown is the beam of the next step."""
    search.n_beam = search.n_grown
    for b in range(search.n_grown):
        copy_plan(search.beam[b], search.grown[b])


# Cards


@large_kernel
def try_play(w: Weights, rules: Rules, deck: Deck, search: Search, b: int, number: int, cost: int, target: int) -> None:
    """Continue a plan of the beam by playing a card; the result competes for the next beam and for the finals."""
    if search.tries <= 0:
        return
    search.tries -= 1
    trial = search.trial
    s = trial.state
    copy_plan(trial, search.beam[b])
    me = int(s.current)
    tap_for(rules, deck, trial, cost)
    add(rules, deck, trial, PLAY_CARD, number, target)
    if s.ending == PLAYING:
        draw_more(rules, deck, trial)
    trial.value = promise(w, rules, deck, s, me)
    trial.mark = mark(s)
    search.n_grown = keep(search.grown, int(search.n_grown), WIDTH, trial)
    search.n_candidates = keep(search.candidates, int(search.n_candidates), CANDIDATES, trial)


@kernel
def is_sensible(kind: int, mine: bool, active: bool) -> bool:
    """A spell may be good for something on a creature: it helps its caster's own, or harms the opponent's."""
    if kind in (HEAL, BUFF):
        return mine
    return not mine and (kind == DAMAGE or active)


@large_kernel
def grow(w: Weights, rules: Rules, deck: Deck, search: Search, b: int) -> None:
    """Continue a plan of the beam with every card on every sensible target."""
    s = search.beam[b].state
    if s.ending != PLAYING:
        return
    me = int(s.current)
    mana = mana_within_reach(deck, s)
    for i in range(s.n_hand[me]):
        card = deck.cards[s.hands[me, i]]
        kind, number, cost = int(card.kind), int(card.id), int(card.cost)
        if cost > mana:
            continue
        if kind == CREATURE_CARD:
            try_play(w, rules, deck, search, b, number, cost, NO_TARGET)
            continue
        if kind == TAKE:
            try_play(w, rules, deck, search, b, number, cost, MYSELF)
            continue
        if kind == HEAL and s.health[me] < rules.initial_health:
            try_play(w, rules, deck, search, b, number, cost, MYSELF)
        if kind == DAMAGE:
            try_play(w, rules, deck, search, b, number, cost, OPPONENT)
        for j in range(s.n_creatures):
            c = s.creatures[j]
            wounded = c.health < c.max_health
            if is_sensible(kind, c.owner == me, c.active != 0) and (kind != HEAL or wounded):
                try_play(w, rules, deck, search, b, number, cost, int(deck.cards[c.card].id))


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
            grow(w, rules, deck, search, b)
        swap_beam(search)
        step += 1
