"""What a bot is sent: the input of one call, byte for byte as the original referees write it.

The text is written by compiled code into a byte buffer. Only the opponent's actions, which are not part of the state,
are inserted afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cardrome.engine.digits import write_number
from cardrome.engine.kernel import entry, kernel
from cardrome.engine.records import Integers, Records
from cardrome.games.locm.rules.cards import CardRecord
from cardrome.games.locm.rules.edition import BOARD_SIZE, Rules
from cardrome.games.locm.rules.state import BATTLE, DealRecord, Player, State

BUFFER_SIZE = 8192
"""Bytes for one input: 120 offered cards take less than 6,000, the opponent's actions not counted."""

_SPACE, _NEWLINE, _NO_ABILITY = 32, 10, 45
_ABILITY_BYTES = np.frombuffer(b"BCDGLW", np.uint8).astype(np.int64)
_IN_HAND, _MINE, _ENEMY = 0, 1, -1


@kernel
def write_field(out: Integers, at: int, value: int) -> int:
    """A number and a space."""
    at = write_number(out, at, value)
    out[at] = _SPACE
    return at + 1


@kernel
def end_line(out: Integers, at: int) -> int:
    """The line ends where its last field ends, without the space behind it."""
    out[at - 1] = _NEWLINE
    return at


@kernel
def write_player(rules: Rules, player: Player, deck: int, draw: int, out: Integers, at: int) -> int:
    """The line of one player."""
    at = write_field(out, at, int(player.health))
    at = write_field(out, at, int(player.max_mana))
    at = write_field(out, at, deck)
    if rules.shows_rune:
        at = write_field(out, at, int(player.rune))
    if rules.shows_draw:
        at = write_field(out, at, draw)
    return end_line(out, at)


@kernel
def write_card(
    rules: Rules,
    card: CardRecord,
    card_id: int,
    where: int,
    lane: int,
    attack: int,
    defense: int,
    abilities: int,
    faded: bool,
    out: Integers,
    at: int,
) -> int:
    """The line of one card, with its present attack, defense and abilities. It ends with a space."""
    at = write_field(out, at, int(card.number))
    at = write_field(out, at, card_id)
    at = write_field(out, at, where)
    at = write_field(out, at, int(card.type))
    at = write_field(out, at, int(card.cost))
    at = write_field(out, at, attack)
    at = write_field(out, at, defense)
    for k in range(6):
        out[at] = _ABILITY_BYTES[k] if abilities >> k & 1 else _NO_ABILITY
        at += 1
    out[at] = _SPACE
    at += 1
    at = write_field(out, at, 0 if faded else int(card.my_health))
    at = write_field(out, at, 0 if faded else int(card.opponent_health))
    at = write_field(out, at, 0 if faded else int(card.card_draw))
    if rules.shows_area:
        at = write_field(out, at, int(card.area))
    if rules.shows_lane:
        at = write_field(out, at, lane)
    out[at] = _NEWLINE
    return at + 1


@kernel
def write_held(rules: Rules, card: CardRecord, card_id: int, out: Integers, at: int) -> int:
    """The line of a card in hand or on offer."""
    return write_card(rules, card, card_id, _IN_HAND, -1, card.attack, card.defense, card.abilities, False, out, at)


@kernel
def write_board(rules: Rules, deal: DealRecord, player: Player, where: int, out: Integers, at: int) -> int:
    """The lines of a player's creatures, in order of summoning whatever their lane."""
    last = 0
    for _ in range(player.n_lane[0] + player.n_lane[1]):
        next_place = -1
        for place in range(BOARD_SIZE):
            order = player.board[place].order
            if order > last and (next_place < 0 or order < player.board[next_place].order):
                next_place = place
        c = player.board[next_place]
        last = int(c.order)
        # The 1.0 and 1.2 referees forget a creature's effects once it was touched; it shows only here.
        faded = bool(rules.fades and c.touched)
        lane = rules.lane_of[next_place]
        card = deal.cards[c.card]
        at = write_card(rules, card, c.id, where, lane, c.attack, c.defense, c.abilities, faded, out, at)
    return at


@kernel
def write_count(out: Integers, at: int, count: int) -> int:
    """A number alone on its line."""
    return end_line(out, write_field(out, at, count))


@kernel
def write_offers(rules: Rules, deal: DealRecord, t: int, out: Integers, at: int) -> int:
    """The cards to choose from: the offers of draft round t, or the whole pool."""
    if rules.offer_size > 0:
        at = write_count(out, at, int(rules.offer_size))
        for k in range(rules.offer_size):
            at = write_held(rules, deal.cards[deal.offers[t, k]], -1, out, at)
    else:
        at = write_count(out, at, int(deal.n_cards))
        for k in range(deal.n_cards):
            at = write_held(rules, deal.cards[k], -1, out, at)
    return at


@entry(Rules, DealRecord, State, np.uint8, int, int, int)
def write_input(
    rules: Records[Rules],
    deals: Records[DealRecord],
    states: Records[State],
    out: Integers,
    d: int,
    i: int,
    player: int,
) -> int:
    """Write the input of a player's call; returns its length and, times 65,536, that of the part before line 3."""
    r, deal, s = rules[0], deals[d], states[i]
    me, foe = s.players[player], s.players[1 - player]
    if s.phase == BATTLE:
        at = write_player(r, me, int(me.n_deck), int(me.shown_draw), out, 0)
        at = write_player(r, foe, int(foe.n_deck), int(foe.shown_draw), out, at)
        head = at
        n_foes = int(foe.n_lane[0] + foe.n_lane[1])
        at = write_count(out, at, int(me.n_hand + me.n_lane[0] + me.n_lane[1]) + n_foes)
        for k in range(me.n_hand):
            at = write_held(r, deal.cards[me.hand[k].card], int(me.hand[k].id), out, at)
        at = write_board(r, deal, me, _MINE, out, at)
        at = write_board(r, deal, foe, _ENEMY, out, at)
    else:
        # Both players choose at the same time, but the second is asked as if the first had chosen already.
        t = min(int(me.n_deck), int(r.deck_size) - 1) if r.offer_size > 0 else 0
        seen = t + player if r.offer_size > 0 else 0
        at = write_player(r, me, t, 0, out, 0)
        at = write_player(r, foe, seen, 0, out, at)
        head = at
        at = write_offers(r, deal, t, out, at)
    return at + 65536 * head


def finish_input(edition_shows_actions: bool, text: bytes, head: int, hand: int, actions: Sequence[str]) -> str:
    """Insert line 3 and the opponent's actions into the text that `write_input` made."""
    lines = [f"{hand} {len(actions)}", *actions] if edition_shows_actions else [str(hand)]
    # The original framework trims the whole message, so its last card line loses the space that the others have.
    return f"{text[:head].decode()}{chr(10).join(lines)}\n{text[head:].decode().rstrip()}\n"
