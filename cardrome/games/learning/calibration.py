"""Honest chances: what a search says of a position, and how often such positions are won.

A search is too hopeful or too sure: the opponents it imagines are not those it meets. A slope and an offset of the
logit are fitted to games that agents play against themselves (``examples/train/calibrate.py``). They hold for the
weights with which those games were played; with others there is no calibration.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib.resources.abc import Traversable
from typing import Annotated, Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Meta

from cardrome.engine.records import Record, Records, f4, i8, new_records

FILE = "calibration.json"
"""Lies beside the weights."""
SUREST = 1e-3
"""Chances closer to 0 or 1 than this are cut off: the games cannot tell them apart."""
BINS = 10

Floats = npt.NDArray[np.float64]


class Calibration(msgspec.Struct, frozen=True):
    """How a chance is corrected."""

    weights: str
    """A mark of the weights for which it holds."""
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


def weights_mark(brain: Records[Any]) -> str:
    """Tells a brain from others; ``none`` if it is blank."""
    numbers = b"".join(brain[name].tobytes() for name in brain.dtype.names or ())
    return hashlib.sha256(numbers).hexdigest()[:16] if brain[0].learned else "none"


def read_calibrations(folder: Traversable) -> dict[str, Calibration]:
    """All calibrations in a folder of weights, by edition."""
    file = folder / FILE
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Calibration]) if file.is_file() else {}


def find_calibration(folder: Traversable, edition: str, brain: Records[Any]) -> Calibration | None:
    """The calibration of an edition, or of another with the same weights; None if there is none for these."""
    mark = weights_mark(brain)
    fitting = {name: each for name, each in read_calibrations(folder).items() if each.weights == mark}
    return fitting.get(edition) or next(iter(fitting.values()), None)


# Fitting


class RatedPosition(Record):
    """The end of a turn: what a search says of it, and what came of it."""

    seed: i8
    chance: f4
    """To win, of the player whose turn it was."""
    won: f4
    """By them: 1, or 0, or a half for a draw."""


Rated = Iterable[tuple[float, float]]
"""Positions of a game: the chance, and whether it was won."""


def rate_games(
    new_rater: Callable[[], Callable[[int], Rated]],
    seeds: npt.NDArray[np.int64],
    jobs: int,
    finished: Callable[[int], None] = lambda games: None,
) -> Records[RatedPosition]:
    """Positions of the games that follow from some seeds, played and rated on several threads."""

    def play(share: npt.NDArray[np.int64]) -> list[tuple[int, float, float]]:
        rate = new_rater()
        return [(int(seed), *each) for seed in share for each in rate(int(seed))]

    rows, done = [], 0
    shares = [seeds[start : start + 10] for start in range(0, len(seeds), 10)]
    with ThreadPoolExecutor(jobs, "games") as pool:
        for share, part in zip(shares, pool.map(play, shares), strict=True):
            rows += part
            done += len(share)
            finished(done)
    rated = new_records(RatedPosition, len(rows))
    rated[:] = rows
    return rated


def logits(chances: npt.ArrayLike) -> Floats:
    """Chances as logits, all finite."""
    inside = np.clip(np.asarray(chances, np.float64), SUREST, 1 - SUREST)
    return np.log(inside / (1 - inside))


def fit_calibration(chances: npt.ArrayLike, won: npt.ArrayLike) -> tuple[float, float]:
    """The slope and the offset of the logit with which the games are most likely, by Newton's method.

    It starts where all positions are even, and cannot overshoot from there: chances may be far from what is true.
    """
    x = np.stack([logits(chances), np.ones(len(np.asarray(chances)))], axis=1)
    y, weights = np.asarray(won, np.float64), np.zeros(2)
    for _ in range(50):
        p = 1 / (1 + np.exp(-(x @ weights)))
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + 1e-6 * np.eye(2), x.T @ (y - p))
        weights += step * min(1.0, 1.0 / float(np.abs(step).max() + 1e-12))
    return float(weights[0]), float(weights[1])


def reliability(raw: npt.ArrayLike, told: npt.ArrayLike, won: npt.ArrayLike) -> list[tuple[float, float, float, int]]:
    """By tenths of the chance that was told: its mean, before and after the correction, the part won, and how many."""
    raw, told, won = np.asarray(raw), np.asarray(told), np.asarray(won)
    places = np.minimum((told * BINS).astype(int), BINS - 1)
    rows = []
    for place in range(BINS):
        here = places == place
        if here.any():
            means = (round(float(each[here].mean()), 4) for each in (raw, told, won))
            rows.append((*means, int(here.sum())))
    return rows  # type: ignore[return-value]


def calibrate(brain: Records[Any], rated: Records[RatedPosition]) -> Calibration:
    """A calibration from half of the games, and its table from the other half."""
    apart = rated.seed % 2 == 1
    slope, offset = fit_calibration(rated.chance[~apart], rated.won[~apart])
    fitted = Calibration(weights_mark(brain), round(slope, 4), round(offset, 4))
    told = [fitted(float(chance)) for chance in rated.chance[apart]]
    table = reliability(rated.chance[apart], told, rated.won[apart])
    games = len(np.unique(rated.seed))
    return Calibration(fitted.weights, fitted.slope, fitted.offset, games, tuple(table))
