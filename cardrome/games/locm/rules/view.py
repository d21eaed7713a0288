"""What a player may know: views of a state, and plausible states for a view.

A view is a state of the same layout. Hidden are the opponent's hand and deck, the order of the viewer's own deck, the
shuffle seeds, and the draft offers still to come. Counts stay, and so does everything that has been played.
"""

from __future__ import annotations

import numpy as np

from cardrome.engine.kernel import entry, kernel, large_kernel
from cardrome.engine.random import below, step
from cardrome.engine.records import Integers, Records
from cardrome.games.locm.rules.cards import HIDDEN
from cardrome.games.locm.rules.deckbuilding import instance_id
from cardrome.games.locm.rules.edition import DECK_SIZE, Rules
from cardrome.games.locm.rules.state import BATTLE, UNKNOWN_ID, DealRecord, Held, Player, State


@kernel
def hide(held: Held) -> None:
    """Forget which card this is."""
    held.card = HIDDEN
    held.id = UNKNOWN_ID


@kernel
def hide_opponent(s: State, foe: Player) -> None:
    """Hide the opponent's hand and deck; before the battle, everything they have chosen."""
    for i in range(foe.n_hand):
        hide(foe.hand[i])
    first = DECK_SIZE - foe.n_deck if s.phase == BATTLE else 0
    for i in range(first, first + foe.n_deck):
        hide(foe.deck[i])


@kernel
def forget_order(rules: Rules, me: Player) -> None:
    """Sort the viewer's deck: its cards are known, their order is not."""
    first = DECK_SIZE - me.n_deck
    for i in range(first + 1, DECK_SIZE):
        card, card_id = int(me.deck[i].card), int(me.deck[i].id)
        j = i
        # Ids given by deck position stay where they are: they belong to the place, not to the card.
        if rules.ids_by_deck_position:
            while j > first and me.deck[j - 1].card > card:
                me.deck[j].card = me.deck[j - 1].card
                j -= 1
            me.deck[j].card = card
        else:
            while j > first and (
                me.deck[j - 1].card > card or (me.deck[j - 1].card == card and me.deck[j - 1].id > card_id)
            ):
                me.deck[j] = me.deck[j - 1]
                j -= 1
            me.deck[j].card = card
            me.deck[j].id = card_id


@large_kernel
def hide_from(rules: Rules, s: State, viewer: int) -> None:
    """Turn a state into the viewer's view of it."""
    hide_opponent(s, s.players[1 - viewer])
    if s.phase == BATTLE:
        forget_order(rules, s.players[viewer])


@kernel
def first_unseen_round(s: State) -> int:
    """The first draft round whose offer nobody has seen: the one after player 1's, who chooses last."""
    return int(s.players[1].n_deck) + 1


@large_kernel
def hide_deal(rules: Rules, deal: DealRecord, s: State) -> None:
    """Turn a deal into what players know of it: no seeds, no offers to come."""
    deal.shuffle_seed[0] = 0
    deal.shuffle_seed[1] = 0
    if rules.offer_size > 0 and s.phase != BATTLE:
        for t in range(first_unseen_round(s), rules.deck_size):
            for k in range(rules.offer_size):
                deal.offers[t, k] = HIDDEN


@kernel
def is_offered(rules: Rules, deal: DealRecord, t: int, card: int) -> bool:
    """The card was on offer in draft round t."""
    found = False
    for k in range(rules.offer_size):
        found |= deal.offers[t, k] == card
    return found


@kernel
def explain_card(
    rules: Rules, deal: DealRecord, foe: Player, taken_by: Integers, came_from: Integers, queue: Integers, k: int
) -> None:
    """Find a draft round for the opponent's k-th played card, moving earlier cards to other rounds where needed.

    This is one augmenting path of a matching between played cards and rounds.
    """
    unseen, root = -2, -1
    for t in range(rules.deck_size):
        came_from[t] = unseen
    n = 0
    for t in range(rules.deck_size):
        if is_offered(rules, deal, t, foe.deck[k].card):
            came_from[t] = root
            queue[n] = t
            n += 1
    i = 0
    while i < n:
        t = int(queue[i])
        i += 1
        if taken_by[t] < 0:
            while came_from[t] != root:
                taken_by[t] = taken_by[came_from[t]]
                t = int(came_from[t])
            taken_by[t] = k
            return
        for other in range(rules.deck_size):
            if came_from[other] == unseen and is_offered(rules, deal, other, foe.deck[taken_by[t]].card):
                came_from[other] = t
                queue[n] = other
                n += 1


@kernel
def imagine_drafted(
    rules: Rules,
    deal: DealRecord,
    foe: Player,
    cards: Integers,
    rounds: int,
    played: int,
    scratch: Integers,
    random: int,
) -> int:
    """Imagine the opponent's unseen picks: a random one of each round that their played cards do not explain."""
    taken_by = scratch[:DECK_SIZE]
    came_from = scratch[DECK_SIZE : 2 * DECK_SIZE]
    queue = scratch[2 * DECK_SIZE : 3 * DECK_SIZE]
    for t in range(DECK_SIZE):
        taken_by[t] = -1
    for k in range(played):
        explain_card(rules, deal, foe, taken_by, came_from, queue, k)
    n = 0
    for t in range(rounds):
        if taken_by[t] < 0:
            random, k = below(random, int(rules.offer_size))
            cards[n] = deal.offers[t, k]
            n += 1
    return random


