"""What somebody meant who named a file where a command line was expected."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

_RUNNERS = {
    ".py": "python3",
    ".js": "node",
    ".mjs": "node",
    ".cjs": "node",
    ".jar": "java -jar",
    ".rb": "ruby",
    ".lua": "lua",
    ".php": "php",
    ".pl": "perl",
    ".sh": "sh",
}


def suggested_command(word: str, folder: Path | None = None) -> str | None:
    """The command line that runs the file of this name, as in ``python3 bot.py``; None if there is no such file."""
    path = (folder or Path()) / word
    if not path.is_file():
        return None
    if runner := _RUNNERS.get(path.suffix.lower()):
        return f"{runner} {shlex.quote(word)}"
    return f"./{shlex.quote(word)}" if os.sep not in word and os.access(path, os.X_OK) else None
