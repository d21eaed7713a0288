"""The card generator of 1.5: 120 new cards for every game, from one seed.

Eleven small generators, each with a seed of its own, decide type, cost and properties. A card's cost is a budget; each
property multiplies it down or takes something off, and is dropped when it cannot be paid. What is left becomes
attack and defense. Everything is done in the referee's order and in double precision, since that fixes the result.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from cardrome.engine.javarandom import next_53_bits, next_double, next_int, next_int32, seeded
from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.records import Integers, Record, Records
from cardrome.games.locm.rules.cards import BLUE_ITEM, CREATURE_CARD, GREEN_ITEM, MAX_CARDS, RED_ITEM, CardRecord

GENERATED_CARDS = 120

_TYPE, _MANA, _AREA, _ORDER, _KEYWORD_COUNT, _KEYWORD, _DRAW, _MY_HEALTH, _OPPONENT_HEALTH, _ATTACK, _DEFENSE = range(
    11
)
_PROPERTIES = 5
_AREA_PROPERTY, _KEYWORDS_PROPERTY, _DRAW_PROPERTY, _MY_HEALTH_PROPERTY, _OPPONENT_HEALTH_PROPERTY = range(_PROPERTIES)
_KEYWORDS = 6


class Workshop(Record):
    """Scratch memory for making a deal: the generators, the order of properties, cards before they are sorted."""

    random: Annotated[Integers, "i8", 11]
    order: Annotated[Integers, "i1", _PROPERTIES]
    raw: Annotated[Records[CardRecord], GENERATED_CARDS]
    pool: Annotated[Integers, "u1", MAX_CARDS]
    taken: Annotated[Integers, "u1", MAX_CARDS]


def _scan(weights: list[float], total: float, bits: int) -> int:
    """A weighted choice as the referee makes it: take the weights off a random number until it is used up."""
    x = bits / (1 << 53) * total
    for i, weight in enumerate(weights[:-1]):
        x -= weight
        if x <= 0.0:
            return i
    return len(weights) - 1


def _ladder(weights: list[float], total: float) -> np.ndarray[Any, np.dtype[np.int64]]:
    """For each option but the last, the largest 53-bit random integer for which the scan stops there or before.

    Comparing with these is the same choice, to the bit, without a chain of roundings at run time: the scan stops later
    for larger numbers, since every subtraction in it, rounded or not, keeps their order.
    """
    steps = []
    for i in range(len(weights) - 1):
        low, high = -1, 1 << 53
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if _scan(weights, total, middle) <= i else (low, middle)
        steps.append(low)
    return np.array(steps, np.int64)


# Options in the order in which the referee scans them: by weight, the lightest first.
_TYPE_OPTIONS = np.array([GREEN_ITEM, RED_ITEM, BLUE_ITEM, CREATURE_CARD], np.int64)
_TYPE_LADDER = _ladder([0.2, 0.2, 0.2, 0.4], 1.0)
_MANA_OPTIONS = np.arange(13)
_MANA_LADDER = _ladder([0.1] * 13, 1.3)
_AREA_OPTIONS = np.array([1, 2, 0], np.int64)
_AREA_LADDER = _ladder([25, 25, 50], 100)
_AREA_FACTORS = np.array([1.0, 0.7, 0.6])  # by area
_COUNT_OPTIONS = np.array([4, 5, 6, 3, 2, 1, 0], np.int64)
_COUNT_LADDER = _ladder([1, 1, 1, 2, 3, 5, 10], 23)
_DRAW_OPTIONS = np.array([4, 2, 3, 1, 0], np.int64)
_DRAW_LADDER = _ladder([5, 25, 25, 50, 100], 205)
_DRAW_PRICES = np.array([0.0, 0.0, 1.0, 1.0, 2.0])  # by number of cards
_HEALTH_OPTIONS = np.array([2, 3, 1, 0], np.int64)
_HEALTH_LADDER = _ladder([25, 25, 50, 100], 200)
_HEALTH_PRICES = np.array([0.0, 0.0, 1.0, 1.0])  # by amount


@kernel
def weighted_choice(work: Workshop, generator: int, options: Integers, ladder: Integers) -> int:
    """One of the options, at random by its weight."""
    work.random[generator], bits = next_53_bits(int(work.random[generator]))
    i = 0
    for k in range(len(ladder)):
        i += bits > ladder[k]
    return options[i]


@kernel
def pay(budget: float, price: float) -> tuple[float, bool]:
    """What is left of the budget, and whether it was enough. If not, the payment is undone, in doubles too."""
    left = budget - price
    if left < 0.0:
        return left + price, False
    return left, True


@kernel
def choose_keywords(work: Workshop, budget: float) -> tuple[float, int]:
    """Buy keywords, none of them twice, until the number drawn is reached or one cannot be paid."""
    count = weighted_choice(work, _KEYWORD_COUNT, _COUNT_OPTIONS, _COUNT_LADDER)
    keywords = 0
    for i in range(count):
        work.random[_KEYWORD], x = next_double(int(work.random[_KEYWORD]))
        x *= float(_KEYWORDS - i)
        left = ~keywords
        while x > 1.0:
            left &= left - 1
            x -= 1.0
        budget, paid = pay(budget, 1.0)
        if not paid:
            break
        keywords |= left & -left  # the lowest
    return budget, keywords


@large_kernel
def generate_card(work: Workshop, card: CardRecord) -> None:
    """One card; every generator moves on from where the last card left it."""
    kind = weighted_choice(work, _TYPE, _TYPE_OPTIONS, _TYPE_LADDER)
    mana = weighted_choice(work, _MANA, _MANA_OPTIONS, _MANA_LADDER)
    budget = float(mana)
    card.type = kind
    card.cost = mana
    card.area = 0
    card.abilities = 0
    card.card_draw = 0
    card.my_health = 0
    card.opponent_health = 0
    # The list of properties is shuffled in place, so each card starts from the order of the card before.
    for i in range(_PROPERTIES, 1, -1):
        work.random[_ORDER], j = next_int(int(work.random[_ORDER]), i)
        work.order[i - 1], work.order[j] = work.order[j], work.order[i - 1]
    for i in range(_PROPERTIES):
        which = work.order[i]
        if which == _AREA_PROPERTY:
            area = weighted_choice(work, _AREA, _AREA_OPTIONS, _AREA_LADDER)
            budget *= _AREA_FACTORS[area]
            card.area = area
        elif which == _KEYWORDS_PROPERTY:
            if kind != BLUE_ITEM:
                budget, keywords = choose_keywords(work, budget)
                card.abilities = keywords
        elif which == _DRAW_PROPERTY:
            cards = weighted_choice(work, _DRAW, _DRAW_OPTIONS, _DRAW_LADDER)
            budget, paid = pay(budget, _DRAW_PRICES[cards])
            if paid:
                card.card_draw = cards
        elif which == _MY_HEALTH_PROPERTY:
            health = weighted_choice(work, _MY_HEALTH, _HEALTH_OPTIONS, _HEALTH_LADDER)
            budget, paid = pay(budget, _HEALTH_PRICES[health])
            if paid:
                card.my_health = health
        else:
            health = weighted_choice(work, _OPPONENT_HEALTH, _HEALTH_OPTIONS, _HEALTH_LADDER)
            budget, paid = pay(budget, _HEALTH_PRICES[health])
            if paid:
                card.opponent_health = -health
    work.random[_ATTACK], x = next_double(int(work.random[_ATTACK]))
    work.random[_DEFENSE], y = next_double(int(work.random[_DEFENSE]))
    attack = max(int(budget + (x * 2.0 + 1.0)), 0)
    defense = max(int(budget + (y * 2.0 + 1.0)), 1 if kind == CREATURE_CARD else 0)
    if kind == BLUE_ITEM:
        attack = 0
    sign = -1 if kind == RED_ITEM or kind == BLUE_ITEM else 1
    card.attack = sign * attack
    card.defense = sign * defense


@large_kernel
def generate_cards(work: Workshop, cards: Records[CardRecord], seed: int) -> None:
    """Generate 120 cards, sort them by cost (in order of making inside a cost) and number them from 0."""
    random = seeded(seed)
    for i in range(11):
        random, sub_seed = next_int32(random)
        work.random[i] = seeded(sub_seed)
    for i in range(_PROPERTIES):
        work.order[i] = i
    for i in range(GENERATED_CARDS):
        generate_card(work, work.raw[i])
    n = 0
    for cost in range(13):
        for i in range(GENERATED_CARDS):
            if work.raw[i].cost == cost:
                cards[n] = work.raw[i]
                cards[n].number = n
                n += 1


@large_kernel
def choose_pool(work: Workshop, cards: Records[CardRecord], n: int, size: int, seed: int) -> None:
    """Keep ``size`` of the first n cards, drawn at random, sorted by cost and number."""
    random = seeded(seed)
    for i in range(n):
        work.taken[i] = 0
    for _ in range(size):
        random, k = next_int(random, n)
        while work.taken[k]:
            random, k = next_int(random, n)
        work.taken[k] = 1
    m = 0
    for cost in range(13):
        for i in range(n):
            if work.taken[i] and cards[i].cost == cost:
                work.raw[m] = cards[i]
                m += 1
    for i in range(m):
        cards[i] = work.raw[i]
