"""What a learner sees of LOCM, written by kernels from what the seat may know: observations, and masks of actions.

The rows of cards are made once, as a table beside the card table; an observation copies them. Sums over the viewer's
deck and over the cards that the opponent has played are exact, whatever the order of the cards, since all scales are
powers of two: they reveal nothing about the order of a deck.
"""

from __future__ import annotations

from typing import Annotated

from cardrome.engine.bits import lowest_bit
from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.records import Integers, Record, Records, i1
from cardrome.games.locm.encoding import (
    BattleRow,
    BuildRow,
    CardRow,
    ConstructedRow,
    CostRow,
    CreatureRow,
    DraftRow,
    SumRow,
    TableRow,
)
from cardrome.games.locm.rules.cardgen import GENERATED_CARDS
from cardrome.games.locm.rules.cards import (
    BLUE_ITEM,
    BREAKTHROUGH,
    CHARGE,
    COSTS,
    CREATURE_CARD,
    DRAIN,
    GREEN_ITEM,
    GUARD,
    HIDDEN,
    LANE_1,
    LANE_2,
    LETHAL,
    MAX_CARDS,
    RED_ITEM,
    WARD,
    CardRecord,
)
from cardrome.games.locm.rules.edition import (
    BOARD_SIZE,
    DECK_SIZE,
    HAND_LIMIT,
    PASS,
    Rules,
    attack_code,
    summon_code,
    use_code,
)
from cardrome.games.locm.rules.legal import (
    attack_mask,
    board_mask,
    item_mask,
    open_lanes,
    payable_cards,
    ready_creatures,
)
from cardrome.games.locm.rules.state import BATTLE, Creature, DealRecord, Player, State

FACES = MAX_CARDS + 1
"""Rows for the cards of a game. The last one, that of the unknown card, is all zero and stands for no card as well."""


class Tally(Record):
    """Sums over the cards of both players, kept up to date as the game goes on; blank at its beginning."""

    deck: Annotated[Records[SumRow], 2]
    played: Annotated[Records[SumRow], 2]
    n_deck: Annotated[Integers, "i1", 2]
    """How many cards are in these sums."""
    n_played: Annotated[Integers, "i1", 2]
    phase: i1
    """Before the battle, decks grow; in battle they shrink."""


@kernel
def clipped(value: int, low: int, high: int) -> int:
    """The value, limited to the bounds."""
    return min(max(value, low), high)


@large_kernel
def write_face(card: CardRecord, row: CardRow) -> None:
    """A card as features."""
    kind, abilities, area = int(card.type), int(card.abilities), int(card.area)
    row.creature = kind == CREATURE_CARD
    row.green = kind == GREEN_ITEM
    row.red = kind == RED_ITEM
    row.blue = kind == BLUE_ITEM
    row.cost = clipped(int(card.cost), 0, 16) / 16
    row.attack = clipped(int(card.attack), -32, 32) / 16
    row.defense = clipped(int(card.defense), -32, 32) / 16
    row.breakthrough = abilities & BREAKTHROUGH != 0
    row.charge = abilities & CHARGE != 0
    row.drain = abilities & DRAIN != 0
    row.guard = abilities & GUARD != 0
    row.lethal = abilities & LETHAL != 0
    row.ward = abilities & WARD != 0
    row.my_health = clipped(int(card.my_health), -16, 16) / 8
    row.opponent_health = clipped(int(card.opponent_health), -16, 16) / 8
    row.card_draw = clipped(int(card.card_draw), 0, 8) / 4
    row.lane = area == LANE_1
    row.both_lanes = area == LANE_2


@large_kernel
def write_faces(deal: DealRecord, faces: Records[CardRow], first: int) -> None:
    """Write the rows of all cards of a game, starting at a place."""
    for card in range(deal.n_cards):
        write_face(deal.cards[card], faces[first + card])


@large_kernel
def add_face(total: SumRow, row: CardRow, part: float) -> None:
    """Add a part of a card to a sum."""
    total.creature += row.creature * part
    total.green += row.green * part
    total.red += row.red * part
    total.blue += row.blue * part
    total.cost += row.cost * part
    total.attack += row.attack * part
    total.defense += row.defense * part
    total.breakthrough += row.breakthrough * part
    total.charge += row.charge * part
    total.drain += row.drain * part
    total.guard += row.guard * part
    total.lethal += row.lethal * part
    total.ward += row.ward * part
    total.my_health += row.my_health * part
    total.opponent_health += row.opponent_health * part
    total.card_draw += row.card_draw * part
    total.lane += row.lane * part
    total.both_lanes += row.both_lanes * part


SHARE = 1 / 32
"""How much a card counts in a sum."""


