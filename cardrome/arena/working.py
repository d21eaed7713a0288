"""The inside of a worker process, which may be attacked by the bots whose games it referees."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import traceback
from collections.abc import Callable
from multiprocessing import parent_process
from typing import Any

from cardrome.arena.affinity import pinned
from cardrome.arena.players.orphans import all_children_are_bots, kill_bots
from cardrome.arena.players.turns import one_at_a_time
from cardrome.errors import CallerError, InfrastructureFault


def work_on(pipe: Any, work: Callable[[Any], Any], finish: Callable[[], None] | None, affinity: bool) -> None:
    """Work on the items that come through a pipe, and send back what becomes of each."""
    _begin(affinity)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    try:
        # The pipe breaks when all is done, or the parent was killed.
        with contextlib.suppress(EOFError, OSError):
            while True:
                item, alone = pipe.recv()
                with one_at_a_time(lambda player: pipe.send(("turn", player))) if alone else contextlib.nullcontext():
                    answer = _attempt(work, item)
                pipe.send(answer)
    finally:
        if finish is not None:
            finish()


def _attempt(work: Callable[[Any], Any], item: Any) -> tuple[str, Any]:
    """What comes of an item, as it is sent: exceptions by their text, since not all survive the journey."""
    try:
        return "done", work(item)
    except CallerError as error:
        return "caller", str(error)
    except InfrastructureFault as error:
        return "fault", str(error)
    except Exception:
        return "bug", traceback.format_exc()


def _begin(affinity: bool) -> None:
    """Leave Ctrl-C to the parent process, and end when it ends, even if it is killed.

    The bots of this process end with it, unless it is killed itself.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end_now)
    all_children_are_bots()
    if affinity:
        pinned().__enter__()  # until the process ends
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
