"""What all games promise to people: push and pop, copies, comparisons, names and pictures of positions."""

from __future__ import annotations

import copy
import html
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cardrome
from cardrome.errors import CallerError, IllegalAction
from cardrome.games.family import edition_names
from cardrome.games.game import Action, Game, View
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.tapdeck.protocol.game import TapdeckGame

editions = st.sampled_from(edition_names())
seeds = st.integers(0, (1 << 62) - 1)


def play_on(game: Game, choices: random.Random, steps: int) -> list[Action]:
    """Random actions, seldom one that ends the turn; returns them."""
    taken = []
    for _ in range(steps):
        legal = game.legal_actions
        if not legal:
            break
        busy = [action for action in legal if action not in ("PASS", "END_TURN")]
        taken.append(choices.choice(busy if busy and choices.random() < 0.8 else legal))
        game.push(taken[-1])
    return taken


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game of any edition of any family, at any stage."""
    game = cardrome.new_game(draw(editions), seed=draw(seeds))
    play_on(game, random.Random(draw(seeds)), draw(st.integers(0, 160)))
    return game


def facts(game: Game) -> tuple[Any, ...]:
    """All there is to see of a game."""
    state = getattr(game, "states").tobytes()  # noqa: B009 - both families have states, not all games do
    told = game.legal_actions, game.legal_codes(), game.turn, game.phase, game.to_move, game.outcome
    return state, getattr(game, "performed", None), list(game.actions), told, hash(game)


# Push and pop


@settings(max_examples=60, deadline=None)
@given(games(), seeds, st.integers(1, 40))
def test_pop_takes_back_what_was_pushed(game: Game, seed: int, steps: int) -> None:
    start, before, history = game.copy(), facts(game), []
    pushed = []
    choices = random.Random(seed)
    for _ in range(steps):
        history.append(facts(game))
        step = play_on(game, choices, 1)
        if not step:
            history.pop()
            break
        pushed += step
    after = facts(game)
    for expected in reversed(history):
        action = pushed.pop()
        popped = game.pop()
        assert (popped, popped.code) == (action, action.code)
        assert facts(game) == expected
    assert facts(game) == before
    assert game == start
    assert hash(game) == hash(start)
    play_on(game, random.Random(seed), steps)
    assert facts(game)[0] == after[0]  # and it goes on as it did


@pytest.mark.parametrize("edition", edition_names())
def test_a_whole_game_can_be_taken_back(edition: str) -> None:
    game = cardrome.new_game(edition, seed=3)
    start = facts(game)
    play_on(game, random.Random(1), 10_000)
    assert game.is_over
    assert game.legal_actions == []
    with pytest.raises(IllegalAction, match="the game is over"):
        game.push(0)
    for _ in range(len(game.actions)):
        game.pop()
    assert facts(game) == start
    assert not game.is_over
    with pytest.raises(IllegalAction, match="no action to take back"):
        game.pop()


@pytest.mark.parametrize("edition", edition_names())
def test_an_action_is_named_by_itself_its_text_or_its_code(edition: str) -> None:
    one, two, three = (cardrome.new_game(edition, seed=5) for _ in range(3))
    choices = random.Random(2)
    while not one.is_over:
        action = choices.choice(one.legal_actions)
        assert isinstance(action, str)
        assert action.code == one.action_code(action)
        one.push(action)
        two.push(str(action))
        three.push(action.code)
        assert one == two == three
    assert one.actions == two.actions == three.actions


@pytest.mark.parametrize("edition", ["locm-1.2", "locm-1.5", "tapdeck"])
@pytest.mark.parametrize("wrong", [None, 1.5, ["PASS"], b"PASS", object()])
def test_what_is_no_action_is_refused_with_what_was_expected(edition: str, wrong: Any) -> None:
    game = cardrome.new_game(edition, seed=1)
    before = facts(game)
    with pytest.raises(IllegalAction, match="is not an action; expected one of legal_actions, its text or its code"):
        game.push(wrong)
    assert facts(game) == before


@pytest.mark.parametrize("edition", ["locm-1.2", "locm-1.5", "tapdeck"])
@pytest.mark.parametrize("wrong", [-1, 2, 10**8, 10**30, "0", None, 0.5])
def test_there_are_two_players(edition: str, wrong: Any) -> None:
    game = cardrome.new_game(edition, seed=1)
    game.push(game.legal_actions[0])
    calls: list[Callable[[Any], object]] = [game.view]
    if isinstance(game, TapdeckGame):
        calls += [game.hand, lambda player: game.command(player, "DRAW_CARD")]
    elif isinstance(game, LocmGame):
        calls += [game.deck_size]
        if wrong is not None:  # who is to move
            calls += [game.input_text, game.view(0).input_text]
    for call in calls:
        with pytest.raises(CallerError, match=r"is not a player; expected 0 or 1"):
            call(wrong)
    assert game.view(int(np.int8(1))) == game.view(True)


@pytest.mark.parametrize("edition", ["locm-1.2", "locm-1.5", "tapdeck"])
@pytest.mark.parametrize("wrong", [-1, 10**14, 10**30, -(10**30)])
def test_a_number_that_is_no_code_has_no_text(edition: str, wrong: int) -> None:
    game = cardrome.new_game(edition, seed=1)
    while game.phase in ("draft", "constructed"):
        with pytest.raises(IllegalAction, match="is not the code of an action"):
            game.action_text(wrong)
        game.push(game.legal_actions[0])
    with pytest.raises(IllegalAction, match="is not the code of an action"):
        game.action_text(wrong)


@pytest.mark.parametrize("wrong", [None, 7, object])
def test_what_is_no_edition_is_refused(wrong: Any) -> None:
    for call in (lambda: cardrome.new_game(wrong), lambda: cardrome.play_series(wrong, "random", "greedy", 1, 1)):
        with pytest.raises(CallerError, match="is not an edition; expected one, or a name such as"):
            call()


def test_a_message_lists_some_legal_actions_and_says_that_there_are_more() -> None:
    with pytest.raises(IllegalAction, match=r"legal: CHOOSE 0, CHOOSE 1, .*, CHOOSE 19, …$"):
        cardrome.new_game("locm-1.5", seed=1).push(500)
    with pytest.raises(IllegalAction, match=r"legal: PICK 0, PICK 1, PICK 2$"):
        cardrome.new_game("locm-1.2", seed=1).push(500)


# Copies


@settings(max_examples=40, deadline=None)
@given(games(), seeds)
def test_copies_are_equal_and_independent(game: Game, seed: int) -> None:
    before = facts(game)
    for twin in (game.copy(), copy.copy(game), copy.deepcopy(game)):
        assert twin == game
        assert facts(twin) == before
        play_on(twin, random.Random(seed), 3)
        while twin._past:
            twin.pop()
        assert facts(game) == before
    for view in (game.view(0), game.view(1)):
        twin_view = view.copy()
        assert (twin_view, twin_view.viewer) == (view, view.viewer)


@settings(max_examples=25, deadline=None)
@given(games())
def test_positions_travel_to_other_processes(game: Game) -> None:
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert type(again) is type(game)
    assert again.legal_actions == game.legal_actions
    assert [action.code for action in pickle.loads(pickle.dumps(game.legal_actions))] == game.legal_codes()
    view = game.view(1)
    assert pickle.loads(pickle.dumps(view)) == view


@settings(max_examples=25, deadline=None)
@given(games())
def test_views_of_different_players_are_different(game: Game) -> None:
    assert game.view(0) != game.view(1)
    assert game.view(0) != game
    assert game.view(0) == game.view(0)
    assert hash(game.view(0)) == hash(game.view(0))
    assert game != "a game"
    assert len({game, game.copy()}) == 1


@settings(max_examples=40, deadline=None)
@given(games(), st.integers(0, 1), st.integers(0, 1 << 40))
def test_a_view_can_be_played_on_from(game: Game, viewer: int, seed: int) -> None:
    view = game.view(viewer)
    imagined = view.determinize(seed)
    assert isinstance(imagined, Game)
    assert imagined.view(viewer) == view
    assert (imagined.to_move, imagined.turn, imagined.actions) == (game.to_move, game.turn, [])
    if game.to_move == viewer:
        assert imagined.legal_actions == game.legal_actions
    before = view.copy()
    play_on(imagined, random.Random(seed), 5)
    assert view == before


# Showing


@settings(max_examples=40, deadline=None)
@given(games())
def test_every_position_has_a_name_and_a_picture(game: Game) -> None:
    for position in (game, game.view(0)):
        assert repr(position).startswith(f"<{type(position).__name__} {game.edition.name}: ")
        assert "\n" not in repr(position)
        assert ("seen by player 0" in repr(position)) == isinstance(position, View)
        page = position._repr_html_()
        assert page.startswith("<pre")
        body = page.partition(">")[2].removesuffix("</pre>")
        assert "<" not in body
        assert html.unescape(body) == str(position)


def test_names_of_positions() -> None:
    game = cardrome.new_game("locm-1.2", seed=1)
    assert repr(game) == "<LocmGame locm-1.2: draft, player 0 to move>"
    while game.phase == "draft":
        game.push(0)
    assert repr(game) == "<LocmGame locm-1.2: battle, turn 0, player 0 to move>"
    assert repr(game.view(1)) == "<LocmView locm-1.2: battle, turn 0, player 0 to move, seen by player 1>"
    while not game.is_over:
        game.push("PASS")
    assert repr(game) == "<LocmGame locm-1.2: player 1 won (draw)>"
    match = cardrome.new_game("tapdeck", seed=1)
    assert repr(match) == "<TapdeckGame tapdeck: blocking, turn 0, player 0 to move>"
    while not match.is_over:
        match.push("END_TURN")
    assert repr(match) == "<TapdeckGame tapdeck: drawn (turns)>"


def test_a_picture_in_a_notebook_is_escaped() -> None:
    class Hostile(type(cardrome.new_game("tapdeck", seed=1))):  # type: ignore[misc]
        def __str__(self) -> str:
            return "<script>alert('&')</script>"

    assert "<script" not in Hostile()._repr_html_()
    assert "&lt;script&gt;alert(&#x27;&amp;&#x27;)" in Hostile()._repr_html_()


@settings(max_examples=40, deadline=None)
@given(games())
def test_players_show_health_hand_and_board(game: Game) -> None:
    assert [player.number for player in game.players] == [0, 1]
    for player in game.players:
        assert isinstance(player.health, int)
        assert len(list(player.hand)) == len({held.id for held in player.hand})
        for creature in player.board:
            assert creature.attack >= 0
        assert repr(player).startswith(f"<player {player.number}: {player.health} health, ")
