"""Deck building: what a card is worth before the battle, and which of the legal choices to take."""

from __future__ import annotations

import numpy as np

from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.records import Integers
from cardrome.games.locm.agents.evaluate import Weights, creature_value
from cardrome.games.locm.rules.cards import CHARGE, CREATURE_CARD, GREEN_ITEM, RED_ITEM, WARD, CardRecord
from cardrome.games.locm.rules.edition import DECK_SIZE, Rules
from cardrome.games.locm.rules.state import DealRecord, Player, State

TYPICAL_ATTACK, TYPICAL_DEFENSE = 3, 4
"""A creature an item is imagined to work on."""

MOST_DAMAGE = 7
"""Damage beyond this finds few creatures that need it."""

AREA_PERCENT = np.array([100, 150, 170], np.int64)
"""What an area of 1.5 makes of a card's effect on the board: target, lane, both lanes."""

CURVE_TOP = 7
WANTED = np.array([1, 4, 6, 5, 5, 4, 3, 2], np.int64)
"""How many cards of each cost a deck wants, the last standing for `CURVE_TOP` and more."""


@kernel
def effects_value(w: Weights, card: CardRecord) -> int:
    """What a card does to the players besides its own work on the board."""
    return w.health * (int(card.my_health) - int(card.opponent_health)) + w.card * int(card.card_draw)


@kernel
def item_value(w: Weights, card: CardRecord) -> int:
    """What an item changes about a typical creature."""
    attack, defense, abilities = int(card.attack), int(card.defense), int(card.abilities)
    before = creature_value(w, TYPICAL_ATTACK, TYPICAL_DEFENSE, 0)
    if card.type == GREEN_ITEM:
        gained = creature_value(w, TYPICAL_ATTACK + attack, TYPICAL_DEFENSE + defense, abilities) - before
        return gained + (w.charge * TYPICAL_ATTACK if abilities & CHARGE else 0)
    damage = min(MOST_DAMAGE, -defense)
    value = w.defense * damage - w.attack * max(attack, -TYPICAL_ATTACK)
    if damage > 0:  # the more damage, the more often it destroys the creature, and its attack with it
        value += w.removal * damage // MOST_DAMAGE
    if card.type == RED_ITEM and abilities:
        # Of the keywords it takes away few are ever there; Ward is the one that keeps damage off.
        value += (creature_value(w, TYPICAL_ATTACK, TYPICAL_DEFENSE, abilities & ~WARD) - before) // 4
    return value


@large_kernel
def card_value(w: Weights, card: CardRecord) -> int:
    """What a card is worth to a deck, its price in mana taken off."""
    attack, defense, abilities = int(card.attack), int(card.defense), int(card.abilities)
    if card.type == CREATURE_CARD:
        value = creature_value(w, attack, defense, abilities)
        if abilities & CHARGE:
            value += w.charge * attack
    else:
        value = item_value(w, card)
    value = value * AREA_PERCENT[card.area] // 100 + effects_value(w, card)
    return value - w.mana * int(card.cost)


@kernel
def curve_value(w: Weights, deal: DealRecord, me: Player, card: CardRecord) -> int:
    """What a card is worth for its cost: more while the deck lacks such cards, less once it has enough."""
    cost = min(CURVE_TOP, int(card.cost))
    have = 0
    for i in range(me.n_deck):
        if min(CURVE_TOP, int(deal.cards[me.deck[i].card].cost)) == cost:
            have += 1
    # What the deck should hold by now if it grew evenly; early picks are hardly restricted.
    lack = WANTED[cost] * (int(me.n_deck) + 1) - have * DECK_SIZE
    return w.curve * lack // DECK_SIZE


@large_kernel
def choose_card(w: Weights, rules: Rules, deal: DealRecord, s: State, codes: Integers, n: int) -> int:
    """The best of the legal choices: offers of a draft, or cards of the constructed pool."""
    me = s.players[s.current]
    best, best_value = int(codes[0]), -1_000_000
    for k in range(n):
        code = int(codes[k])
        index = int(deal.offers[me.n_deck, code]) if rules.offer_size > 0 else code
        card = deal.cards[index]
        value = card_value(w, card)
        if w.curve != 0:
            value += curve_value(w, deal, me, card)
        if value > best_value:
            best, best_value = code, value
    return best
