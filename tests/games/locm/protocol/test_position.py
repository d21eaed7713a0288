"""The readable form of positions: exact round trips, positions set up by hand, and every way to get one wrong."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrome.errors import InvalidPosition
from cardrome.games.family import from_json
from cardrome.games.locm.protocol.game import LocmGame, LocmPosition, LocmView
from cardrome.games.locm.protocol.position import to_dict, to_json
from cardrome.games.locm.protocol.setup import from_dict
from cardrome.games.locm.rules.deal import Deal
from cardrome.games.locm.rules.edition import find_edition
from tests.games.locm.games import new_game
from tests.games.locm.protocol.play import FIXED_LIST, battle, play_on, positions

BOARDS = {"edition": "locm-1.2", "players": [{"board": [[3, 7], []]}, {"board": [[116], [8]]}]}


def game_of(data: dict[str, Any]) -> LocmGame:
    game = from_dict(data)
    assert isinstance(game, LocmGame)
    return game


def assert_same(one: LocmPosition, other: LocmPosition) -> None:
    assert type(one) is type(other)
    assert one.states.tobytes() == other.states.tobytes()
    assert one.deals.tobytes() == other.deals.tobytes()
    assert one == other
    if isinstance(one, LocmGame) and isinstance(other, LocmGame):
        assert (one.deal, one.actions) == (other.deal, other.actions)
    if isinstance(one, LocmView) and isinstance(other, LocmView):
        assert one.viewer == other.viewer


# Round trips


@settings(deadline=None)
@given(positions())
def test_every_position_comes_back_as_it_was(position: LocmPosition):
    text = to_json(position)
    again = from_json(text)
    assert_same(again, position)
    assert to_json(again) == text
    assert from_dict(to_dict(position)) == position


@settings(deadline=None)
@given(positions())
def test_dicts_are_plain_json(position: LocmPosition):
    data = to_dict(position)
    assert json.loads(json.dumps(data)) == data == json.loads(to_json(position))


@pytest.mark.parametrize("viewer", [0, 1])
def test_a_pool_of_fixed_cards_comes_back_without_its_parameters(viewer: int):
    game = battle("locm-1.5", seed=4, steps=12, **FIXED_LIST)
    view = game.view(viewer)
    assert_same(from_json(to_json(view)), view)
    imagined = view.determinize(3)
    assert_same(from_json(to_json(imagined)), imagined)


def test_a_loaded_game_goes_on_as_the_saved_one():
    game = battle("locm-1.5", seed=8, steps=20)
    twin = from_json(to_json(game))
    assert isinstance(twin, LocmGame)
    play_on(game, random.Random(1), 30)
    play_on(twin, random.Random(1), 30)
    assert_same(game, twin)


def test_hidden_cards_are_question_marks():
    view = battle(steps=10).view(0)
    data = to_dict(view)
    assert data["viewer"] == 0
    assert set(data["players"][1]["hand"]) | set(data["players"][1]["deck"]) == {"?"}
    assert "?" not in data["players"][0]["deck"]
    assert "actions" not in data
    assert data["deal"]["shuffle_seeds"] == ["0", "0"]


def test_offers_to_come_are_question_marks():
    game = new_game("locm-1.2", seed=2)
    for _ in range(6):
        game.play("PICK 0")
    offers = to_dict(game.view(0))["deal"]["offers"]
    assert offers[4:] == ["?"] * 26
    assert offers[3] == game.offered()


def test_what_a_viewer_may_not_know_is_hidden_when_a_view_is_read():
    game = battle(steps=10)
    data = to_dict(game)
    data["viewer"] = 1
    del data["actions"]
    assert_same(from_dict(data), game.view(1))


def test_known_deals_are_written_as_their_parameters():
    game = battle(seed=5, shufflePlayer0Seed="77")
    assert to_dict(game)["deal"] == {"seed": "5", "shufflePlayer0Seed": "77"}


def test_a_game_changed_by_hand_spells_out_its_deal():
    game = battle(seed=5)
    game.states[0].players[1].health = 3
    game.states[0].players[1].rune = 0
    data = to_dict(game)
    assert "actions" not in data
    assert len(data["deal"]["offers"]) == 30
    again = game_of(data)
    assert again == game
    assert (again.deal, again.actions) == (None, [])


def test_a_deal_with_a_parameter_nobody_knows_is_spelled_out():
    game = LocmGame(find_edition("locm-1.2"), Deal(5, {"colour": "blue"}))
    assert "offers" in to_dict(game)["deal"]
    assert from_dict(to_dict(game)) == game


def test_hands_and_creatures_have_a_line_each_and_decks_are_filled():
    game = battle("locm-1.2", seed=3, steps=25)
    lines = to_json(game).splitlines()
    hand = [held for player in to_dict(game)["players"] for held in player["hand"]]
    for held in hand:
        assert any(line.strip().rstrip(",") == json.dumps(held) for line in lines)
    assert max(len(line) for line in lines if '"order"' not in line) <= 112
    assert len(lines) < 130


# Positions set up by hand


def test_two_boards_are_enough():
    game = game_of(BOARDS)
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
    game = game_of({"edition": "locm-1.5"})
    assert game.legal_actions == ["PASS"]
    game.play("PASS")
    assert game.health == (30, 20)  # nothing to draw


def test_boards_of_one_lane_may_be_flat():
    flat = {"edition": "locm-1.0", "players": [{"board": [3, 7, 3]}, {"board": [[7, 7]]}]}
    lanes = {"edition": "locm-1.0", "players": [{"board": [[3, 7, 3]]}, {"board": [[7, 7]]}]}
    assert game_of(flat) == game_of(lanes)
    assert game_of(flat).input_text().count("\n") == 9


def test_cards_by_number_and_mana_by_turn():
    game = game_of({"edition": "locm-1.2", "turn": 7, "players": [{}, {"hand": [1, 160], "deck": [5, 6, 7]}]})
    assert (game.current, game.turn) == (1, 7)
    player = to_dict(game)["players"][1]
    assert player["max_mana"] == player["mana"] == 4
    assert player["hand"] == [{"card": 1, "id": 2}, {"card": 160, "id": 4}]
    assert player["deck"] == [{"card": 5, "id": 6}, {"card": 6, "id": 8}, {"card": 7, "id": 10}]
    game.play("PASS")
    game.play("PASS")
    assert to_dict(game)["players"][1]["hand"][-1] == {"card": 5, "id": 6}  # the top of the deck comes first


def test_creatures_are_as_their_cards_say_unless_told_otherwise():
    creature = {"card": 3, "attack": 9, "abilities": "GW", "can_attack": False, "touched": True}
    game = game_of({"edition": "locm-1.2", "players": [{"board": [[], [creature]]}, {}]})
    strength = {"attack": 9, "defense": 2, "abilities": "---G-W"}
    flags = {"can_attack": False, "has_attacked": False, "touched": True}
    assert to_dict(game)["players"][0]["board"][1][0] == {"card": 3, "id": 1, "order": 1} | strength | flags


def test_given_ids_are_kept_and_the_others_avoid_them():
    board = [[{"card": 3, "id": 3}, 7], []]
    game = game_of({"edition": "locm-1.2", "players": [{"board": board, "hand": [{"card": 9, "id": 1}, 9]}, {}]})
    player = to_dict(game)["players"][0]
    assert [c["id"] for c in player["board"][0]] == [3, 5]
    assert [c["id"] for c in player["hand"]] == [1, 7]


def test_given_orders_are_kept_and_the_others_follow():
    board = [[{"card": 3, "order": 8}, 7], [3]]
    data = to_dict(game_of({"edition": "locm-1.2", "players": [{"board": board}, {}]}))
    assert [c["order"] for lane in data["players"][0]["board"] for c in lane] == [8, 9, 10]
    assert data["summoned"] == 10


def test_played_cards_are_matched_with_the_creatures():
    player = {"board": [[3], []], "played": [7, 3, 3]}
    played = to_dict(game_of({"edition": "locm-1.2", "players": [player, {}]}))["players"][0]["played"]
    assert played == [{"card": 7, "id": 3}, {"card": 3, "id": 1}, {"card": 3, "id": 5}]


@pytest.mark.parametrize(
    ("edition", "original", "clone", "clones"), [("locm-1.5", 4, 5, 0), ("locm-1.5-2022", 4, 63, 3)]
)
def test_clones_are_not_among_the_cards_played(edition: str, original: int, clone: int, clones: int):
    number = next(n for n, card in enumerate(game_of({"edition": edition}).deals[0].cards) if card.type == 0)
    board = [[{"card": number, "id": original}], [{"card": number, "id": clone}]]
    data = to_dict(game_of({"edition": edition, "players": [{"board": board}, {}]}))
    assert data["players"][0]["played"] == [{"card": number, "id": original}]
    assert data["clones"] == clones


def test_the_rune_follows_from_the_health():
    game = game_of({"edition": "locm-1.2", "players": [{"health": 15}, {"health": 40}]})
    assert [p["rune"] for p in to_dict(game)["players"]] == [10, 25]


def test_a_finished_game():
    data = {"edition": "locm-1.2", "winner": 0, "players": [{}, {"health": -2}]}
    game = game_of(data)
    assert (game.winner, game.to_move, game.legal_actions) == (0, None, [])


def test_a_draft_in_the_middle():
    game = game_of({"edition": "locm-1.2", "phase": "draft", "players": [{"deck": [1, 2]}, {"deck": [3]}]})
    assert (game.phase, game.to_move) == ("draft", 1)
    game.play("PICK 2")
    assert game.to_move == 0


def test_a_constructed_deck_in_the_middle():
    deck = [n // 2 for n in range(29)]
    game = game_of({"edition": "locm-1.5", "phase": "constructed", "players": [{"deck": deck}, {}]})
    assert game.to_move == 0
    assert "CHOOSE 0" not in game.legal_actions
    game.play("CHOOSE 14")
    assert game.to_move == 1


def test_an_untouched_deal_is_a_new_game():
    game = game_of({"edition": "locm-1.2", "phase": "draft", "deal": {"seed": 7}})
    assert game == new_game("locm-1.2", seed=7)
    assert game.deal is not None


def test_cards_of_a_pool_are_found_by_number_not_by_place():
    data = {"edition": "locm-1.5", "deal": {"seed": 42, **FIXED_LIST}, "players": [{"hand": [83, 116]}, {}]}
    game = game_of(data)
    hand = [line.split()[:2] for line in game.input_text().splitlines()[4:]]
    assert hand == [["83", "0"], ["116", "2"]]


def test_a_card_table_of_ones_own():
    cards = [{"type": "green", "attack": 3, "abilities": "C", "area": "lane2"}, *({"attack": n} for n in range(14))]
    game = game_of(
        {"edition": "locm-1.5", "deal": {"cards": cards}, "players": [{"hand": [0], "board": [[5], [6]]}, {}]}
    )
    game.play("USE 4 0")
    assert [c["attack"] for lane in to_dict(game)["players"][0]["board"] for c in lane] == [7, 8]


@settings(deadline=None)
@given(st.integers(0, 1 << 40))
def test_a_position_set_up_by_hand_can_be_viewed_imagined_and_played(seed: int):
    hand = {"hand": [1, 117, 150], "deck": [3, 3, 3], "board": [[3], [7, 8]]}
    game = game_of({"edition": "locm-1.2", "turn": 10, "players": [hand, hand]})
    imagined = game.view(0).determinize(seed)
    data = to_dict(imagined)
    ids = [c["id"] for p in data["players"] for c in (*p["hand"], *p["deck"], *p["board"][0], *p["board"][1])]
    assert len(set(ids)) == len(ids)
    assert_same(from_dict(data), imagined)
    play_on(imagined, random.Random(seed), 40)


# What is refused


def changed(path: str, value: Any, base: dict[str, Any]) -> dict[str, Any]:
    """A copy of a position in which one field is different; ``path`` is written as in the messages."""
    data: Any = copy.deepcopy(base)
    *way, last = [int(p) if p.isdigit() else p for p in path.replace("[", ".").replace("]", "").split(".")]
    place = data
    for step in way:
        place = place[step]
    place[last] = value
    return data


MIDDLE: dict[str, Any] = {
    "edition": "locm-1.2",
    "turn": 4,
    "players": [{"hand": [1, 2, 3], "deck": [4, 5], "board": [[3, 7], []]}, {"board": [[116], []]}],
}


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("players[0].hand[2]", 200, "players[0].hand[2]: card 200 is not in this edition, expected 1 to 160"),
        (
            "players[0].hand[2]",
            {"card": 0},
            "players[0].hand[2].card: card 0 is not in this edition, expected 1 to 160",
        ),
        ("players[0].hand[2]", {}, "players[0].hand[2].card: missing"),
        ("players[0].hand[2]", "3", 'players[0].hand[2]: expected a number or "?" or an object, got "3"'),
        ("players[0].hand[2]", True, 'players[0].hand[2]: expected a number or "?" or an object, got true'),
        ("players[0].hand[2]", "?", "players[0].hand[2]: expected a card, got '?'; only hand and deck of"),
        ("players[0].hand[2]", {"card": 3, "it": 4}, "players[0].hand[2].it: unknown key; did you mean id?"),
        (
            "players[0].hand[2]",
            {"card": 3, "id": 128},
            "players[0].hand[2].id: expected a number from 0 to 127, got 128",
        ),
        ("players[0].hand[2]", {"card": 3, "id": -1}, "players[0].hand[2].id: expected a number from 0 to 127, got -1"),
        ("players[0].hand", [1] * 9, "players[0].hand: expected a list of at most 8, got a list of 9"),
        ("players[0].hand", 5, "players[0].hand: expected a list of at most 8, got 5"),
        ("players[0].hand", {}, "players[0].hand: expected a list of at most 8, got an object"),
        ("players[0].deck", [1] * 31, "players[0].deck: expected a list of at most 30, got a list of 31"),
        (
            "players[0].deck",
            [1] * 26,
            "players[0]: expected at most 30 cards, got 31: 3 in hand, 26 in the deck, 2 played",
        ),
        ("players[0].board[0]", [3] * 4, "players[0].board[0]: expected a list of at most 3, got a list of 4"),
        ("players[0].board", [[], [], []], "players[0].board: expected 2 lanes, each a list, got 3"),
        ("players[0].board", [3, 7], "players[0].board[0]: expected a list of at most 3, got 3"),
        ("players[0].board[0][1]", 117, "players[0].board[0][1]: card 117 is a green item, expected a creature"),
        (
            "players[0].board[0][1]",
            {"card": 3, "id": 2.5},
            "players[0].board[0][1].id: expected a number from 0 to 127",
        ),
        ("players[0].board[0][1]", {"card": 3, "defense": 0}, "board[0][1].defense: expected a number from 1 to 9999"),
        ("players[0].board[0][1]", {"card": 3, "attack": -1}, "board[0][1].attack: expected a number from 0 to 9999"),
        (
            "players[0].board[0][1]",
            {"card": 3, "attack": 40000},
            "board[0][1].attack: expected a number from 0 to 9999",
        ),
        ("players[0].board[0][1]", {"card": 3, "abilities": "BX"}, 'abilities: expected letters of BCDGLW, got "BX"'),
        ("players[0].board[0][1]", {"card": 3, "abilities": "BB"}, 'abilities: expected letters of BCDGLW, got "BB"'),
        ("players[0].board[0][1]", {"card": 3, "abilities": 5}, "abilities: expected a text, got 5"),
        ("players[0].board[0][1]", {"card": 3, "touched": 1}, "board[0][1].touched: expected true or false, got 1"),
        ("players[0].board[0][1]", {"card": 3, "atack": 1}, "board[0][1].atack: unknown key; did you mean attack?"),
        (
            "players[0].board[0][1]",
            {"card": 3, "can_attack": True, "has_attacked": True},
            "board[0][1].can_attack: expected false, since it has attacked in this turn",
        ),
        (
            "players[1].board[0][0]",
            {"card": 3, "can_attack": True},
            "players[1].board[0][0].can_attack: expected false, since it is not this player's turn",
        ),
        (
            "players[1].board[0][0]",
            {"card": 3, "has_attacked": True},
            "players[1].board[0][0].has_attacked: expected false, since it is not this player's turn",
        ),
        (
            "players[0].board[0]",
            [{"card": 3, "order": 5}, {"card": 3, "order": 4}],
            "players[0].board[0][1].order: expected more than 5; a lane lists its oldest first",
        ),
        (
            "players[0].board",
            [[{"card": 3, "order": 5}], [{"card": 3, "order": 5}]],
            "players[0].board[1][0].order: 5 is also the order of players[0].board[0][0]",
        ),
        ("players[0].played", [3], "players[0].board[0][1]: this creature is not among the cards played"),
        ("players[0].performed", ["ATTACK 1 2"], "players[0].performed[0]: expected a card number and an action"),
        ("players[0].performed", ["3 SUMMON 1 2"], "players[0].performed[0]: expected a card number and an action"),
        ("players[0].performed", [3], "players[0].performed[0]: expected a text, got 3"),
        ("players[0].health", "30", 'players[0].health: expected a number from -999999 to 999999, got "30"'),
        ("players[0].health", 1 << 31, "players[0].health: expected a number from -999999 to 999999, got 2147483648"),
        ("players[0].health", 0, "players[0].health: 0, so the game is over and winner must be 1, got null"),
        ("players[0].rune", 7, "players[0].rune: expected 0 or 5 or 10 or 15 or 20 or 25 at health 30, got 7"),
        ("players[0].mana", 14, "players[0].mana: expected a number from 0 to 12, got 14"),
        ("players[0].max_mana", 13, "players[0].max_mana: expected a number from 0 to 12, got 13"),
        ("players[0].bonus_mana", 1, "players[0].bonus_mana: expected 0, got 1"),
        ("players[0].next_draw", -1, "players[0].next_draw: expected a number from 0 to 9999, got -1"),
        ("players[0].shown_draw", 70000, "players[0].shown_draw: expected a number from 0 to 9999, got 70000"),
        ("players[0].damage_taken", 5, "players[0].damage_taken: expected 0, got 5"),
        ("players[0].helth", 5, "players[0].helth: unknown key; did you mean health?"),
        ("players[1]", 5, "players[1]: expected an object, got 5"),
        ("players", [{}], "players: expected a list of 2, got a list of 1"),
        ("players", None, "players: expected a list of 2, got null"),
        ("edition", "locm-1.3", "edition: unknown edition 'locm-1.3'; did you mean"),
        ("edition", 12, "edition: expected a text, got 12"),
        ("format", "fen", 'format: expected "cardrome-position", got "fen"'),
        ("version", 2, "version: expected 1, got 2"),
        ("phase", "draw", 'phase: expected "battle" or "constructed" or "draft", got "draw"'),
        ("phase", "constructed", 'phase: expected "battle" or "draft", got "constructed"'),
        ("turn", -1, "turn: expected a number from 0 to 9999, got -1"),
        ("current", 1, "current: expected player 0, as turn 4 says, got 1"),
        ("current", 2, "current: expected 0 or 1, got 2"),
        ("winner", 0, "winner: expected null, since both players are alive, got 0"),
        ("winner", 2, "winner: expected 0 or 1 or null, got 2"),
        ("viewer", True, "viewer: expected 0 or 1 or null, got true"),
        ("summoned", 2, "summoned: expected a number from 3 to 9999, got 2"),
        ("clones", 1, "clones: expected 0, got 1"),
        ("actions", [0, 0], "actions: they lead to another position; leave them out of a position changed by hand"),
        ("actions", [999], "actions: they lead to another position"),
        ("deal", 7, "deal: expected an object, got 7"),
        ("deal", {"sed": 7}, "deal.sed: unknown key; did you mean seed?"),
        ("deal", {"seed": "x"}, 'deal.seed: expected a signed 64-bit number, got "x"'),
        ("deal", {"seed": [1]}, "deal.seed: expected a number or a text, got a list"),
        ("deal", {"seed": 1 << 63}, "deal.seed: expected a signed 64-bit number"),
        ("deal", {"cardGenSeed": 7}, "deal.cardGenSeed: unknown key"),
        ("deal", {"predefinedDraftIds": "1 2 3"}, "deal: predefinedDraftIds: 30 groups of three cards are needed"),
        ("deal", {"offers": [[1, 2, 3]]}, "deal.offers: expected a list of 30, got a list of 1"),
        ("deal", {"offers": [[1, 2]] * 30}, 'deal.offers[0]: expected a list of 3 or "?", got a list of 2'),
        ("deal", {"offers": [[1, 2, 161]] * 30}, "deal.offers[0][2]: card 161 is not in this edition"),
        ("deal", {"offers": ["?"] * 30}, "deal.offers[0]: only a view (a position with a viewer) has hidden offers"),
        (
            "deal",
            {"offers": [[1, 2, 3]] * 30, "seed": 1},
            "deal.seed: a deal has parameters, or it",
        ),
        (
            "deal",
            {"offers": [[1, 2, 3]] * 30, "shuffle_seeds": [1]},
            "deal.shuffle_seeds: expected a list of 2",
        ),
        (
            "deal",
            {"offers": [[1, 2, 3]] * 30, "shuffle_seeds": [1, "y"]},
            'deal.shuffle_seeds[1]: expected a signed 64-bit number, got "y"',
        ),
        ("deal", {"shuffle_seeds": [1, 2]}, "deal.offers: missing"),
        ("colour", 1, "colour: unknown key; did you mean"),
    ],
)
def test_what_is_wrong_is_named(path: str, value: Any, message: str):
    from_dict(MIDDLE)
    with pytest.raises(InvalidPosition) as error:
        from_dict(changed(path, value, MIDDLE))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (
            [{"hand": [{"card": 1, "id": 5}]}, {"deck": [{"card": 1, "id": 5}]}],
            "players[1].deck[0].id: 5 is also the id of players[0].hand[0]",
        ),
        (
            [{"hand": [{"card": 1, "id": 5}], "played": [{"card": 1, "id": 5}]}, {}],
            "players[0].played[0].id: 5 is also the id of players[0].hand[0]",
        ),
        (
            [{"played": [{"card": 1, "id": 5}, {"card": 1, "id": 5}]}, {}],
            "players[0].played[1].id: 5 is also the id of players[0].played[0]",
        ),
        (
            [{"board": [[{"card": 3, "id": 5}]], "played": [{"card": 1, "id": 5}]}, {}],
            "players[0].played[0].id: 5 is also the id of players[0].board[0][0]",
        ),
        ([{"health": 20, "rune": 20}, {}], "players[0].rune: expected 0 or 5 or 10 or 15 at health 20, got 20"),
        ([{"health": 0}, {"health": 0}], "players[1].health: 0, so the game is over and winner must be 0, got null"),
    ],
)
def test_what_does_not_go_together_is_named(players: list[Any], message: str):
    with pytest.raises(InvalidPosition) as error:
        from_dict({"edition": "locm-1.2", "players": players})
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "edition: missing"),
        ([], "position: expected an object, got a list of 0"),
        (None, "position: expected an object, got null"),
        (
            {"edition": "locm-1.2", "phase": "draft", "players": [{"deck": [1, 2]}, {}]},
            "players: decks of 2 and 0 cards cannot occur in this phase",
        ),
        (
            {"edition": "locm-1.2", "phase": "draft", "current": 1},
            "current: expected player 0, as the sizes of the decks say, got 1",
        ),
        (
            {"edition": "locm-1.2", "phase": "draft", "players": [{"hand": [1]}, {}]},
            "players[0].hand: expected none before the battle",
        ),
        ({"edition": "locm-1.2", "phase": "draft", "turn": 3}, "turn: expected -1, got 3"),
        (
            {"edition": "locm-1.2", "phase": "draft", "players": [{"health": 0}, {}]},
            "players[0].health: 0; nobody dies before the battle",
        ),
        (
            {"edition": "locm-1.2", "phase": "draft", "players": [{"deck": [{"card": 1, "id": 3}]}, {}]},
            "players[0].deck[0].id: expected none before the battle",
        ),
        (
            {"edition": "locm-1.5", "phase": "constructed", "players": [{"deck": [1]}, {"deck": [1]}]},
            "players: decks of 1 and 1 cards cannot occur in this phase",
        ),
        (
            {"edition": "locm-1.5", "phase": "constructed", "players": [{"deck": [1, 2, 1, 1]}, {}]},
            "players[0].deck[0]: expected at most 2 copies of a card",
        ),
        ({"edition": "locm-1.5", "players": [{"hand": [120]}, {}]}, "expected 0 to 119"),
        (
            {"edition": "locm-1.5", "deal": FIXED_LIST, "players": [{"hand": [200]}, {}]},
            "players[0].hand[0]: card 200 is not in this edition, expected one of 120 cards",
        ),
        ({"edition": "locm-1.5", "players": [{"rune": 5}, {}]}, "players[0].rune: expected 0 at health 30, got 5"),
        (
            {"edition": "locm-1.5", "players": [{"hand": [{"card": 1, "id": 127}]}, {}]},
            "players[0].hand[0].id: expected a number from 0 to 126, got 127",
        ),
        (
            {"edition": "locm-1.5", "deal": {"cards": [{}] * 14}},
            "deal.cards: expected 15 (enough for a deck) to 120 cards",
        ),
        ({"edition": "locm-1.5", "deal": {"cards": [{}] * 121}}, "got 121"),
        (
            {"edition": "locm-1.5", "deal": {"cards": [{"number": 3}] * 15}},
            "deal.cards[1].number: 3 is also the number of deal.cards[0]",
        ),
        (
            {"edition": "locm-1.5", "deal": {"cards": [{"type": "yellow"}] * 15}},
            'deal.cards[0].type: expected "blue" or "creature" or "green" or "red", got "yellow"',
        ),
        ({"edition": "locm-1.5", "deal": {"cards": [{"defense": 0}] * 15}}, "deal.cards[0].defense: expected"),
        ({"edition": "locm-1.5", "deal": {"cards": [{"area": 1}] * 15}}, "deal.cards[0].area: expected"),
        ({"edition": "locm-1.5", "deal": {"predefinedCardListFile": "mine.txt"}}, "deal: predefinedCardListFile"),
        (
            {"edition": "locm-1.2", "viewer": 0, "players": [{"hand": ["?"]}, {}]},
            "players[0].hand[0]: expected a card",
        ),
        ({"edition": "locm-1.2", "viewer": 0, "actions": []}, "actions: a view does not know them"),
        (
            {"edition": "locm-1.2", "actions": [], "deal": {"offers": [[1, 2, 3]] * 30}},
            "actions: they need the deal's parameters",
        ),
        ({"edition": "locm-1.0", "players": [{"board": [[], []]}, {}]}, "players[0].board: expected 1 lanes"),
        ({"edition": "locm-1.0", "players": [{"performed": ["3 SUMMON 1 0"]}, {}]}, "players[0].performed[0]"),
    ],
)
def test_what_cannot_be_is_named(data: Any, message: str):
    with pytest.raises(InvalidPosition) as error:
        from_dict(data)
    assert message in str(error.value)


@pytest.mark.parametrize("text", ["", "{", '{"edition": }', "[" * 100_000, "9" * 5000, b"\xff\xfe"])
def test_text_that_is_no_json(text: str | bytes):
    with pytest.raises(InvalidPosition):
        from_json(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_any_damage_is_read_or_refused_never_worse(data: st.DataObject):
    """Put any JSON into any place of a real position: it is a valid position again, or `InvalidPosition`."""
    whole: Any = json.loads(json.dumps(to_dict(battle("locm-1.2", seed=9, steps=20))))
    del whole["actions"]
    place, last = whole, data.draw(st.sampled_from(sorted(whole)))
    while isinstance(place[last], (dict, list)) and place[last] and data.draw(st.booleans()):
        place = place[last]
        last = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else list(range(len(place)))))
    place[last] = data.draw(json_values)
    try:
        position = from_dict(whole)
    except InvalidPosition:
        return
    assert from_dict(to_dict(position)) == position