@kernel
def imagine_constructed(
    rules: Rules, deal: DealRecord, foe: Player, cards: Integers, n: int, played: int, random: int
) -> int:
    """Imagine n unseen cards of the opponent: any of the pool, no card more often than a deck may hold it."""
    i = 0
    while i < n:
        random, card = below(random, int(deal.n_cards))
        copies = 0
        for k in range(played):
            if foe.deck[k].card == card:
                copies += 1
        for k in range(i):
            if cards[k] == card:
                copies += 1
        if copies < rules.max_copies:
            cards[i] = card
            i += 1
    return random


@kernel
def shuffle_cards(cards: Integers, n: int, random: int) -> int:
    """Shuffle the first n of an array."""
    for i in range(n - 1, 0, -1):
        random, j = below(random, i + 1)
        card = int(cards[i])
        cards[i] = cards[j]
        cards[j] = card
    return random


@kernel
def deal_unseen(rules: Rules, foe: Player, cards: Integers, p: int, visited: Integers) -> None:
    """Give the imagined cards to the opponent's hand and deck, with the ids that are still free."""
    for k in range(rules.deck_size):
        visited[k] = 0
    for i in range(foe.n_played):
        k = (int(foe.deck[i].id) - instance_id(rules, p, 0)) // int(rules.id_step)
        if 0 <= k < rules.deck_size:
            visited[k] = 1
    n = 0
    k = 0
    # Ids count up in order of drawing where they follow the deck, so the free ones are dealt from the lowest.
    for i in range(foe.n_hand):
        while k < rules.deck_size - 1 and visited[k]:
            k += 1
        foe.hand[i].card = cards[n]
        foe.hand[i].id = instance_id(rules, p, k)
        k += 1
        n += 1
    for i in range(DECK_SIZE - foe.n_deck, DECK_SIZE):
        while k < rules.deck_size - 1 and visited[k]:
            k += 1
        foe.deck[i].card = cards[n]
        foe.deck[i].id = instance_id(rules, p, k)
        k += 1
        n += 1


@kernel
def imagine_own_deck(rules: Rules, me: Player, random: int) -> int:
    """Put the viewer's deck into a random order."""
    first = DECK_SIZE - int(me.n_deck)
    for i in range(DECK_SIZE - 1, first, -1):
        random, j = below(random, i - first + 1)
        j += first
        card, card_id = int(me.deck[i].card), int(me.deck[i].id)
        me.deck[i].card = me.deck[j].card
        me.deck[j].card = card
        if not rules.ids_by_deck_position:
            me.deck[i].id = me.deck[j].id
            me.deck[j].id = card_id
    return random


@kernel
def imagine_deal(rules: Rules, deal: DealRecord, s: State, random: int) -> int:
    """Imagine the seeds of the shuffles and the draft offers to come."""
    for p in range(2):
        random = step(random)
        deal.shuffle_seed[p] = random & 0xFFFFFFFFFFFF
    if rules.offer_size > 0 and s.phase != BATTLE:
        for t in range(first_unseen_round(s), rules.deck_size):
            for k in range(rules.offer_size):
                again = True
                while again:
                    random, card = below(random, int(rules.n_allowed))
                    deal.offers[t, k] = rules.allowed[card]
                    again = False
                    for other in range(k):
                        if deal.offers[t, other] == deal.offers[t, k]:
                            again = True
    return random


@large_kernel
def fill_in(rules: Rules, deal: DealRecord, s: State, viewer: int, scratch: Integers, seed: int) -> None:
    """Turn a view back into a state the viewer could be in: the deal and all hidden cards are imagined."""
    random = imagine_deal(rules, deal, s, step(seed))
    foe = s.players[1 - viewer]
    cards = scratch[3 * DECK_SIZE : 4 * DECK_SIZE]
    played = int(foe.n_played)
    unseen = int(foe.n_hand + foe.n_deck)
    if rules.offer_size > 0:
        rounds = int(rules.deck_size if s.phase == BATTLE else foe.n_deck)
        random = imagine_drafted(rules, deal, foe, cards, rounds, played, scratch, random)
    else:
        random = imagine_constructed(rules, deal, foe, cards, unseen, played, random)
    if s.phase == BATTLE:
        random = shuffle_cards(cards, unseen, random)
        deal_unseen(rules, foe, cards, 1 - viewer, scratch)
        imagine_own_deck(rules, s.players[viewer], random)
    else:
        for i in range(unseen):
            foe.deck[i].card = cards[i]
            foe.deck[i].id = UNKNOWN_ID


SCRATCH_SIZE = 160
"""Length of the scratch array of small integers that some entries need."""


@entry(Rules, DealRecord, State, int, int, int)
def hide_in_place(
    rules: Records[Rules], deals: Records[DealRecord], states: Records[State], d: int, i: int, viewer: int
) -> int:
    """Turn a copied deal and state into the viewer's view of them."""
    hide_deal(rules[0], deals[d], states[i])
    hide_from(rules[0], states[i], viewer)
    return 0


@entry(Rules, DealRecord, State, np.int16, int, int, int, int)
def fill_in_place(
    rules: Records[Rules],
    deals: Records[DealRecord],
    states: Records[State],
    scratch: Integers,
    d: int,
    i: int,
    viewer: int,
    seed: int,
) -> int:
    """Turn a copied view into a plausible deal and state."""
    fill_in(rules[0], deals[d], states[i], viewer, scratch, seed)
    return 0
