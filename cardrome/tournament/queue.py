"""The queue of games to play: cut into jobs so that all pairings progress together, and no job is tiny or long."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache

from cardrome.arena.players.player import PlayerSpec
from cardrome.tournament.records import GameKey
from cardrome.tournament.schedule.pairing import deal_seed
from cardrome.tournament.work import Job, is_bulk

_FIRST_CHUNK = 16
_LARGEST_CHUNK = 1024
_SHORT, _LONG = 0.1, 0.5
"""Seconds of a job of built-in agents below which the next ones are larger, and above which they are smaller."""

_Pairing = tuple[str, int, int]


class GameQueue:
    """Games waiting to be played. Which games come out is fixed; only their division into jobs depends on time."""

    def __init__(self, keys: Sequence[GameKey], specs: dict[int, PlayerSpec], master_seed: int) -> None:
        self._specs = specs
        self._seed = master_seed
        self._games: dict[_Pairing, deque[GameKey]] = {}
        for key in keys:
            self._games.setdefault((key.edition, key.a, key.b), deque()).append(key)
        self._chunks: dict[_Pairing, int] = {}
        self._is_bulk = cache(is_bulk)

    def __iter__(self) -> Iterator[Job]:
        """Take jobs until none is left."""
        while self._games:
            for pairing in list(self._games):
                job = self._cut(pairing)
                if not self._games[pairing]:
                    del self._games[pairing]
                yield job

    def took(self, job: Job, seconds: float) -> None:
        """Adapt the size of later jobs to the time that a job took."""
        if job.game is None:
            pairing = job.edition, job.a.entrant, job.b.entrant
            size = self._chunks.get(pairing, _FIRST_CHUNK)
            if seconds < _SHORT and len(job.pairs) >= size:
                self._chunks[pairing] = min(2 * size, _LARGEST_CHUNK)
            elif seconds > _LONG:
                self._chunks[pairing] = max(size // 2, 1)

    def _cut(self, pairing: _Pairing) -> Job:
        """The next job of a pairing."""
        edition, a_id, b_id = pairing
        a, b = self._specs[a_id], self._specs[b_id]
        games = self._games[pairing]
        if a.agent is None or b.agent is None or _is_half(games):
            key = games.popleft()
            return Job(edition, a, b, (key.pair,), (deal_seed(self._seed, edition, key.pair),), key.game)
        size = self._chunks.get(pairing, _FIRST_CHUNK) if self._is_bulk(edition, a, b) else 1
        pairs: list[int] = []
        while games and len(pairs) < size and not _is_half(games):
            pairs.append(games.popleft().pair)
            games.popleft()
        return Job(edition, a, b, tuple(pairs), tuple(deal_seed(self._seed, edition, pair) for pair in pairs))


def _is_half(games: deque[GameKey]) -> bool:
    """Whether only one game of the next pair is wanted."""
    return len(games) == 1 or games[0].pair != games[1].pair
