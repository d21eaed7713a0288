"""Drawing cards, and what an empty deck or the turn limit does instead. Positions are set up by hand; player 0 acts."""

from __future__ import annotations

import pytest

from cardrome.games.locm.rules.state import NOBODY
from tests.games.locm.rules.table import ALL, WITH_RUNES, WITHOUT_RUNES, Table


@pytest.mark.parametrize("name", ALL)
def test_a_card_is_drawn_from_the_top_to_the_end_of_the_hand(name: str) -> None:
    t = Table(name)
    t.hold(1, "1/1")
    top, second = int(t.foe.deck[20].id), int(t.foe.deck[21].id)
    t.foe.next_draw = 2
    t.end_turn()
    assert t.hand(1)[1:] == [top, second]
    assert t.foe.n_deck == 8


@pytest.mark.parametrize("name", ALL)
def test_a_full_hand_draws_nothing(name: str) -> None:
    t = Table(name)
    for _ in range(7):
        t.hold(1, "1/1")
    t.foe.next_draw = 3
    t.end_turn()
    assert (t.foe.n_hand, t.foe.n_deck, t.foe.health) == (8, 9, 30)
    assert t.foe.next_draw == 1, "the draws that found no room are lost"


@pytest.mark.parametrize("name", WITH_RUNES)
def test_empty_deck_breaks_a_rune(name: str) -> None:
    t = Table(name, deck=0)
    t.end_turn()
    assert (t.foe.health, t.foe.rune, t.foe.next_draw) == (25, 20, 1)


@pytest.mark.parametrize("name", WITH_RUNES)
def test_every_card_owed_breaks_a_rune_even_with_a_full_hand(name: str) -> None:
    t = Table(name, deck=0)
    for _ in range(8):
        t.hold(1, "1/1")
    t.foe.next_draw = 3
    t.end_turn()
    assert (t.foe.health, t.foe.rune, t.foe.n_hand) == (15, 10, 8)


@pytest.mark.parametrize("name", WITH_RUNES)
def test_the_deck_runs_out_in_the_middle_of_drawing(name: str) -> None:
    t = Table(name, deck=1)
    t.foe.next_draw = 2
    t.end_turn()
    assert (t.foe.n_hand, t.foe.n_deck, t.foe.health, t.foe.rune) == (1, 0, 25, 20)


@pytest.mark.parametrize("name", WITH_RUNES)
def test_without_runes_an_empty_deck_kills(name: str) -> None:
    t = Table(name, deck=0)
    t.foe.health, t.foe.rune = 4, 0
    t.end_turn()
    assert (t.foe.health, t.winner, t.state.current) == (0, 0, 1)
    assert not t.apply(0), "nothing can be done any more"


@pytest.mark.parametrize("name", WITHOUT_RUNES)
def test_empty_deck_costs_ten_health_per_card(name: str) -> None:
    t = Table(name, deck=1)
    t.foe.next_draw = 3
    t.end_turn()
    assert (t.foe.health, t.foe.n_hand) == (10, 1)
    assert (t.foe.next_draw, t.foe.damage_taken) == (1, 0), "this damage brings no card"


@pytest.mark.parametrize("name", WITHOUT_RUNES)
def test_a_full_hand_saves_from_the_empty_deck(name: str) -> None:
    t = Table(name, deck=0)
    for _ in range(8):
        t.hold(1, "1/1")
    t.foe.next_draw = 3
    t.end_turn()
    assert (t.foe.health, t.foe.n_hand) == (30, 8)


@pytest.mark.parametrize("name", WITHOUT_RUNES)
def test_an_empty_deck_can_kill(name: str) -> None:
    t = Table(name, deck=0)
    t.foe.health = 10
    t.end_turn()
    assert (t.foe.health, t.winner) == (0, 0)


@pytest.mark.parametrize("name", WITH_RUNES)
@pytest.mark.parametrize(("turn", "health", "cards"), [(98, 30, 1), (99, 25, 0), (100, 25, 0)])
def test_turn_limit_with_runes(name: str, turn: int, health: int, cards: int) -> None:
    """From the 51st own turn on (turns 100 and 101) every draw breaks a rune, though the deck has cards."""
    t = Table(name, turn=turn)
    t.end_turn()
    assert (t.foe.health, t.foe.n_hand, t.foe.n_deck) == (health, cards, 10 - cards)


@pytest.mark.parametrize("name", WITHOUT_RUNES)
def test_turn_limit_without_runes(name: str) -> None:
    """Ten damage a turn, once, and cards are drawn as ever."""
    for turn, health in ((98, 30), (99, 20)):
        t = Table(name, turn=turn)
        t.foe.next_draw = 2
        t.end_turn()
        assert (t.foe.health, t.foe.n_hand, t.foe.next_draw) == (health, 2, 1)


def test_turn_limit_and_empty_deck_add_up_without_runes() -> None:
    t = Table("locm-1.5", deck=0, turn=99)
    t.end_turn()
    assert t.foe.health == 10


def test_turn_limit_hurts_a_full_hand_too() -> None:
    t = Table("locm-1.5", deck=0, turn=99)
    for _ in range(8):
        t.hold(1, "1/1")
    t.end_turn()
    assert t.foe.health == 20


@pytest.mark.parametrize(("name", "last"), [("locm-1.0", 110), ("locm-1.2", 110), ("locm-1.5", 104)])
def test_two_idle_players(name: str, last: int) -> None:
    """Player 0 loses at turn 110 with runes (30, 25, ... 0) and on battle call 105 without."""
    t = Table(name, deck=25, turn=0)
    while t.winner == NOBODY:
        for p in range(2):  # hands are thrown away, so that they are never full
            player = t.state.players[p]
            if player.n_hand:
                player.hand[player.n_hand - 1].card = player.hand[player.n_hand - 1].id = 0
                player.n_hand -= 1
            player.n_deck, player.next_draw = 25, 1
        t.end_turn()
    assert (t.state.turn, t.winner, t.me.health) == (last, 1, 0)
