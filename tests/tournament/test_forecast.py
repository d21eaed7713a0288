"""What to expect of a tournament before it is played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardrome.tournament.forecast import forecast
from cardrome.tournament.settings import read_plan
from tests.arena.bots import PYTHON
from tests.tournament.tools import LOCM, TAPDECK, THREE, agent, program, write_cup


@pytest.mark.parametrize(
    ("keys", "games"),
    [
        ({"schedule": "ladder"}, None),
        ({"schedule": "ladder", "rounds": 5}, 5 * 2 * 2 * 2),
        ({"schedule": "swiss", "rounds": 3, "editions": [LOCM, TAPDECK]}, 3 * 2 * 2 * 2 * 2),
        ({"schedule": "gauntlet", "challengers": ["greedy"]}, 3 * 4),
    ],
    ids=["endless", "ladder", "swiss", "gauntlet"],
)
def test_forecasts_of_schedules(tmp_path: Path, keys: dict[str, Any], games: int | None) -> None:
    found = forecast(read_plan(write_cup(tmp_path, [*THREE, agent("other", "greedy")], **keys)), 2)
    assert found.games == games
    assert found.seconds_per_game is not None
    assert found.seconds == (None if games is None else pytest.approx(found.seconds_per_game * games / 2))


def test_a_forecast_does_not_take_programs_for_as_quick_as_agents(tmp_path: Path) -> None:
    """Every pairing plays as many games, though of the quick ones more are sampled."""
    slow = PYTHON.replace('print("PASS", flush=True)', 'time.sleep(0.01)\n    print("PASS", flush=True)')
    bots = [
        agent("greedy"),
        agent("random"),
        program(tmp_path, "slow", slow.replace("import sys", "import sys, time", 1)),
    ]
    found = forecast(read_plan(write_cup(tmp_path, bots)), 1)
    # More than 30 answers in each game of the program, which are two games of three.
    assert found.seconds_per_game is not None
    assert found.seconds_per_game > 0.3 * 2 / 3
