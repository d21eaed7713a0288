"""The games in play on this server: whose they are, how many there may be, and one change at a time to each.

Everything that touches a game runs in a thread of a small pool, so that an agent who thinks holds up nobody but its own
opponent. Kernels let go of Python's lock, so several of them do think at the same time.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

import msgspec

from cardrome.arena.duel import Duel
from cardrome.errors import CardromeError
from cardrome.web.play.answers import Seen, head, state

T = TypeVar("T")

THREADS = 4
"""Agents that think at the same time."""
GAMES = 400
"""Games in all."""
OWN_GAMES = 12
"""Games of one visitor. One more, and the one they left alone for longest is forgotten."""
IDLE = 24 * 3600.0
"""Seconds after which a game that nobody touched is forgotten."""
IDLE_WHEN_FULL = 600.0
"""The same, when there is no room for another."""


class Full(CardromeError):
    """There is no room for another game."""


class RunningGame:
    """A duel on the server. Its methods run in a thread, one at a time: see `Games.run`."""

    def __init__(self, owner: str, duel: Duel) -> None:
        self.id = secrets.token_urlsafe(12)
        self.owner = owner
        self.duel = duel
        self.at = 0
        self.used = time.monotonic()
        self.lock = asyncio.Lock()

    def start(self) -> None:
        """Let the opponent begin, if the first turn is theirs."""
        self.duel.answer()

    def whole(self) -> bytes:
        """Head and state, for a page that knows nothing yet."""
        return msgspec.json.encode({"id": self.id, **head(self.duel), **state(self.duel, self.at, Seen())})

    def change(self, at: int | None, act: Callable[[Duel], object]) -> bytes:
        """Do something, unless the page's state is not the present one; returns the state then.

        Whatever fails has changed nothing that the page could see.
        """
        if at not in (None, self.at):
            return msgspec.json.encode(state(self.duel, self.at, Seen()))
        seen = Seen(self.duel)
        act(self.duel)
        self.duel.answer()
        self.at += 1
        return msgspec.json.encode(state(self.duel, self.at, seen))


class Games:
    """All games in play."""

    def __init__(self, most: int = GAMES, own: int = OWN_GAMES) -> None:
        self.most, self.own = most, own
        self._games: dict[str, RunningGame] = {}
        self._coming = 0
        """Games that are being made: they have a place already."""
        self._pool = ThreadPoolExecutor(THREADS, "play")

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """While the site is served: games that were left alone are forgotten from time to time."""
        sweeper = asyncio.create_task(self._sweep())
        try:
            yield
        finally:
            sweeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sweeper
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(60)
            self.forget_idle(IDLE)

    def forget_idle(self, seconds: float) -> None:
        """Forget the games that nobody touched for so long."""
        before = time.monotonic() - seconds
        self._games = {key: game for key, game in self._games.items() if game.used > before}

    def of(self, owner: str) -> list[RunningGame]:
        """A visitor's games, the one touched last first."""
        return sorted((game for game in self._games.values() if game.owner == owner), key=lambda game: -game.used)

    def find(self, owner: str, key: str) -> RunningGame | None:
        """A visitor's game. Others' games are as good as none."""
        game = self._games.get(key)
        if game is None or game.owner != owner:
            return None
        game.used = time.monotonic()
        return game

    async def add(self, owner: str, make: Callable[[], Duel]) -> RunningGame:
        """A new game, in which the person is to move. `Full` if there is no room for it."""
        if len(self._games) + self._coming >= self.most:
            self.forget_idle(IDLE_WHEN_FULL)
        if len(self._games) + self._coming >= self.most:
            raise Full("too many games are being played here; try again later")
        self._coming += 1
        try:
            game = await self._in_thread(lambda: _begun(owner, make))
        finally:
            self._coming -= 1
        theirs = self.of(owner)
        finished_first = sorted(theirs, key=lambda each: (each.duel.to_move is not None, each.used))
        for old in finished_first[: max(0, len(theirs) + 1 - self.own)]:
            self._games.pop(old.id, None)
        self._games[game.id] = game
        return game

    async def run(self, game: RunningGame, work: Callable[[], T]) -> T:
        """Do something with a game when it is its turn. It is done to its end even if the visitor goes away."""

        async def locked() -> T:
            async with game.lock:
                return await self._in_thread(work)

        return await asyncio.shield(asyncio.create_task(locked()))

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)


def _begun(owner: str, make: Callable[[], Duel]) -> RunningGame:
    game = RunningGame(owner, make())
    game.start()
    return game
