"""Strengths of many players from all their games at once, by the model of Bradley and Terry.

The model gives each player a strength; the difference of two strengths is the logarithm of the odds between them. It is
fitted by maximum likelihood, with a drawn game counted as half a win and half a loss. To keep all strengths finite, and
known even for players who never met, each player gets two virtual games against an average player: one won, one lost.
"""

from __future__ import annotations

import math

import numpy as np

from cardrome.errors import CallerError
from cardrome.tournament.results.pair_results import Cells, Floats, Ints, PairResults

ELO = 400 / math.log(10)
"""Elo points of one unit of strength."""

PRECISION = 1e-10
"""Strengths are found when a step moves none of them by more than this."""

MOST_STEPS = 500
"""Far more than any results need: even 100,000 games won of 100,000 take some twenty."""


def bradley_terry(results: PairResults, *, anchor: int | None = None, at: float = 0.0) -> Floats:
    """The Elo of each player: with mean ``at``, or such that the player ``anchor`` has ``at``."""
    cells = results.cells()
    virtual = np.ones((1, 2, results.players))
    start = np.zeros(results.players)
    elo: Floats = on_elo_scale(fit(cells, cells.count[None].astype(np.float64), virtual, start), anchor, at)[0]
    return elo


def on_elo_scale(strengths: Floats, anchor: int | None, at: float) -> Floats:
    """Rows of strengths as Elo, moved so that their mean, or the player ``anchor``, is ``at``."""
    if anchor is None:
        zero = strengths.mean(axis=1, keepdims=True)
    elif 0 <= anchor < strengths.shape[1]:
        zero = strengths[:, anchor, None]
    else:
        raise CallerError(f"anchor {anchor}: players are numbers from 0 to {strengths.shape[1] - 1}")
    elo: Floats = (strengths - zero) * ELO + at
    return elo


def fit(cells: Cells, weights: Floats, virtual: Floats, start: Floats) -> Floats:
    """The most likely strengths for each row of weights, which say how often each cell counts.

    ``virtual`` holds for each row how often each player won (0) and lost (1) against the average player, whose strength
    is 0; all of them must be positive. The search begins at ``start``.
    """
    firsts = cells.starts()
    a, b = cells.a[firsts], cells.b[firsts]
    if len(firsts):
        won = np.add.reduceat(weights * cells.points, firsts, axis=1)
        lost = np.add.reduceat(weights * (cells.games - cells.points), firsts, axis=1)
    else:
        won = lost = np.zeros((len(weights), 0))
    strengths = np.tile(start, (len(weights), 1))
    rows = np.arange(len(weights))  # those still to be found
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
    # Both chances from their own formula: one minus the other would lose the digits of a small one.
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
    # The curvature of a logistic likelihood changes at most by the factor e for one unit of lead. So this length, in
    # terms of the greatest change of any lead, is sure to increase the likelihood; it tends to the full step.
    reach = np.maximum(step.max(axis=1), 0) - np.minimum(step.min(axis=1), 0)
    step *= (np.log1p(reach) / np.maximum(reach, np.finfo(np.float64).tiny))[:, None]
    return step
