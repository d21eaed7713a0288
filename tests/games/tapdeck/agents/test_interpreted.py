"""The agents' kernels run in the interpreter as they do compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from cardrome.engine.kernel import INTERPRETED
from cardrome.games.tapdeck.protocol.game import TapdeckGame
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from tests.games.tapdeck.agents.helpers import finish, new_agent

EDITION = TapdeckEdition(turns=8, deck_size=40)

MATCH = """
import json, sys, warnings
warnings.simplefilter("error")
from cardrome.games.tapdeck.protocol.game import TapdeckGame
from cardrome.engine.kernel import INTERPRETED
from tests.games.tapdeck.agents.helpers import finish, new_agent
from tests.games.tapdeck.agents.test_interpreted import EDITION
assert INTERPRETED
print(json.dumps([finish(TapdeckGame(EDITION, 3), new_agent(a, 1), new_agent(b, 2)) for a, b in json.load(sys.stdin)]))
"""


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_interpreted_matches_equal_compiled_ones() -> None:
    pairs = [("random", "greedy"), ("tiny", "greedy"), ("twig", "greedy")]
    done = subprocess.run(
        [sys.executable, "-c", MATCH],
        input=json.dumps(pairs),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    compiled = [finish(TapdeckGame(EDITION, 3), new_agent(a, 1), new_agent(b, 2)) for a, b in pairs]
    assert json.loads(done.stdout) == compiled
