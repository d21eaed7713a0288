"""Which games of a tournament get a replay page, and how these pages are made: the slowest part of a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, islice

from cardrome.arena.workers import spread
from cardrome.errors import CallerError
from cardrome.tournament.games import GameTable
from cardrome.tournament.records import Entrant, GameKey, PlayedGame
from cardrome.tournament.replaying import can_be_played_again, replay_of
from cardrome.tournament.results.summary import Summary
from cardrome.tournament.store.store import TournamentStore
from cardrome.web.replay import replay_page

REPLAY_PAIRS = 1
"""Pairs of each pairing that get pages by default."""
FAULT_REPLAYS = 100
"""Games lost by a fault that get pages, the latest first."""
REPLAY_LIMIT = 400
"""Replay pages in all: each takes about 50 ms and 90 kB."""

_Work = tuple[PlayedGame, dict[int, Entrant]]


def chosen_games(summary: Summary, games: GameTable, pairs: int, faults: int, limit: int) -> list[GameKey]:
    """The games that should have a page: some faults, then the first pairs of each pairing, best bots first."""
    found = [
        GameKey(failure.edition, failure.a, failure.b, failure.pair, failure.game)  # type: ignore[arg-type]
        for failure in summary.failures[: min(faults, limit)]
    ]
    rank = {line.entrant: line.rank for line in summary.overall.standings}
    pairings = sorted(games.pairings(), key=lambda each: (rank[each[1]] + rank[each[2]], each[:3]))
    # Pair by pair, so that every pairing has one before the limit lets any have two.
    for number in range(pairs):
        for _, _, _, places in pairings:
            found += [games.key(place) for place in places[2 * number : 2 * number + 2].tolist()]
    return list(dict.fromkeys(found))[:limit]


def replay_pages(store: TournamentStore, keys: list[GameKey], jobs: int) -> Iterator[tuple[GameKey, str]]:
    """The pages of those games that have a replay, in order, made in as many processes as there are jobs."""
    entrants = {entrant.id: entrant for entrant in store.entrants()}
    work = _work(store, keys, entrants)
    # The first is made here, so that what needs compiling is compiled once and not in every process at the same time.
    first = [_made(each) for each in islice(work, 1)]
    for made in chain(first, spread(_made, work, jobs)):
        if made is not None:
            yield made


def _work(store: TournamentStore, keys: list[GameKey], entrants: Mapping[int, Entrant]) -> Iterator[_Work]:
    """What each page is made from; games without a replay are left out."""
    for key in keys:
        sides = {number: entrants[number] for number in (key.a, key.b)}
        record = store.game(key)
        if record is not None and (
            record.replay is not None or can_be_played_again(key.edition, sides[key.a], sides[key.b])
        ):
            yield record, sides


def _made(work: _Work) -> tuple[GameKey, str] | None:
    record, sides = work
    try:
        replay = replay_of(record, sides)
        return None if replay is None else (record.key, replay_page(replay))
    except CallerError:  # too long for a page, or not readable: the game is listed without one
        return None
