"""The state of a Tapdeck match as a record, where its cards are, and how they come and go. Nothing in it is hidden.

Cards are named by their place in the `Deck`. A card is still in the deck if its place is not below `top`; otherwise it
is in a hand, on the board, or gone.
"""

from __future__ import annotations

from typing import Annotated

from cardrome.engine.kernel import kernel
from cardrome.engine.records import Integers, Record, Records, flag, i1, i2, i4, new_records
from cardrome.games.tapdeck.rules.cards import Deck
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
def turns_begun(s: State) -> int:
    """Turns of a match that were begun, once it has ended. The state counts the last one only if it was over."""
    return int(s.turn) + (1 if s.ending == BY_HEALTH else 0)


@kernel
def card_of_id(deck: Deck, number: int) -> int:
    """The card with an id, -1 if there is none in this match."""
    return int(deck.index_of[number]) if 0 <= number <= MAX_DECK else -1


@kernel
def place_in_hand(s: State, player: int, card: int) -> int:
    """The card's place in the player's hand, -1 if it is not there."""
    for i in range(s.n_hand[player]):
        if s.hands[player, i] == card:
            return i
    return -1


@kernel
def place_on_board(s: State, card: int) -> int:
    """The card's place among the creatures on the board, -1 if it is not there."""
    for i in range(s.n_creatures):
        if s.creatures[i].card == card:
            return i
    return -1


@kernel
def take_into_hand(deck: Deck, s: State, player: int, card: int) -> None:
    """Put a card into a hand, which stays sorted by id."""
    i = int(s.n_hand[player])
    while i > 0 and deck.cards[s.hands[player, i - 1]].id > deck.cards[card].id:
        s.hands[player, i] = s.hands[player, i - 1]
        i -= 1
    s.hands[player, i] = card
    s.n_hand[player] += 1


@kernel
def remove_from_hand(s: State, player: int, place: int) -> None:
    """Take the card at a place out of a hand."""
    last = s.n_hand[player] - 1
    for i in range(place, last):
        s.hands[player, i] = s.hands[player, i + 1]
    s.hands[player, last] = 0
    s.n_hand[player] = last


@kernel
def put_on_board(deck: Deck, s: State, player: int, card: int) -> None:
    """A creature enters the board, asleep."""
    i = int(s.n_creatures)
    while i > 0 and deck.cards[s.creatures[i - 1].card].id > deck.cards[card].id:
        s.creatures[i] = s.creatures[i - 1]
        i -= 1
    creature = s.creatures[i]
    creature.attack = deck.cards[card].attack
    creature.health = deck.cards[card].health
    creature.max_health = deck.cards[card].max_health
    creature.card = card
    creature.declared = 0
    creature.owner = player
    creature.active = False
    creature.blocked = False
    s.n_creatures += 1


@kernel
def remove_from_board(s: State, place: int) -> None:
    """The creature at a place is removed from the game."""
    last = s.n_creatures - 1
    for i in range(place, last):
        s.creatures[i] = s.creatures[i + 1]
    s.n_creatures = last
