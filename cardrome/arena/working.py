"""The inside of a worker process, which may be attacked by the bots whose games it referees.

Outside a sandbox a bot can lower the limits of its referee, so that files cannot be opened, memory is refused, or the
opponent, who inherits them, crashes. What was played under such limits does not count: the process ends at once, which
is treated as if the bot had killed it.
"""

from __future__ import annotations

import contextlib
import os
import resource
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

LIMITED = 75
"""The exit code of a process whose limits were lowered."""
_KINDS = sorted({getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")})


def work_on(pipe: Any, work: Callable[[Any], Any], finish: Callable[[], None] | None, affinity: bool) -> None:
    """Work on the items that come through a pipe, and send back what becomes of each."""
    _begin(affinity)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    own = _limits()

    def tell(player: int) -> None:
        _end_if_limited(own)  # by the other player: this one could not run yet
        pipe.send(("turn", player))

    try:
        # The pipe breaks when all is done, or the parent was killed.
        with contextlib.suppress(EOFError, OSError):
            while True:
                item, alone = pipe.recv()
                _end_if_limited(own)
                with one_at_a_time(tell) if alone else contextlib.nullcontext():
                    answer = _attempt(work, item)
                _end_if_limited(own)
                pipe.send(answer)
    finally:
        _end_if_limited(own)
        if finish is not None:
            finish()


def _limits() -> list[float]:
    """The limits of this process, soft and hard."""
    found = [limit for kind in _KINDS for limit in resource.getrlimit(kind)]
    return [float("inf") if limit == resource.RLIM_INFINITY else limit for limit in found]


def _end_if_limited(own: list[float]) -> None:
    """End this process if a limit is lower than it was. Our own code may raise some, which harms nobody."""
    try:
        lowered = any(now < before for now, before in zip(_limits(), own, strict=True))
    except MemoryError:
        lowered = True
    if lowered:
        _end(LIMITED)


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
        _end(1)


def _end_now(*_: object) -> None:
    _end(143)


def _end(code: int) -> None:
    """End this process together with its bots, whatever goes wrong."""
    try:
        kill_bots()
    finally:
        os._exit(code)
