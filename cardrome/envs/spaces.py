"""The spaces of environments, made from a game's encoding."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from cardrome.errors import CallerError
from cardrome.games.encoding import Encoding

FORMS = ("flat", "structured", "vector")
"""Forms of observations: a vector and the mask in a Dict, blocks and the mask in a Dict, the vector alone."""


def observation_space(encoding: Encoding, form: str) -> spaces.Space[Any]:
    """The space of one observation."""
    low, high = encoding.bounds()
    mask = spaces.Box(0, 1, (encoding.n_actions,), np.int8)
    if form == "flat":
        return spaces.Dict({"observation": spaces.Box(low, high), "action_mask": mask})
    if form == "structured":
        lows, highs = encoding.split(low), encoding.split(high)
        return spaces.Dict({**{name: spaces.Box(lows[name], highs[name]) for name in lows}, "action_mask": mask})
    if form == "vector":
        return spaces.Box(low, high)
    raise CallerError(f"observation {form!r}; expected one of {', '.join(FORMS)}")


def state_space(encoding: Encoding) -> spaces.Box:
    """The space of what both players see together."""
    low, high = encoding.bounds()
    return spaces.Box(np.concatenate([low, low]), np.concatenate([high, high]))


def action_space(encoding: Encoding) -> spaces.Discrete:
    """The space of actions."""
    return spaces.Discrete(encoding.n_actions)
