"""Positions as readable data: to save them, to share them, to set them up by hand.

    >>> game = from_dict({"edition": "locm-1.2", "players": [{"board": [[3, 7], []]}, {"board": [[116], []]}]})
    >>> game.legal_actions
    ['PASS', 'ATTACK 1 2', 'ATTACK 3 2']

`to_dict` and `to_json` write everything of a position, so that reading gives back the same bytes. What people write
may leave out almost all of it: `cardrome.games.locm.protocol.setup` fills it in and checks it.

A card is named by its number. A game whose deal and actions are known carries both, and is read by playing it again;
any other position spells out its deal. A view names its viewer and writes ``"?"`` for each card hidden from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import msgspec
import numpy as np
from msgspec import UNSET, Meta, Struct, UnsetType

from cardrome.errors import InvalidDeal, InvalidPosition
from cardrome.escaping import printable
from cardrome.games.locm.protocol.game import LocmGame, LocmPosition, LocmView
from cardrome.games.locm.rules.cards import (
    AREA_NAMES,
    HIDDEN,
    KEYWORD_LETTERS,
    TYPE_NAMES,
    abilities_mask,
    abilities_text,
)
from cardrome.games.locm.rules.deal import LocmDeal, blank_deals, parameter_names, parse_seed
from cardrome.games.locm.rules.edition import DECK_SIZE, EDITIONS, HAND_LIMIT, LocmEdition
from cardrome.games.locm.rules.state import (
    BATTLE,
    UNKNOWN_ID,
    Creature,
    DealRecord,
)
from cardrome.games.position_data import bounded, hint, pretty, read_struct, require, unexpected

MOST = 9999
"""The largest count or strength a position may name: far above any game, far below the end of the storage."""
MOST_HEALTH = 999_999
LAST_ID = 127

# A field that is left out is UNSET. None would be a null, which is wrong in most places.
V = TypeVar("V")
Maybe: TypeAlias = V | UnsetType
_Seat = Literal[0, 1]
_Count = Annotated[int, Meta(ge=0, le=MOST)]
_Positive = Annotated[int, Meta(ge=1, le=MOST)]
_Damage = Annotated[int, Meta(ge=0, le=MOST_HEALTH)]
_Id = Annotated[int, Meta(ge=0, le=LAST_ID)]
_Cost = Annotated[int, Meta(ge=0, le=99)]
_Change = Annotated[int, Meta(ge=-99, le=99)]
Hidden = Literal["?"]
"""Stands for a card, or an offer, that the viewer does not know."""


class HeldData(Struct, forbid_unknown_fields=True):
    """A card in a hand or a deck, or one that was played. Without an id it may also be written as its number."""

    card: int
    id: Maybe[_Id] = UNSET


class LocmCreatureData(HeldData):
    """A creature on the board. What is left out is as its card says."""

    attack: Maybe[_Count] = UNSET
    defense: Maybe[_Positive] = UNSET
    abilities: Maybe[str] = UNSET
    can_attack: Maybe[bool] = UNSET
    has_attacked: bool = False
    touched: bool = False
    order: Maybe[_Positive] = UNSET


HeldItem: TypeAlias = int | Hidden | HeldData
CreatureItem: TypeAlias = int | LocmCreatureData
_Hand = Annotated[list[HeldItem], Meta(max_length=HAND_LIMIT)]
_Deck = Annotated[list[HeldItem], Meta(max_length=DECK_SIZE)]
_Offer = tuple[int, int, int] | Hidden


class PlayerData(Struct, forbid_unknown_fields=True):
    """One player's side."""

    health: Maybe[Annotated[int, Meta(ge=-MOST_HEALTH, le=MOST_HEALTH)]] = UNSET
    mana: Maybe[_Count] = UNSET
    max_mana: Maybe[_Count] = UNSET
    bonus_mana: _Count = 0
    rune: Maybe[_Count] = UNSET
    next_draw: _Count = 1
    shown_draw: _Count = 1
    damage_taken: _Damage = 0
    hand: Maybe[_Hand] = UNSET
    board: Maybe[list[CreatureItem | list[CreatureItem]]] = UNSET
    """Lanes, each from its oldest creature on; in editions with one lane just its creatures will do."""
    deck: Maybe[_Deck] = UNSET
    played: Maybe[_Deck] = UNSET
    performed: Maybe[list[str]] = UNSET


