"""A tournament as a folder of pages: those of the site, as files that need no server and no network.

The folder is written beside its place and then moved there as a whole, so that readers find the old report or the new
one, never a part. All pages share one style sheet and one script, a plain one: browsers load no modules from files. The
same store gives the same bytes.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from cardrome.arena.workers import spread
from cardrome.errors import CallerError
from cardrome.tournament.games import Entrant, GameKey, GameTable, PlayedGame
from cardrome.tournament.results.exports import games_csv
from cardrome.tournament.results.summary import Summary
from cardrome.tournament.store.store import TournamentStore
from cardrome.tournament.work import can_be_played_again, replay_of
from cardrome.web import words
from cardrome.web.modules import joined
from cardrome.web.replay import STYLES, page_values, style_of
from cardrome.web.templates import render
from cardrome.web.tournaments.addresses import SETTINGS_FILE, TABLE_FILE, FileAddresses
from cardrome.web.tournaments.pages import Page, TournamentPages, chosen_games
from cardrome.wording import unreadable, unwritable

GENERATOR = "cardrome tournament report"
"""Written into every page. A folder is taken for a report if its index.html has it."""
STYLE_FILE, SCRIPT_FILE = "report.css", "report.js"
_TOP = {"index.html", SETTINGS_FILE, TABLE_FILE, STYLE_FILE, SCRIPT_FILE, "bots", "editions", "games", "replays"}
"""What a report's folder may hold, and nothing else."""
_POLICY = (
    "default-src 'none'; style-src 'self' file:; script-src 'self' file:; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
"""Pages load the files of their report, from a server or from a disk, and run nothing that is written in them."""

REPLAY_PAIRS = 1
"""Pairs of each pairing of built-in agents that get pages by default."""
FAULT_REPLAYS = 100
"""Games lost by a fault that get pages before others, the latest first."""
REPLAY_LIMIT = 400
"""Replay pages in all: each takes about 40 ms and 50 kB."""
ROWS = 400
"""Games on a page. More than on the site, where lists have filters: here every page is a file."""

_Work = tuple[PlayedGame, dict[int, Entrant], str, bool]


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
    language: str = "en",
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
            stored = store.replays()
            first = chosen_games(summary, games, replay_pairs, fault_replays, replay_limit)
            chosen = list(dict.fromkeys([*first, *sorted(stored)]))[:replay_limit]
            replays: list[GameKey] = []
            for key, text in _replay_pages(store, chosen, jobs, language, summary.seed is not None):
                replays.append(key)
                _write(part, _to(summary).watch(key), text)
            for path, text in _files(summary, games, replays, len(stored.difference(replays)), language):
                _write(part, path, text)
            with open(part / TABLE_FILE, "wb") as table:
                table.writelines(games_csv(summary, games))
            _move(part, target)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
    except OSError as error:
        raise CallerError(unwritable(folder, error)) from None
    return len(replays)


def _to(summary: Summary) -> FileAddresses:
    return FileAddresses(summary.editions[0] if len(summary.by_edition) == 1 else None)


def _files(
    summary: Summary, games: GameTable, replays: list[GameKey], left_out: int, language: str
) -> Iterator[tuple[str, str]]:
    """The path and the text of each file except replays."""
    to, known = _to(summary), set(replays)
    pages = TournamentPages(summary, games, to, lambda _: known)
    shared = _shared(language)

    def made(path: str, page: Page, **more: Any) -> tuple[str, str]:
        up = "../" * path.count("/")
        return path, render(page.template, up=up, **shared, **page.values, **more)

    yield STYLE_FILE, style_of(*STYLES, "site", "tournaments/tournaments")
    yield SCRIPT_FILE, '"use strict";\n' + joined("web/static/tournaments/report.js")
    yield SETTINGS_FILE, summary.settings
    yield made(to.index, pages.index())
    yield made(to.replays, pages.replays(replays), left_out=left_out)
    if pages.several:
        for section in summary.by_edition:
            yield made(to.edition(section.edition or ""), pages.edition(section))
    for entrant in summary.entrants:
        yield made(to.bot(entrant.id), pages.bot(entrant))
    sections = {section.edition: section for section in summary.by_edition}
    for edition, one, other, places in games.pairings():
        for number, page in enumerate(pages.meeting(edition, sections[edition], one, other, places, ROWS), 1):
            yield made(to.meeting(edition, one, other, number), page)


def _shared(language: str) -> dict[str, Any]:
    """The values of every page."""
    return {
        "report": True,
        "t": partial(words.text, language),
        "language": language,
        "theme": "",
        "stamp": "",
        "running": False,
        "speed": None,
        "generator": GENERATOR,
        "policy": _POLICY,
        "style_file": STYLE_FILE,
        "script_file": SCRIPT_FILE,
    }


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
        raise CallerError(unreadable(target, error)) from None
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


def _replay_pages(
    store: TournamentStore, keys: list[GameKey], jobs: int, language: str, dealt: bool
) -> Iterator[tuple[GameKey, str]]:
    """The pages of those games that have a replay, in order, made in as many processes as there are jobs."""
    entrants = {entrant.id: entrant for entrant in store.entrants()}
    work = ((record, sides, language, dealt) for record, sides in _records(store, keys, entrants))
    # The first is made here, so that what needs compiling is compiled once and not in every process at the same time.
    first = [_made(each) for each in islice(work, 1)]
    for made in chain(first, spread(_made, work, jobs)):
        if made is not None:
            yield made


def _records(
    store: TournamentStore, keys: list[GameKey], entrants: Mapping[int, Entrant]
) -> Iterator[tuple[PlayedGame, dict[int, Entrant]]]:
    """What each page is made from; games without a replay are left out."""
    for key in keys:
        sides = {number: entrants[number] for number in (key.a, key.b)}
        record = store.game(key)
        if record is not None and (
            record.replay is not None or can_be_played_again(key.edition, sides[key.a], sides[key.b])
        ):
            yield record, sides


def _made(work: _Work) -> tuple[GameKey, str] | None:
    record, sides, language, dealt = work
    try:
        replay = replay_of(record, sides)
        if replay is None:
            return None
        values = page_values(replay)
    except CallerError:  # too long for a page, or not readable: the game is listed without one
        return None
    if not dealt:
        values["data"].pop("deal", None)
    to = FileAddresses(None)
    up = "../" * to.watch(record.key).count("/")
    back = up + to.meeting(record.key.edition, record.key.a, record.key.b)
    links = {"home": up + to.index, "back": back, "play": None, "analyse": None}
    page = render("tournaments/watch.html", up=up, to=to, **links, **_shared(language), **values)
    return record.key, page
