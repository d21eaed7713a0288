"""Decks from a seed, in which mana comes early and strength later.

A deck is laid from its top. Half of the opening are creatures that cost nothing and give mana, placed so that the
player with the second turn gets the first and best of them, which makes up for being a turn behind. After the opening,
costs and powers rise slowly. Creatures have more health than attack, so that matches are not decided by who strikes
first; some are hurt when they come. Nearly all numbers stay below 10.
"""

from __future__ import annotations

from cardrome.engine.kernel import entry, kernel
from cardrome.engine.random import below, step
from cardrome.engine.records import Records
from cardrome.errors import CallerError
from cardrome.games.tapdeck.rules.cards import (
    BUFF,
    CREATURE_CARD,
    DAMAGE,
    DEACTIVATE,
    HEAL,
    TAKE,
    CardRecord,
    Deck,
    blank_deck,
)
from cardrome.games.tapdeck.rules.edition import MAX_DECK

FREE_MANA = 2, 5, 6, 9, 10, 13
"""Places in the opening of creatures that cost nothing and give mana. With one draw and one burn nobody gets at the
first of them in the first turn; in the second turn it is one of the two cards at the top."""
MOST_FREE_MANA = 2
"""What such a creature gives at the most; the first one always does."""


@kernel
def write_card(card: CardRecord, kind: int, attack: int, health: int, cost: int, mana: int) -> None:
    """Fill in a card. Fields that the kind does not use are 0."""
    card.kind = kind
    card.attack = attack
    card.health = health
    card.max_health = health if kind == CREATURE_CARD else 0
    card.cost = cost
    card.mana = mana


@kernel
def make_source(card: CardRecord, random: int) -> int:
    """A creature that costs nothing and gives mana."""
    random, mana = below(random, 3)
    random, attack = below(random, 2)
    random, health = below(random, 2)
    write_card(card, CREATURE_CARD, attack, 1 + health, 0, MOST_FREE_MANA if mana == 2 else 1)
    return random


@kernel
def make_fighter(card: CardRecord, random: int, level: int) -> int:
    """A creature for its attack and health; about every fourth one gives mana too, and every sixth is hurt."""
    random, cost = below(random, level + 1)
    random, luck = below(random, 3)
    power = 2 + 2 * cost + luck
    random, attack = below(random, max(power // 2, 1))
    attack = min(1 + attack, 9)
    health = min(max(power - attack, 1), 9)
    random, gives = below(random, 4)
    random, mana = below(random, 2 + cost // 3)
    write_card(card, CREATURE_CARD, attack, health, cost, mana if gives == 0 else 0)
    random, hurt = below(random, 6)
    random, wounds = below(random, 3)
    if hurt == 0:
        card.max_health = min(health + 1 + wounds, 9)
    return random


@kernel
def make_spell(card: CardRecord, random: int, level: int) -> int:
    """Any spell: buffs most often, then damage and healing, then the others."""
    random, roll = below(random, 20)
    random, strength = below(random, 2 + level // 2)
    if roll < 5:
        write_card(card, DAMAGE, 1 + strength, 0, 1 + strength, -1)
    elif roll < 11:
        random, health = below(random, 2 + level // 2)
        write_card(card, BUFF, strength, 1 + health, 1 + (strength + health) // 2, -1)
    elif roll < 15:
        write_card(card, HEAL, 0, 1 + strength, 1 + strength // 2, -1)
    elif roll < 18:
        random, dear = below(random, 2)
        write_card(card, DEACTIVATE, 0, 0, 1 + dear, -1)
    else:
        random, more = below(random, 2)
        write_card(card, TAKE, 1 + more, 0, 1 + more, -1)
    return random


@kernel
def number_cards(deck: Deck, random: int) -> int:
    """Give the cards distinct ids from 1 to 1000, in no order."""
    # `index_of` serves as the bag of numbers until all are given, then says where each card is.
    for number in range(MAX_DECK + 1):
        deck.index_of[number] = number
    for i in range(deck.n):
        random, offset = below(random, MAX_DECK - i)
        j = 1 + i + offset
        number = deck.index_of[j]
        deck.index_of[j] = deck.index_of[1 + i]
        deck.cards[i].id = number
    for number in range(MAX_DECK + 1):
        deck.index_of[number] = -1
    for i in range(deck.n):
        deck.index_of[deck.cards[i].id] = i
    return random


@kernel
def generate_deck(deck: Deck, n: int, seed: int) -> None:
    """Lay a deck of n cards."""
    random = step(seed)
    deck.n = n
    for i in range(n):
        level = 2 + min(6 * i // n, 6)
        card = deck.cards[i]
        random, roll = below(random, 100)
        if i in FREE_MANA or roll < 8:
            random = make_source(card, random)
            if i == FREE_MANA[0]:
                card.mana = MOST_FREE_MANA
        elif roll < 70:
            random = make_fighter(card, random, level)
        else:
            random = make_spell(card, random, level)
    number_cards(deck, random)


@entry(Deck, int, int)
def lay_deck(decks: Records[Deck], n: int, seed: int) -> int:
    """Make the deck of a seed."""
    generate_deck(decks[0], n, seed)
    return 0


def deck_from_seed(n: int, seed: int) -> Records[Deck]:
    """The deck of n cards that belongs to a seed, as an array of one record."""
    if not 1 <= n <= MAX_DECK:
        raise CallerError(f"a deck of {n} cards; allowed are 1 to {MAX_DECK}")
    if not 0 <= seed < 1 << 62:
        raise CallerError(f"seed {seed}; allowed are 0 to 2^62 - 1")
    deck = blank_deck()
    lay_deck(deck, n, seed)
    return deck
