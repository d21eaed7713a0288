"""The readable form of positions: exact round trips, and no damage worse than a refusal."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cardrome
from cardrome.errors import InvalidPosition
from cardrome.games.locm.protocol.game import LocmGame, LocmPosition, LocmView
from cardrome.games.locm.protocol.position import to_dict, to_json
from cardrome.games.locm.protocol.setup import from_dict
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import find_edition, variant
from tests.games.locm.games import new_game
from tests.games.locm.protocol.play import FIXED_LIST, battle, play_on, positions, set_up
from tests.profiles import examples


def from_json(text: str | bytes) -> LocmPosition:
    position = cardrome.from_json(text)
    assert isinstance(position, LocmPosition)
    return position


def assert_same(one: LocmPosition, other: LocmPosition) -> None:
    assert type(one) is type(other)
    assert one.states.tobytes() == other.states.tobytes()
    assert one.deals.tobytes() == other.deals.tobytes()
    assert one == other
    if isinstance(one, LocmGame) and isinstance(other, LocmGame):
        assert (one.deal, one.actions) == (other.deal, other.actions)
    if isinstance(one, LocmView) and isinstance(other, LocmView):
        assert one.viewer == other.viewer


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
        game.push("PICK 0")
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
    again = set_up(data)
    assert again == game
    assert (again.deal, again.actions) == (None, [])


def test_a_deal_with_a_parameter_nobody_knows_is_spelled_out():
    game = LocmGame(find_edition("locm-1.2"), LocmDeal(5, {"colour": "blue"}))
    assert "offers" in to_dict(game)["deal"]
    assert from_dict(to_dict(game)) == game


def test_a_variant_has_no_name_to_be_written_under():
    game = LocmGame(variant(find_edition("locm-1.2"), deck_size=10), LocmDeal(1))
    with pytest.raises(InvalidPosition, match=r"a variant of locm-1\.2"):
        to_dict(game)


def test_hands_and_creatures_have_a_line_each_and_decks_are_filled():
    game = battle("locm-1.2", seed=3, steps=25)
    lines = to_json(game).splitlines()
    hand = [held for player in to_dict(game)["players"] for held in player["hand"]]
    for held in hand:
        assert any(line.strip().rstrip(",") == json.dumps(held) for line in lines)
    assert max(len(line) for line in lines if '"order"' not in line) <= 112
    assert len(lines) < 130


@pytest.mark.parametrize("text", ["", "{", '{"edition": }', "[" * 100_000, "9" * 5000, b"\xff\xfe"])
def test_text_that_is_no_json(text: str | bytes):
    with pytest.raises(InvalidPosition):
        from_json(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


@examples(100)
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
