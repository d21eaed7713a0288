"""A match from its start to its end: turns, who may ask what, and when it is over."""

from __future__ import annotations

import pytest

from tests.games.tapdeck.rules.position import Position, duel

DECK = "1 C 0 1 1 0 1\n2 D 100 0 0 0 -1\n3 C 1 1 1 0 1"
OWN_TURN = ["GET_HP", "GET_CARD_LIMITS", "GET_CURRENT_MANA", "GET_DECK", "GET_HANDS", "GET_BOARD", "GET_ATTACKERS"]
ACTIONS = [
    "DRAW_CARD", "BURN_CARD", "DISCARD_CARD 1", "ADD_MANA 1", "PLAY_CARD 1 -1", "ATTACK 1", "BLOCK 1 1", "FINISH_BLOCK",
]  # fmt: skip


def test_the_beginning() -> None:
    position = Position(DECK, draws=2, burns=2, hand_limit=10)
    assert position.say("GET_HP") == "OK\n10 10 10\n"
    assert position.say("GET_CARD_LIMITS") == "OK\n2 2 10\n"
    assert position.say("GET_CURRENT_MANA") == "OK\n0\n"
    assert position.say("GET_DECK") == "OK\n3\n1 C 0 1 1 0 1\n2 D 100 0 0 0 -1\n3 C 1 1 1 0 1\n"
    assert position.say("GET_HANDS") == "OK\n0 0\n"
    assert position.say("GET_BOARD") == "OK\n0 0\n"
    assert position.say("GET_ATTACKERS") == "OK\n0\n"


def test_turns_alternate_and_those_left_include_the_present_one() -> None:
    position = Position(DECK, turns=4)
    for left in (4, 3, 2, 1):
        seat = left % 2
        assert position.seat == seat
        assert position.match.command(seat, "GET_TURN_INFO") == f"OK\n1 {left}\n"
        assert position.match.command(1 - seat, "GET_TURN_INFO") == f"OK\n0 {left}\n"
        position.end_turn()
    for seat in range(2):
        assert position.refused("GET_TURN_INFO", seat) == 932


@pytest.mark.parametrize("line", OWN_TURN + ACTIONS)
def test_what_only_the_player_to_move_may_do(line: str) -> None:
    position = Position(DECK)
    assert position.refused(line, seat=1) == 913
    position.end_turn()
    assert position.refused(line, seat=0) == 913


@pytest.mark.parametrize("line", ["GET_TURN_INFO", *OWN_TURN, *ACTIONS])
@pytest.mark.parametrize("seat", [0, 1])
def test_what_may_not_be_done_when_the_match_has_ended(line: str, seat: int) -> None:
    position = Position(DECK, turns=2)
    position.end_turn(2)
    assert position.refused(line, seat) == 932


@pytest.mark.parametrize("seat", [0, 1])
def test_the_final_score_is_told_to_both_and_only_at_the_end(seat: int) -> None:
    position = Position(DECK, turns=2)
    assert position.refused("GET_FINAL_SCORE", seat) == 933
    position.end_turn()
    assert position.refused("GET_FINAL_SCORE", seat) == 933
    position.end_turn()
    assert position.match.command(seat, "GET_FINAL_SCORE") == "OK\n15 15\n"


def test_a_match_ends_by_health_at_once() -> None:
    position = Position(DECK)
    position.draw(2)
    position.ok("PLAY_CARD 2 -6")
    assert position.match.to_move is None
    assert position.match.command(0, "GET_FINAL_SCORE") == "OK\n40 -10\n"
    assert position.match.command(1, "GET_FINAL_SCORE") == "OK\n-10 40\n"


def test_time_does_not_change_a_match_that_has_ended() -> None:
    position = Position(DECK, turns=2)
    position.end_turn(2)
    before = position.bytes()
    position.match.table.tick()
    assert position.bytes() == before


def test_an_idle_match_ends_in_a_draw() -> None:
    position = Position(DECK, turns=60)
    position.end_turn(59)
    assert position.match.outcome is None
    position.end_turn()
    outcome = position.match.outcome
    assert outcome is not None
    assert (outcome.ending, position.health(), outcome.scores, outcome.winner) == ("turns", (10, 10), (15, 15), None)


def test_by_turns_the_score_is_the_difference_of_health() -> None:
    position = duel("1 D 4 0 0 0 -1", "2 D 1 0 0 0 -1", turns=4)
    position.ok("PLAY_CARD 1 -6")
    position.end_turn()
    position.ok("PLAY_CARD 2 -6")
    position.end_turn()
    outcome = position.match.outcome
    assert outcome is not None
    assert (position.health(), outcome.scores, outcome.winner) == ((9, 6), (18, 12), 0)


def test_health_is_told_from_the_asking_player_s_side() -> None:
    position = duel("1 D 6 0 0 0 -1\n3 D 2 0 0 0 -1", "2 D 1 0 0 0 -1")
    position.ok("PLAY_CARD 1 -5", "PLAY_CARD 3 -6")
    assert position.say("GET_HP") == "OK\n10 4 8\n"
    position.end_turn()
    assert position.say("GET_HP") == "OK\n10 8 4\n"
