"""The best ways to play one turn, as far as they are promising: blocks, draws and burns, cards, attackers.

A beam of plans grows block by block, then card by card; positions that were seen before, in whatever order they came
about, are not looked at again. A plan is rated by what the position is worth if the turn ended there and the opponent
blocked well. The best plans are tried with several sets of attackers.
"""

from __future__ import annotations

from cardrome.engine.kernel import large_kernel
from cardrome.engine.random import step
from cardrome.games.tapdeck.agents.attackers import choosing_attackers
from cardrome.games.tapdeck.agents.beam import (
    STEPS,
    add_block,
    add_card,
    best_of,
    growing,
    keep,
    mark,
    swap_beam,
)
from cardrome.games.tapdeck.agents.card_choice import exchange_cards, follow_sequence, list_sequences
from cardrome.games.tapdeck.agents.evaluate import Weights
from cardrome.games.tapdeck.agents.greedy import block_greedily, plan_greedily
from cardrome.games.tapdeck.agents.plan import Plan, add, add_end, begin_plan, copy_plan
from cardrome.games.tapdeck.agents.search.answer import answer_blocks
from cardrome.games.tapdeck.agents.search.brain import Brain
from cardrome.games.tapdeck.agents.search.memory import ROOTS, UNIT, WIDEST, Effort, TurnSearch, is_new
from cardrome.games.tapdeck.agents.search.win import search_win
from cardrome.games.tapdeck.agents.search.worth import SURE, worth_of
from cardrome.games.tapdeck.rules.actions import FINISH_BLOCK
from cardrome.games.tapdeck.rules.cards import CardRecord, Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.legal import attacks_now, can_act
from cardrome.games.tapdeck.rules.state import PLAYING, State

DONE = -int(4 * UNIT * SURE)
"""The value of a candidate that need not be looked at any more."""


@large_kernel
def rate(brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch, s: State, me: int) -> int:
    """What a position is worth to a player, in thousandths: an action phase begins, or the opponent is to block."""
    t.left -= 1
    t.looks += 1
    if s.ending == PLAYING and s.blocking:
        answer_blocks(w, rules, deck, t.answer, s)
        return int(UNIT * worth_of(brain, w, rules, deck, t.answer.state, me, t.mind))
    return int(UNIT * worth_of(brain, w, rules, deck, s, me, t.mind))


@large_kernel
def rate_whole(brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch, me: int) -> int:
    """What the trial is worth if the turn ends there; it is one of the lines if it is good enough."""
    whole = t.whole
    copy_plan(whole, t.trial)
    if whole.state.ending == PLAYING:
        exchange_cards(w, rules, deck, whole)
    add_end(rules, deck, whole)
    whole.value = rate(brain, w, rules, deck, t, whole.state, me)
    whole.mark = mark(whole.state)
    t.n_lines = keep(t.lines, int(t.n_lines), int(t.effort.lines), whole)
    return int(whole.value)


# Blocking


@large_kernel
def search_blocks(brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch, plan: Plan) -> None:
    """Grow ways to block, pair by pair; the best become the roots."""
    me = int(plan.state.current)
    t.n_roots = 0
    # The usual way to block first: it may be longer than the search.
    copy_plan(t.trial, plan)
    block_greedily(w, rules, deck, t.trial)
    t.trial.value = rate(brain, w, rules, deck, t, t.trial.state, me)
    t.trial.mark = mark(t.trial.state)
    t.n_roots = keep(t.roots, 0, ROOTS, t.trial)
    copy_plan(t.beam[0], plan)
    t.n_beam = 1
    close_blocks(brain, w, rules, deck, t, t.beam[0], me)
    reserve = int(t.left) // 2
    depth = 0
    while t.n_beam > 0 and depth < STEPS:
        t.n_grown = 0
        for b in range(t.n_beam):
            s = t.beam[b].state
            for i in range(s.n_creatures):
                if attacks_now(s, s.creatures[i]):
                    for j in range(s.n_creatures):
                        if can_act(s, s.creatures[j]) and t.left > reserve:
                            add_block(rules, deck, t.trial, t.beam[b], i, j)
                            t.trial.mark = mark(t.trial.state)
                            if is_new(t, int(t.trial.mark)):
                                close_blocks(brain, w, rules, deck, t, t.trial, me)
                                t.n_grown = keep(t.grown, int(t.n_grown), int(t.effort.width), t.trial)
        swap_beam(t)
        depth += 1


