"""The commands as a client sends them: each knows its line, how long its reply is, and how to read it.

The first lines of a reply tell how long it is, so many commands can be sent at once and their replies told apart.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from cardrome.client.errors import BadReply
from cardrome.games.tapdeck.protocol import commands
from cardrome.games.tapdeck.protocol.commands import NAMES, SYNTAX, Command
from cardrome.games.tapdeck.rules import actions
from cardrome.games.tapdeck.rules.cards import KINDS, TapdeckCard
from cardrome.games.tapdeck.rules.edition import MAX_DECK

T = TypeVar("T")
GREATEST = (1 << 31) - 1
"""The largest number that a reply may hold."""
GREATEST_PRINTED = (1 << 15) - 1
"""The largest cost or mana of a card."""


class TurnInfo(NamedTuple):
    """Whether it is your turn, and how many turns are left, including the present one."""

    mine: bool
    left: int


class FinalScore(NamedTuple):
    """The scores of a match that has ended."""

    mine: int
    theirs: int


class Health(NamedTuple):
    """Both players' health at the start of the match, yours now, and your opponent's now."""

    initial: int
    mine: int
    theirs: int


class CardLimits(NamedTuple):
    """How many cards you may still draw and burn in this turn, and how many fit into a hand."""

    draws: int
    burns: int
    hand: int


class Hands(NamedTuple):
    """The cards in your hand and in your opponent's."""

    mine: tuple[TapdeckCard, ...]
    theirs: tuple[TapdeckCard, ...]


class BoardCard(NamedTuple):
    """A creature on the board: its card with the present values, and whether it is awake."""

    card: TapdeckCard
    awake: bool


class Board(NamedTuple):
    """The creatures of both players."""

    mine: tuple[BoardCard, ...]
    theirs: tuple[BoardCard, ...]


@dataclass(frozen=True, slots=True)
class Request(Generic[T]):
    """A command and how its reply is read."""

    command: Command
    read: Callable[[list[str]], T]
    """Turns the data lines, once they are complete, into the result."""
    lines: int = 0
    """The number of data lines, or of those before the counted ones."""
    counts: int = 0
    """How many numbers in the first data line count further lines; 0 if none do."""
    oks: int = 1
    """How often the server says OK before the data: twice for WAIT."""

    def encode(self) -> bytes:
        """The line to send."""
        name = NAMES[self.command.kind]
        numbers = self.command[1 : 1 + SYNTAX[name.encode()].arguments]
        return f"{' '.join([name, *map(str, numbers)])}\n".encode()

    def lines_missing(self, found: list[str]) -> int:
        """How many data lines are still to come after those found."""
        counted = sum(_card_counts(found[0], self.counts)) if found and self.counts else 0
        return self.lines + counted - len(found)


def wait() -> Request[None]:
    """Wait for the next turn."""
    return Request(Command(commands.WAIT), _nothing, oks=2)


def my_matches() -> Request[tuple[int, ...]]:
    """The ids of your matches in this tournament."""
    return Request(Command(commands.GET_MY_MATCHES), _match_ids, lines=2)


def final_score(match: int) -> Request[FinalScore]:
    """The scores of a match that has ended."""
    return Request(Command(commands.GET_FINAL_SCORE, match), lambda lines: FinalScore(*_numbers(lines[0], 2)), lines=1)


def turn_info(match: int) -> Request[TurnInfo]:
    """Whether it is your turn, and how many turns are left."""
    return Request(Command(commands.GET_TURN_INFO, match), _turn_info, lines=1)


def hp(match: int) -> Request[Health]:
    """The health of both players."""
    return Request(Command(commands.GET_HP, match), lambda lines: Health(*_numbers(lines[0], 3)), lines=1)


def card_limits(match: int) -> Request[CardLimits]:
    """Draws and burns left in this turn, and the size of a full hand."""
    return Request(Command(commands.GET_CARD_LIMITS, match), lambda lines: CardLimits(*_numbers(lines[0], 3)), lines=1)


def current_mana(match: int) -> Request[int]:
    """The mana you have now."""
    return Request(Command(commands.GET_CURRENT_MANA, match), lambda lines: _numbers(lines[0], 1)[0], lines=1)


def deck(match: int) -> Request[tuple[TapdeckCard, ...]]:
    """The cards in the deck, top first."""
    return Request(Command(commands.GET_DECK, match), _cards, lines=1, counts=1)


def hands(match: int) -> Request[Hands]:
    """The cards in both hands."""
    return Request(Command(commands.GET_HANDS, match), lambda lines: Hands(*_halves(lines, _card)), lines=1, counts=2)


def board(match: int) -> Request[Board]:
    """The creatures on the board, with their present values."""
    return Request(
        Command(commands.GET_BOARD, match), lambda lines: Board(*_halves(lines, _board_card)), lines=1, counts=2
    )


def attackers(match: int) -> Request[tuple[TapdeckCard, ...]]:
    """The creatures that attack you now."""
    return Request(Command(commands.GET_ATTACKERS, match), _cards, lines=1, counts=1)


