"""Vectors of a Java 17 run (the sheet on random numbers, section 5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.engine.javarandom import advance, next_double, next_int, next_int32, next_long, seeded
from tests.engine.compiled_random import advance_all, java_numbers

INT64 = st.integers(-(1 << 63), (1 << 63) - 1)


def sequence(draw: Callable[..., tuple[int, Any]], seed: int, n: int, *args: int) -> list[Any]:
    """n results of a fresh generator."""
    state, results = seeded(seed), []
    for _ in range(n):
        state, value = draw(state, *args)
        results.append(value)
    return results


@pytest.mark.parametrize(
    ("bound", "seed", "expected"),
    [
        (10, 42, "0 3 8 4 0 5 5 8 9 3"),
        (10, 0, "0 8 9 7 5 3 1 1 9 4"),
        (10, -1, "3 5 9 9 4 8 7 8 5 1"),
        (10, 123456789, "5 0 3 4 0 4 3 7 7 7"),
        (16, 42, "11 0 10 0 4 15 4 11 10 1"),
        (16, 0, "11 13 3 9 10 4 8 1 9 12"),
        (160, 42, "90 123 48 84 50 5 65 118 159 13"),
        (160, 7, "76 44 45 124 100 14 128 9 130 14"),
        (
            1073741825,  # nearly every second number is rejected
            42,
            "117392763 102948884 662969970 595021505 196118093 969067502 791955276 819572292",
        ),
    ],
)
def test_next_int(bound: int, seed: int, expected: str) -> None:
    wanted = [int(x) for x in expected.split()]
    assert sequence(next_int, seed, len(wanted), bound) == wanted


@pytest.mark.parametrize(
    ("seed", "expected"),
    [
        (42, "-1170105035 234785527 -1360544799 205897768 1325939940 -248792245"),
        (0, "-1155484576 -723955400 1033096058 -1690734402 -1557280266 1327362106"),
        (-1, "1155099827 1887904451 52699159 -1941176418 -1451336087 -1714570420"),
    ],
)
def test_next_int32(seed: int, expected: str) -> None:
    assert sequence(next_int32, seed, 6) == [int(x) for x in expected.split()]


@pytest.mark.parametrize(
    ("seed", "expected"),
    [
        (
            -5025562857975149833,
            "2040010338 -1911889734 1813879679 1489931971 203024718 -1300508394 2011370057 -208976976 235740010 "
            "872460752 880602815",
        ),
        (
            0,
            "-1155484576 -723955400 1033096058 -1690734402 -1557280266 1327362106 -1930858313 502539523 -1728529858 "
            "-938301587 1431162155",
        ),
    ],
)
def test_seeds_of_the_card_generators(seed: int, expected: str) -> None:
    assert sequence(next_int32, seed, 11) == [int(x) for x in expected.split()]


@pytest.mark.parametrize(
    ("seed", "expected"),
    [
        (
            42,
            "-5025562857975149833 -5843495416241995736 5694868678511409995 5111195811822994797 -6169532649852302182",
        ),
        (
            0,
            "-4962768465676381896 4437113781045784766 -6688467811848818630 -8292973307042192125 -7423979211207825555",
        ),
        (-1, "4961115982468162243 226341162490527646 -6233441030884181172 7681931065131779340 -3206673117535979274"),
        (1, "-4964420948893066024 7564655870752979346 3831662765844904176 6137546356583794141 -594798593157429144"),
    ],
)
def test_next_long(seed: int, expected: str) -> None:
    assert sequence(next_long, seed, 5) == [int(x) for x in expected.split()]


@pytest.mark.parametrize(
    ("seed", "expected"),
    [
        (42, "0.7275636800328681 0.6832234717598454 0.30871945533265976 0.27707849007413665 0.6655489517945736"),
        (0, "0.730967787376657 0.24053641567148587 0.6374174253501083 0.5504370051176339 0.5975452777972018"),
        (-1, "0.26894263088050496 0.012269981921235296 0.6620844841121951 0.4164383172882866 0.8261659004768312"),
    ],
)
def test_next_double(seed: int, expected: str) -> None:
    assert sequence(next_double, seed, 5) == [float(x) for x in expected.split()]


def shuffled(n: int, seed: int) -> list[int]:
    """``Collections.shuffle`` of 0..n-1, which the engine does on decks and card properties."""
    cards, state = list(range(n)), seeded(seed)
    for i in range(n, 1, -1):
        state, j = next_int(state, i)
        cards[i - 1], cards[j] = cards[j], cards[i - 1]
    return cards


@pytest.mark.parametrize(
    ("n", "seed", "expected"),
    [
        (30, 42, "22 10 11 12 1 5 16 3 15 13 28 7 8 24 19 4 18 6 14 2 23 21 27 26 25 0 17 29 9 20"),
        (30, 0, "9 28 7 16 8 20 4 1 29 24 21 22 6 10 14 15 12 23 19 17 26 27 5 11 3 13 2 25 18 0"),
        (30, -7, "23 5 11 28 21 14 29 3 6 1 10 7 25 0 24 2 16 4 20 17 13 19 26 15 12 27 9 18 8 22"),
        (5, 42, "1 2 3 4 0"),
        (5, 1, "2 3 1 4 0"),
    ],
)
def test_shuffle(n: int, seed: int, expected: str) -> None:
    assert shuffled(n, seed) == [int(x) for x in expected.split()]


def test_only_48_bits_of_a_seed_count() -> None:
    assert seeded(-1) == seeded((1 << 63) - 1)
    assert seeded(0) == seeded(-(1 << 63))


def wrap(value: int, bits: int) -> int:
    """To a signed number of so many bits."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


