"""One way to play: games in bulk and games that are recorded give the same facts, field by field.

Every agent of every edition meets every other, in both seats.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from cardrome.arena.play import fill, play_one
from cardrome.arena.players.player import BotSettings, PlayerSpec
from cardrome.engine.bulk import GAME, Games, mirrored_games
from cardrome.games.family import edition_names, find_family
from cardrome.games.replay_files import encode_replay

INSTANT = ["pass", "random", "greedy", "rule-based"]
PAIRINGS = [*combinations_with_replacement(INSTANT, 2), ("search-fast", "greedy")]


def recorded(edition: str, a: str, b: str, seeds: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Games:
    """The same games as bulk play would play, one by one through the recorder."""
    family = find_family(edition)
    games = mirrored_games(seeds)
    for game in games:
        deal = family.deal(family.editions[edition], {"seed": str(game.seed)})
        specs = PlayerSpec(0, a, a), PlayerSpec(1, b, b)
        replay = play_one(edition, specs, deal, int(game.first), BotSettings())
        assert replay.players == ((b, a) if game.first else (a, b))
        assert (replay.fault, replay.processes) == (None, None)
        assert len(encode_replay(replay)) < 20_000
        fill(game, replay)
    return games


@pytest.mark.parametrize("edition", edition_names())
def test_every_fact_is_the_same_in_bulk_and_one_by_one(edition: str) -> None:
    family = find_family(edition)
    seeds = family.seeds(11, 1)
    for a, b in PAIRINGS:
        if not {a, b} <= set(family.agents):
            continue
        first, second = family.agents[a].kernel, family.agents[b].kernel
        assert first is not None
        assert second is not None
        bulk = family.play_bulk(family.editions[edition], (first, second), seeds)
        single = recorded(edition, a, b, seeds)
        for name in GAME.names or ():
            assert bulk[name].tolist() == single[name].tolist(), (a, b, name)
        assert set(bulk.winner) <= {0, 1, 2}
