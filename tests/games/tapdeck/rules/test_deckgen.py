"""Decks from a seed."""

from __future__ import annotations

import hashlib
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.errors import CallerError
from cardrome.games.tapdeck.rules.cards import cards_of, deck_of, deck_text, parse_deck
from cardrome.games.tapdeck.rules.deckgen import FREE_MANA, deck_from_seed

SEEDS = st.integers(0, (1 << 62) - 1)
SIZES = st.integers(1, 1000)

DECK_7 = "925 T 1 0 0 1 -1\n419 C 0 2 2 0 1\n897 C 1 1 1 0 2\n"
DECKS = "0b1d880711fe293a6f8a0986aca892c597eea0428cb4f2a523a4f9f0830c29de"
"""A hash over whole decks."""


@given(SIZES, SEEDS)
def test_every_deck_is_a_valid_one(size: int, seed: int) -> None:
    deck = deck_from_seed(size, seed)
    cards = cards_of(deck)
    assert len(cards) == size
    assert deck_of(cards).tobytes() == deck.tobytes()
    assert parse_deck(deck_text(cards)).tobytes() == deck.tobytes()


@given(SIZES, SEEDS)
def test_ids_are_distinct_and_values_below_ten(size: int, seed: int) -> None:
    cards = cards_of(deck_from_seed(size, seed))
    assert len({card.id for card in cards}) == size
    values = np.array([(card.attack, card.health, card.max_health, card.cost, card.mana) for card in cards])
    assert np.mean(values < 10) > 0.95
    assert values.max() <= 100


@given(SIZES, SEEDS)
def test_free_creatures_that_give_mana_come_early(size: int, seed: int) -> None:
    cards = cards_of(deck_from_seed(size, seed))
    assert all(cards[i].kind == "C" and cards[i].cost == 0 and cards[i].mana > 0 for i in FREE_MANA if i < size)
    assert all(card.mana == 2 for card in cards[FREE_MANA[0] : FREE_MANA[0] + 1])


@given(SEEDS)
def test_the_same_seed_lays_the_same_deck(seed: int) -> None:
    assert deck_from_seed(120, seed).tobytes() == deck_from_seed(120, seed).tobytes()


@given(SEEDS, SEEDS)
def test_other_seeds_lay_other_decks(one: int, other: int) -> None:
    if one != other:
        assert deck_from_seed(120, one).tobytes() != deck_from_seed(120, other).tobytes()


def test_nearby_seeds_lay_decks_that_have_little_in_common() -> None:
    decks = [deck_text(cards_of(deck_from_seed(120, seed))).splitlines() for seed in range(200)]
    assert len({tuple(deck) for deck in decks}) == 200
    same = [sum(a == b for a, b in zip(one, other, strict=True)) for one, other in itertools.pairwise(decks)]
    assert max(same) < 10


def test_all_kinds_of_cards_and_all_ids_occur() -> None:
    cards = [card for seed in range(100) for card in cards_of(deck_from_seed(120, seed))]
    counts = {kind: sum(card.kind == kind for card in cards) for kind in "CHDTBI"}
    assert counts["C"] > len(cards) / 2
    assert all(count > 100 for count in counts.values())
    assert {card.id for card in cards} == set(range(1, 1001))


@pytest.mark.parametrize(
    ("size", "seed", "message"),
    [
        (0, 0, "a deck of 0 cards; allowed are 1 to 1000"),
        (1001, 0, "a deck of 1001 cards; allowed are 1 to 1000"),
        (120, -1, "seed -1; allowed are 0 to 2^62 - 1"),
        (120, 1 << 62, "seed 4611686018427387904; allowed are 0 to 2^62 - 1"),
    ],
)
def test_what_cannot_be_laid(size: int, seed: int, message: str) -> None:
    with pytest.raises(CallerError) as raised:
        deck_from_seed(size, seed)
    assert str(raised.value) == message


def test_some_creatures_are_hurt_when_they_come() -> None:
    cards = [card for seed in range(20) for card in cards_of(deck_from_seed(120, seed)) if card.kind == "C"]
    hurt = [card for card in cards if card.health < card.max_health]
    assert 0.05 < len(hurt) / len(cards) < 0.2


def test_the_decks_of_seeds_stay_what_they_are() -> None:
    # A change here changes every tournament that can be replayed from its seed.
    seeds = [0, 7, 1 << 31, (1 << 62) - 1]
    whole = "".join(deck_text(cards_of(deck_from_seed(size, seed))) for seed in seeds for size in (1, 40, 120, 1000))
    assert hashlib.sha256(whole.encode()).hexdigest() == DECKS
    assert deck_text(cards_of(deck_from_seed(3, 7))) == DECK_7
