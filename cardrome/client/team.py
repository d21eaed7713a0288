"""A built-in agent as a team of a live event: it plays in all its matches at once, over one connection.

Every turn: see whose turn it is in each match, look at those to move, plan them in threads, and send each plan as soon
as it is made, matches in danger first; then wait for the next turn. A connection that breaks is made again, and the
turn goes on where it was.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardrome.client import requests
from cardrome.client.client import AsyncTapdeckClient
from cardrome.client.errors import (
    BlockingAlreadyFinished,
    CommandRefused,
    ConnectionLost,
    ForcedWaiting,
    GameHasEnded,
    LoginRefused,
    NotYourTurn,
)
from cardrome.client.matches import TeamMatch
from cardrome.client.planners import Planners
from cardrome.client.rebuild import Look, questions
from cardrome.client.requests import Score, TurnInfo
from cardrome.engine.random import step
from cardrome.games.agents import AgentKind

FIRST_DELAY, LONGEST_DELAY = 0.1, 10.0
"""Seconds before connecting again: after the first failure, and the most that doubling leads to; give or take half."""
SHARE_FOR_PLANS = 0.8
"""Of a turn's time: a plan that is not made by then comes too late."""
PATIENCE_AT_THE_END, PATIENCE_BEFORE_IT = 3.0, 10.0
"""Seconds after which a server that left when a wait had ended is believed to be gone for good: if all was played, as
far as was known, and if some match may have been going on."""


@dataclass
class TeamRecord:
    """What a team has done so far."""

    tournaments: int = 0
    turns: int = 0
    """Turns of the clock in which there was something to do."""
    late_turns: int = 0
    """Those in which a plan or a command came too late, and those that passed unseen."""
    commands: int = 0
    """Actions commanded; questions are not counted."""
    refused: Counter[int] = field(default_factory=Counter)
    """How often each error code came."""
    failed_plans: int = 0
    """Turns of a match in which the agent failed."""
    reconnects: int = 0
    scores: dict[int, Score] = field(default_factory=dict)
    """Of matches that have ended."""
    matches: int = 0
    running: int = 0
    turns_left: int | None = None
    """Of the present tournament."""

    def summary(self) -> dict[str, Any]:
        """All of it for programs."""
        results = Counter((score.mine > score.theirs) - (score.mine < score.theirs) for score in self.scores.values())
        return {
            "tournaments": self.tournaments,
            "turns": self.turns,
            "late_turns": self.late_turns,
            "commands": self.commands,
            "refused": {str(code): n for code, n in sorted(self.refused.items())},
            "failed_plans": self.failed_plans,
            "reconnects": self.reconnects,
            "wins": results[1],
            "draws": results[0],
            "losses": results[-1],
            "scores": {str(match): list(score) for match, score in sorted(self.scores.items())},
        }


@dataclass(frozen=True)
class Access:
    """Where the server is, and who logs in."""

    host: str
    port: int
    login: str
    password: str = field(repr=False)


