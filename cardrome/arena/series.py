"""A series: many mirrored pairs of games between two players, on deals that follow from one seed.

A pair depends on its deal and its players alone. So the pairs of a series can be played in any order and on any number
of cores, be saved, and be stopped after the pair that decides a test, and the result is always the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from cardrome.arena.openings import Openings
from cardrome.arena.play import fill, play_one, refuse_one_that_ends_at_once
from cardrome.arena.players.player import BotSettings, PlayerSpec, close_kept, losing, parse_player
from cardrome.arena.result import SeriesResult, half_points
from cardrome.arena.sprt import Decision, Sprt, SprtResult, Watch
from cardrome.arena.statistics import (
    count_pairs,
)
from cardrome.arena.workers import spread
from cardrome.engine.bulk import Games, Interrupted, mirrored_games
from cardrome.errors import CallerError
from cardrome.games.family import AnyFamily, Kernel, Progress, as_edition, find_family
from cardrome.games.game import Deal, Edition
from cardrome.games.replays import Replay

FIRST_BATCH = 128
BATCH_SECONDS = 0.5
"""Pairs of built-in agents are played in batches, which grow until one takes about this long."""


class Seeds:
    """The seeds of a series' deals, computed on demand: those of a billion pairs would not fit into memory."""

    def __init__(self, make: Callable[[int, int], npt.NDArray[np.int64]], pairs: int) -> None:
        """``make`` is called with a number of pairs and the first one."""
        self._make = make
        self._pairs = pairs

    def __len__(self) -> int:
        return self._pairs

    def __getitem__(self, where: slice) -> npt.NDArray[np.int64]:
        start, stop, _ = where.indices(self._pairs)
        return self._make(max(stop - start, 0), start)


class SavedGames(Protocol):
    """Where the games of a series are kept, those of earlier runs included (`cardrome.tournament.series`)."""

    def read(self, seeds: Seeds) -> Games:
        """The games of the finished pairs, from the first on without a gap; ``seeds`` are those of the deals wanted."""

    def append(self, games: Games) -> None:
        """Add finished pairs, in order, behind those that are there."""


def play_series(
    edition: str | Edition,
    a: str,
    b: str,
    pairs: int,
    seed: int,
    jobs: int = 1,
    progress: Progress | None = None,
    *,
    sprt: Sprt | None = None,
    openings: Openings | None = None,
    save: SavedGames | None = None,
    settings: BotSettings | None = None,
    folders: tuple[Path | None, Path | None] = (None, None),
    keep: bool = False,
) -> SeriesResult:
    """Play mirrored pairs of games between two players, named as on the command line.

    Ctrl-C ends it early, with the finished pairs in the result.
    With ``sprt`` it ends as soon as the test is decided, after the same pair whatever the number of jobs. With
    ``openings`` the deals are those of the book, and the seed is not used. With ``save`` every finished pair
    is kept there; the same call goes on where the last one ended, and one that asks for more pairs extends the series.
    Programs run in ``folders``. With ``keep`` built-in agents play one game at a time, so that there are replays.
    """
    edition = as_edition(edition)
    for name, number, least in (("pairs", pairs, 1), ("seed", seed, None)):
        if not hasattr(number, "__index__") or (least is not None and number < least):
            expected = "a whole number" if least is None else f"a whole number from {least} on"
            raise CallerError(f"{name} is {number!r}; expected {expected}")
    family = find_family(edition.name)
    specs = parse_player(a, family, 0, folders[0]), parse_player(b, family, 1, folders[1])
    kernels = [None if spec.agent is None else family.find_agent(spec.agent, edition).kernel for spec in specs]
    bots = settings or BotSettings()
    seeds = Seeds(partial(family.seeds, seed) if openings is None else openings.seeds, pairs)
    replays: list[tuple[int, Replay]] = []
    again: dict[str, set[int]] = {}
    record = _Record(family, seeds, sprt, save)
    start = record.pairs
    bulk = not keep and (openings is None or openings.plain)
    if not record.finished and bulk and kernels[0] is not None and kernels[1] is not None:
        _play(record, _bulk_batches(edition, family, (kernels[0], kernels[1]), seeds, record.pairs, jobs, progress))
    elif not record.finished:
        deals = (
            family.deal(edition, {"seed": str(seeds[k : k + 1][0])}) if openings is None else openings.deal(k)
            for k in range(start, pairs)
        )
        games = (_Game(edition, specs, deal, first) for deal in deals for first in (0, 1))
        programs = any(spec.agent is None for spec in specs)
        apart = bots.apart and programs
        played = spread(
            partial(_play_game, bots),
            games,
            jobs,
            close_kept,
            bots.affinity,
            _lost,
            apart,
            lambda number, reason: again.setdefault(reason, set()).add(number),
        )
        if programs or keep:
            played = _from_bots_that_start(played, replays)
        _play(record, _single_pairs(seeds, start, played, progress))
    replays = replays[: 2 * (record.pairs - start)]  # no half pairs, and none beyond the decision of a test
    played_again = {reason: len(numbers) for reason, numbers in again.items()}
    return SeriesResult(edition, a, b, seed, pairs, record.games, record.test_result(), openings, replays, played_again)


