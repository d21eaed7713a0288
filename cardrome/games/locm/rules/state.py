"""The state of a game, and the deal beside it, as records.

A `DealRecord` holds what does not change during a game: the card table, the draft offers and the seeds of the shuffles.
A `State` holds everything else, in a few hundred bytes: copying a game is copying one record, and N games are an array
of N records. Bytes that mean nothing are kept zero, so equal states are equal bytes.
"""

from __future__ import annotations

from typing import Annotated

from cardrome.engine.records import Integers, Record, Records, flag, i1, i2, i4, new_records, u1
from cardrome.games.locm.rules.cards import HIDDEN, MAX_CARDS, UNPAYABLE, CardRecord
from cardrome.games.locm.rules.edition import BOARD_SIZE, DECK_SIZE, HAND_LIMIT, OFFER_LIMIT

DECK_BUILDING, BATTLE = range(2)
"""Phases of a game."""

NOBODY = -1
UNKNOWN_ID = -1


class DealRecord(Record):
    """What does not change during a game."""

    shuffle_seed: Annotated[Integers, "i8", 2]
    """One for each player."""
    n_cards: i2
    offers: Annotated[Integers, "u1", (DECK_SIZE, OFFER_LIMIT)]
    """The cards of each draft round: the first ones of each row, as many as the edition offers."""
    cards: Annotated[Records[CardRecord], MAX_CARDS + 1]
    """The card table. Hands, decks and offers hold indices into it; the last card is the unknown one."""


class Held(Record):
    """A card in a hand or a deck: its index in the card table and its instance id."""

    card: u1
    id: i1


class Creature(Record):
    """A creature on the board; all zero where none stands."""

    attack: i2
    defense: i2
    order: i2
    """Counts summonings: sorting by it gives the referee's board order."""
    card: u1
    id: i1
    abilities: i1
    can_attack: flag
    has_attacked: flag
    touched: flag
    """It has fought, or an item has worked on it."""


class Player(Record):
    """One side of the table."""

    health: i4
    damage_taken: i4
    """Health lost since the last own turn, in editions where that brings cards."""
    next_draw: i2
    """Cards to draw at the next turn."""
    shown_draw: i2
    """The same as the opponent is shown it."""
    max_mana: i1
    mana: i1
    bonus_mana: i1
    rune: i1
    """The next rune to break; 0: none is left."""
    n_hand: i1
    n_deck: i1
    n_played: i1
    n_lane: Annotated[Integers, "i1", 2]
    """Creatures in each lane."""
    spare: i1
    hand: Annotated[Records[Held], HAND_LIMIT]
    deck: Annotated[Records[Held], DECK_SIZE]
    """Filled from the front while it is built. In battle its last `n_deck` places are the deck, top first, and its
    first `n_played` places list the cards played so far, which both players have seen."""
    board: Annotated[Records[Creature], BOARD_SIZE]
    """Lane 0, then lane 1, each from its oldest creature on."""


class State(Record):
    """A game at one moment."""

    phase: i1
    current: i1
    winner: i1
    spare: i1
    turn: i2
    """Counts the turns of both players, from 0."""
    summoned: i2
    clones: i2
    spare2: i2
    players: Annotated[Records[Player], 2]


def new_states(n: int = 1) -> Records[State]:
    """An array of n blank states."""
    return new_records(State, n)


def new_deals(n: int = 1) -> Records[DealRecord]:
    """An array of n deals without any card but the unknown one."""
    deals = new_records(DealRecord, n)
    deals["cards"]["cost"][:, HIDDEN] = UNPAYABLE
    return deals
