"""Copies, repetition and the invariants of random play."""

from __future__ import annotations

from hypothesis import example, given, settings

from cardrome.games.locm.protocol.game import LocmGame
from tests.properties.invariants import check_state
from tests.properties.scripts import Script, scripts


@settings(max_examples=settings().max_examples // 2)
@example(Script("short draft of five", seed=1, chooser=2, patience=7, length=200))
@given(scripts(high=400))
def test_invariants_of_random_play(script: Script) -> None:
    game = script.game()
    check_state(game.edition, game.deals[0], game.state)
    deal = game.deals.tobytes()
    for _ in script.actions(game):
        check_state(game.edition, game.deals[0], game.state)
    assert game.deals.tobytes() == deal, "the deal never changes"


@given(scripts())
def test_the_same_actions_give_the_same_game(script: Script) -> None:
    game, again = script.game(), script.game()
    for code in script.actions(game):
        again.push(code)
        assert again == game
        assert again.input_text() == game.input_text()


@given(scripts(), scripts(low=1, high=80))
def test_a_copy_has_the_same_future(script: Script, rest: Script) -> None:
    game = script.played()
    twin, before = game.copy(), game.copy()
    history = [twin.states.tobytes() for _ in rest.actions(twin)]
    assert game == before, "what happens to the copy does not touch the original"
    assert [game.states.tobytes() for _ in rest.actions(game)] == history
    assert game == twin
    assert game.actions == twin.actions


@given(scripts())
def test_a_game_is_its_deal_and_its_actions(script: Script) -> None:
    game = script.played()
    assert game.deal is not None
    again = LocmGame(game.edition, game.deal)
    for code in game.actions:
        again.push(code)
    assert again == game
