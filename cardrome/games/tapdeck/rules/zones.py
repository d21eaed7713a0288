"""Where a card is, and how cards come and go."""

from __future__ import annotations

from cardrome.engine.kernel import kernel
from cardrome.games.tapdeck.rules.cards import Deck
from cardrome.games.tapdeck.rules.edition import MAX_DECK
from cardrome.games.tapdeck.rules.state import State


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
