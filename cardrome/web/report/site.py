"""Writes the report of a tournament as a folder of pages.

The folder is written beside its place and then moved there as a whole, so that readers find the old report or the new
one, never a part. The same store gives the same bytes.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from pathlib import Path

from cardrome.errors import CallerError
from cardrome.tournament.games import GameTable
from cardrome.tournament.records import GameKey
from cardrome.tournament.results.summary import Summary
from cardrome.tournament.store.store import TournamentStore
from cardrome.web.report.pages import GENERATOR, SETTINGS_FILE, ReportPages, replay_path
from cardrome.web.report.replays import FAULT_REPLAYS, REPLAY_LIMIT, REPLAY_PAIRS, chosen_games, replay_pages

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
            for key, text in replay_pages(store, chosen, jobs):
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
