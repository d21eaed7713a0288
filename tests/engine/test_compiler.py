"""Beside a program's own Numba, in several threads, and with a Numba that has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.fresh_process import COMPILING, COPY, STEP, Run, cached

THREADS = """
import sys, threading
import numpy as np
from numba import njit
from tests.engine.compiled_random import advance_all, count_below, step_all

@njit
def before(n):
    return max(int(n), 3)

assert before(5) == 5
results = {}

def own():
    @njit
    def meanwhile(a, n):
        total = 0.0
        for i in range(len(a)):
            total += min(a[i], int(n))
        return total
    results["own"] = meanwhile(np.arange(5.0), 2)

def entry(name, call):
    array = np.arange(4)
    results[name] = call(array), array.tolist()

calls = {
    "step": lambda a: step_all(a, 2),
    "advance": lambda a: advance_all(a, 2),
    "below": lambda a: count_below(a, 1, 9),
}
threads = [threading.Thread(target=entry, args=item) for item in calls.items() for _ in range(2)]
threads += [threading.Thread(target=own)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()

@njit
def after(a):
    return max(a[0], int(a[1])) + len(a)

print(results["own"], before(7.5), after(np.array([4, 1], np.int8)), after(np.array([4.0, 1.0])))
for name, found in results.items():
    if name != "own":
        expected = np.arange(4)
        assert (calls[name](expected), expected.tolist()) == found
print(sorted(results))
"""
"""Three threads call three entries for the first time, each twice; a fourth compiles something of its own."""


def test_threads_that_compile_at_the_same_time_and_a_program_s_own_njit(tmp_path: Path, fork: Run) -> None:
    result = fork(THREADS, tmp_path)
    assert (result.returncode, result.stderr) == (0, COMPILING)
    assert result.stdout == "7.0 7 6 6.0\n['advance', 'below', 'own', 'step']\n"
    assert len(cached(tmp_path)) == 3
    again = fork(THREADS, tmp_path)
    assert (again.returncode, again.stdout, again.stderr) == (0, result.stdout, "")


def test_a_program_s_own_njit_may_call_kernels(tmp_path: Path, fork: Run) -> None:
    """Before and after an entry that calls the same kernels."""
    code = """
import numpy as np
from numba import njit
from cardrome.engine.random import below, step
from tests.engine.compiled_random import step_all

@njit
def twice(state):
    return step(step(state))

@njit
def die(state):
    return below(state, 6)

array = np.array([5])
print(twice(5) == step(step(5)), step_all(array, 2), array[0] == step(step(5)), die(5) == below(5, 6))
"""
    result = fork(code, tmp_path)
    assert (result.returncode, result.stdout, result.stderr) == (0, "True 0 True True\n", COMPILING)


CHANGES = {
    "a name is gone": "import numba.core.codegen as c; del c.JITCodeLibrary",
    "a class has moved": "import numba.core.registry as r; del r.CPUTarget",
    "a method takes more": """
from numba.core.codegen import CPUCodeLibrary as L
optimize = L._optimize_functions
L._optimize_functions = lambda self, module, level: optimize(self, module)
def add_llvm_module(self, module):
    self._optimize_functions(module, 3)
    self._final_module.link_in(module)
L.add_llvm_module = add_llvm_module
""",
    "the loader has changed": "import llvmlite.binding as llvm; del llvm.ObjectFileRef.from_data",
    "code calls something unknown": "from cardrome.engine import objectcode; objectcode.RUNTIME_SYMBOLS = ()",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_numba_that_has_changed_is_used_by_its_public_interface(tmp_path: Path, fork: Run, change: str) -> None:
    call, printed = (COPY, "35 7\n") if "unknown" in change else (STEP, "0 True True\n")
    result = fork(CHANGES[change] + call, tmp_path)
    assert (result.returncode, result.stdout) == (0, printed), result.stderr
    lines = result.stderr.splitlines()
    assert lines[0] == COMPILING.rstrip()
    assert lines[1].startswith("cardrome: this version of Numba is not supported yet (")
    assert lines[1].endswith("); every process compiles the rules again")
    assert len(lines) == 2


def test_the_warning_is_shown_once(tmp_path: Path, fork: Run) -> None:
    code = """
import numpy as np
import numba.core.codegen as c; del c.JITCodeLibrary
from tests.engine.compiled_random import advance_all, step_all
from cardrome.engine.javarandom import advance
from cardrome.engine.random import step
a, b = np.array([5]), np.array([5])
print(step_all(a, 1), advance_all(b, 1), a[0] == step(5), b[0] == advance(5))
"""
    result = fork(code, tmp_path)
    assert (result.returncode, result.stdout) == (0, "0 0 True True\n"), result.stderr
    assert len(result.stderr.splitlines()) == 2


def test_a_faulty_kernel_is_the_kernel_s_fault(tmp_path: Path, fork: Run) -> None:
    code = """
import numpy as np
from cardrome.engine.kernel import entry

@entry(np.int64)
def wrong(numbers):
    return numbers.no_such_thing

wrong(np.zeros(1, np.int64))
"""
    result = fork(code, tmp_path)
    assert result.returncode == 1
    assert "no_such_thing" in result.stderr
    assert "not supported yet" not in result.stderr
    assert cached(tmp_path) == []
