"""What can go wrong between a client and a Tapdeck server: a refused command, or a lost connection."""

from __future__ import annotations

import enum
from typing import TypeGuard

from cardrome.errors import CardromeError
from cardrome.games.tapdeck.protocol import commands as wire
from cardrome.games.tapdeck.rules import legal


class ClientError(CardromeError):
    """A conversation with a server failed."""


class ConnectionLost(ClientError):
    """The connection could not be made, has ended, or was silent for too long. Connecting again may help."""


class BadReply(ConnectionLost):
    """The server sent something that is not a Tapdeck reply. The connection is closed: what follows has no meaning."""


class RefusalCode(enum.IntEnum):
    """The error codes of the protocol."""

    BAD_LOGIN = wire.BAD_LOGIN
    UNKNOWN_COMMAND = wire.UNKNOWN_COMMAND
    BAD_FORMAT = wire.BAD_FORMAT
    TOO_MANY_ARGUMENTS = wire.TOO_MANY_ARGUMENTS
    INTERNAL_ERROR = wire.INTERNAL_ERROR
    COMMANDS_LIMIT = wire.COMMANDS_LIMIT
    """Too many commands in this turn: the command was not carried out, and the next turn has started since."""
    TOO_MANY_LOGINS = wire.TOO_MANY_LOGINS
    """Too many logins of this team failed from this address: the password was not checked."""
    NO_CARD_WITH_SUCH_ID = legal.NO_CARD_WITH_SUCH_ID
    NOT_ENOUGH_MANA = legal.NOT_ENOUGH_MANA
    NOT_YOUR_CARD = legal.NOT_YOUR_CARD
    INACTIVE_CARD = legal.INACTIVE_CARD
    CARD_NOT_IN_HAND = legal.CARD_NOT_IN_HAND
    DRAW_LIMIT_EXCEEDED = legal.DRAW_LIMIT_EXCEEDED
    BURN_LIMIT_EXCEEDED = legal.BURN_LIMIT_EXCEEDED
    NO_SUCH_ATTACKER = legal.NO_SUCH_ATTACKER
    BLOCKING_ALREADY_FINISHED = legal.BLOCKING_ALREADY_FINISHED
    CARD_NOT_ON_BOARD = legal.CARD_NOT_ON_BOARD
    NOT_YOUR_TURN = legal.NOT_YOUR_TURN
    WRONG_TARGET = legal.WRONG_TARGET
    SPELL_TARGET_NOT_ON_BOARD = legal.SPELL_TARGET_NOT_ON_BOARD
    DECK_IS_EMPTY = legal.DECK_IS_EMPTY
    HAND_LIMIT_EXCEEDED = legal.HAND_LIMIT_EXCEEDED
    NOT_YOUR_MATCH = wire.NOT_YOUR_MATCH
    GAME_HAS_ENDED = legal.GAME_HAS_ENDED
    GAME_HAS_NOT_ENDED_YET = wire.GAME_HAS_NOT_ENDED


class CommandRefused(ClientError):
    """The server answered a command, or a login, with an error line.

    >>> str(CommandRefused(RefusalCode.NOT_ENOUGH_MANA))
    "901 NOT_ENOUGH_MANA: you don't have enough mana to play a card"
    """

    def __init__(self, code: int, words: str = "") -> None:
        """``words`` are what the server wrote after the code; by default, what the protocol says there."""
        known = code in wire.MEANINGS
        self.code = int(code)
        self.name = RefusalCode(code).name if known else ""
        """The name of the `RefusalCode`; empty for a code of a later protocol."""
        # The words of most codes begin with the code's name in the protocol's own spelling, NotEnoughMana.
        spelling = self.name.title().replace("_", "")
        self.meaning = (words or wire.MEANINGS.get(code, "")).removeprefix(spelling).strip()
        super().__init__(code, words)

    def __str__(self) -> str:
        return f"{self.code} {self.name}: {self.meaning}" if self.name else f"{self.code}: {self.meaning}"


def refusal(line: str) -> CommandRefused:
    """The refusal that an ``ERR`` line stands for."""
    words = line.strip().split(maxsplit=2)
    if len(words) < 2 or words[0] != "ERR" or not (words[1].isascii() and words[1].isdigit()) or len(words[1]) > 9:
        raise BadReply(f"expected OK or ERR and a code, the server said {line[:200]!r}")
    return CommandRefused(int(words[1]), words[2] if len(words) > 2 else "")


def was_refused(reply: object, *codes: RefusalCode) -> TypeGuard[CommandRefused]:
    """Whether a reply is a refusal with one of these codes."""
    return isinstance(reply, CommandRefused) and reply.code in codes
