"""Cardrome: an arena for strategy card-game AI.

>>> import cardrome
>>> game = cardrome.new_game("locm-1.2", seed=7)
>>> game.push("PICK 1")
>>> print(game)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardrome.arena.result import SeriesResult
    from cardrome.arena.series import play_series
    from cardrome.errors import CardromeError, IllegalAction, InvalidPosition
    from cardrome.games.agents import Agent
    from cardrome.games.family import (
        Family,
        families,
        find_edition,
        find_family,
        from_json,
        new_game,
        register,
        to_json,
    )
    from cardrome.games.game import Action, Ending, Game, Outcome, Position, View
    from cardrome.games.replay_files import read_replays, write_replays

    __version__: str

_HOMES = {
    # games
    "new_game": "cardrome.games.family",
    "from_json": "cardrome.games.family",
    "to_json": "cardrome.games.family",
    "Position": "cardrome.games.game",
    "Game": "cardrome.games.game",
    "View": "cardrome.games.game",
    "Action": "cardrome.games.game",
    "Outcome": "cardrome.games.game",
    "Ending": "cardrome.games.game",
    # families and editions
    "Family": "cardrome.games.family",
    "families": "cardrome.games.family",
    "find_family": "cardrome.games.family",
    "find_edition": "cardrome.games.family",
    "register": "cardrome.games.family",
    # players, series, replays
    "Agent": "cardrome.games.agents",
    "play_series": "cardrome.arena.series",
    "SeriesResult": "cardrome.arena.result",
    "read_replays": "cardrome.games.replay_files",
    "write_replays": "cardrome.games.replay_files",
    # errors
    "CardromeError": "cardrome.errors",
    "IllegalAction": "cardrome.errors",
    "InvalidPosition": "cardrome.errors",
}

__all__ = [  # noqa: RUF022 - grouped by subject, as above
    "new_game",
    "from_json",
    "to_json",
    "Position",
    "Game",
    "View",
    "Action",
    "Outcome",
    "Ending",
    "Family",
    "families",
    "find_family",
    "find_edition",
    "register",
    "Agent",
    "play_series",
    "SeriesResult",
    "read_replays",
    "write_replays",
    "CardromeError",
    "IllegalAction",
    "InvalidPosition",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: the command line must not load NumPy to print its help."""
    import importlib

    if name == "__version__":
        from importlib.metadata import version  # slow to import, as games are not

        found = version("cardrome")
    elif name in _HOMES:
        found = getattr(importlib.import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'cardrome' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
