"""Games for tests: random play, and hypothesis strategies of positions from all its stages."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from cardrome.games.locm.protocol.game import LocmGame, LocmPosition
from cardrome.games.locm.protocol.setup import from_dict
from cardrome.games.locm.rules.edition import EDITIONS
from tests.games.locm.games import new_game

FIXED_LIST: dict[str, Any] = {"predefinedCardListFile": "cardlist.txt"}

editions = st.sampled_from(sorted(EDITIONS))


def play_on(game: LocmGame, choices: random.Random, steps: int) -> LocmGame:
    """Random actions, seldom a pass: boards fill up, creatures fight, games end."""
    for _ in range(steps):
        codes = game.legal_codes()
        if not codes:
            break
        busy = game.phase == "battle" and len(codes) > 1 and choices.random() < 0.8
        game.push(choices.choice(codes[1:] if busy else codes))
    return game


def battle(edition: str = "locm-1.2", seed: int = 1, steps: int = 0, **params: str) -> LocmGame:
    """A game at the start of its battle, or some actions later."""
    game = new_game(edition, seed=seed, **params)
    choices = random.Random(seed)
    while game.phase != "battle":
        play_on(game, choices, 1)
    return play_on(game, choices, steps)


def set_up(data: dict[str, Any]) -> LocmGame:
    """A game that goes on from a position set up by hand."""
    game = from_dict(data)
    assert isinstance(game, LocmGame)
    return game


@st.composite
def games(draw: st.DrawFn) -> LocmGame:
    """A game of any edition at any stage, the end included."""
    edition = draw(editions)
    seed = draw(st.integers(-(1 << 63), (1 << 63) - 1))
    listed = "1.5" in edition and draw(st.booleans())
    game = new_game(edition, seed, **(FIXED_LIST if listed else {}))
    return play_on(game, random.Random(draw(st.integers(0, 1 << 32))), draw(st.integers(0, 220)))


@st.composite
def positions(draw: st.DrawFn) -> LocmPosition:
    """A game, a view of one, or a game imagined from a view."""
    game = draw(games())
    kind = draw(st.sampled_from(["game", "view", "imagined"]))
    if kind == "game":
        return game
    view = game.view(draw(st.integers(0, 1)))
    return view if kind == "view" else view.determinize(draw(st.integers(0, 1 << 40)))


def has_chosen_already(game: LocmGame, player: int) -> bool:
    """Players take their card of this draft round and wait for the other: their next offer is not known to them."""
    return game.phase == "draft" and player == 0 and game.current == 1
