"""A series: many mirrored pairs of games between two players, on deals that follow from one seed.

A pair depends on its deal and its players alone. So the pairs of a series can be played in any order and on any number
of cores, be saved, and be stopped after the pair that decides a test, and the result is always the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cardrome.agents.locm.base import AgentKind
from cardrome.agents.locm.batch import Interrupted, blank_results, play_pairs
from cardrome.agents.locm.registry import find_agent
from cardrome.arena.botreport import BotReport, report_bot
from cardrome.arena.elo import EloEstimate, elo_difference, likelihood_of_superiority, normalised_elo
from cardrome.arena.openings import Openings
from cardrome.arena.pairs import BotSettings, PairOutcome, play_each
from cardrome.arena.players import is_bot
from cardrome.arena.saved import Parameters, SavedOpenings, SavedSeries
from cardrome.arena.sprt import Decision, Sprt, SprtResult, Watch
from cardrome.arena.statistics import Estimate, PairCounts, count_pairs, pair_win_rate, wilson
from cardrome.protocol.locm.replay import Replay
from cardrome.rules.locm.deal import Deal
from cardrome.rules.locm.edition import Edition

Progress = Callable[[int], None]

Games = np.recarray[Any, Any]
"""`GAME_RESULT` records, two for each pair."""

FIRST_BATCH = 128
BATCH_SECONDS = 0.5
"""Pairs of built-in agents are played in batches, which grow until one takes about so long."""


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
    games: Games
    """One `GAME_RESULT` for each game played, two for each pair, in order of the pairs."""
    sprt: SprtResult | None = None
    """The sequential test that was asked for, as it stands."""
    openings: Openings | None = None
    """The book that the deals come from; the seed has no part in it then."""
    replays: Sequence[tuple[int, Replay]] = ()
    """The games that bots played in this run: who moved first (0 = A, 1 = B), and the game."""

    @property
    def interrupted(self) -> bool:
        """The series was stopped before its end, and not by its test."""
        decided = self.sprt is not None and self.sprt.decision is not Decision.CONTINUE
        return len(self.games) < 2 * self.asked_pairs and not decided

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """How many games of each pair A won."""
        return _points(self.games).astype(np.float64)

    @property
    def wins(self) -> tuple[int, int]:
        """Games won by A and by B."""
        won = int((self.games.winner == 0).sum())
        return won, len(self.games) - won

    @property
    def pair_counts(self) -> PairCounts:
        """Pairs of which A won none, one, both."""
        return count_pairs(self.points)

    @property
    def win_rate(self) -> Estimate:
        """How often A wins."""
        return pair_win_rate(self.pair_counts)

    @property
    def elo(self) -> EloEstimate:
        """How many Elo points A is ahead."""
        return elo_difference(self.pair_counts)

    @property
    def normalised_elo(self) -> EloEstimate:
        """A's lead measured in standard deviations of a game, on the scale of chess testers."""
        return normalised_elo(self.pair_counts)

    @property
    def superiority(self) -> float:
        """How likely it is that A is the better player (LOS)."""
        return likelihood_of_superiority(self.pair_counts)

    @property
    def first_seat(self) -> Estimate:
        """How often the player who moves first wins."""
        n = len(self.games)
        rate = float((self.games.winner == self.games.first).mean()) if n else 0.5
        return wilson(rate, n)

    @property
    def bots(self) -> tuple[BotReport | None, BotReport | None]:
        """How each player behaved as a bot, in the games of this run; None for agents."""
        reports = [
            report_bot([(replay, player ^ first) for first, replay in self.replays]) if is_bot(name) else None
            for player, name in enumerate((self.a, self.b))
        ]
        return reports[0], reports[1]

    def summary(self) -> dict[str, Any]:
        """Everything as plain data, for ``--json``, in which infinite numbers become null."""
        rate, first, elo, normalised = self.win_rate, self.first_seat, self.elo, self.normalised_elo
        n, book = len(self.games), self.openings
        return {
            "edition": self.edition.name,
            "players": [self.a, self.b],
            "seed": self.seed if book is None else None,
            "openings": None if book is None else {"name": book.name, "deals": len(book), "digest": book.digest},
            "games": n,
            "asked_games": 2 * self.asked_pairs,
            "complete": not self.interrupted,
            "wins": list(self.wins),
            "win_rate": rate.value,
            "win_rate_95": [rate.low, rate.high],
            "elo": elo.value,
            "elo_95": [elo.low, elo.high],
            "normalised_elo": normalised.value,
            "normalised_elo_95": [normalised.low, normalised.high],
            "likelihood_of_superiority": self.superiority,
            "pairs": dict(zip(("lost", "split", "won"), self.pair_counts, strict=True)),
            "sprt": None if self.sprt is None else self.sprt.summary(),
            "first_seat_win_rate": first.value,
            "first_seat_win_rate_95": [first.low, first.high],
            "turns_per_game": float(self.games.turns.mean()) if n else None,
            "actions_per_game": float(self.games.actions.mean()) if n else None,
            "bots": [None if report is None else report.summary() for report in self.bots],
        }


