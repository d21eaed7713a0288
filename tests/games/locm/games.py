"""New games of LOCM, for tests."""

from __future__ import annotations

import cardrome
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.edition import LocmEdition

KINDS = ("locm-1.0-wood1", "locm-1.0", "locm-1.2", "locm-1.5")
"""An edition of every kind: the small rules of a league, one lane, two lanes, generated cards and decks of choice."""


def new_game(edition: str | LocmEdition = "locm-1.2", seed: int | None = None, **params: object) -> LocmGame:
    """A new game."""
    game = cardrome.new_game(edition, seed, **params)
    assert isinstance(game, LocmGame)
    return game
