"""However an episode is played it is the same: alone or beside others, on any threads, compiled or interpreted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cardrome.engine.kernel import INTERPRETED
from tests.envs.walks import single_walk, vector_walks
from tests.paths import ROOT

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("cardrome/Battle-v0", {"edition": "locm-1.2", "opponent": "greedy", "reward": "health", "discount": 0.99}),
    (
        "cardrome/Battle-v0",
        {"opponent": "tests.envs.walks:Hasty", "reward": "board", "discount": 0.9, "max_turns": 15, "deck_size": 10},
    ),
    ("cardrome/Battle-v0", {"edition": "locm-1.0", "opponent": {"random": 2, "pass": 1}, "seat": "random"}),
    ("cardrome/Battle-v0", {"edition": "locm-1.5", "opponent": "rule-based", "deals": [1, 2, 3], "max_turns": 12}),
    ("cardrome/Tapdeck-v0", {"opponent": "random"}),
    ("cardrome/Tapdeck-v0", {"opponent": "greedy", "reward": {"board": 1, "score": 1}, "seat": 1}),
    ("cardrome/Draft-v0", {"edition": "locm-1.0-multi", "opponent": ["random", "greedy"], "sort_cards": True}),
    ("cardrome/Constructed-v0", {"opponent": "random"}),
    ("cardrome/Match-v0", {"opponent": "random"}),
    ("cardrome/Match-v0", {"opponent": "greedy", "deck_size": 10, "alternatives": 5, "sort_cards": True}),
    ("cardrome/Draft-v0", {"edition": "locm-1.0", "opponent": "random", "deck_size": 10, "alternatives": 5}),
    ("cardrome/Match-v0", {"edition": "locm-1.5-2022", "opponent": "random", "reward": {"win": 2, "board": 0.5}}),
]


@settings(max_examples=12)
@example(game=GAMES[1], mode="SameStep", threads=1, seeds=[4, 5, 6], form="flat")  # the opponent is asked meanwhile
@example(game=GAMES[1], mode="NextStep", threads=1, seeds=[4, 5, 6], form="flat")
@given(
    game=st.sampled_from(GAMES),
    mode=st.sampled_from(["NextStep", "SameStep", "Disabled"]),
    threads=st.integers(1, 3),
    seeds=st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=40),
    form=st.sampled_from(["flat", "structured"]),
)
def test_vector_and_single_environments_agree(
    game: tuple[str, dict[str, Any]], mode: str, threads: int, seeds: list[int], form: str
) -> None:
    name, keywords = game
    traces = vector_walks(name, seeds, 120, mode, threads=threads, observation=form, **keywords)
    for seed, trace in list(zip(seeds, traces, strict=True))[:: max(1, len(seeds) // 3)]:
        alone = single_walk(name, seed, 120, observation=form, **keywords)
        both = min(len(alone), len(trace))
        assert both > 120
        assert trace[:both] == alone[:both]


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_compiled_and_interpreted_environments_agree() -> None:
    walks = [{"name": name, "seed": 11, "steps": 60, **keywords} for name, keywords in GAMES]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.envs.walks", json.dumps(walks)],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for walk, line in zip(walks, done.stdout.splitlines(), strict=True):
        assert json.loads(line) == single_walk(**walk), walk