def draw_card(match: int) -> Request[TapdeckCard]:
    """Take the top card of the deck; the result is that card."""
    return Request(Command(actions.DRAW_CARD, match), lambda lines: _card(lines[0]), lines=1)


def burn_card(match: int) -> Request[None]:
    """Remove the top card of the deck."""
    return _order(actions.BURN_CARD, match)


def discard_card(match: int, card: int) -> Request[None]:
    """Remove a card from your hand."""
    return _order(actions.DISCARD_CARD, match, card)


def add_mana(match: int, card: int) -> Request[None]:
    """Tap a creature for its mana."""
    return _order(actions.ADD_MANA, match, card)


def play_card(match: int, card: int, target: int = -1) -> Request[None]:
    """Play a card: a creature on -1, a spell on -5 (you), -6 (your opponent) or a creature's id."""
    return _order(actions.PLAY_CARD, match, card, target)


def attack(match: int, card: int) -> Request[None]:
    """Order a creature to attack."""
    return _order(actions.ATTACK, match, card)


def block(match: int, attacker: int, blocker: int) -> Request[None]:
    """Let one of your creatures fight an attacker."""
    return _order(actions.BLOCK, match, attacker, blocker)


def finish_block(match: int) -> Request[None]:
    """End the blocking phase."""
    return _order(actions.FINISH_BLOCK, match)


def action(match: int, code: int) -> Request[Any]:
    """The command for an action code of `cardrome.games.tapdeck.rules.actions` other than END_TURN."""
    kind = actions.action_kind(code)
    if kind == actions.DRAW_CARD:
        return draw_card(match)
    return _order(kind, match, actions.first_number(code), actions.second_number(code))


def _order(kind: int, match: int, first: int = 0, second: int = 0) -> Request[None]:
    """A command that is answered by OK alone."""
    return Request(Command(kind, match, first, second), _nothing)


def _nothing(lines: list[str]) -> None:
    return None


def _numbers(line: str, count: int | None = None) -> list[int]:
    """The whole numbers in a line, of which there must be ``count``."""
    try:
        found = [int(word) for word in line.split()]
    except ValueError:
        raise BadReply(f"expected whole numbers, the server said {line[:200]!r}") from None
    if count is not None and len(found) != count:
        raise BadReply(f"expected {count} numbers, the server said {line[:200]!r}")
    if any(not -GREATEST <= number <= GREATEST for number in found):
        raise BadReply(f"a number is out of range in {line[:200]!r}")
    return found


def _card_counts(line: str, count: int) -> list[int]:
    """Numbers of cards, each at most the size of a deck."""
    found = _numbers(line, count)
    if any(not 0 <= number <= MAX_DECK for number in found):
        raise BadReply(f"expected numbers of cards from 0 to {MAX_DECK}, the server said {line[:200]!r}")
    return found


@functools.lru_cache(maxsize=8192)  # all matches of a tournament share a deck: most lines have been read before
def _card(line: str) -> TapdeckCard:
    """The card that a line describes, with its present values."""
    words = line.split()
    if len(words) != 7 or words[1] not in KINDS:
        raise BadReply(f"expected a card, ID TYPE AT HP HPMAX COST MANA; the server said {line[:200]!r}")
    number, attack, health, most, cost, mana = _numbers(" ".join(words[:1] + words[2:]))
    if not 1 <= number <= MAX_DECK or min(attack, health, most, cost) < 0 or mana < -1:
        raise BadReply(f"not a possible card: {line[:200]!r}")
    if max(cost, mana) > GREATEST_PRINTED:
        raise BadReply(f"a number is out of range in {line[:200]!r}")
    return TapdeckCard(number, words[1], attack, health, most, cost, mana)


@functools.lru_cache(maxsize=8192)
def _board_card(line: str) -> BoardCard:
    """A line of the board: a card, and 1 if it is awake."""
    words = line.rsplit(maxsplit=1)
    if len(words) != 2 or words[1] not in ("0", "1"):
        raise BadReply(f"expected a card and 0 or 1, the server said {line[:200]!r}")
    card = _card(words[0])
    if card.kind != "C":
        raise BadReply(f"a spell on the board: {line[:200]!r}")
    return BoardCard(card, words[1] == "1")


def _cards(lines: list[str]) -> tuple[TapdeckCard, ...]:
    return tuple(map(_card, lines[1:]))


def _halves(lines: list[str], read: Callable[[str], T]) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """My cards and my opponent's, counted in the first line."""
    middle = 1 + _card_counts(lines[0], 2)[0]
    return tuple(map(read, lines[1:middle])), tuple(map(read, lines[middle:]))


def _match_ids(lines: list[str]) -> tuple[int, ...]:
    ids = tuple(_numbers(lines[1]))
    if _numbers(lines[0], 1)[0] != len(ids):
        raise BadReply(f"the server announced {lines[0][:20]} matches and named {len(ids)}")
    return ids


def _turn_info(lines: list[str]) -> TurnInfo:
    mine, left = _numbers(lines[0], 2)
    if mine not in (0, 1) or left < 0:
        raise BadReply(f"expected 0 or 1 and the turns left, the server said {lines[0][:200]!r}")
    return TurnInfo(mine == 1, left)
