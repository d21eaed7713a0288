"""Scores: of a match, and of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cardrome.engine.kernel import entry, kernel
from cardrome.engine.records import Records
from cardrome.games.tapdeck.rules.edition import Rules, TapdeckEdition
from cardrome.games.tapdeck.rules.state import State

RANK_EXPONENT = 1.5
"""A score counts for a tournament as the power of its rank."""


@kernel
def match_score(rules: Rules, mine: int, theirs: int) -> int:
    """A player's score from both healths at the end: 3, 1.5 or 0 times the initial health, and the difference."""
    if theirs == 0:
        bonus = 3 * int(rules.initial_health)
    elif mine == 0:
        bonus = 0
    else:
        bonus = 3 * int(rules.initial_health) // 2
    return mine - theirs + bonus


def tournament_points(scores: Sequence[Sequence[int]]) -> list[float]:
    """Each player's points from the scores of their matches.

    The rank of a score is the number of strictly smaller ones among all scores of all players; a player is awarded
    the sum of the ranks of their scores, each to the power of 1.5.
    """
    everything = np.sort(np.concatenate([np.asarray(own, np.int64) for own in scores])) if scores else np.zeros(0)
    points = []
    for own in scores:
        # Sorted, so that players with the same scores get the very same sum.
        ranks = np.sort(np.searchsorted(everything, np.asarray(own, np.int64), side="left"))
        points.append(float(np.sum(ranks.astype(np.float64) ** RANK_EXPONENT)))
    return points


def scores_of(edition: TapdeckEdition, health: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Both players' scores in many matches from their healths, in rows of two, as `match_score` counts them."""
    mine, theirs = health.astype(np.int64), health[:, ::-1].astype(np.int64)
    whole = 3 * edition.initial_health
    found: np.ndarray[Any, Any] = mine - theirs + np.where(theirs == 0, whole, np.where(mine == 0, 0, whole // 2))
    return found


@entry(Rules, State, int, int)
def score(rules: Records[Rules], states: Records[State], i: int, player: int) -> int:
    """A player's score with the health as it is now."""
    s = states[i]
    return match_score(rules[0], int(s.health[player]), int(s.health[1 - player]))
