"""Attacks: who wakes when, what an attacker may still do, and what becomes of an attack."""

from __future__ import annotations

from cardrome.engine.kernel import INTERPRETED
from cardrome.games.tapdeck.rules.edition import MAX_DECK
from tests.games.tapdeck.rules.position import Position, battlefield


def test_an_attacker_sleeps_on_the_board_and_wakes_in_its_owner_s_next_action_phase() -> None:
    position = battlefield("5 C 1 9 9 0 0", "7 C 1 9 9 0 0")
    position.ok("ATTACK 5")
    assert not position.awake(5)
    assert position.refused("ATTACK 5") == 905
    assert position.refused("ADD_MANA 5") == 905
    position.end_turn()
    position.ok("FINISH_BLOCK")
    assert not position.awake(5)
    position.end_turn()
    assert not position.awake(5)
    position.ok("FINISH_BLOCK")
    assert position.awake(5)


def test_creatures_wake_only_when_their_owner_s_blocking_ends() -> None:
    position = battlefield("5 C 1 9 9 0 1", "7 C 1 9 9 0 1")
    position.ok("ADD_MANA 5")
    position.end_turn()
    position.ok("ADD_MANA 7")
    assert not position.awake(5), "the opponent's blocking does not wake it"
    position.end_turn()
    assert not position.awake(5), "its owner's turn has begun, but they may still block"
    assert not position.awake(7)


def test_a_creature_sleeps_in_the_turn_in_which_it_is_played() -> None:
    position = battlefield("5 C 1 9 9 0 1", "7 C 1 9 9 0 1", rest="8 C 1 1 1 0 2")
    position.draw(1)
    position.play(8)
    assert not position.awake(8)
    assert position.refused("ATTACK 8") == 905
    assert position.refused("ADD_MANA 8") == 905


def test_several_creatures_attack_in_one_turn_and_are_listed_in_that_order() -> None:
    position = battlefield("5 C 1 9 9 0 0\n6 C 2 9 9 0 0\n4 C 3 9 9 0 0", "7 C 1 9 9 0 0")
    position.ok("ATTACK 6", "ATTACK 4", "ATTACK 5")
    position.end_turn()
    assert [line.split()[0] for line in position.data("GET_ATTACKERS")[1:]] == ["6", "4", "5"]
    position.ok("FINISH_BLOCK")
    assert position.health() == (10, 4)


def test_damage_is_not_dealt_at_once() -> None:
    position = battlefield("5 C 4 9 9 0 0", "7 C 1 9 9 0 0")
    position.ok("ATTACK 5")
    assert position.health() == (10, 10)


def test_attacks_of_the_very_last_turn_come_to_nothing() -> None:
    position = battlefield("5 C 9 9 9 0 0", "7 C 9 9 9 0 0", turns=6)
    position.end_turn()
    position.ok("FINISH_BLOCK", "ATTACK 7")
    assert position.data("GET_TURN_INFO") == ["1 1"]
    position.end_turn()
    outcome = position.match.outcome
    assert outcome is not None
    assert (outcome.ending, position.health(), outcome.winner) == ("turns", (10, 10), None)


def test_attacks_of_the_turn_before_the_last_count_even_if_time_closes_blocking() -> None:
    position = battlefield("5 C 9 9 9 0 0", "7 C 9 9 9 0 0", turns=6)
    position.ok("ATTACK 5")
    position.end_turn(2)
    outcome = position.match.outcome
    assert outcome is not None
    assert (outcome.ending, position.health()) == ("turns", (10, 1))


def test_an_attacker_killed_by_its_owner_s_spell_does_not_attack() -> None:
    position = battlefield("5 C 9 2 2 0 0\n8 D 2 0 0 0 -1", "7 C 1 9 9 0 0")
    position.ok("ATTACK 5", "PLAY_CARD 8 5")
    position.end_turn()
    assert position.data("GET_ATTACKERS") == ["0"]
    assert position.refused("BLOCK 5 7") == 910
    position.ok("FINISH_BLOCK")
    assert position.health() == (10, 10)


def test_an_attacker_that_is_deactivated_still_attacks() -> None:
    position = battlefield("5 C 4 2 2 0 0\n8 I 0 0 0 0 -1", "7 C 1 9 9 0 0")
    position.ok("ATTACK 5", "PLAY_CARD 8 5")
    position.end_turn()
    assert position.data("GET_ATTACKERS") == ["1", "5 C 4 2 2 0 0"]
    position.ok("FINISH_BLOCK")
    assert position.health() == (10, 6)


def test_an_attacker_that_is_buffed_strikes_with_its_present_attack() -> None:
    position = battlefield("5 C 4 2 2 0 0\n8 B 3 1 0 0 -1", "7 C 1 9 9 0 0")
    position.ok("ATTACK 5", "PLAY_CARD 8 5")
    position.end_turn()
    assert position.data("GET_ATTACKERS") == ["1", "5 C 7 3 3 0 0"]
    position.ok("FINISH_BLOCK")
    assert position.health() == (10, 3)


def test_an_enemy_creature_that_is_deactivated_cannot_block_next_and_then_wakes() -> None:
    position = battlefield("5 C 1 9 9 0 0\n8 I 0 0 0 0 -1", "7 C 1 9 9 0 0")
    position.ok("ATTACK 5", "PLAY_CARD 8 7")
    position.end_turn()
    assert position.refused("BLOCK 5 7") == 905
    position.ok("ATTACK 7")


def test_a_creature_may_attack_with_nothing_and_be_tapped_for_nothing() -> None:
    position = battlefield("5 C 0 9 9 0 0\n6 C 0 9 9 0 0", "7 C 1 9 9 0 0")
    position.ok("ATTACK 5", "ADD_MANA 6")
    assert position.data("GET_CURRENT_MANA") == ["0"]
    position.end_turn()
    assert position.data("GET_ATTACKERS") == ["1", "5 C 0 9 9 0 0"]
    position.ok("FINISH_BLOCK")
    assert position.health() == (10, 10)


def test_the_board_has_no_limit() -> None:
    size = 100 if INTERPRETED else MAX_DECK  # each command looks at all creatures: too long for the interpreter
    position = Position("\n".join(f"{number} C 1 1 1 0 0" for number in range(size, 0, -1)), draws=size, hand_limit=1)
    for number in range(size, 0, -1):
        position.draw(1)
        position.play(number)
    lines = position.data("GET_BOARD")
    assert lines[0] == f"{size} 0"
    assert [int(line.split()[0]) for line in lines[1:]] == list(range(1, size + 1))
    position.end_turn(2)
    position.ok(*(f"ATTACK {number}" for number in range(1, size + 1)))
    position.end_turn()
    assert position.data("GET_ATTACKERS")[0] == str(size)
    assert position.say("FINISH_BLOCK") == "OK\n"
    assert position.health() == (10, 0)
