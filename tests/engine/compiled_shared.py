"""Two entries that call the same kernels."""

from __future__ import annotations

from typing import Annotated

from cardrome.engine.kernel import entry, shared_kernel
from cardrome.engine.records import Integers, Record, Records, i1, i4


class Counter(Record):
    """Something to change."""

    step: i1
    count: i4
    seen: Annotated[Integers, "i2", 3]


@shared_kernel
def note(counter: Counter, place: int) -> None:
    """Keep the count."""
    counter.seen[place] = counter.count


@shared_kernel
def add(counter: Counter, times: int) -> int:
    """Count on, and note it; calls another shared kernel."""
    counter.count += counter.step * times
    note(counter, times)
    return int(counter.count)


@entry(Counter)
def add_two(counters: Records[Counter]) -> int:
    """Count on by two steps."""
    return add(counters[0], 2)


@entry(Counter)
def add_to_all(counters: Records[Counter]) -> int:
    """Count on by one step everywhere; the step is a small integer, and so is what is passed on."""
    total = 0
    for i in range(len(counters)):
        total += add(counters[i], counters[i].step > 0)
    return total
