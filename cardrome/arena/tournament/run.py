"""Runs a tournament: admits the bots, asks the schedule round by round, has the missing games played, stores them.

All that decides which games are played follows from the settings, the seed and the results of earlier rounds. So a run
that was stopped, at any moment and in any way, goes on to the same set of games as one that was not.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import msgspec

from cardrome.arena.database import DatabaseUnavailable
from cardrome.arena.tournament.admission import build, check
from cardrome.arena.tournament.dealer import Dealer
from cardrome.arena.tournament.executors import Done, Executor, Lost
from cardrome.arena.tournament.ladder_ratings import LadderTable
from cardrome.arena.tournament.pairing import Pairing, Results, Schedule, Total
from cardrome.arena.tournament.records import DRAW, Entrant, GameRecord
from cardrome.arena.tournament.schedule import Gauntlet, Ladder, RoundRobin, Swiss, estimate
from cardrome.arena.tournament.settings import TournamentPlan
from cardrome.arena.tournament.store import TournamentStore
from cardrome.arena.tournament.store_records import Columns
from cardrome.arena.tournament.work import Job, JobSettings, PlayerSpec, is_bulk, play_job, spec_of
from cardrome.errors import CallerError, InfrastructureFault

_TRIES = 5
"""How often a job is played again that broke without any bot's fault."""
_STORE_SECONDS = 2.0
"""Between two tries to reach a store that is away."""


class Watch(Protocol):
    """Who is told what happens."""

    def message(self, text: str) -> None:
        """Something that people should read."""

    def round(self, number: int, games: int, stored: int, planned: int | None) -> None:
        """A round begins: its games, those of them that are stored already, and the games of the whole tournament."""

    def played(self, records: Sequence[GameRecord]) -> None:
        """Games have ended and are stored."""


class TournamentRun:
    """One run of a tournament, from where the store stands to the end."""

    def __init__(self, plan: TournamentPlan, store: TournamentStore, watch: Watch) -> None:
        self.plan = plan
        self.store = store
        self._watch = watch
        section = plan.settings.tournament
        self.seed = store.register(section.name, section.seed, *fixed_and_growing(plan))
        self.settings = JobSettings(plan.settings.bot_settings, section.replays)
        self.entrants: list[Entrant] = []
        """Those who play."""

    def admit(self) -> None:
        """Build and check the bots; those that fail are told and left out."""
        plan, section = self.plan, self.plan.settings.tournament
        entered = self.store.enter_all(plan.settings.bots)
        self.store.set_active([entrant.id for entrant in entered])
        results = self.store.results()
        known = set(results.a.tolist()) | set(results.b.tolist())
        admitted = []
        for entrant in entered:
            problem = build(entrant.bot, plan.folder, plan.settings.limits.build_seconds)
            if problem is None and section.check and entrant.id not in known:
                problem = check(spec_of(entrant, plan.folder), section.editions, self.settings)
            if problem != entrant.problem:
                self.store.set_problem(entrant.id, problem)
            if problem is None:
                admitted.append(entrant)
            else:
                self._watch.message(f"{entrant.name} is left out: {problem}")
        if len(admitted) < 2:
            raise CallerError(f"{plan.file}: {len(admitted)} bots were admitted; a tournament needs at least two")
        self.entrants = admitted

    @property
    def schedule(self) -> Schedule:
        """The schedule of the settings, for the entrants there are."""
        return make_schedule(self.plan, self.entrants, self.seed)

    def run(self, executor: Executor) -> None:
        """Play until the schedule has no further round."""
        specs = {entrant.id: spec_of(entrant, self.plan.folder) for entrant in self.entrants}
        planned = estimate(self.schedule, specs)
        compile_for(self.plan.settings.tournament.editions, list(specs.values()), self.settings)
        number = 0
        while (pairings := self._pairings(number, list(specs))) is not None:
            playable = [each for each in pairings if each.a in specs and each.b in specs]
            missing = self.store.missing_of(playable)
            games = 2 * sum(each.pairs for each in playable)
            self._watch.round(number + 1, games, games - len(missing), planned)
            self._play(Dealer(missing, specs, self.seed), executor)
            if self._draws_rounds:
                self.store.finish_round(number)
            number += 1

    @property
    def _draws_rounds(self) -> bool:
        """Rounds depend on results, so they are kept as they were drawn."""
        return self.plan.settings.tournament.schedule in ("swiss", "ladder")

    def _pairings(self, number: int, entrants: list[int]) -> Sequence[Pairing] | None:
        """The pairings of a round: as they were drawn before, or drawn now."""
        if not self._draws_rounds:
            return self.schedule.round(number, entrants, {})
        stored = self.store.rounds()
        if number < len(stored):
            return stored[number].pairings
        columns = self.store.results(before_round=number)
        ratings = ladder_table(columns, [each.pairings for each in stored])
        beliefs = {entrant: (ratings.mu(str(entrant)), ratings.sigma(str(entrant))) for entrant in entrants}
        drawn = self.schedule.round(number, entrants, totals(columns), beliefs)
        if drawn is not None:
            self.store.add_round(number, drawn)
        return drawn

    def _play(self, dealer: Dealer, executor: Executor) -> None:
        tries: Counter[tuple[str, int, int, tuple[int, ...], int | None]] = Counter()
        complained: set[str] = set()
        while True:
            batches = executor.run(dealer)
            lost: list[Lost] = []
            try:
                for batch in batches:
                    lost += self._take(batch, dealer)
            except KeyboardInterrupt:
                close = getattr(batches, "close", None)
                if close is not None:
                    self._watch.message("stopping: games that are being played are finished first")
                    close()
                self._take(getattr(executor, "left", []), dealer)
                raise
            if not lost:
                return
            for each in lost:
                job = each.job
                key = job.edition, job.a.entrant, job.b.entrant, job.pairs, job.game
                tries[key] += 1
                if each.reason not in complained:
                    complained.add(each.reason)
                    self._watch.message(f"a game will be played again, nobody lost it: {each.reason}")
                if tries[key] >= _TRIES:
                    raise InfrastructureFault(f"a game could not be played in {_TRIES} tries: {each.reason}")
                dealer.give_back(job)

    def _take(self, batch: Sequence[Done | Lost], dealer: Dealer) -> list[Lost]:
        """Store what was played; returns what was lost."""
        done = [each for each in batch if isinstance(each, Done)]
        records = [record for each in done for record in each.records]
        if records:
            self._save(records)
            self._watch.played(records)
        for each in done:
            dealer.took(each.job, each.seconds)
        return [each for each in batch if isinstance(each, Lost)]

    def _save(self, records: list[GameRecord]) -> None:
        """Store games; a store that is away, or full, is waited for."""
        complained = False
        while True:
            try:
                self.store.save(records)
                return
            except DatabaseUnavailable as error:
                if not complained:
                    self._watch.message(f"the store is away; games are held until it is back: {error}")
                    complained = True
                time.sleep(_STORE_SECONDS)


