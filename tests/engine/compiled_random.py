"""The generators as compiled code runs them: kernels are inlined there, and an overflow would have no defined value."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardrome.engine.javarandom import advance, next_int, next_int32, next_long, seeded
from cardrome.engine.kernel import entry
from cardrome.engine.random import below, step


@entry(np.int64, int)
def step_all(states: Any, rounds: int) -> int:
    """Step every state so many times."""
    for i in range(len(states)):
        state = states[i]
        for _ in range(rounds):
            state = step(state)
        states[i] = state
    return 0


@entry(np.int64, int, int)
def count_below(counts: Any, seed: int, draws: int) -> int:
    """Count numbers below the length of the array; returns the last state."""
    state = step(seed)
    for _ in range(draws):
        state, value = below(state, len(counts))
        counts[value] += 1
    return state


@entry(np.int64, int)
def advance_all(states: Any, rounds: int) -> int:
    """Advance every state of java.util.Random so many times."""
    for i in range(len(states)):
        state = states[i]
        for _ in range(rounds):
            state = advance(state)
        states[i] = state
    return 0


@entry(np.int64, int, int)
def java_numbers(out: Any, seed: int, bound: int) -> int:
    """Fill with nextInt(bound), nextInt() and nextLong() in turn; returns the last state."""
    state = seeded(seed)
    for i in range(0, len(out) - 2, 3):
        state, out[i] = next_int(state, bound)
        state, out[i + 1] = next_int32(state)
        state, out[i + 2] = next_long(state)
    return state
