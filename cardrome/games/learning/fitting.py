"""Fitting a network to noted positions, by Adam: plain NumPy, seeded, the same numbers on the same machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cardrome.engine.records import Records
from cardrome.games.learning.network import LAYERS

Array = npt.NDArray[Any]
Say = Callable[[str], None]


def silent(text: str) -> None:
    """Report nothing."""


@dataclass(frozen=True)
class Course:
    """How a network is fitted."""

    epochs: int
    rate: float
    """The learning rate at its highest: it rises in the warm-up and falls to zero along a cosine."""
    batch: int
    warm_up: int = 0
    """Batches until the rate is at its highest; 0 for a tenth of all."""
    decay: float = 0.0
    """How strongly weights are drawn to zero."""
    epsilon: float = 1e-7
    """Keeps steps finite where slopes are zero."""


def new_layers(brain: Records[Any], rng: np.random.Generator, spread: float) -> list[Array]:
    """Random layers of the sizes that a brain has; ``spread`` is that of the last one."""
    features, units = brain["first"].shape[1:]
    return [
        rng.normal(0, 30**-0.5, (features, units)).astype(np.float32),
        np.zeros(units, np.float32),
        rng.normal(0, spread, units).astype(np.float32),
        np.zeros(1, np.float32),
    ]


def layers_of(brain: Records[Any]) -> list[Array]:
    """A copy of a brain's layers."""
    return [np.atleast_1d(brain[name][0].astype(np.float32)) for name in LAYERS]


def put_layers(brain: Records[Any], layers: list[Array]) -> None:
    """Give a brain these layers."""
    for name, layer in zip(LAYERS, layers, strict=True):
        brain[name][0] = layer.reshape(brain[name][0].shape)
    brain["learned"] = True


def fit_layers(
    layers: list[Array],
    x: Array,
    y: Array,
    apart: tuple[Array, Array],
    course: Course,
    rng: np.random.Generator,
    say: Say,
    vary: Callable[[Array], Array] = lambda batch: batch,
) -> float:
    """Fit layers, in place, to the outcomes ``y`` of the positions ``x``; returns the loss on those kept apart.

    ``vary`` may change each batch of positions into one that is worth the same.
    """
    moments: list[list[Any]] = [[np.zeros_like(each), np.zeros_like(each)] for each in layers]
    steps, total, loss = 0, max(1, course.epochs * (len(y) // course.batch)), 0.0
    for epoch in range(course.epochs):
        order = rng.permutation(len(y))
        for k in range(0, len(y) - course.batch + 1, course.batch):
            chosen = order[k : k + course.batch]
            batch = vary(x[chosen].astype(np.float32, copy=False))
            steps += 1
            rise = steps / course.warm_up if course.warm_up else 10 * steps / total
            pace = course.rate * min(1, rise) * 0.5 * (1 + np.cos(np.pi * steps / total))
            for place, slope in enumerate(_slopes(layers, batch, y[chosen])):
                mean, square = moments[place]
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope**2 - square)
                change = (mean / (1 - 0.9**steps)) / (np.sqrt(square / (1 - 0.999**steps)) + course.epsilon)
                layers[place] -= (pace * (change + course.decay * layers[place])).astype(np.float32)
        loss = _loss(layers, *apart)
        say(f"network, epoch {epoch + 1}: loss {loss:.4f} on {len(apart[1])} positions kept apart")
    return loss


def _slopes(layers: list[Array], x: Array, y: Array) -> list[Array]:
    """The slopes of the loss: of both layers and their biases."""
    before = x @ layers[0] + layers[1]
    units = np.maximum(before, 0)
    wrong = ((1 / (1 + np.exp(-(units @ layers[2] + layers[3][0]))) - y) / len(y)).astype(np.float32)
    back = (wrong[:, None] * layers[2]) * (before > 0)
    return [x.T @ back, back.sum(0), units.T @ wrong, wrong.sum(keepdims=True)]


def _loss(layers: list[Array], x: Array, y: Array) -> float:
    logits = np.maximum(x @ layers[0] + layers[1], 0) @ layers[2] + layers[3][0]
    return mean_loss(1 / (1 + np.exp(-logits)), y)


def mean_loss(p: Array, y: Array) -> float:
    """The mean cross-entropy of chances and outcomes."""
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return float(-(y * np.log(p) + (1 - y) * np.log(1 - p)).mean())
