"""The commands of the wire, and how a line is read."""

from __future__ import annotations

from typing import NamedTuple

from cardrome.errors import CallerError
from cardrome.games.tapdeck.rules import actions, legal
from cardrome.games.tapdeck.rules.edition import MAX_DECK

BAD_LOGIN = 1
UNKNOWN_COMMAND = 2
BAD_FORMAT = 3
TOO_MANY_ARGUMENTS = 4
INTERNAL_ERROR = 5
COMMANDS_LIMIT = 6
TOO_MANY_LOGINS = 7
NOT_YOUR_MATCH = 930
GAME_HAS_NOT_ENDED = 933

MEANINGS: dict[int, str] = {
    BAD_LOGIN: "bad login or password",
    UNKNOWN_COMMAND: "unknown command",
    BAD_FORMAT: "bad format",
    TOO_MANY_ARGUMENTS: "too many arguments",
    INTERNAL_ERROR: "internal error, sorry...",
    COMMANDS_LIMIT: "commands limit reached, forced waiting activated",
    TOO_MANY_LOGINS: "too many failed logins, try again in a minute",
    legal.NO_CARD_WITH_SUCH_ID: "NoCardWithSuchId you're trying to use a card with ID that is not known",
    legal.NOT_ENOUGH_MANA: "NotEnoughMana you don't have enough mana to play a card",
    legal.NOT_YOUR_CARD: "NotYourCard you're trying to operate on a card which you don't own",
    legal.INACTIVE_CARD: "InactiveCard you're performing an operation on a card which is not active",
    legal.CARD_NOT_IN_HAND: "CardNotInHand you cannot play a card that is not in your hand",
    legal.DRAW_LIMIT_EXCEEDED: "DrawLimitExceeded you have already reached the limit of cards to draw",
    legal.BURN_LIMIT_EXCEEDED: "BurnLimitExceeded you have already reached the limit of cards to burn",
    legal.NO_SUCH_ATTACKER: "NoSuchAttacker there is no such attacker",
    legal.BLOCKING_ALREADY_FINISHED: (
        "BlockingAlreadyFinished the blocking phase is over, you cannot block in this turn anymore"
    ),
    legal.CARD_NOT_ON_BOARD: "CardNotOnBoard the specified card is not on board",
    legal.NOT_YOUR_TURN: "NotYourTurn now it's time for your opponent to move",
    legal.WRONG_TARGET: "WrongTarget wrong target of the spell",
    legal.SPELL_TARGET_NOT_ON_BOARD: "SpellTargetNotOnBoard the target of the spell is not on board",
    legal.DECK_IS_EMPTY: "DeckIsEmpty the deck is empty so you cannot draw nor burn a card",
    legal.HAND_LIMIT_EXCEEDED: "HandLimitExceeded you cannot draw cards anymore",
    NOT_YOUR_MATCH: "NotYourMatch you are not a player in the match which has the given ID",
    legal.GAME_HAS_ENDED: "GameHasEnded you're trying to do something in a game which has already ended",
    GAME_HAS_NOT_ENDED: ("GameHasNotEndedYet you're trying to see the final score of the game which has not ended yet"),
}
"""Every error code with the words that follow it. Clients should read the number only."""

ERROR_LINES: dict[int, bytes] = {code: f"ERR {code} {words}\n".encode() for code, words in MEANINGS.items()}
"""The lines as they are sent."""


FIRST_QUERY = 16
(
    GET_TURN_INFO,
    GET_HP,
    GET_CARD_LIMITS,
    GET_CURRENT_MANA,
    GET_DECK,
    GET_HANDS,
    GET_BOARD,
    GET_ATTACKERS,
    GET_FINAL_SCORE,
) = range(FIRST_QUERY, FIRST_QUERY + 9)
"""Questions about a match. Smaller numbers are actions, of `cardrome.games.tapdeck.rules.actions`."""

WAIT, GET_MY_MATCHES = 32, 33
"""Commands that name no match."""


class Syntax(NamedTuple):
    """One command: its number, its name, and how many numbers follow it, the match's id included."""

    kind: int
    name: str
    arguments: int
    underscores: int
    """In its name."""


