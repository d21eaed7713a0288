"""How rules are compiled, cached and called. What concerns whole processes is tried in processes of its own."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardrome.bench.kernels import copy_many
from cardrome.engine import kernel, objectcode
from cardrome.games.locm.rules import entries
from cardrome.games.locm.rules.edition import LOCM_12
from cardrome.games.locm.rules.state import State, new_states
from tests.paths import ROOT

compiled_only = pytest.mark.skipif(kernel.INTERPRETED, reason="speaks of compiled rules")

COPY = """
import sys
from cardrome.bench.kernels import copy_many
from cardrome.games.locm.rules.state import new_states
states = new_states(40)
states[0].turn = 7
print(copy_many(states, 0, 1, 5), states[3].turn, "numba" in sys.modules)
"""
"""Calls a small entry: prints its result, what it did, and whether Numba was imported for it."""


def respect_permissions() -> None:
    """In a new process: root, too, shall be kept from writing where it may not (it loses CAP_DAC_OVERRIDE)."""
    ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)  # PR_CAPBSET_DROP; nothing happens to anybody but root


def run(code: str, cache: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a piece of Python in a fresh process."""
    variables = {k: v for k, v in os.environ.items() if k not in ("NUMBA_DISABLE_JIT", "CARDROME_CACHE_DIR")}
    variables |= {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **env}
    if cache is not None:
        variables["CARDROME_CACHE_DIR"] = str(cache)
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(
        command, env=variables, cwd="/", preexec_fn=respect_permissions, capture_output=True, text=True, check=False
    )


def cached(cache: Path) -> list[Path]:
    return sorted(path for path in cache.rglob("*") if path.is_file())


# --- Calling ------------------------------------------------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize(
    "array",
    [
        np.zeros(4, np.int16),
        np.zeros(4, np.uint8),
        np.zeros((4, 2), State)[:, 0],  # the right type, but with gaps
    ],
    ids=["numbers", "bytes", "not contiguous"],
)
def test_an_array_of_another_type_is_refused(array: Any) -> None:
    with pytest.raises(TypeError, match=r"kernels\.copy_many: expected a contiguous array of"):
        copy_many(array, 0, 1, 1)


def test_an_entry_changes_the_arrays_it_is_given() -> None:
    states = new_states(40)
    states[0].turn = 9
    assert copy_many(states, 0, 1, 2) == 18
    assert states["turn"][:4].tolist() == [9, 9, 9, 0]


def test_entries_take_numpy_integers() -> None:
    states = new_states(40)
    source, target, times = np.array([0], np.int8)[0], np.array([1])[0], np.array([1], np.uint8)[0]
    assert copy_many(states, source, target, times) == 0


def test_a_bound_entry_does_the_same() -> None:
    states, other = new_states(2), new_states(2)
    bound = entries.new_game.bind(LOCM_12.rules, states)
    assert bound(1) == 0
    entries.new_game(LOCM_12.rules, other, 1)
    assert states.tobytes() == other.tobytes()


def test_a_bound_entry_keeps_its_arrays_alive() -> None:
    bound = copy_many.bind(new_states(40))
    junk = [new_states(40) for _ in range(50)]
    assert [bound(0, 1, 5) for _ in range(50)] == [0] * 50
    assert not any(array.tobytes().strip(b"\0") for array in junk)


@compiled_only
def test_bind_wants_all_arrays() -> None:
    with pytest.raises(TypeError, match="bind every array, or none"):
        entries.new_game.bind(LOCM_12.rules)


@compiled_only
def test_bind_checks_types_too() -> None:
    with pytest.raises(TypeError, match="expected a contiguous array"):
        entries.new_game.bind(LOCM_12.rules, np.zeros(4, np.int16))


def test_kernels_can_be_called_from_python() -> None:
    from cardrome.engine.javarandom import seeded

    assert seeded(0) == 0x5DEECE66D
    assert seeded.__name__ == "seeded"
    assert "Random(seed)" in (seeded.__doc__ or "")


def test_entries_keep_name_and_docstring() -> None:
    assert copy_many.function.__name__ == "copy_many"
    assert (copy_many.__doc__ or "").startswith("Copy a state")


@compiled_only
def test_entries_are_listed_by_name() -> None:
    assert kernel.ENTRIES["cardrome.bench.kernels.copy_many"] is copy_many


def test_records_read_as_attributes_at_every_level() -> None:
    s = new_states()[0]
    s.players[1].board[2].attack = 5
    assert s["players"][1]["board"][2]["attack"] == s.players[1].board[2].attack == 5


