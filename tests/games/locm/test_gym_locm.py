"""The layout of gym-locm, number by number, on positions made by hand."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import cardrome
from cardrome.games.family import find_family
from cardrome.games.game import Position
from cardrome.games.learning.encoding import Encoding, Floats
from cardrome.games.learning.episodes import Observer
from cardrome.games.locm.protocol.game import LocmGame

POSITION = {
    "edition": "locm-1.2",
    "turn": 12,
    "players": [
        {
            "health": 27,
            "mana": 5,
            "max_mana": 7,
            "rune": 25,
            "next_draw": 2,
            "hand": [151, 36, 153],  # Decimate (red), Possessed Skull (a creature of cost 6), Healing Potion (blue)
            "board": [
                [{"card": 3, "attack": 6, "defense": 1, "can_attack": True}],
                [{"card": 65, "has_attacked": True, "can_attack": False}],  # a 2/2 with Ward
            ],
        },
        {
            "health": 12,
            "max_mana": 8,
            "rune": 10,
            "next_draw": 3,
            "hand": [1, 2],
            "board": [[], [5, {"card": 49, "defense": 1}]],  # a 4/1, and a 1/2 with Guard and Lethal
        },
    ],
}


def seen(position: Position, task: str) -> tuple[Encoding, Floats, Any]:
    """What the player to move sees and may do in a task."""
    family = find_family(position.edition.name)
    encoding = family.encoding(position.edition, task)
    return encoding, *Observer(family, encoding).observe(position)


def same(numbers: Floats, expected: list[float]) -> bool:
    """Equal to the last bit."""
    return numbers.tolist() == np.array(expected, np.float32).tolist()


def test_a_battle_number_by_number() -> None:
    encoding, flat, mask = seen(cardrome.from_json(json.dumps(POSITION)), "battle")
    numbers = encoding.laid_out("gym-locm", flat)
    assert numbers.dtype == np.float32
    assert numbers.shape == (238,)
    assert same(numbers[:8], [27 / 30, 5 / 13, 25 / 30, 2 / 6, 12 / 30, 8 / 13, 10 / 30, 3 / 6])
    hand = numbers[8:136].reshape(8, 16)
    # type, cost, attack, defense (never below -1), own health, opponent's health, cards to draw, BCDGLW
    assert same(hand[0], [0, 0, 1, 0, 5 / 12, 0, -1, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    assert same(hand[1], [1, 0, 0, 0, 6 / 12, 4 / 12, 4 / 12, 0, 0, 2 / 2, 0, 0, 0, 0, 0, 0])
    assert same(hand[2], [0, 0, 0, 1, 2 / 12, 0, 0, 5 / 12, 0, 0, 0, 0, 0, 0, 0, 0])
    assert not hand[3:].any()
    board = numbers[136:190].reshape(2, 3, 9)
    # attack, defense, can attack, BCDGLW
    assert same(board[0, 0], [6 / 12, 1 / 12, 1, 0, 0, 0, 0, 0, 0])
    assert same(board[1, 0], [2 / 12, 2 / 12, 0, 0, 0, 0, 0, 0, 1])
    assert not board[:, 1:].any()
    enemies = numbers[190:].reshape(2, 3, 8)
    assert not enemies[0].any()
    assert same(enemies[1, 0], [4 / 12, 1 / 12, 0, 0, 0, 0, 0, 0])
    assert same(enemies[1, 1], [1 / 12, 1 / 12, 0, 0, 0, 1, 1, 0])
    # Decimate on the opponent's lane 1, the potion without a target or on these, an attack past an empty lane.
    assert np.flatnonzero(mask).tolist() == [0, 27, 28, 43, 53, 54, 121]


def with_ids(cards: list[int], first: int) -> list[dict[str, Any]]:
    """Cards, or creatures that can attack, with consecutive ids."""
    return [{"card": card, "id": first + i} for i, card in enumerate(cards)]


@pytest.mark.parametrize("card", [83, 141, 140, 158])  # a creature, a red item, a green one, a blue one
def test_actions_have_the_numbers_of_the_documentation(card: int) -> None:
    """Hands of eight (ids 1 to 8), full boards: ids 11 to 16 and 21 to 26, by lanes."""
    lanes = [with_ids([3] * 3, 11), with_ids([3] * 3, 14)], [with_ids([3] * 3, 21), with_ids([3] * 3, 24)]
    ready = [[{**creature, "can_attack": True} for creature in lane] for lane in lanes[0]]
    mine = {"mana": 12, "max_mana": 12, "hand": with_ids([card] * 8, 1), "board": ready if card != 83 else [[], []]}
    position = {"edition": "locm-1.2", "turn": 24, "players": [mine, {"board": lanes[1]}]}
    game = cardrome.from_json(json.dumps(position))
    expected = {0: "PASS"}
    for index in range(8):
        if card == 83:
            expected |= {1 + 2 * index + lane: f"SUMMON {1 + index} {lane}" for lane in range(2)}
        if card == 158:
            expected[17 + 13 * index] = f"USE {1 + index} -1"
        if card == 140:
            expected |= {18 + 13 * index + place: f"USE {1 + index} {11 + place}" for place in range(6)}
        if card in (141, 158):
            expected |= {24 + 13 * index + place: f"USE {1 + index} {21 + place}" for place in range(6)}
    for place in range(6 if card != 83 else 0):
        expected[121 + 4 * place] = f"ATTACK {11 + place} -1"
        foes = range(21, 24) if place < 3 else range(24, 27)
        expected |= {122 + 4 * place + i: f"ATTACK {11 + place} {foe}" for i, foe in enumerate(foes)}
    _, _, mask = seen(game, "battle")
    assert len(mask) == 145
    assert {number: game.action_text(number) for number in np.flatnonzero(mask).tolist()} == expected


def test_a_draft_number_by_number() -> None:
    game = cardrome.new_game("locm-1.2", seed=3)
    assert isinstance(game, LocmGame)
    assert game.deal is not None
    cards = {card.number: card for card in find_family("locm-1.2").cards(game.edition, game.deal)}
    chosen = []
    for _ in range(2):
        chosen.append(cards[game.offered()[1]])
        game.push("PICK 1")
        game.push("PICK 0")
    encoding, flat, mask = seen(game, "draft")
    offer = encoding.laid_out("gym-locm", flat)
    assert offer.shape == (48,)
    for row, number in zip(offer.reshape(3, 16), game.offered(), strict=True):
        card = cards[number]
        kind = [float(card.type == each) for each in range(4)]
        effects = [card.my_health / 12, card.opponent_health / 12, card.card_draw / 2]
        keywords = [float(letter in card.abilities) for letter in "BCDGLW"]
        assert same(row, [*kind, card.cost / 12, card.attack / 12, max(-12, card.defense) / 12, *effects, *keywords])
    everything = encoding.laid_out("gym-locm-history-curve", flat)
    assert everything.shape == (13 + 33 * 16,)
    assert everything[:13].tolist() == [sum(card.cost == cost for card in chosen) for cost in range(13)]
    history = everything[13:-48].reshape(30, 16)
    assert (history[:2, 4] * 12).round().tolist() == [card.cost for card in chosen]
    assert not history[2:].any()
    assert np.array_equal(everything[-48:], offer)
    assert mask.tolist() == [1, 1, 1]


def test_pools_have_areas() -> None:
    game = cardrome.new_game("locm-1.5", seed=3)
    assert game.deal is not None
    encoding, flat, _ = seen(game, "constructed")
    pool = encoding.laid_out("gym-locm", flat).reshape(120, 17)
    cards = find_family("locm-1.5").cards(game.edition, game.deal)
    assert pool[:, 16].tolist() == [card.area / 2 for card in cards]
    assert len(set(pool[:, 16])) == 3


def test_other_boards_have_no_layout() -> None:
    for edition, task in ("locm-1.0-wood3", "battle"), ("locm-1.2", "match"), ("tapdeck", "match"):
        family = find_family(edition)
        assert not family.encoding(family.editions[edition], task).layouts