def _points(games: Games) -> npt.NDArray[np.int64]:
    """How many games of each pair A won."""
    won = np.asarray(games.winner == 0, np.int64)
    return np.asarray(won[0::2] + won[1::2], np.int64)


def play_series(
    edition: Edition,
    a: str,
    b: str,
    pairs: int,
    seed: int,
    jobs: int = 1,
    progress: Progress | None = None,
    *,
    sprt: Sprt | None = None,
    openings: Openings | None = None,
    save: str | Path | None = None,
    settings: BotSettings | None = None,
) -> SeriesResult:
    """Play a series; Ctrl-C ends it early, with the finished pairs in the result.

    With ``sprt`` it ends as soon as the test is decided, after the same pair whatever the number of jobs. With
    ``openings`` the deals are those of the book, and the seed is not used. With ``save``, a folder, every finished pair
    is kept there; the same call goes on where the last one ended, and one that asks for more pairs extends the series.
    """
    kinds = _find_kind(a), _find_kind(b)
    bots = _Bots(settings or BotSettings())
    seeds = deal_seeds(seed, pairs) if openings is None else openings.seeds(pairs)
    book = None if openings is None else SavedOpenings(openings.name, openings.digest)
    parameters = Parameters(
        edition=edition.name,
        players=(a, b),
        seed=seed if book is None else None,
        openings=book,
        asked_pairs=pairs,
    )
    with nullcontext() if save is None else SavedSeries(save, parameters, seeds) as store:
        record = _Record(seeds, sprt, store)
        if not record.finished:
            batches = _batches(edition, (a, b), kinds, seeds, record.pairs, jobs, progress, openings, bots)
            _play(record, batches)
    return SeriesResult(edition, a, b, seed, pairs, record.games, record.test_result(), openings, bots.replays)


def _find_kind(name: str) -> AgentKind | None:
    """The agent of that name; None if it is a bot."""
    return None if is_bot(name) else find_agent(name)


class _Bots:
    """How bots are run in a series, and the games they played."""

    def __init__(self, settings: BotSettings) -> None:
        self.settings = settings
        self.replays: list[tuple[int, Replay]] = []

    def take(self, outcome: PairOutcome) -> None:
        """Keep the replays of a pair, each with who moved first."""
        self.replays += [(game.first, game.replay) for game in outcome if game.replay is not None]


