"""Answers of language models: an action is found in whatever wraps it, what is wrong is said, nothing is guessed."""

from __future__ import annotations

import functools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cardrome
from cardrome.envs.text import PositionText, Reading
from cardrome.envs.text.answers import LONGEST

BATTLE = """{"edition": "locm-1.2", "turn": 20, "players": [
  {"health": 20, "mana": 6, "max_mana": 6,
   "board": [[{"card": 3, "id": 5}, {"card": 3, "id": 7}], [{"card": 8, "id": 9}]],
   "hand": [{"card": 1, "id": 31}, {"card": 117, "id": 33}, {"card": 145, "id": 35}, {"card": 116, "id": 37}]},
  {"health": 12, "board": [[{"card": 49, "id": 4}], [{"card": 2, "id": 6}]]}]}"""
"""0: PASS; 1, 2: SUMMON 31 to a lane; 3 to 5: USE 33; 6, 7: USE 35; 8, 9: ATTACK 4 with 5, 7; 10, 11: ATTACK with 9."""


@functools.cache
def battle() -> PositionText:
    game = cardrome.from_json(BATTLE)
    assert isinstance(game, cardrome.Game)
    return PositionText(game.view(0))


def read(answer: str) -> Reading:
    return battle().read(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "10",
        " 10. ",
        "**10**",
        "[10]",
        "#10",
        "`10`",
        "Action 10",
        "I choose 10.",
        "I'll go with 10!",
        "My final answer is: 10",
        "ACTION: 10",
        "ATTACK 9 -1",
        "attack 9 -1",
        "10: ATTACK 9 -1",
        "10: ATTACK 9 -1 = Psyshroom #9 attacks the opponent: their health 12 -> 10, their rune 10 breaks",
        "Psyshroom #9 attacks the opponent",
        "psyshroom attacks the opponent.",
        "```\nATTACK 9 -1\n```",
        '```json\n{"action": 10}\n```',
        '{"reasoning": "I have 6 mana and 2 creatures", "action": "ATTACK 9 -1"}',
        'Sure! {"thoughts": {"plan": 3}, "Action": "10"}',
        '{"actions": [10]}',
        '[{"action": {"number": 10}}]',
        "10.0",
        "<think>8 or 9? With 2 attack... 0</think>10",
        "I have 6 mana and 3 creatures, they have 12 health.\nAttacking 4 would lose a creature.\n\nFinal answer: 10",
        "10\n\nThis brings them from 12 to 10 health, and I keep 2 creatures back.",
        "I choose 10 because the Scuttler (1/2) cannot hurt 3 of mine.",
        "The best move is to attack directly: ATTACK 9 −1 does 2 damage.",
        "\\boxed{10}",
        "- 10",
        "I could play:\n- ATTACK 5 4\n- USE 35 4\n\nI choose ATTACK 9 -1",
        "Candidates: 3 and 6.\n3\n6\nBest: 10",
        "x² ٣ \n10",
        "1. 10",
        "x" * 100_000 + "\n10",
    ],
)
def test_one_action_in_many_wrappings(answer: str) -> None:
    reading = read(answer)
    assert (reading.actions, reading.problem) == (("ATTACK 9 -1",), "")


@pytest.mark.parametrize(
    "answer",
    [
        "6, 10, 0",
        "6 10 0",
        "6 then 10 and then 0",
        "6; 10; 0",
        "6 -> 10 -> 0",
        "USE 35 4; ATTACK 9 -1; PASS",
        "USE 35 4, ATTACK 9 -1, PASS",
        "use 35 4\nattack 9 -1\npass",
        "1. USE 35 4\n2. ATTACK 9 -1\n3. PASS",
        "First I clear the guard:\n- USE 35 4\n- ATTACK 9 -1\n- PASS\nThat leaves them at 10.",
        "Plan:\n1. 6\n2. 10\n3. 0",
        '["USE 35 4", "ATTACK 9 -1", "PASS"]',
        '{"actions": [6, "ATTACK 9 -1", {"move": 0}]}',
        "I play 6, 10, 0",
        "Action 1: USE 35 4\nAction 2: ATTACK 9 -1\nAction 3: PASS",
        "I choose 6\nI choose 10\nI choose 0",
    ],
)
def test_several_actions_in_order(answer: str) -> None:
    reading = read(answer)
    assert (reading.actions, reading.problem) == (("USE 35 4", "ATTACK 9 -1", "PASS"), "")


