"""Sets of small numbers as bit masks: how many there are, the lowest, the k-th."""

from __future__ import annotations

import numpy as np

from cardrome.engine.kernel import kernel

_BITS = np.array([[i for i in range(8) if mask >> i & 1] + [0] * (8 - mask.bit_count()) for mask in range(256)], "i1")
"""The bits that are set in each mask of 8 bits, from the lowest."""


@kernel
def count_bits(mask: int) -> int:
    """How many bits are set. The compiler recognises this loop and makes one instruction of it."""
    n = 0
    while mask != 0:
        mask &= mask - 1
        n += 1
    return n


@kernel
def lowest_bit(mask: int) -> int:
    """The lowest bit that is set."""
    return count_bits((mask & -mask) - 1)


@kernel
def kth_bit(mask: int, k: int) -> int:
    """The k-th bit that is set, counted from the lowest and from 0, in a mask of up to 16 bits."""
    low = mask & 255
    n = count_bits(low)
    return int(_BITS[low, k]) if k < n else 8 + int(_BITS[mask >> 8, k - n])
