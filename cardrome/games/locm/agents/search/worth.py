"""What a position is worth at the end of a turn, to the player whose turn it was: the network and what it is given."""

from __future__ import annotations

from typing import Annotated

from cardrome.engine.kernel import kernel, large_kernel, vector_kernel
from cardrome.engine.records import Floats, Integers, Record, i8
from cardrome.games.learning.network import network
from cardrome.games.locm.agents.evaluate import LOW_HEALTH, Weights, is_guarded, judge
from cardrome.games.locm.agents.search.brain import FEATURES, HIDDEN_UNITS, Brain
from cardrome.games.locm.rules.cards import BREAKTHROUGH, DRAIN, GUARD, LETHAL, MAX_CARDS, WARD
from cardrome.games.locm.rules.edition import BOARD_SIZE, Rules
from cardrome.games.locm.rules.state import NOBODY, Creature, DealRecord, Player, State

SURE = 1000.0
"""The value of a won game; of a lost one, the same below zero."""
JUDGED = 400.0
"""What `judge` counts as one unit here."""

PER_CREATURE = 8
LANE_TOTALS = 2 * BOARD_SIZE * PER_CREATURE
"""Places of the features: first all creatures, own and then enemy's, then the sums of each lane, then the rest."""
REST = LANE_TOTALS + 8


class Mind(Record):
    """What an agent remembers while it rates positions of one game."""

    cards: Annotated[Floats, "f4", (2, MAX_CARDS + 1)]
    """What each card of the game is worth, for each seat."""
    pool: i8
    """Marks the cards of which these are the values, where cards are new in every game."""
    x: Annotated[Floats, "f4", FEATURES]
    places: Annotated[Integers, "u2", FEATURES]
    units: Annotated[Floats, "f4", HIDDEN_UNITS]


@kernel
def strength(c: Creature) -> int:
    """Orders the creatures of a lane."""
    return int(c.attack) * 64 + int(c.defense)


@kernel
def describe_creature(x: Floats, at: int, c: Creature) -> None:
    """The features of one creature."""
    x[at] = 1.0
    x[at + 1] = int(c.attack) * 0.25
    x[at + 2] = int(c.defense) * 0.25
    abilities = int(c.abilities)
    x[at + 3] = 1.0 if abilities & BREAKTHROUGH else 0.0
    x[at + 4] = 1.0 if abilities & DRAIN else 0.0
    x[at + 5] = 1.0 if abilities & GUARD else 0.0
    x[at + 6] = 1.0 if abilities & LETHAL else 0.0
    x[at + 7] = 1.0 if abilities & WARD else 0.0


@large_kernel
def describe_board(rules: Rules, side: Player, x: Floats, p: int) -> None:
    """The features of one side's creatures, the strongest of a lane first; p is 0 for the viewer's side."""
    for lane in range(rules.lanes):
        start = lane * int(rules.lane_slots)
        n = int(side.n_lane[lane])
        attack, guard = 0, 0
        for i in range(start, start + n):
            c = side.board[i]
            rank = 0
            for j in range(start, start + n):
                other = strength(side.board[j])
                if other > strength(c) or (other == strength(c) and j < i):
                    rank += 1
            describe_creature(x, (p * BOARD_SIZE + start + rank) * PER_CREATURE, c)
            attack += int(c.attack)
            if c.abilities & GUARD:
                guard += int(c.defense)
        at = LANE_TOTALS + (p * 2 + lane) * 2
        x[at] = attack * 0.1
        x[at + 1] = guard * 0.1


@kernel
def threat(rules: Rules, me: Player, foe: Player) -> int:
    """The damage of the enemy's creatures in lanes that no guard closes."""
    damage = 0
    for lane in range(rules.lanes):
        if not is_guarded(rules, me, lane):
            start = lane * int(rules.lane_slots)
            for place in range(start, start + int(foe.n_lane[lane])):
                damage += int(foe.board[place].attack)
    return damage


@vector_kernel
def describe(cards: Floats, rules: Rules, deal: DealRecord, s: State, viewer: int, x: Floats) -> None:
    """What the network is given: the position as the viewer knows it at the end of their turn.

    ``cards`` says what each card is worth, for each seat.
    """
    for i in range(FEATURES):
        x[i] = 0.0
    me, foe = s.players[viewer], s.players[1 - viewer]
    describe_board(rules, me, x, 0)
    describe_board(rules, foe, x, 1)
    x[REST] = int(me.health) * 0.1
    x[REST + 1] = int(foe.health) * 0.1
    x[REST + 2] = max(0, LOW_HEALTH - int(me.health)) * 0.2
    x[REST + 3] = max(0, LOW_HEALTH - int(foe.health)) * 0.2
    x[REST + 4] = (int(me.health) - int(me.rune)) * 0.2
    x[REST + 5] = (int(foe.health) - int(foe.rune)) * 0.2
    x[REST + 6] = int(me.n_hand) * 0.25
    x[REST + 7] = int(me.next_draw) * 0.5
    x[REST + 8] = int(foe.n_hand) * 0.25
    x[REST + 9] = int(foe.next_draw) * 0.5
    x[REST + 10] = int(me.max_mana) * 0.1
    x[REST + 11] = 1.0 if me.bonus_mana > 0 and me.mana > 0 else 0.0
    x[REST + 12] = 1.0 if foe.bonus_mana > 0 and foe.mana > 0 else 0.0
    x[REST + 13] = viewer
    mana = int(me.max_mana) + 1
    cost, payable, worth = 0, 0, 0.0
    for i in range(me.n_hand):
        index = int(me.hand[i].card)
        card = deal.cards[index]
        x[REST + 14 + card.type] += 0.5
        cost += int(card.cost)
        payable += card.cost <= mana
        worth += float(cards[viewer, index])
    x[REST + 18] = cost * 0.05
    x[REST + 19] = payable * 0.25
    x[REST + 20] = worth * 2.0
    x[REST + 21] = min(0, int(me.n_deck) - 6) * 0.2
    x[REST + 22] = min(0, int(foe.n_deck) - 6) * 0.2
    x[REST + 23] = 1.0 if threat(rules, me, foe) >= me.health else 0.0


@large_kernel
def worth_of(brain: Brain, w: Weights, rules: Rules, deal: DealRecord, s: State, viewer: int, m: Mind) -> float:
    """What the end of the viewer's turn is worth to them, as a logit."""
    if s.winner != NOBODY:
        return SURE if s.winner == viewer else -SURE
    if not brain.learned:
        return judge(w, rules, s, viewer) / JUDGED
    describe(m.cards, rules, deal, s, viewer, m.x)
    return network(brain, m.x, m.places, m.units)
