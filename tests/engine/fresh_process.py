"""Fresh processes: what concerns whole processes is tried in processes of its own."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from tests.paths import ROOT

COPY = """
from cardrome.bench.kernels import copy_many
from cardrome.games.locm.rules.state import new_states
states = new_states(40)
states[0].turn = 7
print(copy_many(states, 0, 1, 5), states[3].turn, flush=True)
"""
"""Calls an entry that copies records, by a function of the runtime: prints its result and what it did."""

STEP = """
import sys
import numpy as np
from cardrome.engine.random import step
from tests.engine.compiled_random import step_all
numbers = np.array([5])
print(step_all(numbers, 1), numbers[0] == step(5), "numba" in sys.modules, flush=True)
"""
"""Calls an entry that is compiled quickly: prints its result, what it did, and whether Numba was imported for it."""

COMPILING = "cardrome: compiling the rules, once…\n"


def respect_permissions() -> None:
    """In a new process: keep root, too, from writing where it may not (it loses CAP_DAC_OVERRIDE)."""
    ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)  # PR_CAPBSET_DROP; does nothing for anyone but root


def start(code: str, cache: Path | None = None, stderr: int = subprocess.PIPE, **env: str) -> subprocess.Popen[str]:
    """Start a piece of Python in a fresh process."""
    ours = ("NUMBA_DISABLE_JIT", "CARDROME_CACHE_DIR", "CARDROME_PRIVATE_CACHE")
    variables = {k: v for k, v in os.environ.items() if k not in ours}
    variables |= {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **env}
    if cache is not None:
        variables["CARDROME_CACHE_DIR"] = str(cache)
    command = [sys.executable, "-W", "error", "-c", code]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": stderr}
    return subprocess.Popen(command, env=variables, cwd="/", preexec_fn=respect_permissions, text=True, **pipes)


def run(code: str, cache: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a piece of Python in a fresh process."""
    with start(code, cache, subprocess.PIPE, **env) as process:
        stdout, stderr = process.communicate()
    return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


class Run(Protocol):
    """Runs a piece of Python, with a cache folder and variables of its own."""

    def __call__(self, code: str, cache: Path, **env: str) -> subprocess.CompletedProcess[str]: ...


FORKS = """
import json, os, sys, numba, numpy
def warmth(records, n):
    for i in range(len(records)):
        records[i].x += max(min(n, 7), records[i].y[0])
    return n
numba.njit(warmth)(numpy.zeros(2, [("x", "i2"), ("y", "i1", 3)]), 1)
import dataclasses, functools, hashlib, multiprocessing, typing, tempfile, threading
for line in sys.stdin:
    code, variables, out, err = json.loads(line)
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    os.environ |= variables
    for number, path in ((1, out), (2, err)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_TRUNC), number)
    exec(code, {"__name__": "__main__"})
    break
"""


@contextmanager
def numba_at_hand() -> Iterator[Run]:
    """Runs pieces of Python in processes that have imported Numba, and nothing of ours: most of what compiling costs
    is done once, for all of them."""
    with (
        start(FORKS, OPENBLAS_NUM_THREADS="1") as process,
        tempfile.NamedTemporaryFile("r") as out,
        tempfile.NamedTemporaryFile("r") as err,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        orders, codes = process.stdin, process.stdout

        def run_fork(code: str, cache: Path, **env: str) -> subprocess.CompletedProcess[str]:
            order = [code, {"CARDROME_CACHE_DIR": str(cache), **env}, out.name, err.name]
            print(json.dumps(order), file=orders, flush=True)
            found = int(codes.readline())
            return subprocess.CompletedProcess(code, found, Path(out.name).read_text(), Path(err.name).read_text())

        yield run_fork
        orders.close()


def cached(cache: Path) -> list[Path]:
    """All files in a cache folder."""
    return sorted(path for path in cache.rglob("*") if path.is_file())
