"""Everything that is measured; `cardrome bench` is its front."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def best_of(rounds: int, work: Callable[[], Any], clock: Callable[[], float] = time.process_time) -> float:
    """The seconds of the fastest of some rounds: of CPU time, or by another clock."""
    best = float("inf")
    for _ in range(rounds):
        start = clock()
        work()
        best = min(best, clock() - start)
    return best