def compile_for(editions: Sequence[str], specs: Sequence[PlayerSpec], settings: JobSettings) -> None:
    """Have the agents' code compiled here, once, and not in every worker at the same time."""
    for edition in editions:
        agents = [spec for spec in specs if spec.agent is not None and is_bulk(edition, spec, spec)]
        if agents:
            play_job(Job(edition, agents[0], agents[0], (0,), (0,)), settings)


def fixed_and_growing(plan: TournamentPlan) -> tuple[str, str]:
    """What stored games depend on, and what may become more from one run to the next, both as JSON."""
    section, limits = plan.settings.tournament, plan.settings.limits
    fixed: dict[str, object] = {"schedule": section.schedule, "limits": msgspec.structs.asdict(limits)}
    if section.schedule in ("swiss", "ladder"):
        # The pairs of a round follow those of the round before: with another number they would be others.
        fixed["pairs"] = section.pairs
    growing = {"pairs": section.pairs, "rounds": section.rounds, "editions": section.editions}
    return msgspec.json.encode(fixed).decode(), msgspec.json.encode(growing).decode()


def make_schedule(plan: TournamentPlan, entrants: Sequence[Entrant], seed: int) -> Schedule:
    """The schedule that settings ask for."""
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


def totals(columns: Columns) -> Results:
    """Points and pairs of every pairing."""
    found: dict[tuple[str, int, int], Total] = {}
    rows = zip(columns.edition.tolist(), columns.a.tolist(), columns.b.tolist(), columns.winner.tolist(), strict=True)
    points: Counter[tuple[int, int, int]] = Counter()
    games: Counter[tuple[int, int, int]] = Counter()
    for edition, a, b, winner in rows:
        games[edition, a, b] += 1
        points[edition, a, b] += 2 if winner == 0 else winner == DRAW
    for (edition, a, b), count in games.items():
        found[columns.editions[edition], a, b] = Total(points[edition, a, b] / 2, count // 2)
    return found


def ladder_table(columns: Columns, rounds: Sequence[Sequence[Pairing]]) -> LadderTable:
    """OpenSkill ratings from the results of rounds, in the order in which they were drawn."""
    half_points: Counter[tuple[str, int, int, int]] = Counter()
    games: Counter[tuple[str, int, int, int]] = Counter()
    names = [columns.editions[edition] for edition in columns.edition.tolist()]
    keys = zip(names, columns.a.tolist(), columns.b.tolist(), columns.pair.tolist(), strict=True)
    for key, winner in zip(keys, columns.winner.tolist(), strict=True):
        half_points[key] += 2 if winner == 0 else winner == DRAW
        games[key] += 1
    table = LadderTable()
    for pairings in rounds:
        for each in sorted(pairings):
            pairs = range(each.first_pair, each.first_pair + each.pairs)
            keys_of = [(each.edition, each.a, each.b, pair) for pair in pairs]
            played = sum(games[key] for key in keys_of)
            if played:  # a bot that was removed has left its last round
                table.update(str(each.a), str(each.b), sum(half_points[key] for key in keys_of) / 2, played)
    return table
