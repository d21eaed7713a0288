"""How long a player may think: the edition's limits, scaled as the organiser wishes."""

from __future__ import annotations

from dataclasses import dataclass

from cardrome.errors import CallerError
from cardrome.games.replays import Call


@dataclass(frozen=True, slots=True)
class Clock:
    """The time limits of a game between bots."""

    running: bool = True
    """Whether there are limits at all; if not, bots may take as long as they like."""
    scale: float = 1.0
    """All limits of the edition are multiplied by this."""
    margin_ms: float = 50.0
    """Added to every limit, for the time the operating system takes to pass lines back and forth."""
    start_ms: float = 5000.0
    """Added to a bot's first limit, for the time its runtime takes to start."""

    def __post_init__(self) -> None:
        if self.scale <= 0 or self.margin_ms < 0 or self.start_ms < 0:
            raise CallerError("the clock's scale must be above 0, its margin and start allowance at least 0")

    def seconds(self, call: Call, first: bool) -> float | None:
        """The time limit of a call in seconds; None for no limit."""
        if not self.running or call.limit_ms is None:
            return None
        allowance = self.margin_ms + (self.start_ms if first else 0.0)
        return (call.limit_ms * self.scale + allowance) / 1000