# --- The cache ----------------------------------------------------------------------------------------------------


def test_a_cold_process_compiles_and_a_warm_one_loads(tmp_path: Path) -> None:
    cold = run(COPY, tmp_path)
    assert (cold.returncode, cold.stdout) == (0, "35 7 True\n"), cold.stderr
    assert cold.stderr == "cardrome: compiling the rules, once…\n"
    files = cached(tmp_path)
    assert [path.name.split("-")[0] for path in files] == ["cardrome.bench.kernels.copy_many"]
    assert files[0].suffix == ".o"
    before = files[0].stat()

    warm = run(COPY, tmp_path)
    assert (warm.returncode, warm.stdout, warm.stderr) == (0, "35 7 False\n", "")
    after = files[0].stat()
    assert cached(tmp_path) == files
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


def test_importing_the_rules_imports_no_compiler() -> None:
    code = "import sys, cardrome.games.locm.protocol.dialogue; print('numba' in sys.modules, 'llvmlite' in sys.modules)"
    assert run(code).stdout == "False False\n"


def test_the_default_cache_folder(tmp_path: Path) -> None:
    code = "from cardrome.engine.objectcode import cache_folder; print(cache_folder())"
    by_xdg = run(code, XDG_CACHE_HOME=str(tmp_path / "xdg"), CARDROME_CACHE_DIR="")
    assert by_xdg.stdout.startswith(f"{tmp_path}/xdg/cardrome/kernels/")
    by_home = run(code, HOME=str(tmp_path / "home"), XDG_CACHE_HOME="")
    assert by_home.stdout.startswith(f"{tmp_path}/home/.cache/cardrome/kernels/")


def test_a_cache_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    result = run(COPY, tmp_path / "file" / "cache", TMPDIR=str(tmp_path))
    assert (result.returncode, result.stdout) == (0, "35 7 True\n"), result.stderr


def test_a_cache_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    show = "from cardrome.engine.objectcode import cache_folder; print(cache_folder())"
    folder = Path(run(show, tmp_path).stdout.strip())
    folder.parent.mkdir(parents=True)
    folder.write_text("in the way")  # stops everybody, root too, whom no permission would
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    result = run(COPY, tmp_path, TMPDIR=str(scratch))
    assert (result.returncode, result.stdout) == (0, "35 7 True\n"), result.stderr
    assert list(scratch.iterdir()) == []  # the private folder went with the process


def test_processes_that_compile_at_the_same_time(tmp_path: Path) -> None:
    """Nobody sees half a file, and nothing is left behind but the finished one."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "CARDROME_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-c", COPY]
    both = [subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [process.communicate()[0] for process in both]
    assert [output.split()[:2] for output in outputs] == [["35", "7"]] * 2
    assert [path.suffix for path in cached(tmp_path)] == [".o"]


def test_interpreted_mode_needs_no_compiler_and_no_cache(tmp_path: Path) -> None:
    result = run(COPY, tmp_path, NUMBA_DISABLE_JIT="1")
    assert (result.returncode, result.stdout, result.stderr) == (0, "35 7 False\n", "")
    assert cached(tmp_path) == []


def test_interpreted_entries_can_be_bound_too() -> None:
    code = """
from cardrome.bench.kernels import copy_many
from cardrome.games.locm.rules.state import new_states
states = new_states(40)
states[0].turn = 7
print(copy_many.bind(states)(0, 1, 5), states[3].turn)
"""
    assert run(code, NUMBA_DISABLE_JIT="1").stdout == "35 7\n"


# --- The key of a cached file -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "matters"),
    [
        ("cardrome.games.locm.rules.entries", True),
        ("cardrome.games.locm.rules.battle", True),
        ("cardrome.engine.javarandom", True),  # imported by a module that it imports
        ("cardrome.engine.kernel", True),
        ("cardrome.games.locm.protocol.inputs", False),
    ],
)
def test_a_change_in_any_module_used_makes_a_new_key(
    changed: str, matters: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = objectcode.source_key.__wrapped__
    before = key("cardrome.games.locm.rules.entries")
    source = objectcode._source
    monkeypatch.setattr(objectcode, "_source", lambda m: source(m) + b"# changed" if m == changed else source(m))
    assert (key("cardrome.games.locm.rules.entries") != before) == matters


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    objectcode.store(tmp_path / "a.o", b"old")
    objectcode.store(tmp_path / "a.o", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["a.o"]
    assert (tmp_path / "a.o").read_bytes() == b"new"
