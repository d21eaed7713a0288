"""The common deck: what to draw, what to burn before the opponent gets it, what to discard for something better.

The order of the deck is known to both. Whoever burns a card moves all later ones up by one.
"""

from __future__ import annotations

from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.records import Integers
from cardrome.games.tapdeck.agents.evaluate import Weights, card_value
from cardrome.games.tapdeck.agents.plan import Plan, add
from cardrome.games.tapdeck.rules.actions import BURN_CARD, DISCARD_CARD, DRAW_CARD
from cardrome.games.tapdeck.rules.cards import Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.legal import OK, refuse_burn, refuse_draw
from cardrome.games.tapdeck.rules.state import State

LOOK_AHEAD = 4
"""Cards of a coming turn that are looked at."""
MOST_BURNS = 2
"""Burns that are considered in one turn; more are allowed in some editions."""
MOST_SEQUENCES = 10
"""Ways to combine that many burns with two draws."""
CARDS_TO_COME = 50
"""Percent that a card of the player's next turn counts."""


@kernel
def worth_at(w: Weights, deck: Deck, place: int) -> int:
    """What the card at a place of the deck is worth; nothing if the deck ends before."""
    return card_value(w, deck.cards[place]) if place < deck.n else 0


@large_kernel
def sequence_value(
    w: Weights, rules: Rules, deck: Deck, s: State, draws: int, before: int, between: int, after: int
) -> int:
    """What a number of burns before the first draw, after it and after all draws brings: the player's cards of this
    turn and the next, less those that the opponent draws in between."""
    place = int(s.top) + before
    value = 0
    for k in range(draws):
        value += worth_at(w, deck, place)
        place += 1
        if k == 0:
            place += between
    place += after
    turn = min(int(rules.draws), LOOK_AHEAD)
    for k in range(turn):
        value -= worth_at(w, deck, place + k)
    for k in range(turn, 2 * turn):
        value += worth_at(w, deck, place + k) * CARDS_TO_COME // 100
    return value


@kernel
def possible_draws(rules: Rules, deck: Deck, s: State) -> int:
    """How many cards the current player can draw at once."""
    room = int(rules.hand_limit) - int(s.n_hand[s.current])
    return max(0, min(int(s.draws_left), min(room, int(deck.n) - int(s.top))))


@kernel
def possible_burns(rules: Rules, deck: Deck, s: State) -> int:
    """How many burns are considered: none in the last turns."""
    return min(int(s.burns_left), MOST_BURNS) if int(s.turn) + 2 < int(rules.turns) and s.top < deck.n else 0


@large_kernel
def list_sequences(w: Weights, rules: Rules, deck: Deck, s: State, sequences: Integers, values: Integers) -> int:
    """Note every sensible way to burn along with the draws, the most promising first, and what it brings; returns how
    many there are. A sequence has the burns before the first draw, after it and after all draws as its digits."""
    draws = possible_draws(rules, deck, s)
    burns = possible_burns(rules, deck, s)
    n = 0
    for before in range(burns + 1):
        for between in range(burns + 1 - before if draws > 1 else 1):
            for after in range(burns + 1 - before - between if draws > 0 else 1):
                value = sequence_value(w, rules, deck, s, draws, before, between, after)
                k = n
                while k > 0 and values[k - 1] < value:
                    values[k] = values[k - 1]
                    sequences[k] = sequences[k - 1]
                    k -= 1
                values[k] = value
                sequences[k] = 100 * before + 10 * between + after
                n += 1
    return n


@large_kernel
def best_sequence(w: Weights, rules: Rules, deck: Deck, s: State) -> int:
    """The most promising of these ways."""
    draws = possible_draws(rules, deck, s)
    burns = possible_burns(rules, deck, s)
    best, found = 0, -1
    for before in range(burns + 1):
        for between in range(burns + 1 - before if draws > 1 else 1):
            for after in range(burns + 1 - before - between if draws > 0 else 1):
                value = sequence_value(w, rules, deck, s, draws, before, between, after)
                if found < 0 or value > best:
                    best, found = value, 100 * before + 10 * between + after
    return found


@large_kernel
def follow_sequence(rules: Rules, deck: Deck, plan: Plan, sequence: int) -> None:
    """Draw what can be drawn, with the burns of a sequence."""
    s = plan.state
    draws = possible_draws(rules, deck, s)
    burn(rules, deck, plan, sequence // 100)
    for k in range(draws):
        if refuse_draw(rules, deck, s) == OK:
            add(rules, deck, plan, DRAW_CARD, 0, 0)
        if k == 0:
            burn(rules, deck, plan, sequence // 10 % 10)
    burn(rules, deck, plan, sequence % 10)


@large_kernel
def draw_and_burn(w: Weights, rules: Rules, deck: Deck, plan: Plan) -> None:
    """Draw what can be drawn, with the burns that pay."""
    follow_sequence(rules, deck, plan, best_sequence(w, rules, deck, plan.state))


@kernel
def burn(rules: Rules, deck: Deck, plan: Plan, times: int) -> None:
    """Burn cards, as long as there are any."""
    for _ in range(times):
        if refuse_burn(deck, plan.state) == OK:
            add(rules, deck, plan, BURN_CARD, 0, 0)


@large_kernel
def draw_more(rules: Rules, deck: Deck, plan: Plan) -> None:
    """Draw what a played card has made room for, or allows."""
    while refuse_draw(rules, deck, plan.state) == OK:
        add(rules, deck, plan, DRAW_CARD, 0, 0)


@large_kernel
def exchange_cards(w: Weights, rules: Rules, deck: Deck, plan: Plan) -> None:
    """With a full hand and draws left: discard the worst card for a better one from the deck."""
    s = plan.state
    me = int(s.current)
    while s.draws_left > 0 and s.top < deck.n and s.n_hand[me] > 0 and s.n_hand[me] >= rules.hand_limit:
        worst = 0
        for i in range(1, int(s.n_hand[me])):
            if card_value(w, deck.cards[s.hands[me, i]]) < card_value(w, deck.cards[s.hands[me, worst]]):
                worst = i
        card = deck.cards[s.hands[me, worst]]
        if s.n_hand[me] > rules.hand_limit or card_value(w, card) >= worth_at(w, deck, int(s.top)):
            break
        add(rules, deck, plan, DISCARD_CARD, int(card.id), 0)
        add(rules, deck, plan, DRAW_CARD, 0, 0)
