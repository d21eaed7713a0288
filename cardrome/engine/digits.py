"""Numbers as text, written by kernels."""

from __future__ import annotations

from cardrome.engine.kernel import kernel
from cardrome.engine.records import Integers

_ZERO, _MINUS = b"0-"


@kernel
def write_number(out: Integers, at: int, value: int) -> int:
    """Write a number in decimal; returns the place behind it."""
    if value < 0:
        out[at] = _MINUS
        at += 1
        value = -value
    digits = 1
    rest = value // 10
    while rest > 0:
        digits += 1
        rest //= 10
    for i in range(digits - 1, -1, -1):
        out[at + i] = _ZERO + value % 10
        value //= 10
    return at + digits
