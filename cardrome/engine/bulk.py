"""Games in columns, and mirrored pairs played in bulk on some threads: what the bulk paths of all families share.

A game depends on its seed and its players alone, so the results are the same however the pairs are split among threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from cardrome.engine.records import Record, i1, i2, i4, i8, new_records
from cardrome.errors import CallerError

CHUNK = 128
"""Pairs played between two looks at the keyboard."""

NOT_PLAYED = -1
"""The winner of a game that was not played."""

DRAWN = 2
"""The winner of a game that nobody won, in a family that knows draws."""


class GameFacts(Record):
    """One game of two players A and B, in every family."""

    seed: i8
    """Of its deal."""
    score_a: i4
    score_b: i4
    actions: i4
    """Battle actions carried out by both players; ends of turns are not counted."""
    turns: i2
    """Battle turns begun."""
    first: i1
    """Who had the first turn: 0 = A, 1 = B."""
    winner: i1
    """0 = A, 1 = B, or `DRAWN`, or `NOT_PLAYED`."""
    ending: i1
    """Why it ended, as a place in `cardrome.games.game.ENDINGS`."""


GAME = GameFacts.dtype
"""The columns of games."""

Games = np.recarray[Any, Any]
"""An array of games: two for each pair, A begins the first and B the second."""

PlayRange = Callable[[int, int], int]
"""Plays the games from one number up to another, with memory of its own."""


def deal_seeds(
    seed: int | npt.NDArray[np.int64], pairs: int, start: int | npt.NDArray[np.int64] = 0
) -> npt.NDArray[np.int64]:
    """Seeds of deals that follow from one seed, from number ``start`` on: more of them begin with the same.

    Given arrays of seeds and numbers, and one pair, the seed of each.
    """
    # SplitMix64: each output is a bijective mix of seed + k times an odd constant.
    k = (np.arange(1, pairs + 1) + start).astype(np.uint64)
    base = np.uint64(seed % (1 << 64)) if isinstance(seed, int) else seed.astype(np.uint64)
    x = k * np.uint64(0x9E3779B97F4A7C15) + base
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (x ^ (x >> np.uint64(31))).view(np.int64)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during `play_games`. What was finished until then is not lost: it is in ``games``."""

    def __init__(self, games: Games) -> None:
        super().__init__()
        self.games = games


def mirrored_games(seeds: np.ndarray[Any, Any]) -> Games:
    """Games still to be played: two for each seed, A begins the first and B the second."""
    games = new_records(GameFacts, 2 * len(seeds))
    games.seed[0::2] = games.seed[1::2] = seeds
    games.first[1::2] = 1
    games.winner[:] = NOT_PLAYED
    return games


def play_games(
    games: Games,
    new_player: Callable[[], PlayRange],
    jobs: int,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Play all games, each thread with memory of its own.

    ``progress`` is called, in the calling thread, with the number of finished pairs. Ctrl-C raises `Interrupted`.
    """
    if jobs < 1:
        raise CallerError(f"jobs is {jobs}; at least one thread is needed")
    pairs = len(games) // 2
    size = 2 * max(1, min(CHUNK, pairs // (16 * jobs)))  # small enough for all threads to finish together
    chunks = [(start, min(start + size, len(games))) for start in range(0, len(games), size)]
    finished = 0
    try:
        for start, stop in _play_chunks(new_player, chunks, min(jobs, len(chunks))):
            finished += (stop - start) // 2
            if progress is not None:
                progress(finished)
    except KeyboardInterrupt:
        raise Interrupted(games[games.winner != NOT_PLAYED]) from None


def _play_chunks(
    new_player: Callable[[], PlayRange], chunks: list[tuple[int, int]], jobs: int
) -> Iterator[tuple[int, int]]:
    """Play chunks of games on some threads; yields each when it is finished."""
    if jobs <= 1:
        play = new_player()
        for start, stop in chunks:
            play(start, stop)
            yield start, stop
        return

    import queue
    from concurrent.futures import ThreadPoolExecutor, as_completed

    # Compiled games run outside the interpreter's lock.
    idle: queue.SimpleQueue[PlayRange] = queue.SimpleQueue()
    for _ in range(jobs):
        idle.put(new_player())

    def play_chunk(start: int, stop: int) -> tuple[int, int]:
        play = idle.get()
        play(start, stop)
        idle.put(play)
        return start, stop

    with ThreadPoolExecutor(jobs, "games") as pool:
        futures = [pool.submit(play_chunk, *chunk) for chunk in chunks]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:  # on Ctrl-C: what is being played is finished, what waits is dropped
            pool.shutdown(wait=True, cancel_futures=True)
