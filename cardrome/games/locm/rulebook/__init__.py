"""The rulebook of LOCM: what its text is filled in with, and its examples as positions."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from cardrome.games.locm.rules.cards import FIXED_CARDS, KEYWORD_LETTERS, TYPE_NAMES
from cardrome.games.locm.rules.edition import DECK_SIZE, EDITIONS, HAND_LIMIT, LocmEdition
from cardrome.games.rulebooks import Examples, example_data, fill_in, remind

PACKAGE = "cardrome.games.locm"
_VERSIONS = {"locm-1.0": "1.0", "locm-1.0-multi": "1.0 multi", "locm-1.2": "1.2", "locm-1.5": "1.5"}
"""The editions that the text compares, and what it calls them."""
_NEW = "new."
_INVENTED = 100
"""The number of the first card that the examples invent: none of theirs has it in the fixed list."""
_POOL = DECK_SIZE // 2
"""Cards that a pool must have at least."""


def rulebook(edition: LocmEdition, language: str) -> str:
    """The rules of an edition in words, as Markdown."""
    return fill_in(PACKAGE, language, facts(edition), examples(edition))


@functools.lru_cache(100)
def reminder(edition: LocmEdition) -> str:
    """The rules of an edition in short."""
    return remind(PACKAGE, facts(edition))


def facts(edition: LocmEdition) -> dict[str, Any]:
    """What the text may speak of: the edition's own numbers, and what follows from them."""
    versions = [{**_facts(EDITIONS[name]), "label": label} for name, label in _VERSIONS.items()]
    leagues = [sum(card.league <= level for card in FIXED_CARDS) for level in (1, 2, 3, 4)]
    return {**_facts(edition), "versions": versions, "leagues": leagues}


def _facts(edition: LocmEdition) -> dict[str, Any]:
    cards = [FIXED_CARDS[index] for index in edition.allowed_cards]
    n_cards = edition.constructed_pool if edition.generated_cards else len(cards)
    step = edition.rune_step
    return {
        **asdict(edition),
        "constructed": edition.constructed,
        "hand_limit": HAND_LIMIT,
        "start_mana": 1,
        "n_cards": n_cards,
        "pool": min(edition.draft_pool, n_cards),
        "items": any(TYPE_NAMES[card.type] != "creature" for card in cards),
        "keywords": "".join(k for k in KEYWORD_LETTERS if any(k in card.abilities for card in cards)),
        "runes": list(range(edition.top_rune, 0, -step)) if step else [],
    }


# Examples


def examples(edition: LocmEdition) -> Examples:
    """The worked examples as the text speaks of them: creatures and cards as `attack/defense`, before and after."""
    given = {name: _told(edition, data) for name, data in example_data(PACKAGE).items() if name != "new"}
    return Examples(given)


def _told(edition: LocmEdition, data: Mapping[str, Any]) -> dict[str, Any]:
    sides = [data.get(side, {}) for side in ("me", "foe")]
    me, foe = ([_strength(each) for each in _creatures(side)] for side in sides)
    hands = [each for side in sides for each in side.get("hand", ()) if isinstance(each, dict)]
    after = {
        **data["after"],
        **{side: [text.split()[0] for text in data["after"][side]] for side in ("me", "foe")},
    }
    health = [side.get("health", edition.start_health) for side in sides]
    held, costs = [_strength(each) for each in hands], [_card(each["card"])["cost"] for each in hands]
    return {"me": me, "foe": foe, "held": held, "costs": costs, "health": health, "after": after}


def _creatures(side: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [each for lane in side.get("board", ()) for each in (lane if isinstance(lane, list) else [lane])]


def _strength(each: Mapping[str, Any]) -> str:
    card = _card(each["card"])
    return f"{each.get('attack', card['attack'])}/{each.get('defense', card['defense'])}"


def _card(number: int | str) -> dict[str, Any]:
    """A card of the fixed list, or one of those that the examples invent."""
    if isinstance(number, str):
        return dict(example_data(PACKAGE)["new"][number.removeprefix(_NEW)])
    card = FIXED_CARDS[number - 1]
    fields = ("cost", "attack", "defense", "abilities", "my_health", "opponent_health", "card_draw")
    return {"type": TYPE_NAMES[card.type], **{name: getattr(card, name) for name in fields}}


def example_position(edition: LocmEdition, name: str) -> dict[str, Any]:
    """The position from which an example starts, as `cardrome.from_json` reads it.

    Where every game has cards of its own, the pool of this one has those that the example is about.
    """
    data = example_data(PACKAGE)[name]
    invented = {f"{_NEW}{key}": _INVENTED + place for place, key in enumerate(example_data(PACKAGE)["new"])}
    sides = [_side(edition, data.get(side, {}), invented) for side in ("me", "foe")]
    if data.get("bonus"):
        sides[1]["bonus_mana"] = edition.bonus_mana
    position = {"edition": edition.name, "turn": data.get("turn", 20), "players": sides}
    if edition.constructed:
        named = {each if isinstance(each, int) else each["card"] for each in _cards(sides)}
        numbers = sorted(named | set(range(1, 1 + _POOL)))
        known = {number: key for key, number in invented.items()}
        position["deal"] = {"cards": [{"number": n, **_card(known.get(n, n))} for n in numbers]}
    return position


def _side(edition: LocmEdition, given: Mapping[str, Any], invented: Mapping[str, int]) -> dict[str, Any]:
    """A player of a position; in editions with two lanes a board without lanes is the left one."""

    def numbered(each: Any) -> Any:
        if isinstance(each, list):
            return [numbered(inner) for inner in each]
        return {**each, "card": invented.get(each["card"], each["card"])} if isinstance(each, dict) else each

    side = {key: numbered(value) if isinstance(value, list) else value for key, value in given.items()}
    if "mana" in side:
        side.setdefault("max_mana", side["mana"])
    board = side.get("board", [])
    if edition.lanes > 1 and not any(isinstance(lane, list) for lane in board):
        side["board"] = [board, []]
    return side


def _cards(sides: list[dict[str, Any]]) -> list[Any]:
    return [
        *(each for side in sides for each in _creatures(side)),
        *(each for side in sides for zone in ("hand", "deck") for each in side.get(zone, ())),
    ]


def example_actions(edition: LocmEdition, actions: list[str]) -> list[str]:
    """The actions of an example as this edition writes them: with one lane, a summon names none."""
    if edition.summon_names_lane:
        return list(actions)
    return [action.rpartition(" ")[0] if action.startswith("SUMMON") else action for action in actions]
