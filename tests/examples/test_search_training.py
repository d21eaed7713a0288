"""The searching agents' training: its steps leave files, and the same run gives the same brain however it is spread."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from cardrome.games.learning.network import LAYERS, load_brain
from cardrome.games.locm.agents.search.brain import Brain
from cardrome.games.locm.rules.edition import EDITIONS
from cardrome.games.locm.training.noting import Noted, Task, carry_out
from tests.paths import ROOT

EDITION = EDITIONS["locm-1.0-wood3"]


@pytest.fixture
def training(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The example, imported as its neighbours import each other."""
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "train"))
    return importlib.import_module("search")


def test_a_run_is_the_same_however_it_is_spread_and_goes_on(training: ModuleType, tmp_path: Path) -> None:
    schedule = training.Schedule((1.0,), 60, 60, search_rounds=1, search_games=24, test_pairs=8)
    told: list[str] = []

    def backwards(tasks: list[Task]) -> list[Noted]:
        return [carry_out(task) for task in tasks[::-1]][::-1]

    def run(name: str, spread: object = None, rounds: int = 1) -> list[str]:
        told.clear()
        fewer = training.replace(schedule, search_rounds=rounds)
        training.Run(EDITION, tmp_path / name, fewer, 1, 1, spread, told.append).run()
        return [text.split(",")[0] for text in told if text.startswith("step")]

    assert run("whole") == ["step decks-0", "step network", "step round-1-decks", "step round-1-network"]
    assert run("whole") == []  # nothing is done again
    assert run("parts", backwards, rounds=0) == ["step decks-0", "step network"]
    one, other = (np.load(tmp_path / name / "network.npz", allow_pickle=False) for name in ("whole", "parts"))
    for field in ("card", "balance", "usual", *LAYERS):
        assert np.array_equal(one[field], other[field]), field
    rows = [json.loads(line) for line in (tmp_path / "whole" / "log.jsonl").read_text().splitlines()]
    assert [row["step"] for row in rows] == ["decks-0", "network", "round-1-decks", "round-1-network"]
    for row in rows[2:]:  # what was refused is kept apart, and the last brain stays
        assert (tmp_path / "whole" / f"{row['step']}-refused.npz").exists() != row["admitted"]
        assert set(row["points gained"]) == {"the last", "rule-based", "greedy", *training.STYLES}
    assert load_brain(Brain, tmp_path / "whole" / "brain.npz")[0].learned
    assert "search-fast" in (tmp_path / "whole" / "learning.svg").read_text()
    sys.modules.pop("search", None)
