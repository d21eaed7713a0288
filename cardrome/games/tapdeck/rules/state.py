"""The state of a Tapdeck match as a record. Nothing in it is hidden: both players see all of it.

Cards are named by their place in the `Deck`. A card is still in the deck if its place is not below `top`; otherwise it
is in a hand, on the board, or gone.
"""

from __future__ import annotations

from typing import Annotated

from cardrome.engine.kernel import kernel
from cardrome.engine.records import Integers, Record, Records, flag, i1, i2, i4, new_records
from cardrome.games.tapdeck.rules.edition import MAX_DECK, MAX_HAND

PLAYING, BY_HEALTH, BY_TURNS = range(3)
"""Whether a match has ended, and why."""


class Creature(Record):
    """A creature on the board."""

    attack: i4
    health: i4
    max_health: i4
    card: i2
    declared: i2
    """Counts the attackers of a turn from 1; 0: it does not attack. Lasts until the opponent's blocking phase ends."""
    owner: i1
    active: flag
    blocked: flag
    spare: i1


class State(Record):
    """A match at one moment."""

    health: Annotated[Integers, "i4", 2]
    mana: i4
    """The current player's, as are the draws and burns left."""
    draws_left: i4
    burns_left: i4
    turn: i2
    """Counts from 0."""
    top: i2
    """The place of the top card in the deck."""
    declared: i2
    """Attackers of this turn so far."""
    n_creatures: i2
    n_hand: Annotated[Integers, "i2", 2]
    current: i1
    blocking: flag
    """The current player's blocking phase is not over yet."""
    ending: i1
    spare: i1
    hands: Annotated[Integers, "i2", (2, MAX_HAND)]
    """Sorted by card id, as are the creatures, those of both players together."""
    creatures: Annotated[Records[Creature], MAX_DECK]


def new_states(n: int = 1) -> Records[State]:
    """An array of n blank states."""
    return new_records(State, n)


@kernel
def copy_state(to: State, source: State) -> None:
    """Copy a match. Only what is in use: the room for a thousand creatures is never full."""
    to.mana = source.mana
    to.draws_left = source.draws_left
    to.burns_left = source.burns_left
    to.turn = source.turn
    to.top = source.top
    to.declared = source.declared
    to.n_creatures = source.n_creatures
    to.current = source.current
    to.blocking = source.blocking
    to.ending = source.ending
    for p in range(2):
        to.health[p] = source.health[p]
        to.n_hand[p] = source.n_hand[p]
        for i in range(source.n_hand[p]):
            to.hands[p, i] = source.hands[p, i]
    for i in range(source.n_creatures):
        to.creatures[i] = source.creatures[i]


@kernel
def turns_begun(s: State) -> int:
    """Turns of a match that were begun, once it has ended. The state counts the last one only if it was over."""
    return int(s.turn) + (1 if s.ending == BY_HEALTH else 0)
