"""The agents' kernels run in the interpreter as they do compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from cardrome.engine.kernel import INTERPRETED
from tests.games.locm.agents.helpers import play_named
from tests.games.locm.games import new_game

PAIRS = [("pass", "random", "locm-1.0-wood1", "locm-1.0-multi"), ("greedy", "rule-based", "locm-1.2", "locm-1.5")]
"""The interpreter is slow, and `tests/properties/test_modes.py` compares the rules of all editions."""

GAME = """
import json, sys, warnings
warnings.simplefilter("error")
from tests.games.locm.games import new_game
from cardrome.engine.kernel import INTERPRETED
from tests.games.locm.agents.helpers import play_named
assert INTERPRETED
a, b, *editions = sys.argv[1:]
print(json.dumps({edition: play_named(new_game(edition, seed=3), a, b).actions for edition in editions}))
"""


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
@pytest.mark.parametrize(("a", "b", "editions"), [(a, b, editions) for a, b, *editions in PAIRS])
def test_interpreted_games_equal_compiled_ones(a: str, b: str, editions: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", GAME, a, b, *editions],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    compiled = {edition: play_named(new_game(edition, seed=3), a, b).actions for edition in editions}
    assert json.loads(done.stdout) == compiled