class _Game(NamedTuple):
    edition: Edition
    specs: tuple[PlayerSpec, PlayerSpec]
    deal: Deal
    first: int


def _play_game(settings: BotSettings, game: _Game) -> Replay:
    return play_one(*game, settings)


def _lost(game: _Game, player: int, reason: str) -> _Game | None:
    specs = losing(game.specs, player, reason)
    return None if specs is None else game._replace(specs=specs)


class _Record:
    """The pairs of a series that are finished, from the first on without a gap."""

    def __init__(self, family: AnyFamily, seeds: Seeds, sprt: Sprt | None, store: SavedGames | None) -> None:
        self._draws = family.has_draws
        self._seeds = seeds
        self._batches: list[Games] = []
        self.pairs = 0
        self.decision = Decision.CONTINUE
        self._watch = None if sprt is None else Watch(sprt, 5 if self._draws else 3)
        self._store: SavedGames | None = None
        if store is not None:
            self.add(store.read(seeds))  # before there is a store to add them to: they are there already
            self._store = store

    @property
    def finished(self) -> bool:
        """Nothing is left to play."""
        return self.pairs == len(self._seeds) or self.decision is not Decision.CONTINUE

    @property
    def games(self) -> Games:
        """The games of the finished pairs."""
        if len(self._batches) != 1:
            self._batches = [np.concatenate([mirrored_games(self._seeds[:0]), *self._batches]).view(np.recarray)]
        return self._batches[0]

    def add(self, games: Games) -> None:
        """Take the next pairs; what comes after the decision of the test is not part of the series."""
        kept, decision = len(games) // 2, self.decision
        if self._watch is not None:
            points = half_points(games)
            kept = self._watch.follow((points if self._draws else points // 2).tolist())
            decision = self._watch.decision
        self._batches.append(games[: 2 * kept].view(np.recarray))
        if self._store is not None:
            self._store.append(self._batches[-1])
        self.pairs, self.decision = self.pairs + kept, decision

    def add_some(self, games: Games) -> None:
        """Take what an interrupted batch has finished, as far as it follows without a gap."""
        expected = mirrored_games(self._seeds[self.pairs : self.pairs + len(games)])[: len(games)]
        # Where a book repeats a deal, the same game from further on may stand in a gap: it is the same game.
        fits = (games.seed == expected["seed"]) & (games.first == expected["first"])
        length = len(games) if fits.all() else int(fits.argmin())
        self.add(games[: length // 2 * 2].view(np.recarray))

    def test_result(self) -> SprtResult | None:
        """The test as it stands; a series that has all its pairs is looked at once more."""
        if self._watch is None:
            return None
        test, counts = self._watch.test, count_pairs(half_points(self.games) / 2, self._draws)
        decision = test.decide(counts) if self.pairs == len(self._seeds) else self.decision
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
        record.add_some(stop.games)
    except KeyboardInterrupt:
        return


def _bulk_batches(
    edition: Edition,
    family: AnyFamily,
    kernels: tuple[Kernel, Kernel],
    seeds: Seeds,
    start: int,
    jobs: int,
    progress: Progress | None,
) -> Generator[Games, None, None]:
    """Play pairs of built-in agents in bulk."""
    size = FIRST_BATCH
    while start < len(seeds):
        begun = time.monotonic()
        report = None if progress is None else _shifted(progress, start)
        yield family.play_bulk(edition, kernels, seeds[start : start + size], jobs, report)
        start += size
        # The size decides how much a kill can lose and how far a test is overshot, never the result.
        if time.monotonic() - begun < BATCH_SECONDS:
            size *= 2


def _shifted(progress: Progress, before: int) -> Progress:
    return lambda finished: progress(before + finished)


def _from_bots_that_start(
    played: Generator[Replay, None, None], kept: list[tuple[int, Replay]]
) -> Generator[Replay, None, None]:
    """Games that are kept too; `CallerError` if a program is not able to play at all."""
    with closing(played):
        for number, replay in enumerate(played):
            if number < 2:
                refuse_one_that_ends_at_once(replay)
            kept.append((number % 2, replay))
            yield replay


def _single_pairs(
    seeds: Seeds, start: int, played: Generator[Replay, None, None], progress: Progress | None
) -> Generator[Games, None, None]:
    """Pairs in which a player is Python code or a program, one at a time."""
    with closing(played):
        for k in range(start, len(seeds)):
            pair = mirrored_games(seeds[k : k + 1])
            for first, replay in enumerate(islice(played, 2)):
                fill(pair[first], replay)
            yield pair
            if progress is not None:
                progress(k + 1)
