"""Whether an action is allowed, and what the error is if it is not.

`refusal` gives 0 or an error code of the statement; of several reasons it gives the first in this order: the match has
ended, it is the other player's turn, the phase, the card (known? whose? where? awake?), the target, the price.
`list_actions` lists what is allowed. Both ask the same predicates.
"""

from __future__ import annotations

import numpy as np

from cardrome.engine.kernel import entry, kernel
from cardrome.engine.records import Integers, Records
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
    action_kind,
    first_number,
    second_number,
)
from cardrome.games.tapdeck.rules.cards import CREATURE_CARD, DAMAGE, HEAL, TAKE, CardRecord, Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.state import PLAYING, Creature, State, card_of_id, place_in_hand, place_on_board

OK = 0
NO_CARD_WITH_SUCH_ID = 900
NOT_ENOUGH_MANA = 901
NOT_YOUR_CARD = 903
INACTIVE_CARD = 905
CARD_NOT_IN_HAND = 906
DRAW_LIMIT_EXCEEDED = 907
BURN_LIMIT_EXCEEDED = 908
NO_SUCH_ATTACKER = 910
BLOCKING_ALREADY_FINISHED = 911
CARD_NOT_ON_BOARD = 912
NOT_YOUR_TURN = 913
WRONG_TARGET = 915
SPELL_TARGET_NOT_ON_BOARD = 916
DECK_IS_EMPTY = 918
HAND_LIMIT_EXCEEDED = 919
GAME_HAS_ENDED = 932

MAX_ACTIONS = 4096
"""Length of the array that `list_actions` fills. Only far-fetched positions have more; then some are left out."""


@kernel
def can_act(s: State, c: Creature) -> bool:
    """The creature is the current player's and awake: it may block, be tapped or attack."""
    return bool(c.owner == s.current and c.active)


@kernel
def attacks_now(s: State, c: Creature) -> bool:
    """The creature is the opponent's and attacks the current player."""
    return bool(c.owner != s.current and c.declared > 0)


@kernel
def can_pay(s: State, card: CardRecord) -> bool:
    """The current player has the mana for the card."""
    return bool(card.cost <= s.mana)


@kernel
def may_aim_at_player(kind: int, target: int) -> bool:
    """Heal and Damage may be played on either player, Take only on oneself."""
    return kind == HEAL or kind == DAMAGE or (kind == TAKE and target == MYSELF)


@kernel
def may_aim_at_creatures(kind: int) -> bool:
    """Every spell but Take may be played on any creature."""
    return kind != CREATURE_CARD and kind != TAKE


@kernel
def not_mine(s: State, player: int, card: int) -> bool:
    """The card is in the opponent's hand or on their board. A card in the deck, or gone, is nobody's."""
    place = place_on_board(s, card)
    if place >= 0:
        return bool(s.creatures[place].owner != player)
    return bool(place_in_hand(s, 1 - player, card) >= 0)


@kernel
def refuse_from_hand(deck: Deck, s: State, number: int) -> int:
    """The card must be known, not the opponent's, and in the current player's hand."""
    card = card_of_id(deck, number)
    if card < 0:
        return NO_CARD_WITH_SUCH_ID
    if not_mine(s, int(s.current), card):
        return NOT_YOUR_CARD
    if place_in_hand(s, int(s.current), card) < 0:
        return CARD_NOT_IN_HAND
    return OK


@kernel
def refuse_on_board(deck: Deck, s: State, number: int) -> int:
    """The creature must be known, not the opponent's, on the board, and awake."""
    card = card_of_id(deck, number)
    if card < 0:
        return NO_CARD_WITH_SUCH_ID
    if not_mine(s, int(s.current), card):
        return NOT_YOUR_CARD
    place = place_on_board(s, card)
    if place < 0:
        return CARD_NOT_ON_BOARD
    return OK if can_act(s, s.creatures[place]) else INACTIVE_CARD


@kernel
def is_attacker(deck: Deck, s: State, number: int) -> bool:
    """The creature attacks the current player now."""
    card = card_of_id(deck, number)
    if card < 0:
        return False
    place = place_on_board(s, card)
    return bool(place >= 0 and attacks_now(s, s.creatures[place]))


@kernel
def refuse_block(deck: Deck, s: State, attacker: int, blocker: int) -> int:
    """Blocking must be open, the one creature attacking, the other able to block."""
    if not s.blocking:
        return BLOCKING_ALREADY_FINISHED
    if not is_attacker(deck, s, attacker):
        return NO_SUCH_ATTACKER
    return int(refuse_on_board(deck, s, blocker))


@kernel
def refuse_draw(rules: Rules, deck: Deck, s: State) -> int:
    """Draws must be left, cards in the deck, and room in the hand."""
    if s.draws_left <= 0:
        return DRAW_LIMIT_EXCEEDED
    if s.top >= deck.n:
        return DECK_IS_EMPTY
    if s.n_hand[s.current] >= rules.hand_limit:
        return HAND_LIMIT_EXCEEDED
    return OK


@kernel
def refuse_burn(deck: Deck, s: State) -> int:
    """Burns must be left, and cards in the deck."""
    if s.burns_left <= 0:
        return BURN_LIMIT_EXCEEDED
    if s.top >= deck.n:
        return DECK_IS_EMPTY
    return OK


