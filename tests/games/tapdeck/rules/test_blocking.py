"""The blocking phase: who may block whom, what a fight does, and how the phase ends."""

from __future__ import annotations

import pytest

from tests.games.tapdeck.rules.position import Position, battlefield, duel


def attacked(first: str, second: str, *attackers: int, **numbers: int) -> Position:
    """The first player has ordered attacks; it is the second player's turn, blocking open."""
    position = battlefield(first, second, "", **numbers)
    position.ok(*(f"ATTACK {card}" for card in attackers))
    position.end_turn()
    return position


def test_both_creatures_hurt_each_other_and_the_attacker_does_not_hurt_the_player() -> None:
    position = attacked("5 C 2 4 4 0 0", "7 C 1 5 6 0 0", 5)
    assert position.say("BLOCK 5 7") == "OK\n"
    assert position.creature(5) == "2 3 4"
    assert position.creature(7) == "1 3 6"
    position.ok("FINISH_BLOCK")
    assert position.health() == (10, 10)


def test_who_is_not_blocked_hurts_the_player_when_the_phase_ends() -> None:
    position = attacked("5 C 2 4 4 0 0\n6 C 3 4 4 0 0", "7 C 1 5 6 0 0", 5, 6)
    position.ok("BLOCK 5 7")
    assert position.health() == (10, 10)
    position.ok("FINISH_BLOCK")
    assert position.health() == (10, 7)


@pytest.mark.parametrize(
    ("attacker", "blocker", "left"),
    [
        ("5 C 9 1 1 0 0", "7 C 0 3 3 0 0", {5}),
        ("5 C 0 1 1 0 0", "7 C 1 3 3 0 0", {7}),
        ("5 C 3 2 2 0 0", "7 C 2 3 3 0 0", set()),
        ("5 C 0 2 2 0 0", "7 C 0 3 3 0 0", {5, 7}),
        ("9 C 3 2 2 0 0", "7 C 2 3 3 0 0", set()),
        ("9 C 9 1 1 0 0", "7 C 0 3 3 0 0", {9}),
    ],
)
def test_creatures_at_zero_or_below_are_removed(attacker: str, blocker: str, left: set[int]) -> None:
    a, b = int(attacker.split()[0]), int(blocker.split()[0])
    position = attacked(attacker, blocker, a)
    position.ok(f"BLOCK {a} {b}")
    assert {card for card in (a, b) if position.creature(card)} == left


def test_fights_happen_at_once_one_after_another_with_present_values() -> None:
    position = attacked("5 C 2 5 5 0 0", "7 C 1 3 3 0 0\n8 C 2 3 3 0 0\n9 C 9 3 3 0 0", 5)
    healths = []
    for blocker in (7, 8, 9):
        position.ok(f"BLOCK 5 {blocker}")
        healths.append(position.data("GET_ATTACKERS")[1:])
    assert healths == [["5 C 2 4 5 0 0"], ["5 C 2 2 5 0 0"], []]
    assert [position.creature(card) for card in (7, 8, 9)] == ["1 1 3", "2 1 3", "9 1 3"]


def test_blocked_survivors_stay_among_the_attackers_and_the_dead_go() -> None:
    position = attacked("6 C 1 1 1 0 0\n5 C 1 4 4 0 0", "7 C 2 9 9 0 0\n8 C 2 9 9 0 0", 6, 5)
    assert position.data("GET_ATTACKERS") == ["2", "6 C 1 1 1 0 0", "5 C 1 4 4 0 0"]
    position.ok("BLOCK 6 7")
    assert position.data("GET_ATTACKERS") == ["1", "5 C 1 4 4 0 0"]
    position.ok("BLOCK 5 8")
    assert position.data("GET_ATTACKERS") == ["1", "5 C 1 2 4 0 0"]
    position.ok("FINISH_BLOCK")
    assert position.data("GET_ATTACKERS") == ["0"]
    assert position.health() == (10, 10)


def test_a_dead_attacker_cannot_be_blocked_again() -> None:
    position = attacked("5 C 1 1 1 0 0", "7 C 2 9 9 0 0\n8 C 2 9 9 0 0", 5)
    position.ok("BLOCK 5 7")
    assert position.refused("BLOCK 5 8") == 910


def test_a_creature_blocks_once_in_a_turn() -> None:
    position = attacked("5 C 1 9 9 0 0\n6 C 1 9 9 0 0", "7 C 1 9 9 0 0", 5, 6)
    position.ok("BLOCK 5 7")
    assert not position.awake(7)
    assert position.refused("BLOCK 6 7") == 905
    assert position.refused("BLOCK 5 7") == 905


