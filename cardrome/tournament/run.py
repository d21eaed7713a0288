"""Runs a tournament: admits the bots, asks the schedule for each round, has the missing games played and stores them.

Which games are played follows from the settings, the seed and the results of earlier rounds. So a run that is stopped,
at any moment and in any way, and resumed plays the same games as one that is not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Protocol, TypeVar

import msgspec

from cardrome.arena.players.player import PlayerSpec
from cardrome.arena.secret import is_public
from cardrome.arena.storage.database import DatabaseUnavailable
from cardrome.errors import CallerError, InfrastructureFault
from cardrome.tournament.admission import check
from cardrome.tournament.executors import Done, Ended, Executor, Lost, Refused, Retried
from cardrome.tournament.games import Entrant, GameTable
from cardrome.tournament.results.rounds import RoundResults
from cardrome.tournament.schedule.ladder import Ladder
from cardrome.tournament.schedule.pairing import Pairing, Schedule, estimate
from cardrome.tournament.schedule.round_robin import Gauntlet, RoundRobin
from cardrome.tournament.schedule.swiss import Swiss
from cardrome.tournament.settings import MACHINE_LIMITS, TournamentPlan
from cardrome.tournament.store.store import StoredRound, TournamentSnapshot, TournamentStore
from cardrome.tournament.work import GameQueue, Job, JobSettings, is_bulk, play_job, spec_of
from cardrome.wording import counted

_PAUSES = (0.0, 1.0, 2.0, 4.0)
"""Seconds to wait before each further attempt at games that were lost without a bot's fault."""
_HOPELESS = 50
"""Give up after this many lost jobs in a row; with many workers, after ten per worker."""
_STORE_SECONDS = 2.0
"""Between two attempts to reach a store that is unavailable."""

T = TypeVar("T")


class RunObserver(Protocol):
    """Is informed of what happens in a run."""

    def message(self, text: str) -> None:
        """Show a text to people."""

    def round(self, number: int, games: int, stored: int, planned: int | None) -> None:
        """A round begins: the number of its games, of those already stored, and of all games of the tournament."""

    def played(self, games: GameTable) -> None:
        """Games have ended and are stored."""


