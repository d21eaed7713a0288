"""The numbers of a Tapdeck match. An organiser may choose them, within the bounds of `BOUNDS`."""

from __future__ import annotations

import functools
from dataclasses import asdict, dataclass

from cardrome.engine.records import Record, Records, fill, i4, new_records
from cardrome.errors import CallerError

MAX_DECK = 1000
"""Cards in a deck: ids are distinct and at most this."""
MAX_HAND = 100
"""Cards in a hand, whatever the edition's limit."""


class Rules(Record):
    """An edition as kernels see it."""

    initial_health: i4
    turns: i4
    draws: i4
    burns: i4
    hand_limit: i4


BOUNDS: dict[str, tuple[int, int]] = {
    "initial_health": (2, 10_000),
    "turns": (2, 10_000),
    "draws": (0, MAX_DECK),
    "burns": (0, MAX_DECK),
    "hand_limit": (1, MAX_HAND),
    "deck_size": (1, MAX_DECK),
}
"""The least and the greatest value of each number."""


@dataclass(frozen=True)
class TapdeckEdition:
    """The numbers of a match. The defaults make matches of about 35 turns in which neither seat is much better."""

    initial_health: int = 30
    """Health of both players at the beginning, and the most they can have. Even, so that all scores are whole."""
    turns: int = 60
    """Turns of both players together; even, so that both have the same number."""
    draws: int = 1
    """Cards a player may draw in a turn."""
    burns: int = 1
    """Cards a player may burn in a turn."""
    hand_limit: int = 10
    """A player with this many cards in hand cannot draw."""
    deck_size: int = 120
    """Cards of a generated deck."""

    name = "tapdeck"
    summary = "the shared-deck game: creatures are tapped for mana, everything is open"

    def __post_init__(self) -> None:
        for key, (least, most) in BOUNDS.items():
            value = getattr(self, key)
            if not isinstance(value, int) or isinstance(value, bool):
                raise CallerError(f"{key} is {value!r}; expected a whole number from {least} to {most}")
            if not least <= value <= most:
                raise CallerError(f"{key} is {value}; allowed are {least} to {most}")
        if self.initial_health % 2:
            raise CallerError(f"initial_health is {self.initial_health}; it must be even, since scores use its half")
        if self.turns % 2:
            raise CallerError(f"turns is {self.turns}; it must be even, so that both players have as many")

    @property
    def rules(self) -> Records[Rules]:
        """The edition as kernels take it: an array of one record."""
        return _rules_record(self)

    def numbers(self) -> dict[str, int]:
        """All numbers by name."""
        return asdict(self)


@functools.cache
def _rules_record(edition: TapdeckEdition) -> Records[Rules]:
    array = new_records(Rules)
    fill(array[0], edition)
    array.setflags(write=False)
    return array


TAPDECK = TapdeckEdition()
"""The edition with its default numbers."""