@large_kernel
def begin_battle(tally: Tally, s: State, faces: Records[CardRow], first: int) -> None:
    """Add up both decks as they are now, after taking off what was chosen."""
    tally.phase = BATTLE
    for p in range(2):
        player = s.players[p]
        tally.deck[p] = tally.played[p]  # where nothing is counted yet
        tally.n_deck[p] = player.n_deck
        for i in range(DECK_SIZE - player.n_deck, DECK_SIZE):
            add_face(tally.deck[p], faces[first + int(player.deck[i].card)], SHARE)


@large_kernel
def count_picks(tally: Tally, s: State, p: int, faces: Records[CardRow], first: int) -> None:
    """Add what a player has chosen since the last look."""
    player = s.players[p]
    for i in range(tally.n_deck[p], player.n_deck):
        add_face(tally.deck[p], faces[first + int(player.deck[i].card)], SHARE)
    tally.n_deck[p] = player.n_deck


@large_kernel
def update_tally(tally: Tally, s: State, p: int, faces: Records[CardRow], first: int) -> None:
    """Bring a player's sums up to date. They have played nothing since they drew: drawn cards are last in hand."""
    player = s.players[p]
    drawn = int(tally.n_deck[p]) - int(player.n_deck)
    for i in range(player.n_hand - drawn, player.n_hand):
        add_face(tally.deck[p], faces[first + int(player.hand[i].card)], -SHARE)
    tally.n_deck[p] = player.n_deck


@large_kernel
def count_played(tally: Tally, s: State, p: int, faces: Records[CardRow], first: int) -> None:
    """Add what a player has played since the last look."""
    player = s.players[p]
    for i in range(tally.n_played[p], player.n_played):
        add_face(tally.played[p], faces[first + int(player.deck[i].card)], SHARE)
    tally.n_played[p] = player.n_played


@kernel
def write_creature(c: Creature, row: CreatureRow) -> None:
    """A creature as features; at an empty place all numbers are zero."""
    abilities = int(c.abilities)
    row.present = c.order > 0
    row.attack = min(int(c.attack), 32) * (1 / 16)
    row.defense = min(int(c.defense), 32) * (1 / 16)
    row.breakthrough = abilities & 1
    row.charge = abilities >> 1 & 1
    row.drain = abilities >> 2 & 1
    row.guard = abilities >> 3 & 1
    row.lethal = abilities >> 4 & 1
    row.ward = abilities >> 5 & 1
    row.can_attack = c.can_attack
    row.has_attacked = c.has_attacked


@kernel
def write_table(s: State, me: Player, foe: Player, seat: int, row: TableRow) -> None:
    """Both players, and the turn."""
    row.second = seat
    row.turn = min(int(s.turn) >> 1, 64) * (1 / 64)
    row.health = clipped(int(me.health), -32, 64) * (1 / 32)
    row.mana = clipped(int(me.mana), 0, 16) * (1 / 16)
    row.max_mana = clipped(int(me.max_mana), 0, 16) * (1 / 16)
    row.bonus_mana = clipped(int(me.bonus_mana), 0, 1)
    row.hand = int(me.n_hand) * (1 / 8)
    row.deck = int(me.n_deck) * (1 / 32)
    row.next_draw = clipped(int(me.next_draw), 0, 16) * (1 / 8)
    row.rune = int(me.rune) * (1 / 32)
    row.damage_taken = clipped(int(me.damage_taken), 0, 64) * (1 / 32)
    row.enemy_health = clipped(int(foe.health), -32, 64) * (1 / 32)
    row.enemy_mana = clipped(int(foe.mana), 0, 16) * (1 / 16)
    row.enemy_max_mana = clipped(int(foe.max_mana), 0, 16) * (1 / 16)
    row.enemy_bonus_mana = clipped(int(foe.bonus_mana), 0, 1)
    row.enemy_hand = int(foe.n_hand) * (1 / 8)
    row.enemy_deck = int(foe.n_deck) * (1 / 32)
    row.enemy_next_draw = clipped(int(foe.next_draw), 0, 16) * (1 / 8)
    row.enemy_rune = int(foe.rune) * (1 / 32)
    row.enemy_damage_taken = clipped(int(foe.damage_taken), 0, 64) * (1 / 32)


@large_kernel
def observe_battle(
    deal: DealRecord,
    s: State,
    seat: int,
    tally: Tally,
    faces: Records[CardRow],
    first: int,
    by_number: int,
    out: BattleRow,
) -> None:
    """Write what the player in a seat sees; ``faces`` from ``first`` on are the rows of the game's cards."""
    me, foe = s.players[seat], s.players[1 - seat]
    if tally.phase != BATTLE:
        begin_battle(tally, s, faces, first)
    if tally.n_deck[seat] != me.n_deck:
        update_tally(tally, s, seat, faces, first)
    if tally.n_played[1 - seat] != foe.n_played:
        count_played(tally, s, 1 - seat, faces, first)
    write_table(s, me, foe, seat, out.table)
    out.deck = tally.deck[seat]
    out.enemy_played = tally.played[1 - seat]
    n_hand = int(me.n_hand)
    for i in range(HAND_LIMIT):
        card = int(me.hand[i].card) if i < n_hand else HIDDEN
        out.hand[i] = faces[first + card]
    for place in range(BOARD_SIZE):
        write_creature(me.board[place], out.board[place])
        write_creature(foe.board[place], out.enemy_board[place])


