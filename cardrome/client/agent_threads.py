"""Threads in which an agent plans, so that the connection never has to wait for it.

This is the one place where the client asks an agent.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable

from cardrome.games.agents import Agent, AgentKind, take_turn
from cardrome.games.tapdeck.protocol.game import TapdeckGame, TapdeckPosition, TapdeckView
from cardrome.games.tapdeck.rules.actions import END_TURN, action_kind

_Job = Callable[[Agent], None]


class AgentThreads:
    """Daemon threads, each with an agent of its own: one that never finishes its plan cannot keep a team alive."""

    def __init__(self, kind: AgentKind, seed: int, count: int) -> None:
        self._kind = kind
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._count = count
        for number in range(count):
            agent = kind.new(seed)
            threading.Thread(target=self._work, args=(agent,), name=f"agent {number}", daemon=True).start()

    async def warm_up(self) -> None:
        """Let a built-in agent plan once, since the first time it may have to be compiled."""
        if self._kind.kernel is not None:
            await self.plan(TapdeckGame(), 0)

    def plan(
        self, position: TapdeckPosition, seed: int, end: float | None = None, behind: int = 0
    ) -> asyncio.Future[list[int]]:
        """The action codes for the rest of the turn, without END_TURN.

        Plans are made in the order of the calls. One that is cancelled before it has begun is skipped. With an ``end``
        (by `time.monotonic`) the agent is told when its plan is due: the time left is shared with the ``behind`` plans
        that are asked for after this one.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[list[int]] = loop.create_future()

        def job(agent: Agent) -> None:
            if future.cancelled():
                return
            result: list[int] | Exception
            try:
                agent.begin(seed)
                now = time.monotonic()
                agent.due = None if end is None else (now, now + max(0.0, end - now) / (behind // self._count + 1))
                result = plan_turn(agent, self._kind, position)
            except Exception as error:
                result = error
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody wants the plan any more
                loop.call_soon_threadsafe(_settle, future, result)

        self._jobs.put(job)
        return future

    def close(self) -> None:
        """End the threads once the plans asked for are made."""
        for _ in range(self._count):
            self._jobs.put(None)

    def _work(self, agent: Agent) -> None:
        while (job := self._jobs.get()) is not None:
            job(agent)


def plan_turn(agent: Agent, kind: AgentKind, position: TapdeckPosition) -> list[int]:
    """The codes of an agent's actions for the rest of the turn, without END_TURN."""
    if kind.kernel is not None:  # built-in agents plan to the end of the turn, and all their actions are legal
        view = TapdeckView(position, position.current)
        codes = [position.code_of(choice) for choice in agent.plan(view)]
    else:
        game = TapdeckGame(position.edition, position.decks)
        game.states[:] = position.states
        take_turn(game, agent, kind.name)
        codes = game.actions
    return [code for code in codes if action_kind(code) != END_TURN]


def _settle(future: asyncio.Future[list[int]], result: list[int] | Exception) -> None:
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)
