"""The agents' kernels run in the interpreter as they do compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from cardrome.engine.kernel import INTERPRETED
from cardrome.games.locm.rules.edition import EDITIONS
from tests.games.locm.agents.helpers import play_named
from tests.games.locm.games import new_game

GAME = """
import json, sys, warnings
warnings.simplefilter("error")
from tests.games.locm.games import new_game
from cardrome.engine.kernel import INTERPRETED
from tests.games.locm.agents.helpers import play_named
assert INTERPRETED
edition, a, b = sys.argv[1:]
print(json.dumps(play_named(new_game(edition, seed=3), a, b).actions))
"""


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("a", "b"), [("pass", "random"), ("greedy", "rule-based")])
def test_interpreted_games_equal_compiled_ones(edition: str, a: str, b: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", GAME, edition, a, b],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == play_named(new_game(edition, seed=3), a, b).actions
