"""Who decides in an episode besides the learner: built-in agents, and agents and policies that are Python code."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cardrome.errors import CallerError
from cardrome.games.agents import Agent, AgentKind
from cardrome.games.learning.encoding import Floats
from cardrome.games.learning.stepping import OUTSIDE

if TYPE_CHECKING:
    from cardrome.games.family import AnyFamily, Kernel

Policy = Callable[[Floats, npt.NDArray[np.int8]], Any]
"""Decides for a seat in many episodes at once: from observations and masks, the number of each action."""

Decider = str | AgentKind | Agent | type[Agent] | Policy
"""Who decides: an agent by name or as an object, or a policy."""


class Cast:
    """Those who decide besides the learner, by their places: built-in agents, and Python code from `OUTSIDE` on."""

    def __init__(self, family: AnyFamily) -> None:
        self.family = family
        self.kernels: list[Kernel] = []
        self.outside: list[AgentKind | Policy] = []

    def place(self, who: Decider) -> int:
        """The place of a decider in the roster, to which they are added if needed."""
        kind = self._kind(who)
        if isinstance(kind, AgentKind) and kind.kernel is not None:
            for place, kernel in enumerate(self.kernels):
                if kernel is kind.kernel:
                    return place
            if len(self.kernels) == OUTSIDE:
                raise CallerError(f"more than {OUTSIDE} different built-in agents")
            self.kernels.append(kind.kernel)
            return len(self.kernels) - 1
        self.outside.append(kind)
        return OUTSIDE + len(self.outside) - 1

    def _kind(self, who: Decider) -> AgentKind | Policy:
        if isinstance(who, str):
            return self.family.find_agent(who)
        if isinstance(who, AgentKind):
            return who
        if isinstance(who, Agent):
            return AgentKind(type(who).__name__, "", lambda: copy.deepcopy(who))
        if isinstance(who, type) and issubclass(who, Agent):
            return AgentKind(who.__name__, "", who)
        if callable(who):
            return who
        raise CallerError(f"{who!r} cannot play: expected an agent, the name of one, or a policy")


Mixture = Decider | Sequence[Decider] | Mapping[Any, float]
"""Opponents: one, several that are met equally often, or several with weights."""


class Rivals:
    """The opponents: the one for each episode is drawn by weight."""

    def __init__(self, cast: Cast, opponent: Mixture) -> None:
        if isinstance(opponent, Mapping):
            weights = dict(opponent)
        elif isinstance(opponent, Sequence) and not isinstance(opponent, str):
            weights = dict.fromkeys(opponent, 1.0)
        else:
            weights = {opponent: 1.0}
        numbers = np.array(list(weights.values()), np.float64)
        if not len(numbers) or not np.all(numbers > 0) or not np.all(np.isfinite(numbers)):
            raise CallerError(f"opponents {opponent!r}: at least one is needed, and weights above 0")
        self.places = np.array([cast.place(who) for who in weights], np.int16)
        self.odds = np.cumsum(numbers) / numbers.sum()

    def draw(self, seeds: npt.NDArray[np.int64]) -> npt.NDArray[np.int16]:
        """The opponents in the episodes with these seeds."""
        if len(self.places) == 1:
            return self.places
        # Not the bits that a seat is drawn from.
        places = np.searchsorted(self.odds, (seeds >> 8 & 0xFFFFFF) / 0x1000000, side="right")
        return self.places[np.minimum(places, len(self.places) - 1)]
