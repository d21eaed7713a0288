"""Chances that mean what they say."""

from __future__ import annotations

import functools
from typing import Any

import msgspec
import numpy as np
import pytest

from cardrome.engine.records import Records
from cardrome.games.family import find_edition
from cardrome.games.learning.calibration import (
    Calibration,
    calibrate,
    find_calibration,
    fit_calibration,
    logits,
    rate_games,
    read_calibrations,
    reliability,
    weights_mark,
)
from cardrome.games.locm.agents.search import brain as locm
from cardrome.games.locm.rules.edition import LOCM_12
from cardrome.games.locm.training import calibrating as locm_games
from cardrome.games.tapdeck.agents.search import brain as tapdeck
from cardrome.games.tapdeck.rules.edition import TAPDECK
from cardrome.games.tapdeck.training import calibrating as tapdeck_matches


def test_what_looks_better_stays_better() -> None:
    told = [Calibration("", 0.7, -0.4)(chance / 100) for chance in range(101)]
    assert told == sorted(told)
    assert len(set(told[1:-1])) == 99
    assert 0 < told[0] < told[-1] < 1
    assert Calibration("")(0.7) == pytest.approx(0.7)
    with pytest.raises(msgspec.ValidationError, match="slope"):
        msgspec.convert({"weights": "", "slope": -1.0}, Calibration)


def test_hopeful_chances_are_corrected() -> None:
    """Games of which the truth is known: what was said of them is too hopeful and too sure."""
    rng = np.random.default_rng(3)
    truth = rng.uniform(0.02, 0.98, 40_000)
    said = 1 / (1 + np.exp(-(1.5 * logits(truth) + 0.6)))
    won = rng.random(len(truth)) < truth
    slope, offset = fit_calibration(said[::2], won[::2])
    assert slope == pytest.approx(1 / 1.5, abs=0.03)
    assert offset == pytest.approx(-0.4, abs=0.05)
    told = [Calibration("", slope, offset)(chance) for chance in said[1::2]]
    rows = reliability(said[1::2], told, won[1::2])
    assert len(rows) == 10
    assert sum(row[3] for row in rows) == len(told)
    assert max(abs(after - part) for _, after, part, _ in rows) < 0.04
    assert max(abs(before - part) for before, _, part, _ in rows) > 0.1


@pytest.mark.parametrize("game", ["locm", "tapdeck"])
def test_games_are_rated_and_fitted(game: str) -> None:
    brain: Records[Any]
    if game == "locm":
        brain, rater = locm.brain_of(LOCM_12), functools.partial(locm_games.rater, LOCM_12)
    else:
        brain, rater = tapdeck.learned_brain(), functools.partial(tapdeck_matches.rater, TAPDECK)
    rated = rate_games(rater, np.arange(4), jobs=2)
    assert set(rated.seed) == {0, 1, 2, 3}
    assert ((rated.chance >= 0) & (rated.chance <= 1)).all()
    assert 0.3 < rated.chance.mean() < 0.8
    assert 0 < rated.won.mean() < 1
    found = calibrate(brain, rated)
    assert found.games == 4
    assert sum(row[3] for row in found.reliability) == (rated.seed % 2).sum()


def test_what_is_stored_holds_on_games_that_were_kept_apart() -> None:
    stored = read_calibrations(locm.WEIGHTS) | read_calibrations(tapdeck.WEIGHTS)
    assert TAPDECK.name in stored
    for name, found in stored.items():
        find_edition(name)
        total = sum(positions for *_, positions in found.reliability)
        before, after = (
            sum(abs(row[place] - row[2]) * row[3] for row in found.reliability) / total for place in (0, 1)
        )
        assert after < 0.06, name  # LOCM 1.0 wood 3 is the worst, with 0.042
        assert after < before + 0.01, name


def test_a_calibration_belongs_to_its_weights() -> None:
    brain = locm.brain_of(LOCM_12).copy()
    assert find_calibration(locm.WEIGHTS, "locm-1.2", brain) == read_calibrations(locm.WEIGHTS)["locm-1.2"]
    brain["first_bias"][0, 0] += 1
    assert find_calibration(locm.WEIGHTS, "locm-1.2", brain) is None
    brain["learned"] = False
    assert weights_mark(brain) == "none"
