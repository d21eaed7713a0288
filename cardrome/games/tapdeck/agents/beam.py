"""A beam of plans: each is continued in every sensible way, and the most promising ones are kept.

This is what all agents that search their turn in this way share. Each has its own search, which rates plans in its own
way.
"""

from __future__ import annotations

from typing import Any

from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.records import Records
from cardrome.games.tapdeck.agents.card_choice import draw_more
from cardrome.games.tapdeck.agents.evaluate import Weights
from cardrome.games.tapdeck.agents.plan import Plan, add, copy_plan, mana_within_reach, tap_for
from cardrome.games.tapdeck.rules.actions import BLOCK, MYSELF, NO_TARGET, OPPONENT, PLAY_CARD
from cardrome.games.tapdeck.rules.cards import BUFF, CREATURE_CARD, DAMAGE, HEAL, TAKE, CardRecord, Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.state import PLAYING, State

STEPS = 12
"""Cards that are played in one turn at most, and blocks made."""

NOWHERE = 0
"""Where a card is not worth trying; no creature has this id."""

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


@kernel
def swap_beam(search: Any) -> None:
    """What has grown is the beam of the next step."""
    search.n_beam = search.n_grown
    for b in range(search.n_grown):
        copy_plan(search.beam[b], search.grown[b])


@large_kernel
def add_block(rules: Rules, deck: Deck, trial: Plan, plan: Plan, attacker: int, blocker: int) -> None:
    """Continue a plan in the trial with a block, given by the places of both creatures."""
    copy_plan(trial, plan)
    s = plan.state
    first, second = int(deck.cards[s.creatures[attacker].card].id), int(deck.cards[s.creatures[blocker].card].id)
    add(rules, deck, trial, BLOCK, first, second)


@large_kernel
def add_card(rules: Rules, deck: Deck, trial: Plan, plan: Plan, card: CardRecord, target: int) -> None:
    """Continue a plan in the trial by playing a card, and draw what it has made room for."""
    copy_plan(trial, plan)
    tap_for(rules, deck, trial, int(card.cost))
    add(rules, deck, trial, PLAY_CARD, int(card.id), target)
    if trial.state.ending == PLAYING:
        draw_more(rules, deck, trial)


@kernel
def is_sensible(kind: int, mine: bool, active: bool) -> bool:
    """A spell may be good for something on a creature: it helps its caster's own, or harms the opponent's."""
    if kind in (HEAL, BUFF):
        return mine
    return not mine and (kind == DAMAGE or active)


@large_kernel
def target_at(rules: Rules, deck: Deck, s: State, card: CardRecord, k: int) -> int:
    """The k-th target on which a card may be good for something, or `NOWHERE`: -2 is the player or none, -1 the
    opponent, and from 0 on there are the creatures."""
    me, kind = int(s.current), int(card.kind)
    if kind == CREATURE_CARD:
        return NO_TARGET if k == -2 else NOWHERE
    if k == -2:
        return MYSELF if kind == TAKE or (kind == HEAL and s.health[me] < rules.initial_health) else NOWHERE
    if k == -1:
        return OPPONENT if kind == DAMAGE else NOWHERE
    c = s.creatures[k]
    wounded = c.health < c.max_health
    if kind != TAKE and is_sensible(kind, c.owner == me, c.active != 0) and (kind != HEAL or wounded):
        return int(deck.cards[c.card].id)
    return NOWHERE


def growing(try_play: Any) -> Any:
    """The kernel that continues a plan of a search's beam with every card on every sensible target.

    ``try_play(brain, w, rules, deck, search, b, card, target)`` does so with one of them. ``brain`` is whatever it
    judges by besides the weights.
    """

    @large_kernel
    def grow(brain: Any, w: Weights, rules: Rules, deck: Deck, search: Any, b: int) -> None:
        s = search.beam[b].state
        if s.ending != PLAYING:
            return
        mana = mana_within_reach(deck, s)
        for i in range(s.n_hand[s.current]):
            card = deck.cards[s.hands[s.current, i]]
            if card.cost <= mana:
                for k in range(-2, int(s.n_creatures)):
                    target = target_at(rules, deck, s, card, k)
                    if target != NOWHERE:
                        try_play(brain, w, rules, deck, search, b, card, target)

    return grow
