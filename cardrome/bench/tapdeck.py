"""What this machine reaches in Tapdeck: the figures behind ``cardrome bench``."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from cardrome.bench.engine import RandomPlay, best_of
from cardrome.games.tapdeck.agents.batch import play_pairs
from cardrome.games.tapdeck.agents.registry import AGENTS
from cardrome.games.tapdeck.family import FAMILY
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition


def _kernel(name: str) -> np.recarray[Any, Any]:
    kernel = AGENTS[name].kernel
    assert kernel is not None
    return kernel


def bulk_play(a: str, b: str, pairs: int, jobs: int = 1, edition: TapdeckEdition = TAPDECK) -> RandomPlay:
    """How fast whole matches between two built-in agents are played, decks included, by wall time."""
    agents = _kernel(a), _kernel(b)
    play_pairs(edition, agents, FAMILY.seeds(0, 1))
    seeds = FAMILY.seeds(1, pairs)
    actions = 0

    def play() -> None:
        nonlocal actions
        actions = int(play_pairs(edition, agents, seeds, jobs).actions.sum())

    seconds = best_of(3, play, time.perf_counter)
    return RandomPlay(2 * pairs / seconds, actions / seconds, actions / (2 * pairs))


def search_ms_per_turn(pairs: int) -> float:
    """Milliseconds that `search` thinks about a turn on average, against itself."""
    kernel = _kernel("search")
    seeds = FAMILY.seeds(1, max(pairs, 1))
    turns = 0

    def play() -> None:
        nonlocal turns
        turns = int(play_pairs(TAPDECK, (kernel, kernel), seeds).turns.sum())

    return best_of(2, play) / turns * 1000