@kernel
def refuse_target(deck: Deck, s: State, kind: int, target: int) -> int:
    """A creature has no target, a spell a player or a creature on the board."""
    if kind == CREATURE_CARD:
        return OK if target == NO_TARGET else WRONG_TARGET
    if target == MYSELF or target == OPPONENT:
        return OK if may_aim_at_player(kind, target) else WRONG_TARGET
    if target <= 0 or not may_aim_at_creatures(kind):
        return WRONG_TARGET
    card = card_of_id(deck, target)
    if card < 0 or place_on_board(s, card) < 0:
        return SPELL_TARGET_NOT_ON_BOARD
    return OK


@kernel
def refuse_play(deck: Deck, s: State, number: int, target: int) -> int:
    """The card must be in hand, its target right, and the mana enough for it."""
    code = refuse_from_hand(deck, s, number)
    if code != OK:
        return int(code)
    card = deck.cards[card_of_id(deck, number)]
    code = refuse_target(deck, s, int(card.kind), target)
    if code != OK:
        return int(code)
    return OK if can_pay(s, card) else NOT_ENOUGH_MANA


@kernel
def refuse_player(s: State, player: int) -> int:
    """The match must be going on, and it must be the player's turn."""
    if s.ending != PLAYING:
        return GAME_HAS_ENDED
    return OK if player == s.current else NOT_YOUR_TURN


@kernel
def refusal(rules: Rules, deck: Deck, s: State, code: int) -> int:
    """Why the current player may not do this now; 0 if they may. Actions other than blocks are judged as if the
    blocking phase were over: whoever sends one closes it."""
    kind, first, second = action_kind(code), first_number(code), second_number(code)
    if s.ending != PLAYING:
        return GAME_HAS_ENDED
    if kind == BLOCK:
        return int(refuse_block(deck, s, first, second))
    if kind == FINISH_BLOCK:
        return OK if s.blocking else BLOCKING_ALREADY_FINISHED
    if kind == DRAW_CARD:
        return int(refuse_draw(rules, deck, s))
    if kind == BURN_CARD:
        return int(refuse_burn(deck, s))
    if kind == DISCARD_CARD:
        return int(refuse_from_hand(deck, s, first))
    if kind == PLAY_CARD:
        return int(refuse_play(deck, s, first, second))
    if kind == END_TURN:
        return OK
    return int(refuse_on_board(deck, s, first))  # ADD_MANA, ATTACK


@kernel
def list_actions(rules: Rules, deck: Deck, s: State, codes: Integers) -> int:
    """Write the actions the current player may take; returns how many.

    In the blocking phase these are blocks and its end: anything else would end it first. END_TURN is always the last.
    """
    n = 0
    if s.ending != PLAYING:
        return n
    if s.blocking:
        n = list_blocks(deck, s, codes, n)
        codes[n] = action_code(FINISH_BLOCK, 0, 0)
        n += 1
    else:
        if refuse_draw(rules, deck, s) == OK:
            codes[n] = action_code(DRAW_CARD, 0, 0)
            n += 1
        if refuse_burn(deck, s) == OK:
            codes[n] = action_code(BURN_CARD, 0, 0)
            n += 1
        for i in range(s.n_creatures):
            if can_act(s, s.creatures[i]) and n + 2 < len(codes):
                number = int(deck.cards[s.creatures[i].card].id)
                codes[n] = action_code(ADD_MANA, number, 0)
                codes[n + 1] = action_code(ATTACK, number, 0)
                n += 2
        n = list_hand_actions(deck, s, codes, n)
    codes[n] = action_code(END_TURN, 0, 0)
    return n + 1


@kernel
def list_blocks(deck: Deck, s: State, codes: Integers, n: int) -> int:
    """Every attacker with every creature that is awake."""
    for i in range(s.n_creatures):
        attacker = s.creatures[i]
        if attacks_now(s, attacker):
            for j in range(s.n_creatures):
                blocker = s.creatures[j]
                if can_act(s, blocker) and n + 2 < len(codes):
                    codes[n] = action_code(BLOCK, int(deck.cards[attacker.card].id), int(deck.cards[blocker.card].id))
                    n += 1
    return n


@kernel
def list_hand_actions(deck: Deck, s: State, codes: Integers, n: int) -> int:
    """Every card of the hand discarded, and played on each of its targets."""
    for i in range(s.n_hand[s.current]):
        card = deck.cards[s.hands[s.current, i]]
        number, kind = int(card.id), int(card.kind)
        if n + 4 >= len(codes):
            break
        codes[n] = action_code(DISCARD_CARD, number, 0)
        n += 1
        if not can_pay(s, card):
            continue
        if kind == CREATURE_CARD:
            codes[n] = action_code(PLAY_CARD, number, NO_TARGET)
            n += 1
            continue
        if may_aim_at_player(kind, MYSELF):
            codes[n] = action_code(PLAY_CARD, number, MYSELF)
            n += 1
        if may_aim_at_player(kind, OPPONENT):
            codes[n] = action_code(PLAY_CARD, number, OPPONENT)
            n += 1
        if may_aim_at_creatures(kind):
            for j in range(s.n_creatures):
                if n + 2 < len(codes):
                    codes[n] = action_code(PLAY_CARD, number, int(deck.cards[s.creatures[j].card].id))
                    n += 1
    return n


@entry(Rules, Deck, State, np.int64, int)
def legal_codes(rules: Records[Rules], decks: Records[Deck], states: Records[State], codes: Integers, i: int) -> int:
    """Write the current player's legal actions; returns how many there are."""
    return list_actions(rules[0], decks[0], states[i], codes)
