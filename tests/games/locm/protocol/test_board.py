"""Drawings: they show the facts, hide what is hidden, fit into a terminal and exist for every position."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from cardrome.games.locm.protocol.board import draw
from cardrome.games.locm.protocol.game import LocmPosition, LocmView
from cardrome.games.locm.protocol.position import to_dict
from cardrome.games.locm.protocol.setup import from_dict
from cardrome.games.locm.rules.cards import FIXED_CARDS
from cardrome.games.locm.rules.edition import EDITIONS
from tests.games.locm.games import new_game
from tests.games.locm.protocol.play import FIXED_LIST, battle, positions
from tests.profiles import examples

BATTLE: dict[str, Any] = {
    "edition": "locm-1.2",
    "turn": 10,
    "players": [
        {
            "health": 17,
            "mana": 3,
            "hand": [{"card": 1, "id": 11}, {"card": 151, "id": 13}, {"card": 117, "id": 15}],
            "deck": [1, 2, 3],
            "board": [[{"card": 3, "id": 21, "attack": 7, "defense": 9, "abilities": "BGW"}], []],
            "performed": ["3 SUMMON 21 0"],
        },
        {
            "health": 33,
            "hand": [{"card": 160, "id": 12}],
            "board": [[], [{"card": 116, "id": 22, "attack": 13, "defense": 4}]],
            "performed": ["116 ATTACK 22 -1"],
        },
    ],
}


def lines_with(text: str, *parts: str) -> list[str]:
    return [line for line in text.splitlines() if all(part in line for part in parts)]


def test_a_battle_shows_its_facts():
    text = draw(from_dict(BATTLE))
    assert text.startswith("locm-1.2 · turn 10 · player 0 to move")
    assert lines_with(text, "player 1", "health 33", "mana 5/5", "deck 0", "hand 1")
    assert lines_with(text, "    runes 25 20 15 10 5")
    assert lines_with(text, "    runes 15 10 5")
    assert lines_with(text, "▸ player 0", "health 17", "mana 3/6", "deck 3", "hand 3", "next draw 1")
    assert lines_with(text, "▸21", "7/9")
    assert lines_with(text, "BGW")
    assert lines_with(text, " 22", "13/4")
    assert lines_with(text, "Beavrat")
    assert lines_with(text, "lane 0", "lane 1")
    assert lines_with(text, "this turn: SUMMON 21 0")
    assert lines_with(text, "last turn: ATTACK 22 -1")


def test_a_hand_shows_cost_effects_and_what_can_be_played():
    text = draw(from_dict(BATTLE))
    assert lines_with(text, "▸  11", "( 1) ", "2/1", "Slimer", "you +1")
    assert lines_with(text, " 13", "( 5) red", "+0/-99", "BCDGLW", "Decimate")
    assert not lines_with(text, "▸  13")
    assert lines_with(text, "▸  15", "( 1) green", "+1/+1", "B")


def test_the_opponent_is_on_top():
    game = from_dict(BATTLE)
    assert not isinstance(game, LocmView)
    for text, near in ((draw(game), 0), (draw(game.view(0)), 0), (draw(game.view(1)), 1)):
        assert text.index(f"player {1 - near}   health") < text.index(f"player {near}   health")
    assert draw(game).index("13/4") < draw(game).index("7/9")
    assert draw(game.view(1)).index("13/4") > draw(game.view(1)).index("7/9")


def test_a_view_shows_unknown_cards_as_unknown():
    game = from_dict(BATTLE)
    assert not isinstance(game, LocmView)
    text = draw(game.view(1))
    assert "as player 1 sees it" in text
    assert lines_with(text, "? ? ?", "unknown")
    assert "Slimer" not in text
    assert "Decimate" not in text
    assert FIXED_CARDS[159].name in text


def test_the_end_says_who_won_and_why():
    killed = draw(from_dict(BATTLE | {"winner": 0, "players": [BATTLE["players"][0], {"health": -4}]}))
    assert killed.splitlines()[0] == "locm-1.2 · turn 10 · player 0 wins, player 1 is down to -4 health"
    starved = draw(from_dict({"edition": "locm-1.2", "turn": 11, "winner": 0, "players": [{}, {"health": 0}]}))
    assert starved.splitlines()[0] == "locm-1.2 · turn 11 · player 0 wins, player 1 could not draw"
    assert "▸" not in starved


def test_a_draft_shows_offers_and_decks():
    game = new_game("locm-1.2", seed=42)
    for _ in range(4):
        game.push("PICK 0")
    text = draw(game)
    assert text.startswith("locm-1.2 · draft · card 3 of 30 · player 0 to choose")
    for number in game.offered():
        assert lines_with(text, f"card {number}")
        assert FIXED_CARDS[number - 1].name in text
    assert lines_with(text, "PICK 0", "PICK 1", "PICK 2")
    assert text.count("2 of 30 cards") == 2
    assert text.count("cost    0   1   2   3   4   5   6   7   8   9  10  11  12") == 2
    assert text.count(FIXED_CARDS[136].name) == 2  # card 137, the first pick of both


def test_a_drafting_player_does_not_see_the_other_deck():
    game = new_game("locm-1.2", seed=42)
    for _ in range(3):
        game.push("PICK 0")
    text = draw(game.view(1))
    assert lines_with(text, "player 0", "2 of 30 cards, unknown")
    assert lines_with(text, "player 1", "1 of 30 cards")


def test_the_mana_curve_counts():
    game = new_game("locm-1.2", seed=42)
    for _ in range(8):
        game.push("PICK 0")
    costs = [FIXED_CARDS[number - 1].cost for number in to_dict(game)["players"][0]["deck"]]
    counts = next(line for line in draw(game).splitlines() if line.startswith("    cards"))
    columns = [counts[9 + 4 * cost : 13 + 4 * cost].strip() for cost in range(13)]
    assert [int(column or 0) for column in columns] == [costs.count(cost) for cost in range(13)]


def test_a_constructed_pool_shows_every_card_and_the_copies_chosen():
    game = new_game("locm-1.5", seed=42)
    for number in (7, 7, 119):
        game.push(f"CHOOSE {number}")
    text = draw(game)
    assert text.startswith("locm-1.5 · constructed · card 4 of 30 · player 0 to choose")
    assert all(f"#{number} " in text for number in range(120))
    assert lines_with(text, "2×   #7  1 g   +2/+1      o-3 d1")
    assert lines_with(text, "1× #119 12 ", " 9/8 BCDW ", " o-3 d1")
    assert lines_with(text, "2× #7, #119")


def test_generated_cards_have_numbers_and_fixed_ones_names():
    assert "#" in draw(battle("locm-1.5", seed=2))
    assert "#" not in draw(battle("locm-1.5", seed=2, **FIXED_LIST))


def test_print_draws():
    game = battle("locm-1.0", steps=10)
    assert str(game) == draw(game)


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_the_first_position_of_every_edition(edition: str):
    assert str(new_game(edition, seed=0)).startswith(edition)


def test_offers_that_are_not_known_yet():
    game = new_game("locm-1.2", seed=1)
    game.push("PICK 0")
    assert lines_with(draw(game.view(0)), "PICK 0 ", "PICK 1 ", "PICK 2 ")
    assert len(lines_with(draw(game.view(0)), " unknown ")) == 1
    assert lines_with(draw(game.view(1)), " unknown ") == []


@examples(100)
@given(positions())
def test_every_position_can_be_drawn_and_fits(position: LocmPosition):
    text = draw(position)
    lines = text.splitlines()
    assert max(map(len, lines)) <= (76 if position.phase == "battle" else 80)  # stories indent it by four
    assert all(line == line.rstrip() for line in lines)
    assert not set(text) & set("\t\r\x1b")
    if position.phase == "battle":
        for player in to_dict(position)["players"]:
            for creature in (each for lane in player["board"] for each in lane):
                mark = "▸" if creature["can_attack"] else " "
                assert lines_with(text, f"│{mark}{creature['id']} ") or lines_with(text, f"║{mark}{creature['id']} ")
                assert f" {creature['attack']}/{creature['defense']} " in text
