"""Agents in Python for the tests of series."""

from cardrome.games.agents import Agent
from cardrome.games.locm.protocol.game import LocmView


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
