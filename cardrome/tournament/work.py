"""Jobs: some games of a tournament, small enough to be handed out, and how they are played.

A job holds all that it takes to play it, so that it can be played in any process on any machine that has the bots.
"""

from __future__ import annotations

import os
import shlex
import time
import zlib
from pathlib import Path

import msgspec
import numpy as np

from cardrome.arena.families import family_of, find_any_edition
from cardrome.arena.pairs import BotSettings, GameOutcome, refereed
from cardrome.arena.players.behaviour import answer_times
from cardrome.arena.players.player import AgentPlayer, BotPlayer, KeptPlayers, Player
from cardrome.arena.players.sandbox import sandboxed
from cardrome.games.locm.agents.registry import find_agent
from cardrome.games.locm.protocol.replay import Replay, encode_replay
from cardrome.games.locm.rules.deal import Deal
from cardrome.games.locm.rules.edition import Edition
from cardrome.tournament.records import TIME_BINS, Conduct, Entrant, GameKey, GameRecord, Side
from cardrome.tournament.settings import ReplayPolicy


class PlayerSpec(msgspec.Struct, frozen=True):
    """An entrant as a job names it: an agent, or a command line in a folder."""

    entrant: int
    name: str
    agent: str | None
    command: tuple[str, ...] = ()
    keep: bool = False
    folder: str = "."
    environment: tuple[tuple[str, str], ...] = ()


class Job(msgspec.Struct, frozen=True):
    """Games between two players: whole pairs, or a single game where a program plays."""

    edition: str
    a: PlayerSpec
    b: PlayerSpec
    pairs: tuple[int, ...]
    seeds: tuple[int, ...]
    """Of the pairs' deals."""
    game: Side | None = None
    """The one game of the one pair that is meant; None: both of every pair. Programs play single games."""

    @property
    def games(self) -> int:
        """How many games it has."""
        return 2 * len(self.pairs) if self.game is None else 1

    def key(self, pair: int, game: Side) -> GameKey:
        """The key of one of its games."""
        return GameKey(self.edition, self.a.entrant, self.b.entrant, pair, game)


class JobSettings(msgspec.Struct, frozen=True):
    """How jobs are played: the same for all of a tournament."""

    bots: BotSettings
    replays: ReplayPolicy


def spec_of(entrant: Entrant, folder: Path) -> PlayerSpec:
    """An entrant as jobs name it; ``folder`` is where the settings file lies."""
    bot = entrant.bot
    if bot.command is None:
        return PlayerSpec(entrant.id, entrant.name, bot.agent)
    command = tuple(shlex.split(bot.command))
    place = str((folder / bot.directory).resolve())
    return PlayerSpec(entrant.id, entrant.name, None, command, bot.keep, place, tuple(sorted(bot.environment.items())))


def is_bulk(edition: str, a: PlayerSpec, b: PlayerSpec) -> bool:
    """Both are built-in agents: their games are played by the thousand."""
    family = family_of(find_any_edition(edition))
    return all(each.agent is not None and family.kernel(each.agent) is not None for each in (a, b))


def play_job(job: Job, settings: JobSettings) -> list[GameRecord]:
    """Play a job. A bot's failure is a result; `InfrastructureFault` and whatever else is raised are none."""
    if job.a.agent is None or job.b.agent is None:
        assert job.game is not None
        return [_program_game(job, job.pairs[0], job.seeds[0], job.game, settings)]
    edition = find_any_edition(job.edition)
    family = family_of(edition)
    seeds = np.array(job.seeds, np.int64)
    kernel_a, kernel_b = family.kernel(job.a.agent), family.kernel(job.b.agent)
    if kernel_a is not None and kernel_b is not None:
        games = family.play_kernels(edition, (kernel_a, kernel_b), seeds, 1, None)
        rows = zip(*(games[column].tolist() for column in family.columns), strict=True)
        outcomes = [dict(zip(family.columns, row, strict=True)) for row in rows]
    else:
        names = job.a.agent, job.b.agent
        pairs = family.play_others(edition, names, seeds, None, 0, 1, settings.bots)
        outcomes = [_columns(outcome) for pair in pairs for outcome in pair]
    now = time.time()
    sides: tuple[Side, ...] = (0, 1) if job.game is None else (job.game,)
    return [
        GameRecord(key=job.key(pair, game), seed=seed, finished_at=now, **outcomes[2 * place + game])
        for place, (pair, seed) in enumerate(zip(job.pairs, job.seeds, strict=True))
        for game in sides
    ]


def _columns(outcome: GameOutcome) -> dict[str, int]:
    found = {"winner": outcome.winner, "turns": outcome.turns, "actions": outcome.actions}
    if outcome.scores is not None:
        found |= {"score_a": outcome.scores[0], "score_b": outcome.scores[1]}
    return found


def _program_game(job: Job, pair: int, seed: int, first: Side, settings: JobSettings) -> GameRecord:
    """A game with a program in it, through the referee."""
    edition = find_any_edition(job.edition)
    assert isinstance(edition, Edition)
    specs = (job.a, job.b) if first == 0 else (job.b, job.a)
    players = _player(specs[0], settings.bots), _player(specs[1], settings.bots)
    outcome, replay = refereed(edition, Deal(seed), players, first, settings.bots.clock)
    fault = replay.fault
    kept = settings.replays == "all" or (settings.replays == "faults" and fault is not None)
    conducts = [None if spec.agent is not None else conduct(replay, seat) for seat, spec in enumerate(specs)]
    return GameRecord(
        key=job.key(pair, first),
        seed=seed,
        winner=outcome.winner,  # type: ignore[arg-type]
        turns=outcome.turns,
        actions=outcome.actions,
        fault_of=None if fault is None else fault.player ^ first,  # type: ignore[arg-type]
        fault_kind=None if fault is None else fault.kind,
        fault_message="" if fault is None else fault.message,
        conduct_a=conducts[first],
        conduct_b=conducts[1 - first],
        replay=zlib.compress(encode_replay(replay)) if kept else None,
        finished_at=time.time(),
    )


def conduct(replay: Replay, seat: int) -> Conduct:
    """How the program in a seat behaved."""
    answers = answer_times(replay, seat)
    first, later = sum(answers[:1]), answers[1:]
    bins = [0] * TIME_BINS
    for ms in later:
        bins[min(ms.bit_length(), TIME_BINS - 1)] += 1
    end = None if replay.processes is None else replay.processes[seat]
    stderr = "" if end is None else end.stderr
    return Conduct(len(answers), sum(answers), max(later, default=0), first, tuple(bins), stderr)


_kept = KeptPlayers()


def _player(spec: PlayerSpec, settings: BotSettings) -> Player:
    """A player for one game; one whose process is kept is the same from game to game."""
    if spec.agent is not None:
        return AgentPlayer(find_agent(spec.agent))
    if not spec.keep:
        return _program(spec, settings)
    return _kept.get(spec, lambda: _program(spec, settings))


def _program(spec: PlayerSpec, settings: BotSettings) -> BotPlayer:
    folder = Path(spec.folder)
    command = list(spec.command)
    if os.sep in command[0]:  # a path means a file in the bot's own folder
        command[0] = str(folder / command[0])
    if settings.sandbox:
        command = sandboxed(command, folder)
    return BotPlayer(command, spec.name, settings.limits, spec.keep, folder, dict(spec.environment))


def close_kept() -> None:
    """Stop the programs whose processes were kept."""
    _kept.close()
