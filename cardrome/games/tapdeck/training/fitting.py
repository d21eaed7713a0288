"""Fitting the network to noted matches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cardrome.engine.records import Records, new_records
from cardrome.games.learning.fitting import Course, Say, fit_layers, new_layers, put_layers, silent
from cardrome.games.tapdeck.agents.search.brain import HIDDEN_UNITS, Brain
from cardrome.games.tapdeck.training.noting import Noted

BATCH = 1024
DECAY = 1e-3


def fit_network(
    noted: Sequence[Noted],
    belief: float,
    seed: int = 0,
    epochs: int = 8,
    rate: float = 3e-3,
    say: Say = silent,
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
    brain = new_records(Brain)
    layers = new_layers(brain, rng, spread=HIDDEN_UNITS**-0.5)
    loss = fit_layers(layers, x, y, apart, Course(epochs, rate, BATCH, decay=DECAY, epsilon=1e-8), rng, say)
    put_layers(brain, layers)
    return brain, loss
