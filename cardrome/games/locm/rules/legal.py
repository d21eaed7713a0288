"""Which actions are legal. `is_legal` judges one, `list_actions` lists them all, `random_battle_action` picks one.

What is legal in a battle is said once, as bit masks: which cards can be paid, what each kind of card may be played on,
which creatures are ready, what may be attacked from a lane. Testing, listing and picking only read those masks. That is
also the fast way: legality is close to random, so branches on it are mispredicted, and masks need none.
"""

from __future__ import annotations

from cardrome.engine.bits import count_bits, kth_bit, lowest_bit
from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.random import below
from cardrome.engine.records import Integers
from cardrome.games.locm.rules.battle import has_room
from cardrome.games.locm.rules.cards import BLUE_ITEM, CREATURE_CARD, GREEN_ITEM, GUARD, RED_ITEM
from cardrome.games.locm.rules.edition import (
    BOARD_SIZE,
    ENEMY_TARGETS,
    OWN_TARGETS,
    PASS,
    SUMMON,
    USE,
    Rules,
    attack_code,
    summon_code,
    use_code,
)
from cardrome.games.locm.rules.state import BATTLE, NOBODY, DealRecord, Player, State

# Deck building


@kernel
def can_choose(rules: Rules, deal: DealRecord, s: State, card: int) -> bool:
    """The card may be added to the deck under construction."""
    me = s.players[s.current]
    if card >= deal.n_cards:
        return False
    copies = 0
    for i in range(me.n_deck):
        if me.deck[i].card == card:
            copies += 1
    return copies < rules.max_copies


@kernel
def is_legal_choice(rules: Rules, deal: DealRecord, s: State, action: int) -> bool:
    """Deck building: the number of an offer, or the index of a card of the pool."""
    if action < 0 or s.players[s.current].n_deck >= rules.deck_size:
        return False
    if rules.offer_size > 0:
        return action < rules.offer_size
    return can_choose(rules, deal, s, action)


@large_kernel
def list_choices(rules: Rules, deal: DealRecord, s: State, codes: Integers) -> int:
    """List the legal choices of deck building; returns how many there are."""
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


@kernel
def random_choice(rules: Rules, deal: DealRecord, s: State, random: int) -> tuple[int, int]:
    """A legal choice of deck building at random; cards of which the deck has enough are drawn again."""
    n = int(rules.offer_size) if rules.offer_size > 0 else int(deal.n_cards)
    random, k = below(random, n)
    while not is_legal_choice(rules, deal, s, k):
        random, k = below(random, n)
    return random, k


# Battle: what is legal


@kernel
def payable_cards(deal: DealRecord, me: Player) -> tuple[int, int, int, int]:
    """The cards in hand that can be paid, as masks of positions: creatures, green, red and blue items."""
    creatures, greens, reds, blues = 0, 0, 0, 0
    for i in range(me.n_hand):
        card = deal.cards[me.hand[i].card]
        bit = (card.cost <= me.mana) << i
        creatures |= bit * (card.type == CREATURE_CARD)
        greens |= bit * (card.type == GREEN_ITEM)
        reds |= bit * (card.type == RED_ITEM)
        blues |= bit * (card.type == BLUE_ITEM)
    return creatures, greens, reds, blues


@kernel
def open_lanes(rules: Rules, me: Player) -> int:
    """The lanes with room for one more creature, as a mask."""
    return int(has_room(rules, me, 0)) | int((rules.lanes > 1) & has_room(rules, me, 1)) << 1


@kernel
def board_mask(rules: Rules, player: Player) -> int:
    """One bit for each place of a board, set where a creature stands."""
    lane_0 = (1 << int(player.n_lane[0])) - 1
    lane_1 = (1 << int(player.n_lane[1])) - 1
    return lane_0 | lane_1 << int(rules.lane_slots)


@kernel
def may_aim_at_board(card_type: int, own: bool) -> bool:
    """Green items work on own creatures; red and blue ones, even those without damage, on the enemy's."""
    return card_type == GREEN_ITEM if own else card_type > GREEN_ITEM


@kernel
def item_mask(card_type: int, own_board: int, enemy_board: int) -> int:
    """What an item may be used on: bit 0 for no creature (blue items only), then one for each place of both boards."""
    own = own_board * may_aim_at_board(card_type, True)
    enemy = enemy_board * may_aim_at_board(card_type, False)
    return int(card_type == BLUE_ITEM) | own << OWN_TARGETS | enemy << ENEMY_TARGETS


@kernel
def ready_creatures(me: Player) -> int:
    """The creatures that can attack, as a mask of places. The flag is never set at an empty place."""
    mask = 0
    for place in range(BOARD_SIZE):
        mask |= int(me.board[place].can_attack) << place
    return mask


@kernel
def guard_mask(player: Player) -> int:
    """One bit for each place of a board, set where a creature with Guard stands."""
    mask = 0
    for place in range(BOARD_SIZE):
        mask |= (int(player.board[place].abilities) & GUARD) // GUARD << place
    return mask


@kernel
def attack_mask(rules: Rules, foe: Player, lane: int) -> int:
    """What may be attacked from a lane: bit 0 for the player, then one for each enemy place of that lane.

    If creatures with Guard stand in the lane, only they may be attacked there.
    """
    everything = (1 << int(foe.n_lane[lane])) - 1
    guards = guard_mask(foe) >> lane * int(rules.lane_slots) & everything
    return guards << 1 if guards > 0 else everything << 1 | 1


