"""Compiling ahead in several processes, and the line that says so."""

from __future__ import annotations

import os
import pty
from pathlib import Path

import pytest

from cardrome.engine import kernel, warming
from cardrome.games.family import families
from tests.engine.fresh_process import COMPILING, Run, cached, run, start

WARM = """
import sys
import tests.engine.compiled_random
from cardrome.engine.warming import warm
print(warm(jobs=2), "numba" in sys.modules)
"""


def test_other_processes_compile_and_entries_are_counted_on_a_terminal(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    with start(WARM, tmp_path, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                shown += os.read(ours, 1000)
            except OSError:  # the terminal is closed
                break
        printed, _ = process.communicate()
    os.close(ours)
    assert (process.returncode, printed) == (0, "4 False\n")
    counted = "".join(f"\rcardrome: compiling the rules, once: {n} of 4" for n in range(5))
    assert shown.decode() == counted + "\r\n"
    assert [path.suffix for path in cached(tmp_path)] == [".o"] * 4
    again = run(WARM, tmp_path)
    assert (again.returncode, again.stdout, again.stderr) == (0, "4 False\n", "")


def test_what_other_processes_cannot_import_is_compiled_here(tmp_path: Path, fork: Run) -> None:
    code = """
import numpy as np
from cardrome.engine.kernel import entry
from cardrome.engine.warming import warm

@entry(np.int64)
def first(numbers):
    return numbers[0]

@entry(np.int64)
def second(numbers):
    return numbers[1]

print(warm(jobs=2), first(np.array([1, 2])), second(np.array([1, 2])))
"""
    result = fork(code, tmp_path)
    assert (result.returncode, result.stdout, result.stderr) == (0, "2 1 2\n", COMPILING)


def test_a_package_of_entries(tmp_path: Path, fork: Run) -> None:
    code = """
import tests.engine.compiled_random
from cardrome.engine.kernel import ENTRIES
from cardrome.engine.warming import warm
print(warm("tests.engine.compiled_random.step", without=("_all",)), end=" ")
print(warm("tests.engine.compiled_random.step"), [e.name for e in ENTRIES.values() if e.stored_code()])
"""
    result = fork(code, tmp_path)
    assert (result.returncode, result.stdout) == (0, "0 1 ['tests.engine.compiled_random.step_all']\n"), result.stderr


@pytest.mark.skipif(kernel.INTERPRETED, reason="speaks of compiled rules")
@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_the_work_is_split_evenly_and_little_is_done_twice(jobs: int) -> None:
    for family in families():
        warming.declare(family.package)
    units = [each for each in kernel.UNITS.values() if each.name.startswith("cardrome.games.")]
    shares = warming._shares(units, jobs)
    assert sorted(each.name for share in shares for each in share) == sorted(each.name for each in units)
    sizes = [warming._size({f for each in share for f in each.functions}) for share in shares]
    everything = warming._size({f for each in units for f in each.functions})
    assert len(sizes) == jobs
    assert max(sizes) < 2 * min(sizes)
    assert sum(sizes) < 1.1 * everything or jobs > 2
