"""Which actions are legal. `is_legal` judges one, `legal_actions` lists them all; both ask the same predicates."""

from __future__ import annotations

from typing import Any

from cardrome.rules.kernel import kernel
from cardrome.rules.locm.battle import has_room
from cardrome.rules.locm.cards import BLUE_ITEM, CREATURE_CARD, GREEN_ITEM, GUARD
from cardrome.rules.locm.edition import BOARD_SIZE, DECK_SIZE, PASS, SUMMON, USE, USE_TARGETS
from cardrome.rules.locm.state import BATTLE, NOBODY


@kernel
def is_guarded(rules: Any, foe: Any, lane: int) -> bool:
    """A creature with Guard stands in the lane: only such creatures may be attacked there."""
    abilities = 0
    for i in range(lane * rules.lane_slots, (lane + 1) * rules.lane_slots):
        abilities |= foe.board[i].abilities  # an empty place has none
    return abilities & GUARD != 0


@kernel
def is_occupied(rules: Any, player: Any, place: int) -> bool:
    """A creature stands at this place of the player's board."""
    lane = int(rules.lane_of[place])
    return place < lane * rules.lane_slots + player.n_lane[lane]  # type: ignore[no-any-return]


@kernel
def may_aim_at_board(card_type: int, own: bool) -> bool:
    """Green items work on own creatures; red and blue ones, even those without damage, on the enemy's."""
    return card_type == GREEN_ITEM if own else card_type > GREEN_ITEM


@kernel
def can_choose(rules: Any, deal: Any, s: Any, card: int) -> bool:
    """The card may be added to the deck under construction."""
    me = s.players[s.current]
    if card >= deal.n_cards:
        return False
    copies = 0
    for i in range(me.n_deck):
        if me.deck[i].card == card:
            copies += 1
    return copies < rules.max_copies  # type: ignore[no-any-return]


@kernel
def is_legal_choice(rules: Any, deal: Any, s: Any, action: int) -> bool:
    """Deck building: the number of an offer, or the index of a card of the pool."""
    if action < 0 or s.players[s.current].n_deck >= DECK_SIZE:
        return False
    if rules.offer_size > 0:
        return action < rules.offer_size  # type: ignore[no-any-return]
    return can_choose(rules, deal, s, action)


@kernel
def is_legal(rules: Any, deal: Any, s: Any, action: int) -> bool:
    """The action may be taken now."""
    if s.winner != NOBODY:
        return False
    if s.phase != BATTLE:
        return is_legal_choice(rules, deal, s, action)
    if action < 0 or action >= rules.n_actions:
        return False
    kind = rules.action_kind[action]
    source = int(rules.action_source[action])
    target = int(rules.action_target[action])
    me = s.players[s.current]
    foe = s.players[1 - s.current]
    if kind == PASS:
        return True
    if kind == SUMMON or kind == USE:
        if source >= me.n_hand:
            return False
        card = deal.cards[me.hand[source].card]
        if card.cost > me.mana:
            return False
        if kind == SUMMON:
            return card.type == CREATURE_CARD and has_room(rules, me, target)  # type: ignore[no-any-return]
        if target == 0:
            return card.type == BLUE_ITEM  # type: ignore[no-any-return]
        own = target <= BOARD_SIZE
        place = target - 1 if own else target - 1 - BOARD_SIZE
        return may_aim_at_board(card.type, own) and is_occupied(rules, me if own else foe, place)
    if not is_occupied(rules, me, source) or not me.board[source].can_attack:
        return False
    lane = int(rules.lane_of[source])
    guarded = is_guarded(rules, foe, lane)
    if target == 0:
        return not guarded
    place = lane * rules.lane_slots + target - 1
    return is_occupied(rules, foe, place) and (not guarded or foe.board[place].abilities & GUARD != 0)


@kernel
def list_choices(rules: Any, deal: Any, s: Any, codes: Any) -> int:
    """List the legal choices of deck building; returns how many."""
    if rules.offer_size > 0:
        for k in range(rules.offer_size):
            codes[k] = k
        return rules.offer_size
    me = s.players[s.current]
    n_cards = int(deal.n_cards)
    for card in range(n_cards):
        codes[card] = 0
    for i in range(me.n_deck):
        codes[me.deck[i].card] += 1
    n = 0
    for card in range(n_cards):  # counts turn into codes in place: n never overtakes the card looked at
        copies = codes[card]
        codes[n] = card
        n += copies < rules.max_copies
    return n


# The lists below are written without branches where that is possible: a code is stored in any case, and the next one
# overwrites it unless the count moved on. What is legal is close to random, so branches would be mispredicted.


@kernel
def list_summons(rules: Any, deal: Any, me: Any, codes: Any, n: int) -> int:
    """List the creatures in hand that can be paid, each with every lane that has room."""
    lanes = int(rules.lanes)
    mana = me.mana
    room_0 = has_room(rules, me, 0)
    room_1 = (lanes > 1) & has_room(rules, me, 1)
    for i in range(me.n_hand):
        card = deal.cards[me.hand[i].card]
        possible = (card.type == CREATURE_CARD) & (card.cost <= mana)
        codes[n] = 1 + i * lanes
        n += possible & room_0
        codes[n] = 2 + i * lanes
        n += possible & room_1
    return n


@kernel
def list_targets(rules: Any, player: Any, code: int, codes: Any, n: int) -> int:
    """List every creature of a board as a target; the board's first place has the given code."""
    for place in range(BOARD_SIZE):
        codes[n] = code + place
        n += player.board[place].order > 0
    return n


@kernel
def list_uses(rules: Any, deal: Any, me: Any, foe: Any, codes: Any, n: int) -> int:
    """List the items in hand that can be paid, each with all its targets."""
    mana = me.mana
    for i in range(me.n_hand):
        card = deal.cards[me.hand[i].card]
        if (card.type != CREATURE_CARD) & (card.cost <= mana):
            code = rules.first_use + i * USE_TARGETS
            codes[n] = code
            n += card.type == BLUE_ITEM
            if may_aim_at_board(card.type, True):
                n = list_targets(rules, me, code + 1, codes, n)
            else:
                n = list_targets(rules, foe, code + 1 + BOARD_SIZE, codes, n)
    return n


@kernel
def list_attacks(rules: Any, me: Any, foe: Any, codes: Any, n: int) -> int:
    """List the attacks of every creature that is ready."""
    slots = int(rules.lane_slots)
    targets = int(rules.attack_targets)
    for lane in range(rules.lanes):
        first = lane * slots
        guarded = is_guarded(rules, foe, lane)
        for i in range(first, first + me.n_lane[lane]):
            if me.board[i].can_attack:
                code = rules.first_attack + i * targets
                codes[n] = code
                n += not guarded
                for j in range(foe.n_lane[lane]):
                    codes[n] = code + 1 + j
                    n += (not guarded) | (foe.board[first + j].abilities & GUARD != 0)
    return n


@kernel
def list_actions(rules: Any, deal: Any, s: Any, codes: Any) -> int:
    """List the codes of all legal actions in ascending order; returns how many. One more place may be written to."""
    if s.winner != NOBODY:
        return 0
    if s.phase != BATTLE:
        return list_choices(rules, deal, s, codes)
    me = s.players[s.current]
    foe = s.players[1 - s.current]
    codes[0] = 0
    n = list_summons(rules, deal, me, codes, 1)
    n = list_uses(rules, deal, me, foe, codes, n)
    return list_attacks(rules, me, foe, codes, n)
