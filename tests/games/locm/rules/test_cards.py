from __future__ import annotations

from collections import Counter

import pytest

from cardrome.games.locm.rules.cards import (
    BLUE_ITEM,
    CREATURE_CARD,
    FIXED_CARDS,
    GREEN_ITEM,
    RED_ITEM,
    Card,
    abilities_mask,
    abilities_text,
    fixed_card_records,
)
from cardrome.games.locm.rules.edition import EDITIONS

LEVEL_1 = "3-6 8-9 11-12 14-23 56-57 60-61 109"
LEVEL_2 = "1-6 8-9 11-37 55-62 69-75 77-81 83 85-114"
LEVEL_3 = LEVEL_2 + " 117-119 121-123 125-132 134-136 138 140-141 143-147 150 152-160"
NOT_IN_LEVEL_3 = "7 10 38-54 63-68 76 82 84 115-116 120 124 133 137 139 142 148-149 151"


def numbers(text: str) -> list[int]:
    """``"3-6 8"`` as 3, 4, 5, 6, 8."""
    result: list[int] = []
    for part in text.split():
        first, _, last = part.partition("-")
        result += range(int(first), int(last or first) + 1)
    return result


def test_there_are_160_cards_in_order() -> None:
    assert [card.number for card in FIXED_CARDS] == list(range(1, 161))
    assert len({card.name for card in FIXED_CARDS}) == 160


def test_types() -> None:
    assert Counter(card.type for card in FIXED_CARDS) == {
        CREATURE_CARD: 116,
        GREEN_ITEM: 24,
        RED_ITEM: 12,
        BLUE_ITEM: 8,
    }
    assert [card.number for card in FIXED_CARDS if card.type == CREATURE_CARD] == list(range(1, 117))


@pytest.mark.parametrize(
    "line",
    [  # as bots are shown them in recorded games: number type cost attack defense abilities my opponent draw
        "28 0 2 1 2 ------ 0 0 1",
        "114 0 7 7 7 ---G-- 0 0 0",
        "88 0 5 4 4 -C---- 0 0 0",
        "75 0 5 6 5 B----- 0 0 0",
        "35 0 6 5 2 B----- 0 0 1",
        "137 1 2 0 0 -----W 0 0 0",
        "155 3 3 0 -3 ------ 0 -1 0",
        "153 3 2 0 0 ------ 5 0 0",
    ],
)
def test_some_cards(line: str) -> None:
    number, kind, cost, attack, defense, abilities, mine, theirs, draw = line.split()
    card = FIXED_CARDS[int(number) - 1]
    expected = (int(number), int(kind), int(cost), int(attack), int(defense), abilities)
    assert (card.number, card.type, card.cost, card.attack, card.defense, card.abilities) == expected
    assert (card.my_health, card.opponent_health, card.card_draw) == (int(mine), int(theirs), int(draw))
    assert card.area == 0


@pytest.mark.parametrize(
    ("wood", "cards", "count"),
    [(3, LEVEL_1, 23), (2, LEVEL_2, 86), (1, LEVEL_3, 121)],
)
@pytest.mark.parametrize("base", ["locm-1.0", "locm-1.0-multi"])
def test_league_lists(base: str, wood: int, cards: str, count: int) -> None:
    allowed = [FIXED_CARDS[i].number for i in EDITIONS[f"{base}-wood{wood}"].allowed_cards]
    assert allowed == numbers(cards)
    assert len(allowed) == count


def test_cards_that_no_wood_league_offers() -> None:
    assert [card.number for card in FIXED_CARDS if card.league == 4] == numbers(NOT_IN_LEVEL_3)


@pytest.mark.parametrize("name", ["locm-1.0", "locm-1.0-multi", "locm-1.2"])
def test_everything_is_allowed_from_bronze_on(name: str) -> None:
    assert EDITIONS[name].allowed_cards == list(range(160))


def test_no_green_item_can_kill() -> None:
    assert all(card.defense >= 0 for card in FIXED_CARDS if card.type == GREEN_ITEM)


def test_blue_and_red_items_never_help_a_creature() -> None:
    for card in FIXED_CARDS:
        if card.type in (RED_ITEM, BLUE_ITEM):
            assert card.attack <= 0
            assert card.defense <= 0


def test_abilities_as_bits_and_as_text() -> None:
    assert [abilities_text(1 << i) for i in range(6)] == ["B-----", "-C----", "--D---", "---G--", "----L-", "-----W"]
    assert all(abilities_mask(abilities_text(mask)) == mask for mask in range(64))
    assert abilities_mask("GB") == abilities_mask("B--G--")


def test_records_hold_the_same_as_cards() -> None:
    for row, card in zip(fixed_card_records(), FIXED_CARDS, strict=True):
        assert Card(
            number=int(row.number),
            name=card.name,
            type=int(row.type),
            cost=int(row.cost),
            attack=int(row.attack),
            defense=int(row.defense),
            abilities=abilities_text(int(row.abilities)),
            my_health=int(row.my_health),
            opponent_health=int(row.opponent_health),
            card_draw=int(row.card_draw),
            area=int(row.area),
        ) == (card)
