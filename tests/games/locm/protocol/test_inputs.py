"""What bots are sent, byte for byte. The vectors of seed 42 come from a run of the original Java classes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.protocol.setup import from_dict
from cardrome.games.locm.rules.edition import EDITIONS
from tests.games.locm.games import new_game
from tests.games.locm.protocol.play import FIXED_LIST, games, has_chosen_already

FIRST_12 = """\
30 1 25 25 1
30 1 25 25 1
5 0
5
28 1 0 0 2 1 2 ------ 0 0 1 -1\x20
28 3 0 0 2 1 2 ------ 0 0 1 -1\x20
114 5 0 0 7 7 7 ---G-- 0 0 0 -1\x20
114 7 0 0 7 7 7 ---G-- 0 0 0 -1\x20
88 9 0 0 5 4 4 -C---- 0 0 0 -1
"""

SECOND_12 = """\
30 2 24 25 1
30 1 25 25 1
5 0
6
108 2 0 0 5 2 6 ---G-- 0 0 0 -1\x20
75 4 0 0 5 6 5 B----- 0 0 0 -1\x20
35 6 0 0 6 5 2 B----- 0 0 1 -1\x20
137 8 0 1 2 0 0 -----W 0 0 0 -1\x20
37 10 0 0 6 5 7 ------ 0 0 1 -1\x20
28 12 0 0 2 1 2 ------ 0 0 1 -1
"""

FIRST_15 = """\
30 1 25 1
30 1 25 1
5 0
5
6 24 0 2 0 -1 -1 ------ 1 -1 0 1 -1\x20
8 34 0 0 1 2 1 -----W 0 0 0 1 -1\x20
4 18 0 0 0 2 2 ------ 0 0 1 1 -1\x20
0 0 0 3 0 0 -2 ------ 0 0 0 0 -1\x20
11 44 0 1 1 1 1 ------ 0 -1 2 0 -1
"""

SECOND_15 = """\
30 2 24 1
30 1 25 1
5 0
6
13 114 0 0 1 1 2 ------ 0 -3 1 1 -1\x20
11 106 0 1 1 1 1 ------ 0 -1 2 0 -1\x20
3 74 0 3 0 0 -2 ------ 0 -1 0 1 -1\x20
6 86 0 2 0 -1 -1 ------ 1 -1 0 1 -1\x20
12 110 0 3 1 0 -2 ------ 1 0 0 2 -1\x20
10 102 0 1 1 2 1 B----- 0 0 0 0 -1
"""

OFFERS_12 = (
    "137 116 40 | 107 59 66 | 155 42 57 | 28 142 71 | 63 62 151 | 63 88 122 | 28 117 76 | 21 160 6 | 88 17 76 | "
    "35 151 57 | 46 151 75 | 114 75 42 | 108 117 57 | 57 31 22 | 72 142 16 | 35 69 86 | 63 77 21 | 75 100 31 | "
    "107 109 50 | 107 76 17 | 114 29 60 | 100 29 71 | 37 21 149 | 121 128 71 | 114 160 69 | 71 20 16 | 20 40 26 | "
    "72 113 75 | 59 77 121 | 35 65 60"
)

POOL_15 = (
    "83 91 118 136 141 142 143 1 2 3 24 48 92 93 117 119 6 7 8 25 26 27 29 47 49 55 63 84 95 120 121 137 138 147 148 "
    "150 153 154 160 10 12 30 31 32 50 85 86 97 98 99 100 124 125 126 127 145 149 155 157 13 14 15 17 18 33 51 52 53 "
    "57 70 71 72 73 87 102 103 128 129 131 139 146 159 19 20 21 34 66 88 89 105 106 108 109 110 132 36 37 44 45 58 76 "
    "111 112 113 135 23 60 77 114 152 78 79 80 90 115 46 61 81 62 116"
)


def game_of(edition: str, *players: dict[str, Any], **top: Any) -> LocmGame:
    game = from_dict({"edition": edition, "players": list(players), **top})
    assert isinstance(game, LocmGame)
    return game


def first_battle(edition: str) -> LocmGame:
    """Seed 42, both players always take the first card there is."""
    game = new_game(edition, seed=42)
    while game.phase != "battle":
        game.push(game.legal_codes()[0])
    return game


@pytest.mark.parametrize(
    ("edition", "first", "second"), [("locm-1.2", FIRST_12, SECOND_12), ("locm-1.5", FIRST_15, SECOND_15)]
)
def test_first_battle_inputs(edition: str, first: str, second: str):
    game = first_battle(edition)
    assert game.input_text() == first
    game.push("PASS")
    assert game.input_text() == second


def test_draft_inputs():
    game = new_game("locm-1.2", seed=42)
    assert game.input_text(0) == (
        "30 0 0 25 0\n30 0 0 25 0\n0 0\n3\n"
        "137 -1 0 1 2 0 0 -----W 0 0 0 -1 \n116 -1 0 0 12 8 8 BCDGLW 0 0 0 -1 \n40 -1 0 0 3 2 3 --DG-- 0 0 0 -1\n"
    )
    assert game.input_text(1).startswith("30 0 0 25 0\n30 0 1 25 0\n0 0\n3\n137 -1 ")
    game.push("PICK 0")
    game.push("PICK 2")
    assert game.input_text().startswith("30 0 1 25 0\n30 0 1 25 0\n0 0\n3\n107 -1 ")
    assert game.input_text(1).startswith("30 0 1 25 0\n30 0 2 25 0\n0 0\n3\n107 -1 ")


def test_all_offers_of_a_draft():
    game = new_game("locm-1.2", seed=42)
    offers = []
    while game.phase == "draft":
        offers.append(" ".join(line.split()[0] for line in game.input_text().splitlines()[4:]))
        game.push("PICK 0")
        game.push("PICK 0")
    assert " | ".join(offers) == OFFERS_12


def test_contest_inputs_are_shorter():
    game = new_game("locm-1.0", seed=42)
    assert game.input_text(0).startswith("30 0 0 25\n30 0 0 25\n0\n3\n137 -1 0 1 2 0 0 -----W 0 0 0 \n")
    assert game.input_text(1).startswith("30 0 0 25\n30 0 1 25\n0\n3\n")
    game = first_battle("locm-1.0")
    assert game.input_text().startswith("30 1 25 25\n30 0 25 25\n5\n5\n28 1 0 0 2 1 2 ------ 0 0 1 \n")
    game.push("PASS")
    assert game.input_text().startswith("30 1 24 25\n30 1 25 25\n5\n6\n")


def test_multiplayer_inputs_show_draws_and_actions():
    assert new_game("locm-1.0-multi", seed=42).input_text().startswith("30 0 0 25 0\n30 0 0 25 0\n0 0\n3\n")
    assert first_battle("locm-1.0-multi").input_text().startswith("30 1 25 25 1\n30 1 25 25 1\n5 0\n5\n")


def test_constructed_inputs():
    game = new_game("locm-1.5", seed=42)
    for player in range(2):
        lines = game.input_text(player).splitlines()
        assert lines[:5] == ["30 0 0 0", "30 0 0 0", "0 0", "120", "0 -1 0 3 0 0 -2 ------ 0 0 0 0 -1 "]
        assert lines[-1] == "119 -1 0 0 12 9 8 BCD--W 0 -3 1 0 -1"
        assert len(lines) == 124
    listed = new_game("locm-1.5", seed=42, **FIXED_LIST)
    assert " ".join(line.split()[0] for line in listed.input_text().splitlines()[4:]) == POOL_15


def test_actions_of_the_opponent_stand_in_between():
    creature = {"card": 28, "id": 1}
    game = game_of("locm-1.2", {"hand": [creature, {"card": 3, "id": 3}], "max_mana": 12}, {}, turn=20)
    game.push("SUMMON 3 1")
    game.push("SUMMON 1 0")
    game.push("PASS")
    assert game.input_text().splitlines()[2:] == [
        "0 2",
        "3 SUMMON 3 1",
        "28 SUMMON 1 0",
        "2",
        "3 3 -1 0 1 2 2 ------ 0 0 0 1 ",
        "28 1 -1 0 2 1 2 ------ 0 0 1 0",
    ]


def test_without_lanes_actions_name_none():
    game = game_of("locm-1.0-multi", {"hand": [{"card": 3, "id": 3}], "max_mana": 12}, {}, turn=20)
    game.push("SUMMON 3")
    game.push("PASS")
    assert game.input_text().splitlines()[2:] == ["0 1", "3 SUMMON 3", "1", "3 3 -1 0 1 2 2 ------ 0 0 0"]


def test_boards_are_listed_in_order_of_summoning_with_lanes_mixed():
    board = [[{"card": 3, "id": 5, "order": 2}, {"card": 3, "id": 1, "order": 4}], [{"card": 3, "id": 3, "order": 3}]]
    game = game_of("locm-1.2", {"board": board}, {"board": [[], [{"card": 7, "id": 2, "order": 1}]]})
    lines = [line.split() for line in game.input_text().splitlines()[4:]]
    assert [(fields[1], fields[2], fields[-1]) for fields in lines] == [
        ("5", "1", "0"),
        ("3", "1", "1"),
        ("1", "1", "0"),
        ("2", "-1", "1"),
    ]


@pytest.mark.parametrize(
    ("edition", "shown"), [("locm-1.0", "0 0 0"), ("locm-1.2", "0 0 0 0"), ("locm-1.0-multi", "0 0 0")]
)
def test_touched_creatures_fade(edition: str, shown: str):
    fresh, touched = {"card": 28, "id": 1}, {"card": 28, "id": 3, "touched": True}
    lines = game_of(edition, {"board": [[fresh, touched]]}, {}).input_text().splitlines()
    lane = " 0" if edition == "locm-1.2" else ""
    assert lines[-2:] == [f"28 1 1 0 2 1 2 ------ 0 0 1{lane} ", f"28 3 1 0 2 1 2 ------ {shown}"]


def test_creatures_of_15_never_fade():
    deal = {"cards": [{"attack": 3, "defense": 4, "my_health": 2, "card_draw": 1, "area": "lane2"}] + [{}] * 14}
    game = game_of("locm-1.5", {"board": [[{"card": 0, "touched": True}], []]}, {}, deal=deal)
    assert game.input_text().endswith("1\n0 0 1 0 0 3 4 ------ 2 0 1 2 0\n")


def test_a_creature_shows_the_values_of_the_moment():
    creature = {"card": 28, "id": 9, "attack": 11, "defense": 12, "abilities": "BCDGLW"}
    game = game_of("locm-1.2", {"board": [[], [creature]]}, {})
    assert game.input_text().endswith("\n28 9 1 0 2 11 12 BCDGLW 0 0 1 1\n")


def test_an_empty_table():
    assert game_of("locm-1.2", {"health": -3}, {}, winner=1).input_text() == "-3 1 0 0 1\n30 0 0 25 1\n0 0\n0\n"


def test_maximal_mana_is_shown_and_the_draw_as_it_was_at_the_end_of_the_turn():
    me = {"health": 41, "mana": 2, "max_mana": 9, "shown_draw": 3, "next_draw": 5}
    game = game_of("locm-1.2", me, {"max_mana": 8, "shown_draw": 2, "next_draw": 7}, turn=16)
    assert game.input_text().startswith("41 9 0 25 3\n30 8 0 25 2\n")


@settings(deadline=None)
@given(games())
def test_inputs_are_well_formed(game: LocmGame):
    edition = EDITIONS[game.edition.name]
    for player in range(2):
        text = game.input_text(player)
        assert text.isascii()
        assert text.endswith("\n")
        every = text.removesuffix("\n").split("\n")
        *lines, last = every
        fields = 11 + edition.shows_area + edition.shows_lane
        n_actions = int(lines[2].split()[1]) if edition.shows_actions else 0
        head = 3 + n_actions
        assert int(every[head]) == len(every) - head - 1
        assert last == last.strip()
        for line in lines[head + 1 :]:
            assert line.endswith(" ")
            assert len(line.split(" ")) == fields + 1
        assert all(line == line.strip() for line in lines[:head])
        if not has_chosen_already(game, player):
            assert game.view(player).input_text(player) == text  # a view is enough to write it
