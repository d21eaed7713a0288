"""The commands as a client sends them: each knows its line, how long its reply is, and what the reply means.

No sockets here. The length of a reply is known from its first lines, so many commands can be sent at once and their
replies told apart.
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
"""No number of a reply is larger."""
GREATEST_PRINTED = (1 << 15) - 1
"""No cost and no mana of a card is larger."""


class TurnInfo(NamedTuple):
    """Whether it is your turn, and how many turns are left, the present one included."""

    mine: bool
    left: int


class Score(NamedTuple):
    """The scores of a match that has ended."""

    mine: int
    theirs: int


class Health(NamedTuple):
    """The health that both had at the beginning, yours now, and the opponent's now."""

    initial: int
    mine: int
    theirs: int


class CardLimits(NamedTuple):
    """Cards you may still draw and burn in this turn, and those a hand can hold."""

    draws: int
    burns: int
    hand: int


class Hands(NamedTuple):
    """The cards in your hand and in the opponent's."""

    mine: tuple[TapdeckCard, ...]
    theirs: tuple[TapdeckCard, ...]


class BoardCreature(NamedTuple):
    """A creature on the board: its card with the present values, and whether it is awake."""

    card: TapdeckCard
    awake: bool


class Board(NamedTuple):
    """The creatures of both sides."""

    mine: tuple[BoardCreature, ...]
    theirs: tuple[BoardCreature, ...]


@dataclass(frozen=True, slots=True)
class Request(Generic[T]):
    """One command and the way its reply is read."""

    command: Command
    more: Callable[[list[str]], int]
    """How many lines must still come, given the data lines read so far."""
    read: Callable[[list[str]], T]
    """What the data lines mean, once they are complete."""
    oks: int = 1
    """How often the server says OK before the data: twice for WAIT."""

    def encode(self) -> bytes:
        """The line to send."""
        name = NAMES[self.command.kind]
        numbers = self.command[1 : 1 + SYNTAX[name.encode()].arguments]
        return f"{' '.join([name, *map(str, numbers)])}\n".encode()


def _numbers(line: str, count: int | None = None) -> list[int]:
    """The whole numbers of a line, which must be so many."""
    try:
        found = [int(word) for word in line.split()]
    except ValueError:
        raise BadReply(f"expected whole numbers, the server said {line[:200]!r}") from None
    if count is not None and len(found) != count:
        raise BadReply(f"expected {count} numbers, the server said {line[:200]!r}")
    if any(not -GREATEST <= number <= GREATEST for number in found):
        raise BadReply(f"a number is too large to be true in {line[:200]!r}")
    return found


def _counts(line: str, count: int) -> list[int]:
    """Numbers of cards, none larger than a deck can be."""
    found = _numbers(line, count)
    if any(not 0 <= number <= MAX_DECK for number in found):
        raise BadReply(f"expected numbers of cards from 0 to {MAX_DECK}, the server said {line[:200]!r}")
    return found


@functools.lru_cache(maxsize=8192)  # all matches of a tournament have the same deck: most lines were read before
def _card(line: str) -> TapdeckCard:
    """The card that a line describes, with its present values."""
    words = line.split()
    if len(words) != 7 or words[1] not in KINDS:
        raise BadReply(f"expected a card, ID TYPE AT HP HPMAX COST MANA; the server said {line[:200]!r}")
    number, attack, health, most, cost, mana = _numbers(" ".join(words[:1] + words[2:]))
    if not 1 <= number <= MAX_DECK or min(attack, health, most, cost) < 0 or mana < -1:
        raise BadReply(f"no card can be like this: {line[:200]!r}")
    if max(cost, mana) > GREATEST_PRINTED:
        raise BadReply(f"a number is too large to be true in {line[:200]!r}")
    return TapdeckCard(number, words[1], attack, health, most, cost, mana)


@functools.lru_cache(maxsize=8192)
def _creature(line: str) -> BoardCreature:
    """A line of the board: a card, and 1 if it is awake."""
    words = line.rsplit(maxsplit=1)
    if len(words) != 2 or words[1] not in ("0", "1"):
        raise BadReply(f"expected a card and 0 or 1, the server said {line[:200]!r}")
    card = _card(words[0])
    if card.kind != "C":
        raise BadReply(f"a spell on the board: {line[:200]!r}")
    return BoardCreature(card, words[1] == "1")


def _nothing(lines: list[str]) -> None:
    return None


def _no_lines(lines: list[str]) -> int:
    return 0


def _one_line(lines: list[str]) -> int:
    return 1 - len(lines)


def _two_lines(lines: list[str]) -> int:
    return 2 - len(lines)


def _counted(lines: list[str]) -> int:
    """As many lines as the first one says."""
    return 1 if not lines else _counts(lines[0], 1)[0] + 1 - len(lines)


def _counted_twice(lines: list[str]) -> int:
    """As many lines as the two numbers of the first one say together."""
    return 1 if not lines else sum(_counts(lines[0], 2)) + 1 - len(lines)


def _read_matches(lines: list[str]) -> tuple[int, ...]:
    ids = tuple(_numbers(lines[1]))
    if _numbers(lines[0], 1)[0] != len(ids):
        raise BadReply(f"the server announced {lines[0][:20]} matches and named {len(ids)}")
    return ids


