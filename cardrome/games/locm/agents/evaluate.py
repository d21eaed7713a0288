"""What boards and cards are worth: `judge` says how good a position looks, `choose_card` which card a deck needs.

Both go by the numbers of a table for each agent (`Weights`). A unit is a hundredth of a point of attack. Weights travel
beside the state as a record, so that an agent with other weights needs no other code.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.records import Integers, dtype_of, i4
from cardrome.games.locm.rules.cards import (
    BREAKTHROUGH,
    CHARGE,
    CREATURE_CARD,
    DRAIN,
    GREEN_ITEM,
    GUARD,
    LETHAL,
    RED_ITEM,
    WARD,
    CardRecord,
)
from cardrome.games.locm.rules.edition import DECK_SIZE, HAND_LIMIT, Rules
from cardrome.games.locm.rules.legal import attack_mask
from cardrome.games.locm.rules.state import NOBODY, DealRecord, Player, State


@dataclass(frozen=True, slots=True)
class Weights:
    """What things are worth to an agent. The defaults were found by self-play in all editions at once."""

    # A creature
    body: i4 = 60
    """For being there at all."""
    attack: i4 = 100
    defense: i4 = 55
    breakthrough: i4 = 8
    """Per attack, as the next two."""
    drain: i4 = 30
    ward: i4 = 40
    guard: i4 = 10
    """Per defense."""
    lethal: i4 = 210

    # A player
    health: i4 = 30
    low_health: i4 = 55
    """Lost, on top of the above, for each health below 12."""
    card: i4 = 75
    """A card in hand, or to be drawn next turn."""

    # What is about to be lost
    exposed: i4 = 0
    """Percent of what the opponent would win by attacking this player's creatures."""
    danger: i4 = 0
    """Lost for each damage that the opponent's creatures threaten beyond this player's health."""
    margin: i4 = 0
    """Damage to expect from cards that the opponent has not shown."""

    # A card, when the deck is built
    mana: i4 = 170
    """The price of one mana."""
    charge: i4 = 20
    """Per attack, and only here: on the board it no longer matters."""
    removal: i4 = 600
    """For an item that destroys nearly every creature; others get a part of it."""
    curve: i4 = 0
    """For each card that the deck lacks at this cost, or lost for each that it has too many."""


WEIGHTS = dtype_of(Weights)
"""Weights as kernels see them."""


WON = 1_000_000
"""More than any position can be worth that is not won."""

LOW_HEALTH = 12


@kernel
def creature_value(w: Weights, attack: int, defense: int, abilities: int) -> int:
    """What a creature of these numbers is worth on the board."""
    value = w.body + w.attack * attack + w.defense * defense
    if abilities & BREAKTHROUGH:
        value += w.breakthrough * attack
    if abilities & DRAIN:
        value += w.drain * attack
    if abilities & GUARD:
        value += w.guard * defense
    if abilities & LETHAL:
        value += w.lethal
    if abilities & WARD:
        value += w.ward * attack
    return value


@kernel
def health_value(w: Weights, health: int) -> int:
    """What a player's health is worth: the last points more than the first."""
    return w.health * health - w.low_health * max(0, LOW_HEALTH - health)


@large_kernel
def player_value(w: Weights, rules: Rules, player: Player) -> int:
    """What a player has: creatures, health, and cards (only their number, which both sides know)."""
    value = health_value(w, int(player.health))
    value += w.card * min(HAND_LIMIT, int(player.n_hand) + int(player.next_draw))
    for lane in range(rules.lanes):
        first = lane * int(rules.lane_slots)
        for place in range(first, first + int(player.n_lane[lane])):
            c = player.board[place]
            value += creature_value(w, int(c.attack), int(c.defense), int(c.abilities))
    return value


@kernel
def is_guarded(rules: Rules, player: Player, lane: int) -> bool:
    """The player cannot be attacked from this lane."""
    return attack_mask(rules, player, lane) & 1 == 0


@kernel
def beats(attack: int, abilities: int, defense: int, defender_abilities: int) -> bool:
    """A strike of this attack would destroy that creature."""
    return attack > 0 and not defender_abilities & WARD and (attack >= defense or abilities & LETHAL != 0)


@large_kernel
def exposure(w: Weights, rules: Rules, me: Player, foe: Player) -> int:
    """What the opponent would win by the best attack of one creature on each of the viewer's, guards considered."""
    total = 0
    for lane in range(rules.lanes):
        first = lane * int(rules.lane_slots)
        guarded = is_guarded(rules, me, lane)
        for place in range(first, first + int(me.n_lane[lane])):
            c = me.board[place]
            worst = 0
            for enemy in range(first, first + int(foe.n_lane[lane])):
                e = foe.board[enemy]
                if beats(int(e.attack), int(e.abilities), int(c.defense), int(c.abilities)):
                    loss = creature_value(w, int(c.attack), int(c.defense), int(c.abilities))
                    if beats(int(c.attack), int(c.abilities), int(e.defense), int(e.abilities)):
                        loss -= creature_value(w, int(e.attack), int(e.defense), int(e.abilities))
                    worst = max(worst, loss)
            if not guarded or c.abilities & GUARD:
                total += worst
    return total


@large_kernel
def danger(rules: Rules, me: Player, foe: Player) -> int:
    """The damage that the opponent's creatures threaten; each guarded lane holds up the strongest."""
    damage = 0
    for lane in range(rules.lanes):
        first = lane * int(rules.lane_slots)
        strongest = 0
        for place in range(first, first + int(foe.n_lane[lane])):
            attack = int(foe.board[place].attack)
            damage += attack
            strongest = max(strongest, attack)
        if is_guarded(rules, me, lane):
            damage -= strongest
    return damage


@large_kernel
def judge(w: Weights, rules: Rules, s: State, viewer: int) -> int:
    """How much better off the viewer is than their opponent: what both have, less what the viewer is about to lose."""
    if s.winner != NOBODY:
        return WON if s.winner == viewer else -WON
    value = 0
    for p in range(2):  # a loop, so that the kernel is compiled once instead of twice
        has = player_value(w, rules, s.players[p])
        value += has if p == viewer else -has
    me, foe = s.players[viewer], s.players[1 - viewer]
    if w.exposed != 0:
        value -= w.exposed * exposure(w, rules, me, foe) // 100
    if w.danger != 0:
        value -= w.danger * max(0, danger(rules, me, foe) + w.margin - int(me.health))
    return value


TYPICAL_ATTACK, TYPICAL_DEFENSE = 3, 4
"""The typical creature that an item is used on."""

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
