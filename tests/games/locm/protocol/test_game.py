"""Games as people use them: playing, asking, copying, comparing, viewing, imagining."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cardrome.errors import CallerError, IllegalAction, InvalidDeal, UnknownEdition
from cardrome.games.game import Ending, Outcome
from cardrome.games.locm.protocol.game import LocmGame, game_at
from cardrome.games.locm.protocol.setup import from_dict
from cardrome.games.locm.rules.cards import HIDDEN
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import EDITIONS, LOCM_12
from tests.games.locm.games import new_game
from tests.games.locm.protocol.play import battle, editions, games, has_chosen_already, play_on


def game_of(*players: dict[str, object], edition: str = "locm-1.2", **top: object) -> LocmGame:
    game = from_dict({"edition": edition, "players": list(players), **top})
    assert isinstance(game, LocmGame)
    return game


# Starting


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_a_new_game_of_every_edition(name: str):
    game = new_game(name, seed=1)
    assert game.edition is EDITIONS[name]
    assert game.phase == ("constructed" if "1.5" in name else "draft")
    assert (game.turn, game.current, game.to_move, game.winner, game.outcome) == (-1, 0, 0, None, None)
    assert game.health == (30, 30)
    assert game.actions == []


def test_new_game_takes_an_edition_a_seed_and_parameters():
    assert new_game(LOCM_12, seed=3) == new_game("locm-1.2", seed=3) == new_game(seed=3)
    assert new_game(seed=3) != new_game(seed=4)
    assert new_game(seed=3, draftChoicesSeed=9).deal == LocmDeal(3, {"draftChoicesSeed": "9"})
    assert new_game(seed=3, draftChoicesSeed=9).offered() == new_game(seed=4, draftChoicesSeed=9).offered()
    assert new_game().deal is not None


def test_a_wrong_name_offers_the_right_one():
    with pytest.raises(UnknownEdition, match=r"did you mean locm-1\.2"):
        new_game("locm12")


@pytest.mark.parametrize(
    ("edition", "params"),
    [
        ("locm-1.2", {"predefinedDraftIds": "1 2 3"}),
        ("locm-1.5", {"predefinedCardListFile": "mine.txt"}),
        ("locm-1.5", {"predefinedConstructedIds": "1"}),
    ],
)
def test_a_deal_no_referee_would_accept(edition: str, params: dict[str, str]):
    with pytest.raises(InvalidDeal):
        new_game(edition, seed=1, **params)


def test_a_seed_must_fit():
    with pytest.raises(InvalidDeal, match=r"seed is .*; expected a whole number from -2\^63 to 2\^63 - 1"):
        new_game(seed=1 << 63)


# Playing


def test_a_draft_by_hand():
    game = new_game(seed=42)
    assert game.legal_actions == ["PICK 0", "PICK 1", "PICK 2"]
    assert game.offered() == [137, 116, 40]
    game.push("PICK 1")
    assert (game.to_move, game.offered()) == (1, [137, 116, 40])
    game.push("CHOOSE 40")
    assert (game.to_move, game.offered()) == (0, [107, 59, 66])
    game.push(0)
    game.push("PASS")
    assert game.actions == [1, 2, 0, 0]


def test_a_constructed_deck_by_hand():
    game = new_game("locm-1.5", seed=42)
    assert game.legal_actions == [f"CHOOSE {n}" for n in range(120)]
    game.push("CHOOSE 5")
    game.push(5)
    assert "CHOOSE 5" not in game.legal_actions
    with pytest.raises(IllegalAction):
        game.push("CHOOSE 5")
    for _ in range(28):
        game.push(game.legal_codes()[0])
    assert game.to_move == 1
    for _ in range(30):
        game.push(game.legal_codes()[0])
    assert (game.phase, game.turn, game.to_move) == ("battle", 0, 0)


def test_a_battle_by_hand():
    mine = {"board": [[{"card": 3, "id": 5}], []], "hand": [{"card": 7, "id": 7}, {"card": 150, "id": 9}]}
    game = game_of(mine, {"board": [[{"card": 3, "id": 6}], []]}, turn=8)
    assert game.legal_actions == ["PASS", "SUMMON 7 0", "SUMMON 7 1", "USE 9 6", "ATTACK 5 -1", "ATTACK 5 6"]
    game.push("ATTACK 5 -1")
    game.push("SUMMON 7 1 with a text")
    assert game.health == (30, 28)
    assert game.performed[0] == ("3 ATTACK 5 -1", "7 SUMMON 7 1")
    game.push("PASS")
    assert (game.to_move, game.turn) == (1, 9)
    assert game.performed[0] == ("3 ATTACK 5 -1", "7 SUMMON 7 1")
    game.push("PASS")
    assert not game.performed[0]  # a list is cleared when the next turn of its player begins


def test_without_lanes_a_summon_names_none():
    game = game_of({"hand": [{"card": 7, "id": 7}]}, {}, edition="locm-1.0", turn=8)
    assert game.legal_actions == ["PASS", "SUMMON 7"]
    game.push("SUMMON 7 1")
    assert game.performed[0] == ("7 SUMMON 7",)


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("ATTACK 5 77", "'ATTACK 5 77' names no card or place of this position"),
        ("ATTACK 99 -1", "names no card"),
        ("SUMMON 7 2", "names no card or place"),
        ("USE 7 5", "'USE 7 5' is not legal here; legal: PASS, SUMMON 7 0"),
        ("ATTACK 5 -1", "is not legal here"),
        ("ATTACK 5", "expected ATTACK id target"),
        ("JUMP", "expected SUMMON, ATTACK, USE or PASS"),
        ("", "expected SUMMON"),
        (999, "999 is not legal here"),
        (-1, "-1 is not legal here"),
        (50, "50 is not legal here"),
    ],
)
def test_illegal_actions_are_refused_and_change_nothing(action: str | int, message: str):
    mine = {"board": [[{"card": 3, "id": 5}], []], "hand": [{"card": 7, "id": 7}]}
    game = game_of(mine, {"board": [[{"card": 93, "id": 6}], []]}, turn=8)  # card 93 has Guard
    before = game.copy()
    with pytest.raises(IllegalAction) as error:
        game.push(action)
    assert message in str(error.value)
    assert isinstance(error.value, CallerError)
    assert game == before
    assert game.actions == []


@pytest.mark.parametrize("action", ["PICK 3", "PICK", "SUMMON 1 0", "CHOOSE 1", 3, -1])
def test_illegal_picks(action: str | int):
    with pytest.raises(IllegalAction):
        new_game(seed=42).push(action)


@pytest.mark.parametrize("action", ["CHOOSE 120", "CHOOSE x", "CHOOSE", "PICK 0", "PASS", 120])
def test_illegal_choices(action: str | int):
    with pytest.raises(IllegalAction):
        new_game("locm-1.5", seed=42).push(action)


def test_try_play_says_whether_it_was_legal():
    game = new_game(seed=42)
    assert game.try_play(2)
    assert not game.try_play(3)
    assert not game.try_play(-1)
    assert not game.try_play(100_000)
    assert game.actions == [2]


def test_nothing_can_be_played_after_the_end():
    game = game_of({}, {"health": -1}, winner=0)
    assert game.legal_actions == []
    with pytest.raises(IllegalAction, match="the game is over"):
        game.push("PASS")
    assert not game.try_play(0)


# The end


def test_an_attack_ends_the_game():
    game = game_of({"board": [[{"card": 3, "id": 5}], []]}, {"health": 2})
    game.push("ATTACK 5 -1")
    assert (game.winner, game.to_move, game.outcome) == (0, None, Outcome(0, Ending.HEALTH, (1, 0)))


def test_a_missing_card_ends_the_game():
    game = game_of({}, {"health": 3, "rune": 0})
    game.push("PASS")
    assert (game.winner, game.current, game.outcome) == (0, 1, Outcome(0, Ending.DRAW, (1, 0)))


def test_hurting_oneself_ends_the_game_too():
    hand = [{"card": 45, "id": 1}]  # -3 health for its owner
    game = game_of({"health": 3, "rune": 0, "hand": hand, "max_mana": 12}, {}, turn=24)
    game.push("SUMMON 1 0")
    assert game.outcome == Outcome(1, Ending.HEALTH, (0, 1))


# Asking


@settings(deadline=None)
@given(games())
def test_codes_masks_and_texts_agree(game: LocmGame):
    codes = game.legal_codes()
    assert codes == sorted(set(codes))
    assert np.flatnonzero(game.legal_mask()).tolist() == codes
    texts = game.legal_actions
    assert len(set(texts)) == len(codes)
    assert [game.action_code(text) for text in texts] == codes
    assert (game.to_move is None) == (not codes)
    for code in range(game.edition.n_actions):
        assert game.copy().try_play(code) == (code in codes)


# Copies and comparisons


@settings(deadline=None)
@given(games(), st.integers(0, 1 << 30))
def test_copies_are_equal_and_independent(game: LocmGame, seed: int):
    twin = game.copy()
    assert twin == game
    assert hash(twin) == hash(game)
    assume(game.to_move is not None)
    play_on(twin, random.Random(seed), 1)
    assert twin != game
    assert len(twin.actions) == len(game.actions) + 1
    assert twin.deal == game.deal


def test_a_game_equals_only_positions():
    assert new_game(seed=1) != "a game"
    assert new_game("locm-1.0", seed=1) != new_game("locm-1.0-multi", seed=1)
    assert len({new_game(seed=1), new_game(seed=1), battle(seed=1)}) == 2


@settings(deadline=None)
@given(games())
def test_deal_and_actions_are_the_whole_game(game: LocmGame):
    assert game.deal is not None
    again = LocmGame(game.edition, game.deal)
    for code in game.actions:
        again.push(code)
    assert again == game


# Views


@settings(deadline=None)
@given(games(), st.integers(0, 1))
def test_a_view_keeps_what_is_open_and_hides_the_rest(game: LocmGame, viewer: int):
    before = game.copy()
    view = game.view(viewer)
    assert game == before
    assert view.viewer == viewer
    assert (view.phase, view.turn, view.to_move, view.outcome) == (game.phase, game.turn, game.to_move, game.outcome)
    assert (view.health, view.performed) == (game.health, game.performed)
    if not has_chosen_already(game, viewer):
        assert view.input_text(viewer) == game.input_text(viewer)
    if game.to_move == viewer:
        assert view.legal_actions == game.legal_actions
    foe = view.state.players[1 - viewer]
    assert all(foe.hand[i].card == HIDDEN for i in range(foe.n_hand))
    assert view.deals[0].shuffle_seed.tolist() == [0, 0]
    assert view.copy() == view
    assert view.copy().viewer == viewer


@settings(deadline=None)
@given(editions, st.integers(0, 1 << 40), st.integers(0, 1), st.integers(0, 1 << 40))
def test_views_do_not_depend_on_what_is_hidden(edition: str, seed: int, viewer: int, other: int):
    """Two games that differ only in the shuffles look alike as long as no card of them was drawn."""
    one = new_game(edition, seed)
    two = new_game(edition, seed, shufflePlayer0Seed=other, shufflePlayer1Seed=other)
    for game in (one, two):
        play_on(game, random.Random(seed), 17)
    assert one.view(viewer) == two.view(viewer)


@settings(deadline=None)
@given(games(), st.integers(0, 1), st.integers(0, (1 << 62) - 1))
def test_imagined_games_look_the_same_to_the_viewer(game: LocmGame, viewer: int, seed: int):
    view = game.view(viewer)
    imagined = view.determinize(seed)
    assert imagined.view(viewer) == view
    assert imagined == view.determinize(seed)
    assert (imagined.deal, imagined.actions) == (None, [])
    play_on(imagined, random.Random(seed), 300)
    if game.phase == "battle":
        assert imagined.to_move is None or len(imagined.actions) == 300


def test_imagining_takes_a_generator_too():
    view = battle(steps=10).view(0)
    first, second = (view.determinize(np.random.default_rng(seed)) for seed in (1, 2))
    assert first != second
    assert first == view.determinize(np.random.default_rng(1))


def test_a_game_goes_on_from_a_given_state():
    game = battle(seed=6, steps=15)
    again = game_at(game.edition, game.deals.copy(), game.states.copy(), game.performed)
    assert again == game
    assert again.deal is None
    play_on(game, random.Random(2), 20)
    play_on(again, random.Random(2), 20)
    assert again == game


def test_a_misspelt_deal_parameter_is_named():
    with pytest.raises(InvalidDeal, match="did you mean draftChoicesSeed"):
        new_game("locm-1.2", seed=1, draftChoiceSeed=5)
    with pytest.raises(InvalidDeal, match="draftChoicesSeed is 'five'; expected a whole number"):
        new_game("locm-1.2", seed=1, draftChoicesSeed="five")


def test_a_view_has_no_legal_actions_while_the_opponent_is_to_move():
    game = battle()
    view = game.view(1 - game.current)
    assert view.legal_codes() == []
    assert view.legal_actions == []
    assert not view.legal_mask().any()
