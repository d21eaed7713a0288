"""Writes the report of a tournament as a folder of pages.

It is written beside its place and then put there as a whole, so whoever looks finds the old report or the new one. The
same store gives the same bytes.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from cardrome.errors import CallerError
from cardrome.tournament.records import GameKey
from cardrome.tournament.results.game_table import GameTable
from cardrome.tournament.results.summary_records import Summary
from cardrome.tournament.store.store import TournamentStore
from cardrome.web.report.bot_page import bot_page
from cardrome.web.report.frame import GENERATOR, Names, file_name
from cardrome.web.report.index_page import SETTINGS_FILE, edition_page, index_page
from cardrome.web.report.pairing_page import pairing_pages
from cardrome.web.report.replays import (
    FAULT_REPLAYS,
    REPLAY_LIMIT,
    REPLAY_PAIRS,
    chosen_games,
    replay_pages,
    replay_path,
)

_TOP = {"index.html", SETTINGS_FILE, "bots", "editions", "games", "replays"}
"""What a report's folder may hold, and nothing else."""


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

    `CallerError` if the folder holds anything that no report has written.
    """
    target = Path(os.path.realpath(folder))
    _check_free(target)
    part = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
    try:
        try:
            part.mkdir(parents=True)
            chosen = chosen_games(summary, games, replay_pairs, fault_replays, replay_limit)
            made: set[GameKey] = set()
            for key, text in replay_pages(store, chosen, jobs):
                made.add(key)
                _write(part, replay_path(key), text)
            for path, text in _pages(summary, games, made):
                _write(part, path, text)
            _put(part, target)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
    except OSError as error:
        raise CallerError(f"{folder}: {error.strerror or error}") from None
    return len(made)


def _pages(summary: Summary, games: GameTable, replays: set[GameKey]) -> Iterator[tuple[str, str]]:
    """All pages but replays, with their paths."""
    names = Names(summary)
    yield "index.html", index_page(summary, names, len(replays))
    yield SETTINGS_FILE, summary.settings
    sections = {section.edition: section for section in summary.by_edition}
    if len(sections) > 1:
        for edition, section in sections.items():
            yield f"editions/{file_name(edition or '')}.html", edition_page(summary, section, names)
    for entrant in summary.entrants:
        yield f"bots/{entrant.id}.html", bot_page(summary, entrant.id, names, replays)
    for edition, one, other, places in games.pairings():
        yield from pairing_pages(summary, sections[edition], games, one, other, places, names, replays)


def _check_free(target: Path) -> None:
    """Refuse to replace what is no report."""
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
        what = f"such as {strange[0]!r}, " if strange else ""
        raise CallerError(f"{target} holds files, {what}that no report wrote; give an empty folder, or a new one")


def _write(root: Path, path: str, text: str) -> None:
    file = root / path
    try:
        file.write_text(text, encoding="utf-8")
    except FileNotFoundError:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _put(part: Path, target: Path) -> None:
    """Put a whole report in its place."""
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
