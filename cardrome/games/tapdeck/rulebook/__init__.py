"""The rulebook of Tapdeck: what its text is filled in with, and its examples as positions."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from cardrome.games.rulebooks import Examples, example_data, fill_in, remind
from cardrome.games.tapdeck.rules.cards import TapdeckCard, parse_card
from cardrome.games.tapdeck.rules.edition import TapdeckEdition

PACKAGE = "cardrome.games.tapdeck"
_NOT_POSITION = ("actions", "refused", "refused_then", "after")


def rulebook(edition: TapdeckEdition, language: str) -> str:
    """The rules of an edition in words, as Markdown."""
    return fill_in(PACKAGE, language, facts(edition), examples(edition))


@functools.lru_cache(100)
def reminder(edition: TapdeckEdition) -> str:
    """The rules of an edition in short."""
    return remind(PACKAGE, facts(edition))


def facts(edition: TapdeckEdition) -> dict[str, Any]:
    """What the text may speak of: the edition's numbers."""
    return {"name": edition.name, **edition.numbers()}


def examples(edition: TapdeckEdition) -> Examples:
    """The worked examples as the text speaks of them: creatures and cards as `attack/health`, before and after."""
    return Examples({name: _told(edition, data) for name, data in example_data(PACKAGE).items()})


def _told(edition: TapdeckEdition, data: Mapping[str, Any]) -> dict[str, Any]:
    cards = {card.id: card for card in map(parse_card, data["deck"])}
    board = sorted(data.get("board", ()), key=lambda each: each["card"])
    me, foe = ([_strength(cards[each["card"]], each) for each in board if each["owner"] == p] for p in (0, 1))
    return {
        "cards": list(cards.values()),
        "deck": [_strength(card, {}) for card in cards.values()],
        "held": [_strength(cards[number], {}) for hand in data.get("hands", ()) for number in hand],
        "me": me,
        "foe": foe,
        "health": data.get("health", [edition.initial_health] * 2),
        "after": data["after"],
    }


def _strength(card: TapdeckCard, given: Mapping[str, Any]) -> str:
    return f"{given.get('attack', card.attack)}/{given.get('health', card.health)}"


def example_position(edition: TapdeckEdition, name: str) -> dict[str, Any]:
    """The position from which an example starts, as `cardrome.from_json` reads it."""
    data = example_data(PACKAGE)[name]
    return {"edition": edition.name, **{key: value for key, value in data.items() if key not in _NOT_POSITION}}
