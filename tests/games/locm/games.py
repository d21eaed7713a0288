"""New games of LOCM, for tests."""

from __future__ import annotations

import cardrome
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.edition import LocmEdition


def new_game(edition: str | LocmEdition = "locm-1.2", seed: int | None = None, **params: object) -> LocmGame:
    """A new game."""
    game = cardrome.new_game(edition, seed, **params)
    assert isinstance(game, LocmGame)
    return game
