"""Jobs: some games of a tournament, small enough to be handed out; how they are cut, played, and played again.

A job holds all that it takes to play it, so that it can be played in any process on any machine that has the bots.
"""

from __future__ import annotations

import shlex
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np

from cardrome.arena.play import fill, play_one
from cardrome.arena.players.behaviour import behaviour_in
from cardrome.arena.players.player import BotSettings, PlayerSpec
from cardrome.engine.bulk import DRAWN, GAME, mirrored_games
from cardrome.errors import UnknownEdition
from cardrome.games.family import Kernel, find_family
from cardrome.games.replay_files import pack_replay, unpack_replay
from cardrome.games.replays import Replay
from cardrome.tournament.games import Entrant, GameKey, GameTable, PlayedGame, Side
from cardrome.tournament.schedule.pairing import deal_seed
from cardrome.tournament.settings import BotSection, ReplayPolicy


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


def folder_of(bot: BotSection, folder: Path) -> str:
    """The folder of a program; ``folder`` is where the settings file lies."""
    return str((folder / bot.directory).resolve())


def spec_of(entrant: Entrant, folder: Path) -> PlayerSpec:
    """An entrant as jobs name it; ``folder`` is where the settings file lies."""
    bot = entrant.bot
    if bot.command is None:
        return PlayerSpec(entrant.id, entrant.name, bot.agent)
    command = tuple(shlex.split(bot.command))
    environment = tuple(sorted(bot.environment.items()))
    return PlayerSpec(entrant.id, entrant.name, None, command, bot.keep, folder_of(bot, folder), environment)


def is_bulk(edition: str, a: PlayerSpec, b: PlayerSpec) -> bool:
    """Both are built-in agents: their games are played by the thousand."""
    return _kernels(edition, a, b) is not None


def _kernels(edition: str, a: PlayerSpec, b: PlayerSpec) -> tuple[Kernel, Kernel] | None:
    family = find_family(edition)
    found = [None if each.agent is None else family.find_agent(each.agent).kernel for each in (a, b)]
    return None if found[0] is None or found[1] is None else (found[0], found[1])


def play_job(job: Job, settings: JobSettings) -> GameTable:
    """Play a job. A bot's failure is a result; `InfrastructureFault` and whatever else is raised are not."""
    kernels = _kernels(job.edition, job.a, job.b)
    if kernels is None or job.game is not None:
        sides: tuple[Side, ...] = (0, 1) if job.game is None else (job.game,)
        pairs = zip(job.pairs, job.seeds, strict=True)
        return GameTable.of_records(
            [_single_game(job, pair, seed, first, settings) for pair, seed in pairs for first in sides]
        )
    family = find_family(job.edition)
    games = family.play_bulk(family.editions[job.edition], kernels, np.array(job.seeds, np.int64))
    return GameTable.played(job.edition, job.a.entrant, job.b.entrant, job.pairs, games)


def _single_game(job: Job, pair: int, seed: int, first: Side, settings: JobSettings) -> PlayedGame:
    """A game that is played call by call."""
    family = find_family(job.edition)
    deal = family.deal(family.editions[job.edition], {"seed": str(seed)})
    replay = play_one(job.edition, (job.a, job.b), deal, first, settings.bots)
    games = mirrored_games(np.array([seed], np.int64))
    fill(games[first], replay)
    facts = dict(zip(GAME.names or (), games[first].tolist(), strict=True))
    del facts["first"]
    record = PlayedGame(key=job.key(pair, first), finished_at=time.time(), **facts)
    if job.a.agent is not None and job.b.agent is not None:
        return record
    fault, ends = replay.fault, replay.processes or (None, None)
    kept = settings.replays == "all" or (settings.replays == "faults" and fault is not None)
    behaviours = [
        None if spec.agent is not None else behaviour_in(replay, side ^ first)
        for side, spec in enumerate((job.a, job.b))
    ]
    stderr = ["" if end is None else end.stderr for end in (ends[first], ends[1 - first])]
    return msgspec.structs.replace(
        record,
        fault_of=None if fault is None else fault.player ^ first,
        fault_kind=None if fault is None else fault.kind,
        fault_message="" if fault is None else fault.message,
        behaviours=(behaviours[0], behaviours[1]),
        stderr=(stderr[0], stderr[1]),
        replay=pack_replay(replay) if kept else None,
    )


_FIRST_CHUNK = 16
_LARGEST_CHUNK = 1024
_SHORT, _LONG = 0.1, 0.5
"""Seconds of a job of built-in agents below which the next ones are larger, and above which they are smaller."""

