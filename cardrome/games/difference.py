"""Where a recorded game, played again, departs from its recording."""

from __future__ import annotations

import msgspec


class Difference(msgspec.Struct, frozen=True):
    """The first place where a replay departs from its recording."""

    where: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.where}: expected {self.expected}, got {self.got}"
