"""Compiling ahead: all entries that the cache lacks, on all cores, with one line that says so."""

from __future__ import annotations

import contextlib
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


_COMPILE = "import sys; from cardrome.engine.warming import compile_share; compile_share(sys.argv[1:])"


def compile_share(names: list[str]) -> None:
    """Compile entries, given by their modules and names in turn, in a process that does nothing else."""
    from cardrome.engine.compiler import translated

    for module, name in zip(names[::2], names[1::2], strict=True):
        importlib.import_module(module)
        finish = translated(ENTRIES[name])
        # LLVM's half of the work needs a copy of this process only, which may run on another core.
        if os.fork() == 0:
            try:
                os.nice(5)  # others wait for what the parents translate
                ENTRIES[name].store(finish)
                print(name, flush=True)
            finally:
                os._exit(0)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


def _compile_elsewhere(shares: list[list[Entry]], total: int) -> None:
    """Compile each share in a process of its own; what fails there shows up when the entries are loaded."""
    _show(0, total)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
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
    """Split entries between processes, large ones first: each goes where it is done early and adds little.

    A process translates a function once, however many of its entries call it.
    """
    shares: list[list[Entry]] = [[] for _ in range(jobs)]
    known: list[set[FunctionType]] = [set() for _ in range(jobs)]
    functions = {each: set(called_functions(each.function)) for each in entries}
    for each in sorted(entries, key=lambda each: -_size(functions[each])):
        before = [_size(known[i]) for i in range(jobs)]
        after = [_size(known[i] | functions[each]) for i in range(jobs)]
        place = min(range(jobs), key=lambda i: after[i] + (after[i] - before[i]))
        shares[place].append(each)
        known[place] |= functions[each]
    return shares


def _size(functions: set[FunctionType]) -> int:
    """The length of functions, which tells how long it takes to translate them."""
    return sum(len(each.__code__.co_code) for each in functions)
