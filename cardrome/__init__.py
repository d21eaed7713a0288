"""Cardrome: an arena for strategy card-game AI.

>>> import cardrome
>>> game = cardrome.new_game("locm-1.2", seed=7)
>>> game.play("PICK 1")
>>> print(game)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardrome.agents.locm.base import Agent
    from cardrome.agents.locm.registry import AGENTS, find_agent
    from cardrome.arena.series import play_series
    from cardrome.errors import CardromeError
    from cardrome.protocol.locm.dialogue import Dialogue
    from cardrome.protocol.locm.game import Ending, Game, Outcome, View, new_game
    from cardrome.protocol.locm.position import from_json, to_json
    from cardrome.rules.locm.deal import Deal
    from cardrome.rules.locm.edition import EDITIONS, Edition, find_edition

_HOMES = {
    # games
    "new_game": "cardrome.protocol.locm.game",
    "Game": "cardrome.protocol.locm.game",
    "View": "cardrome.protocol.locm.game",
    "Outcome": "cardrome.protocol.locm.game",
    "Ending": "cardrome.protocol.locm.game",
    "from_json": "cardrome.protocol.locm.position",
    "to_json": "cardrome.protocol.locm.position",
    "Dialogue": "cardrome.protocol.locm.dialogue",
    # rules
    "Deal": "cardrome.rules.locm.deal",
    "Edition": "cardrome.rules.locm.edition",
    "EDITIONS": "cardrome.rules.locm.edition",
    "find_edition": "cardrome.rules.locm.edition",
    # players and series
    "Agent": "cardrome.agents.locm.base",
    "AGENTS": "cardrome.agents.locm.registry",
    "find_agent": "cardrome.agents.locm.registry",
    "play_series": "cardrome.arena.series",
    # errors
    "CardromeError": "cardrome.errors",
}

__all__ = [  # noqa: RUF022 - grouped by subject, as above
    "new_game",
    "Game",
    "View",
    "Outcome",
    "Ending",
    "from_json",
    "to_json",
    "Dialogue",
    "Deal",
    "Edition",
    "EDITIONS",
    "find_edition",
    "Agent",
    "AGENTS",
    "find_agent",
    "play_series",
    "CardromeError",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: the command line must not load NumPy to print its help."""
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'cardrome' has no attribute {name!r}")
