"""Reading answers: the tables of the protocol, line by line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrome.errors import SyntaxFault
from cardrome.games.locm.protocol.answers import (
    BotAction,
    parse_battle,
    parse_constructed,
    parse_draft,
    parse_integer,
    split_parts,
)
from cardrome.games.locm.rules.edition import ATTACK, PASS, SUMMON, USE
from tests.profiles import examples

OFFERED = [137, 116, 40]
POOL = list(range(120))
PASSED = BotAction(PASS, 0, None)


# Integers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("7", 7),
        ("+7", 7),
        ("-7", -7),
        ("-0", 0),
        ("+0", 0),
        ("05", 5),
        ("-0012", -12),
        ("0" * 60 + "5", 5),
        ("0" * 500 + "5", 5),
        ("2147483647", 2147483647),
        ("-2147483648", -2147483648),
        ("2147483648", None),
        ("-2147483649", None),
        ("9" * 30, None),
        ("9" * 5000, None),
        ("", None),
        ("+", None),
        ("-", None),
        ("--1", None),
        ("+-1", None),
        ("1.0", None),
        ("1e3", None),
        ("0x10", None),
        ("1_000", None),
        (" 1", None),
        ("1 ", None),
        ("1\n", None),
        ("one", None),
    ],
)
def test_integers(text: str, value: int | None):
    assert parse_integer(text) == value


@settings(deadline=None)
@given(st.integers(-(1 << 31), (1 << 31) - 1), st.sampled_from(["", "0", "000"]))
def test_every_32_bit_number_is_one(value: int, zeros: str):
    sign = "-" if value < 0 else ""
    assert parse_integer(f"{sign}{zeros}{abs(value)}") == value


# Draft


@pytest.mark.parametrize(
    ("line", "offer"),
    [
        ("PICK 0", 0),
        ("PICK 1", 1),
        ("PICK 2", 2),
        ("PICK +1", 1),
        ("PICK 02", 2),
        ("PICK -0", 0),
        ("PICK 1 some text", 1),
        ("PICK 1 ", 1),
        ("PICK 1 ; PICK 2", 1),
        ("PICK 2  two spaces", 2),
        ("CHOOSE 137", 0),
        ("CHOOSE 40", 2),
        ("CHOOSE +116 yes", 1),
        ("PASS", 0),
        ("PASS ", 0),
        ("PASS 2", 0),
        ("PASS whatever ; PICK 2", 0),
        ("PICK 1 état d'âme", 1),
    ],
)
def test_draft_answers(line: str, offer: int):
    assert parse_draft(line, OFFERED) == offer


@pytest.mark.parametrize(
    "line",
    [
        *("", " ", ";", " PICK 1", "\tPICK 1", " PASS", "PICK  1", "PICK\t1", "PICK", "PICK "),
        *("PICK 3", "PICK -1", "PICK 1;", "PICK 1,", "PICK 1.0", "PICK x", "PICK 99999999999"),
        *("PASS;", "PASSX", "pass", "pick 1", "Pick 1"),
        *("CHOOSE", "CHOOSE 1", "CHOOSE 138", "CHOOSE x", "CHOOSE  137", "CHOOSE 137;"),
        *("SUMMON 1 0", "1", "hello world"),
    ],
)
def test_draft_answers_that_lose(line: str):
    with pytest.raises(SyntaxFault) as fault:
        parse_draft(line, OFFERED)
    assert fault.value.kind == "draft"


def test_a_fault_tells_what_would_be_right():
    with pytest.raises(SyntaxFault, match=r"expected PICK 0 to 2, got 'PICK 3'"):
        parse_draft("PICK 3", OFFERED)
    with pytest.raises(SyntaxFault, match=r"expected CHOOSE with one of \[137, 116, 40\]"):
        parse_draft("CHOOSE 3", OFFERED)


# Constructed


def choose(*numbers: int) -> str:
    return ";".join(f"CHOOSE {n}" for n in numbers)


@pytest.mark.parametrize(
    ("line", "deck"),
    [
        ("PASS", [k // 2 for k in range(30)]),
        (" PASS ;", [k // 2 for k in range(30)]),
        ("PASS;PASS", [k // 2 for k in range(30)]),
        (choose(*range(30)), list(range(30))),
        (choose(*range(30)) + ";PASS", list(range(30))),
        (choose(*range(119, 89, -1)), list(range(119, 89, -1))),
        (";".join(f"  CHOOSE {n} text {n}" for n in range(30)), list(range(30))),
        (";;" + choose(*range(30)) + "; ;", list(range(30))),
        (choose(5, 5) + ";PASS", [5, 5, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, *(k // 2 for k in range(12, 30))]),
        (choose(0) + ";PASS", [0, 0, *(k // 2 for k in range(2, 30))]),
        ("PASS one;" * 30, [k // 2 for k in range(30)]),
        ("PASS one;CHOOSE 9;PASS", [0, 9, 0, *(k // 2 for k in range(2, 18)), 9, *(k // 2 for k in range(20, 30))]),
        ("CHOOSE +7;CHOOSE 07;PASS", [7, 7, *(k // 2 for k in range(14)), *(k // 2 for k in range(16, 30))]),
    ],
)
def test_constructed_answers(line: str, deck: list[int]):
    assert parse_constructed(line, POOL, 30, 2) == deck


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("", "wrong-card-count"),
        (";;", "wrong-card-count"),
        (choose(*range(29)), "wrong-card-count"),
        (choose(*range(31)), "wrong-card-count"),
        ("PASS;CHOOSE 20", "wrong-card-count"),
        ("PASS;PASS one more", "wrong-card-count"),
        ("PASS text", "wrong-card-count"),
        ("PASS text;" * 300, "wrong-card-count"),
        (choose(3, 3, 3), "draft"),
        ("PASS;CHOOSE 0", "draft"),
        (choose(120), "draft"),
        (choose(-1), "draft"),
        ("CHOOSE", "draft"),
        ("CHOOSE  3", "draft"),
        ("CHOOSE x", "draft"),
        ("CHOOSE 3,", "draft"),
        ("choose 3", "draft"),
        ("pass", "draft"),
        ("PASSX", "draft"),
        ("PASS\tx", "draft"),
        ("PICK 0", "draft"),
        ("CHOOSE 1;SUMMON 1 1;PASS", "draft"),
        ("PASS;hello", "draft"),
    ],
)
def test_constructed_answers_that_lose(line: str, kind: str):
    with pytest.raises(SyntaxFault) as fault:
        parse_constructed(line, POOL, 30, 2)
    assert fault.value.kind == kind


def test_a_pool_is_chosen_from_by_number_and_passed_through_in_order():
    pool = list(range(200, 215))
    assert parse_constructed("CHOOSE 214;PASS", pool, 30, 2) == [14, *(k // 2 for k in range(29))]


# Battle


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("", []),
        (" ", []),
        (";", []),
        (" ; ;; ", []),
        ("PASS", [PASSED]),
        ("PASS with text", [PASSED]),
        ("PASS;PASS", [PASSED, PASSED]),
        ("SUMMON 3 1", [BotAction(SUMMON, 3, 1)]),
        ("  SUMMON 3 1\t", [BotAction(SUMMON, 3, 1)]),
        ("SUMMON 3 1 Go, my friend!", [BotAction(SUMMON, 3, 1)]),
        ("SUMMON 3 7", [BotAction(SUMMON, 3, 7)]),
        ("ATTACK 1 -1", [BotAction(ATTACK, 1, -1)]),
        ("ATTACK 05 -1", [BotAction(ATTACK, 5, -1)]),
        ("ATTACK +5 +6", [BotAction(ATTACK, 5, 6)]),
        ("ATTACK 1 2 ", [BotAction(ATTACK, 1, 2)]),
        ("ATTACK 1 2  two spaces before a text", [BotAction(ATTACK, 1, 2)]),
        ("USE 1 -1", [BotAction(USE, 1, -1)]),
        ("USE -5 2147483647", [BotAction(USE, -5, 2147483647)]),
        ("PASS;SUMMON 1 0", [PASSED, BotAction(SUMMON, 1, 0)]),
        ("SUMMON 1 0;;ATTACK 2 3 ; USE 4 5", [BotAction(SUMMON, 1, 0), BotAction(ATTACK, 2, 3), BotAction(USE, 4, 5)]),
        ("ATTACK 1 2 PASS SUMMON", [BotAction(ATTACK, 1, 2)]),
        ("\x00\x1fPASS\x01", [PASSED]),
    ],
)
def test_battle_answers(line: str, commands: list[BotAction]):
    assert parse_battle(line, summon_names_lane=True) == commands


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("PASSX", "unknown-command"),
        ("PASS\tx", "unknown-command"),
        ("pass", "unknown-command"),
        ("Summon 1 0", "unknown-command"),
        ("PICK 0", "unknown-command"),
        ("CHOOSE 0", "unknown-command"),
        ("SUMMON\t3 1", "unknown-command"),
        ("hello", "unknown-command"),
        ("SUMMON 1 0, ATTACK 1 2", "bad-arguments"),
        ("SUMMON 1 0;hello", "unknown-command"),
        ("SUMMON", "bad-arguments"),
        ("SUMMON 3", "bad-arguments"),
        ("SUMMON  3 1", "bad-arguments"),
        ("SUMMON 3  1", "bad-arguments"),
        ("SUMMON 3 x", "bad-arguments"),
        ("SUMMON x 1", "bad-arguments"),
        ("SUMMON 3\t1", "bad-arguments"),
        ("ATTACK", "bad-arguments"),
        ("ATTACK 1", "bad-arguments"),
        ("ATTACK 1  2", "bad-arguments"),
        ("ATTACK 1 -1x", "bad-arguments"),
        ("ATTACK 1 -", "bad-arguments"),
        ("ATTACK 1 2147483648", "bad-arguments"),
        ("ATTACK 1 2;ATTACK 3", "bad-arguments"),
        ("USE", "bad-arguments"),
        ("USE 1", "bad-arguments"),
        ("USE 1 1.5", "bad-arguments"),
        ("USE 1,2", "bad-arguments"),
    ],
)
def test_battle_answers_that_lose(line: str, kind: str):
    with pytest.raises(SyntaxFault) as fault:
        parse_battle(line, summon_names_lane=True)
    assert fault.value.kind == kind


@pytest.mark.parametrize("line", ["SUMMON 5", "SUMMON 5 1", "SUMMON 5 x", "SUMMON 5  ", "SUMMON 05 any text"])
def test_without_lanes_all_behind_the_id_is_text(line: str):
    assert parse_battle(line, summon_names_lane=False) == [BotAction(SUMMON, 5, None)]


@pytest.mark.parametrize("line", ["SUMMON", "SUMMON  5", "SUMMON x", "SUMMON 5\tx", "ATTACK 5", "USE 5"])
def test_without_lanes_the_rest_stays_strict(line: str):
    with pytest.raises(SyntaxFault) as fault:
        parse_battle(line, summon_names_lane=False)
    assert fault.value.kind == "bad-arguments"


def test_a_long_answer_is_cut_in_the_message():
    with pytest.raises(SyntaxFault) as fault:
        parse_battle("x" * 9000, summon_names_lane=True)
    assert len(str(fault.value)) < 200


@examples(300)
@given(st.text(max_size=60) | st.lists(st.sampled_from([*"PASS SUMMON ATTACK;1 -+\t"]), max_size=40).map("".join))
def test_any_line_is_read_or_a_fault(line: str):
    kinds = set()
    for parse in (
        lambda: parse_battle(line, summon_names_lane=True),
        lambda: parse_battle(line, summon_names_lane=False),
        lambda: parse_draft(line, OFFERED),
        lambda: parse_constructed(line, POOL, 30, 2),
    ):
        try:
            parse()
        except SyntaxFault as fault:
            kinds.add(fault.kind)
    assert kinds <= {"draft", "wrong-card-count", "unknown-command", "bad-arguments"}


def test_parts_are_trimmed_as_java_trims():
    assert split_parts("\x00 a\u00a0 ;\x1f;\u2003b") == ["a\u00a0", "\u2003b"]
