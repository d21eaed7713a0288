"""Matches in play: many side by side on copies of one deck, and the replies to their commands as the wire writes them.

A server gives tens of thousands of replies a second, so kernels make them: `answer` takes a command on a match, carries
it out, and writes the whole reply. `Table` is what Python calls.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardrome.engine.digits import write_number
from cardrome.engine.kernel import entry, kernel
from cardrome.engine.records import Integers, Records
from cardrome.games.game import Ending, Outcome
from cardrome.games.tapdeck.protocol.commands import (
    ERROR_LINES,
    FIRST_QUERY,
    GAME_HAS_NOT_ENDED,
    GET_BOARD,
    GET_CARD_LIMITS,
    GET_CURRENT_MANA,
    GET_DECK,
    GET_FINAL_SCORE,
    GET_HANDS,
    GET_HP,
    GET_TURN_INFO,
    within_reach,
)
from cardrome.games.tapdeck.rules.actions import DRAW_CARD, action_code
from cardrome.games.tapdeck.rules.cards import CardRecord, Deck
from cardrome.games.tapdeck.rules.edition import MAX_DECK, Rules, TapdeckEdition
from cardrome.games.tapdeck.rules.legal import GAME_HAS_ENDED, NOT_YOUR_TURN, OK
from cardrome.games.tapdeck.rules.scoring import match_score, score, scores_of
from cardrome.games.tapdeck.rules.state import BY_HEALTH, PLAYING, Creature, State, new_states, turns_begun
from cardrome.games.tapdeck.rules.turn import new_match, obey, tick_all

LONGEST_ANSWER = 100 + MAX_DECK * 64
"""Bytes of the buffer that `answer` writes to: room for every card there can be."""
LENGTH = (1 << 20) - 1
ENDED = 1 << 20
"""What `answer` returns: the length of the reply, and this bit if the match has ended now."""

_SPACE, _NEWLINE = b" \n"
_LETTERS = b"CHDTBI"
_O, _K = b"OK"


@kernel
def write_then(out: Integers, n: int, value: int, end: int) -> int:
    """Write a number and the character behind it; returns where the text ends. So do all functions that write."""
    n = write_number(out, n, value)
    out[n] = end
    return n + 1


@kernel
def write_ok(out: Integers) -> int:
    """Every success begins like this."""
    out[0], out[1], out[2] = _O, _K, _NEWLINE
    return 3


@kernel
def write_fields(out: Integers, n: int, card: CardRecord, attack: int, health: int, max_health: int, end: int) -> int:
    """Write a card's seven fields: what may have changed is given, the rest is the card's own."""
    n = write_then(out, n, int(card.id), _SPACE)
    out[n] = _LETTERS[int(card.kind)]
    out[n + 1] = _SPACE
    n = write_then(out, n + 2, attack, _SPACE)
    n = write_then(out, n, health, _SPACE)
    n = write_then(out, n, max_health, _SPACE)
    n = write_then(out, n, int(card.cost), _SPACE)
    return int(write_then(out, n, int(card.mana), end))


@kernel
def write_card(out: Integers, n: int, card: CardRecord) -> int:
    """Write the line of a card in the deck or a hand."""
    return int(write_fields(out, n, card, int(card.attack), int(card.health), int(card.max_health), _NEWLINE))


@kernel
def write_creature(out: Integers, n: int, deck: Deck, creature: Creature, end: int) -> int:
    """Write a creature with its present values."""
    card = deck.cards[creature.card]
    attack, health, max_health = int(creature.attack), int(creature.health), int(creature.max_health)
    return int(write_fields(out, n, card, attack, health, max_health, end))


@kernel
def write_deck(out: Integers, n: int, deck: Deck, s: State) -> int:
    """The deck, top card first."""
    n = write_then(out, n, int(deck.n) - int(s.top), _NEWLINE)
    for i in range(s.top, deck.n):
        n = write_card(out, n, deck.cards[i])
    return n


@kernel
def write_hands(out: Integers, n: int, deck: Deck, s: State, player: int) -> int:
    """Both hands, the player's own first."""
    n = write_then(out, n, int(s.n_hand[player]), _SPACE)
    n = write_then(out, n, int(s.n_hand[1 - player]), _NEWLINE)
    for turn in range(2):
        owner = player if turn == 0 else 1 - player
        for i in range(s.n_hand[owner]):
            n = write_card(out, n, deck.cards[s.hands[owner, i]])
    return n


