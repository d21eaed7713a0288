"""A series: many mirrored pairs of games between two agents in this process, on deals that follow from one seed."""

from __future__ import annotations

import operator
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import numpy as np
import numpy.typing as npt

from cardrome.agents.base import Agent, AgentKind
from cardrome.agents.batch import Interrupted, blank_results, play_pairs
from cardrome.agents.choose import player_seed
from cardrome.agents.registry import find_agent
from cardrome.arena.statistics import Estimate, wilson, win_rate
from cardrome.errors import CallerError
from cardrome.protocol.locm.game import Game
from cardrome.rules.locm.deal import Deal
from cardrome.rules.locm.edition import Edition, find_edition
from cardrome.rules.locm.state import NOBODY

Progress = Callable[[int], None]


def deal_seeds(seed: int, pairs: int) -> npt.NDArray[np.int64]:
    """The seeds of a series' deals. They follow from the series' seed alone: a longer series begins with the same."""
    # SplitMix64: the k-th output is a bijective mix of seed + (k + 1) times an odd constant.
    x = np.arange(1, pairs + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed % (1 << 64))
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (x ^ (x >> np.uint64(31))).view(np.int64)


@dataclass(frozen=True)
class SeriesResult:
    """The games of a series and what they say; rates are those of player A."""

    edition: Edition
    a: str
    b: str
    seed: int
    asked_pairs: int
    games: np.recarray[Any, Any]
    """One `GAME_RESULT` for each game played, two for each pair."""

    @property
    def interrupted(self) -> bool:
        """The series was stopped before its end."""
        return len(self.games) < 2 * self.asked_pairs

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """How many games of each pair A won."""
        won = np.asarray(self.games.winner == 0, np.float64)
        return np.asarray(won[0::2] + won[1::2], np.float64)

    @property
    def wins(self) -> tuple[int, int]:
        """Games won by A and by B."""
        won = int((self.games.winner == 0).sum())
        return won, len(self.games) - won

    @property
    def win_rate(self) -> Estimate:
        """How often A wins."""
        return win_rate(self.points)

    @property
    def pair_counts(self) -> tuple[int, int, int]:
        """Pairs of which A won none, one, both."""
        counts = np.bincount(self.points.astype(np.int64), minlength=3)
        return int(counts[0]), int(counts[1]), int(counts[2])

    @property
    def first_seat(self) -> Estimate:
        """How often the player who moves first wins."""
        n = len(self.games)
        rate = float((self.games.winner == self.games.first).mean()) if n else 0.5
        return wilson(rate, n)

    def summary(self) -> dict[str, Any]:
        """Everything as plain data, for ``--json``."""
        rate, first = self.win_rate, self.first_seat
        n = len(self.games)
        return {
            "edition": self.edition.name,
            "players": [self.a, self.b],
            "seed": self.seed,
            "games": n,
            "complete": not self.interrupted,
            "wins": list(self.wins),
            "win_rate": rate.value,
            "win_rate_95": [rate.low, rate.high],
            "pairs": dict(zip(("lost", "split", "won"), self.pair_counts, strict=True)),
            "first_seat_win_rate": first.value,
            "first_seat_win_rate_95": [first.low, first.high],
            "turns_per_game": float(self.games.turns.mean()) if n else None,
            "actions_per_game": float(self.games.actions.mean()) if n else None,
        }


def play_series(
    edition: Edition, a: str, b: str, pairs: int, seed: int, jobs: int = 1, progress: Progress | None = None
) -> SeriesResult:
    """Play a series; Ctrl-C ends it early, with the finished games in the result."""
    kinds = find_agent(a), find_agent(b)
    seeds = deal_seeds(seed, pairs)
    try:
        if kinds[0].kernel is not None and kinds[1].kernel is not None:
            games = play_pairs(edition, kinds[0].kernel, kinds[1].kernel, seeds, jobs, progress)
        else:
            games = _play_in_python(edition, kinds, seeds, jobs, progress)
    except Interrupted as stop:
        games = _whole_pairs(stop.results)
    return SeriesResult(edition, a, b, seed, pairs, games)


def _whole_pairs(games: np.recarray[Any, Any]) -> np.recarray[Any, Any]:
    """Finished games without those whose twin is missing."""
    seeds, counts = np.unique(games.seed, return_counts=True)
    return games[np.isin(games.seed, seeds[counts == 2])].view(np.recarray)


def _play_in_python(
    edition: Edition,
    kinds: tuple[AgentKind, AgentKind],
    seeds: npt.NDArray[np.int64],
    jobs: int,
    progress: Progress | None,
) -> np.recarray[Any, Any]:
    """Play pairs in which an agent is Python code; with several jobs in as many processes."""
    results = blank_results(seeds)
    names = kinds[0].name, kinds[1].name
    try:
        for k, outcome in enumerate(_play_each(edition.name, names, seeds.tolist(), jobs)):
            for game, (winner, turns, actions) in zip(results[2 * k : 2 * k + 2], outcome, strict=True):
                game.winner, game.turns, game.actions = winner, turns, actions
            if progress is not None:
                progress(k + 1)
    except KeyboardInterrupt:
        raise Interrupted(results[results.winner != NOBODY]) from None
    return results


PairOutcome = list[tuple[int, int, int]]


def _play_each(edition: str, names: tuple[str, str], seeds: list[int], jobs: int) -> Iterator[PairOutcome]:
    if jobs <= 1:
        for seed in seeds:
            yield play_python_pair(edition, names, seed)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(play_python_pair, edition, names, seed) for seed in seeds]
        try:
            for future in futures:
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def play_python_pair(edition: str, names: tuple[str, str], seed: int) -> PairOutcome:
    """Play one mirrored pair; returns winner (0 = A, 1 = B), turns and actions of both games."""
    chosen = find_edition(edition)
    agents = [find_agent(name).new() for name in names]
    outcome = []
    for first in (0, 1):
        for player, agent in enumerate(agents):
            agent.begin(player_seed(seed, player))
        game = Game(chosen, Deal(seed))
        actions = 0
        while game.to_move is not None:
            player = game.to_move ^ first
            actions += game.phase == "battle"
            _act(game, agents[player], names[player])
        assert game.winner is not None
        outcome.append((game.winner ^ first, game.turn + 1, actions))
    return outcome


def _act(game: Game, agent: Agent, name: str) -> None:
    """Let an agent take one action; what it does wrong is told with its name."""
    assert game.to_move is not None
    try:
        code = operator.index(agent.act(game.view(game.to_move)))
    except Exception:
        raise CallerError(f"agent {name!r} failed:\n{traceback.format_exc()}") from None
    if not game.try_play(code):
        legal = game.legal_codes()
        raise CallerError(f"agent {name!r} chose {code!r}, which is not legal here; legal codes: {legal}")
