"""Records: one declaration gives the dtype, and the fields that type checkers know."""

from __future__ import annotations

import pickle
from typing import Annotated, Any

import numpy as np
import pytest

from cardrome.engine.records import (
    CACHE_LINE,
    Floats,
    Integers,
    Record,
    Records,
    duplicate,
    flag,
    i1,
    i4,
    i8,
    new_records,
    record_dtype,
    resized,
    u1,
)

HAND = 3
MANY = CACHE_LINE // 4


class Held(Record):
    card: u1
    id: i1


class Side(Record):
    health: i4
    ready: flag
    lanes: Annotated[Integers, "i2", 2]
    seen: Annotated[Integers, "u1", (2, HAND)]
    top: Held
    hand: Annotated[Records[Held], HAND]
    given: Annotated[int, np.dtype("f8")]
    seed: i8


def test_the_dtype_has_the_fields_in_order() -> None:
    held = [("card", "u1"), ("id", "i1")]
    expected = [
        ("health", "i4"),
        ("ready", "i1"),
        ("lanes", "i2", (2,)),
        ("seen", "u1", (2, HAND)),
        ("top", held),
        ("hand", held, (HAND,)),
        ("given", "f8"),
        ("seed", "i8"),
    ]
    assert Side.dtype == np.dtype(expected)
    assert np.dtype(Side) is Side.dtype
    assert Side.offset_of("lanes") == 5


def test_fields_are_attributes_at_every_level() -> None:
    sides = new_records(Side, 2)
    assert sides.tobytes() == bytes(sides.nbytes)
    side = sides[1]
    side.hand[2].card = 200
    side.top.id = -3
    side.lanes[1] = 7
    side.ready = True
    assert (sides["hand"]["card"][1, 2], sides["top"]["id"][1], side.lanes.tolist()) == (200, -3, [0, 7])
    assert side["ready"] == 1
    side.top = side.hand[2]
    assert side.top.card == 200


def test_an_array_has_its_fields_as_columns() -> None:
    sides = new_records(Side, 2)
    sides.health = [3, 4]
    sides[1:].hand[0, 2].card = 9
    assert type(sides.health) is type(sides["health"]) is np.ndarray
    assert (sides[1].health, sides.hand[1][2].card, sides.top[0].card) == (4, 9, 0)
    assert [side.health for side in sides] == [3, 4]


@pytest.mark.parametrize("known", [lambda sides: sides, lambda sides: sides[0], lambda sides: sides[0].top])
def test_a_name_that_is_no_field_is_refused(known: Any) -> None:
    held = known(new_records(Side, 2))
    assert not hasattr(held, "mana")
    if not isinstance(held, Records):
        with pytest.raises(AttributeError, match="no field 'mana'"):
            held.mana = 1


def test_copies_have_the_same_fields() -> None:
    sides = new_records(Side, 2)
    sides[1].hand[2].id = 5
    for copy in (duplicate(sides), sides.copy(), pickle.loads(pickle.dumps(sides))):
        assert copy.tobytes() == sides.tobytes()
        copy[1].hand[2].id += 1
        assert (copy[1].hand[2].id, sides[1].hand[2].id) == (6, 5)
    assert duplicate(sides).dtype is sides.dtype  # which kernels see at once


def test_a_record_like_another_with_longer_arrays_and_other_records() -> None:
    class Marked(Held):
        mark: i8

    longer = resized(Side, "Longer", lanes=5, top=Marked)
    assert longer.dtype["lanes"] == np.dtype(("i2", 5))
    assert longer.dtype["top"] == Marked.dtype
    assert longer.dtype.names == Side.dtype.names
    same = set(Side.dtype.names or ()) - {"lanes", "top"}
    assert all(longer.dtype[name] == Side.dtype[name] for name in same)


def test_what_a_kernel_may_take() -> None:
    assert record_dtype(Side) is Side.dtype
    for wrong in (str, 3, Records[Side]):
        with pytest.raises(TypeError, match="is not a record"):
            record_dtype(wrong)


class Rated(Record):
    ready: flag
    few: Annotated[Floats, "f4", MANY - 1]
    many: Annotated[Floats, "f4", (2, MANY)]
    last: i1


class Rows(Record):
    number: i1
    rated: Annotated[Records[Rated], 2]


@pytest.mark.parametrize("n", [0, 1, 3])
def test_many_real_numbers_begin_with_a_cache_line(n: int) -> None:
    assert [Rated.offset_of(name) for name in ("few", "many", "last")] == [1, CACHE_LINE, 3 * CACHE_LINE]
    rows = new_records(Rows, n)
    assert rows.shape == (n,)
    assert not rows.tobytes().strip(b"\0")
    places = [rows["rated"]["many"][i, k].ctypes.data for i in range(n) for k in range(2)]
    assert all(place % CACHE_LINE == 0 for place in places)
