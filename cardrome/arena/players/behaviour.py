"""How a bot behaved in its games: what it failed of, and how long it thought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from cardrome.games.replays import Replay


@dataclass(frozen=True)
class BotReport:
    """Failures and times of one bot, over some games. Times are in milliseconds."""

    games: int
    failures: dict[str, int]
    """How many games it lost by each kind of fault."""
    mean_ms: float
    p99_ms: float
    max_ms: float
    start_ms: float
    """The mean time to the first answer of a game, process start included; the other figures leave it out."""

    @property
    def error_rate(self) -> float:
        """The share of games lost by a fault."""
        return sum(self.failures.values()) / self.games if self.games else 0.0

    def summary(self) -> dict[str, Any]:
        """As plain data."""
        return {**asdict(self), "error_rate": self.error_rate}


def report_bot(games: Iterable[tuple[Replay, int]]) -> BotReport:
    """Report on the bot that had the given seat in each of the games."""
    failures: Counter[str] = Counter()
    starts: list[int] = []
    times: list[int] = []
    n = 0
    for replay, seat in games:
        n += 1
        if replay.fault is not None and replay.fault.player == seat:
            failures[replay.fault.kind] += 1
        first, *later = replay.answer_times(seat) or [0]
        starts.append(first)
        times += later
    ms = np.array(times or [0], np.float64)
    start = float(np.mean(starts)) if starts else 0.0
    return BotReport(n, dict(failures), float(ms.mean()), float(np.percentile(ms, 99)), float(ms.max()), start)