@large_kernel
def is_legal(rules: Rules, deal: DealRecord, s: State, action: int) -> bool:
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
    me, foe = s.players[s.current], s.players[1 - s.current]
    creatures, greens, reds, blues = payable_cards(deal, me)
    if kind == PASS:
        return True
    if kind == SUMMON:
        sources, targets = creatures, open_lanes(rules, me)
    elif kind == USE:
        card_type = int(deal.cards[me.hand[source].card].type)
        sources = greens | reds | blues
        targets = item_mask(card_type, board_mask(rules, me), board_mask(rules, foe))
    else:
        sources, targets = ready_creatures(me), attack_mask(rules, foe, int(rules.lane_of[source]))
    return sources >> source & targets >> target & 1 == 1


# Battle: reading the masks


@kernel
def list_bits(mask: int, first_code: int, codes: Integers, n: int) -> int:
    """List a code for each bit of the mask, bit 0 having the first code; returns the new count."""
    while mask != 0:
        codes[n] = first_code + lowest_bit(mask)
        mask &= mask - 1
        n += 1
    return n


@large_kernel
def list_battle(rules: Rules, deal: DealRecord, s: State, codes: Integers) -> int:
    """List the codes of all legal battle actions in ascending order; returns how many there are."""
    me, foe = s.players[s.current], s.players[1 - s.current]
    creatures, greens, reds, blues = payable_cards(deal, me)
    codes[0] = PASS
    n = 1
    lanes = open_lanes(rules, me)
    while creatures != 0:
        n = list_bits(lanes, summon_code(rules, lowest_bit(creatures), 0), codes, n)
        creatures &= creatures - 1
    items = greens | reds | blues
    own_board, enemy_board = board_mask(rules, me), board_mask(rules, foe)
    while items != 0:
        position = lowest_bit(items)
        targets = item_mask(int(deal.cards[me.hand[position].card].type), own_board, enemy_board)
        n = list_bits(targets, use_code(rules, position, 0), codes, n)
        items &= items - 1
    ready = ready_creatures(me)
    while ready != 0:
        place = lowest_bit(ready)
        n = list_bits(attack_mask(rules, foe, int(rules.lane_of[place])), attack_code(rules, place, 0), codes, n)
        ready &= ready - 1
    return n


@kernel
def list_actions(rules: Rules, deal: DealRecord, s: State, codes: Integers) -> int:
    """List the codes of all legal actions in ascending order; returns how many there are."""
    if s.winner != NOBODY:
        return 0
    if s.phase != BATTLE:
        return list_choices(rules, deal, s, codes)
    return list_battle(rules, deal, s, codes)


@large_kernel
def random_battle_action(rules: Rules, deal: DealRecord, s: State, random: int) -> tuple[int, int]:
    """A legal battle action, all being equally likely: the k-th of the list for a random k, without making the list."""
    me, foe = s.players[s.current], s.players[1 - s.current]
    creatures, greens, reds, blues = payable_cards(deal, me)
    lanes = open_lanes(rules, me)
    own_board, enemy_board = board_mask(rules, me), board_mask(rules, foe)
    ready = ready_creatures(me)
    lane_0 = (1 << int(rules.lane_slots)) - 1
    targets_0, targets_1 = attack_mask(rules, foe, 0), attack_mask(rules, foe, 1)

    n_lanes, n_targets_0, n_targets_1 = count_bits(lanes), count_bits(targets_0), count_bits(targets_1)
    summons = count_bits(creatures) * n_lanes
    uses = count_bits(greens) * count_bits(item_mask(GREEN_ITEM, own_board, enemy_board))
    uses += count_bits(reds) * count_bits(item_mask(RED_ITEM, own_board, enemy_board))
    uses += count_bits(blues) * count_bits(item_mask(BLUE_ITEM, own_board, enemy_board))
    attacks_0 = count_bits(ready & lane_0) * n_targets_0
    attacks_1 = count_bits(ready & ~lane_0) * n_targets_1

    random, k = below(random, 1 + summons + uses + attacks_0 + attacks_1)
    if k == 0:
        return random, PASS
    k -= 1
    if k < summons:
        position = kth_bit(creatures, k // n_lanes)
        return random, summon_code(rules, position, kth_bit(lanes, k % n_lanes))
    k -= summons
    if k < uses:
        items = greens | reds | blues
        while True:  # one of them has the k-th use
            position = lowest_bit(items)
            targets = item_mask(int(deal.cards[me.hand[position].card].type), own_board, enemy_board)
            n = count_bits(targets)
            if k < n:
                return random, use_code(rules, position, kth_bit(targets, k))
            k -= n
            items &= items - 1
    k -= uses
    if k < attacks_0:
        place = kth_bit(ready & lane_0, k // n_targets_0)
        return random, attack_code(rules, place, kth_bit(targets_0, k % n_targets_0))
    k -= attacks_0
    place = kth_bit(ready & ~lane_0, k // n_targets_1)
    return random, attack_code(rules, place, kth_bit(targets_1, k % n_targets_1))
