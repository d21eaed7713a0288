"""Positions that cannot be: every way to get one wrong is refused, and the place named."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from cardrome.errors import InvalidPosition
from cardrome.games.locm.protocol.setup import from_dict
from tests.games.locm.protocol.play import FIXED_LIST


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
        ("deal", {"offers": [[1, 2, 3]] * 30, "seed": 1}, "deal.seed: a deal has parameters, or it"),
        ("deal", {"offers": [[1, 2, 3]] * 30, "shuffle_seeds": [1]}, "deal.shuffle_seeds: expected a list of 2"),
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
        ({"edition": "locm-1.2", "viewer": 0, "players": [{"hand": ["?"]}, {}]}, "players[0].hand[0]: expected a card"),
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
