"""One bot at a time: how a game is played that has killed its referee before, so that it shows who does it.

While a player is asked, nothing that the other one has started can run. Then whatever happens to the referee is the
doing of the player whose turn it is.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator

from cardrome.arena.players.orphans import descendants, process_state

_Tell = Callable[[int], None]
_current: list[Turns] = []
_STILL = ("T", "t", "Z", "X", "")
"""States in which a process does nothing."""
_STOP_SECONDS = 1.0
"""How long a process may take to stop."""


class Turns:
    """Freezes the processes of the player who has just been asked, before the other one is asked."""

    def __init__(self, tell: _Tell) -> None:
        self._tell = tell
        self._active: int | None = None
        self._frozen: dict[int, int | None] = {}

    def give(self, player: int) -> None:
        """Let only the processes of this player, 0 for A and 1 for B, run from now on."""
        if player == self._active:
            return
        # Whatever runs now was started by the active player, however well it hides: the others could not start any.
        # A process may fork and end before it stops, so we look again once all that are known have stopped.
        while running := [pid for pid in descendants() if pid not in self._frozen]:
            for pid in running:
                self._frozen[pid] = self._active
                _send(pid, signal.SIGSTOP)
            end = time.monotonic() + _STOP_SECONDS
            while any(process_state(pid) not in _STILL for pid in running) and time.monotonic() < end:
                time.sleep(0.001)
        self._tell(player)
        self._active = player
        for pid in [pid for pid, owner in self._frozen.items() if owner == player]:
            del self._frozen[pid]
            _send(pid, signal.SIGCONT)


@contextlib.contextmanager
def one_at_a_time(tell: _Tell) -> Iterator[None]:
    """Play what is played in this process one bot at a time; ``tell`` is called with the player before each turn."""
    _current.append(Turns(tell))
    try:
        yield
    finally:
        _current.pop()


def give_turn(player: int) -> None:
    """It is the turn of A (0) or B (1): matters only if bots play one at a time."""
    if _current:
        _current[-1].give(player)


def _send(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