class Team:
    """Plays until the event is over."""

    def __init__(
        self,
        access: Access,
        agent: AgentKind,
        seed: int = 0,
        workers: int = 1,
        patience: float = 120.0,
        only: Callable[[int], bool] = lambda match: True,
        log: Callable[[str], None] = lambda message: None,
        watch: Callable[[TeamRecord], None] = lambda record: None,
    ) -> None:
        """``only`` says which matches to play, by id. ``patience``: seconds without a connection before giving up."""
        self.record = TeamRecord()
        self._access = access
        self._seed = seed
        self._patience = patience
        self._only = only
        self._log = log
        self._watch = watch
        self._planners = Planners(agent, seed, workers)
        self._matches: dict[int, TeamMatch] = {}
        self._surveyed = False
        self._logged_in = False
        self._all_quiet = False
        """No match goes on, or the last turn is played, or a wait has just ended: where an event that is over leaves
        its teams. One that is stopped leaves them in the middle of a wait."""
        self._setbacks = 0
        """Failures to connect, and connections that broke, since the last turn that was played to its end."""
        self._last_good = 0.0
        self._turn_began: float | None = None
        self._turn_seconds: float | None = None

    async def play(self) -> TeamRecord:
        """Play until the event is over; `ConnectionLost` if the server stays away, `LoginRefused` if it says no."""
        loop = asyncio.get_running_loop()
        try:
            warm = self._planners.warm_up()
            if warm is not None:
                await warm
            self._last_good = loop.time()
            while (client := await self._connect()) is not None:
                try:
                    async with client:
                        await self._turns(client)
                except ConnectionLost as error:
                    self._all_quiet &= client.between_replies
                    self._note_broken(error)
        finally:
            self._planners.close()
        self._log("the event is over")
        return self.record

    def _note_broken(self, error: ConnectionLost) -> None:
        """A connection broke; the matches may be in any turn when there is another."""
        if not self._all_quiet:
            self._log(f"{error}; connecting again")
            self.record.reconnects += 1
        self._setbacks += 1
        self._turn_began = None
        for match in self._matches.values():
            match.ended = False  # to be asked again: after a restart of the server it may be played again

    async def _connect(self) -> AsyncTapdeckClient | None:
        """A new connection; None if the event is over."""
        loop = asyncio.get_running_loop()
        access, tries = self._access, 0
        all_played = self.record.running == 0 or self.record.turns_left == 1
        over = loop.time() + (PATIENCE_AT_THE_END if all_played else PATIENCE_BEFORE_IT)
        while True:
            if self._setbacks:
                longest = PATIENCE_AT_THE_END / 4 if self._all_quiet else LONGEST_DELAY
                delay = min(FIRST_DELAY * 2 ** min(self._setbacks - 1, 20), longest)
                await asyncio.sleep(delay * random.uniform(0.5, 1.5))
            try:
                client = await AsyncTapdeckClient.connect(access.host, access.port, access.login, access.password)
            except (ConnectionLost, LoginRefused) as error:
                tries += 1
                self._setbacks += 1
                if self._all_quiet and loop.time() > over:
                    return None
                out_of_patience = loop.time() > self._last_good + self._patience
                if out_of_patience or (isinstance(error, LoginRefused) and not self._logged_in):
                    raise
                if tries == 1 and not self._all_quiet:
                    self._log(f"{error}; trying again for {self._patience:g} seconds")
            else:
                self._log(f"logged in as {access.login} at {access.host}:{access.port}")
                self._logged_in = True
                self._all_quiet = False
                return client

    async def _turns(self, client: AsyncTapdeckClient) -> None:
        """Turn after turn, until the connection ends."""
        loop = asyncio.get_running_loop()
        seen: int | None = None
        waited: float | None = None
        while True:
            left = await self._survey(client)
            self._all_quiet = left is None
            if left is not None:
                passed = 0 if seen is None else seen - left
                if passed == 1 and waited is not None:
                    self._turn_seconds = waited
                self.record.late_turns += max(passed - 1, 0)
                if left != seen:
                    in_time = await self._move(client)
                    self.record.late_turns += not in_time
            seen, waited = left, None
            self._watch(self.record)
            if left is not None and not await self._same_turn(client, left):
                self._turn_began = None
                continue  # the next turn has begun: waiting would miss it
            if left == 1 and self._turn_seconds is not None:
                # Scores can be read between the end of the last turn and that of the event; a wait would miss them.
                self._all_quiet = True
                await asyncio.sleep(self._turn_seconds / 2)
                continue
            await client.wait()
            self._all_quiet = True
            self._setbacks = 0
            self._last_good = loop.time()
            waited = None if self._turn_began is None else self._last_good - self._turn_began
            self._turn_began = self._last_good

    async def _survey(self, client: AsyncTapdeckClient) -> int | None:
        """Which matches there are and whose turn it is in them. Returns the turns left; None if none is going on."""
        while True:
            known = [match for match in self._matches.values() if not match.ended]
            batch: list[requests.Request[Any]] = [requests.my_matches()]
            ids, *infos = await client.pipeline([*batch, *(requests.turn_info(match.id) for match in known)])
            if any(isinstance(reply, ForcedWaiting) for reply in (ids, *infos)):
                self._note_refused((ids, *infos))
                continue
            if isinstance(ids, CommandRefused):
                raise ConnectionLost(f"the server does not tell which matches there are: {ids}")
            wanted = list(dict.fromkeys(number for number in ids if self._only(number)))
            if wanted != list(self._matches):
                await self._ask_scores(client, self._matches.values())
                self._matches = {number: TeamMatch(number, sure=self._surveyed) for number in wanted}
                self.record.tournaments += bool(wanted)
                self.record.matches = len(wanted)
                if wanted:
                    self._all_quiet = False
                    self._log(f"a tournament with {len(wanted)} matches")
                self._surveyed = True
                continue
            self._surveyed = True
            for match, info in zip(known, infos, strict=True):
                if isinstance(info, TurnInfo):
                    match.note_turn(info)
                else:
                    match.ended = True
            await self._ask_scores(client, [match for match in self._matches.values() if match.ended])
            running = [match for match in self._matches.values() if not match.ended]
            self.record.running = len(running)
            self.record.turns_left = max((match.info.left for match in running if match.info), default=None)
            return self.record.turns_left

    async def _ask_scores(self, client: AsyncTapdeckClient, matches: Iterable[TeamMatch]) -> None:
        """The scores of matches that have ended, as far as they are not known yet."""
        ended = [match for match in matches if match.score is None]
        replies = await client.pipeline([requests.final_score(match.id) for match in ended])
        for match, score in zip(ended, replies, strict=True):
            if isinstance(score, Score):
                match.score = self.record.scores[match.id] = score

    async def _same_turn(self, client: AsyncTapdeckClient, left: int) -> bool:
        """Whether the turn with so many left still goes on."""
        for match in self._matches.values():
            if not match.ended:
                (info,) = await client.pipeline([requests.turn_info(match.id)])
                if isinstance(info, TurnInfo):
                    return info.left == left
                if isinstance(info, ForcedWaiting):
                    return False
        return True  # nothing goes on any more, so nothing can be missed

    async def _move(self, client: AsyncTapdeckClient) -> bool:
        """Plan and play all matches to move; returns whether all was in time."""
        looks = await self._look(client, [match for match in self._matches.values() if match.to_move])
        if not looks:
            return True
        self.record.turns += 1
        # Those in danger first: what their attackers leave of the own health decides.
        looks.sort(key=lambda pair: pair[1].hp.mine - sum(card.attack for card in pair[1].attackers))
        plans: dict[asyncio.Future[list[int]], TeamMatch] = {}
        for match, look in looks:
            seed = step(self._seed ^ step(match.id * 10_007 + look.turn.left))
            plans[self._planners.plan(match.rebuild(look), seed)] = match
        in_time = True
        while plans:
            done, _ = await asyncio.wait(plans, timeout=self._time_left(), return_when=asyncio.FIRST_COMPLETED)
            if not done:
                for plan in plans:
                    plan.cancel()
                return False
            made = [(plans.pop(plan), plan) for plan in done]
            for match, plan in made:
                if plan.exception() is not None:
                    self.record.failed_plans += 1
                    self._log(f"the agent failed in match {match.id}: {plan.exception()!r}")
            ready = [(match, plan.result()) for match, plan in made if plan.exception() is None]
            in_time &= await self._send(client, ready)
        return in_time

    def _time_left(self) -> float | None:
        """Seconds that are left for plans; None if it is unknown how long a turn is or when this one began."""
        if self._turn_began is None or self._turn_seconds is None:
            return None
        end = self._turn_began + SHARE_FOR_PLANS * self._turn_seconds
        return max(end - asyncio.get_running_loop().time(), 0)

    async def _look(self, client: AsyncTapdeckClient, to_move: list[TeamMatch]) -> list[tuple[TeamMatch, Look]]:
        """All there is to see in some matches."""
        looks = await self._ask_all(client, to_move)
        unsure = [match for match, look in looks if not match.sure and not look.attackers]
        if unsure:
            # Whether blocking is over cannot be asked. Nobody attacks, so ending it costs nothing.
            replies = await client.pipeline([requests.finish_block(match.id) for match in unsure])
            for match, reply in zip(unsure, replies, strict=True):
                match.memory.blocking_over = reply is None or isinstance(reply, BlockingAlreadyFinished)
            again = await self._ask_all(client, unsure)
            looks = [pair for pair in looks if pair[0] not in unsure] + again
        return looks

    async def _ask_all(self, client: AsyncTapdeckClient, matches: Sequence[TeamMatch]) -> list[tuple[TeamMatch, Look]]:
        """The answers to all questions about some matches, leaving out those that the next turn or the end overtook."""
        batch = [questions(match.id) for match in matches]
        replies = iter(await client.pipeline([question for each in batch for question in each]))
        looks = []
        for match, asked in zip(matches, batch, strict=True):
            answers = [next(replies) for _ in asked]
            if not any(isinstance(answer, CommandRefused) for answer in answers):
                looks.append((match, Look(match.info, *answers)))  # type: ignore[arg-type]
        return looks

    async def _send(self, client: AsyncTapdeckClient, plans: Sequence[tuple[TeamMatch, list[int]]]) -> bool:
        """Send plans in one write; returns whether they came in time."""
        try:
            batch = [requests.action(match.id, code) for match, codes in plans for code in codes]
            replies = await client.pipeline(batch)
        except ConnectionLost:
            for match, codes in plans:
                match.note_lost(codes)
            raise
        self.record.commands += len(replies)
        start = 0
        for match, codes in plans:
            part = replies[start : start + len(codes)]
            start += len(codes)
            match.note_sent(codes, part)
            match.ended |= any(isinstance(reply, GameHasEnded) for reply in part)
        self._note_refused(replies)
        return not any(isinstance(reply, (NotYourTurn, ForcedWaiting)) for reply in replies)

    def _note_refused(self, replies: Sequence[Any]) -> None:
        self.record.refused.update(reply.code for reply in replies if isinstance(reply, CommandRefused))
