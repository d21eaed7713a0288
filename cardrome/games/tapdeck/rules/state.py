"""The state of a Tapdeck match as a NumPy record. Nothing in it is hidden: every player sees all of it.

Cards are named by their place in the deck (`DECK`). A card is in the deck if its place is
not below `top`; otherwise it is in a hand, on the board, or gone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardrome.engine.kernel import kernel, record
from cardrome.games.tapdeck.rules.edition import MAX_DECK, MAX_HAND

PLAYING, BY_HEALTH, BY_TURNS = range(3)
"""Whether a match has ended, and why."""

CREATURE = record(
    ("attack", "i4"),
    ("health", "i4"),
    ("max_health", "i4"),
    ("card", "i2"),
    ("declared", "i2"),
    ("owner", "i1"),
    ("active", "i1"),
    ("blocked", "i1"),
    ("spare", "i1"),
)
"""A creature on the board. `declared` counts the attacks of a turn: 1 for the first attacker, 0 for one that does not
attack. It lasts until the opponent's blocking phase ends."""

STATE = record(
    ("health", "i4", (2,)),
    ("mana", "i4"),
    ("draws_left", "i4"),
    ("burns_left", "i4"),
    ("turn", "i2"),
    ("top", "i2"),
    ("declared", "i2"),
    ("n_creatures", "i2"),
    ("n_hand", "i2", (2,)),
    ("current", "i1"),
    ("blocking", "i1"),
    ("ending", "i1"),
    ("spare", "i1"),
    ("hands", "i2", (2, MAX_HAND)),
    ("creatures", CREATURE, (MAX_DECK,)),
)
"""A match. `turn` counts from 0; `mana`, `draws_left` and `burns_left` are the current player's; `blocking` is 1 until
his blocking phase is over. Hands and creatures (those of both players together) are sorted by card id."""


def new_states(n: int = 1) -> np.recarray[Any, Any]:
    """An array of n blank states."""
    return np.zeros(n, STATE).view(np.recarray)


@kernel
def copy_state(to: Any, source: Any) -> None:
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
def turns_begun(s: Any) -> int:
    """Turns of a match that were begun, once it has ended. The state counts the last one only if it was over."""
    return int(s.turn) + (1 if s.ending == BY_HEALTH else 0)
