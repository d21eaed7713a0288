"""The card generator of 1.5: against the tables of a Java run, and against the sheet's text in plain Python."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from cardrome.engine.javarandom import next_double, next_int, next_int32, seeded
from cardrome.games.locm.rules.cards import FIXED_CARDS, abilities_text
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import LOCM_15, LOCM_15_2022

DATA = Path(__file__).parent / "data"

POOL_OF_THE_FIXED_LIST = """
83 91 118 136 141 142 143 1 2 3 24 48 92 93 117 119 6 7 8 25 26 27 29 47 49 55 63 84 95 120 121 137 138 147 148 150 153
154 160 10 12 30 31 32 50 85 86 97 98 99 100 124 125 126 127 145 149 155 157 13 14 15 17 18 33 51 52 53 57 70 71 72 73
87 102 103 128 129 131 139 146 159 19 20 21 34 66 88 89 105 106 108 109 110 132 36 37 44 45 58 76 111 112 113 135 23 60
77 114 152 78 79 80 90 115 46 61 81 62 116
"""
"""The 120 cards that seed 42 offers of the 160."""


def row(card: Any) -> str:
    """A card record as the tables write it."""
    text = abilities_text(int(card.abilities))
    numbers = (card.number, card.type, card.cost, card.attack, card.defense)
    effects = (card.my_health, card.opponent_health, card.card_draw, card.area)
    return ",".join(map(str, [*map(int, numbers), text, *map(int, effects)]))


def generated(deal: LocmDeal) -> list[str]:
    laid_out = deal.lay_out(LOCM_15)[0]
    assert laid_out.n_cards == 120
    return [row(laid_out.cards[i]) for i in range(120)]


@pytest.mark.parametrize(
    ("deal", "table"),
    [
        (LocmDeal(42), "generated-seed-42.txt"),
        (LocmDeal(7, {"cardGenSeed": "-5025562857975149833"}), "generated-seed-42.txt"),
        (LocmDeal(7, {"cardGenSeed": "0"}), "generated-cardgen-0.txt"),
    ],
)
def test_tables(deal: LocmDeal, table: str) -> None:
    assert generated(deal) == (DATA / table).read_text().split()


class Generator:
    """One sub-generator."""

    def __init__(self, seed: int) -> None:
        self.state = seeded(seed)

    def double(self) -> float:
        self.state, value = next_double(self.state)
        return value

    def below(self, n: int) -> int:
        self.state, value = next_int(self.state, n)
        return value

    def choose(self, options: list[tuple[Any, float]], total: float) -> Any:
        """A weighted choice: options by ascending weight, ties in the order given."""
        x = self.double() * total
        for option, weight in sorted(options, key=lambda pair: pair[1]):
            x -= weight
            if x <= 0:
                return option
        return option


TYPES = [(0, 0.4), (1, 0.2), (2, 0.2), (3, 0.2)]
MANA = [(i, 0.1) for i in range(13)]
AREAS = [((0, 1.0), 50.0), ((1, 0.7), 25.0), ((2, 0.6), 25.0)]
COUNTS = [(0, 10.0), (1, 5.0), (2, 3.0), (3, 2.0), (4, 1.0), (5, 1.0), (6, 1.0)]
DRAWS = [((0, 0.0), 100.0), ((1, 0.0), 50.0), ((2, 1.0), 25.0), ((3, 1.0), 25.0), ((4, 2.0), 5.0)]
HEALTHS = DRAWS[:4]


def sheet_cards(seed: int) -> list[str]:
    """120 cards, step by step as the sheet tells it (section 4)."""
    state = seeded(seed)
    subs = []
    for _ in range(11):
        state, sub_seed = next_int32(state)
        subs.append(Generator(sub_seed))
    types, mana, areas, orders, counts, keywords, draws, mine, theirs, attacks, defenses = subs
    order = ["area", "keywords", "draw", "my", "opponent"]
    cards = []
    for _ in range(120):
        kind = types.choose(TYPES, 1.0)
        cost = mana.choose(MANA, 1.3)
        budget = float(cost)
        got: dict[str, int] = {"area": 0, "draw": 0, "my": 0, "opponent": 0}
        taken = ""
        for i in range(5, 1, -1):
            j = orders.below(i)
            order[i - 1], order[j] = order[j], order[i - 1]
        for which in order:
            if which == "keywords":
                for _ in range(0 if kind == 3 else counts.choose(COUNTS, 23)):
                    free = [letter for letter in "BCDGLW" if letter not in taken]
                    letter = keywords.choose([(each, 1.0) for each in free], len(free))
                    left = budget * 1.0 - 1.0
                    if left < 0:
                        budget = (left + 1.0) / 1.0
                        break
                    budget = left
                    taken += letter
                continue
            factor, price = 1.0, 0.0
            if which == "area":
                value, factor = areas.choose(AREAS, 100)
            elif which == "draw":
                value, price = draws.choose(DRAWS, 205)
            else:
                value, price = (mine if which == "my" else theirs).choose(HEALTHS, 200)
            left = budget * factor - price
            if left < 0:
                budget = (left + price) / factor
            else:
                budget = left
                got[which] = -value if which == "opponent" else value
        attack = max(int(budget + (attacks.double() * 2.0 + 1.0)), 0)
        defense = max(int(budget + (defenses.double() * 2.0 + 1.0)), 1 if kind == 0 else 0)
        if kind == 3:
            attack = 0
        if kind >= 2:
            attack, defense = -attack, -defense
        text = "".join(letter if letter in taken else "-" for letter in "BCDGLW")
        cards.append(
            (cost, f"{kind},{cost},{attack},{defense},{text},{got['my']},{got['opponent']},{got['draw']}", got)
        )
    cards.sort(key=lambda each: each[0])
    return [f"{number},{text},{got['area']}" for number, (_, text, got) in enumerate(cards)]


def test_the_plain_generator_knows_the_tables() -> None:
    assert sheet_cards(0) == (DATA / "generated-cardgen-0.txt").read_text().split()


@pytest.mark.parametrize("seed", [1, -1, (1 << 63) - 1, -(1 << 63), *(random.Random(15).sample(range(1 << 48), 12))])
def test_any_seed_gives_the_cards_of_the_sheet(seed: int) -> None:
    assert generated(LocmDeal(0, {"cardGenSeed": str(seed)})) == sheet_cards(seed)


def test_ranges_of_generated_cards() -> None:
    """What follows from the way cards are made."""
    for seed in range(20):
        cards = LocmDeal(seed).lay_out(LOCM_15)[0].cards[:120]
        assert (cards["number"] == range(120)).all()
        assert (cards["cost"][1:] >= cards["cost"][:-1]).all()
        assert set(cards["my_health"]) <= {0, 1, 2, 3}
        assert set(cards["opponent_health"]) <= {0, -1, -2, -3}
        assert set(cards["card_draw"]) <= {0, 1, 2, 3, 4}
        creatures, blue = cards["type"] == 0, cards["type"] == 3
        assert (cards["defense"][creatures] >= 1).all()
        assert (cards["attack"][creatures] >= 0).all()
        assert not cards["abilities"][blue].any()
        assert not cards["attack"][blue].any()


def test_constructed_choices_change_nothing_for_generated_cards() -> None:
    assert generated(LocmDeal(3)) == generated(LocmDeal(3, {"constructedChoicesSeed": "99"}))


def test_the_two_1_5_editions_share_their_cards() -> None:
    assert LocmDeal(11).lay_out(LOCM_15).tobytes() == LocmDeal(11).lay_out(LOCM_15_2022).tobytes()


def test_predefined_card_list() -> None:
    deal = LocmDeal(42, {"predefinedCardListFile": "cardlist.txt"}).lay_out(LOCM_15)[0]
    assert deal.n_cards == 120
    offered = deal.cards["number"][:120].tolist()
    assert offered == [int(number) for number in POOL_OF_THE_FIXED_LIST.split()]
    for i, number in enumerate(offered):
        card = FIXED_CARDS[number - 1]
        values = (number, card.type, card.cost, card.attack, card.defense, card.abilities)
        effects = (card.my_health, card.opponent_health, card.card_draw, 0)
        assert row(deal.cards[i]) == ",".join(map(str, values + effects))


def test_the_choice_from_the_list_follows_its_own_seed() -> None:
    named = {"predefinedCardListFile": "cardlist.txt"}
    derived = LocmDeal(42, named)
    again = LocmDeal(1, {**named, "constructedChoicesSeed": str(derived.seeds(LOCM_15)["constructedChoicesSeed"])})
    other = LocmDeal(42, {**named, "constructedChoicesSeed": "5"})
    table = [d.lay_out(LOCM_15)[0].cards["number"][:120].tolist() for d in (derived, again, other)]
    assert table[0] == table[1] != table[2]