class TournamentRun:
    """One run of a tournament, from what is stored to the end."""

    def __init__(self, plan: TournamentPlan, store: TournamentStore, observer: RunObserver) -> None:
        self.plan = plan
        self.store = store
        self._observer = observer
        section = plan.settings.tournament
        self._seed_was_shown = _seed_was_shown(store)
        self.seed = store.register(section.name, section.seed, *fixed_and_growing(plan))
        private = (str(plan.file.resolve()), str(plan.folder / plan.store), store.name)
        self.settings = JobSettings(replace(plan.settings.bot_settings, private=private), section.replays)
        self.running: dict[Job, None] = {}
        """Jobs that were handed out and have not ended, the oldest first."""
        self.entrants: list[Entrant] = []
        """Those who were admitted."""
        self.stopped = False
        """`stop` was called."""
        self._results: RoundResults | None = None
        self._complained: set[str] = set()

    def admit(self, executor: Executor) -> None:
        """Build and check the bots; the ones that fail are left out, with a message."""
        plan, section = self.plan, self.plan.settings.tournament
        entered = self.store.enter(plan.settings.bots)
        self.store.set_active([entrant.id for entrant in entered])
        known = set(self.store.games().entrants.tolist())
        problems: dict[int, str] = {}
        for entrant in entered:
            failure = executor.build(entrant.bot, plan, self.settings.bots.private)
            if failure is not None:
                problems[entrant.id] = failure
        if section.check:
            fresh = [entrant for entrant in entered if entrant.id not in known and entrant.id not in problems]
            problems |= check([spec_of(entrant, plan.folder) for entrant in fresh], section.editions, executor)
        admitted = []
        for entrant in entered:
            problem = problems.get(entrant.id)
            if problem != entrant.problem:
                self.store.set_problem(entrant.id, problem)
            if problem is None:
                admitted.append(entrant)
            else:
                self._observer.message(f"{entrant.name} is left out: {problem}")
        if len(admitted) < 2:
            raise CallerError(f"{plan.file}: {len(admitted)} of the bots can play; a tournament needs at least two")
        self.entrants = admitted

    @property
    def schedule(self) -> Schedule:
        """The schedule of the settings, for the admitted entrants."""
        return make_schedule(self.plan, self.entrants, self.seed)

    def run(self, executor: Executor) -> None:
        """Play until the schedule has no further round, or until `stop` is called."""
        specs = {entrant.id: spec_of(entrant, self.plan.folder) for entrant in self.entrants}
        planned = estimate(self.schedule, specs)
        stored: Sequence[StoredRound] = []
        if self._draws_rounds:
            stored = self._patiently(self.store.rounds)
            self._refuse_newcomers(stored)
            self._results = RoundResults(self.plan.settings.tournament.pairs, self._patiently(self.store.games))
        compiled = False
        for number in count():
            pairings = stored[number].pairings if number < len(stored) else self._draw(number, list(specs))
            if pairings is None:
                return
            playable = [each for each in pairings if each.a in specs and each.b in specs]
            missing = self._patiently(partial(self.store.missing, playable))
            games = 2 * sum(each.pairs for each in playable)
            self._observer.round(number + 1, games, games - len(missing), planned)
            if missing and self._seed_was_shown:
                self._observer.message(
                    "warning: all games had been played before, so reports have shown the seed, and everybody can "
                    "compute the deals of further games; a tournament with another store has a new seed"
                )
                self._seed_was_shown = False
            if missing and not compiled:
                compile_for(self.plan.settings.tournament.editions, list(specs.values()), self.settings)
                compiled = True
            self._play(GameQueue(missing.lots(), specs, self.seed), executor)
            if self.stopped:
                return
            if self._results is not None:
                self._results.end_round(number, pairings)
                if number >= len(stored) or stored[number].finished_at is None:
                    self._patiently(partial(self.store.finish_round, number))

    def stop(self) -> None:
        """Hand out no more games; `run` returns once the current ones have ended. May be called by a signal handler."""
        self.stopped = True

    @property
    def _draws_rounds(self) -> bool:
        """Whether rounds depend on results, and are therefore stored as they were drawn."""
        return self.plan.settings.tournament.schedule in ("swiss", "ladder")

    def _draw(self, number: int, entrants: list[int]) -> Sequence[Pairing] | None:
        """Draw a round that is not stored."""
        if self._results is None:
            return self.schedule.round(number, entrants, {})
        drawn = self.schedule.round(number, entrants, self._results.totals, self._results.ratings(entrants))
        if drawn is not None:
            self._patiently(partial(self.store.add_round, number, drawn))
        return drawn

    def _refuse_newcomers(self, stored: Sequence[StoredRound]) -> None:
        """Nobody can join a Swiss tournament later: a newcomer is in none of its rounds, except one who had a bye."""
        if self.plan.settings.tournament.schedule != "swiss" or not stored:
            return
        drawn = {entrant for each in stored for pairing in each.pairings for entrant in (pairing.a, pairing.b)}
        new = [entrant.name for entrant in self.entrants if entrant.id not in drawn]
        if len(new) > (1 if len(stored) == 1 else 0):
            raise CallerError(
                f"{self.plan.file}: {', '.join(new)} cannot join: rounds of this Swiss tournament were drawn already. "
                "Continue with its first bots, or start another tournament in another store"
            )

    def _play(self, queue: GameQueue, executor: Executor) -> None:
        """Have games played. Lost jobs are played again, first together, then one by one.

        So a job that breaks its worker takes no others with it, and all others are played before the run gives up.
        """
        lost = self._attempt(queue, queue, executor)
        for tries, pause in enumerate(_PAUSES, 2):
            if not lost or self.stopped:
                return
            self._sleep(pause)
            jobs = [each.job for each in lost]
            lots = [jobs] if tries == 2 else [[job] for job in jobs]
            lost = [each for lot in lots for each in self._attempt(lot, queue, executor)]
        if lost and not self.stopped:
            games = counted(sum(each.job.games for each in lost), "game")
            raise InfrastructureFault(
                f"{games} could not be played in {len(_PAUSES) + 1} attempts, through no fault of a bot: "
                f"{lost[0].reason}. All others of this round are stored; the same command tries these again"
            )

    def _attempt(self, jobs: Iterable[Job], queue: GameQueue, executor: Executor) -> list[Lost]:
        """Play jobs once; returns the ones that were lost."""
        lost: list[Lost] = []
        in_a_row = 0
        # If something is raised here, the games being played are dropped at once.
        with closing(executor.run(self._until_stopped(jobs))) as batches:
            for batch in batches:
                failed = self._take(batch, queue)
                ended = [each for each in batch if not isinstance(each, Retried)]
                for each in batch:
                    if isinstance(each, Lost | Retried) and each.reason not in self._complained:
                        self._complained.add(each.reason)
                        self._observer.message(f"games will be played again, and count for nobody: {each.reason}")
                lost += failed
                if ended:
                    in_a_row = in_a_row + len(failed) if len(failed) == len(ended) else 0
                if in_a_row >= max(_HOPELESS, 10 * executor.jobs):
                    raise InfrastructureFault(
                        f"{counted(in_a_row, 'job')} in a row could not be played: {lost[-1].reason}"
                    )
        return lost

    def _until_stopped(self, jobs: Iterable[Job]) -> Iterator[Job]:
        for job in jobs:
            if self.stopped:
                return
            self.running[job] = None
            yield job

    def _take(self, batch: Sequence[Ended], queue: GameQueue) -> list[Lost]:
        """Store what was played; returns what was lost."""
        for each in batch:
            if not isinstance(each, Retried):
                self.running.pop(each.job, None)
        done = [each for each in batch if isinstance(each, Done)]
        if done:
            games = GameTable.joined([each.games for each in done])
            self._patiently(partial(self.store.save, games))
            if self._results is not None:
                self._results.add(games)
            self._observer.played(games)
        for each in done:
            queue.took(each.job, each.seconds)
        for refused in batch:
            if isinstance(refused, Refused):
                raise CallerError(refused.reason)
        return [each for each in batch if isinstance(each, Lost)]

    def _patiently(self, call: Callable[[], T]) -> T:
        """Use the store, waiting while it is unavailable or full. Whatever is written may be written again."""
        complained = told = False
        while True:
            try:
                return call()
            except DatabaseUnavailable as error:
                if not complained:
                    self._observer.message(f"the store is unavailable; games are held until it is back: {error}")
                    complained = True
                if self.stopped and not told:
                    self._observer.message("stopping when the store is back and the games held are stored")
                    told = True
                time.sleep(_STORE_SECONDS)

    def _sleep(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not self.stopped and time.monotonic() < end:
            time.sleep(0.05)


def compile_for(editions: Sequence[str], specs: Sequence[PlayerSpec], settings: JobSettings) -> None:
    """Compile the agents' code here, once, instead of in every worker at the same time."""
    for edition in editions:
        agents = [spec for spec in specs if spec.agent is not None and is_bulk(edition, spec, spec)]
        if agents:
            play_job(Job(edition, agents[0], agents[0], (0,), (0,)), settings)


def _seed_was_shown(store: TournamentStore) -> bool:
    """Whether reports of what is stored show a seed that was drawn as a secret."""
    from cardrome.tournament.results.summary import all_played

    stored = store.settings()
    if stored is None or is_public(stored.seed):
        return False
    return all_played(TournamentSnapshot(stored, store.entrants(), store.rounds(), store.games(), {}, []))


def fixed_and_growing(plan: TournamentPlan) -> tuple[str, str]:
    """The settings that stored games depend on, and the ones that only add games, both as JSON."""
    section, limits = plan.settings.tournament, plan.settings.limits
    play_limits = {name: value for name, value in msgspec.structs.asdict(limits).items() if name not in MACHINE_LIMITS}
    fixed: dict[str, object] = {"schedule": section.schedule, "limits": play_limits}
    if section.schedule in ("swiss", "ladder"):
        # Pairs are numbered through all rounds: with another number of pairs in a round, they would be others.
        fixed["pairs"] = section.pairs
    growing = {name: getattr(section, name) for name in ("pairs", "rounds", "editions", "challengers")}
    return msgspec.json.encode(fixed).decode(), msgspec.json.encode(growing).decode()


def make_schedule(plan: TournamentPlan, entrants: Sequence[Entrant], seed: int) -> Schedule:
    """The schedule that the settings ask for."""
    section = plan.settings.tournament
    if section.schedule == "gauntlet":
        challengers = [entrant.id for entrant in entrants if entrant.bot.name in section.challengers]
        if not challengers:
            raise CallerError(f"{plan.file}: no challenger was admitted, so there is no gauntlet")
        return Gauntlet(challengers, section.pairs, section.editions)
    if section.schedule == "swiss":
        assert section.rounds is not None
        return Swiss(section.rounds, section.pairs, section.editions, seed)
    if section.schedule == "ladder":
        return Ladder(section.pairs, section.editions, section.rounds)
    return RoundRobin(section.pairs, section.editions)