@kernel
def write_board(out: Integers, n: int, deck: Deck, s: State, player: int) -> int:
    """Both sides of the board, the player's own first; 1 behind a creature that is awake, 0 behind one asleep."""
    mine = 0
    for i in range(s.n_creatures):
        if s.creatures[i].owner == player:
            mine += 1
    n = write_then(out, n, mine, _SPACE)
    n = write_then(out, n, int(s.n_creatures) - mine, _NEWLINE)
    for turn in range(2):
        owner = player if turn == 0 else 1 - player
        for i in range(s.n_creatures):
            if s.creatures[i].owner == owner:
                n = write_creature(out, n, deck, s.creatures[i], _SPACE)
                n = write_then(out, n, int(s.creatures[i].active), _NEWLINE)
    return n


@kernel
def write_attackers(out: Integers, n: int, deck: Deck, s: State, player: int) -> int:
    """The creatures that attack the player, in the order in which they were ordered to."""
    found, last = 0, 0
    for i in range(s.n_creatures):
        if s.creatures[i].owner != player and s.creatures[i].declared > 0:
            found += 1
            last = max(last, int(s.creatures[i].declared))
    n = write_then(out, n, found, _NEWLINE)
    for order in range(1, last + 1):
        for i in range(s.n_creatures):
            if s.creatures[i].owner != player and s.creatures[i].declared == order:
                n = write_creature(out, n, deck, s.creatures[i], _NEWLINE)
    return n


@kernel
def tell(rules: Rules, deck: Deck, s: State, player: int, kind: int, out: Integers) -> int:
    """Answer a question: the reply's length, or the error code below 0."""
    if kind == GET_FINAL_SCORE:
        if s.ending == PLAYING:
            return -GAME_HAS_NOT_ENDED
        mine, theirs = int(s.health[player]), int(s.health[1 - player])
        n = write_then(out, write_ok(out), match_score(rules, mine, theirs), _SPACE)
        return int(write_then(out, n, match_score(rules, theirs, mine), _NEWLINE))
    if s.ending != PLAYING:
        return -GAME_HAS_ENDED
    n = write_ok(out)
    if kind == GET_TURN_INFO:
        n = write_then(out, n, 1 if player == s.current else 0, _SPACE)
        return int(write_then(out, n, int(rules.turns) - int(s.turn), _NEWLINE))
    if player != s.current:
        return -NOT_YOUR_TURN
    if kind == GET_HP:
        n = write_then(out, n, int(rules.initial_health), _SPACE)
        n = write_then(out, n, int(s.health[player]), _SPACE)
        return int(write_then(out, n, int(s.health[1 - player]), _NEWLINE))
    if kind == GET_CARD_LIMITS:
        n = write_then(out, n, int(s.draws_left), _SPACE)
        n = write_then(out, n, int(s.burns_left), _SPACE)
        return int(write_then(out, n, int(rules.hand_limit), _NEWLINE))
    if kind == GET_CURRENT_MANA:
        return int(write_then(out, n, int(s.mana), _NEWLINE))
    if kind == GET_DECK:
        return int(write_deck(out, n, deck, s))
    if kind == GET_HANDS:
        return int(write_hands(out, n, deck, s, player))
    if kind == GET_BOARD:
        return int(write_board(out, n, deck, s, player))
    return int(write_attackers(out, n, deck, s, player))  # GET_ATTACKERS


