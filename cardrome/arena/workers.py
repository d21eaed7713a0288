"""Work spread over processes, its results in order."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from itertools import islice
from multiprocessing import parent_process
from multiprocessing.util import Finalize
from typing import TypeVar

from cardrome.arena.affinity import pinned
from cardrome.arena.players.process import kill_bots
from cardrome.arena.spawning import spawning

Item = TypeVar("Item")
Result = TypeVar("Result")


def spread(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    jobs: int,
    finish: Callable[[], None] | None = None,
    affinity: bool = False,
) -> Generator[Result, None, None]:
    """The results of the items, in order; with several jobs they are computed in that many processes.

    ``finish`` is called at the end in every process that has worked. With several jobs, ``work`` and ``finish`` must be
    functions that another process can import. With ``affinity`` every process keeps to a core of its own, if there are
    enough.
    """
    if jobs <= 1:
        try:
            for item in items:
                with pinned(affinity):  # item by item, since the caller's own code runs between them
                    result = work(item)
                yield result
        finally:
            if finish is not None:
                finish()
        return
    begin = partial(begin_worker, finish, affinity)
    with ProcessPoolExecutor(jobs, mp_context=spawning(), initializer=begin) as pool:
        waiting = iter(items)
        # Far enough ahead that no process idles behind a slow item, but there may be millions of items.
        ahead: deque[Future[Result]] = deque()
        try:
            while True:
                for item in islice(waiting, 8 * jobs - len(ahead)):
                    ahead.append(pool.submit(work, item))
                if not ahead:
                    return
                yield ahead.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def begin_worker(finish: Callable[[], None] | None, affinity: bool = False) -> None:
    """Leave Ctrl-C to the parent process, and end when it ends, even if it is killed: the pool would not notice.

    The bots of this process end with it, unless it is killed itself.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end_now)
    if affinity:
        pinned().__enter__()  # until the process ends
    if finish is not None:
        Finalize(None, finish, exitpriority=10)  # worker processes do not run atexit functions, but these
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        kill_bots()
        os._exit(1)


def _end_now(*_: object) -> None:
    kill_bots()
    os._exit(143)
