"""Answers to the byte: the statement's examples, every error line, and numbers of any size."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.engine.digits import write_number
from cardrome.games.tapdeck.protocol.commands import ERROR_LINES, MEANINGS
from cardrome.games.tapdeck.protocol.game import TapdeckGame
from cardrome.games.tapdeck.protocol.table import LENGTH, LONGEST_ANSWER
from tests.games.tapdeck.rules.position import EXAMPLE, Position, battlefield, duel
from tests.games.tapdeck.rules.reference import GAME

SOURCES = "1 C 0 1 1 0 1\n2 C 0 1 1 0 1"
FIGHTERS = "3 C 1 2 2 5 0\n4 C 1 2 2 5 0"
FREE_FIGHTERS = "3 C 1 2 2 0 0\n4 C 1 2 2 0 0"


def test_turn_info() -> None:
    position = Position(SOURCES, turns=60)
    position.end_turn(45)
    assert position.match.command(0, "GET_TURN_INFO") == "OK\n0 15\n"


def test_health() -> None:
    position = duel("1 D 6 0 0 0 -1\n3 D 2 0 0 0 -1", SOURCES.splitlines()[1])
    position.ok("PLAY_CARD 1 -5", "PLAY_CARD 3 -6")
    assert position.say("GET_HP") == "OK\n10 4 8\n"


def test_card_limits_and_mana() -> None:
    match = TapdeckGame(EXAMPLE, SOURCES)
    assert match.command(0, "GET_CARD_LIMITS") == "OK\n2 2 10\n"
    position = battlefield("5 C 1 1 1 0 3", "6 C 1 1 1 0 0")
    position.ok("ADD_MANA 5")
    assert position.say("GET_CURRENT_MANA") == "OK\n3\n"


def test_deck() -> None:
    assert Position(SOURCES).say("GET_DECK") == "OK\n2\n1 C 0 1 1 0 1\n2 C 0 1 1 0 1\n"


def test_hands() -> None:
    position = duel(SOURCES, FIGHTERS)
    assert position.say("GET_HANDS") == "OK\n2 2\n1 C 0 1 1 0 1\n2 C 0 1 1 0 1\n3 C 1 2 2 5 0\n4 C 1 2 2 5 0\n"


def with_paid_fighters() -> Position:
    """The board of the statement: 3 and 4 cost 5 mana each, so a creature that gives 10 is tapped and then dies."""
    position = battlefield(SOURCES + "\n9 D 1 0 0 0 -1", "8 C 0 1 1 0 10\n" + FIGHTERS)
    position.ok("ADD_MANA 2")
    position.end_turn()
    position.ok("ADD_MANA 8", "PLAY_CARD 3 -1", "PLAY_CARD 4 -1")
    position.end_turn()
    position.ok("PLAY_CARD 9 8")
    position.end_turn()
    position.ok("FINISH_BLOCK")
    return position


def test_board() -> None:
    position = with_paid_fighters()
    position.end_turn()
    position.ok("ADD_MANA 2")
    expected = "OK\n2 2\n1 C 0 1 1 0 1 1\n2 C 0 1 1 0 1 0\n3 C 1 2 2 5 0 1\n4 C 1 2 2 5 0 1\n"
    assert position.say("GET_BOARD") == expected


def test_attackers() -> None:
    position = with_paid_fighters()
    position.ok("ATTACK 3", "ATTACK 4")
    position.end_turn()
    assert position.say("GET_ATTACKERS") == "OK\n2\n3 C 1 2 2 5 0\n4 C 1 2 2 5 0\n"


def test_actions() -> None:
    position = Position("3 C 1 2 2 5 0\n5 C 0 1 1 0 1\n6 C 0 1 1 0 1\n13 C 0 1 1 0 0\n8 C 1 1 1 0 0")
    assert position.say("DRAW_CARD") == "OK\n3 C 1 2 2 5 0\n"
    position.draw(3)
    assert position.say("BURN_CARD") == "OK\n"
    assert position.say("DISCARD_CARD 3") == "OK\n"
    assert position.say("PLAY_CARD 13 -1") == "OK\n"
    position.play(5, 6)
    position.end_turn(2)
    assert position.say("ADD_MANA 6") == "OK\n"
    assert position.say("ATTACK 5") == "OK\n"


def test_block_and_its_end() -> None:
    position = battlefield("5 C 1 1 1 0 0", "7 C 1 1 1 0 0")
    position.ok("ATTACK 5")
    position.end_turn()
    assert position.say("BLOCK 5 7") == "OK\n"
    assert position.say("FINISH_BLOCK") == "OK\n"


def test_final_score() -> None:
    match = TapdeckGame(replace(EXAMPLE, turns=2), SOURCES)
    match.end_turn()
    match.end_turn()
    assert match.command(1, "GET_FINAL_SCORE") == "OK\n15 15\n"


def test_attackers_have_seven_fields_and_the_board_eight() -> None:
    position = battlefield(FREE_FIGHTERS, "7 C 1 1 1 0 0")
    position.ok("ATTACK 3")
    position.end_turn()
    assert all(len(line.split()) == 7 for line in position.data("GET_ATTACKERS")[1:])
    assert all(len(line.split()) == 8 for line in position.data("GET_BOARD")[1:])


def test_creatures_are_shown_with_their_present_values_everywhere() -> None:
    position = battlefield("5 C 2 4 4 0 1\n8 B 3 1 0 0 -1\n9 D 2 0 0 0 -1", "7 C 1 9 9 0 0")
    position.ok("PLAY_CARD 8 5", "PLAY_CARD 9 5", "ATTACK 5")
    assert position.say("GET_BOARD") == "OK\n1 1\n5 C 5 3 5 0 1 0\n7 C 1 9 9 0 0 1\n"
    position.end_turn()
    assert position.say("GET_ATTACKERS") == "OK\n1\n5 C 5 3 5 0 1\n"
    assert position.say("GET_BOARD") == "OK\n1 1\n7 C 1 9 9 0 0 1\n5 C 5 3 5 0 1 0\n"


def test_the_longest_answer_fits() -> None:
    numbers = range(1, 1001)
    match = TapdeckGame(deck="\n".join(f"{n} C 100 100 100 100 100" for n in numbers))
    reply = match.command(0, "GET_DECK")
    assert reply == "OK\n1000\n" + "".join(f"{n} C 100 100 100 100 100\n" for n in numbers)
    assert len(reply) < LONGEST_ANSWER <= LENGTH
    # On the board values can grow; a creature that got all other cards of the deck would still fit.
    widest = "1000 C 100000 100000 100000 100 100 1\n"
    assert 100 + 1000 * len(widest) <= LONGEST_ANSWER


def test_error_lines_are_the_statement_s() -> None:
    assert {code: words for code, words in MEANINGS.items() if code >= 100} == GAME
    assert ERROR_LINES[913] == b"ERR 913 NotYourTurn now it's time for your opponent to move\n"
    assert ERROR_LINES[1] == b"ERR 1 bad login or password\n"
    assert ERROR_LINES[6] == b"ERR 6 commands limit reached, forced waiting activated\n"
    assert [ERROR_LINES[code].decode() for code in (2, 3, 4)] == [
        "ERR 2 unknown command\n", "ERR 3 bad format\n", "ERR 4 too many arguments\n",
    ]  # fmt: skip


@pytest.mark.parametrize("code", MEANINGS)
def test_every_error_is_one_line_of_plain_text(code: int) -> None:
    line = ERROR_LINES[code].decode("ascii")
    assert line.startswith(f"ERR {code} ")
    assert line.count("\n") == 1
    assert line.endswith("\n")


@given(st.integers(-(10**12), 10**12))
def test_numbers_are_written_in_decimal(number: int) -> None:
    out = np.zeros(32, np.uint8)
    end = write_number(out, 3, number)
    assert out[3:end].tobytes() == str(number).encode()
    assert not out[end:].any()
