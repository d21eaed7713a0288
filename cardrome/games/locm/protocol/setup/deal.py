"""The deal of a position set up by hand: parameters as the referees take them, or everything spelled out."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardrome.errors import InvalidDeal, InvalidPosition
from cardrome.games.locm.protocol.fields import Fields, listed, unexpected
from cardrome.games.locm.rules.cards import (
    AREA_NAMES,
    CREATURE_CARD,
    HIDDEN,
    KEYWORD_LETTERS,
    TYPE_NAMES,
    abilities_mask,
)
from cardrome.games.locm.rules.deal import Deal, blank_deals, parameter_names, parse_seed
from cardrome.games.locm.rules.edition import DECK_SIZE, Edition

HIDDEN_CARD = "?"
"""Stands for a card, or an offer, that the viewer does not know."""

_CARD_KEYS = (
    "number",
    "type",
    "cost",
    "attack",
    "defense",
    "abilities",
    "my_health",
    "opponent_health",
    "card_draw",
    "area",
)


class CardTable:
    """The cards of a deal, by the numbers people know them by."""

    def __init__(self, deal: Any) -> None:
        self.cards = deal.cards
        numbers = deal.cards["number"][: deal.n_cards].tolist()
        self._index = {number: i for i, number in enumerate(numbers)}
        consecutive = sorted(numbers) == list(range(min(numbers), max(numbers) + 1))
        self._extent = f"{min(numbers)} to {max(numbers)}" if consecutive else f"one of {len(numbers)} cards"

    def find(self, path: str, number: object) -> int:
        """The index of a card."""
        if isinstance(number, bool) or not isinstance(number, int):
            raise unexpected(path, "a card number", number)
        if number not in self._index:
            raise InvalidPosition(f"{path}: card {number} is not in this edition, expected {self._extent}")
        return self._index[number]

    def find_creature(self, path: str, number: object) -> int:
        """The index of a card that is a creature."""
        index = self.find(path, number)
        kind = self.cards[index].type
        if kind != CREATURE_CARD:
            raise InvalidPosition(f"{path}: card {number} is a {TYPE_NAMES[kind]} item, expected a creature")
        return index


def read_deal(edition: Edition, value: object, view: bool) -> tuple[np.recarray[Any, Any], Deal | None]:
    """A deal, laid out; with its parameters if it was given by them."""
    spelled_out = ("cards" if edition.constructed else "offers", "shuffle_seeds")
    parameters = ("seed", *parameter_names(edition))
    fields = Fields("deal", value, (*parameters, *spelled_out))
    if spelled_out[0] not in fields and spelled_out[1] not in fields:
        deal = _deal_from_parameters(fields)
        try:
            return deal.lay_out(edition), deal
        except InvalidDeal as error:
            raise InvalidPosition(f"deal: {error}") from None
    for name in parameters:
        if name in fields:
            raise InvalidPosition(f"{fields.at(name)}: a deal has parameters, or it has {' and '.join(spelled_out)}")
    if spelled_out[0] not in fields:
        raise InvalidPosition(f"{fields.at(spelled_out[0])}: missing, since the deal has {spelled_out[1]}")
    deals = blank_deals(edition)
    if edition.constructed:
        _read_cards(edition, fields, deals[0])
    else:
        _read_offers(fields, deals[0], view)
    _read_shuffle_seeds(fields, deals[0])
    return deals, None


def _deal_from_parameters(fields: Fields) -> Deal:
    params = {}
    for name, value in fields.values.items():
        if isinstance(value, bool) or not isinstance(value, (int, str)):
            raise unexpected(fields.at(name), "a number or a text", value)
        params[name] = str(value)
    seed = _seed(fields.at("seed"), params.pop("seed", "0"))
    return Deal(seed, params)


def _seed(path: str, value: object) -> int:
    """A seed, as a number or (safe from languages whose numbers are shorter) as a text."""
    seed = parse_seed(str(value)) if isinstance(value, (int, str)) and not isinstance(value, bool) else None
    if seed is None:
        raise unexpected(path, "a signed 64-bit number", value)
    return seed


def _read_shuffle_seeds(fields: Fields, deal: Any) -> None:
    seeds = fields.items("shuffle_seeds")
    if len(seeds) not in (0, 2):
        raise InvalidPosition(f"{fields.at('shuffle_seeds')}: expected two seeds, got {len(seeds)}")
    for p, (path, seed) in enumerate(seeds):
        deal.shuffle_seed[p] = _seed(path, seed)


def _read_offers(fields: Fields, deal: Any, view: bool) -> None:
    offers = fields.items("offers")
    if len(offers) != DECK_SIZE:
        raise InvalidPosition(f"{fields.at('offers')}: expected {DECK_SIZE} offers, got {len(offers)}")
    table = CardTable(deal)
    for t, (path, offer) in enumerate(offers):
        if offer == HIDDEN_CARD:
            if not view:
                raise InvalidPosition(f"{path}: only a view (a position with a viewer) has hidden offers")
            deal.offers[t] = HIDDEN
            continue
        numbers = listed(path, offer)
        if len(numbers) != 3:
            raise InvalidPosition(f"{path}: expected three cards, got {len(numbers)}")
        deal.offers[t] = [table.find(*each) for each in numbers]


def _read_cards(edition: Edition, fields: Fields, deal: Any) -> None:
    cards = fields.items("cards")
    fewest = DECK_SIZE // edition.max_copies
    if not fewest <= len(cards) <= edition.constructed_pool:
        bounds = f"{fewest} (enough for a deck) to {edition.constructed_pool} cards"
        raise InvalidPosition(f"{fields.at('cards')}: expected {bounds}, got {len(cards)}")
    seen: dict[int, str] = {}
    for i, (path, value) in enumerate(cards):
        number = _read_card(path, value, i, deal.cards[i])
        if number in seen:
            raise InvalidPosition(f"{path}.number: {number} is also the number of {seen[number]}")
        seen[number] = path
    deal.n_cards = len(cards)


def _read_card(path: str, value: object, index: int, card: Any) -> int:
    fields = Fields(path, value, _CARD_KEYS)
    number = fields.integer("number", 0, 254, index)
    card.number = number
    card.type = TYPE_NAMES.index(fields.one_of("type", TYPE_NAMES, TYPE_NAMES[CREATURE_CARD]))
    card.cost = fields.integer("cost", 0, 99, 0)
    creature = card.type == CREATURE_CARD
    card.attack = fields.integer("attack", 0 if creature else -99, 99, 0)
    card.defense = fields.integer("defense", 1 if creature else -99, 99, 1 if creature else 0)
    card.abilities = read_abilities(fields, "")
    card.my_health = fields.integer("my_health", -99, 99, 0)
    card.opponent_health = fields.integer("opponent_health", -99, 99, 0)
    card.card_draw = fields.integer("card_draw", 0, 99, 0)
    card.area = AREA_NAMES.index(fields.one_of("area", AREA_NAMES, AREA_NAMES[0]))
    return number


def read_abilities(fields: Fields, default: str) -> int:
    """Keywords as bits, from their letters; the dashes between them may be left out."""
    text = fields.get("abilities", default)
    letters = text.replace("-", "") if isinstance(text, str) else None
    if letters is None or set(letters) - set(KEYWORD_LETTERS) or len(set(letters)) != len(letters):
        raise unexpected(fields.at("abilities"), f"letters of {KEYWORD_LETTERS}", text)
    return abilities_mask(letters)
