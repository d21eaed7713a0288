"""java.util.Random, bit for bit: all the randomness of the original referees.

A generator is its 48-bit state, an integer. Every step takes the state and returns the new one with the result, so
that kernels need no object for it.
"""

from __future__ import annotations

from cardrome.engine.kernel import kernel

_MULTIPLIER = 0x5DEECE66D
_INCREMENT = 0xB
_MASK = (1 << 48) - 1
_HALF = (1 << 24) - 1


@kernel
def seeded(seed: int) -> int:
    """The state of ``new Random(seed)``."""
    return (int(seed) ^ _MULTIPLIER) & _MASK


@kernel
def advance(state: int) -> int:
    """The next state."""
    # In halves, since a product that leaves 64 bits has no defined value in compiled code.
    high, low = state >> 24, state & _HALF
    return ((high * _MULTIPLIER & _HALF) << 24) + low * _MULTIPLIER + _INCREMENT & _MASK


@kernel
def next_int32(state: int) -> tuple[int, int]:
    """``nextInt()``: a signed 32-bit integer."""
    state = advance(state)
    value = state >> 16
    if value >= 1 << 31:
        value -= 1 << 32
    return state, value


@kernel
def next_int(state: int, bound: int) -> tuple[int, int]:
    """``nextInt(bound)``: an integer from 0 to bound - 1."""
    state = advance(state)
    bits = state >> 17
    if bound & (bound - 1) == 0:
        return state, (bound * bits) >> 31
    value = bits % bound
    while bits - value + (bound - 1) >= 1 << 31:  # Java sees this as an overflow to a negative number
        state = advance(state)
        bits = state >> 17
        value = bits % bound
    return state, value


@kernel
def next_long(state: int) -> tuple[int, int]:
    """``nextLong()``: two 32-bit halves; the low one is added as a signed number."""
    state, high = next_int32(state)
    state, low = next_int32(state)
    if low < 0:  # it borrows from the high half, which then may wrap around
        low += 1 << 32
        high = high - 1 if high > -(1 << 31) else (1 << 31) - 1
    value = high * (1 << 32) + low
    return state, value


@kernel
def next_53_bits(state: int) -> tuple[int, int]:
    """The random integer behind ``nextDouble()``."""
    state = advance(state)
    high = state >> 22
    state = advance(state)
    return state, (high << 27) + (state >> 21)


@kernel
def next_double(state: int) -> tuple[int, float]:
    """``nextDouble()``: from 0 to below 1."""
    state, bits = next_53_bits(state)
    return state, bits / 9007199254740992.0
