"""The spaces of environments, made from a game's encoding."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from cardrome.envs.settings import VECTOR_KEYS
from cardrome.errors import CallerError
from cardrome.games.learning.encoding import Encoding

FORMS = (*VECTOR_KEYS, "structured", "vector")
"""Forms of observations: the vector and the mask in a Dict, blocks and the mask in a Dict, the vector alone.

Tasks may have more, the layouts of other projects (`Encoding.layouts`)."""


def observation_space(encoding: Encoding, form: str) -> spaces.Space[Any]:
    """The space of one observation."""
    low, high = encoding.bounds()
    mask = spaces.Box(0, 1, (encoding.n_actions,), np.int8)
    if form in VECTOR_KEYS:
        return spaces.Dict({VECTOR_KEYS[form]: spaces.Box(low, high), "action_mask": mask})
    if form == "structured":
        lows, highs = encoding.split(low), encoding.split(high)
        return spaces.Dict({**{name: spaces.Box(lows[name], highs[name]) for name in lows}, "action_mask": mask})
    if form == "vector":
        return spaces.Box(low, high)
    if form in encoding.layouts:  # the bounds that others declare, though their numbers can be beyond
        return spaces.Box(-1, 1, (len(encoding.layouts[form]),))
    raise CallerError(f"observation {form!r}; expected one of {', '.join([*FORMS, *encoding.layouts])}")


def state_space(encoding: Encoding) -> spaces.Box:
    """The space of what both players see together."""
    low, high = encoding.bounds()
    return spaces.Box(np.concatenate([low, low]), np.concatenate([high, high]))


def action_space(encoding: Encoding) -> spaces.Discrete:
    """The space of actions."""
    return spaces.Discrete(encoding.n_actions)