_Pairing = tuple[str, int, int]


class GameQueue:
    """Games waiting to be played. Which games come out is fixed; only their division into jobs depends on time."""

    def __init__(self, lots: Iterable[Iterator[GameKey]], specs: dict[int, PlayerSpec], master_seed: int) -> None:
        """``lots`` are the games of each pairing, which are listed only as they are handed out."""
        self._specs = specs
        self._seed = master_seed
        self._lots = [_Lot(keys) for keys in lots]
        self._chunks: dict[_Pairing, int] = {}
        self._is_bulk = cache(is_bulk)

    def __iter__(self) -> Iterator[Job]:
        """Take jobs until none is left."""
        while lots := [lot for lot in self._lots if lot.next_two()]:
            self._lots = lots
            for lot in lots:
                yield self._cut(lot)

    def took(self, job: Job, seconds: float) -> None:
        """Adapt the size of later jobs to the time that a job took."""
        if job.game is None:
            pairing = job.edition, job.a.entrant, job.b.entrant
            size = self._chunks.get(pairing, _FIRST_CHUNK)
            if seconds < _SHORT and len(job.pairs) >= size:
                self._chunks[pairing] = min(2 * size, _LARGEST_CHUNK)
            elif seconds > _LONG:
                self._chunks[pairing] = max(size // 2, 1)

    def _cut(self, lot: _Lot) -> Job:
        """The next job of a pairing."""
        edition, a_id, b_id = pairing = lot.pairing
        a, b = self._specs[a_id], self._specs[b_id]
        if a.agent is None or b.agent is None or lot.is_half:
            key = lot.take()
            return Job(edition, a, b, (key.pair,), (deal_seed(self._seed, edition, key.pair),), key.game)
        size = self._chunks.get(pairing, _FIRST_CHUNK) if self._is_bulk(edition, a, b) else 1
        pairs: list[int] = []
        while len(pairs) < size and not lot.is_half:
            lot.take()
            pairs.append(lot.take().pair)
        return Job(edition, a, b, tuple(pairs), tuple(deal_seed(self._seed, edition, pair) for pair in pairs))


class _Lot:
    """The games of a pairing, in order."""

    def __init__(self, keys: Iterator[GameKey]) -> None:
        self._keys = keys
        self._ahead: deque[GameKey] = deque()

    def next_two(self) -> deque[GameKey]:
        """The next two games, or fewer at the end."""
        self._ahead.extend(islice(self._keys, 2 - len(self._ahead)))
        return self._ahead

    @property
    def pairing(self) -> _Pairing:
        """Whose games they are."""
        key = self.next_two()[0]
        return key.edition, key.a, key.b

    @property
    def is_half(self) -> bool:
        """Only one game of the next pair is wanted, or nothing is left."""
        ahead = self.next_two()
        return len(ahead) < 2 or ahead[0].pair != ahead[1].pair

    def take(self) -> GameKey:
        """Take the next game."""
        return self.next_two().popleft()


def can_be_played_again(edition: str, a: Entrant, b: Entrant) -> bool:
    """Both are built-in agents, whose games follow from the deal.

    Other agents are not even looked up: a store may be a stranger's, and ``module:Class`` would import the module.
    """
    try:
        known = find_family(edition).agents
    except UnknownEdition:
        return False
    kinds = [known.get(each.bot.agent or "") for each in (a, b)]
    return all(kind is not None and kind.kernel is not None for kind in kinds)


def _spec(entrant: Entrant) -> PlayerSpec:
    return PlayerSpec(entrant.id, entrant.name, entrant.bot.agent)


def replay_of(record: PlayedGame, entrants: Mapping[int, Entrant]) -> Replay | None:
    """The replay of a game; None if it was not kept and cannot be played again with the same result."""
    if record.replay is not None:
        kept: Replay = unpack_replay(record.replay)
        return kept
    key = record.key
    a, b = entrants[key.a], entrants[key.b]
    if not can_be_played_again(key.edition, a, b):
        return None
    family = find_family(key.edition)
    deal = family.deal(family.editions[key.edition], {"seed": str(record.seed)})
    replay = play_one(key.edition, (_spec(a), _spec(b)), deal, key.game, BotSettings())
    winner = DRAWN if replay.winner is None else replay.winner ^ key.game
    # Another version of cardrome may have other agents of the same name.
    return replay if winner == record.winner else None
