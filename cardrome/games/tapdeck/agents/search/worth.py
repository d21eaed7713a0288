"""What a position is worth to the player whose action phase begins: the network and what it is given."""

from __future__ import annotations

from typing import Annotated

from cardrome.engine.kernel import kernel, large_kernel, vector_kernel
from cardrome.engine.records import Floats, Integers, Record
from cardrome.games.learning.network import network
from cardrome.games.tapdeck.agents.evaluate import Weights, awake, judge, past_blockers
from cardrome.games.tapdeck.agents.search.brain import FEATURES, HIDDEN_UNITS, Brain
from cardrome.games.tapdeck.rules.cards import BUFF, CREATURE_CARD, DAMAGE, HEAL, TAKE, CardRecord, Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.state import BY_HEALTH, PLAYING, Creature, State

SURE = 1000.0
"""The value of a won match, as a logit; of a lost one, the same below zero."""
AHEAD_AT_THE_END = 500.0
"""For having more health when the turns are over."""
MARGIN = 100.0
"""For the whole initial health at the end of a match."""
JUDGED = 600.0
"""What `judge` counts as one unit here."""

SHOWN = 6
"""Creatures of each side that are described one by one, the strongest first."""
PER_CREATURE = 4
PER_HAND = 20
PER_BOARD = 14
PER_SIDE = PER_BOARD + SHOWN * PER_CREATURE + PER_HAND + 4
RIVER = 4
"""Cards on top of the deck that are described."""
PER_CARD = 12
DECK = 2 * PER_SIDE
REST = DECK + RIVER * PER_CARD


class Mind(Record):
    """Scratch memory for rating positions."""

    x: Annotated[Floats, "f4", FEATURES]
    places: Annotated[Integers, "u2", FEATURES]
    units: Annotated[Floats, "f4", HIDDEN_UNITS]
    strongest: Annotated[Integers, "i8", SHOWN]


@kernel
def strength(c: Creature) -> int:
    """Orders creatures for the network."""
    return 2 * int(c.attack) + int(c.health)


@large_kernel
def describe_board(deck: Deck, s: State, player: int, x: Floats, at: int, strongest: Integers) -> int:
    """The features of a side's creatures; returns the mana they give."""
    n, attack, health, mana, most_attack, most_health, wounds, harmless, sturdy = 0, 0, 0, 0, 0, 0, 0, 0, 0
    awake_n, awake_attack, awake_health, awake_most = 0, 0, 0, 0
    shown = 0
    for i in range(s.n_creatures):
        c = s.creatures[i]
        if c.owner == player:
            a, h = int(c.attack), int(c.health)
            n += 1
            attack += a
            health += h
            mana += int(deck.cards[c.card].mana)
            most_attack = max(most_attack, a)
            most_health = max(most_health, h)
            wounds += int(c.max_health) - h
            harmless += a == 0
            sturdy += a if h > 3 else 0
            if c.active:
                awake_n += 1
                awake_attack += a
                awake_health += h
                awake_most = max(awake_most, a)
            # Among the strongest so far, in order; the first of equals stays first.
            k = shown
            while k > 0 and strength(s.creatures[strongest[k - 1]]) < strength(c):
                if k < SHOWN:
                    strongest[k] = strongest[k - 1]
                k -= 1
            if k < SHOWN:
                strongest[k] = i
                shown = min(shown + 1, SHOWN)
    x[at] = n * 0.125
    x[at + 1] = attack * 0.0625
    x[at + 2] = health * 0.04
    x[at + 3] = min(mana, 8) * 0.125
    x[at + 4] = max(mana - 8, 0) * 0.125
    x[at + 5] = most_attack * 0.125
    x[at + 6] = most_health * 0.125
    x[at + 7] = wounds * 0.125
    x[at + 8] = harmless * 0.25
    x[at + 9] = sturdy * 0.0625
    x[at + 10] = awake_n * 0.125
    x[at + 11] = awake_attack * 0.0625
    x[at + 12] = awake_health * 0.04
    x[at + 13] = awake_most * 0.125
    for k in range(shown):
        c = s.creatures[strongest[k]]
        place = at + PER_BOARD + k * PER_CREATURE
        x[place] = 0.5 + int(c.attack) * 0.125
        x[place + 1] = int(c.health) * 0.125
        x[place + 2] = int(deck.cards[c.card].mana) * 0.5
        x[place + 3] = 1.0 if c.active else 0.0
    return mana