class LocmPositionData(Struct, forbid_unknown_fields=True, kw_only=True):
    """A position, field by field."""

    format: Literal["cardrome-position"] = "cardrome-position"
    version: Literal[1] = 1
    edition: str
    viewer: _Seat | None = None
    phase: Literal["battle", "draft", "constructed"] = "battle"
    turn: Maybe[Annotated[int, Meta(ge=-1, le=MOST)]] = UNSET
    current: Maybe[_Seat] = UNSET
    winner: _Seat | None = None
    summoned: Maybe[_Count] = UNSET
    clones: Maybe[_Count] = UNSET
    players: tuple[PlayerData, PlayerData] = msgspec.field(default_factory=lambda: (PlayerData(), PlayerData()))
    deal: dict[str, Any] = {}
    """Parameters as the referees take them, or `OffersData`, or `PoolData`."""
    actions: Maybe[list[int]] = UNSET


class OffersData(Struct, forbid_unknown_fields=True, kw_only=True):
    """The deal of a draft, spelled out."""

    shuffle_seeds: tuple[int | str, int | str] = (0, 0)
    """Texts, or numbers: those of some languages are too short for them."""
    offers: Annotated[list[_Offer], Meta(min_length=DECK_SIZE, max_length=DECK_SIZE)]


class PoolCardData(Struct, forbid_unknown_fields=True):
    """A card of a pool."""

    number: Maybe[Annotated[int, Meta(ge=0, le=254)]] = UNSET
    type: Literal["creature", "green", "red", "blue"] = "creature"
    cost: _Cost = 0
    attack: Maybe[_Change] = UNSET
    defense: Maybe[_Change] = UNSET
    abilities: Maybe[str] = UNSET
    my_health: Maybe[_Change] = UNSET
    opponent_health: Maybe[_Change] = UNSET
    card_draw: Maybe[_Cost] = UNSET
    area: Maybe[Literal["target", "lane1", "lane2"]] = UNSET


class PoolData(Struct, forbid_unknown_fields=True, kw_only=True):
    """The deal of a constructed game, spelled out."""

    shuffle_seeds: tuple[int | str, int | str] = (0, 0)
    cards: list[PoolCardData]


def to_dict(position: LocmPosition) -> dict[str, Any]:
    """A position as plain data, complete: `from_dict` gives back an equal one."""
    state, edition = position.state, position.edition
    if edition != EDITIONS[edition.name]:
        raise InvalidPosition(f"a position of a variant of {edition.name} cannot be written down")
    data = LocmPositionData(
        edition=edition.name,
        viewer=position.viewer if isinstance(position, LocmView) else None,  # type: ignore[arg-type]
        phase=position.phase,  # type: ignore[arg-type]
        turn=position.turn,
        current=position.current,  # type: ignore[arg-type]
        winner=position.winner,  # type: ignore[arg-type]
        summoned=int(state.summoned),
        clones=int(state.clones),
        players=(_player(position, 0), _player(position, 1)),
    )
    if not _add_parameters(position, data):
        data.deal = _spelled_out(position)
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(data))
    if data.viewer is None:
        del plain["viewer"]
    return plain


def to_json(position: LocmPosition) -> str:
    """A position as JSON for people: stable, a line for each card in hand and each creature."""
    return pretty(to_dict(position)) + "\n"


def replayed(edition: LocmEdition, deal: LocmDeal, actions: Sequence[int]) -> LocmGame | None:
    """The game that a deal and its actions make, or None if one of them is not legal."""
    game = LocmGame(edition, deal)
    return game if all(game.try_play(code) for code in actions) else None


_NUMBERS = ("health", "mana", "max_mana", "bonus_mana", "rune", "next_draw", "shown_draw", "damage_taken")