def test_numbers_mean_the_list_and_texts_what_is_legal_by_then() -> None:
    # Once card 31 is gone every engine code behind it means something else; and the way to the opponent is free.
    assert read("1, 6, ATTACK 5 -1, 10").actions == ("SUMMON 31 0", "USE 35 4", "ATTACK 5 -1", "ATTACK 9 -1")


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("", "the answer is empty; answer with the number of an action, such as 0, or its text, such as PASS"),
        ("<think>10</think>", "the answer is empty"),
        ("12", "there is no action 12; they go from 0 to 11"),
        ("-1", "there is no action -1"),
        ("9" * 5000, "there is no action 99999"),
        ("I have 6 mana and 3 creatures.", "no action found in 'I have 6 mana and 3 creatures.'"),
        ("I would not choose 10", "no action found"),
        ("Should I use 3 cards or pass on 2 of them?", "no action found"),
        ("ATTACK 5 -1", "ATTACK 5 -1, cannot be taken: guards in that lane must be attacked first: 4"),
        ("ATTACK 99 -1", "no creature 99 stands on your board"),
        ("SUMMON 37 0", "not enough mana: needs 12, has 6"),
        ("SUMMON 31 7", "lane 7 does not exist"),
        ("SUMMON 31", "SUMMON takes 2 numbers, got 1"),
        ("FLY 3 4", "there is no command 'FLY'"),
        ("Beavrat attacks Shiny Prowler", "can mean any of the actions 8, 9; give the number"),
        ('{"colour": 3}', "no action found"),
        ('{"action": 77}', "there is no action 77"),
        ('{"action": null}', "no action found"),
        ("[" * 9000 + "]" * 9000, "no action found"),
        ("\x1b[2J\u202egniht on", "no action found in '\\\\x1b"),
        ("0 " * 300, "the answer names 300 actions; at most 200"),
    ],
)
def test_what_is_wrong_is_said(answer: str, problem: str) -> None:
    reading = read(answer)
    assert reading.actions == ()
    assert problem in reading.problem
    assert len(reading.problem) < 600
    assert reading.problem.isprintable()


def test_the_part_that_can_be_taken_is_kept() -> None:
    again = read("10, 10, 0")
    assert again.actions == ("ATTACK 9 -1",)
    assert again.problem.startswith("action 2 of your answer, ATTACK 9 -1, cannot be taken: creature 9 has attacked")
    late = read("0, 10")
    assert late.actions == ("PASS",)
    assert late.problem == "your turn ended with PASS; 1 more in your answer left out"


def test_nobody_chooses_when_it_is_not_their_turn() -> None:
    game = cardrome.new_game("locm-1.2", seed=3)
    text = PositionText(game.view(1))
    assert "opponent's turn" in text.position
    assert text.read("0") == Reading((), "it is not your turn")


def test_a_whole_deck_at_once() -> None:
    game = cardrome.new_game("locm-1.5", seed=3)
    text = PositionText(game.view(0))
    cards = [*range(10, 25), *range(10, 25)]
    reading = text.read("My deck: " + ", ".join(map(str, cards)))
    assert reading.actions == tuple(f"CHOOSE {card}" for card in cards)
    third = text.read("7, 7, 7")
    assert len(third.actions) == 2
    assert "2 copies" in third.problem
    assert text.read("120").problem == "there is no action 120; they go from 0 to 119"


def test_tapdeck_says_what_the_wire_would() -> None:
    game = cardrome.new_game("tapdeck", seed=3)
    text = PositionText(game.view(0))
    card = game.view(0).cards[0].id  # type: ignore[attr-defined]
    reading = text.read(f"FINISH_BLOCK; draw_card; PLAY_CARD {card} -1; end turn")
    assert reading.actions[:2] == ("FINISH_BLOCK", "DRAW_CARD")
    assert "blocking phase is open" in text.read("DRAW_CARD").problem
    assert "not in your hand" in text.read(f"FINISH_BLOCK; PLAY_CARD {card} -1").problem


@given(st.text(max_size=300) | st.text("0123456789 ,-[]{}\"':;attackpsAKUSE_\n`*", max_size=300))
def test_any_text_is_an_answer(text: str) -> None:
    reading = read(text)
    assert bool(reading.actions) or bool(reading.problem)


@pytest.mark.parametrize("piece", ["attack 9 ", "9, ", "{", "```", "<think>", "[0,", "pass ", "((((", "pick 1, ", "A_"])
def test_long_answers_take_no_longer(piece: str) -> None:
    read(piece * (2 * LONGEST // len(piece)))
