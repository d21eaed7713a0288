"""Honest chances: what a search says of a position, and how often such positions are won.

A search is too hopeful, since it imagines opponents who play by rules of thumb. For each edition, a slope and an offset
of the logit were fitted to games that agents played against themselves (``examples/train/calibrate.py``). They hold for
the weights with which those games were played; with others there is no calibration.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.resources
import math
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from cardrome.games.locm.agents.search.brain import brain_of
from cardrome.games.locm.rules.edition import LocmEdition

SUREST = 1e-3
"""Chances are not given closer to 0 or 1 than this: the games do not tell more."""


class Calibration(msgspec.Struct, frozen=True):
    """How a chance is corrected."""

    weights: str
    """The mark of the weights for which it holds; see `weights_mark`."""
    slope: Annotated[float, Meta(gt=0)] = 1.0
    """Above 0, so that what looks better stays better."""
    offset: float = 0.0
    games: int = 0
    """How many there were, for the fit and for the table."""
    reliability: tuple[tuple[float, float, float, int], ...] = ()
    """From games kept apart, in tenths: the mean chance before and after, the part that was won, positions."""

    def __call__(self, chance: float) -> float:
        """The corrected chance."""
        chance = min(1 - SUREST, max(SUREST, chance))
        logit = self.slope * math.log(chance / (1 - chance)) + self.offset
        return 1 / (1 + math.exp(-logit))


def calibration_file() -> Path | Traversable:
    """All calibrations, by edition."""
    return importlib.resources.files(__package__) / "weights" / "calibration.json"


def weights_mark(edition: LocmEdition) -> str:
    """Identifies the weights in use for an edition; ``none`` if there are none."""
    brain = brain_of(edition)
    return hashlib.sha256(brain.tobytes()).hexdigest()[:16] if brain[0].learned else "none"


def read_calibrations() -> dict[str, Calibration]:
    """All calibrations."""
    file = calibration_file()
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Calibration]) if file.is_file() else {}


@functools.cache
def calibration_of(edition: LocmEdition) -> Calibration | None:
    """The calibration of an edition, or of the one whose weights it takes; None if there is none for these weights."""
    known, mark = read_calibrations(), weights_mark(edition)
    fitting = {name: each for name, each in known.items() if each.weights == mark}
    return fitting.get(edition.name) or next(iter(fitting.values()), None)