@large_kernel
def close_blocks(brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch, plan: Plan, me: int) -> None:
    """Close the blocking phase of a plan on a copy: what it is worth then, and whether it is one of the roots."""
    closed = t.whole
    copy_plan(closed, plan)
    add(rules, deck, closed, FINISH_BLOCK, 0, 0)
    closed.value = rate(brain, w, rules, deck, t, closed.state, me)
    closed.mark = mark(closed.state)
    plan.value = closed.value
    t.n_roots = keep(t.roots, int(t.n_roots), ROOTS, closed)


# Cards


@large_kernel
def try_play(
    brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch, b: int, card: CardRecord, target: int
) -> None:
    """Continue a plan of the beam by playing a card; the result competes for the next beam and as a candidate."""
    if t.left <= 0:
        return
    trial = t.trial
    add_card(rules, deck, trial, t.beam[b], card, target)
    trial.mark = mark(trial.state)
    if is_new(t, int(trial.mark)):
        trial.value = rate_whole(brain, w, rules, deck, t, int(t.beam[b].state.current))
        t.n_grown = keep(t.grown, int(t.n_grown), int(t.effort.width), trial)
        t.n_candidates = keep(t.candidates, int(t.n_candidates), int(t.effort.candidates), trial)


grow = growing(try_play)


@large_kernel
def search_cards(brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch) -> None:
    """Draw and burn in every way from all roots, then let the plans grow card by card; the best of all lengths become
    candidates."""
    t.n_candidates = 0
    t.n_grown = 0
    for r in range(t.n_roots):
        sequences = 1
        if t.roots[r].state.ending == PLAYING:
            sequences = list_sequences(w, rules, deck, t.roots[r].state, t.sequences, t.values)
        for k in range(sequences):
            trial = t.trial
            copy_plan(trial, t.roots[r])
            me = int(trial.state.current)
            if trial.state.ending == PLAYING:
                follow_sequence(rules, deck, trial, int(t.sequences[k]))
            trial.mark = mark(trial.state)
            trial.value = rate_whole(brain, w, rules, deck, t, me)
            t.n_grown = keep(t.grown, int(t.n_grown), WIDEST, trial)
            t.n_candidates = keep(t.candidates, int(t.n_candidates), int(t.effort.candidates), trial)
    swap_beam(t)
    depth = 0
    while t.n_beam > 0 and depth < STEPS:
        t.n_grown = 0
        for b in range(t.n_beam):
            grow(brain, w, rules, deck, t, b)
        swap_beam(t)
        depth += 1


first_attackers, improve_attackers = choosing_attackers(rate_whole, DONE)


@large_kernel
def search_turn(brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch, s: State, e: Effort) -> bool:
    """Search the rest of a turn for the best ways to end it; returns whether there is a win, which is the only line
    then."""
    me = int(s.current)
    t.salt = step(int(t.salt))
    t.effort = e
    t.left = e.looks
    t.n_lines = 0
    # What the greedy agent would do is one of the turns considered.
    begin_plan(t.trial, s)
    plan_greedily(w, rules, deck, t.trial)
    t.trial.value = rate(brain, w, rules, deck, t, t.trial.state, me)
    t.trial.mark = mark(t.trial.state)
    t.n_lines = keep(t.lines, 0, int(e.lines), t.trial)
    begin_plan(t.candidates[0], s)
    if s.blocking:
        search_blocks(brain, w, rules, deck, t, t.candidates[0])
    else:
        t.n_roots = 1
        copy_plan(t.roots[0], t.candidates[0])
    if search_win(rules, deck, t):
        return True
    t.salt = step(int(t.salt))
    search_cards(brain, w, rules, deck, t)
    for c in range(t.n_candidates):
        first_attackers(brain, w, rules, deck, t, t.candidates[c])
    while t.left > 0 and t.n_candidates > 0:
        best = best_of(t.candidates, int(t.n_candidates))
        if t.candidates[best].value == DONE:
            break
        improve_attackers(brain, w, rules, deck, t, t.candidates[best])
    return False
