"""What to expect of a tournament before it is played: how many games, and how long they take, from a sample."""

from __future__ import annotations

import time
from itertools import combinations
from pathlib import Path

import msgspec
import numpy as np

from cardrome.arena.players.player import close_kept
from cardrome.arena.storage.database import NothingThere
from cardrome.errors import CallerError
from cardrome.tournament.games import Entrant, PlayedGame
from cardrome.tournament.run import fixed_and_growing, make_schedule
from cardrome.tournament.schedule.pairing import deal_seed, estimate
from cardrome.tournament.settings import BotSection, TournamentPlan
from cardrome.tournament.store.store import TournamentStore
from cardrome.tournament.work import Job, JobSettings, is_bulk, play_job, spec_of

_SAMPLES = 12
_BULK_PAIRS = 8
_SECONDS = 20.0
"""No further sample is taken after this time."""


class Forecast(msgspec.Struct, frozen=True):
    """What to expect."""

    bots: int
    editions: tuple[str, ...]
    schedule: str
    games: int | None
    """None if the tournament is open-ended."""
    stored: int
    """Games that were played already, and count."""
    sampled_games: int
    seconds_per_game: float | None
    """On one core; None if nothing could be sampled."""
    seconds: float | None
    """For what is left to play, with all jobs; None if it is open-ended, or nothing could be sampled."""
    problems: tuple[str, ...]
    """What would stop the run, and bots that failed in the sample."""


def forecast(plan: TournamentPlan, jobs: int, store: str | Path | None = None) -> Forecast:
    """Play a sample of games, and count those that are stored.

    Nothing is stored and nothing is built: a program has to exist to be sampled.
    """
    section = plan.settings.tournament
    entrants = [Entrant(id=k, bot=bot, active=True, problem=None) for k, bot in enumerate(plan.settings.bots)]
    ids = [entrant.id for entrant in entrants]
    if len(ids) < 2:
        raise CallerError(f"{plan.file}: a tournament needs at least two bots, got {len(ids)}")
    schedule = make_schedule(plan, entrants, section.seed or 0)
    games = estimate(schedule, ids)
    settings = JobSettings(plan.settings.bot_settings, "none")
    specs = [spec_of(entrant, plan.folder) for entrant in entrants]
    if section.schedule in ("round-robin", "gauntlet"):
        pairings = [(each.edition, specs[each.a], specs[each.b]) for each in schedule.round(0, ids, {}) or ()]
    else:
        pairings = [(edition, a, b) for edition in section.editions for a, b in combinations(specs, 2)]
    samples = min(_SAMPLES, len(pairings))
    chosen = [pairings[k * len(pairings) // samples] for k in range(samples)]
    problems: dict[str, str] = {}
    stored = 0
    try:
        stored = _count_stored(plan, plan.folder / plan.store if store is None else store)
    except CallerError as error:
        problems["the store"] = str(error)
    sampled = 0
    times: list[float] = []
    warm: set[str] = set()
    begin = time.perf_counter()
    try:
        for edition, a, b in chosen:
            if time.perf_counter() - begin > _SECONDS:
                break
            bulk = is_bulk(edition, a, b)
            pairs = range(_BULK_PAIRS if bulk else 1)
            seeds = tuple(deal_seed(0, edition, pair) for pair in pairs)
            program = a.agent is None or b.agent is None
            job = Job(edition, a, b, tuple(pairs), seeds, 0 if program else None)
            if bulk and edition not in warm:  # compiling and loading are not counted
                play_job(job, settings)
                warm.add(edition)
            start = time.perf_counter()
            played = play_job(job, settings)
            times.append((time.perf_counter() - start) / len(played))
            sampled += len(played)
            for place in np.flatnonzero(played.forfeit).tolist():
                record = played.record(place)
                spec = b if record.fault_of else a
                problems.setdefault(spec.name, _told(record, plan.settings.bots[spec.entrant]))
    finally:
        close_kept()
    # All pairings have the same number of games, so each counts alike: programs are far slower than agents.
    each = sum(times) / len(times) if times else None
    total = None if each is None or games is None else each * max(games - stored, 0) / jobs
    return Forecast(
        bots=len(entrants),
        editions=tuple(section.editions),
        schedule=section.schedule,
        games=games,
        stored=stored,
        sampled_games=sampled,
        seconds_per_game=each,
        seconds=total,
        problems=tuple(problems.values()),
    )


def _count_stored(plan: TournamentPlan, where: str | Path) -> int:
    """Games of the settings' bots that are stored; `CallerError` if the tournament could not go on there."""
    section = plan.settings.tournament
    try:
        store = TournamentStore.open(where, claim=False, create=False)
    except NothingThere:
        return 0
    with store:
        store.check(section.name, section.seed, fixed_and_growing(plan)[0], plan.settings.bots)
        known = {(entrant.bot.name, entrant.bot.version): entrant.id for entrant in store.entrants()}
        played = store.games().of_editions(section.editions)
    ids = [known.get((bot.name, bot.version), -1) for bot in plan.settings.bots]
    wanted = np.isin(played["a"], ids) & np.isin(played["b"], ids)
    if section.schedule == "gauntlet":
        named = zip(plan.settings.bots, ids, strict=True)
        challengers = [number for bot, number in named if bot.name in section.challengers]
        wanted &= np.isin(played["a"], challengers) | np.isin(played["b"], challengers)
    rounds = 1 if section.schedule in ("round-robin", "gauntlet") else section.rounds
    if rounds is not None:
        wanted &= played["pair"] < rounds * section.pairs
    return int(wanted.sum())


def _told(record: PlayedGame, bot: BotSection) -> str:
    unbuilt = "" if bot.build is None else " (it was not built for this)"
    return f"{bot.name}: {record.fault_kind}: {record.fault_message}{unbuilt}"
