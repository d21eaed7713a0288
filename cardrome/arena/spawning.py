"""How worker processes are started: as fresh interpreters that never look for libraries in the current folder.

Bots lie in the current folder, and a file called ``random.py`` there must not be taken for a library.
"""

from __future__ import annotations

import functools
from multiprocessing import get_context, util
from multiprocessing.context import SpawnContext
from typing import Any


@functools.cache
def spawning() -> SpawnContext:
    """The context that worker processes are started in."""
    # They are started with -c, which puts the current folder in front of Python's own modules unless -P is given too.
    # The same holds for the process that multiprocessing starts to clean up behind them. There is no public option.
    module: Any = util
    flags = module._args_from_interpreter_flags
    if "-P" not in flags():
        module._args_from_interpreter_flags = lambda: ["-P", *flags()]
    return get_context("spawn")
