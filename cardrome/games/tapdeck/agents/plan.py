"""A plan: the actions of a turn, and the position they lead to."""

from __future__ import annotations

from typing import Annotated, Any

from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.records import Integers, Record, i8
from cardrome.games.tapdeck.rules.actions import ADD_MANA, END_TURN, action_code
from cardrome.games.tapdeck.rules.cards import Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.legal import can_act
from cardrome.games.tapdeck.rules.state import PLAYING, State
from cardrome.games.tapdeck.rules.turn import apply_action

MOST_CODES = 2048
"""A turn has fewer actions: no card is drawn, played, made to block and tapped more than twice in all."""


class Plan(Record):
    """A position and the actions that led to it."""

    state: State
    value: i8
    """What the position is worth."""
    mark: i8
    """A number that tells the position from others."""
    attackers: i8
    """Creatures that might attack from there, as bits."""
    n: i8
    codes: Annotated[Integers, "i8", MOST_CODES]


@kernel
def copy_position(to: Any, source: Any) -> None:
    """Copy the fields of a `State` that matter when a turn begins, to or from a record that has them. Only what is in
    use: the room for a thousand creatures is never full."""
    to.turn = source.turn
    to.top = source.top
    to.n_creatures = source.n_creatures
    to.current = source.current
    to.ending = source.ending
    for p in range(2):
        to.health[p] = source.health[p]
        to.n_hand[p] = source.n_hand[p]
        for i in range(source.n_hand[p]):
            to.hands[p, i] = source.hands[p, i]
    for i in range(source.n_creatures):
        to.creatures[i] = source.creatures[i]


@kernel
def copy_state(to: State, source: State) -> None:
    """Copy a match, as far as it is in use."""
    copy_position(to, source)
    to.mana = source.mana
    to.draws_left = source.draws_left
    to.burns_left = source.burns_left
    to.declared = source.declared
    to.blocking = source.blocking


@kernel
def begin_plan(plan: Plan, s: State) -> None:
    """A plan without actions."""
    copy_state(plan.state, s)
    plan.n = 0
    plan.value = 0
    plan.mark = 0
    plan.attackers = 0


@large_kernel
def copy_plan(to: Plan, source: Plan) -> None:
    """Copy a plan, as far as it is in use."""
    copy_state(to.state, source.state)
    to.value = source.value
    to.mark = source.mark
    to.attackers = source.attackers
    to.n = source.n
    for i in range(source.n):
        to.codes[i] = source.codes[i]


@large_kernel
def add(rules: Rules, deck: Deck, plan: Plan, kind: int, first: int, second: int) -> None:
    """Take an action, which must be legal, as the plan's next."""
    code = action_code(kind, first, second)
    apply_action(rules, deck, plan.state, code)
    plan.codes[plan.n] = code
    plan.n += 1


@kernel
def add_end(rules: Rules, deck: Deck, plan: Plan) -> None:
    """End the turn. A plan that ends the match earlier is complete too."""
    if plan.state.ending == PLAYING:
        add(rules, deck, plan, END_TURN, 0, 0)
    else:
        plan.codes[plan.n] = action_code(END_TURN, 0, 0)
        plan.n += 1


@kernel
def mana_within_reach(deck: Deck, s: State) -> int:
    """The mana the current player would have after tapping everything that is awake."""
    mana = int(s.mana)
    for i in range(s.n_creatures):
        c = s.creatures[i]
        if can_act(s, c):
            mana += int(deck.cards[c.card].mana)
    return mana


@kernel
def next_to_tap(deck: Deck, s: State, missing: int) -> int:
    """The creature to tap when this much mana is missing: one that does little else, and does not give too much."""
    best, best_cost = -1, 0
    for i in range(s.n_creatures):
        c = s.creatures[i]
        mana = int(deck.cards[c.card].mana)
        if can_act(s, c) and mana > 0:
            # What is given up for each mana of use; mana beyond what is missing may be of use later, or not.
            used = min(mana, missing)
            cost = (1000 * int(c.attack) + 200 * int(c.health) + 100 + 300 * (mana - used)) // used
            if best < 0 or cost < best_cost:
                best, best_cost = i, cost
    return best


@large_kernel
def tap_for(rules: Rules, deck: Deck, plan: Plan, cost: int) -> None:
    """Tap creatures until there is this much mana; it must be within reach."""
    s = plan.state
    while s.mana < cost:
        place = next_to_tap(deck, s, cost - int(s.mana))
        add(rules, deck, plan, ADD_MANA, int(deck.cards[s.creatures[place].card].id), 0)
