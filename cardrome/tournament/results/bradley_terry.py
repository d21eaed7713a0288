"""Strengths of many players from all their games at once, by the model of Bradley and Terry.

The model gives each player a strength; the difference of two strengths is the logarithm of the odds between them. It is
fitted by maximum likelihood, with a drawn game counted as half a win and half a loss. To keep all strengths finite, and
comparable even between players who never met, each player gets two virtual games against an average player: one won
and one lost.
"""

from __future__ import annotations

import math

import numpy as np

from cardrome.tournament.games import Floats, Ints
from cardrome.tournament.results.pairs import PairResults

ELO = 400 / math.log(10)
"""Elo points of one unit of strength."""

PRECISION = 1e-10
"""The search ends when a step moves no strength by more than this."""

MOST_STEPS = 500
"""Far more than any results need: even 100,000 games won of 100,000 take some twenty."""


def bradley_terry(results: PairResults) -> Floats:
    """The Elo of each player, with mean 0."""
    players = len(results.players)
    found = fit(results, results.count[None].astype(np.float64), np.ones((1, 2, players)), np.zeros(players))
    elo: Floats = on_elo_scale(found)[0]
    return elo


def on_elo_scale(strengths: Floats) -> Floats:
    """Rows of strengths as Elo, with mean 0."""
    elo: Floats = (strengths - strengths.mean(axis=1, keepdims=True)) * ELO
    return elo


def fit(results: PairResults, weights: Floats, virtual: Floats, start: Floats) -> Floats:
    """The most likely strengths for each row of weights, which say how often each result counts.

    ``virtual`` holds for each row how often each player won (0) and lost (1) against the average player, whose strength
    is 0; all of these must be positive. The search begins at ``start``.
    """
    firsts = results.starts()
    a, b = results.a[firsts], results.b[firsts]
    if len(firsts):
        won = np.add.reduceat(weights * results.points, firsts, axis=1)
        lost = np.add.reduceat(weights * (results.games - results.points), firsts, axis=1)
    else:
        won = lost = np.zeros((len(weights), 0))
    strengths = np.tile(start, (len(weights), 1))
    rows = np.arange(len(weights))  # those that have not converged yet
    for _ in range(MOST_STEPS):
        step = _step(strengths[rows], a, b, won[rows], lost[rows], virtual[rows])
        strengths[rows] += step
        rows = rows[np.abs(step).max(axis=1) > PRECISION]
        if not len(rows):
            break
    return strengths


def _step(strengths: Floats, a: Ints, b: Ints, won: Floats, lost: Floats, virtual: Floats) -> Floats:
    """Newton's step for each row of strengths, shortened where it would go too far."""
    rows, players = strengths.shape
    lead = strengths[:, a] - strengths[:, b]
    # Each chance has its own formula: one minus the other would lose the digits of a small one.
    win, lose = 1 / (1 + np.exp(-lead)), 1 / (1 + np.exp(lead))
    win_average, lose_average = 1 / (1 + np.exp(-strengths)), 1 / (1 + np.exp(strengths))
    surplus = np.zeros((rows, players, players))
    surplus[:, a, b] = won * lose - lost * win
    surplus[:, b, a] = -surplus[:, a, b]
    slope = surplus.sum(axis=2) + virtual[:, 0] * lose_average - virtual[:, 1] * win_average
    curvature = np.zeros((rows, players, players))
    curvature[:, a, b] = curvature[:, b, a] = -(won + lost) * win * lose
    diagonal = np.arange(players)
    curvature[:, diagonal, diagonal] = virtual.sum(axis=1) * win_average * lose_average - curvature.sum(axis=2)
    step: Floats = np.linalg.solve(curvature, slope[:, :, None])[:, :, 0]
    # The curvature of a logistic likelihood changes at most by a factor e per unit of lead. So this length, in
    # terms of the greatest change of any lead, is sure to increase the likelihood; it approaches the full step.
    reach = np.maximum(step.max(axis=1), 0) - np.minimum(step.min(axis=1), 0)
    step *= (np.log1p(reach) / np.maximum(reach, np.finfo(np.float64).tiny))[:, None]
    return step
