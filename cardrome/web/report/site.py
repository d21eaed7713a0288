"""Writes the report of a tournament as a folder of pages.

The folder is written beside its place and then moved there as a whole, so that readers find the old report or the new
one, never a part. The same store gives the same bytes.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from pathlib import Path

from cardrome.arena.workers import spread
from cardrome.errors import CallerError
from cardrome.tournament.games import Entrant, GameKey, GameTable, PlayedGame
from cardrome.tournament.results.summary import Summary
from cardrome.tournament.store.store import TournamentStore
from cardrome.tournament.work import can_be_played_again, replay_of
from cardrome.web.replay import replay_page
from cardrome.web.report.pages import GENERATOR, SETTINGS_FILE, ReportPages, replay_path

_TOP = {"index.html", SETTINGS_FILE, "bots", "editions", "games", "replays"}
"""What a report's folder may hold, and nothing else."""
REPLAY_PAIRS = 1
"""Pairs of each pairing that get pages by default."""
FAULT_REPLAYS = 100
"""Games lost by a fault that get pages, the latest first."""
REPLAY_LIMIT = 400
"""Replay pages in all: each takes about 50 ms and 90 kB."""

_Work = tuple[PlayedGame, dict[int, Entrant]]


def write_report(
    folder: Path,
    store: TournamentStore,
    summary: Summary,
    games: GameTable,
    *,
    replay_pairs: int = REPLAY_PAIRS,
    fault_replays: int = FAULT_REPLAYS,
    replay_limit: int = REPLAY_LIMIT,
    jobs: int = 1,
) -> int:
    """Write the report into a folder, replacing an earlier one; returns the number of replay pages.

    `CallerError` if the folder holds anything that was not written by a report.
    """
    target = Path(os.path.realpath(folder))
    _check_free(target)
    part = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
    try:
        try:
            part.mkdir(parents=True)
            chosen = chosen_games(summary, games, replay_pairs, fault_replays, replay_limit)
            replays: set[GameKey] = set()
            for key, text in _replay_pages(store, chosen, jobs):
                replays.add(key)
                _write(part, replay_path(key), text)
            for path, text in ReportPages(summary, games, replays):
                _write(part, path, text)
            _move(part, target)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
    except OSError as error:
        raise CallerError(f"{folder}: {error.strerror or error}") from None
    return len(replays)


def _check_free(target: Path) -> None:
    """Refuse to replace anything but an earlier report."""
    try:
        found = {path.name for path in target.iterdir()} if target.exists() else set()
        if not found:
            return
        strange = sorted(found - _TOP)
        index = target / "index.html"
        ours = index.is_file() and GENERATOR in index.read_text(encoding="utf-8", errors="replace")[:4096]
    except OSError as error:
        raise CallerError(f"{target}: {error.strerror}") from None
    if strange or not ours:
        example = f" (such as {strange[0]!r})" if strange else ""
        raise CallerError(
            f"{target} holds files{example} that were not written by a report; choose an empty or new folder"
        )


def _write(root: Path, path: str, text: str) -> None:
    file = root / path
    try:
        file.write_text(text, encoding="utf-8")
    except FileNotFoundError:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _move(part: Path, target: Path) -> None:
    """Move a complete report to its place."""
    if not target.exists():
        part.rename(target)
        return
    old = part.with_suffix(".old")
    target.rename(old)
    try:
        part.rename(target)
    except BaseException:
        with contextlib.suppress(OSError):
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


# Replay pages: the slowest part of a report


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


def _replay_pages(store: TournamentStore, keys: list[GameKey], jobs: int) -> Iterator[tuple[GameKey, str]]:
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
