"""How good a position looks to one player: `judge` says it, by a table of numbers (`Weights`).

A unit is a hundredth of a point of attack on the board. Weights travel beside the state as a record, so that an agent
with other weights needs no other code.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.records import dtype_of, i4
from cardrome.games.tapdeck.rules.cards import BUFF, CREATURE_CARD, DAMAGE, HEAL, TAKE, CardRecord, Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.state import BY_HEALTH, BY_TURNS, PLAYING, State


@dataclass(frozen=True, slots=True)
class Weights:
    """What things are worth to an agent."""

    # A creature on the board
    body: i4 = 40
    """For standing there at all: it can stop an attacker."""
    attack: i4 = 100
    health: i4 = 60
    mana: i4 = 130
    """Per mana that a player's creatures give together, as long as there is use for it."""
    more_mana: i4 = 25
    """Per mana beyond that."""

    # A player
    life: i4 = 110
    """Per health of a player."""
    low_life: i4 = 90
    """Lost, on top of the above, for each health below half of the initial one, or below 5."""

    # A card in hand
    in_hand: i4 = 55
    """Percent of what a creature would be worth on the board."""
    price: i4 = 25
    """Lost per mana it costs."""
    strike: i4 = 75
    """Per damage of a spell, as the next ones per point of theirs."""
    heal: i4 = 45
    raise_attack: i4 = 60
    raise_health: i4 = 35
    lull: i4 = 60
    """For a spell that deactivates."""
    card: i4 = 70
    """For any card to be drawn."""

    # What creatures are kept for
    hold: i4 = 35
    """Percent of the harm that the opponent's creatures could do if one blocker less stayed awake."""
    tap: i4 = 30
    """Lost per attack of a creature that is tapped."""
    doom: i4 = 1500
    """Lost if the opponent's creatures could bring the player down next turn."""


WEIGHTS = dtype_of(Weights)
"""Weights as kernels see them."""


WON = 100_000_000
"""More than any position can be worth that is not won."""
AHEAD = 30_000_000
"""For having more health when the turns are over."""
DOWN = 1_000_000
"""Lost by a player who has no health left, while others are still being thought through."""

PLENTY = 8
"""Mana that one turn has use for."""
LONG = 12
"""Turns left from which on the end does not matter yet."""


@kernel
def creature_value(w: Weights, attack: int, health: int) -> int:
    """What a creature of these numbers is worth on the board, besides its mana."""
    return int(w.body) + int(w.attack) * attack + int(w.health) * health if health > 0 else 0


@kernel
def mana_value(w: Weights, mana: int) -> int:
    """What the mana of all of a player's creatures together is worth."""
    return int(w.mana) * min(mana, PLENTY) + int(w.more_mana) * max(mana - PLENTY, 0)


@kernel
def life_value(w: Weights, health: int) -> int:
    """What a player's health is worth: the last points more than the first."""
    if health <= 0:
        return -DOWN + 1000 * max(health, -500)
    return int(w.life) * health - int(w.low_life) * max(0, 5 - health)


@kernel
def card_value(w: Weights, card: CardRecord) -> int:
    """What a card is worth in hand."""
    kind = int(card.kind)
    if kind == CREATURE_CARD:
        value = creature_value(w, int(card.attack), int(card.health)) + int(w.mana) * int(card.mana)
        value = value * int(w.in_hand) // 100
    elif kind == DAMAGE:
        value = int(w.strike) * int(card.attack)
    elif kind == HEAL:
        value = int(w.heal) * int(card.health)
    elif kind == BUFF:
        value = int(w.raise_attack) * int(card.attack) + int(w.raise_health) * int(card.health)
    elif kind == TAKE:
        value = int(w.card) * int(card.attack)
    else:
        value = int(w.lull)
    return max(value - int(w.price) * int(card.cost), 10)


@large_kernel
def judge(w: Weights, rules: Rules, deck: Deck, s: State, viewer: int) -> int:
    """How much better off the viewer is than their opponent, no attack being under way."""
    mine, theirs = int(s.health[viewer]), int(s.health[1 - viewer])
    if s.ending == BY_HEALTH:
        return WON + 1000 * mine if theirs == 0 else -WON - 1000 * theirs
    if s.ending == BY_TURNS:
        return (mine - theirs) * 1000 + (AHEAD if mine > theirs else -AHEAD if theirs > mine else 0)
    board = 0
    my_mana, their_mana = 0, 0
    for i in range(s.n_creatures):
        c = s.creatures[i]
        value = creature_value(w, int(c.attack), int(c.health))
        mana = int(deck.cards[c.card].mana)
        if c.owner == viewer:
            board += value
            my_mana += mana
        else:
            board -= value
            their_mana += mana
    board += mana_value(w, my_mana) - mana_value(w, their_mana)
    for i in range(s.n_hand[viewer]):
        board += card_value(w, deck.cards[s.hands[viewer, i]])
    for i in range(s.n_hand[1 - viewer]):
        board -= card_value(w, deck.cards[s.hands[1 - viewer, i]])
    # What is on the board counts for as long as there is time to use it.
    left = min(int(rules.turns) - int(s.turn), LONG)
    return life_value(w, mine) - life_value(w, theirs) + board * left // LONG


@kernel
def awake(s: State, player: int) -> int:
    """How many creatures of a player are awake."""
    n = 0
    for i in range(s.n_creatures):
        if s.creatures[i].owner == player and s.creatures[i].active:
            n += 1
    return n


@large_kernel
def past_blockers(s: State, player: int, all_of_them: int, blockers: int) -> int:
    """The least damage of a player's creatures to an opponent with this many blockers, if all attack or only those that
    are awake: each blocker stops one, the strongest first."""
    damage = 0
    for i in range(s.n_creatures):
        c = s.creatures[i]
        if c.owner == player and (all_of_them or c.active):
            damage += int(c.attack)
    last_attack, last_place = 1 << 40, -1
    for _ in range(blockers):
        # The next one in the order of attack: below the last, or equal and further up the list.
        best, place = 0, -1
        for i in range(s.n_creatures):
            c = s.creatures[i]
            attack = int(c.attack)
            if (
                c.owner == player
                and (all_of_them or c.active)
                and attack > best
                and (attack < last_attack or (attack == last_attack and i > last_place))
            ):
                best, place = attack, i
        if place < 0:
            break
        damage -= best
        last_attack, last_place = best, place
    return damage


@kernel
def can_finish(rules: Rules, s: State) -> bool:
    """The current player brings the opponent down by attacking with all that is awake, whatever is blocked."""
    me = int(s.current)
    if s.ending != PLAYING or s.blocking or s.turn + 1 >= rules.turns:
        return False
    return bool(past_blockers(s, me, 0, awake(s, 1 - me)) >= s.health[1 - me])
