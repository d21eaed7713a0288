"""Fresh processes: what concerns whole processes is tried in processes of its own."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.paths import ROOT

COPY = """
import sys
from cardrome.bench.kernels import copy_many
from cardrome.games.locm.rules.state import new_states
states = new_states(40)
states[0].turn = 7
print(copy_many(states, 0, 1, 5), states[3].turn, "numba" in sys.modules, flush=True)
"""
"""Calls a small entry: prints its result, what it did, and whether Numba was imported for it."""

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
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": stderr}
    return subprocess.Popen(command, env=variables, cwd="/", preexec_fn=respect_permissions, text=True, **pipes)


def run(code: str, cache: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a piece of Python in a fresh process."""
    with start(code, cache, subprocess.PIPE, **env) as process:
        stdout, stderr = process.communicate()
    return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


def cached(cache: Path) -> list[Path]:
    """All files in a cache folder."""
    return sorted(path for path in cache.rglob("*") if path.is_file())
