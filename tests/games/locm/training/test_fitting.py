"""Decks: that fitting finds what cards are worth, whoever else has got them."""

from __future__ import annotations

import numpy as np
import pytest

from cardrome.engine.records import new_records
from cardrome.games.locm.agents.search.brain import Brain
from cardrome.games.locm.rules.edition import DECK_SIZE, LOCM_12
from cardrome.games.locm.training.fitting import fit_decks
from cardrome.games.locm.training.noting import NotedGame

GOOD, COPIES = 7, 6
WORTH = 0.5


@pytest.mark.parametrize("opponent", [0, 1], ids=["themself", "somebody else"])
def test_a_good_card_is_worth_something_although_both_players_have_it(opponent: int) -> None:
    rng = np.random.default_rng(1)
    games = new_records(NotedGame, 4000)
    games["first"] = np.arange(len(games)) % 2
    games["opponent"] = opponent
    copies = rng.integers(1, COPIES - 1, len(games))[:, None] + rng.integers(-1, 2, (len(games), 2))
    decks = rng.integers(GOOD + 1, 60, (len(games), 2, DECK_SIZE))
    decks[np.arange(DECK_SIZE) < copies[:, :, None]] = GOOD
    games["cards"] = decks
    chance = 1 / (1 + np.exp(-WORTH * (copies[:, 0] - copies[:, 1])))
    games["winner"] = rng.random(len(games)) >= chance

    brain = new_records(Brain)
    fit_decks(LOCM_12, games, brain, towards=False)

    values = brain["card"][0]
    assert values[:, GOOD] - values[:, GOOD + 1 : 60].mean(1) == pytest.approx(WORTH, abs=0.1)
