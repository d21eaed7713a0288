"""Work for processes of tests, which need not import more than this."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from cardrome.arena.players.process import BotProcess
from cardrome.errors import CallerError


def squared(number: int) -> int:
    return number * number


def deadly(path: str) -> str:
    """End this process, the first so many times: as often as the file has bytes."""
    file = Path(path)
    if file.exists() and (left := file.read_text()):
        file.write_text(left[1:])
        os.kill(os.getpid(), signal.SIGSTOP if left[0] == "s" else signal.SIGKILL)
    return file.name


def start_a_bot(path: str) -> None:
    """Start a bot that does not end, write its process id to a file, and do not end either."""
    with BotProcess(["/bin/sleep", "1000"]) as bot:
        Path(path).write_text(f"{bot.process.pid}\n")
        time.sleep(1000)


def refused(number: int) -> int:
    raise CallerError(f"{number} is wrong")


def broken(number: int) -> int:
    raise ZeroDivisionError("on purpose")
