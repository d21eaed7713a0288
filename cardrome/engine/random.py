"""Random numbers of our own (agents, search, tests): small, fast, and the same in both modes.

The game itself only ever uses `cardrome.engine.javarandom`.
"""

from __future__ import annotations

from cardrome.engine.kernel import kernel

_LOW = (1 << 31) - 1
MASK = (1 << 62) - 1
"""Numbers of 62 bits."""
_MULTIPLIER = 0x2545F4914F6CDD1D
_HIGH_FACTOR, _LOW_FACTOR = _MULTIPLIER >> 31, _MULTIPLIER & _LOW
_INCREMENT = 0x14057B7EF767814F


@kernel
def step(state: int) -> int:
    """The next state of a 62-bit generator: a linear step and a mix, so that nearby seeds part at once."""
    # In halves, since a product that leaves 64 bits has no defined value in compiled code.
    high, low = (state >> 31) & _LOW, state & _LOW
    middle = ((high * _LOW_FACTOR & _LOW) + (low * _HIGH_FACTOR & _LOW)) & _LOW
    state = (((middle << 31) + low * _LOW_FACTOR) & MASK) + _INCREMENT & MASK
    state ^= state >> 29
    return state


@kernel
def mix(x: int) -> int:
    """A number of 62 bits that looks unlike x: what a hash is made of."""
    # Products wrap around in compiled code; what is kept of them is the same in both modes.
    x = (x ^ (x >> 29)) * 0x3F58476D1CE4E5B9 & MASK
    x = (x ^ (x >> 32)) * 0x14D049BB133111EB & MASK
    return x ^ (x >> 31)


@kernel
def below(state: int, bound: int) -> tuple[int, int]:
    """The next state and a number from 0 to bound - 1 (bound up to a few thousand)."""
    state = step(state)
    return state, ((state >> 31) * bound) >> 31


@kernel
def player_seed(seed: int, player: int) -> int:
    """The seed of a player's own randomness in the games of a pair: 0 is the pair's player A, 1 is B."""
    return step(step(seed) + player)