@large_kernel
def observe_build(
    s: State, seat: int, tally: Tally, faces: Records[CardRow], first: int, table: BuildRow, curve: Records[CostRow]
) -> None:
    """What is seen of deck building, whether it is a draft or not."""
    me = s.players[seat]
    if tally.n_deck[seat] != me.n_deck:
        count_picks(tally, s, seat, faces, first)
    table.second = seat
    table.picks = int(me.n_deck) * (1 / 32)
    for cost in range(COSTS):
        curve[cost].picks = 0
    for i in range(me.n_deck):
        # The cost as the row has it: that of a card is not above 12.
        curve[int(faces[first + int(me.deck[i].card)].cost * 16)].picks += 1 / 32


@kernel
def offer_place(deal: DealRecord, t: int, k: int, n: int, by_number: int) -> int:
    """Where the k-th card to choose from is in an offer of n cards: as offered, or in the order of card numbers."""
    if not by_number:
        return k
    for place in range(n):
        before = 0
        for other in range(n):
            before += deal.offers[t, other] < deal.offers[t, place]
        if before == k:
            return place
    return k  # cards of an offer are different, unless a deal was made by hand


@large_kernel
def observe_draft(
    deal: DealRecord,
    s: State,
    seat: int,
    tally: Tally,
    faces: Records[CardRow],
    first: int,
    by_number: int,
    out: DraftRow,
) -> None:
    """Write what the player in a seat sees. Until the other has chosen too, the offer is that of the same round."""
    me = s.players[seat]
    t = int(min(me.n_deck, s.players[1 - seat].n_deck))
    observe_build(s, seat, tally, faces, first, out.table, out.curve)
    out.deck = tally.deck[seat]
    n = len(out.offer)
    for k in range(n):
        out.offer[k] = faces[first + int(deal.offers[t, offer_place(deal, t, k, n, by_number)])]
    for i in range(len(out.picks)):
        out.picks[i] = faces[first + (int(me.deck[i].card) if i < me.n_deck else HIDDEN)]


@large_kernel
def observe_constructed(
    deal: DealRecord,
    s: State,
    seat: int,
    tally: Tally,
    faces: Records[CardRow],
    first: int,
    by_number: int,
    out: ConstructedRow,
) -> None:
    """Write what the player in a seat, who is to choose, sees."""
    me = s.players[seat]
    observe_build(s, seat, tally, faces, first, out.table, out.curve)
    out.deck = tally.deck[seat]
    for card in range(GENERATED_CARDS):
        out.pool[card].card = faces[first + card]
        out.pool[card].copies = 0
    for i in range(me.n_deck):
        out.pool[me.deck[i].card].copies += 1 / 2


# Masks


@kernel
def mark(mask: Integers, start: int, bits: int) -> None:
    """Mark the action of each bit, bit 0 being that of the first."""
    while bits != 0:
        mask[start + lowest_bit(bits)] = 1
        bits &= bits - 1


@large_kernel
def mask_choices(rules: Rules, deal: DealRecord, s: State, mask: Integers, start: int) -> None:
    """Mark the choices of deck building in a cleared mask, from a place on."""
    if rules.offer_size > 0:
        for k in range(rules.offer_size):
            mask[start + k] = 1
        return
    me = s.players[s.current]
    for card in range(deal.n_cards):
        mask[start + card] = rules.max_copies
    for i in range(me.n_deck):
        mask[start + int(me.deck[i].card)] -= 1
    for card in range(deal.n_cards):
        mask[start + card] = mask[start + card] > 0


@large_kernel
def mask_battle(rules: Rules, deal: DealRecord, s: State, mask: Integers) -> None:
    """Mark the legal actions of a battle in a cleared mask."""
    me, foe = s.players[s.current], s.players[1 - s.current]
    creatures, greens, reds, blues = payable_cards(deal, me)
    mask[PASS] = 1
    lanes = open_lanes(rules, me)
    while creatures != 0:
        mark(mask, summon_code(rules, lowest_bit(creatures), 0), lanes)
        creatures &= creatures - 1
    items = greens | reds | blues
    own_board, enemy_board = board_mask(rules, me), board_mask(rules, foe)
    while items != 0:
        position = lowest_bit(items)
        targets = item_mask(int(deal.cards[me.hand[position].card].type), own_board, enemy_board)
        mark(mask, use_code(rules, position, 0), targets)
        items &= items - 1
    ready = ready_creatures(me)
    while ready != 0:
        place = lowest_bit(ready)
        mark(mask, attack_code(rules, place, 0), attack_mask(rules, foe, int(rules.lane_of[place])))
        ready &= ready - 1
