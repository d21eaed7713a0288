"""What a learner sees and does in Tapdeck, where nothing is hidden: observations, and actions numbered by rows.

Boards and hands may grow beyond the rows there are. Then the first cards by id are shown, the others are counted but
cannot be named; the turn can always be ended.
"""

from __future__ import annotations

from typing import Annotated

from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.records import Integers, Record, Records, f4
from cardrome.games.learning.encoding import About, ActionRange, Feature
from cardrome.games.tapdeck.rules.actions import (
    ADD_MANA,
    ATTACK,
    BLOCK,
    BURN_CARD,
    DISCARD_CARD,
    DRAW_CARD,
    END_TURN,
    FINISH_BLOCK,
    MYSELF,
    NO_TARGET,
    OPPONENT,
    PLAY_CARD,
    action_code,
)
from cardrome.games.tapdeck.rules.cards import BUFF, CREATURE_CARD, DAMAGE, DEACTIVATE, HEAL, TAKE, CardRecord, Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.legal import (
    OK,
    attacks_now,
    can_act,
    can_pay,
    may_aim_at_creatures,
    may_aim_at_player,
    refuse_burn,
    refuse_draw,
)
from cardrome.games.tapdeck.rules.state import PLAYING, Creature, State

HAND, BOARD, RIVER = 10, 12, 8
"""Rows for a hand, a player's creatures, and the cards on top of the deck."""


class CardRow(Record):
    """A card: all zero where there is none."""

    creature: Annotated[f4, Feature("is a creature")]
    heal: Annotated[f4, Feature("is a Heal spell")]
    damage: Annotated[f4, Feature("is a Damage spell")]
    take: Annotated[f4, Feature("is a Take spell")]
    buff: Annotated[f4, Feature("is a Buff spell")]
    deactivate: Annotated[f4, Feature("is a Deactivate spell")]
    attack: Annotated[f4, Feature("attack, damage, or cards to take", 16, 0, 32)]
    health: Annotated[f4, Feature("health, or how much it heals or adds", 16, 0, 32)]
    max_health: Annotated[f4, Feature("greatest health", 16, 0, 32)]
    cost: Annotated[f4, Feature("mana it costs", 16, 0, 32)]
    mana: Annotated[f4, Feature("mana it gives when it is tapped", 8, 0, 16)]


class CreatureRow(Record):
    """A creature on the board: all zero where none stands."""

    present: Annotated[f4, Feature("a creature stands here")]
    attack: Annotated[f4, Feature("attack", 16, 0, 32)]
    health: Annotated[f4, Feature("health", 16, 0, 32)]
    max_health: Annotated[f4, Feature("greatest health", 16, 0, 32)]
    mana: Annotated[f4, Feature("mana it gives when it is tapped", 8, 0, 16)]
    awake: Annotated[f4, Feature("can block, be tapped or attack")]
    attacks: Annotated[f4, Feature("was ordered to attack")]
    blocked: Annotated[f4, Feature("was blocked, and does no damage")]


class TableRow(Record):
    """What is on the table besides cards."""

    second: Annotated[f4, Feature("the learner is player 1, who moves second")]
    turns_left: Annotated[f4, Feature("turns left, this one included", 64, 0, 128)]
    blocking: Annotated[f4, Feature("the blocking phase is open")]
    health: Annotated[f4, Feature("own health", 32, 0, 64)]
    enemy_health: Annotated[f4, Feature("the opponent's health", 32, 0, 64)]
    threat: Annotated[f4, Feature("damage of the attackers not blocked", 32, 0, 64)]
    mana: Annotated[f4, Feature("mana of the player to move", 16, 0, 32)]
    draws_left: Annotated[f4, Feature("cards that may be drawn", 4, 0, 8)]
    burns_left: Annotated[f4, Feature("cards that may be burnt", 4, 0, 8)]
    hand: Annotated[f4, Feature("cards in hand", 16, 0, 32)]
    enemy_hand: Annotated[f4, Feature("cards in the opponent's hand", 16, 0, 32)]
    creatures: Annotated[f4, Feature("own creatures", 16, 0, 32)]
    enemy_creatures: Annotated[f4, Feature("the opponent's creatures", 16, 0, 32)]
    deck: Annotated[f4, Feature("cards in the deck", 128, 0, 256)]


class MatchRow(Record):
    """What a player sees."""

    table: Annotated[TableRow, About("both players, and the turn")]
    hand: Annotated[Records[CardRow], HAND, About("the own hand, by card id")]
    enemy_hand: Annotated[Records[CardRow], HAND, About("the opponent's hand, which is open")]
    river: Annotated[Records[CardRow], RIVER, About("the cards on top of the deck, which is open")]
    board: Annotated[Records[CreatureRow], BOARD, About("the own creatures, by card id")]
    enemy_board: Annotated[Records[CreatureRow], BOARD, About("the opponent's creatures")]


