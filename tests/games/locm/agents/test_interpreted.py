"""The agents' kernels run in the interpreter as they do compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from cardrome.engine.kernel import INTERPRETED
from tests.games.locm.agents.helpers import play_named, short_search
from tests.games.locm.games import new_game

GAMES = [("locm-1.0-multi", "pass", "random"), ("locm-1.2", "greedy", "rule-based"), ("locm-1.5", "random", "greedy")]
"""The interpreter is slow, and `tests/properties/test_modes.py` compares the rules of all editions."""

GAME = """
import json, sys, warnings
warnings.simplefilter("error")
from tests.games.locm.games import new_game
from cardrome.engine.kernel import INTERPRETED
from tests.games.locm.agents.helpers import play_named, short_search
assert INTERPRETED
games = [play_named(new_game(edition, seed=3), a, b).actions for edition, a, b in json.load(sys.stdin)]
print(json.dumps([games, *map(short_search, ("locm-1.2", "locm-1.5"))]))
"""


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_interpreted_games_equal_compiled_ones() -> None:
    done = subprocess.run(
        [sys.executable, "-c", GAME],
        input=json.dumps(GAMES),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    games, *searched = json.loads(done.stdout)
    assert games == [play_named(new_game(edition, seed=3), a, b).actions for edition, a, b in GAMES]
    assert searched == [short_search("locm-1.2"), short_search("locm-1.5")]