@large_kernel
def describe_hand(deck: Deck, s: State, player: int, mana: int, x: Floats, at: int) -> None:
    """The features of a hand; ``mana`` says what is within reach."""
    best = 0
    for i in range(s.n_hand[player]):
        card = deck.cards[s.hands[player, i]]
        kind, cost = int(card.kind), int(card.cost)
        payable = cost <= mana
        x[at] += 0.125
        x[at + 1] += 0.125 if payable else 0.0
        if kind == CREATURE_CARD:
            a, h = int(card.attack), int(card.health)
            x[at + 2] += 0.25
            x[at + 3] += a * 0.125
            x[at + 4] += h * 0.125
            x[at + 5] += int(card.mana) * 0.25
            x[at + 6] += cost * 0.125
            if payable:
                x[at + 7] += a * 0.125
                x[at + 8] += h * 0.125
                x[at + 9] += int(card.mana) * 0.25
                best = max(best, 2 * a + h)
        else:
            x[at + 10] += cost * 0.125
            if kind == DAMAGE:
                x[at + 11] += int(card.attack) * 0.25
                x[at + 12] += int(card.attack) * 0.25 if payable else 0.0
            elif kind == HEAL:
                x[at + 13] += int(card.health) * 0.25
            elif kind == BUFF:
                x[at + 14] += int(card.attack) * 0.25
                x[at + 15] += int(card.health) * 0.25
            elif kind == TAKE:
                x[at + 16] += int(card.attack) * 0.25
            else:
                x[at + 17] += 0.5
                x[at + 18] += 0.5 if payable else 0.0
    x[at + 19] = best * 0.0625


@kernel
def describe_card(card: CardRecord, x: Floats, at: int) -> None:
    """The features of a card of the deck."""
    kind = int(card.kind)
    x[at] = 1.0
    x[at + 1] = int(card.cost) * 0.125
    if kind == CREATURE_CARD:
        x[at + 2] = 1.0
        x[at + 3] = int(card.attack) * 0.125
        x[at + 4] = int(card.health) * 0.125
        x[at + 5] = int(card.mana) * 0.5
    elif kind == DAMAGE:
        x[at + 6] = int(card.attack) * 0.25
    elif kind == HEAL:
        x[at + 7] = int(card.health) * 0.25
    elif kind == BUFF:
        x[at + 8] = int(card.attack) * 0.25
        x[at + 9] = int(card.health) * 0.25
    elif kind == TAKE:
        x[at + 10] = int(card.attack) * 0.5
    else:
        x[at + 11] = 1.0


@kernel
def describe_player(rules: Rules, health: int, threat: int, x: Floats, at: int) -> None:
    """The features of a player's health, and of the damage that the other side can do to it."""
    x[at] = health / int(rules.initial_health)
    x[at + 1] = max(0, 10 - health) * 0.1
    x[at + 2] = threat * 0.1
    x[at + 3] = 1.0 if threat >= health else 0.0


@vector_kernel
def describe(rules: Rules, deck: Deck, s: State, x: Floats, strongest: Integers) -> None:
    """What the network is given: the position as the current player's action phase begins."""
    me = int(s.current)
    foe = 1 - me
    for i in range(FEATURES):
        x[i] = 0.0
    hand = PER_BOARD + SHOWN * PER_CREATURE
    my_mana = describe_board(deck, s, me, x, 0, strongest)
    describe_hand(deck, s, me, my_mana, x, hand)
    their_mana = describe_board(deck, s, foe, x, PER_SIDE, strongest)
    describe_hand(deck, s, foe, their_mana, x, PER_SIDE + hand)
    my_threat = past_blockers(s, me, 1, awake(s, foe))
    their_threat = past_blockers(s, foe, 1, awake(s, me))
    describe_player(rules, int(s.health[me]), their_threat, x, hand + PER_HAND)
    describe_player(rules, int(s.health[foe]), my_threat, x, PER_SIDE + hand + PER_HAND)
    left_in_deck = int(deck.n) - int(s.top)
    for k in range(min(RIVER, left_in_deck)):
        describe_card(deck.cards[s.top + k], x, DECK + k * PER_CARD)
    left = int(rules.turns) - int(s.turn)
    x[REST] = min(left, 60) / 60.0
    x[REST + 1] = max(0, 12 - left) / 12.0
    x[REST + 2] = max(0, 4 - left) * 0.25
    x[REST + 3] = min(left_in_deck, 10) * 0.1
    x[REST + 4] = min(int(rules.draws), 6) * 0.25
    x[REST + 5] = min(int(rules.burns), 6) * 0.25
    x[REST + 6] = min(int(rules.initial_health), 60) / 30.0
    x[REST + 7] = me


@large_kernel
def worth_of(brain: Brain, w: Weights, rules: Rules, deck: Deck, s: State, viewer: int, m: Mind) -> float:
    """What a position is worth to the viewer, as a logit: the match is over, or an action phase begins."""
    if s.ending != PLAYING:
        mine, theirs = int(s.health[viewer]), int(s.health[1 - viewer])
        if mine == theirs:
            return 0.0
        sure = SURE if s.ending == BY_HEALTH else AHEAD_AT_THE_END
        margin = MARGIN * (mine - theirs) / int(rules.initial_health)
        return margin + sure if mine > theirs else margin - sure
    if not brain.learned:
        return float(judge(w, rules, deck, s, viewer)) / JUDGED
    describe(rules, deck, s, m.x, m.strongest)
    value = float(network(brain, m.x, m.places, m.units))
    return value if s.current == viewer else -value
