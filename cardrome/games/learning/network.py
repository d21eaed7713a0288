"""The small network that rates positions: how kernels evaluate it, and the files that hold what was learned.

Each game has a `Brain`, a record with the fields of `TwoLayers`, whose sizes are the game's own, and maybe others.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from cardrome.engine.kernel import kernel, vector_kernel
from cardrome.engine.records import Floats, Integers, R, Records, new_records

LANES = 16
"""The number of hidden units is a multiple of this."""
ZERO = np.float32(0)
LAYERS = ("first", "first_bias", "second", "second_bias")


class TwoLayers(Protocol):
    """Two layers: features to hidden units, and hidden units to a logit."""

    learned: bool
    """Something was learned; otherwise agents use rules of thumb."""
    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: float


@vector_kernel
def network(brain: TwoLayers, x: Floats, places: Integers, units: Floats) -> float:
    """The network's opinion of the features ``x``, as a logit.

    Scratch memory: ``places``, numbers without a sign, one for each feature, and ``units``, one for each hidden unit.
    Most features are zero: their weights are not even read.
    """
    first = brain.first
    n = 0
    for i in range(len(x)):  # without a branch, which no processor could foresee
        places[n] = i
        n += 1 if x[i] != 0.0 else 0
    for j in range(len(units)):
        units[j] = brain.first_bias[j]
    for k in range(n):
        i = places[k]
        for j in range(len(units)):
            units[j] += x[i] * first[i, j]
    for j in range(len(units)):
        units[j] = max(units[j], ZERO) * brain.second[j]
    # The sum, in an order that a processor can follow for many units at once, and that is the same on all of them.
    for start in range(LANES, len(units), LANES):
        for j in range(LANES):
            units[j] += units[start + j]
    width = LANES // 2
    while width > 0:
        for j in range(width):
            units[j] += units[j + width]
        width //= 2
    return float(units[0]) + float(brain.second_bias)


@kernel
def chance(logit: float) -> float:
    """The probability that a logit stands for. By multiplications alone, which all machines do alike."""
    power = 1.0 + min(20.0, max(-20.0, logit)) / 1024.0
    for _ in range(10):
        power *= power
    return power / (1.0 + power)


def brain_from(kind: type[R], arrays: Mapping[str, Any]) -> Records[R]:
    """A brain from named arrays, such as those of a file. Only the network must be there."""
    brain = new_records(kind)
    for name in brain.dtype.names or ():
        if name in LAYERS or name in arrays:
            brain[name][0] = arrays[name]
    brain["learned"] = True
    return brain


def load_brain(kind: type[R], file: Path | Traversable) -> Records[R]:
    """The brain in a file."""
    with file.open("rb") as opened, np.load(opened, allow_pickle=False) as arrays:
        return brain_from(kind, arrays)


def built_in_brain(kind: type[R], folder: Traversable, *names: str) -> Records[R]:
    """The brain in the first file of these names that the folder has, read-only; blank if it has none."""
    for name in names:
        file = folder / f"{name}.npz"
        if file.is_file():
            brain = load_brain(kind, file)
            brain.flags.writeable = False
            return brain
    return new_records(kind)


def save_brain(brain: Records[Any], file: Path) -> None:
    """Write a brain to a file, whole or not at all."""
    save_arrays({name: brain[name][0] for name in brain.dtype.names or () if name != "learned"}, file)


def save_arrays(arrays: Mapping[str, Any], file: Path) -> None:
    """Write named arrays to a file, whole or not at all."""
    part = file.with_suffix(".part")
    with part.open("wb") as opened:
        np.savez_compressed(opened, **arrays)
    part.replace(file)
