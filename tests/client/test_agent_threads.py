"""The threads in which a team's agent plans: who is told how much time there is."""

from __future__ import annotations

import asyncio
import time

from cardrome.client.agent_threads import AgentThreads
from cardrome.games.agents import Agent, AgentKind
from cardrome.games.tapdeck.protocol.game import TapdeckGame, TapdeckView


def test_plans_share_the_time_that_is_left() -> None:
    told: list[tuple[float, float] | None] = []

    class Noting(Agent):
        """Notes when its plans are due."""

        def act(self, view: TapdeckView) -> int:
            told.append(self.due)
            return view.legal_codes()[-1]

    async def play() -> None:
        threads = AgentThreads(AgentKind("noting", "", Noting), 0, 2)
        await threads.plan(TapdeckGame(), 0)
        start = time.monotonic()
        for behind in (5, 0):
            told.clear()
            await threads.plan(TapdeckGame(), 0, start + 1000, behind)
            due = told[0]
            assert due is not None
            # Two threads: five plans behind this one are two more rounds.
            assert abs(due[1] - (due[0] + (start + 1000 - due[0]) / (behind // 2 + 1))) < 1e-6
        threads.close()

    asyncio.run(play())
