"""Whether an action is allowed, and what the error is if it is not.

`refusal` gives 0 or an error code of the statement; of several reasons it gives the first in this order: the match has
ended, it is the other player's turn, the phase, the card (known? whose? where? awake?), the target, the price.
"""

from __future__ import annotations

from cardrome.engine.kernel import kernel
from cardrome.engine.records import Integers
from cardrome.games.tapdeck.rules.actions import (
    ADD_MANA,
    ATTACK,
    BLOCK,
    BURN_CARD,
    DISCARD_CARD,
    DRAW_CARD,
    END_TURN,
    FINISH_BLOCK,
    PLAY_CARD,
    action_code,
    action_kind,
    first_number,
    second_number,
)
from cardrome.games.tapdeck.rules.cards import BUFF, CREATURE_CARD, DAMAGE, DEACTIVATE, HEAL, TAKE, Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.state import PLAYING, State
from cardrome.games.tapdeck.rules.turn import MYSELF, NO_TARGET, OPPONENT
from cardrome.games.tapdeck.rules.zones import card_of_id, place_in_hand, place_on_board

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
def not_mine(s: State, player: int, card: int) -> bool:
    """The card is in the opponent's hand or on his board. A card in the deck, or gone, is nobody's."""
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
    if not s.creatures[place].active:
        return INACTIVE_CARD
    return OK


@kernel
def is_attacker(deck: Deck, s: State, number: int) -> bool:
    """The creature attacks the current player now."""
    card = card_of_id(deck, number)
    if card < 0:
        return False
    place = place_on_board(s, card)
    return bool(place >= 0 and s.creatures[place].owner != s.current and s.creatures[place].declared > 0)


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
    """A creature has no target, Take only oneself, Heal and Damage anybody, Buff and Deactivate any creature."""
    if kind == CREATURE_CARD:
        return OK if target == NO_TARGET else WRONG_TARGET
    if kind == TAKE:
        return OK if target == MYSELF else WRONG_TARGET
    if target == MYSELF or target == OPPONENT:
        return OK if kind == HEAL or kind == DAMAGE else WRONG_TARGET
    if target <= 0:
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
    return OK if card.cost <= s.mana else NOT_ENOUGH_MANA


@kernel
def refuse_player(s: State, player: int) -> int:
    """The match must be going on, and it must be the player's turn."""
    if s.ending != PLAYING:
        return GAME_HAS_ENDED
    return OK if player == s.current else NOT_YOUR_TURN


@kernel
def refusal(rules: Rules, deck: Deck, s: State, code: int) -> int:
    """Why the current player may not do this now; 0 if he may. Actions other than blocks are judged as they stand:
    whoever sends one closes his blocking phase before."""
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
            creature = s.creatures[i]
            if creature.owner == s.current and creature.active and n + 2 < len(codes):
                number = int(deck.cards[creature.card].id)
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
        if attacker.owner != s.current and attacker.declared > 0:
            for j in range(s.n_creatures):
                blocker = s.creatures[j]
                if blocker.owner == s.current and blocker.active and n + 2 < len(codes):
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
        if card.cost > s.mana:
            continue
        if kind == CREATURE_CARD:
            codes[n] = action_code(PLAY_CARD, number, NO_TARGET)
            n += 1
            continue
        if kind != BUFF and kind != DEACTIVATE:
            codes[n] = action_code(PLAY_CARD, number, MYSELF)
            n += 1
        if kind == HEAL or kind == DAMAGE:
            codes[n] = action_code(PLAY_CARD, number, OPPONENT)
            n += 1
        if kind != TAKE:
            for j in range(s.n_creatures):
                if n + 2 < len(codes):
                    codes[n] = action_code(PLAY_CARD, number, int(deck.cards[s.creatures[j].card].id))
                    n += 1
    return n