def _read_turn_info(lines: list[str]) -> TurnInfo:
    mine, left = _numbers(lines[0], 2)
    if mine not in (0, 1) or left < 0:
        raise BadReply(f"expected 0 or 1 and the turns left, the server said {lines[0][:200]!r}")
    return TurnInfo(mine == 1, left)


def _read_score(lines: list[str]) -> Score:
    return Score(*_numbers(lines[0], 2))


def _read_health(lines: list[str]) -> Health:
    return Health(*_numbers(lines[0], 3))


def _read_limits(lines: list[str]) -> CardLimits:
    return CardLimits(*_numbers(lines[0], 3))


def _read_number(lines: list[str]) -> int:
    return _numbers(lines[0], 1)[0]


def _read_card(lines: list[str]) -> TapdeckCard:
    return _card(lines[0])


def _read_cards(lines: list[str]) -> tuple[TapdeckCard, ...]:
    return tuple(map(_card, lines[1:]))


def _read_hands(lines: list[str]) -> Hands:
    middle = 1 + _counts(lines[0], 2)[0]
    return Hands(tuple(map(_card, lines[1:middle])), tuple(map(_card, lines[middle:])))


def _read_board(lines: list[str]) -> Board:
    middle = 1 + _counts(lines[0], 2)[0]
    return Board(tuple(map(_creature, lines[1:middle])), tuple(map(_creature, lines[middle:])))


def wait() -> Request[None]:
    """Answered when the next turn starts."""
    return Request(Command(commands.WAIT), _no_lines, _nothing, oks=2)


def my_matches() -> Request[tuple[int, ...]]:
    """The ids of your matches."""
    return Request(Command(commands.GET_MY_MATCHES), _two_lines, _read_matches)


def final_score(match: int) -> Request[Score]:
    """The scores of a match that has ended."""
    return Request(Command(commands.GET_FINAL_SCORE, match), _one_line, _read_score)


def turn_info(match: int) -> Request[TurnInfo]:
    """Whose turn it is, and how many are left."""
    return Request(Command(commands.GET_TURN_INFO, match), _one_line, _read_turn_info)


def hp(match: int) -> Request[Health]:
    """The health of both players."""
    return Request(Command(commands.GET_HP, match), _one_line, _read_health)


def card_limits(match: int) -> Request[CardLimits]:
    """Draws and burns left, and the size of a full hand."""
    return Request(Command(commands.GET_CARD_LIMITS, match), _one_line, _read_limits)


def current_mana(match: int) -> Request[int]:
    """The mana you have now."""
    return Request(Command(commands.GET_CURRENT_MANA, match), _one_line, _read_number)


def deck(match: int) -> Request[tuple[TapdeckCard, ...]]:
    """The cards in the deck, top first."""
    return Request(Command(commands.GET_DECK, match), _counted, _read_cards)


def hands(match: int) -> Request[Hands]:
    """The cards in both hands."""
    return Request(Command(commands.GET_HANDS, match), _counted_twice, _read_hands)


def board(match: int) -> Request[Board]:
    """The creatures on the board."""
    return Request(Command(commands.GET_BOARD, match), _counted_twice, _read_board)


def attackers(match: int) -> Request[tuple[TapdeckCard, ...]]:
    """The creatures that attack you now."""
    return Request(Command(commands.GET_ATTACKERS, match), _counted, _read_cards)


def draw_card(match: int) -> Request[TapdeckCard]:
    """Take the top card of the deck; answered with the card."""
    return Request(Command(actions.DRAW_CARD, match), _one_line, _read_card)


def burn_card(match: int) -> Request[None]:
    """Remove the top card of the deck."""
    return _order(actions.BURN_CARD, match)


def discard_card(match: int, card: int) -> Request[None]:
    """Remove a card from your hand."""
    return _order(actions.DISCARD_CARD, match, card)


def add_mana(match: int, card: int) -> Request[None]:
    """Tap a creature."""
    return _order(actions.ADD_MANA, match, card)


def play_card(match: int, card: int, target: int = -1) -> Request[None]:
    """Play a card from your hand: -1 for a creature, -5 or -6 for you or the opponent, or a creature's id."""
    return _order(actions.PLAY_CARD, match, card, target)


def attack(match: int, card: int) -> Request[None]:
    """Order a creature to attack."""
    return _order(actions.ATTACK, match, card)


def block(match: int, attacker: int, blocker: int) -> Request[None]:
    """Let a creature of yours fight an attacker."""
    return _order(actions.BLOCK, match, attacker, blocker)


def finish_block(match: int) -> Request[None]:
    """End the blocking phase."""
    return _order(actions.FINISH_BLOCK, match)


def action(match: int, code: int) -> Request[Any]:
    """The command for an action's code (`cardrome.games.tapdeck.rules.actions`), which must not be END_TURN."""
    kind = actions.action_kind(code)
    if kind == actions.DRAW_CARD:
        return draw_card(match)
    return _order(kind, match, actions.first_number(code), actions.second_number(code))


def _order(kind: int, match: int, first: int = 0, second: int = 0) -> Request[None]:
    """A command that is answered by OK alone."""
    return Request(Command(kind, match, first, second), _no_lines, _nothing)
