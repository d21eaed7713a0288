"""Random numbers of our own (agents, search, tests): small, fast, and the same in both modes.

The game itself only ever uses `cardrome.rules.javarandom`.
"""

from __future__ import annotations

from cardrome.rules.kernel import kernel

_MASK = (1 << 62) - 1


@kernel
def step(state: int) -> int:
    """The next state of a 62-bit generator: a linear step and a mix, so that nearby seeds part at once."""
    state = (state * 0x2545F4914F6CDD1D + 0x1405_7B7E_F767_814F) & _MASK
    state ^= state >> 29
    return state


@kernel
def below(state: int, bound: int) -> tuple[int, int]:
    """The next state and a number from 0 to bound - 1 (bound up to a few thousand)."""
    state = step(state)
    return state, ((state >> 31) * bound) >> 31
