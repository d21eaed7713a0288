"""How rules are declared and called, compiled and interpreted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardrome.bench.kernels import copy_many
from cardrome.engine import kernel
from cardrome.engine.records import Integers
from cardrome.games.locm.rules import actions
from cardrome.games.locm.rules.edition import LOCM_12
from cardrome.games.locm.rules.state import State, new_states
from tests.engine.fresh_process import STEP, Run, cached, run

compiled_only = pytest.mark.skipif(kernel.INTERPRETED, reason="speaks of compiled rules")


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
    bound = actions.new_game.bind(LOCM_12.rules, states)
    assert bound(1) == 0
    actions.new_game(LOCM_12.rules, other, 1)
    assert states.tobytes() == other.tobytes()


def test_a_bound_entry_keeps_its_arrays_alive() -> None:
    bound = copy_many.bind(new_states(40))
    junk = [new_states(40) for _ in range(50)]
    assert [bound(0, 1, 5) for _ in range(50)] == [0] * 50
    assert not any(array.tobytes().strip(b"\0") for array in junk)


@compiled_only
def test_bind_wants_all_arrays() -> None:
    with pytest.raises(TypeError, match="bind every array, or none"):
        actions.new_game.bind(LOCM_12.rules)


@compiled_only
def test_bind_checks_types_too() -> None:
    with pytest.raises(TypeError, match="expected a contiguous array"):
        actions.new_game.bind(LOCM_12.rules, np.zeros(4, np.int16))


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


SHARED = """
import sys
from cardrome.engine.records import new_records
from tests.engine.compiled_shared import Counter, add_to_all, add_two
counters = new_records(Counter, 2)
counters["step"] = [5, -3]
print({name}(counters), counters["count"].tolist(), counters["seen"].tolist(), "numba" in sys.modules)
"""
WARM = SHARED.format(name="add_two") + SHARED.format(name="add_to_all")


def test_a_shared_kernel_is_compiled_once_for_all_that_call_it(tmp_path: Path, fork: Run) -> None:
    def called(name: str) -> str:
        result = fork(SHARED.format(name=name), tmp_path)
        assert result.returncode == 0, result.stderr
        return result.stdout

    def files() -> set[str]:
        return {path.name.split("-")[0].rpartition(".")[2] for path in cached(tmp_path)}

    two, every = "10 [10, 0] [[0, 0, 10], [0, 0, 0]]", "5 [5, 0] [[0, 5, 0], [0, 0, 0]]"
    assert called("add_two") == f"{two} True\n"
    assert files() == {"add_two", "add", "note"}
    assert called("add_to_all") == f"{every} True\n"
    assert files() == {"add_two", "add_to_all", "add", "note"}
    assert len(cached(tmp_path)) == 4
    assert run(WARM, tmp_path).stdout == f"{two} False\n{every} False\n"


def test_shared_kernels_in_the_interpreter_and_with_a_numba_that_has_changed(tmp_path: Path, fork: Run) -> None:
    code = SHARED.format(name="add_two")
    expected = "10 [10, 0] [[0, 0, 10], [0, 0, 0]]"
    assert run(code, tmp_path, NUMBA_DISABLE_JIT="1").stdout == f"{expected} False\n"
    assert fork("import numba.core.codegen as c; del c.JITCodeLibrary" + code, tmp_path).stdout == f"{expected} True\n"
    assert cached(tmp_path) == []


@compiled_only
def test_shared_kernels_take_records_and_integers() -> None:
    def takes_an_array(values: Integers) -> int:
        return int(values[0])

    def returns_two(state: State) -> tuple[int, int]:
        return state.turn, 0

    with pytest.raises(TypeError, match="is not a record"):
        kernel.shared_kernel(takes_an_array)
    with pytest.raises(TypeError, match="returns_two: a shared kernel returns an integer or nothing"):
        kernel.shared_kernel(returns_two)


def test_records_read_as_attributes_at_every_level() -> None:
    s = new_states()[0]
    s.players[1].board[2].attack = 5
    assert s["players"][1]["board"][2]["attack"] == s.players[1].board[2].attack == 5


def test_importing_the_rules_imports_no_compiler() -> None:
    code = "import sys, cardrome.games.locm.protocol.dialogue; print('numba' in sys.modules, 'llvmlite' in sys.modules)"
    assert run(code).stdout == "False False\n"


def test_interpreted_mode_needs_no_compiler_and_no_cache(tmp_path: Path) -> None:
    result = run(STEP, tmp_path, NUMBA_DISABLE_JIT="1")
    assert (result.returncode, result.stdout, result.stderr) == (0, "0 True False\n", "")
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
