"""The deck and the hands: drawing, burning, discarding, and their limits."""

from __future__ import annotations

import pytest

from tests.games.tapdeck.rules.position import Position

FIVE = "3 C 1 2 2 5 0\n1 C 0 1 1 0 1\n2 C 0 1 1 0 1\n5 D 2 0 0 1 -1\n4 T 2 0 0 0 -1"


def test_the_top_card_goes_to_the_hand_and_is_described() -> None:
    position = Position(FIVE)
    assert position.say("DRAW_CARD") == "OK\n3 C 1 2 2 5 0\n"
    assert position.data("GET_HANDS") == ["1 0", "3 C 1 2 2 5 0"]
    assert position.data("GET_DECK")[:2] == ["4", "1 C 0 1 1 0 1"]


def test_burning_removes_the_top_card_from_the_game() -> None:
    position = Position(FIVE)
    assert position.say("BURN_CARD") == "OK\n"
    assert position.data("GET_DECK")[:2] == ["4", "1 C 0 1 1 0 1"]
    assert position.data("GET_HANDS") == ["0 0"]
    assert position.refused("PLAY_CARD 3 -1") == 906
    assert position.refused("ATTACK 3") == 912


def test_discarding_removes_a_card_of_the_hand_from_the_game() -> None:
    position = Position(FIVE)
    position.draw(2)
    assert position.say("DISCARD_CARD 3") == "OK\n"
    assert position.data("GET_HANDS") == ["1 0", "1 C 0 1 1 0 1"]
    assert position.refused("DISCARD_CARD 3") == 906


def test_draws_and_burns_have_limits_of_their_own_and_can_be_interleaved() -> None:
    position = Position(FIVE, draws=2, burns=2)
    position.ok("DRAW_CARD", "BURN_CARD", "DRAW_CARD")
    assert position.data("GET_CARD_LIMITS") == ["0 1 50"]
    assert position.refused("DRAW_CARD") == 907
    position.ok("BURN_CARD")
    assert position.data("GET_CARD_LIMITS") == ["0 0 50"]
    assert position.refused("BURN_CARD") == 908


def test_both_limits_are_reset_each_turn() -> None:
    position = Position(FIVE, draws=2, burns=1)
    position.ok("DRAW_CARD", "BURN_CARD")
    position.end_turn()
    assert position.data("GET_CARD_LIMITS") == ["2 1 50"]


def test_a_refused_draw_does_not_count() -> None:
    position = Position(FIVE, draws=2, hand_limit=1)
    position.draw(1)
    assert position.refused("DRAW_CARD") == 919
    assert position.data("GET_CARD_LIMITS") == ["1 50 1"]


def test_limits_are_not_cut_by_the_hand_or_the_deck() -> None:
    position = Position("1 C 0 1 1 0 1", draws=3, burns=3, hand_limit=2)
    position.draw(1)
    assert position.data("GET_CARD_LIMITS") == ["2 3 2"]
    assert position.refused("DRAW_CARD") == 918
    assert position.data("GET_CARD_LIMITS") == ["2 3 2"]


def test_take_raises_this_turn_s_draws_and_draws_nothing_itself() -> None:
    position = Position("4 T 2 0 0 0 -1\n1 C 0 1 1 0 1\n2 C 0 1 1 0 1\n3 C 0 1 1 0 1", draws=1)
    position.draw(1)
    assert position.refused("DRAW_CARD") == 907
    assert position.say("PLAY_CARD 4 -5") == "OK\n"
    assert position.data("GET_HANDS") == ["0 0"]
    assert position.data("GET_CARD_LIMITS") == ["2 50 50"]
    position.draw(2)
    assert position.refused("DRAW_CARD") == 907
    position.end_turn()
    assert position.data("GET_CARD_LIMITS") == ["1 50 50"]


def test_take_that_is_not_used_is_lost_with_the_turn() -> None:
    position = Position("4 T 5 0 0 0 -1\n1 C 0 1 1 0 1", draws=1)
    position.draw(1)
    position.ok("PLAY_CARD 4 -5")
    position.end_turn(2)
    assert position.data("GET_CARD_LIMITS") == ["1 50 50"]