def test_a_blocker_attacks_or_taps_in_the_same_turn() -> None:
    position = attacked("5 C 1 9 9 0 0", "7 C 1 9 9 0 2\n8 C 1 9 9 0 0", 5)
    position.ok("BLOCK 5 7", "BLOCK 5 8", "ADD_MANA 7", "ATTACK 8")
    assert position.data("GET_CURRENT_MANA") == ["2"]


def test_a_creature_played_last_turn_cannot_block_yet() -> None:
    position = battlefield("5 C 1 9 9 0 0", "7 C 1 9 9 0 0", rest="8 C 1 1 1 0 0")
    position.end_turn()
    position.draw(1)
    position.play(8)
    position.end_turn()
    position.ok("ATTACK 5")
    position.end_turn()
    assert not position.awake(8)
    assert position.refused("BLOCK 5 8") == 905
    position.ok("FINISH_BLOCK")
    assert position.awake(8)


@pytest.mark.parametrize("what", ["ATTACK", "ADD_MANA"])
def test_a_creature_that_attacked_or_was_tapped_cannot_block_in_the_next_turn(what: str) -> None:
    position = battlefield("5 C 1 9 9 0 1", "7 C 0 9 9 0 1")
    position.end_turn()
    position.ok("FINISH_BLOCK", f"{what} 7")
    position.end_turn()
    position.ok("ATTACK 5")
    position.end_turn()
    assert not position.awake(7)
    assert position.refused("BLOCK 5 7") == 905


def test_questions_leave_blocking_open() -> None:
    position = attacked("5 C 1 9 9 0 0", "7 C 1 9 9 0 0", 5)
    before = position.bytes()
    for query in ("TURN_INFO", "HP", "CARD_LIMITS", "CURRENT_MANA", "DECK", "HANDS", "BOARD", "ATTACKERS"):
        position.ok(f"GET_{query}")
    assert position.refused("GET_FINAL_SCORE") == 933
    assert position.bytes() == before
    position.ok("BLOCK 5 7")


def test_mana_is_zero_while_blocking() -> None:
    position = attacked("5 C 1 9 9 0 3", "7 C 1 9 9 0 3", 5)
    assert position.data("GET_CURRENT_MANA") == ["0"]


def test_the_caller_s_own_new_attackers_are_not_shown() -> None:
    position = battlefield("5 C 1 9 9 0 0", "7 C 1 9 9 0 0")
    position.ok("ATTACK 5")
    assert position.data("GET_ATTACKERS") == ["0"]
    position.end_turn()
    position.ok("ATTACK 7")
    assert position.data("GET_ATTACKERS") == ["0"]


def test_finishing_twice_is_refused_however_the_phase_ended() -> None:
    position = attacked("5 C 1 9 9 0 0", "7 C 1 9 9 0 0", 5)
    position.ok("FINISH_BLOCK")
    assert position.refused("FINISH_BLOCK") == 911
    assert position.refused("BLOCK 5 7") == 911
    position.end_turn()
    position.ok("ADD_MANA 5")
    assert position.refused("FINISH_BLOCK") == 911


def test_blocking_is_open_once_in_every_turn_even_the_first() -> None:
    position = Position("1 C 0 1 1 0 1")
    position.ok("FINISH_BLOCK")
    assert position.refused("FINISH_BLOCK") == 911
    position.end_turn()
    position.ok("FINISH_BLOCK")


def test_time_closes_an_open_phase() -> None:
    position = attacked("5 C 4 9 9 0 0", "7 C 1 9 9 0 0", 5)
    position.end_turn()
    assert position.health() == (10, 6)
    assert position.data("GET_ATTACKERS") == ["0"]


