"""The numbering of action codes, and their way from and to the ids a bot names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cardrome.games.locm.rules.actions import describe_action
from cardrome.games.locm.rules.edition import (
    ATTACK,
    EDITIONS,
    PASS,
    SUMMON,
    USE,
    attack_code,
    find_edition,
    summon_code,
    use_code,
)
from tests.games.locm.rules.table import ALL, ONE_LANE, OPPONENT, TWO_LANES, Table, blue, creature, green, red


def described(t: Table, code: int) -> list[int]:
    out = np.zeros(4, np.int64)
    kind = describe_action(t.edition.rules, t.deals, t.states, out, 0, 0, code)
    assert kind == out[0]
    return out.tolist()


def decoded(name: str, code: int) -> tuple[int, int, int]:
    r = find_edition(name).rules[0]
    return int(r.action_kind[code]), int(r.action_source[code]), int(r.action_target[code])


@pytest.mark.parametrize("name", TWO_LANES)
def test_codes_with_two_lanes(name: str) -> None:
    """0 PASS; 1-16 SUMMON 2h + lane; 17-120 USE 13h + target; 121-144 ATTACK 4b + target."""
    edition = find_edition(name)
    r = edition.rules[0]
    assert edition.n_actions == 145
    assert (r.first_use, r.first_attack) == (17, 121)
    for h in range(8):
        for lane in range(2):
            assert decoded(name, 1 + 2 * h + lane) == (SUMMON, h, lane)
            assert summon_code(r, h, lane) == 1 + 2 * h + lane
        for target in range(13):
            assert decoded(name, 17 + 13 * h + target) == (USE, h, target)
            assert use_code(r, h, target) == 17 + 13 * h + target
    for b in range(6):
        for target in range(4):
            assert decoded(name, 121 + 4 * b + target) == (ATTACK, b, target)
            assert attack_code(r, b, target) == 121 + 4 * b + target


@pytest.mark.parametrize("name", ONE_LANE)
def test_codes_with_one_lane(name: str) -> None:
    """0 PASS; 1-8 SUMMON h; 9-112 USE 13h + target; 113-154 ATTACK 7b + target."""
    edition = find_edition(name)
    r = edition.rules[0]
    assert edition.n_actions == 155
    assert (r.first_use, r.first_attack) == (9, 113)
    for h in range(8):
        assert decoded(name, 1 + h) == (SUMMON, h, 0)
        assert summon_code(r, h, 0) == 1 + h
        for target in range(13):
            assert decoded(name, 9 + 13 * h + target) == (USE, h, target)
            assert use_code(r, h, target) == 9 + 13 * h + target
    for b in range(6):
        for target in range(7):
            assert decoded(name, 113 + 7 * b + target) == (ATTACK, b, target)
            assert attack_code(r, b, target) == 113 + 7 * b + target


@pytest.mark.parametrize("name", EDITIONS)
def test_code_0_passes(name: str) -> None:
    assert decoded(name, 0) == (PASS, 0, 0)


def test_codes_of_a_position_with_two_lanes() -> None:
    t = Table("locm-1.2")
    cards = [t.hold(0, "1/1"), t.hold(0, red("0/-1")), t.hold(0, green("0/1"))]
    mine = [t.place(0, "1/1", lane=lane) for lane in (0, 0, 1)]
    theirs = [t.place(1, "1/1", lane=lane) for lane in (0, 1, 1)]
    assert t.code(SUMMON, cards[0], 1) == 2
    assert t.code(USE, cards[1], theirs[0]) == 17 + 13 * 1 + 7
    assert t.code(USE, cards[1], theirs[2]) == 17 + 13 * 1 + 7 + 4
    assert t.code(USE, cards[2], mine[2]) == 17 + 13 * 2 + 1 + 3
    assert t.code(USE, cards[2], OPPONENT) == 17 + 13 * 2
    assert t.code(ATTACK, mine[1], OPPONENT) == 121 + 4
    assert t.code(ATTACK, mine[1], theirs[0]) == 121 + 4 + 1
    assert t.code(ATTACK, mine[2], theirs[2]) == 121 + 4 * 3 + 2


def test_codes_of_a_position_with_one_lane() -> None:
    t = Table("locm-1.0")
    cards = [t.hold(0, "1/1"), t.hold(0, red("0/-1"))]
    mine = [t.place(0, "1/1") for _ in range(6)]
    theirs = [t.place(1, "1/1") for _ in range(6)]
    assert t.code(SUMMON, cards[0], 0) == 1
    assert t.code(USE, cards[1], theirs[5]) == 9 + 13 * 1 + 12
    assert t.code(ATTACK, mine[5], theirs[5]) == 154
    assert t.code(ATTACK, mine[4], OPPONENT) == 113 + 7 * 4


@pytest.mark.parametrize("name", ALL)
def test_names_that_mean_nothing(name: str) -> None:
    t = Table(name)
    held, mine, theirs = t.hold(0, "1/1"), t.place(0, "1/1"), t.place(1, "1/1")
    foes_card = t.hold(1, "1/1")
    for wrong in (0, -1, 120, 1 << 31, -(1 << 31), 256 + held, foes_card, mine):
        assert t.code(SUMMON, wrong, 0) == -1
        assert t.code(USE, wrong, theirs) == -1
    for wrong in (0, -1, 120, 1 << 31, 256 + mine, held, theirs):
        assert t.code(ATTACK, wrong, OPPONENT) == -1
    for wrong in (0, -2, 120, 1 << 31, 256 + theirs, held, foes_card):
        assert t.code(ATTACK, mine, wrong) == -1
        assert t.code(USE, held, wrong) == -1
    for lane in (-1, t.edition.lanes, 255, 256):
        assert t.code(SUMMON, held, lane) == -1


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
