"""Why an action is illegal, in words for the person who wrote the bot.

The rules say whether an action is legal, and nothing here decides it again: `why_illegal` asks them first, and then
looks for the predicate that said no.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

from cardrome.games.locm.protocol.answers import Command
from cardrome.games.locm.protocol.game import LocmPosition
from cardrome.games.locm.rules.actions import NO_CREATURE, NOT_FOUND, find_in_hand, find_on_board
from cardrome.games.locm.rules.battle import has_room
from cardrome.games.locm.rules.cards import BLUE_ITEM, CREATURE_CARD, GREEN_ITEM, TYPE_NAMES
from cardrome.games.locm.rules.edition import ATTACK, BOARD_SIZE, PASS, SUMMON
from cardrome.games.locm.rules.legal import attack_mask, board_mask, may_aim_at_board


class Why(enum.StrEnum):
    """What an illegal action fails on."""

    GAME_OVER = "game-over"
    NOT_IN_HAND = "not-in-hand"
    NOT_A_CREATURE = "not-a-creature"
    NOT_AN_ITEM = "not-an-item"
    NOT_ENOUGH_MANA = "not-enough-mana"
    NO_SUCH_LANE = "no-such-lane"
    LANE_FULL = "lane-full"
    NEEDS_TARGET = "needs-target"
    NO_SUCH_TARGET = "no-such-target"
    WRONG_TARGET = "wrong-target"
    NOT_ON_BOARD = "not-on-board"
    CANNOT_ATTACK = "cannot-attack"
    HAS_ATTACKED = "has-attacked"
    OTHER_LANE = "other-lane"
    GUARDS_FIRST = "guards-first"


@dataclass(frozen=True, slots=True)
class Illegal:
    """An illegal action explained."""

    why: Why
    message: str


def why_illegal(position: LocmPosition, command: Command) -> Illegal | None:
    """Why the player to move may not take an action now; None if he may."""
    if command.kind == PASS:
        return None
    if position.winner is not None:
        return Illegal(Why.GAME_OVER, "the game is decided already")
    if position.find_code(*command) in position.legal_codes():
        return None
    me = position.state.players[position.current]
    foe = position.state.players[1 - position.current]
    if command.kind == ATTACK:
        return _why_no_attack(position, me, foe, command)
    hand_index = find_in_hand(me, command.source)
    if hand_index == NOT_FOUND:
        return Illegal(Why.NOT_IN_HAND, _not_in_hand(position, me, foe, command.source))
    card = position.deals[0].cards[me.hand[hand_index].card]
    creature = card.type == CREATURE_CARD
    if command.kind == SUMMON and not creature:
        return Illegal(
            Why.NOT_A_CREATURE, f"card {command.source} is {_kind(card)}, not a creature; items are played with USE"
        )
    if command.kind != SUMMON and creature:
        return Illegal(
            Why.NOT_AN_ITEM, f"card {command.source} is a creature, not an item; creatures are played with SUMMON"
        )
    if card.cost > me.mana:
        return Illegal(Why.NOT_ENOUGH_MANA, f"not enough mana: needs {card.cost}, has {me.mana}")
    if command.kind == SUMMON:
        return _why_no_summon(position, me, command)
    return _why_no_use(position, me, foe, card, command)


def _why_no_summon(position: LocmPosition, me: Any, command: Command) -> Illegal:
    """The card could be summoned, but not into this lane."""
    lane, lanes = command.target or 0, position.edition.lanes
    if not 0 <= lane < lanes:
        known = "the only lane is 0" if lanes == 1 else f"lanes are 0 to {lanes - 1}"
        return Illegal(Why.NO_SUCH_LANE, f"lane {lane} does not exist: {known}")
    assert not has_room(position.edition.rules[0], me, lane), "nothing else can be wrong with a SUMMON"
    where = f"lane {lane}" if lanes > 1 else "the board"
    return Illegal(Why.LANE_FULL, f"{where} is full: {me.n_lane[lane]} creatures stand there, which is the most")


def _why_no_use(position: LocmPosition, me: Any, foe: Any, card: Any, command: Command) -> Illegal:
    """The item could be used, but not on this target."""
    target = NO_CREATURE if command.target is None else command.target
    if target == NO_CREATURE:
        assert card.type != BLUE_ITEM, "blue items may do without a target"
        whose = "one of your creatures" if card.type == GREEN_ITEM else "a creature of the opponent"
        return Illegal(Why.NEEDS_TARGET, f"{_kind(card)} needs a target: {whose}, not -1 (only blue items take -1)")
    own = find_on_board(me, target) != NOT_FOUND
    if not own and find_on_board(foe, target) == NOT_FOUND:
        boards = f"yours: {_ids(position, me)}; the opponent's: {_ids(position, foe)}"
        return Illegal(Why.NO_SUCH_TARGET, f"no creature {target} stands on either board now ({boards})")
    assert not may_aim_at_board(int(card.type), own), "nothing else can be wrong with a USE"
    whose = "your own" if own else "the opponent's"
    right = "your own creatures" if card.type == GREEN_ITEM else "the opponent's creatures"
    return Illegal(
        Why.WRONG_TARGET, f"wrong kind of target: {target} is {whose} creature, and {_kind(card)} works on {right}"
    )


def _why_no_attack(position: LocmPosition, me: Any, foe: Any, command: Command) -> Illegal:
    rules = position.edition.rules[0]
    attacker, target = command.source, NO_CREATURE if command.target is None else command.target
    place = find_on_board(me, attacker)
    if place == NOT_FOUND:
        if find_in_hand(me, attacker) != NOT_FOUND:
            reason = f"card {attacker} is in your hand: it has to be summoned first"
        elif find_on_board(foe, attacker) != NOT_FOUND:
            reason = f"creature {attacker} is the opponent's"
        else:
            reason = f"no creature {attacker} stands on your board now ({_ids(position, me)})"
        return Illegal(Why.NOT_ON_BOARD, reason)
    creature = me.board[place]
    if not creature.can_attack:
        if creature.has_attacked:
            return Illegal(Why.HAS_ATTACKED, f"creature {attacker} has attacked already in this turn")
        reason = f"creature {attacker} cannot attack this turn: it was summoned in it and has no Charge"
        return Illegal(Why.CANNOT_ATTACK, reason)
    lane = int(rules.lane_of[place])
    if target != NO_CREATURE:
        enemy = find_on_board(foe, target)
        if enemy == NOT_FOUND:
            if find_on_board(me, target) != NOT_FOUND:
                return Illegal(Why.WRONG_TARGET, f"wrong kind of target: {target} is your own creature")
            standing = _ids(position, foe)
            return Illegal(Why.NO_SUCH_TARGET, f"no creature {target} stands on the opponent's board now ({standing})")
        if rules.lane_of[enemy] != lane:
            reason = f"target in another lane: {attacker} is in lane {lane}, {target} in lane {rules.lane_of[enemy]}"
            return Illegal(Why.OTHER_LANE, reason)
    # All that is left is Guard: the mask of what may be attacked holds the guards and nothing else.
    mask = attack_mask(rules, foe, lane) >> 1
    first = lane * int(rules.lane_slots)
    guards = [str(foe.board[first + k].id) for k in range(int(rules.lane_slots)) if mask >> k & 1]
    where = "in that lane " if position.edition.lanes > 1 else ""
    return Illegal(Why.GUARDS_FIRST, f"guards {where}must be attacked first: {', '.join(guards)}")


def _not_in_hand(position: LocmPosition, me: Any, foe: Any, card_id: int) -> str:
    if find_on_board(me, card_id) != NOT_FOUND:
        return f"card {card_id} is not in your hand: it is on your board"
    if find_on_board(foe, card_id) != NOT_FOUND:
        return f"card {card_id} is not in your hand: it is on the opponent's board"
    held = ", ".join(str(me.hand[i].id) for i in range(me.n_hand)) or "nothing"
    return f"no card with id {card_id} is in your hand now (which holds {held})"


def _kind(card: Any) -> str:
    return f"a {TYPE_NAMES[card.type]} item"


def _ids(position: LocmPosition, player: Any) -> str:
    mask = board_mask(position.edition.rules[0], player)
    return ", ".join(str(player.board[k].id) for k in range(BOARD_SIZE) if mask >> k & 1) or "nobody"
