"""The entries of Tapdeck's rules: what Python calls.

`rules` and `decks` are arrays of one record, `states` is an array of many.
"""

from __future__ import annotations

import numpy as np

from cardrome.engine.kernel import entry, kernel
from cardrome.engine.records import Integers, Records
from cardrome.games.tapdeck.rules.actions import (
    ATTACK,
    BLOCK,
    BURN_CARD,
    DISCARD_CARD,
    DRAW_CARD,
    END_TURN,
    FINISH_BLOCK,
    PLAY_CARD,
    action_kind,
    first_number,
    second_number,
)
from cardrome.games.tapdeck.rules.cards import Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.legal import GAME_HAS_ENDED, OK, list_actions, refusal, refuse_player
from cardrome.games.tapdeck.rules.scoring import match_score
from cardrome.games.tapdeck.rules.state import PLAYING, State
from cardrome.games.tapdeck.rules.turn import (
    add_mana,
    attack,
    block,
    burn_card,
    discard_card,
    draw_card,
    end_turn,
    finish_blocking,
    play_card,
    start_match,
)
from cardrome.games.tapdeck.rules.zones import card_of_id, place_in_hand, place_on_board


@kernel
def apply_action(rules: Rules, deck: Deck, s: State, code: int) -> None:
    """Carry out an action that is allowed."""
    kind, first, second = action_kind(code), first_number(code), second_number(code)
    card = card_of_id(deck, first)
    if kind == BLOCK:
        block(s, place_on_board(s, card), place_on_board(s, card_of_id(deck, second)))
    elif kind == FINISH_BLOCK:
        finish_blocking(rules, s)
    elif kind == DRAW_CARD:
        draw_card(deck, s)
    elif kind == BURN_CARD:
        burn_card(s)
    elif kind == DISCARD_CARD:
        discard_card(s, place_in_hand(s, int(s.current), card))
    elif kind == PLAY_CARD:
        play_card(rules, deck, s, place_in_hand(s, int(s.current), card), second)
    elif kind == ATTACK:
        attack(s, place_on_board(s, card))
    elif kind == END_TURN:
        end_turn(rules, s)
    else:
        add_mana(deck, s, place_on_board(s, card))


@kernel
def obey(rules: Rules, deck: Deck, s: State, player: int, code: int) -> int:
    """A player commands an action; returns 0, or the error code.

    Anything but a block closes the blocking phase first, and leaves it closed even if it is then refused. END_TURN
    does so itself: nothing can be said against it, even if the attackers kill.
    """
    refused = refuse_player(s, player)
    if refused != OK:
        return int(refused)
    kind = action_kind(code)
    if s.blocking and kind != BLOCK and kind != FINISH_BLOCK and kind != END_TURN:
        finish_blocking(rules, s)
        if s.ending != PLAYING:
            return GAME_HAS_ENDED
    refused = refusal(rules, deck, s, code)
    if refused == OK:
        apply_action(rules, deck, s, code)
    return int(refused)


@entry(Rules, State, int)
def new_match(rules: Records[Rules], states: Records[State], i: int) -> int:
    """Set a state to the beginning of a match."""
    start_match(rules[0], states[i])
    return 0


@entry(Rules, Deck, State, int, int, int)
def command(rules: Records[Rules], decks: Records[Deck], states: Records[State], i: int, player: int, code: int) -> int:
    """A player's command on match ``i``; returns 0, or the error code."""
    return obey(rules[0], decks[0], states[i], player, code)


@entry(Rules, State, int)
def tick(rules: Records[Rules], states: Records[State], i: int) -> int:
    """Time is up in match ``i``; returns 1 if it goes on, 0 if it has ended."""
    if states[i].ending == PLAYING:
        end_turn(rules[0], states[i])
    return 1 if states[i].ending == PLAYING else 0


@entry(Rules, State)
def tick_all(rules: Records[Rules], states: Records[State]) -> int:
    """Time is up in all matches at once; returns how many go on."""
    going_on = 0
    for i in range(len(states)):
        s = states[i]
        if s.ending == PLAYING:
            end_turn(rules[0], s)
            if s.ending == PLAYING:
                going_on += 1
    return going_on


@entry(Rules, Deck, State, np.int64, int)
def legal_codes(rules: Records[Rules], decks: Records[Deck], states: Records[State], codes: Integers, i: int) -> int:
    """Write the current player's legal actions; returns how many there are."""
    return list_actions(rules[0], decks[0], states[i], codes)


@entry(Rules, State, int, int)
def score(rules: Records[Rules], states: Records[State], i: int, player: int) -> int:
    """A player's score with the health as it is now."""
    s = states[i]
    return match_score(rules[0], int(s.health[player]), int(s.health[1 - player]))


@entry(Rules, State, np.int32)
def all_scores(rules: Records[Rules], states: Records[State], out: Integers) -> int:
    """Write both players' scores of every match, one match after the other."""
    for i in range(len(states)):
        first, second = int(states[i].health[0]), int(states[i].health[1])
        out[2 * i] = match_score(rules[0], first, second)
        out[2 * i + 1] = match_score(rules[0], second, first)
    return 0
