"""What a bot answers: one line, read exactly as the original referees read it.

A line that the referee would not understand raises `SyntaxFault`, and the bot loses. A well-formed action that is not
legal when its turn comes is not an error: it is skipped.
"""

from __future__ import annotations

from typing import NamedTuple

from cardrome.engine.javanumbers import parse_java_integer
from cardrome.errors import SyntaxFault
from cardrome.games.locm.rules.edition import ATTACK, PASS, SUMMON, USE

DRAFT_FAULT = "draft"
WRONG_CARD_COUNT = "wrong-card-count"
UNKNOWN_COMMAND = "unknown-command"
BAD_ARGUMENTS = "bad-arguments"
TIMEOUT = "timeout"

_TRIMMED = "".join(map(chr, range(0x21)))
_KINDS = {"PASS": PASS, "SUMMON": SUMMON, "USE": USE, "ATTACK": ATTACK}
KIND_NAMES = {kind: name for name, kind in _KINDS.items()}


class BotAction(NamedTuple):
    """One battle action as a bot wrote it: ids, not yet looked up. A lane the edition lacks is None."""

    kind: int
    source: int
    target: int | None


def parse_integer(text: str) -> int | None:
    """A signed 32-bit decimal number with an optional sign, or None."""
    return parse_java_integer(text, 32)


def split_parts(line: str) -> list[str]:
    """The parts of a line between semicolons, trimmed, without empty ones."""
    return [part for part in (piece.strip(_TRIMMED) for piece in line.split(";")) if part]


def parse_draft(line: str, offered: list[int]) -> int:
    """The number of the offer that a draft answer takes; ``offered`` are the card numbers on offer."""
    # The line is taken as it is: not trimmed, and one space separates command, argument and free text.
    command, *rest = line.split(" ", 2)
    if command == "PASS":
        return 0
    number = parse_integer(rest[0]) if rest else None
    if command == "PICK":
        if number is None or not 0 <= number < len(offered):
            raise SyntaxFault(DRAFT_FAULT, f"expected PICK 0 to {len(offered) - 1}, got {_shown(line)}")
        return number
    if command == "CHOOSE":
        if number is None or number not in offered:
            raise SyntaxFault(DRAFT_FAULT, f"expected CHOOSE with one of {offered}, got {_shown(line)}")
        return offered.index(number)
    raise SyntaxFault(DRAFT_FAULT, f"expected PICK, CHOOSE or PASS, got {_shown(line)}")


def parse_constructed(line: str, offered: list[int], deck_size: int, max_copies: int) -> list[int]:
    """The deck that a constructed answer builds, as positions in the pool; ``offered`` are its card numbers."""
    position = {number: k for k, number in enumerate(offered)}
    copies = [0] * len(offered)
    deck: list[int] = []

    def take(k: int) -> None:
        copies[k] += 1
        deck.append(k)

    def take_first_free() -> None:
        take(next(k for k, n in enumerate(copies) if n < max_copies))

    for part in split_parts(line):
        if part == "PASS":
            while len(deck) < deck_size:
                take_first_free()
            continue
        command, *rest = part.split(" ", 2)
        if command == "PASS":  # followed by text, it takes a single card
            if len(deck) < len(offered) * max_copies:
                take_first_free()
            continue
        number = parse_integer(rest[0]) if command == "CHOOSE" and rest else None
        if number is None:
            raise SyntaxFault(DRAFT_FAULT, f"expected CHOOSE and a card number, or PASS, got {_shown(part)}")
        k = position.get(number, -1)
        if k < 0:
            raise SyntaxFault(DRAFT_FAULT, f"card {number} is not on offer")
        if copies[k] == max_copies:
            raise SyntaxFault(DRAFT_FAULT, f"card {number} was chosen more than {max_copies} times")
        take(k)
    if len(deck) != deck_size:
        raise SyntaxFault(WRONG_CARD_COUNT, f"expected a deck of {deck_size} cards, got {len(deck)}")
    return deck


def parse_battle(line: str, summon_names_lane: bool) -> list[BotAction]:
    """All actions of a battle answer; one that cannot be read spoils the whole line."""
    return [parse_command(part, summon_names_lane) for part in split_parts(line)]


def parse_command(part: str, summon_names_lane: bool) -> BotAction:
    """One action of a battle answer."""
    word, _, rest = part.partition(" ")
    kind = _KINDS.get(word)
    if kind is None:
        raise SyntaxFault(UNKNOWN_COMMAND, f"expected SUMMON, ATTACK, USE or PASS, got {_shown(part)}")
    if kind == PASS:
        return BotAction(PASS, 0, None)
    pieces = rest.split(" ", 2)
    source = parse_integer(pieces[0])
    if kind == SUMMON and not summon_names_lane:
        if source is None:
            raise SyntaxFault(BAD_ARGUMENTS, f"expected SUMMON id, got {_shown(part)}")
        return BotAction(SUMMON, source, None)
    target = parse_integer(pieces[1]) if len(pieces) > 1 else None
    if source is None or target is None:
        wanted = "id lane" if kind == SUMMON else "id target"
        raise SyntaxFault(BAD_ARGUMENTS, f"expected {word} {wanted}, got {_shown(part)}")
    return BotAction(kind, source, target)


def _shown(text: str) -> str:
    """What a bot wrote, as a message can show it."""
    return repr(text if len(text) <= 80 else text[:77] + "...")
