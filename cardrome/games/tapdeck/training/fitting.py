"""Fitting the network to noted positions: plain NumPy, seeded, the same numbers on the same machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cardrome.engine.records import Records, new_records
from cardrome.games.tapdeck.agents.search.brain import FEATURES, HIDDEN_UNITS, LAYERS, Brain, brain_from
from cardrome.games.tapdeck.training.noting import Noted

Array = npt.NDArray[np.float32]

BATCH = 1024
DECAY = 1e-3
"""How strongly weights are drawn to zero."""


def fit_network(
    noted: Sequence[Noted],
    belief: float,
    seed: int = 0,
    epochs: int = 8,
    rate: float = 3e-3,
    say: Callable[[str], None] = lambda text: None,
) -> tuple[Records[Brain], float]:
    """A network fitted by Adam to who won, and its loss on a tenth of the last notes, which is kept apart.

    ``belief`` is how much the opinion of the search counts beside the outcome.
    """
    rng = np.random.default_rng(seed)
    held = max(1, len(noted[-1].won) // 10)
    x = np.concatenate([*[each.x for each in noted[:-1]], noted[-1].x[:-held]])
    won = np.concatenate([*[each.won for each in noted[:-1]], noted[-1].won[:-held]])
    thought = np.concatenate([*[each.thought for each in noted[:-1]], noted[-1].thought[:-held]])
    y = (belief * thought + (1 - belief) * won).astype(np.float32)
    apart = noted[-1].x[-held:].astype(np.float32), noted[-1].won[-held:]
    layers: list[Array] = [
        rng.normal(0, 30**-0.5, (FEATURES, HIDDEN_UNITS)).astype(np.float32),
        np.zeros(HIDDEN_UNITS, np.float32),
        rng.normal(0, HIDDEN_UNITS**-0.5, HIDDEN_UNITS).astype(np.float32),
        np.zeros(1, np.float32),
    ]
    moments: list[list[Any]] = [[np.zeros_like(each), np.zeros_like(each)] for each in layers]
    steps, total, loss = 0, max(1, epochs * (len(y) // BATCH)), 0.0
    for epoch in range(epochs):
        order = rng.permutation(len(y))
        for k in range(0, len(y) - BATCH + 1, BATCH):
            chosen = order[k : k + BATCH]
            steps += 1
            pace = rate * min(1, 10 * steps / total) * 0.5 * (1 + np.cos(np.pi * steps / total))
            for place, slope in enumerate(_slopes(layers, x[chosen].astype(np.float32), y[chosen])):
                mean, square = moments[place]
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope**2 - square)
                change = (mean / (1 - 0.9**steps)) / (np.sqrt(square / (1 - 0.999**steps)) + 1e-8)
                layers[place] -= (pace * (change + DECAY * layers[place])).astype(np.float32)
        loss = _loss(layers, *apart)
        say(f"epoch {epoch + 1}: loss {loss:.4f} on {held} positions kept apart")
    shapes = [new_records(Brain)[name][0].shape for name in LAYERS]
    named = {name: layer.reshape(shape) for name, layer, shape in zip(LAYERS, layers, shapes, strict=True)}
    return brain_from(named), loss


def _slopes(layers: list[Array], x: Array, y: Array) -> list[Array]:
    """The slopes of the loss: of both layers and their biases."""
    before = x @ layers[0] + layers[1]
    units = np.maximum(before, 0)
    wrong = ((1 / (1 + np.exp(-(units @ layers[2] + layers[3][0]))) - y) / len(y)).astype(np.float32)
    back = (wrong[:, None] * layers[2]) * (before > 0)
    return [x.T @ back, back.sum(0), units.T @ wrong, wrong.sum(keepdims=True)]


def _loss(layers: list[Array], x: Array, won: Array) -> float:
    """The mean loss against who won."""
    logits = np.maximum(x @ layers[0] + layers[1], 0) @ layers[2] + layers[3][0]
    p = np.clip(1 / (1 + np.exp(-logits)), 1e-6, 1 - 1e-6)
    return float(-(won * np.log(p) + (1 - won) * np.log(1 - p)).mean())
