"""What the searching agents have learned: a network that rates positions. Its numbers are a data file, made by
``python -m cardrome.games.tapdeck.training``."""

from __future__ import annotations

import functools
import importlib.resources
from typing import Annotated

from cardrome.engine.records import Floats, Record, Records, f4, flag
from cardrome.games.learning.network import built_in_brain

WEIGHTS = importlib.resources.files(__package__) / "weights"
"""The data files."""

FEATURES = 192
"""Numbers that the network is given for a position."""
HIDDEN_UNITS = 48


class Brain(Record):
    """What was learned, as kernels read it."""

    learned: flag
    """Whether anything was learned; without it agents use rules of thumb."""
    first: Annotated[Floats, "f4", (FEATURES, HIDDEN_UNITS)]
    first_bias: Annotated[Floats, "f4", HIDDEN_UNITS]
    second: Annotated[Floats, "f4", HIDDEN_UNITS]
    second_bias: f4


@functools.cache
def learned_brain() -> Records[Brain]:
    """What was learned; blank where the data file is missing."""
    return built_in_brain(Brain, WEIGHTS, "tapdeck")
