"""Compiled and interpreted, the rules and their answers are the same to the byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.games.tapdeck.rules.traces import trace
from tests.paths import ROOT

MATCHES = [(seed, 120) for seed in range(12)]


def test_compiled_and_interpreted_agree() -> None:
    variables = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "-m", "tests.games.tapdeck.rules.traces"]
    questions = "".join(json.dumps(match) + "\n" for match in MATCHES)
    got = subprocess.run(command, cwd=ROOT, env=variables, input=questions, capture_output=True, text=True, check=False)
    assert got.stderr == ""
    answers = [json.loads(line) for line in got.stdout.splitlines()]
    assert answers == [trace(*match) for match in MATCHES]
