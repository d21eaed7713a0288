"""What a tournament will be, before it is played: how many games, and how long they take by a sample of them."""

from __future__ import annotations

import time
from itertools import combinations

import msgspec

from cardrome.arena.tournament.pairing import deal_seed
from cardrome.arena.tournament.records import Entrant
from cardrome.arena.tournament.run import make_schedule
from cardrome.arena.tournament.schedule import estimate
from cardrome.arena.tournament.settings import TournamentPlan
from cardrome.arena.tournament.work import Job, JobSettings, close_kept, is_bulk, play_job, spec_of

_SAMPLES = 12
_BULK_PAIRS = 8
_SECONDS = 20.0
"""After which no further sample is taken."""


class Forecast(msgspec.Struct, frozen=True):
    """What is to be expected."""

    bots: int
    editions: tuple[str, ...]
    schedule: str
    games: int | None
    """None if the tournament has no end."""
    sampled_games: int
    seconds_per_game: float | None
    """Of one core; None if nothing could be sampled."""
    seconds: float | None
    """Of the whole tournament with all jobs; None if it has no end, or nothing could be sampled."""
    problems: tuple[str, ...]
    """Bots that failed in their sample."""


def forecast(plan: TournamentPlan, jobs: int) -> Forecast:
    """Look ahead. Nothing is stored, and nothing is built: a program must be there to be sampled."""
    section = plan.settings.tournament
    entrants = [Entrant(id=k, bot=bot, active=True, problem=None) for k, bot in enumerate(plan.settings.bots)]
    games = estimate(make_schedule(plan, entrants, section.seed or 0), [entrant.id for entrant in entrants])
    settings = JobSettings(plan.settings.bot_settings, "none")
    specs = [spec_of(entrant, plan.folder) for entrant in entrants]
    pairings = [(edition, a, b) for a, b in combinations(specs, 2) for edition in section.editions]
    chosen = pairings[:: max(len(pairings) // _SAMPLES, 1)][:_SAMPLES]
    sampled, spent, problems = 0, 0.0, []
    begin = time.perf_counter()
    try:
        for edition, a, b in chosen:
            if time.perf_counter() - begin > _SECONDS:
                break
            pairs = range(_BULK_PAIRS if is_bulk(edition, a, b) else 1)
            seeds = tuple(deal_seed(0, edition, pair) for pair in pairs)
            program = a.agent is None or b.agent is None
            job = Job(edition, a, b, tuple(pairs), seeds, 0 if program else None)
            play_job(job, settings) if sampled == 0 else None  # the first one pays for loading, which is not counted
            start = time.perf_counter()
            records = play_job(job, settings)
            spent += time.perf_counter() - start
            sampled += len(records)
            for record in records:
                if record.fault_of is not None:
                    name = (b if record.fault_of else a).name
                    problems.append(f"{name}: {record.fault_kind}: {record.fault_message}")
    finally:
        close_kept()
    each = spent / sampled if sampled else None
    total = None if each is None or games is None else each * games / jobs
    return Forecast(
        len(entrants), tuple(section.editions), section.schedule, games, sampled, each, total, tuple(problems)
    )
