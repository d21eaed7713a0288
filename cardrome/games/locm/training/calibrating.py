"""Fitting chances to games: how often positions are won that a search calls good or bad."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from cardrome.engine.random import player_seed
from cardrome.engine.records import Record, Records, f4, flag, i8, new_records
from cardrome.games.locm.agents.registry import AGENTS
from cardrome.games.locm.agents.search.calibration import SUREST, Calibration, weights_mark
from cardrome.games.locm.agents.search.turn import Line
from cardrome.games.locm.analysis import Reviewer
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import PASS, LocmEdition

EVERY = 4
"""One turn in this many is looked at."""
HANDS = 200
BINS = 10

Floats = npt.NDArray[np.float64]


class RatedPosition(Record):
    """The end of a turn: what a search says of it, and who won."""

    seed: i8
    chance: f4
    """To win, of the player whose turn it was."""
    won: flag


def rate_games(
    edition: LocmEdition,
    seeds: npt.NDArray[np.int64],
    jobs: int,
    agent: str = "search-fast",
    finished: Callable[[int], None] = lambda games: None,
) -> Records[RatedPosition]:
    """Games of an agent against itself, and what is said of some of their positions."""

    def play(share: npt.NDArray[np.int64]) -> Records[RatedPosition]:
        reviewer = Reviewer(edition, agent, HANDS)
        return _joined([_rated_game(edition, int(seed), agent, reviewer) for seed in share])

    parts, done = [], 0
    shares = [seeds[start : start + 10] for start in range(0, len(seeds), 10)]
    with ThreadPoolExecutor(jobs, "games") as pool:
        for share, part in zip(shares, pool.map(play, shares)):
            parts.append(part)
            done += len(share)
            finished(done)
    return _joined(parts)


def _rated_game(edition: LocmEdition, seed: int, agent: str, reviewer: Reviewer) -> Records[RatedPosition]:
    game = LocmGame(edition, LocmDeal(seed))
    agents = [AGENTS[agent].new(player_seed(seed, seat)) for seat in range(2)]
    found: list[tuple[int, float, int]] = []
    while game.to_move is not None:
        seat = game.to_move
        view = game.view(seat)
        code = agents[seat].act(view)
        if game.phase == "battle" and code == PASS and (game.turn + seed) // 2 % (EVERY // 2) == 0:  # of both players
            _, chances = reviewer.review(view, new_records(Line), game.turn)
            found.append((seed, float(chances.mean()), seat))
        game.try_play(int(code))
    rated = new_records(RatedPosition, len(found))
    for position, (_, chance, seat) in zip(rated, found):
        position.seed, position.chance, position.won = seed, chance, seat == game.winner
    return rated


def _joined(parts: list[Records[RatedPosition]]) -> Records[RatedPosition]:
    return np.concatenate(parts).view(np.recarray)  # type: ignore[return-value]


def logits(chances: npt.ArrayLike) -> Floats:
    """Chances as finite logits."""
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
    """By tenths of the reported chance: its mean, before and after the correction, the part won, and how many."""
    raw, told, won = np.asarray(raw), np.asarray(told), np.asarray(won)
    places = np.minimum((told * BINS).astype(int), BINS - 1)
    rows = []
    for place in range(BINS):
        here = places == place
        if here.any():
            means = (round(float(each[here].mean()), 4) for each in (raw, told, won))
            rows.append((*means, int(here.sum())))
    return rows  # type: ignore[return-value]


def calibrate(edition: LocmEdition, rated: Records[RatedPosition]) -> Calibration:
    """A calibration from half of the games, and its table from the other half."""
    apart = rated.seed % 2 == 1
    slope, offset = fit_calibration(rated.chance[~apart], rated.won[~apart])
    fitted = Calibration(weights_mark(edition), round(slope, 4), round(offset, 4))
    told = [fitted(float(chance)) for chance in rated.chance[apart]]
    table = reliability(rated.chance[apart], told, rated.won[apart])
    games = len(np.unique(rated.seed))
    return Calibration(fitted.weights, fitted.slope, fitted.offset, games, tuple(table))