def test_take_does_not_raise_the_hand_limit() -> None:
    position = Position("4 T 9 0 0 0 -1\n1 C 0 1 1 0 1\n2 C 0 1 1 0 1\n3 C 0 1 1 0 1", draws=1, hand_limit=2)
    position.draw(1)
    position.ok("PLAY_CARD 4 -5")
    position.draw(2)
    assert position.data("GET_CARD_LIMITS") == ["7 50 2"]
    assert position.refused("DRAW_CARD") == 919
    position.ok("DISCARD_CARD 1")
    position.draw(1)


def test_a_full_hand_is_never_cut() -> None:
    position = Position(FIVE, draws=3, hand_limit=3)
    position.draw(3)
    position.end_turn(2)
    assert position.refused("GET_FINAL_SCORE") == 933
    assert position.data("GET_HANDS")[0] == "3 0"
    position.ok("FINISH_BLOCK")
    assert position.refused("DRAW_CARD") == 919


@pytest.mark.parametrize(
    ("draws", "deck_left", "room", "code"),
    [(0, 0, 0, 907), (0, 1, 1, 907), (0, 0, 1, 907), (0, 1, 0, 907), (1, 0, 0, 918), (1, 0, 1, 918), (1, 1, 0, 919)],
)
def test_of_several_reasons_against_drawing_the_limit_comes_first_then_the_deck(
    draws: int, deck_left: int, room: int, code: int
) -> None:
    # Two cards are taken: one in hand, and one to spare.
    position = Position("1 C 0 1 1 0 1\n2 C 0 1 1 0 1\n3 C 0 1 1 0 1", draws=draws + 1, hand_limit=1 + room)
    position.draw(1)
    for _ in range(2 - deck_left):
        position.ok("BURN_CARD")
    assert position.refused("DRAW_CARD") == code


def test_of_several_reasons_against_burning_the_limit_comes_first() -> None:
    position = Position("1 C 0 1 1 0 1", burns=1)
    position.ok("BURN_CARD")
    assert position.refused("BURN_CARD") == 908
    position.end_turn()
    position.ok("FINISH_BLOCK")
    assert position.refused("BURN_CARD") == 918


def test_an_empty_deck_does_not_end_the_match() -> None:
    position = Position("1 C 0 1 1 0 1", turns=6)
    position.draw(1)
    assert position.say("GET_DECK") == "OK\n0\n"
    position.end_turn(5)
    assert position.data("GET_TURN_INFO") == ["1 1"]


def test_hands_are_listed_by_id_the_asking_player_s_first() -> None:
    position = Position(FIVE)
    position.draw(3)
    position.end_turn()
    position.draw(2)
    mine = ["4 T 2 0 0 0 -1", "5 D 2 0 0 1 -1"]
    theirs = ["1 C 0 1 1 0 1", "2 C 0 1 1 0 1", "3 C 1 2 2 5 0"]
    assert position.data("GET_HANDS") == ["2 3", *mine, *theirs]
    position.end_turn()
    assert position.data("GET_HANDS") == ["3 2", *theirs, *mine]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("DISCARD_CARD 999", 900),
        ("DISCARD_CARD 0", 900),
        ("DISCARD_CARD -5", 900),
        ("DISCARD_CARD 1001", 900),
        ("DISCARD_CARD 3", 903),
        ("DISCARD_CARD 1", 903),
        ("DISCARD_CARD 2", 906),
        ("DISCARD_CARD 6", 906),
        ("DISCARD_CARD 4", 906),
    ],
)
def test_what_cannot_be_discarded(line: str, code: int) -> None:
    position = Position("3 C 1 1 1 0 0\n1 C 1 1 1 0 0\n2 C 1 1 1 0 0\n6 C 1 1 1 0 0\n4 C 1 1 1 0 0")
    position.draw(2)
    position.play(3)  # the opponent's, on their board; 1 in their hand
    position.end_turn()
    position.draw(2)
    position.play(2)  # one's own on the board
    position.ok("DISCARD_CARD 6")  # gone; 4 is in the deck
    assert position.refused(line) == code
