"""How a line is read: words, white space, letter case, numbers."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cardrome.games.tapdeck.protocol.commands import (
    BAD_FORMAT,
    FIRST_QUERY,
    GET_HP,
    GET_MY_MATCHES,
    NAMES,
    SYNTAX,
    TOO_MANY_ARGUMENTS,
    UNKNOWN_COMMAND,
    WAIT,
    Command,
    read_command,
    within_reach,
    words_of,
)
from cardrome.games.tapdeck.rules.actions import ATTACK, BLOCK, PLAY_CARD
from tests.games.tapdeck.rules import reference


@pytest.mark.parametrize("name", SYNTAX)
def test_every_command_takes_its_number_of_arguments(name: bytes) -> None:
    syntax = SYNTAX[name]
    numbers = [b"11", b"12", b"13"][: syntax.arguments]
    command = read_command(b" ".join([name, *numbers]))
    assert command == Command(syntax.kind, *map(int, numbers))
    assert read_command(b" ".join([name, *numbers, b"14"])) == TOO_MANY_ARGUMENTS
    if numbers:
        assert read_command(b" ".join([name, *numbers[:-1]])) == BAD_FORMAT
        assert read_command(name) == BAD_FORMAT


def test_the_commands_are_those_of_the_statement() -> None:
    assert {name.decode(): syntax.arguments for name, syntax in SYNTAX.items()} == reference.ARGUMENTS
    assert {NAMES[syntax.kind] for syntax in SYNTAX.values()} == set(reference.ARGUMENTS)
    assert len({syntax.kind for syntax in SYNTAX.values()}) == len(SYNTAX)
    assert all((syntax.kind >= FIRST_QUERY) == (name[:4] in (b"GET_", b"WAIT")) for name, syntax in SYNTAX.items())


@pytest.mark.parametrize("line", [b"get_hp 7", b"Get_Hp 7", b"gEt_hP 7", b"GET_HP 7"])
def test_any_letter_case(line: bytes) -> None:
    assert read_command(line) == Command(GET_HP, 7)


@pytest.mark.parametrize(
    "line",
    [b"GET_HP 7\r\n", b"GET_HP 7\n", b"  GET_HP   7  ", b"\tGET_HP\t7\t", b"\rGET_HP\r7\r", b" \t\r GET_HP \t\r 7"],
)
def test_space_tab_and_cr_are_white_space(line: bytes) -> None:
    assert read_command(line) == Command(GET_HP, 7)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"\v", UNKNOWN_COMMAND),
        (b"\f\v", UNKNOWN_COMMAND),
        (b"GET_HP\v7", UNKNOWN_COMMAND),
        (b"\fGET_HP 7", UNKNOWN_COMMAND),
        ("GET_HP\u00a07".encode(), UNKNOWN_COMMAND),
        (b"GET_HP 7\f", BAD_FORMAT),
        (b"GET_HP \v7", BAD_FORMAT),
        (b"ATTACK 7\v8", BAD_FORMAT),
        (b"GET_HP 7\x1f", BAD_FORMAT),
        (b"GET_HP 7\0", BAD_FORMAT),
        ("GET_HP 7\u00a0".encode(), BAD_FORMAT),
        ("GET_HP \u30007".encode(), BAD_FORMAT),
    ],
)
def test_nothing_else_is_white_space(line: bytes, code: int) -> None:
    assert read_command(line) == code


@pytest.mark.parametrize(
    ("word", "number"),
    [
        (b"0", 0),
        (b"-0", 0),
        (b"+5", 5),
        (b"-5", -5),
        (b"007", 7),
        (b"-007", -7),
        (b"+000", 0),
        (b"0" * 500 + b"42", 42),
        (b"9" * 500, int("9" * 500)),
        (b"-" + b"9" * 500, -int("9" * 500)),
        (b"0" * 5000 + b"42", 42),
        (b"-" + b"0" * 5000 + b"42", -42),
        (b"+" + b"0" * 5000, 0),
    ],
)
def test_numbers_have_a_sign_zeros_and_any_length(word: bytes, number: int) -> None:
    assert read_command(b"ATTACK 3 " + word) == Command(ATTACK, 3, number)


@pytest.mark.parametrize("sign", [b"", b"+", b"-"])
def test_thousands_of_digits_mean_nothing_but_are_a_number(sign: bytes) -> None:
    command = read_command(b"PLAY_CARD 3 4 " + sign + b"9" * 6000)
    assert isinstance(command, Command)
    assert command[:3] == (PLAY_CARD, 3, 4)
    assert within_reach(command.second) == (-16 if sign == b"-" else 1001)


@pytest.mark.parametrize(
    "word",
    [
        b"+", b"-", b"+-5", b"--5", b"5-", b"1_0", b"_1", b"1_", b"5.0", b"1e3", b"0x1F", b"0b1", b"5,", b"x", b"\0",
        "\u0663".encode(), "\uff15".encode(), "\u00b2".encode(), "\u22125".encode(), b"\xff", b"9" * 6000 + b"x",
        b"9" * 6000 + b"_9", b"+" * 6000,
    ],
)  # fmt: skip
def test_what_is_no_number(word: bytes) -> None:
    assert read_command(b"ATTACK " + word + b" 5") == BAD_FORMAT
    assert read_command(b"ATTACK 5 " + word) == BAD_FORMAT


def test_a_long_line_that_is_no_number_is_read_in_no_time() -> None:
    # A pattern with two ways to read the zeros would need minutes.
    assert read_command(b"ATTACK 5 " + b"0" * 200_000 + b"x") == BAD_FORMAT


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"ATTACK x", BAD_FORMAT),
        (b"ATTACK x y z", TOO_MANY_ARGUMENTS),
        (b"WAIT x", TOO_MANY_ARGUMENTS),
        (b"BLOCK 1 2", BAD_FORMAT),
        (b"BLOCK 1 2 x y", TOO_MANY_ARGUMENTS),
        (b"NOTHING x y z", UNKNOWN_COMMAND),
    ],
)
def test_arguments_are_counted_before_they_are_looked_at(line: bytes, code: int) -> None:
    assert read_command(line) == code


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"PASS 5", UNKNOWN_COMMAND),
        (b"5", UNKNOWN_COMMAND),
        (b"GET_HP_ 5", UNKNOWN_COMMAND),
        ("ŻÓŁW 5".encode(), UNKNOWN_COMMAND),
        ("ﬁnish_block 5".encode(), UNKNOWN_COMMAND),
        ("waıt".encode(), UNKNOWN_COMMAND),
        (b"\xff\xfe 5", BAD_FORMAT),
        (b"GET_HP\xc3 5", BAD_FORMAT),
        (b"\xed\xa0\x80", BAD_FORMAT),
        (b"PASS \xff", UNKNOWN_COMMAND),
    ],
)
def test_words_that_are_no_command(line: bytes, code: int) -> None:
    assert read_command(line) == code


def test_commands_without_a_match() -> None:
    assert read_command(b"wait") == Command(WAIT)
    assert read_command(b"GET_MY_MATCHES") == Command(GET_MY_MATCHES)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b"block 17 5 7", "BLOCK 5 7"),
        (b"play_card 51 13 -1", "PLAY_CARD 13 -1"),
        (b"attack 742 +05", "ATTACK 5"),
        (b"draw_card 611", "DRAW_CARD"),
        (b"get_hp 89", "GET_HP"),
        (b"wait", "WAIT"),
    ],
)
def test_commands_in_transcripts(line: bytes, text: str) -> None:
    command = read_command(line)
    assert isinstance(command, Command)
    assert command.text() == text


WORDS = st.one_of(
    st.sampled_from(sorted(SYNTAX)),
    st.sampled_from([b"get_hp", b"Block", b"1", b"-5", b"+", b"1_0", b"\xff", b"0" * 30, "٣".encode(), b"\v"]),
    st.integers().map(lambda n: str(n).encode()),
    st.binary(max_size=6),
)
LINES = st.lists(WORDS, min_size=1, max_size=6).flatmap(
    lambda words: st.sampled_from([b" ", b"\t", b"  ", b" \r"]).map(lambda space: space.join(words))
)


@given(st.one_of(LINES, st.binary(max_size=40)))
@example(b"BLOCK 1 2 " + b"9" * 4301)
@example(b"\v \f")
def test_any_line_is_a_command_or_one_of_three_errors(line: bytes) -> None:
    if not words_of(line):
        return  # blank lines are skipped before
    got = read_command(line)
    expected = reference.read(line)
    if isinstance(got, int):
        assert got in (UNKNOWN_COMMAND, BAD_FORMAT, TOO_MANY_ARGUMENTS)
        assert got == expected
    else:
        assert not isinstance(expected, int)
        name, numbers = expected
        assert NAMES[got.kind] == name
        if all(len(number) < 4000 for number in numbers):
            assert list(got[1 : 1 + len(numbers)]) == [int(number) for number in numbers]
        assert all(number == 0 for number in got[1 + len(numbers) :])


@given(st.binary(max_size=30))
def test_a_line_is_blank_only_if_it_is_all_white_space(line: bytes) -> None:
    assert bool(words_of(line)) == bool(line.strip(b" \t\r\n"))


@given(st.integers())
def test_numbers_out_of_reach_mean_nothing(number: int) -> None:
    near = within_reach(number)
    assert -16 <= near <= 1001
    assert near == number or not -16 <= number <= 1001


def test_blocks_name_the_attacker_first() -> None:
    assert read_command(b"BLOCK 17 5 7") == Command(BLOCK, match=17, first=5, second=7)
