"""Fitting what was noted: what cards are worth to a deck, and a network for positions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cardrome.engine.records import Records
from cardrome.games.learning.fitting import (
    Course,
    Say,
    fit_layers,
    layers_of,
    mean_loss,
    new_layers,
    put_layers,
    silent,
)
from cardrome.games.locm.agents.search.brain import FEATURES, GROUPS, Brain
from cardrome.games.locm.agents.search.worth import LANE_TOTALS, REST
from cardrome.games.locm.rules.cards import MAX_CARDS
from cardrome.games.locm.rules.edition import DECK_SIZE, LocmEdition
from cardrome.games.locm.training.noting import NotedGame, NotedTurn

Array = npt.NDArray[np.float32]

_SQUARES = 10.0
"""Squares of counts are divided by this, to be of the size of the counts."""


def fit_decks(
    edition: LocmEdition, games: Records[NotedGame], brain: Records[Brain], towards: bool, strictness: float = 30.0
) -> float:
    """Fit the brain's values of cards to who won; returns the mean loss. ``towards``: near those that it has.

    A logistic regression of the first seat's wins on the contents of the decks: the cards, and the square of the number
    of cards in each group, which says how much of a good thing is too much. The decks of opponents have values of their
    own, which are forgotten: both players choose from the same cards, so without them a good card would seem to be
    worth little, since the opponent has often got it as well. Each opponent has a strength of their own in each seat.
    """
    name = "by_feature" if edition.generated_cards else "card"
    cards = games["features"] if edition.generated_cards else _counts(games["cards"])
    groups = games["groups"].astype(np.float32)
    decks = np.concatenate([cards, groups**2 / _SQUARES], axis=2)
    decks -= decks.mean(0)
    decks[:, 1] *= -1
    own = np.stack([(games["opponent"] == 0) | (games["first"] == seat) for seat in range(2)], axis=1)
    pairings = games["opponent"].astype(np.int64) * 2 + (games["opponent"] > 0) * games["first"]
    n_cards, n_pairings, n_values = cards.shape[2], pairings.max() + 1, 2 * decks.shape[2]
    x = np.zeros((len(games), 2 * n_values + n_pairings), np.float32)
    for k, whose in enumerate((own, ~own)):
        x[:, k * n_values : (k + 1) * n_values] = (decks * whose[:, :, None]).reshape(len(games), -1)
    x[np.arange(len(games)), 2 * n_values + pairings] = 1
    y = (games["winner"] == 0).astype(np.float64)
    strict = np.concatenate([np.full(n_cards, strictness), np.full(GROUPS, 3 * strictness)])
    ridge = np.concatenate([strict] * 4 + [np.full(n_pairings, 1e-3)])
    start = np.zeros(len(ridge))
    if towards:
        known = [brain[name][0][:, :n_cards], brain["balance"][0] * _SQUARES]
        start[: 2 * n_values] = np.tile(np.concatenate(known, axis=1).ravel(), 2)
    weights = start.copy()
    for _ in range(6):
        p = 1 / (1 + np.exp(-(x @ weights)))
        slope = x.T @ (y - p) - ridge * (weights - start)
        weights += np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + np.diag(ridge), slope)
    for seat, part in enumerate(weights[:n_values].reshape(2, -1)):
        brain[name][0, seat, :n_cards] = part[:n_cards]
        brain["balance"][0, seat] = part[n_cards:] / _SQUARES
        brain["usual"][0, seat] = groups[own[:, seat], seat].mean(0) / DECK_SIZE
    brain["learned"] = True
    return mean_loss(1 / (1 + np.exp(-(x @ weights))), y)


def _counts(decks: npt.NDArray[np.uint8]) -> Array:
    """How often each card is in each deck."""
    counts = np.zeros((len(decks), 2, MAX_CARDS), np.float32)
    games = np.arange(len(decks))
    for seat in range(2):
        for k in range(DECK_SIZE):
            counts[games, seat, decks[:, seat, k]] += 1
    return counts


def _mirrored(edition: LocmEdition) -> npt.NDArray[np.intp]:
    """Where each feature is when the lanes are swapped, which changes nothing about a position's worth."""
    places = np.arange(FEATURES)
    if edition.lanes == 2:
        creatures = places[:LANE_TOTALS].reshape(2, 2, -1)  # side, lane
        totals = places[LANE_TOTALS:REST].reshape(2, 2, -1)
        for part in (creatures, totals):
            part[:] = part[:, ::-1].copy()
    return places


def fit_network(
    edition: LocmEdition,
    turns: Records[NotedTurn],
    brain: Records[Brain],
    go_on: bool,
    seed: int = 0,
    epochs: int = 4,
    rate: float = 2e-3,
    say: Say = silent,
) -> float:
    """Fit the brain's network to who won, by Adam; returns the loss on a tenth that was kept apart.

    ``go_on``: from the network that it has.
    """
    rng = np.random.default_rng(seed)
    n = len(turns) - max(1, len(turns) // 10)
    x, y = turns["x"], turns["won"].astype(np.float32)
    layers = layers_of(brain) if go_on else new_layers(brain, rng, spread=0.15)
    swapped = _mirrored(edition)
    course = Course(epochs, rate, batch=2048, warm_up=200)
    apart = x[n:], y[n:]
    loss = fit_layers(
        layers, x[:n], y[:n], apart, course, rng, say, lambda batch: batch[:, swapped] if rng.random() < 0.5 else batch
    )
    put_layers(brain, layers)
    return loss
