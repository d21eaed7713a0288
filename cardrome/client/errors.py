"""What a client of a Tapdeck server can meet: a command refused, by its code, or the connection gone.

Every code of the wire has a class of its own, so `except NotEnoughMana` says what it means. Clients read the number of
an error line only; the words behind it are for people.
"""

from __future__ import annotations

from typing import ClassVar

from cardrome.errors import CallerError, CardromeError
from cardrome.games.tapdeck.protocol.errors import MEANINGS


class ClientError(CardromeError):
    """A conversation with a server went wrong."""


class ConnectionLost(ClientError):
    """The connection could not be made, has ended, or was silent for too long. A new one may be better."""


class BadReply(ConnectionLost):
    """The server said what no Tapdeck server says. What follows could mean anything, so the connection is given up."""


class CommandRefused(ClientError):
    """The server answered with an error line. Codes that no subclass stands for come as this class itself."""

    known: ClassVar[dict[int, type[CommandRefused]]] = {}
    """The class of each code."""
    CODE: ClassVar[int] = 0

    def __init__(self, code: int, name: str, description: str) -> None:
        self.code = code
        self.name = name
        """The word that the statement gives the error, `NotEnoughMana`; that of its class for the general codes."""
        self.description = description
        super().__init__(code, name, description)

    def __init_subclass__(cls) -> None:
        CommandRefused.known[cls.CODE] = cls

    def __str__(self) -> str:
        return f"{self.code} {self.name}: {self.description}" if self.name else f"{self.code} {self.description}"


def refusal(line: str) -> CommandRefused:
    """The error that an `ERR` line stands for, of the class of its code."""
    words = line.strip().split(maxsplit=2)
    if len(words) < 2 or words[0] != "ERR" or not (words[1].isascii() and words[1].isdigit()) or len(words[1]) > 9:
        raise BadReply(f"expected OK or ERR and a code, the server said {line[:200]!r}")
    code, said = int(words[1]), words[2] if len(words) > 2 else ""
    kind = CommandRefused.known.get(code, CommandRefused)
    name = "" if kind is CommandRefused else kind.__name__
    if code in MEANINGS and said.startswith(name):
        said = said[len(name) :].strip()
    return kind(code, name, said)


class LoginRefused(CommandRefused, CallerError):
    """1: the name or the password is wrong."""

    CODE = 1


class UnknownCommand(CommandRefused):
    """2: the server does not know the command."""

    CODE = 2


class BadFormat(CommandRefused):
    """3: too few arguments, or one that is no whole number."""

    CODE = 3


class TooManyArguments(CommandRefused):
    """4: more arguments than the command has."""

    CODE = 4


class InternalError(CommandRefused):
    """5: the server failed."""

    CODE = 5


class ForcedWaiting(CommandRefused):
    """6: too many commands in this turn. The command was not carried out; the next turn has started since."""

    CODE = 6


class NoCardWithSuchId(CommandRefused):
    """900: no card of the match has this id."""

    CODE = 900


class NotEnoughMana(CommandRefused):
    """901: the card costs more than there is."""

    CODE = 901


class NotYourCard(CommandRefused):
    """903: the card is the opponent's."""

    CODE = 903


class InactiveCard(CommandRefused):
    """905: the creature is asleep."""

    CODE = 905


class CardNotInHand(CommandRefused):
    """906: the card is not in your hand."""

    CODE = 906


class DrawLimitExceeded(CommandRefused):
    """907: no draws left in this turn."""

    CODE = 907


class BurnLimitExceeded(CommandRefused):
    """908: no burns left in this turn."""

    CODE = 908


class NoSuchAttacker(CommandRefused):
    """910: the creature does not attack you."""

    CODE = 910


class BlockingAlreadyFinished(CommandRefused):
    """911: the blocking phase of this turn is over."""

    CODE = 911


class CardNotOnBoard(CommandRefused):
    """912: the card is not on the board."""

    CODE = 912


class NotYourTurn(CommandRefused):
    """913: it is the opponent's turn."""

    CODE = 913


class WrongTarget(CommandRefused):
    """915: the card cannot have this target."""

    CODE = 915


class SpellTargetNotOnBoard(CommandRefused):
    """916: the target is not on the board."""

    CODE = 916


class DeckIsEmpty(CommandRefused):
    """918: there is nothing left to draw or burn."""

    CODE = 918


class HandLimitExceeded(CommandRefused):
    """919: your hand is full."""

    CODE = 919


class NotYourMatch(CommandRefused):
    """930: you do not play in a match with this id."""

    CODE = 930


class GameHasEnded(CommandRefused):
    """932: the match is over."""

    CODE = 932


class GameHasNotEndedYet(CommandRefused):
    """933: there is no final score yet."""

    CODE = 933
