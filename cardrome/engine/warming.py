"""Compiling ahead: all entries that the cache lacks, on all cores, with one line that says so."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
from types import FunctionType

from cardrome.engine.fingerprint import called_functions
from cardrome.engine.kernel import ENTRIES, Entry, announce


def declare(package: str) -> None:
    """Import all modules of a package, which declares all its entries."""
    path = importlib.import_module(package).__path__
    for module in pkgutil.walk_packages(path, package + "."):
        importlib.import_module(module.name)


def warm(package: str = "", jobs: int | None = None) -> int:
    """Compile and load the entries of a package, or all, that have been declared so far; returns how many there are.

    ``jobs`` is the number of processes that compile, as many as there are cores unless given.
    """
    entries = [each for each in ENTRIES.values() if each.name.startswith(package)]
    missing = [each for each in entries if each.stored_code() is None]
    jobs = min(jobs or len(os.sched_getaffinity(0)), len(missing))
    if jobs > 1:
        _compile_elsewhere(_shares(missing, jobs), len(missing))
    for each in entries:
        each.load()  # compiles what another process could not
    return len(entries)


_COMPILE = """
import importlib, sys
from cardrome.engine.kernel import ENTRIES
for module, name in zip(sys.argv[1::2], sys.argv[2::2]):
    importlib.import_module(module)
    ENTRIES[name].compile()
    print(name, flush=True)
"""


def _compile_elsewhere(shares: list[list[Entry]], total: int) -> None:
    """Compile each share in a process of its own; what fails there shows up when the entries are loaded."""
    _show(0, total)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    reading, writing = os.pipe()
    processes = []
    try:
        with open(reading, encoding="utf-8") as finished:
            for share in shares:
                names = [text for each in share for text in (each.function.__module__, each.name)]
                command = [sys.executable, "-P", "-c", _COMPILE, *names]
                processes.append(subprocess.Popen(command, env=environment, stdout=writing, stderr=subprocess.DEVNULL))
            os.close(writing)
            for count, _ in enumerate(finished, 1):
                _show(count, total)
    except BaseException:
        for process in processes:
            process.kill()
        raise
    finally:
        for process in processes:
            process.wait()
    if sys.stderr.isatty():
        print(file=sys.stderr)


def _show(count: int, total: int) -> None:
    if sys.stderr.isatty():
        line = f"\rcardrome: compiling the rules, once: {count} of {total}"
        print(line, end="", file=sys.stderr, flush=True)
    else:
        announce("compiling the rules, once…")


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
