"""An agent as a team of a live event: it plays all the team's matches at once, over one connection.

Every turn the team asks whose turn it is in each match, looks at those where it is to move, plans them in threads, and
sends each plan as soon as it is made, matches in danger first; then it waits for the next turn. A lost connection is
made again, and the turn continues.

Commands do not say which turn they are meant for, and a busy machine may sleep through a turn and into the team's next
one. So the turn is asked again behind every look and every plan: a look that took too long is dropped, and what an
overtaken plan may have done is found out before the next one is made.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardrome.client import requests
from cardrome.client.agent_threads import AgentThreads
from cardrome.client.client import AsyncTapdeckClient
from cardrome.client.errors import CommandRefused, ConnectionLost, RefusalCode, was_refused
from cardrome.client.match import Look, TeamMatch, questions
from cardrome.client.requests import FinalScore, TurnInfo
from cardrome.engine.random import step
from cardrome.games.agents import AgentKind
from cardrome.games.tapdeck.rules.actions import FINISH_BLOCK, action_code
from cardrome.wording import counted

FIRST_DELAY, LONGEST_DELAY = 0.1, 10.0
"""Seconds before connecting again: after the first failure, and after many; half as long to half as long again."""
SHARE_FOR_PLANS = 0.8
"""The share of a turn after which a plan comes too late."""
PATIENCE_AT_THE_END, PATIENCE_BEFORE_IT = 3.0, 10.0
"""Seconds until a server that left after a WAIT is believed to be gone for good: if everything was played as far as the
team knew, and if some match may have been going on."""

_FINISH_BLOCK = action_code(FINISH_BLOCK, 0, 0)
_LATE = (RefusalCode.NOT_YOUR_TURN, RefusalCode.GAME_HAS_ENDED, RefusalCode.COMMANDS_LIMIT)
"""Refusals of a command that was right in its turn, and came too late."""


@dataclass
class TeamRecord:
    """What a team has done so far."""

    tournaments: int = 0
    turns: int = 0
    """Turns of the event in which there was something to do."""
    late_turns: int = 0
    """Turns in which a plan or a command came too late, and turns that were missed."""
    commands: int = 0
    """Actions commanded. Questions are not counted."""
    refused: Counter[int] = field(default_factory=Counter)
    """Refused actions by code. If the next turn may have come in between, only those that say so are counted."""
    failed_plans: int = 0
    """Plans for which the agent raised an exception."""
    reconnects: int = 0
    scores: dict[int, FinalScore] = field(default_factory=dict)
    """The scores of ended matches by id."""
    seen: set[int] = field(default_factory=set)
    """The ids of all matches, including those whose end the team did not see."""
    matches: int = 0
    running: int = 0
    turns_left: int | None = None
    """In the present tournament."""

    def summary(self) -> dict[str, Any]:
        """The record as JSON."""
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
            "unknown": sorted(self.seen.difference(self.scores)),
            "scores": {str(match): list(score) for match, score in sorted(self.scores.items())},
        }


@dataclass(frozen=True)
class Access:
    """Where the server is, and who logs in."""

    host: str
    port: int
    login: str
    password: str = field(repr=False)


class AgentTeam:
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
        """``only`` chooses the matches to play, by id. ``patience`` is how many seconds to try without a connection."""
        self.record = TeamRecord()
        self._access = access
        self._seed = seed
        self._patience = patience
        self._only = only
        self._log = log
        self._watch = watch
        self._threads = AgentThreads(agent, seed, workers)
        self._matches: dict[int, TeamMatch] = {}
        self._surveyed = False
        self._logged_in = False
        self._all_quiet = False
        """No match is going on, or a WAIT has just ended: this is how an event that is over leaves its teams. One that
        is stopped leaves them in the middle of a WAIT."""
        self._setbacks = 0
        """Failures to connect, and lost connections, since a turn was last played to its end."""
        self._last_good = 0.0
        self._turn_began: float | None = None
        self._turn_seconds: float | None = None

    async def play(self) -> TeamRecord:
        """Play until the event is over. `ConnectionLost` if the server stays away, `CommandRefused` if it says no."""
        loop = asyncio.get_running_loop()
        try:
            await self._threads.warm_up()
            self._last_good = loop.time()
            while (client := await self._connect()) is not None:
                try:
                    async with client:
                        await self._turns(client)
                except ConnectionLost as error:
                    self._all_quiet &= client.between_replies
                    self._note_broken(error)
        finally:
            self._threads.close()
        self._log("the event is over")
        return self.record

    def _note_broken(self, error: ConnectionLost) -> None:
        """The connection broke. By the time there is another, the matches may be in any turn."""
        if not self._all_quiet:
            self._log(f"{error}; connecting again")
            self.record.reconnects += 1
        self._setbacks += 1
        self._turn_began = None
        for match in self._matches.values():
            match.ended = False  # to be asked again: a restarted server may play it again

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
            except (ConnectionLost, CommandRefused) as error:
                tries += 1
                self._setbacks += 1
                if self._all_quiet and loop.time() > over:
                    return None
                out_of_patience = loop.time() > self._last_good + self._patience
                if out_of_patience or (was_refused(error, RefusalCode.BAD_LOGIN) and not self._logged_in):
                    raise
                if tries == 1 and not self._all_quiet:
                    self._log(f"{error}; trying again for {self._patience:g} seconds")
            else:
                self._log(f"logged in as {access.login} at {access.host}:{access.port}")
                self._logged_in = True
                self._all_quiet = False
                return client

    async def _turns(self, client: AsyncTapdeckClient) -> None:
        """Play turn after turn, until the connection ends."""
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
                continue  # the next turn has begun: a WAIT would miss it
            await client.wait()
            self._all_quiet = True
            self._setbacks = 0
            self._last_good = loop.time()
            waited = None if self._turn_began is None else self._last_good - self._turn_began
            self._turn_began = self._last_good

    async def _survey(self, client: AsyncTapdeckClient) -> int | None:
        """Find out which matches there are and whose turn it is. Returns the turns left; None if no match goes on."""
        while True:
            known = [match for match in self._matches.values() if not match.ended]
            batch: list[requests.Request[Any]] = [requests.my_matches()]
            ids, *infos = await client.pipeline([*batch, *(requests.turn_info(match.id) for match in known)])
            if any(was_refused(reply, RefusalCode.COMMANDS_LIMIT) for reply in (ids, *infos)):
                self._count_refusals((ids, *infos))
                continue
            if isinstance(ids, CommandRefused):
                raise ConnectionLost(f"the server does not tell which matches there are: {ids}")
            wanted = list(dict.fromkeys(number for number in ids if self._only(number)))
            if wanted != list(self._matches):
                await self._ask_scores(client, self._matches.values())
                self._matches = {number: TeamMatch(number, sure=self._surveyed) for number in wanted}
                self.record.seen.update(wanted)
                self.record.tournaments += bool(wanted)
                self.record.matches = len(wanted)
                if wanted:
                    self._all_quiet = False
                    self._log(f"a tournament with {counted(len(wanted), 'match', 'matches')}")
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
        """Ask for the scores of ended matches that are not known yet."""
        ended = [match for match in matches if match.score is None]
        replies = await client.pipeline([requests.final_score(match.id) for match in ended])
        for match, score in zip(ended, replies, strict=True):
            if isinstance(score, FinalScore):
                match.score = self.record.scores[match.id] = score

    async def _same_turn(self, client: AsyncTapdeckClient, left: int) -> bool:
        """Whether the turn with this many left still goes on."""
        for match in self._matches.values():
            if not match.ended:
                (info,) = await client.pipeline([requests.turn_info(match.id)])
                if isinstance(info, TurnInfo):
                    return info.left == left
                if was_refused(info, RefusalCode.COMMANDS_LIMIT):
                    return False
        return True  # no match goes on, so there is nothing to miss

    async def _move(self, client: AsyncTapdeckClient) -> bool:
        """Plan and play all matches in which the team is to move; returns whether everything was in time."""
        looks = await self._look(client, [match for match in self._matches.values() if match.to_move])
        if not looks:
            return True
        self.record.turns += 1
        # Those in danger first, by the health that their attackers would leave.
        looks.sort(key=lambda pair: pair[1].hp.mine - sum(card.attack for card in pair[1].attackers))
        plans: dict[asyncio.Future[list[int]], TeamMatch] = {}
        left = self._time_left()
        end = None if left is None else time.monotonic() + left
        for k, (match, look) in enumerate(looks, start=1):
            seed = step(self._seed ^ step(match.id * 10_007 + look.turn.left))
            plans[self._threads.plan(match.position(look), seed, end, len(looks) - k)] = match
        in_time = True
        while plans:
            done, _ = await asyncio.wait(plans, timeout=self._time_left(), return_when=asyncio.FIRST_COMPLETED)
            if (
                not done or self._time_left() == 0
            ):  # both, since a busy machine may wake us late with plans that are done
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
        """Seconds left for plans; None while the length of a turn, or the start of this one, is unknown."""
        if self._turn_began is None or self._turn_seconds is None:
            return None
        end = self._turn_began + SHARE_FOR_PLANS * self._turn_seconds
        return max(end - asyncio.get_running_loop().time(), 0)

    async def _look(self, client: AsyncTapdeckClient, to_move: list[TeamMatch]) -> list[tuple[TeamMatch, Look]]:
        """Everything there is to see in some matches."""
        looks = await self._ask_all(client, to_move)
        unsure = [match for match, look in looks if not match.sure and not look.attackers]
        if unsure:
            # The server does not tell whether blocking is over. Nobody attacks, so ending it costs nothing.
            # It may be carried out in a later turn, which has to be known then: so the turn is asked behind it.
            batch: list[requests.Request[Any]] = []
            for match in unsure:
                batch += [requests.finish_block(match.id), requests.turn_info(match.id)]
            replies = iter(await client.pipeline(batch))
            in_turn = [each for each in unsure if each.note_sent([_FINISH_BLOCK], [next(replies)], next(replies))]
            again = await self._ask_all(client, in_turn)
            looks = [pair for pair in looks if pair[0] not in unsure] + again
        return looks

    async def _ask_all(self, client: AsyncTapdeckClient, matches: Sequence[TeamMatch]) -> list[tuple[TeamMatch, Look]]:
        """Looks at some matches, leaving out those that the next turn or the end overtook."""
        batch = [questions(match.id) for match in matches]
        replies = iter(await client.pipeline([question for each in batch for question in each]))
        looks = []
        for match, asked in zip(matches, batch, strict=True):
            answers: list[Any] = [next(replies) for _ in asked]
            if answers[-1] == match.info and not any(isinstance(answer, CommandRefused) for answer in answers):
                looks.append((match, Look(*answers)))
        return looks

    async def _send(self, client: AsyncTapdeckClient, plans: Sequence[tuple[TeamMatch, list[int]]]) -> bool:
        """Send plans in one write; returns whether they were in time."""
        batch: list[requests.Request[Any]] = []
        for match, codes in plans:
            batch += [requests.action(match.id, code) for code in codes]
            batch.append(requests.turn_info(match.id))
        try:
            replies = iter(await client.pipeline(batch))
        except ConnectionLost:
            for match, codes in plans:
                match.note_unanswered(codes)
            raise
        in_time = True
        for match, codes in plans:
            part = [next(replies) for _ in codes]
            in_turn = match.note_sent(codes, part, next(replies))
            self.record.commands += len(part)
            self._count_refusals(part if in_turn else [reply for reply in part if was_refused(reply, *_LATE)])
            late = any(was_refused(reply, RefusalCode.NOT_YOUR_TURN) for reply in part)
            in_time &= (in_turn or match.ended) and not late
        return in_time

    def _count_refusals(self, replies: Iterable[object]) -> None:
        self.record.refused.update(reply.code for reply in replies if isinstance(reply, CommandRefused))