@kernel
def part(value: int, most: int) -> int:
    """The value, limited to 0 and its bound."""
    return min(max(value, 0), most)


@large_kernel
def write_card(card: CardRecord, row: CardRow) -> None:
    """A card as features."""
    kind = int(card.kind)
    row.creature = kind == CREATURE_CARD
    row.heal = kind == HEAL
    row.damage = kind == DAMAGE
    row.take = kind == TAKE
    row.buff = kind == BUFF
    row.deactivate = kind == DEACTIVATE
    row.attack = part(int(card.attack), 32) * (1 / 16)
    row.health = part(int(card.health), 32) * (1 / 16)
    row.max_health = part(int(card.max_health), 32) * (1 / 16)
    row.cost = part(int(card.cost), 32) * (1 / 16)
    row.mana = part(int(card.mana), 16) * (1 / 8)


@kernel
def write_creature(c: Creature, mana: int, row: CreatureRow) -> None:
    """A creature as features."""
    row.present = 1
    row.attack = part(int(c.attack), 32) * (1 / 16)
    row.health = part(int(c.health), 32) * (1 / 16)
    row.max_health = part(int(c.max_health), 32) * (1 / 16)
    row.mana = part(mana, 16) * (1 / 8)
    row.awake = c.active
    row.attacks = c.declared > 0
    row.blocked = c.blocked


@large_kernel
def observe(rules: Rules, deck: Deck, s: State, seat: int, out: MatchRow) -> None:
    """Write what the player in a seat sees into a blank row."""
    for i in range(min(int(s.n_hand[seat]), HAND)):
        write_card(deck.cards[s.hands[seat, i]], out.hand[i])
    for i in range(min(int(s.n_hand[1 - seat]), HAND)):
        write_card(deck.cards[s.hands[1 - seat, i]], out.enemy_hand[i])
    left = int(deck.n) - int(s.top)
    for i in range(min(left, RIVER)):
        write_card(deck.cards[s.top + i], out.river[i])
    mine, theirs, threat = 0, 0, 0
    for i in range(s.n_creatures):
        c = s.creatures[i]
        mana = int(deck.cards[c.card].mana)
        if c.owner == seat:
            if mine < BOARD:
                write_creature(c, mana, out.board[mine])
            mine += 1
        else:
            if theirs < BOARD:
                write_creature(c, mana, out.enemy_board[theirs])
            theirs += 1
        if attacks_now(s, c) and not c.blocked:
            threat += int(c.attack)
    row = out.table
    row.second = seat
    row.turns_left = part(int(rules.turns) - int(s.turn), 128) * (1 / 64)
    row.blocking = s.blocking
    row.health = part(int(s.health[seat]), 64) * (1 / 32)
    row.enemy_health = part(int(s.health[1 - seat]), 64) * (1 / 32)
    row.threat = part(threat, 64) * (1 / 32)
    row.mana = part(int(s.mana), 32) * (1 / 16)
    row.draws_left = part(int(s.draws_left), 8) * (1 / 4)
    row.burns_left = part(int(s.burns_left), 8) * (1 / 4)
    row.hand = part(int(s.n_hand[seat]), 32) * (1 / 16)
    row.enemy_hand = part(int(s.n_hand[1 - seat]), 32) * (1 / 16)
    row.creatures = part(mine, 32) * (1 / 16)
    row.enemy_creatures = part(theirs, 32) * (1 / 16)
    row.deck = part(left, 256) * (1 / 128)


# Actions by rows

OWN_TARGETS = 3
ENEMY_TARGETS = OWN_TARGETS + BOARD
TARGETS = ENEMY_TARGETS + BOARD
"""Targets of a card: none, the player, the opponent, then the rows of both boards; how many in all."""

RANGES = (
    ActionRange("END_TURN", 1, "ends the turn"),
    ActionRange("FINISH_BLOCK", 1, "ends the blocking phase"),
    ActionRange("DRAW_CARD", 1, "takes the top card of the deck"),
    ActionRange("BURN_CARD", 1, "removes the top card of the deck"),
    ActionRange("DISCARD_CARD", HAND, "hand row"),
    ActionRange(
        "PLAY_CARD",
        HAND * TARGETS,
        f"hand row × {TARGETS} targets: none (a creature), yourself, the opponent, the rows of the own board, "
        "the rows of the enemy board",
    ),
    ActionRange("ADD_MANA", BOARD, "board row"),
    ActionRange("ATTACK", BOARD, "board row"),
    ActionRange("BLOCK", BOARD * BOARD, "enemy board row (the attacker) × board row (the blocker)"),
)

