"""Decks that the searching agents have learned to build: what each card adds to the chance to win, and how many of a
kind a deck should have."""

from __future__ import annotations

from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.random import below, mix
from cardrome.engine.records import Floats, Integers
from cardrome.games.locm.agents.search.brain import CARD_FEATURES, GROUPS, Brain, cost_group, type_group
from cardrome.games.locm.agents.search.worth import Mind
from cardrome.games.locm.rules.cards import CREATURE_CARD, MAX_CARDS, CardRecord
from cardrome.games.locm.rules.edition import DECK_SIZE, Rules
from cardrome.games.locm.rules.state import DealRecord, Player, State

KEYWORDS = 6
PER_TYPE = 1 + 3 + KEYWORDS + 6
"""Features of a card of one type."""


@large_kernel
def describe_card(card: CardRecord, x: Floats) -> None:
    """The features of a card: its numbers and some of their products, apart for each type."""
    for i in range(CARD_FEATURES):
        x[i] = 0.0
    at = int(card.type) * PER_TYPE
    cost, attack, defense, abilities = int(card.cost), int(card.attack), int(card.defense), int(card.abilities)
    x[at] = 1.0
    x[at + 1] = cost * 0.25
    x[at + 2] = attack * 0.25
    x[at + 3] = defense * 0.25
    for k in range(KEYWORDS):
        x[at + 4 + k] = 1.0 if abilities >> k & 1 else 0.0
    at += 4 + KEYWORDS
    x[at] = int(card.my_health) * 0.25
    x[at + 1] = int(card.opponent_health) * 0.25
    x[at + 2] = int(card.card_draw) * 0.5
    x[at + 3] = 1.0 if card.area == 1 else 0.0
    x[at + 4] = 1.0 if card.area == 2 else 0.0
    x[at + 5] = cost * cost * 0.05
    if card.type == CREATURE_CARD:
        at = 4 * PER_TYPE
        x[at] = attack * defense * 0.05
        x[at + 1] = attack * attack * 0.05
        x[at + 2] = defense * defense * 0.05
        for k in range(KEYWORDS):
            has = 1.0 if abilities >> k & 1 else 0.0
            x[at + 3 + 2 * k] = has * attack * 0.25
            x[at + 4 + 2 * k] = has * defense * 0.25
        at += 3 + 2 * KEYWORDS
        x[at] = attack * 0.25 if card.area > 0 else 0.0
        x[at + 1] = defense * 0.25 if card.area > 0 else 0.0
    else:
        at = 4 * PER_TYPE + 5 + 2 * KEYWORDS
        x[at] = defense * 0.25 if card.area > 0 else 0.0
        x[at + 1] = cost * defense * 0.05


@kernel
def pool_mark(deal: DealRecord) -> int:
    """A number that tells pools of cards apart."""
    mark = int(deal.n_cards)
    for k in range(deal.n_cards):
        card = deal.cards[k]
        code = int(card.attack) << 24 ^ int(card.defense) << 16 ^ int(card.abilities) << 8 ^ int(card.cost) << 4
        code ^= int(card.type) ^ int(card.my_health) << 32 ^ int(card.area) << 40
        code ^= int(card.opponent_health) << 48 ^ int(card.card_draw) << 56
        mark = mix(mark ^ code)
    return mark


@large_kernel
def value_cards(brain: Brain, which: int, rules: Rules, deal: DealRecord, m: Mind, x: Floats) -> None:
    """What each card of a game adds to the chance to win, for each seat: known by number, or by its features.

    Values of the last pool are kept, for each of the desk's brains: ``which`` is the number of this one.
    """
    if not rules.generated_cards:
        for p in range(2):
            for k in range(MAX_CARDS + 1):
                m.cards[p, k] = brain.card[p, k]
        return
    mark = pool_mark(deal) ^ which
    if m.pool == mark:
        return
    m.pool = mark
    for k in range(deal.n_cards):
        describe_card(deal.cards[k], x)
        for p in range(2):
            value = 0.0
            for i in range(CARD_FEATURES):
                value += float(x[i]) * float(brain.by_feature[p, i])
            m.cards[p, k] = value


@kernel
def count_groups(deal: DealRecord, me: Player, counts: Integers) -> None:
    """How many cards of each group the deck has so far."""
    for g in range(GROUPS):
        counts[g] = 0
    for i in range(me.n_deck):
        card = deal.cards[me.deck[i].card]
        counts[cost_group(card)] += 1
        counts[type_group(card)] += 1


@kernel
def balance_value(brain: Brain, seat: int, group: int, has: int, left: int) -> float:
    """What one more card of a group changes about the balance of the deck, which is filled up as usual."""
    final = has + left * float(brain.usual[seat, group])
    return float(brain.balance[seat, group]) * (2 * final + 1)


@kernel
def choice_value(brain: Brain, seat: int, card: CardRecord, own: float, counts: Integers, left: int) -> float:
    """What a card adds to a deck with these counts and so many cards to come: its own worth, and its balance."""
    cost, kind = cost_group(card), type_group(card)
    own += balance_value(brain, seat, cost, int(counts[cost]), left)
    return own + balance_value(brain, seat, kind, int(counts[kind]), left)


@kernel
def noise_of(u: int) -> float:
    """Noise made of a number from 0 to 4095, mostly small; by divisions alone, which all machines do alike."""
    p = (u + 0.5) / 4096.0
    return (p - 0.5) / (p * (1.0 - p) + 0.02)


@large_kernel
def choose_learned(
    brain: Brain,
    rules: Rules,
    deal: DealRecord,
    s: State,
    codes: Integers,
    n: int,
    values: Floats,
    counts: Integers,
    noise: float,
    random: int,
) -> tuple[int, int]:
    """The generator's next state and the best of the legal choices; with noise, now and then another good one."""
    seat = int(s.current)
    me = s.players[seat]
    left = DECK_SIZE - 1 - int(me.n_deck)
    count_groups(deal, me, counts)
    best, best_value = int(codes[0]), -1e9
    for k in range(n):
        code = int(codes[k])
        index = int(deal.offers[me.n_deck, code]) if rules.offer_size > 0 else code
        card = deal.cards[index]
        value = choice_value(brain, seat, card, float(values[seat, index]), counts, left)
        if noise > 0.0:
            random, u = below(random, 4096)
            value += noise * noise_of(u)
        if value > best_value:
            best, best_value = code, value
    return random, best
