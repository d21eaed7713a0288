"""Compiled and interpreted, the rules are the same to the byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.paths import ROOT
from tests.properties.scripts import KNOWN, Script, scripts
from tests.properties.traces import random_game, trace

Tracer = Callable[..., list[str]]


@pytest.fixture(scope="module")
def interpreted() -> Iterator[Tracer]:
    """Traces scripts in a process that compiles nothing."""
    command = [sys.executable, "-W", "error", "-m", "tests.properties.traces"]
    variables = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=ROOT, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        questions, answers = process.stdin, process.stdout

        def ask(**question: Any) -> list[str]:
            questions.write(json.dumps(question) + "\n")
            questions.flush()
            reply: list[str] = json.loads(answers.readline())
            return reply

        yield ask
        questions.close()
        assert process.wait() == 0


@pytest.mark.parametrize("name", KNOWN)
def test_one_whole_game_of_every_edition(interpreted: Tracer, name: str) -> None:
    script = Script(name, seed=2**40 + len(name), chooser=3, patience=7, length=2000)
    expected = trace(script)
    assert len(expected) > 2 * KNOWN[name].deck_size + 2, "it came to the battle"
    assert interpreted(**asdict(script)) == expected


@pytest.mark.parametrize("name", ["locm-1.0", "locm-1.0-multi", "locm-1.2", "locm-1.5"])
def test_random_games(interpreted: Tracer, name: str) -> None:
    assert interpreted(edition=name, seed=77) == random_game(name, 77)


def share(part: int) -> settings:
    """A part of the usual number of examples: the interpreter is slow. What fails is not made smaller, for the same
    reason; the first hash that differs tells the action after which the two part."""
    return settings(max_examples=max(1, settings().max_examples // part), phases=[Phase.explicit, Phase.generate])


@share(6)
@given(scripts(high=220))
def test_compiled_and_interpreted_agree(interpreted: Tracer, script: Script) -> None:
    assert interpreted(**asdict(script)) == trace(script)


# Areas, clones and the generator make 1.5 the edition with the most arithmetic.
@share(15)
@given(scripts(st.sampled_from(["locm-1.5", "locm-1.5-2022"]), low=100))
def test_compiled_and_interpreted_agree_on_areas(interpreted: Tracer, script: Script) -> None:
    assert interpreted(**asdict(script)) == trace(script)