def _player(position: LocmPosition, p: int) -> PlayerData:
    player, edition = position.state.players[p], position.edition
    numbers: Any = {name: int(player[name]) for name in _NUMBERS}
    data = PlayerData(**numbers)
    cards = position.deals["cards"]["number"][0].tolist()
    first = DECK_SIZE - int(player.n_deck) if position.state.phase == BATTLE else 0
    data.deck = _held(cards, player.deck[first : first + player.n_deck])
    if position.state.phase == BATTLE:
        data.hand = _held(cards, player.hand[: player.n_hand])
        data.board = []
        for lane in range(edition.lanes):
            place = lane * edition.lane_slots
            data.board.append([_creature(position, each) for each in player.board[place : place + player.n_lane[lane]]])
        data.played = _held(cards, player.deck[: player.n_played])
        data.performed = list(position.performed[p])
    return data


def _held(numbers: list[int], cards: Any) -> list[HeldItem]:
    """Cards in a hand or deck. Before the battle they have no ids."""

    def item(card: int, card_id: int) -> HeldItem:
        if card == HIDDEN:
            return "?"
        return numbers[card] if card_id == UNKNOWN_ID else HeldData(numbers[card], card_id)

    return [item(card, card_id) for card, card_id in cards.tolist()]


def _creature(position: LocmPosition, creature: Creature) -> LocmCreatureData:
    return LocmCreatureData(
        int(position.deals[0].cards[creature.card].number),
        int(creature.id),
        int(creature.attack),
        int(creature.defense),
        abilities_text(creature.abilities),
        bool(creature.can_attack),
        bool(creature.has_attacked),
        bool(creature.touched),
        int(creature.order),
    )


def _add_parameters(position: LocmPosition, data: LocmPositionData) -> bool:
    """Write the deal as parameters, with the actions that led here; returns whether that is possible."""
    if not isinstance(position, LocmGame) or position.deal is None:
        return False
    params, known = position.deal.params(), ("seed", *parameter_names(position.edition))
    # A state that somebody changed by hand is no longer what the actions lead to.
    if not params.keys() <= set(known) or replayed(position.edition, position.deal, position.actions) != position:
        return False
    data.deal, data.actions = params, list(position.actions)
    return True


def _spelled_out(position: LocmPosition) -> dict[str, Any]:
    """The deal without its parameters."""
    deal = position.deals[0]
    seeds = str(deal.shuffle_seed[0]), str(deal.shuffle_seed[1])
    data: OffersData | PoolData
    if position.edition.constructed:
        data = PoolData(shuffle_seeds=seeds, cards=[_card(*card) for card in deal.cards[: deal.n_cards].tolist()])
    else:
        numbers = deal.cards["number"].tolist()
        drawn = deal.offers[:, : position.edition.offer_size].tolist()
        offers: list[Any] = ["?" if HIDDEN in offer else [numbers[k] for k in offer] for offer in drawn]
        data = OffersData(shuffle_seeds=seeds, offers=offers)
    plain: dict[str, Any] = msgspec.to_builtins(data)
    return plain


def _card(
    number: int,
    kind: int,
    cost: int,
    attack: int,
    defense: int,
    abilities: int,
    my_health: int,
    opponent_health: int,
    card_draw: int,
    area: int,
) -> PoolCardData:
    """A card of a pool, from the fields of its record, without what is 0."""
    return PoolCardData(
        number,
        TYPE_NAMES[kind],  # type: ignore[arg-type]
        cost,
        attack or UNSET,
        defense or UNSET,
        abilities_text(abilities) if abilities else UNSET,
        my_health or UNSET,
        opponent_health or UNSET,
        card_draw or UNSET,
        AREA_NAMES[area] if area else UNSET,  # type: ignore[arg-type]
    )


# Deals, read


