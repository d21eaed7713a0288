"""Training: everything follows from the seed, and what is done is not done again."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cardrome.games.learning.network import LAYERS
from cardrome.games.tapdeck.training.pipeline import Round, Run

ROUNDS = (Round(50, None, 0.0), Round(50, 1, 0.5))


def test_a_run_goes_on_where_it_was_ended(tmp_path: Path) -> None:
    said: list[str] = []
    run = Run(tmp_path, seed=3, scale=0.01, jobs=2, say=said.append)
    whole = run.run(ROUNDS)
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert files.keys() == {"log.jsonl", "notes-0.npz", "network-0.npz", "notes-1.npz", "network-1.npz"}
    said.clear()
    assert run.run(ROUNDS).tobytes() == whole.tobytes()
    assert not said
    for name in ("notes-1.npz", "network-1.npz"):
        (tmp_path / name).unlink()
    again = Run(tmp_path, seed=3, scale=0.01, jobs=1, say=said.append).run(ROUNDS)
    for name in LAYERS:
        assert np.array_equal(again[name], whole[name])
        assert np.isfinite(whole[name]).all()


def test_what_is_noted(tmp_path: Path) -> None:
    Run(tmp_path, seed=3, scale=0.01, jobs=1, say=lambda text: None).run(ROUNDS[:1])
    with np.load(tmp_path / "notes-0.npz") as notes:
        assert notes["x"].any(axis=0).sum() > 100
        assert set(np.unique(notes["won"])) <= {0.0, 0.5, 1.0}
        assert 0.3 < notes["won"].mean() < 0.7
