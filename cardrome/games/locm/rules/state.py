"""The state of a game as a NumPy record, and the deal beside it.

`DEAL` holds what does not change during a game: the card table, the draft offers and the seeds of the shuffles.
`STATE` holds everything else, in a few hundred bytes: copying a game is copying one record, N games are an array of
N records. Bytes that mean nothing are kept zero, so equal states are equal bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardrome.engine.kernel import record
from cardrome.games.locm.rules.cards import CARD, HIDDEN, MAX_CARDS, UNPAYABLE
from cardrome.games.locm.rules.edition import BOARD_SIZE, DECK_SIZE, HAND_LIMIT

DECK_BUILDING, BATTLE = range(2)
"""Phases of a game."""

NOBODY = -1
UNKNOWN_ID = -1

DEAL = record(
    ("shuffle_seed", "i8", (2,)),
    ("n_cards", "i2"),
    ("offers", "u1", (DECK_SIZE, 3)),
    ("cards", CARD, (MAX_CARDS + 1,)),
)

HELD = record(("card", "u1"), ("id", "i1"))
"""A card in a hand or a deck: its index in the card table and its instance id."""

CREATURE = record(
    ("attack", "i2"),
    ("defense", "i2"),
    ("order", "i2"),
    ("card", "u1"),
    ("id", "i1"),
    ("abilities", "i1"),
    ("can_attack", "i1"),
    ("has_attacked", "i1"),
    ("touched", "i1"),
)
"""A creature on the board. `order` counts summonings: sorting by it gives the referee's board order."""

PLAYER = record(
    ("health", "i4"),
    ("damage_taken", "i4"),
    ("next_draw", "i2"),
    ("shown_draw", "i2"),
    ("max_mana", "i1"),
    ("mana", "i1"),
    ("bonus_mana", "i1"),
    ("rune", "i1"),
    ("n_hand", "i1"),
    ("n_deck", "i1"),
    ("n_played", "i1"),
    ("n_lane", "i1", (2,)),
    ("spare", "i1"),
    ("hand", HELD, (HAND_LIMIT,)),
    ("deck", HELD, (DECK_SIZE,)),
    ("board", CREATURE, (BOARD_SIZE,)),
)
"""One side. The board holds lane 0, then lane 1, each from its oldest creature on.

`deck` is filled from the front while it is built. In battle its last `n_deck` places are the deck, top first, and its
first `n_played` places list the cards played so far, which both players have seen.
"""

STATE = record(
    ("phase", "i1"),
    ("current", "i1"),
    ("winner", "i1"),
    ("spare", "i1"),
    ("turn", "i2"),
    ("summoned", "i2"),
    ("clones", "i2"),
    ("spare2", "i2"),
    ("players", PLAYER, (2,)),
)


def new_states(n: int = 1) -> np.recarray[Any, Any]:
    """An array of n blank states."""
    return np.zeros(n, STATE).view(np.recarray)


def new_deals(n: int = 1) -> np.recarray[Any, Any]:
    """An array of n deals without any card but the unknown one."""
    deals = np.zeros(n, DEAL).view(np.recarray)
    deals["cards"]["cost"][:, HIDDEN] = UNPAYABLE
    return deals


def duplicate(array: np.recarray[Any, Any]) -> np.recarray[Any, Any]:
    """A copy of an array of records, byte by byte: NumPy's own copy goes field by field and takes 20 times as long."""
    return np.frombuffer(bytearray(array.tobytes()), array.dtype).view(np.recarray)