def read_deal(edition: LocmEdition, given: dict[str, Any], view: bool) -> tuple[np.recarray[Any, Any], LocmDeal | None]:
    """A deal, laid out; with its parameters if it was given by them."""
    spelled_out: type[OffersData | PoolData] = PoolData if edition.constructed else OffersData
    parameters, fields = ("seed", *parameter_names(edition)), spelled_out.__struct_fields__
    if given.keys() & set(fields):
        for name in parameters:
            require(name not in given, f"deal.{name}: a deal has parameters, or it has {' and '.join(fields)}")
        data, deals = read_struct(given, spelled_out, "deal"), blank_deals(edition)
        if isinstance(data, PoolData):
            _lay_out_pool(edition, data, deals[0])
        else:
            _lay_out_offers(data, deals[0], view)
        deals[0].shuffle_seed[:] = [
            _seed(f"deal.shuffle_seeds[{p}]", seed) for p, seed in enumerate(data.shuffle_seeds)
        ]
        return deals, None
    for name, value in given.items():
        require(name in parameters, f"deal.{printable(name)}: unknown key; {hint(name, [*parameters, *fields])}")
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise unexpected(f"deal.{name}", "a number or a text", value)
    deal = LocmDeal(_seed("deal.seed", given.get("seed", 0)), {k: str(v) for k, v in given.items() if k != "seed"})
    try:
        return deal.lay_out(edition), deal
    except InvalidDeal as error:
        raise InvalidPosition(f"deal: {error}") from None


def _seed(place: str, value: int | str) -> int:
    seed = parse_seed(str(value))
    if seed is None:
        raise unexpected(place, "a signed 64-bit number", value)
    return seed


def _lay_out_offers(data: OffersData, deal: DealRecord, view: bool) -> None:
    indices = card_indices(deal)
    for t, offer in enumerate(data.offers):
        place = f"deal.offers[{t}]"
        require(view or offer != "?", f"{place}: only a view (a position with a viewer) has hidden offers")
        cards = [HIDDEN] * 3 if offer == "?" else [find_card(f"{place}[{k}]", n, indices) for k, n in enumerate(offer)]
        deal.offers[t, : len(cards)] = cards


def _lay_out_pool(edition: LocmEdition, data: PoolData, deal: DealRecord) -> None:
    fewest, most, n = DECK_SIZE // edition.max_copies, edition.constructed_pool, len(data.cards)
    bounds = f"{fewest} (enough for a deck) to {most} cards"
    require(fewest <= n <= most, f"deal.cards: expected {bounds}, got {n}")
    places: dict[int, str] = {}
    for i, given in enumerate(data.cards):
        place, card, creature = f"deal.cards[{i}]", deal.cards[i], given.type == "creature"
        card.number = number = or_default(given.number, i)
        other = places.setdefault(number, place)
        require(other == place, f"{place}.number: {number} is also the number of {other}")
        card.type, card.cost = TYPE_NAMES.index(given.type), given.cost
        card.area = AREA_NAMES.index(given.area or AREA_NAMES[0])
        card.attack = bounded(f"{place}.attack", given.attack or 0, 0 if creature else -99, 99)
        card.defense = bounded(f"{place}.defense", or_default(given.defense, int(creature)), 1 if creature else -99, 99)
        card.abilities = keyword_mask(f"{place}.abilities", given.abilities or "")
        for name in ("my_health", "opponent_health", "card_draw"):
            card[name] = getattr(given, name) or 0
    deal.n_cards = n


def or_default(value: V | UnsetType, default: V) -> V:
    """A value, or what it is where it is left out."""
    return default if value is UNSET else value


def card_indices(deal: DealRecord) -> dict[int, int]:
    """The index of each card in the card table, by the number that people know it by."""
    return {number: i for i, number in enumerate(deal.cards["number"][: deal.n_cards].tolist())}


def find_card(place: str, number: int, indices: dict[int, int]) -> int:
    """The index of a card."""
    low, high, n = min(indices), max(indices), len(indices)
    known = f"{low} to {high}" if n == 1 + high - low else f"one of {n} cards"
    require(number in indices, f"{place}: card {number} is not in this edition, expected {known}")
    return indices[number]


def keyword_mask(place: str, text: str) -> int:
    """Keywords as bits, from their letters; the dashes between them may be left out."""
    letters = text.replace("-", "")
    if set(letters) - set(KEYWORD_LETTERS) or len(set(letters)) != len(letters):
        raise unexpected(place, f"letters of {KEYWORD_LETTERS}", text)
    return abilities_mask(letters)
