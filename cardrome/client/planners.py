"""Threads in which an agent plans, so that the connection is never kept waiting."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable

from cardrome.client.rebuild import Rebuilt
from cardrome.games.agents import Agent, AgentKind
from cardrome.games.tapdeck.protocol.game import TapdeckGame, TapdeckPosition, TapdeckView
from cardrome.games.tapdeck.rules.actions import END_TURN, action_kind

_Job = Callable[[Agent], None]


class Planners:
    """Some threads, each with an agent of its own. They die with the process, even in the middle of a plan: an agent
    that does not come to an end must not keep a team from leaving."""

    def __init__(self, kind: AgentKind, seed: int, count: int) -> None:
        self._kind = kind
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._count = count
        for number in range(count):
            agent = kind.new(seed)
            threading.Thread(target=self._work, args=(agent,), name=f"planner {number}", daemon=True).start()

    def warm_up(self) -> asyncio.Future[list[int]] | None:
        """Let a built-in agent plan once: the first time, it may have to be compiled. None if there is no need."""
        if self._kind.kernel is None:
            return None
        game = TapdeckGame()
        return self.plan(Rebuilt(game.edition, game.decks, game.states), 0)

    def plan(self, rebuilt: Rebuilt, seed: int) -> asyncio.Future[list[int]]:
        """The actions of the rest of a turn, without END_TURN, once they are found. Plans are made in this order; one
        that is cancelled before it is begun is left out."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[list[int]] = loop.create_future()

        def job(agent: Agent) -> None:
            if future.cancelled():
                return
            result: list[int] | Exception
            try:
                agent.begin(seed)
                position = TapdeckPosition(*rebuilt)
                planned = agent.plan(TapdeckView(position, position.current))
                codes = [position.code_of(choice) for choice in planned]
                result = [code for code in codes if action_kind(code) != END_TURN]
            except Exception as error:
                result = error
            if not loop.is_closed():
                loop.call_soon_threadsafe(_settle, future, result)

        self._jobs.put(job)
        return future

    def close(self) -> None:
        """No more plans."""
        for _ in range(self._count):
            self._jobs.put(None)

    def _work(self, agent: Agent) -> None:
        while (job := self._jobs.get()) is not None:
            job(agent)


def _settle(future: asyncio.Future[list[int]], result: list[int] | Exception) -> None:
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)