def test_an_attack_hits_once() -> None:
    position = attacked("5 C 4 9 9 0 0", "7 C 1 9 9 0 0", 5)
    position.ok("FINISH_BLOCK")
    position.end_turn(4)
    assert position.health() == (10, 6)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("DRAW_CARD", 918),
        ("BURN_CARD", 918),
        ("DISCARD_CARD 999", 900),
        ("DISCARD_CARD 5", 903),
        ("DISCARD_CARD 7", 906),
        ("ADD_MANA 999", 900),
        ("ADD_MANA 5", 903),
        ("ADD_MANA 8", 912),
        ("PLAY_CARD 999 -1", 900),
        ("PLAY_CARD 8 -5", 915),
        ("PLAY_CARD 9 9", 916),
        ("PLAY_CARD 8 -1", 901),
        ("ATTACK 999", 900),
        ("ATTACK 8", 912),
    ],
)
def test_an_action_that_is_refused_has_closed_blocking_and_done_nothing_else(line: str, code: int) -> None:
    first, second = "5 C 2 9 9 0 0", "7 C 1 9 9 0 0\n8 C 1 1 1 5 0\n9 H 0 1 0 0 -1"
    position, expected = attacked(first, second, 5), attacked(first, second, 5)
    expected.ok("FINISH_BLOCK")
    assert position.code(line) == code
    assert position.bytes() == expected.bytes()
    assert position.health() == (10, 8)
    assert position.refused("BLOCK 5 7") == 911
    assert position.refused(line) == code


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("BLOCK 999 7", 910),
        ("BLOCK 5 999", 900),
        ("BLOCK 5 5", 903),
        ("BLOCK 5 8", 912),
        ("BLOCK 5", 3),
        ("ATTACK x", 3),
        ("ATTACK", 3),
        ("ATTACK 7 7", 4),
        ("DRAW_CARD 7", 4),
        ("END_TURN", 2),
    ],
)
def test_refusals_that_leave_blocking_open(line: str, code: int) -> None:
    position = attacked("5 C 2 9 9 0 0", "7 C 1 9 9 0 0\n8 C 1 1 1 5 0", 5)
    assert position.refused(line) == code
    assert position.say("BLOCK 5 7") == "OK\n"


def test_the_player_who_is_not_to_move_closes_nothing() -> None:
    position = attacked("5 C 2 9 9 0 0", "7 C 1 9 9 0 0", 5)
    for line in ("ADD_MANA 5", "DRAW_CARD", "FINISH_BLOCK", "BLOCK 5 7", "GET_ATTACKERS"):
        assert position.refused(line, seat=0) == 913
    assert position.say("BLOCK 5 7") == "OK\n"


@pytest.mark.parametrize("what", ["ATTACK", "ADD_MANA"])
def test_the_first_command_of_a_turn_may_use_a_creature_that_attacked_last_turn(what: str) -> None:
    position = attacked("5 C 2 9 9 0 3", "7 C 1 9 9 0 0", 5)
    position.end_turn()
    assert not position.awake(5)
    assert position.say(f"{what} 5") == "OK\n"
    assert position.data("GET_CURRENT_MANA") == ["3" if what == "ADD_MANA" else "0"]


@pytest.mark.parametrize("line", ["DRAW_CARD", "ATTACK 7", "ADD_MANA 999", "PLAY_CARD 7 -1", "DISCARD_CARD 3"])
def test_an_action_that_lets_the_attackers_kill_is_answered_with_the_end(line: str) -> None:
    position = attacked("5 C 9 9 9 0 0\n6 C 5 9 9 0 0", "7 C 1 9 9 0 0", 5, 6)
    assert position.code(line) == 932
    outcome = position.match.outcome
    assert outcome is not None
    assert (outcome.ending, position.health()) == ("health", (10, 0))


def test_finishing_to_one_s_own_death_succeeds() -> None:
    position = attacked("5 C 10 9 9 0 0", "7 C 1 9 9 0 0", 5)
    assert position.match.command(1, "FINISH_BLOCK") == "OK\n"
    for line in ("FINISH_BLOCK", "GET_HP", "GET_TURN_INFO", "DRAW_CARD", "BLOCK 5 7"):
        assert position.refused(line, seat=1) == 932
        assert position.refused(line, seat=0) == 932


def test_time_kills_too() -> None:
    position = attacked("5 C 10 9 9 0 0", "7 C 1 9 9 0 0", 5)
    position.end_turn()
    outcome = position.match.outcome
    assert outcome is not None
    assert outcome.ending == "health"


def test_only_creatures_that_attack_the_caller_now_can_be_blocked() -> None:
    position = attacked("5 C 2 9 9 0 0\n6 C 2 9 9 0 0", "7 C 1 9 9 0 0\n8 C 1 9 9 0 0", 5)
    for number in ("6", "7", "8", "0", "-5", "999", "1001", "9" * 500):
        assert position.refused(f"BLOCK {number} 7") == 910
    # The attacker is looked at before the blocker, and the phase before both.
    assert position.refused("BLOCK 6 999") == 910
    position.ok("FINISH_BLOCK")
    assert position.refused("BLOCK 6 999") == 911


def test_the_blocker_is_looked_at_as_any_creature() -> None:
    position = attacked("5 C 2 9 9 0 0", "7 C 1 9 9 0 0\n8 C 1 9 9 1 0", 5)
    assert [position.refused(f"BLOCK 5 {blocker}") for blocker in (0, -1, 999, 5, 8)] == [900, 900, 900, 903, 912]


def test_nothing_attacks_in_a_new_match() -> None:
    position = duel("5 C 2 9 9 0 0", "7 C 1 9 9 0 0")
    assert position.data("GET_ATTACKERS") == ["0"]
    assert position.refused("BLOCK 5 7") == 910
