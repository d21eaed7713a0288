"""A server in a thread of this process, whose clock ticks when everybody waits: no turn is too short, or too long."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from cardrome.server.host import EventHost
from cardrome.server.settings import read_plan
from cardrome.server.store.records import MatchResult
from cardrome.server.store.store import EventStore
from tests.server.processes import Client, add_teams, store_of, write_event

PATIENT = {"turn_seconds": 3600, "login_seconds": 600}
"""Server settings with which the clock only ticks when it is made to."""


class ServerThread:
    """An event that is played as fast as its players are."""

    def __init__(self, path: Path, players: int | None) -> None:
        """The clock ticks as soon as this many connections wait for the next turn, or by the settings if None."""
        self.path = path
        self.log: list[str] = []
        self.players = players
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        self._started.wait()

    @property
    def port(self) -> int:
        return self.host.port

    def client(self, team: str) -> Client:
        """A connection of a team."""
        return Client(self.port, team)

    def _run(self) -> None:
        plan = read_plan(self.path)
        try:
            with EventStore.open(plan.store, base=plan.folder) as store:
                self.host = EventHost(plan, store, self.log.append)
                asyncio.run(self._main())
        finally:
            self._started.set()

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        ticking = None if self.players is None else asyncio.create_task(self._tick())
        await self.host.run(self._started.set)
        if ticking is not None:
            ticking.cancel()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(0.001)
            if len(self.host.lobby.waiting) >= (self.players or 0):
                self.host._tick()

    def tick(self) -> None:
        """Let a turn end, whoever waits for it: for those who connect afterwards."""
        self._loop.call_soon_threadsafe(self.host._tick)

    def results(self) -> list[MatchResult]:
        """All matches that have ended, once the event is over."""
        self._thread.join()
        with store_of(self.path) as store:
            return [match for each in store.tournaments() for match in store.matches(each.number)]

    def ask_to_stop(self) -> None:
        with suppress(RuntimeError):  # the loop is closed: it has ended by itself
            self._loop.call_soon_threadsafe(self.host.stop, "the test is over")

    def stop(self) -> None:
        self.ask_to_stop()
        self._thread.join()


@contextmanager
def server_thread(
    folder: Path, teams: Sequence[str], players: int | None, *, deck: str | None = None, **sections: Mapping[str, Any]
) -> Iterator[ServerThread]:
    """A server in this process that ticks whenever ``players`` connections wait; it ends with the block."""
    server_settings = {**PATIENT, **sections.pop("server", {})}
    path = write_event(folder / "event.toml", deck=deck, server=server_settings, **sections)
    if teams:
        add_teams(path, *teams)
    server = ServerThread(path, players)
    try:
        yield server
    finally:
        server.stop()