SYNTAX: dict[bytes, Syntax] = {
    name.encode(): Syntax(kind, name, arguments, name.count("_"))
    for name, kind, arguments in [
        ("WAIT", WAIT, 0),
        ("GET_MY_MATCHES", GET_MY_MATCHES, 0),
        ("GET_FINAL_SCORE", GET_FINAL_SCORE, 1),
        ("GET_TURN_INFO", GET_TURN_INFO, 1),
        ("GET_HP", GET_HP, 1),
        ("GET_CARD_LIMITS", GET_CARD_LIMITS, 1),
        ("GET_CURRENT_MANA", GET_CURRENT_MANA, 1),
        ("GET_DECK", GET_DECK, 1),
        ("GET_HANDS", GET_HANDS, 1),
        ("GET_BOARD", GET_BOARD, 1),
        ("GET_ATTACKERS", GET_ATTACKERS, 1),
        ("DRAW_CARD", actions.DRAW_CARD, 1),
        ("BURN_CARD", actions.BURN_CARD, 1),
        ("DISCARD_CARD", actions.DISCARD_CARD, 2),
        ("ADD_MANA", actions.ADD_MANA, 2),
        ("PLAY_CARD", actions.PLAY_CARD, 3),
        ("ATTACK", actions.ATTACK, 2),
        ("BLOCK", actions.BLOCK, 3),
        ("FINISH_BLOCK", actions.FINISH_BLOCK, 1),
    ]
}
"""Every command by its word in capitals."""
NAMES: dict[int, str] = {syntax.kind: syntax.name for syntax in SYNTAX.values()}

_NOTHING_ABOVE, _NOTHING_BELOW = MAX_DECK + 1, -16
"""Numbers that no card and no target has."""
_VISIBLE = bytes.maketrans(b"\v\f", b"\0\0")


class Command(NamedTuple):
    """A well-formed line. Numbers that the command does not have are 0."""

    kind: int
    match: int = 0
    first: int = 0
    second: int = 0

    def text(self) -> str:
        """The command as a transcript writes it: in capitals, without the match's id."""
        return " ".join([NAMES[self.kind], *map(str, self[2 : 1 + SYNTAX[NAMES[self.kind].encode()].arguments])])


_new = tuple.__new__
"""Makes a named tuple in a third of the time its class takes."""


def read_command(line: bytes) -> Command | int:
    """The command that a line holds, or the code of the error in it. The line must not be blank.

    Arguments are counted before they are looked at. A number may have any length: one that cannot mean anything
    means nothing.
    """
    # The server's hot path: a line costs about a microsecond here.
    words = words_of(line)
    syntax = SYNTAX.get(words[0]) or SYNTAX.get(words[0].upper())
    if syntax is None:
        return _unknown(words[0])
    kind, _, arguments, underscores = syntax
    n = len(words) - 1
    if n != arguments:
        return BAD_FORMAT if n < arguments else TOO_MANY_ARGUMENTS
    if line.count(b"_") != underscores:
        return BAD_FORMAT  # the one thing that int() takes and the wire does not; letters it refuses itself
    try:
        if n == 1:
            return _new(Command, (kind, int(words[1]), 0, 0))
        if n == 2:
            return _new(Command, (kind, int(words[1]), int(words[2]), 0))
        if n == 3:
            return _new(Command, (kind, int(words[1]), int(words[2]), int(words[3])))
    except ValueError:
        return _with_long_numbers(kind, words[1:])
    return Command(kind)


def read_text(line: str) -> Command | int:
    """The command that a text holds, which does not name the match, or the code of the error in it."""
    words = words_of(line.encode(errors="surrogatepass"))
    if not words:
        raise CallerError("expected a command, got nothing")
    return read_command(b" ".join([words[0], b"0", *words[1:]]))


def words_of(line: bytes) -> list[bytes]:
    """The words of a line. White space is space, tab and CR; split() knows two more, which are part of a word here."""
    if b"\v" in line or b"\f" in line:
        line = line.translate(_VISIBLE)
    return line.split()


def _with_long_numbers(kind: int, words: list[bytes]) -> Command | int:
    """int() refuses thousands of digits too. Of such a number the first digits are kept: it means nothing anyway."""
    numbers = []
    for word in words:
        digits = word[1:] if word[:1] in (b"+", b"-") else word
        if not digits.isdigit():
            return BAD_FORMAT
        number = int(digits.lstrip(b"0")[:18] or b"0")
        numbers.append(-number if word[:1] == b"-" else number)
    return Command(kind, *numbers)


def _unknown(word: bytes) -> int:
    try:
        word.decode()
    except UnicodeDecodeError:
        return BAD_FORMAT
    return UNKNOWN_COMMAND


def within_reach(number: int) -> int:
    """Clamp a number to what kernels take; one that is far out of range means as little as one just out of it."""
    return min(max(number, _NOTHING_BELOW), _NOTHING_ABOVE)
