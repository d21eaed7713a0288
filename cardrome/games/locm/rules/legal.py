"""Which actions are legal. `is_legal` judges one, `legal_actions` lists them all; both ask the same predicates."""

from __future__ import annotations

from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.random import below
from cardrome.engine.records import Integers
from cardrome.games.locm.rules.battle import has_room
from cardrome.games.locm.rules.cards import BLUE_ITEM, CREATURE_CARD, GREEN_ITEM, GUARD, RED_ITEM
from cardrome.games.locm.rules.edition import BOARD_SIZE, DECK_SIZE, PASS, SUMMON, USE, USE_TARGETS, Rules
from cardrome.games.locm.rules.state import BATTLE, NOBODY, DealRecord, Player, State


@kernel
def board_mask(rules: Rules, player: Player) -> int:
    """One bit for each place of a board, set where a creature stands."""
    lane_0 = (1 << int(player.n_lane[0])) - 1
    lane_1 = (1 << int(player.n_lane[1])) - 1
    return lane_0 | lane_1 << int(rules.lane_slots)


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


@kernel
def may_aim_at_board(card_type: int, own: bool) -> bool:
    """Green items work on own creatures; red and blue ones, even those without damage, on the enemy's."""
    return card_type == GREEN_ITEM if own else card_type > GREEN_ITEM


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
    if action < 0 or s.players[s.current].n_deck >= DECK_SIZE:
        return False
    if rules.offer_size > 0:
        return action < rules.offer_size
    return can_choose(rules, deal, s, action)


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
            return card.type == CREATURE_CARD and has_room(rules, me, target)
        if target == 0:
            return card.type == BLUE_ITEM
        own = target <= BOARD_SIZE
        place = target - 1 if own else target - 1 - BOARD_SIZE
        return may_aim_at_board(card.type, own) and board_mask(rules, me if own else foe) >> place & 1 == 1
    if not me.board[source].can_attack:  # no creature, no attack: the mark is never set at an empty place
        return False
    return attack_mask(rules, foe, rules.lane_of[source]) >> target & 1 == 1


@large_kernel
def list_choices(rules: Rules, deal: DealRecord, s: State, codes: Integers) -> int:
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


# What is legal is close to random, so branches on it are mispredicted, and that is what a list of actions costs. The
# functions below first note everything as bit masks, without branches, and then count, list or pick.


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
def ready_creatures(me: Player) -> int:
    """The creatures that can attack, as a mask of places."""
    mask = 0
    for place in range(BOARD_SIZE):
        mask |= int(me.board[place].can_attack) << place
    return mask


@kernel
def list_marked(rules: Rules, mask: int, first_code: int, codes: Integers, n: int) -> int:
    """List a code for each bit of the mask, the lowest bit having the first code; returns the new count."""
    for k in range(rules.n_marked[mask]):
        codes[n] = first_code + rules.marked[mask, k]
        n += 1
    return n


@large_kernel
def list_battle(rules: Rules, deal: DealRecord, s: State, codes: Integers) -> int:
    """List the codes of all legal battle actions in ascending order; returns how many."""
    me, foe = s.players[s.current], s.players[1 - s.current]
    creatures, greens, reds, blues = payable_cards(deal, me)
    codes[0] = 0
    n = 1
    lanes = open_lanes(rules, me)
    for k in range(rules.n_marked[creatures]):
        n = list_marked(rules, lanes, 1 + rules.marked[creatures, k] * rules.lanes, codes, n)
    items = greens | reds | blues
    for k in range(rules.n_marked[items]):
        position = rules.marked[items, k]
        code = rules.first_use + position * USE_TARGETS
        if blues >> position & 1:
            codes[n] = code
            n += 1
        if greens >> position & 1:
            n = list_marked(rules, board_mask(rules, me), code + 1, codes, n)
        else:
            n = list_marked(rules, board_mask(rules, foe), code + 1 + BOARD_SIZE, codes, n)
    ready = ready_creatures(me)
    for k in range(rules.n_marked[ready]):
        place = rules.marked[ready, k]
        targets = attack_mask(rules, foe, rules.lane_of[place])
        n = list_marked(rules, targets, rules.first_attack + place * rules.attack_targets, codes, n)
    return n


@kernel
def list_actions(rules: Rules, deal: DealRecord, s: State, codes: Integers) -> int:
    """List the codes of all legal actions in ascending order; returns how many."""
    if s.winner != NOBODY:
        return 0
    if s.phase != BATTLE:
        return list_choices(rules, deal, s, codes)
    return list_battle(rules, deal, s, codes)


@large_kernel
def random_battle_action(rules: Rules, deal: DealRecord, s: State, random: int) -> tuple[int, int]:
    """A legal battle action, all being equally likely, without listing them: the k-th of the list for a random k."""
    me, foe = s.players[s.current], s.players[1 - s.current]
    creatures, greens, reds, blues = payable_cards(deal, me)
    lanes = open_lanes(rules, me)
    own_board, enemy_board = board_mask(rules, me), board_mask(rules, foe)
    ready = ready_creatures(me)
    lane_0 = (1 << int(rules.lane_slots)) - 1
    targets_0, targets_1 = attack_mask(rules, foe, 0), attack_mask(rules, foe, 1)

    n_lanes = int(rules.n_marked[lanes])
    n_own, n_enemy = int(rules.n_marked[own_board]), int(rules.n_marked[enemy_board])
    n_targets_0, n_targets_1 = int(rules.n_marked[targets_0]), int(rules.n_marked[targets_1])
    n_blue = int(rules.n_marked[blues])
    summons = int(rules.n_marked[creatures]) * n_lanes
    uses = int(rules.n_marked[greens]) * n_own + int(rules.n_marked[reds | blues]) * n_enemy + n_blue
    attacks_0 = int(rules.n_marked[ready & lane_0]) * n_targets_0
    attacks_1 = int(rules.n_marked[ready & ~lane_0]) * n_targets_1

    random, k = below(random, 1 + summons + uses + attacks_0 + attacks_1)
    if k == 0:
        return random, 0
    k -= 1
    if k < summons:
        card = rules.marked[creatures, k // n_lanes]
        return random, 1 + card * rules.lanes + rules.marked[lanes, k % n_lanes]
    k -= summons
    if k < uses:
        items = greens | reds | blues
        for j in range(rules.n_marked[items]):
            position = rules.marked[items, j]
            blue = blues >> position & 1
            green = greens >> position & 1
            targets = n_own if green else n_enemy + blue
            if k < targets:
                code = rules.first_use + position * USE_TARGETS
                if green:
                    return random, code + 1 + rules.marked[own_board, k]
                if blue and k == 0:
                    return random, code
                return random, code + 1 + BOARD_SIZE + rules.marked[enemy_board, k - blue]
            k -= targets
    k -= uses
    if k < attacks_0:
        place = rules.marked[ready & lane_0, k // n_targets_0]
        target = rules.marked[targets_0, k % n_targets_0]
    else:
        k -= attacks_0
        place = rules.marked[ready & ~lane_0, k // n_targets_1]
        target = rules.marked[targets_1, k % n_targets_1]
    return random, rules.first_attack + place * rules.attack_targets + target


@kernel
def random_choice(rules: Rules, deal: DealRecord, s: State, random: int) -> tuple[int, int]:
    """A legal choice of deck building at random; cards that the deck is full of are drawn again."""
    n = int(rules.offer_size) if rules.offer_size > 0 else int(deal.n_cards)
    random, k = below(random, n)
    while not is_legal_choice(rules, deal, s, k):
        random, k = below(random, n)
    return random, k
