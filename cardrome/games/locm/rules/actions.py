"""Actions: the ids by which bots name them, the codes of the engine, and carrying them out.

Entries are what Python calls. They work on arrays of records; ``d`` and ``i`` say which deal and which state is meant.
"""

from __future__ import annotations

import numpy as np

from cardrome.engine.kernel import entry, kernel
from cardrome.engine.records import Integers, Records
from cardrome.games.locm.rules.battle import apply_battle, attacked_place
from cardrome.games.locm.rules.deckbuilding import choose, start_game
from cardrome.games.locm.rules.edition import (
    ATTACK,
    BOARD_SIZE,
    ENEMY_TARGETS,
    OWN_TARGETS,
    SUMMON,
    USE,
    Rules,
    attack_code,
    summon_code,
    use_code,
)
from cardrome.games.locm.rules.legal import is_legal, list_actions
from cardrome.games.locm.rules.state import BATTLE, DealRecord, Player, State

NO_CREATURE = -1
"""The target id that names no creature: the opponent, or nobody."""

NOT_FOUND = -1


@kernel
def find_in_hand(player: Player, card_id: int) -> int:
    """The position of a card in the hand."""
    for i in range(player.n_hand):
        if player.hand[i].id == card_id:
            return i
    return NOT_FOUND


@kernel
def find_on_board(player: Player, creature_id: int) -> int:
    """The place of a creature on a board."""
    for place in range(BOARD_SIZE):
        if player.board[place].order > 0 and player.board[place].id == creature_id:
            return place
    return NOT_FOUND


@kernel
def find_use_target(me: Player, foe: Player, target: int) -> int:
    """The target part of a USE code."""
    if target == NO_CREATURE:
        return 0
    place = find_on_board(me, target)
    if place != NOT_FOUND:
        return OWN_TARGETS + place
    place = find_on_board(foe, target)
    return ENEMY_TARGETS + place if place != NOT_FOUND else NOT_FOUND


@kernel
def find_attack_target(rules: Rules, foe: Player, place: int, target: int) -> int:
    """The target part of an ATTACK code: creatures of another lane cannot be named by it."""
    if target == NO_CREATURE:
        return 0
    enemy = find_on_board(foe, target)
    if enemy == NOT_FOUND or rules.lane_of[enemy] != rules.lane_of[place]:
        return NOT_FOUND
    return 1 + enemy - attacked_place(rules, place, 1)


@entry(Rules, DealRecord, State, int, int, int, int, int)
def find_action(
    rules: Records[Rules],
    deals: Records[DealRecord],
    states: Records[State],
    d: int,
    i: int,
    kind: int,
    source: int,
    target: int,
) -> int:
    """The code of an action that a bot named by ids (or a lane), or -1 if it can mean nothing."""
    r, s = rules[0], states[i]
    me, foe = s.players[s.current], s.players[1 - s.current]
    if kind == SUMMON:
        position = find_in_hand(me, source)
        if position == NOT_FOUND or target < 0 or target >= r.lanes:
            return NOT_FOUND
        return summon_code(r, position, target)
    if kind == USE:
        position = find_in_hand(me, source)
        aim = find_use_target(me, foe, target)
        return NOT_FOUND if position == NOT_FOUND or aim == NOT_FOUND else use_code(r, position, aim)
    if kind == ATTACK:
        place = find_on_board(me, source)
        if place == NOT_FOUND:
            return NOT_FOUND
        aim = find_attack_target(r, foe, place, target)
        return NOT_FOUND if aim == NOT_FOUND else attack_code(r, place, aim)
    return 0


@entry(Rules, DealRecord, State, np.int64, int, int, int)
def describe_action(
    rules: Records[Rules],
    deals: Records[DealRecord],
    states: Records[State],
    out: Integers,
    d: int,
    i: int,
    action: int,
) -> int:
    """Write kind, card number, source id and target id (or lane) of a battle action whose cards exist."""
    r, deal, s = rules[0], deals[d], states[i]
    me, foe = s.players[s.current], s.players[1 - s.current]
    kind = int(r.action_kind[action]) if s.phase == BATTLE else 0
    source = int(r.action_source[action])
    target = int(r.action_target[action])
    out[0] = kind
    if kind == SUMMON or kind == USE:
        out[1] = deal.cards[me.hand[source].card].number
        out[2] = me.hand[source].id
        out[3] = target
    if kind == USE:
        if target == 0:
            out[3] = NO_CREATURE
        elif target < ENEMY_TARGETS:
            out[3] = me.board[target - OWN_TARGETS].id
        else:
            out[3] = foe.board[target - ENEMY_TARGETS].id
    if kind == ATTACK:
        out[1] = deal.cards[me.board[source].card].number
        out[2] = me.board[source].id
        out[3] = foe.board[attacked_place(r, source, target)].id if target > 0 else NO_CREATURE
    return kind


@kernel
def apply_action(rules: Rules, deal: DealRecord, s: State, action: int) -> None:
    """Carry out a legal action of either phase."""
    if s.phase == BATTLE:
        apply_battle(rules, deal, s, action)
    else:
        choose(rules, deal, s, action)


@entry(Rules, State, int)
def new_game(rules: Records[Rules], states: Records[State], i: int) -> int:
    """Set a state to the beginning of a game."""
    start_game(rules[0], states[i])
    return 0


@entry(Rules, DealRecord, State, int, int, int)
def apply(
    rules: Records[Rules], deals: Records[DealRecord], states: Records[State], d: int, i: int, action: int
) -> int:
    """Carry out an action if it is legal; returns 1 if it was, 0 (and changes nothing) if not."""
    if not is_legal(rules[0], deals[d], states[i], action):
        return 0
    apply_action(rules[0], deals[d], states[i], action)
    return 1


@entry(Rules, DealRecord, State, np.int16, int, int)
def legal_codes(
    rules: Records[Rules], deals: Records[DealRecord], states: Records[State], codes: Integers, d: int, i: int
) -> int:
    """Write the legal action codes, ascending; returns how many there are."""
    return list_actions(rules[0], deals[d], states[i], codes)


@kernel
def write_mask(rules: Rules, deal: DealRecord, s: State, codes: Integers, mask: Integers) -> int:
    """Write a mask over all action codes: 1 for the legal ones."""
    n = list_actions(rules, deal, s, codes)
    for k in range(len(mask)):
        mask[k] = 0
    for k in range(n):
        mask[codes[k]] = 1
    return n
