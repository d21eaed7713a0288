"""Compiling ahead: all entries that the cache lacks, on all cores, with one line that says so."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from types import FunctionType

from cardrome.engine.fingerprint import called_functions
from cardrome.engine.kernel import ENTRIES, Entry, announce


def warm(package: str = "", jobs: int | None = None) -> int:
    """Compile and load the entries of a package, or all, that have been declared so far; returns how many there are.

    ``jobs`` is the number of processes that compile, as many as there are cores unless given.
    """
    entries = [each for each in ENTRIES.values() if each.name.startswith(package)]
    missing = [each for each in entries if each.stored_code() is None]
    jobs = min(jobs or len(os.sched_getaffinity(0)), len(missing))
    if jobs > 1:
        progress = _Progress(len(missing))
        with ThreadPoolExecutor(jobs) as pool:
            for _ in pool.map(progress.compile, _shares(missing, jobs)):
                pass
        progress.end()
    for each in entries:
        each.load()  # compiles what another process could not
    return len(entries)


def _shares(entries: list[Entry], jobs: int) -> list[list[Entry]]:
    """Split entries so that all processes finish at about the same time."""
    functions = {each: set(called_functions(each.function)) for each in entries}
    entries = sorted(entries, key=lambda each: -_seconds(functions[each], set()))
    limit = _seconds(functions[entries[0]], set())
    while (shares := _packed(entries, functions, jobs, limit)) is None:
        limit *= 1.05
    return shares


def _packed(
    entries: list[Entry], functions: dict[Entry, set[FunctionType]], jobs: int, limit: float
) -> list[list[Entry]] | None:
    """Give each entry to the process that knows most of its functions and is not busy beyond the limit."""
    shares: list[list[Entry]] = [[] for _ in range(jobs)]
    known: list[set[FunctionType]] = [set() for _ in range(jobs)]
    busy = [0.0] * jobs
    for each in entries:
        seconds = [_seconds(functions[each], known[i]) for i in range(jobs)]
        free = [i for i in range(jobs) if busy[i] + seconds[i] <= limit]
        if not free:
            return None
        place = min(free, key=seconds.__getitem__)
        shares[place].append(each)
        known[place] |= functions[each]
        busy[place] += seconds[place]
    return shares


def _seconds(functions: set[FunctionType], known: set[FunctionType]) -> float:
    """About how long an entry takes: a process optimises every function, but translates only those new to it."""
    back = sum(len(each.__code__.co_code) for each in functions)
    front = sum(len(each.__code__.co_code) for each in functions - known)
    return (back + 2 * front) / 10_000


_COMPILE = """
import importlib, sys
from cardrome.engine.kernel import ENTRIES
for module, name in zip(sys.argv[1::2], sys.argv[2::2]):
    importlib.import_module(module)
    ENTRIES[name].compile()
    print(name, flush=True)
"""


class _Progress:
    """Entries compiled by other processes, counted on a terminal."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._lock = threading.Lock()
        self._terminal = sys.stderr.isatty()
        self._show()

    def compile(self, entries: list[Entry]) -> None:
        """Compile entries in a process of their own; what fails there shows up when they are loaded."""
        names = [text for each in entries for text in (each.function.__module__, each.name)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", _COMPILE, *names]
        quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, env=environment, text=True, **quiet) as process:
            assert process.stdout is not None
            for _ in process.stdout:
                with self._lock:
                    self._done += 1
                    self._show()

    def _show(self) -> None:
        if self._terminal:
            line = f"\rcardrome: compiling the rules, once: {self._done} of {self._total}"
            print(line, end="", file=sys.stderr, flush=True)
        else:
            announce("compiling the rules, once…")

    def end(self) -> None:
        """Finish the line."""
        if self._terminal:
            print(file=sys.stderr)
