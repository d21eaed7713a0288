"""Networks: what kernels make of one, its files, and that fitting finds what there is to find."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import pytest

from cardrome.engine.kernel import entry
from cardrome.engine.records import Floats, Integers, Record, Records, f4, flag, new_records
from cardrome.games.learning.fitting import Course, fit_layers, layers_of, new_layers, put_layers, silent
from cardrome.games.learning.network import LAYERS, brain_from, built_in_brain, load_brain, network, save_brain

FEATURES, UNITS = 6, 32


class SmallBrain(Record):
    """A brain with something beside its network."""

    learned: flag
    cards: Annotated[Floats, "f4", 3]
    first: Annotated[Floats, "f4", (FEATURES, UNITS)]
    first_bias: Annotated[Floats, "f4", UNITS]
    second: Annotated[Floats, "f4", UNITS]
    second_bias: f4


@entry(SmallBrain, np.float32, np.uint16, np.float32, np.float64)
def rate(brains: Records[SmallBrain], x: Floats, places: Integers, units: Floats, result: Floats) -> int:
    result[0] = network(brains[0], x, places, units)
    return 0


def random_brain(seed: int) -> Records[SmallBrain]:
    rng = np.random.default_rng(seed)
    brain = new_records(SmallBrain)
    for name in ("cards", *LAYERS):
        brain[name] = rng.normal(size=brain[name].shape)
    brain["learned"] = True
    return brain


@pytest.mark.parametrize(
    "features", [[0] * 6, [0, 0, 0, 0, 0, 3], [0.5, 0, -1, 0, 2, 0], [0.5, 0, -1, 0, 2, 0.25], [1, 2, 3, -4, 5, 6]]
)
def test_a_kernel_evaluates_both_layers(features: list[float]) -> None:
    brain, result = random_brain(1), np.zeros(1)
    x = np.array(features, np.float32)
    rate(brain, x, np.zeros(FEATURES, np.uint16), np.zeros(UNITS, np.float32), result)
    first, first_bias, second, second_bias = (brain[name][0] for name in LAYERS)
    assert result[0] == pytest.approx(np.maximum(x @ first + first_bias, 0) @ second + second_bias, rel=1e-5)


def test_a_brain_comes_back_from_its_file(tmp_path: Path) -> None:
    brain = random_brain(2)
    save_brain(brain, tmp_path / "b.npz")
    assert load_brain(SmallBrain, tmp_path / "b.npz").tobytes() == brain.tobytes()
    assert [each.name for each in tmp_path.iterdir()] == ["b.npz"]
    built_in = built_in_brain(SmallBrain, tmp_path, "a", "b")
    assert built_in.tobytes() == brain.tobytes()
    assert not built_in.flags.writeable
    assert not built_in_brain(SmallBrain, tmp_path, "a")[0].learned


def test_a_file_needs_the_network_and_nothing_else() -> None:
    arrays = {name: random_brain(3)[name][0] for name in LAYERS}
    assert not brain_from(SmallBrain, arrays)["cards"].any()
    with pytest.raises(KeyError, match="second_bias"):
        brain_from(SmallBrain, {name: arrays[name] for name in LAYERS[:3]})


def test_fitting_finds_what_wins() -> None:
    rng, brain = np.random.default_rng(4), new_records(SmallBrain)
    x = rng.normal(size=(4000, FEATURES)).astype(np.float32)
    won = (x[:, 0] > x[:, 1]).astype(np.float32)
    layers = new_layers(brain, rng, spread=0.5)
    apart = x[3000:], won[3000:]
    loss = fit_layers(layers, x[:3000], won[:3000], apart, Course(20, 0.03, 100), rng, silent)
    assert loss < 0.2  # of a coin, 0.69
    put_layers(brain, layers)
    assert all(np.array_equal(a, b) for a, b in zip(layers_of(brain), layers, strict=True))
