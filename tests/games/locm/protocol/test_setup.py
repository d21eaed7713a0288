"""Positions set up by hand: what is left out is filled in."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrome.games.locm.protocol.position import to_dict
from cardrome.games.locm.protocol.setup import from_dict
from tests.games.locm.games import new_game
from tests.games.locm.protocol.play import FIXED_LIST, play_on, set_up

BOARDS = {"edition": "locm-1.2", "players": [{"board": [[3, 7], []]}, {"board": [[116], [8]]}]}


def test_two_boards_are_enough():
    game = set_up(BOARDS)
    assert (game.phase, game.turn, game.to_move, game.health) == ("battle", 0, 0, (30, 30))
    assert game.legal_actions == ["PASS", "ATTACK 1 2", "ATTACK 3 2"]
    mine, foe = to_dict(game)["players"]
    strength = {"attack": 2, "defense": 2, "abilities": "------"}
    flags = {"can_attack": True, "has_attacked": False, "touched": False}
    assert mine["board"][0][0] == {"card": 3, "id": 1, "order": 1} | strength | flags
    assert mine["played"] == [{"card": 3, "id": 1}, {"card": 7, "id": 3}]
    assert [c["id"] for lane in foe["board"] for c in lane] == [2, 4]
    assert not any(c["can_attack"] for lane in foe["board"] for c in lane)
    assert (mine["mana"], mine["max_mana"], foe["mana"]) == (1, 1, 0)
    assert mine["rune"] == 25
    assert to_dict(game)["summoned"] == 4


def test_an_edition_alone_is_an_empty_table():
    game = set_up({"edition": "locm-1.5"})
    assert game.legal_actions == ["PASS"]
    game.push("PASS")
    assert game.health == (30, 20)  # nothing to draw


def test_boards_of_one_lane_may_be_flat():
    flat = {"edition": "locm-1.0", "players": [{"board": [3, 7, 3]}, {"board": [[7, 7]]}]}
    lanes = {"edition": "locm-1.0", "players": [{"board": [[3, 7, 3]]}, {"board": [[7, 7]]}]}
    assert set_up(flat) == set_up(lanes)
    assert set_up(flat).input_text().count("\n") == 9


def test_cards_by_number_and_mana_by_turn():
    game = set_up({"edition": "locm-1.2", "turn": 7, "players": [{}, {"hand": [1, 160], "deck": [5, 6, 7]}]})
    assert (game.current, game.turn) == (1, 7)
    player = to_dict(game)["players"][1]
    assert player["max_mana"] == player["mana"] == 4
    assert player["hand"] == [{"card": 1, "id": 2}, {"card": 160, "id": 4}]
    assert player["deck"] == [{"card": 5, "id": 6}, {"card": 6, "id": 8}, {"card": 7, "id": 10}]
    game.push("PASS")
    game.push("PASS")
    assert to_dict(game)["players"][1]["hand"][-1] == {"card": 5, "id": 6}  # the top of the deck comes first


def test_creatures_are_as_their_cards_say_unless_told_otherwise():
    creature = {"card": 3, "attack": 9, "abilities": "GW", "can_attack": False, "touched": True}
    game = set_up({"edition": "locm-1.2", "players": [{"board": [[], [creature]]}, {}]})
    strength = {"attack": 9, "defense": 2, "abilities": "---G-W"}
    flags = {"can_attack": False, "has_attacked": False, "touched": True}
    assert to_dict(game)["players"][0]["board"][1][0] == {"card": 3, "id": 1, "order": 1} | strength | flags


def test_given_ids_are_kept_and_the_others_avoid_them():
    board = [[{"card": 3, "id": 3}, 7], []]
    game = set_up({"edition": "locm-1.2", "players": [{"board": board, "hand": [{"card": 9, "id": 1}, 9]}, {}]})
    player = to_dict(game)["players"][0]
    assert [c["id"] for c in player["board"][0]] == [3, 5]
    assert [c["id"] for c in player["hand"]] == [1, 7]


def test_given_orders_are_kept_and_the_others_follow():
    board = [[{"card": 3, "order": 8}, 7], [3]]
    data = to_dict(set_up({"edition": "locm-1.2", "players": [{"board": board}, {}]}))
    assert [c["order"] for lane in data["players"][0]["board"] for c in lane] == [8, 9, 10]
    assert data["summoned"] == 10


def test_played_cards_are_matched_with_the_creatures():
    player = {"board": [[3], []], "played": [7, 3, 3]}
    played = to_dict(set_up({"edition": "locm-1.2", "players": [player, {}]}))["players"][0]["played"]
    assert played == [{"card": 7, "id": 3}, {"card": 3, "id": 1}, {"card": 3, "id": 5}]


@pytest.mark.parametrize(
    ("edition", "original", "clone", "clones"), [("locm-1.5", 4, 5, 0), ("locm-1.5-2022", 4, 63, 3)]
)
def test_clones_are_not_among_the_cards_played(edition: str, original: int, clone: int, clones: int):
    number = next(n for n, card in enumerate(set_up({"edition": edition}).deals[0].cards) if card.type == 0)
    board = [[{"card": number, "id": original}], [{"card": number, "id": clone}]]
    data = to_dict(set_up({"edition": edition, "players": [{"board": board}, {}]}))
    assert data["players"][0]["played"] == [{"card": number, "id": original}]
    assert data["clones"] == clones


def test_the_rune_follows_from_the_health():
    game = set_up({"edition": "locm-1.2", "players": [{"health": 15}, {"health": 40}]})
    assert [p["rune"] for p in to_dict(game)["players"]] == [10, 25]


def test_a_finished_game():
    data = {"edition": "locm-1.2", "winner": 0, "players": [{}, {"health": -2}]}
    game = set_up(data)
    assert (game.winner, game.to_move, game.legal_actions) == (0, None, [])


def test_a_draft_in_the_middle():
    game = set_up({"edition": "locm-1.2", "phase": "draft", "players": [{"deck": [1, 2]}, {"deck": [3]}]})
    assert (game.phase, game.to_move) == ("draft", 1)
    game.push("PICK 2")
    assert game.to_move == 0


def test_a_constructed_deck_in_the_middle():
    deck = [n // 2 for n in range(29)]
    game = set_up({"edition": "locm-1.5", "phase": "constructed", "players": [{"deck": deck}, {}]})
    assert game.to_move == 0
    assert "CHOOSE 0" not in game.legal_actions
    game.push("CHOOSE 14")
    assert game.to_move == 1


def test_an_untouched_deal_is_a_new_game():
    game = set_up({"edition": "locm-1.2", "phase": "draft", "deal": {"seed": 7}})
    assert game == new_game("locm-1.2", seed=7)
    assert game.deal is not None


def test_cards_of_a_pool_are_found_by_number_not_by_place():
    data = {"edition": "locm-1.5", "deal": {"seed": 42, **FIXED_LIST}, "players": [{"hand": [83, 116]}, {}]}
    game = set_up(data)
    hand = [line.split()[:2] for line in game.input_text().splitlines()[4:]]
    assert hand == [["83", "0"], ["116", "2"]]


def test_a_card_table_of_ones_own():
    cards = [{"type": "green", "attack": 3, "abilities": "C", "area": "lane2"}, *({"attack": n} for n in range(14))]
    game = set_up(
        {"edition": "locm-1.5", "deal": {"cards": cards}, "players": [{"hand": [0], "board": [[5], [6]]}, {}]}
    )
    game.push("USE 4 0")
    assert [c["attack"] for lane in to_dict(game)["players"][0]["board"] for c in lane] == [7, 8]


@settings(deadline=None)
@given(st.integers(0, 1 << 40))
def test_a_position_set_up_by_hand_can_be_viewed_imagined_and_played(seed: int):
    hand = {"hand": [1, 117, 150], "deck": [3, 3, 3], "board": [[3], [7, 8]]}
    game = set_up({"edition": "locm-1.2", "turn": 10, "players": [hand, hand]})
    imagined = game.view(0).determinize(seed)
    data = to_dict(imagined)
    ids = [c["id"] for p in data["players"] for c in (*p["hand"], *p["deck"], *p["board"][0], *p["board"][1])]
    assert len(set(ids)) == len(ids)
    again = from_dict(data)
    assert again == imagined
    assert again.states.tobytes() == imagined.states.tobytes()
    play_on(imagined, random.Random(seed), 40)
