"""What an entry's compiled code depends on: more means a needless compilation, less a wrong result."""

from __future__ import annotations

import sys
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

from cardrome.engine import fingerprint as fp
from cardrome.engine.kernel import kernel, large_kernel, shared_kernel, vector_kernel
from cardrome.engine.records import Record, i1, i2
from cardrome.games.locm.protocol import inputs
from cardrome.games.locm.rules import deal

SOURCE = '''
import enum
import numpy as np

class Kind(enum.IntEnum):
    CREATURE = 0
    ITEM = 1

LIMIT = 8
TABLE = np.array([1, 2, 3], np.int8)
SHAPE = (2, (3, 4))
UNUSED = 5

@kernel
def lowest(value):
    """A callee."""
    return value if value < LIMIT else LIMIT

@kernel
def middle(value):
    return lowest(value) + TABLE[0] + SHAPE[0]

def outer(states, bonus=1):
    """An entry."""
    kind = Kind.ITEM
    total = bonus + settings.STEP
    for i in range(len(states)):
        total += middle(int(states[i]) * 2) if i in (1, 2) else 0
    return total
'''


class Pair(Record):
    """Two numbers."""

    first: i1
    second: i2


def taken(source: str, step: int = 1, parameters: tuple[Any, ...] = (np.int64, int)) -> str:
    settings = ModuleType("settings")
    settings.STEP = step  # type: ignore[attr-defined]
    scope: dict[str, Any] = {"__name__": "game", "settings": settings, "Pair": Pair}
    scope |= {"kernel": kernel, "large_kernel": large_kernel}
    scope |= {"shared_kernel": shared_kernel, "vector_kernel": vector_kernel}
    exec(source, scope)
    dtypes = [each if each is int else np.dtype(each) for each in parameters]
    return fp.fingerprint(scope["outer"], dtypes)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 8", "LIMIT = 9"),
        ("LIMIT = 8", "LIMIT = 8.0"),
        ("[1, 2, 3], np.int8", "[1, 2, 4], np.int8"),
        ("[1, 2, 3], np.int8", "[1, 2, 3], np.int16"),
        ("(3, 4)", "(3, 5)"),
        ("ITEM = 1", "ITEM = 2"),
        ("value < LIMIT", "value <= LIMIT"),
        ("@kernel\ndef middle", "@large_kernel\ndef middle"),
        ("@kernel\ndef middle", "@vector_kernel\ndef middle"),
        ("bonus=1", "bonus=2"),
        ("in (1, 2)", "in (1, 3)"),
        ("* 2", "* 3"),
    ],
)
def test_what_matters(old: str, new: str, request: pytest.FixtureRequest) -> None:
    if "_kernel" in new and isinstance(kernel(lambda: 0), FunctionType):
        pytest.skip("the same in the interpreter")
    assert old in SOURCE
    assert taken(SOURCE.replace(old, new)) != taken(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("UNUSED = 5", "UNUSED = 6"),
        ("A callee", "Something small"),
        ("An entry", "An\n    entry"),
        ("\n    return lowest", "\n    # Why not?\n\n    return lowest"),
    ],
)
def test_what_does_not_matter(old: str, new: str) -> None:
    assert old in SOURCE
    assert taken(SOURCE.replace(old, new)) == taken(SOURCE)


def test_constants_of_other_modules_matter() -> None:
    assert taken(SOURCE, step=2) != taken(SOURCE)


def test_parameters_matter() -> None:
    class One(Record):
        a: i1
        b: i2

    class Swapped(Record):
        b: i2
        a: i1

    class Renamed(Record):
        a: i1
        c: i2

    found = {taken(SOURCE, parameters=(each, int)) for each in (np.int64, np.int32, One, Swapped, Renamed)}
    assert len(found) == 5
    assert taken(SOURCE, parameters=(np.int64, int, int)) != taken(SOURCE)


def key_of(entry: Any) -> str:
    fp._function_text.cache_clear()
    fp._callees.cache_clear()
    return fp.fingerprint(entry.function, ())


@pytest.mark.parametrize(
    ("module", "constant", "matters"),
    [
        ("cardrome.games.locm.rules.deal", "deal_from_seeds", True),
        ("cardrome.games.locm.rules.deckbuilding", "seeded", True),
        ("cardrome.engine.javarandom", "_INCREMENT", True),  # of a kernel that a kernel calls
        ("cardrome.games.locm.protocol.inputs", "write_number", False),
    ],
)
def test_a_change_in_any_module_used_makes_a_new_key(
    module: str, constant: str, matters: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert inputs.write_input is not None
    before = key_of(deal.lay_out_deal)
    monkeypatch.setattr(sys.modules[module], constant, 123456)
    assert (key_of(deal.lay_out_deal) != before) == matters
    monkeypatch.undo()
    assert key_of(deal.lay_out_deal) == before


def test_a_kernel_that_calls_itself_is_looked_at_once() -> None:
    scope: dict[str, Any] = {"__name__": "game", "kernel": kernel}
    exec("@kernel\ndef count(n):\n    return 0 if n == 0 else 1 + count(n - 1)\n", scope)
    function = getattr(scope["count"], "function", scope["count"])
    assert fp.called_functions(function) == [function]


def test_what_a_shared_kernel_takes_and_returns() -> None:
    """Its callers' code depends on that, which Python's own code does not contain."""

    def shared(takes: str, returns: str) -> str:
        declared = f"@shared_kernel\ndef lowest(value: {takes}) -> {returns}:"
        return taken(SOURCE.replace("@kernel\ndef lowest(value):", declared))

    assert shared("int", "int") == shared("int", "int")
    assert len({shared("int", "int"), shared("Pair", "int"), shared("int", "None")}) == 3
