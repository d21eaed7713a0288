"""Before a bot plays: it is built, and plays a check game from both seats. One that fails is left out, and told why."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from cardrome.arena.tournament.records import GameRecord, Side
from cardrome.arena.tournament.settings import BotSection
from cardrome.arena.tournament.work import Job, JobSettings, PlayerSpec, close_kept, is_bulk, play_job
from cardrome.errors import CallerError

_TAIL = 2_000
"""Characters of a build's output that are shown."""
_OPPONENT = PlayerSpec(-1, "random", "random")
_CHECK_SEED = 1
_SIDES: tuple[Side, Side] = (0, 1)


def build(bot: BotSection, folder: Path, seconds: float) -> str | None:
    """Run a bot's build command in its directory; returns what went wrong, with the end of its output."""
    if bot.build is None:
        return None
    command = shlex.split(bot.build)
    with tempfile.TemporaryFile() as output:
        try:
            process = subprocess.Popen(
                command,
                cwd=folder / bot.directory,
                env={**os.environ, **bot.environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # a group of its own, to be killed as a whole
            )
        except (OSError, ValueError) as error:
            return f"its build command {command[0]!r} cannot be started: {getattr(error, 'strerror', None) or error}"
        try:
            code = process.wait(seconds)
            problem = None if code == 0 else f"its build failed with exit code {code}"
        except subprocess.TimeoutExpired:
            problem = f"its build took longer than {seconds:g} s"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        if problem is None:
            return None
        output.seek(0, os.SEEK_END)
        output.seek(max(output.tell() - 4 * _TAIL, 0))
        tail = output.read().decode("utf-8", "replace")[-_TAIL:].strip()
    return f"{problem}: {tail}" if tail else problem


def check(spec: PlayerSpec, editions: Sequence[str], settings: JobSettings) -> str | None:
    """Let a program or a class play one pair of games of each edition; returns why it should not be admitted."""
    try:
        for edition in editions:
            if is_bulk(edition, spec, _OPPONENT):
                continue
            for game in _SIDES:
                try:
                    (record,) = play_job(Job(edition, spec, _OPPONENT, (0,), (_CHECK_SEED,), game), settings)
                except CallerError as error:  # the class raised something
                    first, *more = str(error).strip().splitlines() or [type(error).__name__]
                    return f"in its check game of {edition}: {' '.join([first, *more[-1:]])}"
                if record.fault_of == 0:
                    return _told(edition, record)
    finally:
        close_kept()
    return None


def _told(edition: str, record: GameRecord) -> str:
    stderr = record.conduct_a.stderr.strip() if record.conduct_a is not None else ""
    text = f"in its check game of {edition}: {record.fault_kind}: {record.fault_message}"
    return f"{text}; standard error: {stderr[-_TAIL:]}" if stderr else text
