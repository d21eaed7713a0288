"""The training examples run, stop and go on."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import numpy as np

import cardrome
from tests.examples.scripts import run_script
from tests.paths import ROOT

TRAIN = ROOT / "examples" / "train"


def log(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()]


def test_ppo_stops_at_ctrl_c_and_goes_on(tmp_path: Path) -> None:
    small = {"envs": 64, "horizon": 16, "hidden": 16, "batch": 256, "threads": 1, "eval-pairs": 10}
    small |= {"eval-every": 1024, "snapshot-every": 1024, "steps": 1_000_000_000}
    lines: list[str] = []

    def stop_at_the_second(line: str) -> None:
        lines.append(line)
        if len(lines) == 2:
            signal.raise_signal(signal.SIGINT)

    options = ["--out", tmp_path, *(f"--{name}={value}" for name, value in small.items())]
    run_script(TRAIN / "ppo.py", *options, listen=stop_at_the_second)
    assert ["against random" in line for line in lines] == [True, True, False, False]
    assert lines[2].startswith("stopping after this update")
    assert "--resume goes on" in lines[-1]
    with np.load(tmp_path / "state.npz", allow_pickle=False) as state:
        done = json.loads(state["run"].tobytes())
        weights = state["model.actor.weight"]
    steps = done["steps"]
    assert steps >= 1024
    run_script(TRAIN / "ppo.py", "--out", tmp_path, "--resume", "--steps", steps + 1024, "--learning-rate", 0)
    assert log(tmp_path)[-1]["steps"] == steps + 1024
    with np.load(tmp_path / "state.npz", allow_pickle=False) as state:
        assert (state["model.actor.weight"] == weights).all()  # read back as they were, and no longer learning
        assert state["adam.actor.weight.step"] > 1
    assert len(list((tmp_path / "snapshots").iterdir())) == log(tmp_path)[-1]["steps"] // 1024
    picture = (tmp_path / "curve.svg").read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    assert "greedy" in picture
    snapshots = sorted((tmp_path / "snapshots").iterdir())[:2]
    ratings = run_script(TRAIN / "rate.py", *snapshots, "--against", "pass", "--pairs", 1)
    assert sorted(line.split()[-1] for line in ratings.splitlines()) == [
        "pass",
        *(f"policy:{each}" for each in snapshots),
    ]
    games = cardrome.play_series("locm-1.2", f"policy:{tmp_path / 'policy.npz'}", "pass", 2, seed=1)
    assert games.wins[0] > games.wins[1]


def test_the_draft_learner(tmp_path: Path) -> None:
    run_script(TRAIN / "draft.py", "--out", tmp_path, "--rounds", 2, "--games", 256, "--eval-pairs", 20)
    rates = [row["wins"]["rule-based"][0] for row in log(tmp_path)]
    assert len(rates) == 3
    series = cardrome.play_series("locm-1.2", f"policy:{tmp_path / 'policy.npz'}", "greedy", 4, seed=1)
    assert len(series.games) == 8


def test_the_draft_policy_that_comes_with_the_examples() -> None:
    name = f"policy:{TRAIN / 'policies' / 'draft.npz'}"
    assert cardrome.play_series("locm-1.2", name, "random", 2, seed=1).wins == (4, 0)