FINISH_PLACE, DRAW_PLACE, BURN_PLACE, DISCARD_PLACE = 1, 2, 3, 4
PLAY_PLACE = DISCARD_PLACE + HAND
MANA_PLACE = PLAY_PLACE + HAND * TARGETS
ATTACK_PLACE = MANA_PLACE + BOARD
BLOCK_PLACE = ATTACK_PLACE + BOARD
N_ACTIONS = BLOCK_PLACE + BOARD * BOARD
"""The first action of each kind, and how many there are; END_TURN is 0."""

NO_CODE = -1


@kernel
def creature_id(deck: Deck, s: State, owner: int, row: int) -> int:
    """The id of the creature in a row of a player's board, 0 if there is none."""
    for i in range(s.n_creatures):
        if s.creatures[i].owner == owner:
            if row == 0:
                return int(deck.cards[s.creatures[i].card].id)
            row -= 1
    return 0


@large_kernel
def code_of(deck: Deck, s: State, action: int) -> int:
    """The engine's code of an action by rows, for the player to move; -1 if it names a row with nothing in it."""
    me = int(s.current)
    if action == 0:
        return action_code(END_TURN, 0, 0)
    if action == FINISH_PLACE:
        return action_code(FINISH_BLOCK, 0, 0)
    if action == DRAW_PLACE:
        return action_code(DRAW_CARD, 0, 0)
    if action == BURN_PLACE:
        return action_code(BURN_CARD, 0, 0)
    if DISCARD_PLACE <= action < MANA_PLACE:
        play = action >= PLAY_PLACE
        row = (action - PLAY_PLACE) // TARGETS if play else action - DISCARD_PLACE
        if row >= s.n_hand[me]:
            return NO_CODE
        number = int(deck.cards[s.hands[me, row]].id)
        if not play:
            return action_code(DISCARD_CARD, number, 0)
        target = (action - PLAY_PLACE) % TARGETS
        if target == 0:
            return action_code(PLAY_CARD, number, NO_TARGET)
        if target < OWN_TARGETS:
            return action_code(PLAY_CARD, number, MYSELF if target == 1 else OPPONENT)
        own = target < ENEMY_TARGETS
        aim = creature_id(deck, s, me if own else 1 - me, target - (OWN_TARGETS if own else ENEMY_TARGETS))
        return action_code(PLAY_CARD, number, aim) if aim > 0 else NO_CODE
    if MANA_PLACE <= action < BLOCK_PLACE:
        kind = ADD_MANA if action < ATTACK_PLACE else ATTACK
        number = creature_id(deck, s, me, (action - MANA_PLACE) % BOARD)
        return action_code(kind, number, 0) if number > 0 else NO_CODE
    if BLOCK_PLACE <= action < N_ACTIONS:
        attacker = creature_id(deck, s, 1 - me, (action - BLOCK_PLACE) // BOARD)
        blocker = creature_id(deck, s, me, (action - BLOCK_PLACE) % BOARD)
        return action_code(BLOCK, attacker, blocker) if attacker > 0 and blocker > 0 else NO_CODE
    return NO_CODE


@large_kernel
def mask_actions(rules: Rules, deck: Deck, s: State, mask: Integers) -> None:
    """Mark the legal actions in a cleared mask."""
    mask[0] = 1
    if s.ending != PLAYING:
        return
    me = int(s.current)
    mine, theirs, awake, attacking = 0, 0, 0, 0
    for i in range(s.n_creatures):
        c = s.creatures[i]
        if c.owner == me:
            awake |= int(can_act(s, c)) << mine
            mine = min(mine + 1, BOARD)
        else:
            attacking |= int(attacks_now(s, c)) << theirs
            theirs = min(theirs + 1, BOARD)
    if s.blocking:
        mask[FINISH_PLACE] = 1
        for row in range(theirs):
            if attacking >> row & 1:
                for k in range(mine):
                    mask[BLOCK_PLACE + row * BOARD + k] = awake >> k & 1
        return
    mask[DRAW_PLACE] = refuse_draw(rules, deck, s) == OK
    mask[BURN_PLACE] = refuse_burn(deck, s) == OK
    for row in range(mine):
        mask[MANA_PLACE + row] = awake >> row & 1
        mask[ATTACK_PLACE + row] = awake >> row & 1
    for row in range(min(int(s.n_hand[me]), HAND)):
        card = deck.cards[s.hands[me, row]]
        kind, place = int(card.kind), PLAY_PLACE + row * TARGETS
        mask[DISCARD_PLACE + row] = 1
        if can_pay(s, card):
            mask[place] = kind == CREATURE_CARD
            mask[place + 1] = may_aim_at_player(kind, MYSELF)
            mask[place + 2] = may_aim_at_player(kind, OPPONENT)
            if may_aim_at_creatures(kind):
                for k in range(mine):
                    mask[place + OWN_TARGETS + k] = 1
                for k in range(theirs):
                    mask[place + ENEMY_TARGETS + k] = 1
