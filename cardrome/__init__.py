"""Cardrome: an arena for strategy card-game AI.

>>> import cardrome
>>> game = cardrome.new_game("locm-1.2", seed=7)
>>> game.play("PICK 1")
>>> print(game)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardrome.arena.series import play_series
    from cardrome.errors import CardromeError
    from cardrome.games.locm.agents.base import Agent
    from cardrome.games.locm.agents.registry import AGENTS, find_agent
    from cardrome.games.locm.protocol.dialogue import Dialogue
    from cardrome.games.locm.protocol.game import Ending, Game, Outcome, View, new_game
    from cardrome.games.locm.protocol.position import from_json, to_json
    from cardrome.games.locm.rules.deal import Deal
    from cardrome.games.locm.rules.edition import EDITIONS, Edition, find_edition

_HOMES = {
    # games
    "new_game": "cardrome.games.locm.protocol.game",
    "Game": "cardrome.games.locm.protocol.game",
    "View": "cardrome.games.locm.protocol.game",
    "Outcome": "cardrome.games.locm.protocol.game",
    "Ending": "cardrome.games.locm.protocol.game",
    "from_json": "cardrome.games.locm.protocol.position",
    "to_json": "cardrome.games.locm.protocol.position",
    "Dialogue": "cardrome.games.locm.protocol.dialogue",
    # rules
    "Deal": "cardrome.games.locm.rules.deal",
    "Edition": "cardrome.games.locm.rules.edition",
    "EDITIONS": "cardrome.games.locm.rules.edition",
    "find_edition": "cardrome.games.locm.rules.edition",
    # players and series
    "Agent": "cardrome.games.locm.agents.base",
    "AGENTS": "cardrome.games.locm.agents.registry",
    "find_agent": "cardrome.games.locm.agents.registry",
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