@entry(Rules, Deck, State, np.uint8, int, int, int, int, int)
def answer(
    rules: Records[Rules],
    decks: Records[Deck],
    states: Records[State],
    out: Integers,
    i: int,
    player: int,
    kind: int,
    first: int,
    second: int,
) -> int:
    """A player's command on match ``i``: the error code below 0, or the length of the reply in ``out``.

    `ENDED` is set in what an action returns (an error code then lies between 0 and -`ENDED`, less `ENDED`) if the
    match was going on before and is over now.
    """
    s, deck = states[i], decks[0]
    if kind >= FIRST_QUERY:
        return int(tell(rules[0], deck, s, player, kind, out))
    going_on = s.ending == PLAYING
    refused = obey(rules[0], deck, s, player, action_code(kind, first, second))
    ended = ENDED if going_on and s.ending != PLAYING else 0
    if refused != OK:
        return int(-refused - ended)
    n = write_ok(out)
    if kind == DRAW_CARD:
        n = write_card(out, n, deck.cards[int(s.top) - 1])
    return int(n + ended)


_REACH = 1 << 30
"""Numbers that kernels can take as they are."""


def outcome_of(rules: Records[Rules], states: np.recarray[Any, Any], match: int) -> Outcome | None:
    """How a match ended; None while it goes on."""
    ending = states[match].ending
    if ending == PLAYING:
        return None
    scores = score(rules, states, match, 0), score(rules, states, match, 1)
    winner = None if scores[0] == scores[1] else int(scores[1] > scores[0])
    return Outcome(winner, Ending.HEALTH if ending == BY_HEALTH else Ending.TURNS, scores)


class Table:
    """Some matches on copies of one deck. They are numbered from 0 and change turn together."""

    def __init__(self, edition: TapdeckEdition, deck: np.recarray[Any, Any], matches: int) -> None:
        self.edition = edition
        self.deck = deck
        self.turn = 0
        """The number of ticks so far: the turn of every match that goes on, from 0 on."""
        self.states: np.recarray[Any, Any] = new_states(matches)
        self._rules = edition.rules
        buffer = bytearray(LONGEST_ANSWER)
        self._text = memoryview(buffer)
        self._answer = answer.bind(self._rules, deck, self.states, np.frombuffer(buffer, np.uint8))
        self._tick_all = tick_all.bind(self._rules, self.states)
        for i in range(matches):
            new_match(self._rules, self.states, i)

    def command(self, match: int, player: int, kind: int, first: int = 0, second: int = 0) -> tuple[bytes, int, bool]:
        """Carry out a command: the reply, the error code or 0, and whether the match ended by it."""
        if not (-_REACH <= first <= _REACH and -_REACH <= second <= _REACH):
            first, second = within_reach(first), within_reach(second)
        got = self._answer(match, player, kind, first, second)
        if got >= 0:
            return bytes(self._text[: got & LENGTH]), 0, got >= ENDED
        ended = got <= -ENDED
        code = -got - ENDED if ended else -got
        return ERROR_LINES[code], code, ended

    def tick(self) -> int:
        """Time is up in all matches; returns how many go on."""
        self.turn += 1
        return self._tick_all()

    def outcome(self, match: int) -> Outcome | None:
        """How a match ended; None while it goes on."""
        return outcome_of(self._rules, self.states, match)

    def health(self, match: int) -> tuple[int, int]:
        """Both players' health."""
        first, second = self.states[match].health.tolist()
        return first, second

    def turns_played(self, match: int) -> int:
        """Turns of a match that were begun, once it has ended."""
        return turns_begun(self.states[match])

    def scores(self) -> np.ndarray[Any, Any]:
        """Both players' scores of every match, with the health as it is now: an array of two columns."""
        return scores_of(self.edition, self.states["health"])

    def ended(self) -> np.ndarray[Any, Any]:
        """The numbers of the matches that have ended."""
        return np.flatnonzero(self.states["ending"] != PLAYING)
