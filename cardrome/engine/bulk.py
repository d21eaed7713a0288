"""Mirrored pairs in bulk, on some threads: what the bulk paths of all families share.

Results are records with the fields `seed`, `first` and `winner`, two for each pair. A game depends on its seed and its
players alone, so the results are the same however the pairs are split among threads.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import Any

import numpy as np

from cardrome.errors import CallerError

CHUNK = 128
"""Pairs played between two looks at the keyboard."""

NOT_PLAYED = -1
"""The winner of a game that was not played."""

DRAWN = 2
"""The winner of a game that nobody won, in a family that knows draws."""

Table = Callable[[int, int], int]
"""Plays the games from one number up to another, with memory of its own."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during `play_results`. What was finished until then is not lost: it is in ``results``."""

    def __init__(self, results: np.recarray[Any, Any]) -> None:
        super().__init__()
        self.results = results


def mirrored_results(dtype: np.dtype[Any], seeds: np.ndarray[Any, Any]) -> np.recarray[Any, Any]:
    """Results to be filled in: two games for each seed, A begins the first and B the second."""
    results = np.zeros(2 * len(seeds), dtype).view(np.recarray)
    results.seed[0::2] = results.seed[1::2] = seeds
    results.first[1::2] = 1
    results.winner[:] = NOT_PLAYED
    return results


def play_results(
    results: np.recarray[Any, Any],
    new_table: Callable[[], Table],
    jobs: int,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Play all games of the results, each thread at a table of its own.

    ``progress`` is told, in the calling thread, how many pairs are finished. Ctrl-C raises `Interrupted`.
    """
    if jobs < 1:
        raise CallerError(f"jobs is {jobs}; at least one thread is needed")
    pairs = len(results) // 2
    size = 2 * max(1, min(CHUNK, pairs // (16 * jobs)))  # small enough for all threads to finish together
    chunks = [(start, min(start + size, len(results))) for start in range(0, len(results), size)]
    finished = 0
    try:
        for start, stop in _play_chunks(new_table, chunks, min(jobs, len(chunks))):
            finished += (stop - start) // 2
            if progress is not None:
                progress(finished)
    except KeyboardInterrupt:
        raise Interrupted(results[results.winner != NOT_PLAYED]) from None


def _play_chunks(new_table: Callable[[], Table], chunks: list[tuple[int, int]], jobs: int) -> Iterator[tuple[int, int]]:
    """Play chunks of games on some threads; yields each when it is finished."""
    if jobs <= 1:
        play = new_table()
        for start, stop in chunks:
            play(start, stop)
            yield start, stop
        return

    # Compiled games run outside the interpreter's lock.
    tables: queue.SimpleQueue[Table] = queue.SimpleQueue()
    for _ in range(jobs):
        tables.put(new_table())

    def play_chunk(start: int, stop: int) -> tuple[int, int]:
        table = tables.get()
        table(start, stop)
        tables.put(table)
        return start, stop

    with ThreadPoolExecutor(jobs, "games") as pool:
        futures: list[Future[tuple[int, int]]] = [pool.submit(play_chunk, *chunk) for chunk in chunks]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:  # on Ctrl-C: what is being played is finished, what waits is dropped
            pool.shutdown(wait=True, cancel_futures=True)