class _Record:
    """The pairs of a series that are finished, from the first on without a gap."""

    def __init__(self, seeds: npt.NDArray[np.int64], sprt: Sprt | None, store: SavedSeries | None) -> None:
        self.asked = blank_results(seeds)
        self.pairs = 0
        self.decision = Decision.CONTINUE
        self._watch = None if sprt is None else Watch(sprt)
        self._store: SavedSeries | None = None
        if store is not None:
            self.add(store.games)  # before there is a store to add them to: they are there already
            self._store = store

    @property
    def finished(self) -> bool:
        """Nothing is left to play."""
        return 2 * self.pairs == len(self.asked) or self.decision is not Decision.CONTINUE

    @property
    def games(self) -> Games:
        """The games of the finished pairs."""
        return self.asked[: 2 * self.pairs].view(np.recarray)

    def add(self, games: Games) -> None:
        """Take the next pairs; what comes after the decision of the test is not part of the series."""
        kept, decision = len(games) // 2, self.decision
        if self._watch is not None:
            kept = self._watch.follow(_points(games).tolist())
            decision = self._watch.decision
        self.asked[2 * self.pairs : 2 * (self.pairs + kept)] = games[: 2 * kept]
        if self._store is not None:
            self._store.append(games[: 2 * kept].view(np.recarray))
        self.pairs, self.decision = self.pairs + kept, decision

    def add_some(self, games: Games) -> None:
        """Take what an interrupted batch has finished, as far as it follows without a gap."""
        expected = self.asked[2 * self.pairs : 2 * self.pairs + len(games)]
        # Where a book repeats a deal, the same game from further on may stand in a gap: it is the same game.
        fits = (games.seed == expected["seed"]) & (games.first == expected["first"])
        length = len(games) if fits.all() else int(fits.argmin())
        self.add(games[: length // 2 * 2].view(np.recarray))

    def test_result(self) -> SprtResult | None:
        """The test as it stands; a series that has all its pairs is looked at once more."""
        if self._watch is None:
            return None
        test, counts = self._watch.test, count_pairs(_points(self.games).astype(np.float64))
        decision = test.decide(counts) if 2 * self.pairs == len(self.asked) else self.decision
        return SprtResult(test, test.llr(counts), decision)


def _play(record: _Record, batches: Generator[Games, None, None]) -> None:
    """Play until all is finished, or Ctrl-C."""
    try:
        with closing(batches):
            for batch in batches:
                record.add(batch)
                if record.finished:
                    return
    except Interrupted as stop:
        record.add_some(stop.results)
    except KeyboardInterrupt:
        return


def _batches(
    edition: Edition,
    names: tuple[str, str],
    kinds: tuple[AgentKind | None, AgentKind | None],
    seeds: npt.NDArray[np.int64],
    start: int,
    jobs: int,
    progress: Progress | None,
    openings: Openings | None,
    bots: _Bots,
) -> Generator[Games, None, None]:
    """Play the pairs from ``start`` on, the fastest way there is; yields some at a time, in order."""
    kernels = [kind.kernel if kind is not None else None for kind in kinds]
    if kernels[0] is not None and kernels[1] is not None and (openings is None or openings.plain):
        return _kernel_batches(edition, (kernels[0], kernels[1]), seeds, start, jobs, progress)
    pairs = range(start, len(seeds))
    deals = (Deal(int(seeds[k])) if openings is None else openings.deal(k) for k in pairs)
    outcomes = play_each(edition.name, names, deals, jobs, bots.settings)
    return _python_batches(seeds, start, outcomes, progress, bots)


def _kernel_batches(
    edition: Edition,
    kernels: tuple[Games, Games],
    seeds: npt.NDArray[np.int64],
    start: int,
    jobs: int,
    progress: Progress | None,
) -> Generator[Games, None, None]:
    """Play pairs of built-in agents in bulk."""
    size = FIRST_BATCH
    while start < len(seeds):
        begun = time.monotonic()
        report = None if progress is None else _shifted(progress, start)
        yield play_pairs(edition, *kernels, seeds[start : start + size], jobs, report)
        start += size
        # The size decides how much a kill can lose and how far a test is overshot, never the result.
        if time.monotonic() - begun < BATCH_SECONDS:
            size *= 2


def _shifted(progress: Progress, before: int) -> Progress:
    return lambda finished: progress(before + finished)


def _python_batches(
    seeds: npt.NDArray[np.int64],
    start: int,
    outcomes: Generator[PairOutcome, None, None],
    progress: Progress | None,
    bots: _Bots,
) -> Generator[Games, None, None]:
    """Results of pairs in which a player is Python code or a program, one pair at a time."""
    with closing(outcomes):
        for k, outcome in enumerate(outcomes, start):
            pair = blank_results(seeds[k : k + 1])
            for game, played in zip(pair, outcome, strict=True):
                game.winner, game.turns, game.actions = played.winner, played.turns, played.actions
            bots.take(outcome)
            yield pair
            if progress is not None:
                progress(k + 1)
