"""From codes to the ids a bot names, and back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cardrome.games.locm.rules.actions import describe_action
from cardrome.games.locm.rules.edition import ATTACK, PASS, SUMMON, USE
from tests.games.locm.rules.table import OPPONENT, Table, blue, creature, green


def described(t: Table, code: int) -> list[int]:
    out = np.zeros(4, np.int64)
    kind = describe_action(t.edition.rules, t.deals, t.states, out, 0, 0, code)
    assert kind == out[0]
    return out.tolist()


@pytest.mark.parametrize("name", ["locm-1.0", "locm-1.2", "locm-1.5", "locm-1.5-2022"])
def test_description_and_code_are_inverse(name: str) -> None:
    t = Table(name)
    last = t.edition.lanes - 1
    card = t.hold(0, replace(creature("1/1"), number=11))
    item = t.hold(0, replace(green("1/1"), number=22))
    magic = t.hold(0, replace(blue("0/-1"), number=33))
    mine = t.place(0, replace(creature("1/1"), number=44), lane=last)
    theirs = t.place(1, "1/1", lane=last)
    assert described(t, 0) == [PASS, 0, 0, 0]
    for number, kind, source, target in (
        (11, SUMMON, card, last),
        (22, USE, item, mine),
        (33, USE, magic, theirs),
        (33, USE, magic, OPPONENT),
        (44, ATTACK, mine, OPPONENT),
        (44, ATTACK, mine, theirs),
    ):
        code = t.code(kind, source, target)
        assert code > 0
        assert described(t, code) == [kind, number, source, target]
