"""What the searching agents have learned: a network that rates positions. Its numbers are a data file, made by
``python -m cardrome.games.tapdeck.training``."""

from __future__ import annotations

import functools
import importlib.resources
from typing import Annotated, Any

import numpy as np

from cardrome.engine.records import Record, Records, f4, flag, new_records

FEATURES = 192
"""Numbers that the network is given for a position."""
HIDDEN_UNITS = 48

Floats = np.ndarray[Any, np.dtype[np.floating[Any]]]


class Brain(Record):
    """What was learned, as kernels read it."""

    learned: flag
    """There is something; without it agents go by the rules of thumb."""
    first: Annotated[Floats, "f4", (FEATURES, HIDDEN_UNITS)]
    first_bias: Annotated[Floats, "f4", HIDDEN_UNITS]
    second: Annotated[Floats, "f4", HIDDEN_UNITS]
    second_bias: f4


LAYERS = [name for name in Brain.dtype.names or () if name != "learned"]


def brain_from(arrays: Any) -> Records[Brain]:
    """A brain from named arrays, such as those of a file."""
    brain = new_records(Brain)
    for name in LAYERS:
        brain[name][0] = arrays[name]
    brain[0].learned = True
    return brain


@functools.cache
def learned_brain() -> Records[Brain]:
    """What was learned; blank where the data file is missing."""
    file = importlib.resources.files(__package__) / "weights" / "tapdeck.npz"
    if not file.is_file():
        return new_records(Brain)
    with file.open("rb") as opened, np.load(opened, allow_pickle=False) as arrays:
        brain = brain_from(arrays)
    brain.flags.writeable = False
    return brain
