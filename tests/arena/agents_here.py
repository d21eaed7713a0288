"""Agents in Python for the tests of series."""

from __future__ import annotations

from collections.abc import Sequence

from cardrome.games.agents import Agent
from cardrome.games.game import Choice
from cardrome.games.locm.protocol.game import LocmView
from cardrome.games.tapdeck.agents.registry import AGENTS as TAPDECK_AGENTS
from cardrome.games.tapdeck.protocol.game import TapdeckView


class Hasty(Agent):
    """Always the last legal action."""

    def act(self, view: LocmView) -> int:
        return view.legal_codes()[-1]


class Wrong(Agent):
    """Never a legal action."""

    def act(self, view: LocmView) -> int:
        return 10_000


class Broken(Agent):
    """Fails at its first decision."""

    def act(self, view: LocmView) -> int:
        raise ZeroDivisionError("on purpose")


class Greedy(Agent):
    """Tapdeck's greedy agent as a Python class: its games cannot be played in bulk."""

    def begin(self, seed: int) -> None:
        self._agent = TAPDECK_AGENTS["greedy"].new(seed)

    def act(self, view: TapdeckView) -> Choice:
        return self._agent.act(view)

    def plan(self, view: TapdeckView) -> Sequence[Choice]:
        return self._agent.plan(view)