@given(INT64)
def test_next_long_wraps_as_java_does(seed: int) -> None:
    """The definition itself, in Python's unlimited integers."""
    first = advance(seeded(seed))
    second = advance(first)
    assert next_long(seeded(seed)) == (second, wrap((wrap(first >> 16, 32) << 32) + wrap(second >> 16, 32), 64))


@given(INT64, st.integers(1, (1 << 31) - 1))
def test_next_int_stays_below_its_bound(seed: int, bound: int) -> None:
    assert 0 <= next_int(seeded(seed), bound)[1] < bound


STATES = st.integers(0, (1 << 48) - 1)
CORNERS = [0, 1, (1 << 24) - 1, 1 << 24, 1 << 47, (1 << 48) - (1 << 24), (1 << 48) - 1]


def formula(state: int) -> int:
    """The step in Python's unlimited integers."""
    return (state * 0x5DEECE66D + 0xB) % (1 << 48)


@given(STATES)
def test_the_step_is_its_formula(state: int) -> None:
    assert advance(state) == formula(state)


@given(st.lists(STATES, min_size=1, max_size=50))
def test_the_compiled_step_is_its_formula(states: list[int]) -> None:
    array = np.array(states + CORNERS, np.int64)
    advance_all(array, 1)
    assert array.tolist() == [formula(state) for state in states + CORNERS]


def test_many_compiled_steps_in_a_row_are_the_formula_s() -> None:
    array = np.array(CORNERS, np.int64)
    advance_all(array, 2000)
    expected = []
    for state in CORNERS:
        for _ in range(2000):
            state = formula(state)
        expected.append(state)
    assert array.tolist() == expected


@given(INT64, st.integers(1, (1 << 31) - 1))
def test_compiled_numbers_are_those_of_the_interpreter(seed: int, bound: int) -> None:
    out = np.zeros(30, np.int64)
    last = java_numbers(out, seed, bound)
    state, expected = seeded(seed), []
    for _ in range(10):
        for draw, arguments in ((next_int, (bound,)), (next_int32, ()), (next_long, ())):
            state, value = draw(state, *arguments)
            expected.append(value)
    assert (last, out.tolist()) == (state, expected)
