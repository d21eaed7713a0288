"""What a player can do, as one integer: the kind of command, and up to two numbers.

The numbers are those of the wire: card ids, and a target that is a card id or one of -1, -5, -6. Numbers outside their
range are replaced by one that means nothing either, so every command of the wire has a code.
"""

from __future__ import annotations

from cardrome.engine.kernel import kernel
from cardrome.games.tapdeck.rules.edition import MAX_DECK

END_TURN, FINISH_BLOCK, BLOCK, DRAW_CARD, BURN_CARD, DISCARD_CARD, ADD_MANA, PLAY_CARD, ATTACK = range(9)
"""Kinds of actions. END_TURN stands for the clock: no command ends a turn, but agents may say that they are done."""

MYSELF, OPPONENT, NO_TARGET = -5, -6, -1
"""Targets that are no creature's id."""

_NOTHING = MAX_DECK + 1
"""An id that no card has."""
_LOWEST_TARGET = -16
_SECOND = 1 << 12
_FIRST = 1 << 12


@kernel
def action_code(kind: int, first: int, second: int) -> int:
    """The code of an action; numbers it does not have are 0."""
    if not 0 <= first <= MAX_DECK:
        first = _NOTHING
    if second < _LOWEST_TARGET:
        second = _LOWEST_TARGET
    elif second > MAX_DECK:
        second = _NOTHING
    return (kind * _FIRST + first) * _SECOND + second - _LOWEST_TARGET


@kernel
def action_kind(code: int) -> int:
    """The kind of an action."""
    return code // (_FIRST * _SECOND)


@kernel
def first_number(code: int) -> int:
    """The id of the card played, discarded, tapped or attacking; of the attacker to be blocked."""
    return code // _SECOND % _FIRST


@kernel
def second_number(code: int) -> int:
    """The target of a card played, or the blocker's id."""
    return code % _SECOND + _LOWEST_TARGET
