"""Records: one declaration gives the dtype, and the fields that type checkers know."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from cardrome.engine.records import Integers, Record, Records, flag, i1, i4, i8, new_records, u1

HAND = 3


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
