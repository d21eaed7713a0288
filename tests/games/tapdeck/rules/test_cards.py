"""Cards and decks as text, and what a deck may not hold."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from cardrome.errors import CallerError
from cardrome.games.tapdeck.rules.cards import TapdeckCard, cards_of, deck_of, deck_text, parse_card, parse_deck

EXAMPLES = [
    "42 C 1 2 2 5 0",
    "4 C 0 2 3 2 2",
    "37 H 0 1 0 5 -1",
    "38 D 2 0 0 1 -1",
    "22 T 2 0 0 5 -1",
    "15 B 1 2 0 5 -1",
    "13 I 0 0 0 2 -1",
]
"""The cards of the statement."""


def test_the_statement_s_cards_are_read_and_written() -> None:
    text = "\n".join(EXAMPLES) + "\n"
    assert deck_text(cards_of(parse_deck(text))) == text


def test_the_fields_in_their_order() -> None:
    assert parse_card("4 C 0 2 3 2 5") == TapdeckCard(4, "C", attack=0, health=2, max_health=3, cost=2, mana=5)


def test_empty_lines_and_comments_are_left_out() -> None:
    deck = parse_deck("# a deck\n\n  42 C 1 2 2 5 0  # top\n\t\n4\tC 0 2 3 2 2")
    assert [card.id for card in cards_of(deck)] == [42, 4]


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("37 H 9 1 -8 5 7", "37 H 0 1 0 5 -1"),
        ("38 D 2 1 123456789012345678901 1 0", "38 D 2 0 0 1 -1"),
        ("22 T 2 -1 -1 5 5", "22 T 2 0 0 5 -1"),
        ("15 B 1 2 0 5 3", "15 B 1 2 0 5 -1"),
        ("13 I 1 2 3 2 4", "13 I 0 0 0 2 -1"),
    ],
)
def test_any_number_may_be_where_it_means_nothing(line: str, same: str) -> None:
    assert parse_card(line) == parse_card(same)
    assert deck_text(cards_of(parse_deck(line))) == f"{same}\n"


def test_every_id_leads_to_its_card() -> None:
    deck = parse_deck("\n".join(EXAMPLES))
    index_of = deck["index_of"][0]
    assert [int(index_of[card.id]) for card in cards_of(deck)] == list(range(7))
    assert int(np.sum(index_of >= 0)) == 7


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("42 C 1 2 2 5", "6 fields; expected ID TYPE AT HP HPMAX COST MANA"),
        ("42 C 1 2 2 5 0 1", "8 fields; expected ID TYPE AT HP HPMAX COST MANA"),
        ("42 X 1 2 2 5 0", "type 'X'; expected one of C, H, D, T, B, I"),
        ("42 c 1 2 2 5 0", "type 'c'; expected one of C, H, D, T, B, I"),
        ("42 HD 1 2 2 5 0", "type 'HD'; expected one of C, H, D, T, B, I"),
        ("42 CHDTBI 1 2 2 5 0", "type 'CHDTBI'; expected one of C, H, D, T, B, I"),
        ("42 C one 2 2 5 0", "all fields but TYPE must be whole numbers"),
        ("4.2 C 1 2 2 5 0", "all fields but TYPE must be whole numbers"),
        ("0 C 1 2 2 5 0", "id 0; allowed are 1 to 1000"),
        ("-4 C 1 2 2 5 0", "id -4; allowed are 1 to 1000"),
        ("1001 C 1 2 2 5 0", "id 1001; allowed are 1 to 1000"),
        ("42 C -1 2 2 5 0", "attack -1; allowed are 0 to 100"),
        ("42 C 101 2 2 5 0", "attack 101; allowed are 0 to 100"),
        ("42 C 1 101 101 5 0", "health 101; allowed are 0 to 100"),
        ("42 C 1 2 101 5 0", "max_health 101; allowed are 0 to 100"),
        ("42 C 1 2 2 -1 0", "cost -1; allowed are 0 to 100"),
        ("42 D 1 0 0 101 -1", "cost 101; allowed are 0 to 100"),
        ("42 C 1 2 2 5 -1", "mana -1; allowed are 0 to 100"),
        ("42 C 1 2 2 5 101", "mana 101; allowed are 0 to 100"),
        ("42 C 1 0 2 5 0", "health 0 of 2; a creature has 0 < HP <= HPMAX"),
        ("42 C 1 3 2 5 0", "health 3 of 2; a creature has 0 < HP <= HPMAX"),
        ("42 B 1 1 1 5 -1", "max_health 1; for B it must be 0"),
    ],
)
def test_cards_that_cannot_be_in_a_deck(line: str, message: str) -> None:
    with pytest.raises(CallerError) as raised:
        parse_deck(f"1 C 0 1 1 0 1\n{line}", "my deck")
    assert str(raised.value) == f"my deck, line 2: card '{line}': {message}"


@pytest.mark.parametrize(
    "line", ["1000 C 100 100 100 100 100", "1 C 0 1 1 0 0", "2 H 0 0 0 0 -1", "3 B 100 100 0 100 -1"]
)
def test_the_bounds_themselves_are_allowed(line: str) -> None:
    assert str(parse_card(line)) == line


def test_ids_are_distinct() -> None:
    with pytest.raises(CallerError, match=r"^deck: two cards have the id 7$"):
        parse_deck("7 C 0 1 1 0 1\n8 C 0 1 1 0 1\n7 H 0 1 0 0 -1")


@pytest.mark.parametrize("text", ["", "\n\n# nothing\n"])
def test_a_deck_has_cards(text: str) -> None:
    with pytest.raises(CallerError, match=r"^deck: 0 cards; allowed are 1 to 1000$"):
        parse_deck(text)


def test_a_deck_has_at_most_a_thousand_cards() -> None:
    cards = [TapdeckCard(number, "C", 0, 1, 1, 0, 1) for number in range(1, 1001)]
    assert len(cards_of(deck_of(cards))) == 1000
    with pytest.raises(CallerError, match=r"^deck: 1001 cards; allowed are 1 to 1000$"):
        deck_of([*cards, cards[0]])


def test_cards_made_in_python_are_checked_too() -> None:
    card = TapdeckCard(1, "C", 0, 1, 1, 0, 1)
    for wrong in ({"kind": "Q"}, {"kind": ""}, {"kind": "HD"}, {"health": 2}, {"id": 0}, {"mana": -1}):
        with pytest.raises(CallerError, match=r"^deck: card '"):
            deck_of([dataclasses.replace(card, **wrong)])
    with pytest.raises(CallerError, match=r"mana 3; a spell has -1$"):
        deck_of([dataclasses.replace(parse_card("1 D 1 0 0 5 -1"), mana=3)])
