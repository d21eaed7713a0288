"""The players of a position, as people read them."""

from __future__ import annotations

from hypothesis import given

from cardrome.games.locm.protocol.game import LocmPosition
from cardrome.games.locm.protocol.position import to_dict
from cardrome.games.locm.protocol.sides import all_cards
from cardrome.games.locm.rules.deal import LocmDeal, card_table
from tests.games.locm.games import new_game
from tests.games.locm.protocol.play import positions, set_up
from tests.profiles import examples

MIDDLE = {
    "edition": "locm-1.2",
    "turn": 10,
    "players": [
        {
            "health": 17,
            "mana": 3,
            "hand": [{"card": 1, "id": 11}, {"card": 151, "id": 13}],
            "deck": [{"card": 5, "id": 15}, {"card": 6, "id": 17}],
            "board": [[{"card": 3, "id": 21, "attack": 7, "defense": 9, "abilities": "BGW"}], [{"card": 7, "id": 23}]],
        },
        {"health": 33, "hand": [{"card": 160, "id": 12}]},
    ],
}


def test_a_player_has_health_mana_hand_board_and_deck() -> None:
    first, second = set_up(MIDDLE).players
    assert (first.number, first.health, first.mana, first.max_mana, first.rune) == (0, 17, 3, 6, 15)
    assert (second.number, second.health, second.board) == (1, 33, [])
    assert [held.id for held in first.hand] == [11, 13]
    slimer = first.hand[0].card
    assert slimer is not None
    assert (slimer.name, slimer.cost, slimer.attack, slimer.my_health) == ("Slimer", 1, 2, 1)
    assert [held.id for held in first.deck] == [15, 17]
    assert first.deck_size == 2
    strong, weak = first.board
    assert (strong.id, strong.lane, strong.attack, strong.defense, strong.abilities) == (21, 0, 7, 9, "B--G-W")
    assert (weak.id, weak.lane, weak.can_attack, weak.card.number) == (23, 1, True, 7)


def test_cards_and_creatures_print_as_a_line() -> None:
    first, _ = set_up(MIDDLE).players
    assert repr(first) == "<player 0: 17 health, 3 mana, 2 cards, 2 creatures>"
    assert str(first.hand[0]) == "11: Slimer, cost 1, 2/1"
    assert str(first.hand[1]) == "13: Decimate, cost 5, +0/-99 BCDGLW"
    assert repr(first.board) == "[<21: Beavrat, 7/9 BGW>, <23: Rootkin Sapling, 2/2 W>]"
    game = new_game("locm-1.5", seed=1)
    game.push("CHOOSE 5")
    assert str(game.players[0].deck[0]).startswith("-1: card 5, cost ")


def test_what_is_hidden_is_a_question_mark() -> None:
    view = set_up(MIDDLE).view(1)
    assert [held.card for held in view.players[0].hand] == [None, None]
    assert repr(view.players[0].hand) == "[<?>, <?>]"
    assert [held.card is None for held in view.players[1].hand] == [False]


def test_players_follow_the_game() -> None:
    game = set_up(MIDDLE)
    second = game.players[1]
    game.push("ATTACK 21 -1")
    assert second.health == 26
    game.pop()
    assert second.health == 33


@examples(60)
@given(positions())
def test_players_say_what_the_position_says(position: LocmPosition) -> None:
    for player, data in zip(position.players, to_dict(position)["players"], strict=True):
        assert (player.health, player.mana, player.max_mana) == (data["health"], data["mana"], data["max_mana"])
        assert player.deck_size == len(player.deck) == len(data["deck"])
        assert [_number(held) for held in player.deck] == [_written(held) for held in data["deck"]]
        assert [_number(held) for held in player.hand] == [_written(held) for held in data.get("hand", [])]
        written = [creature for lane in data.get("board", []) for creature in lane]
        assert [creature.id for creature in player.board] == [each["id"] for each in written]
        assert [creature.card.number for creature in player.board] == [each["card"] for each in written]
        assert [creature.can_attack for creature in player.board] == [each["can_attack"] for each in written]


def _number(held: object) -> object:
    card = getattr(held, "card", None)
    return "?" if card is None else card.number


def _written(held: object) -> object:
    return held["card"] if isinstance(held, dict) else held


def test_everybody_knows_the_card_table() -> None:
    game = new_game("locm-1.5", seed=1)
    cards = all_cards(game.view(1))
    assert [card.number for card in cards] == list(range(120))
    assert cards == card_table(game.edition, LocmDeal(1))
