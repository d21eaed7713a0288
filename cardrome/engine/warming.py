"""Compiling ahead: all units that the cache lacks, on all cores, with one line that says so."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
from types import FunctionType
from typing import Any

from cardrome.engine import objectcode
from cardrome.engine.kernel import ENTRIES, UNITS, DeferredKernel, Unit, announce_compiling


def declare(package: str, *without: str) -> None:
    """Import all modules of a package, which declares all its entries, but for modules and packages of some names."""
    path = importlib.import_module(package).__path__
    for module in pkgutil.walk_packages(path, package + "."):
        if not {*without} & {*module.name.split(".")}:
            importlib.import_module(module.name)


def warm(
    packages: str | tuple[str, ...] = "", jobs: int | None = None, deferred: bool = True, without: tuple[str, ...] = ()
) -> int:
    """Compile and load the entries of packages, or all, that have been declared so far; returns how many there are.

    ``jobs`` is the number of processes that compile, as many as there are cores unless given. Without ``deferred``,
    what is compiled when it is called is left to that moment, and so are entries whose names end as ``without`` says.
    """
    entries = [each for each in ENTRIES.values() if each.name.startswith(packages) and not each.name.endswith(without)]
    units: list[Unit] = [*entries]
    for unit in units:
        called = [each for each in unit.callees if deferred or not isinstance(each, DeferredKernel)]
        units += [each for each in called if each not in units]
    missing = [each for each in units if not each.is_loaded() and each.stored_code() is None]
    jobs = min(jobs or len(os.sched_getaffinity(0)), len(missing))
    if jobs > 1:
        _compile_elsewhere(_shares(missing, jobs), len(missing))
    for each in entries:
        each.load()  # compiles what another process could not
    return len(entries)


_COMPILE = "import sys; from cardrome.engine.warming import compile_shares; compile_shares(sys.argv[1])"


def compile_shares(shares: str) -> None:
    """Compile units, given by their modules and names, in a process that does nothing else; each share in a fork."""
    from cardrome.engine import compiler

    listed: list[list[tuple[str, str]]] = json.loads(shares)
    for module in {module for share in listed for module, _ in share}:
        importlib.import_module(module)
    compiler.prepare()
    for share in listed:
        if os.fork() == 0:
            try:
                _compile_share([UNITS[name] for _, name in share])
            finally:
                os._exit(0)
    _wait_for_children()
    os._exit(0)  # tidying up would take a while


def _compile_share(units: list[Unit]) -> None:
    from cardrome.engine.compiler import translated

    for unit in units:
        finish = translated(unit)
        # LLVM's half of the work needs a copy of this process only, which may run on another core.
        if os.fork() == 0:
            os.nice(5)  # others wait for what the parents translate
            unit.store(finish)
            print(unit.name, flush=True)
            return
    _wait_for_children()


def _wait_for_children() -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


def _compile_elsewhere(shares: list[list[Unit]], total: int) -> None:
    """Compile in processes of their own; what fails there shows up when the entries are loaded."""
    _show(0, total)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    names = json.dumps([[(each.function.__module__, each.name) for each in share] for share in shares])
    command = [sys.executable, "-P", "-c", _COMPILE, names]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, env=environment, start_new_session=True, **pipes) as process:
        try:
            for count, _ in enumerate(process.stdout or (), 1):
                _show(count, total)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)  # its forks as well
            raise
    if sys.stderr.isatty():
        print(file=sys.stderr)


def _show(count: int, total: int) -> None:
    problem = objectcode.cache_problem()
    if problem is not None or not sys.stderr.isatty():
        announce_compiling()
    if sys.stderr.isatty():
        once = ", once" if problem is None else ""
        print(f"\rcardrome: compiling the rules{once}: {count} of {total}", end="", file=sys.stderr, flush=True)


def _shares(units: list[Unit], jobs: int) -> list[list[Unit]]:
    """Split units between processes, large ones first: each goes where it is done early and adds little.

    A process translates a function once, however many of its units call it.
    """
    shares: list[list[Unit]] = [[] for _ in range(jobs)]
    known: list[set[FunctionType]] = [set() for _ in range(jobs)]
    for each in sorted(units, key=lambda each: -_size(each.functions)):
        before = [_size(known[i]) for i in range(jobs)]
        after = [_size(known[i] | each.functions) for i in range(jobs)]
        place = min(range(jobs), key=lambda i: after[i] + (after[i] - before[i]))
        shares[place].append(each)
        known[place] |= each.functions
    return shares


def _size(functions: set[FunctionType]) -> int:
    """The length of functions, which tells how long it takes to translate them."""
    return sum(len(each.__code__.co_code) for each in functions)
