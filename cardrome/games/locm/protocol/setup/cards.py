"""The cards of a position set up by hand: hands, decks and boards, with the ids and orders nobody cared to give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from cardrome.errors import InvalidPosition
from cardrome.games.locm.protocol.fields import Fields, listed
from cardrome.games.locm.protocol.setup.deal import HIDDEN_CARD, CardTable, read_abilities, read_deal
from cardrome.games.locm.rules.cards import HIDDEN, abilities_text
from cardrome.games.locm.rules.edition import DECK_SIZE, HAND_LIMIT, Edition
from cardrome.games.locm.rules.state import UNKNOWN_ID, new_states

MOST = 9999
"""The largest count or strength a position may name: far above any game, far below the end of the storage."""
LAST_ID = 127

_CREATURE_KEYS = (
    *("card", "id", "attack", "defense", "abilities"),
    *("can_attack", "has_attacked", "touched", "order"),
)


@dataclass
class Held:
    """A card of a hand, a deck or the list of cards played, while its id may still be missing."""

    path: str
    card: int
    id: int | None


@dataclass
class Creature(Held):
    """A creature on the board, while its id and order may still be missing."""

    lane: int
    attack: int
    defense: int
    abilities: int
    can_attack: bool
    has_attacked: bool
    touched: bool
    order: int | None


@dataclass
class Side:
    """One player's cards."""

    player: int
    path: str
    hand: list[Held] = field(default_factory=list)
    deck: list[Held] = field(default_factory=list)
    played: list[Held] | None = None
    board: list[Creature] = field(default_factory=list)


class Setup:
    """One position in the making: what its parts need to know of each other."""

    def __init__(self, edition: Edition, fields: Fields) -> None:
        self.edition = edition
        self.viewer: int | None = fields.one_of("viewer", (None, 0, 1), None)
        self.deals, self.deal = read_deal(edition, fields.get("deal", {}), self.viewer is not None)
        self.table = CardTable(self.deals[0])
        building = "constructed" if edition.constructed else "draft"
        self.battle: bool = fields.one_of("phase", ("battle", building), "battle") == "battle"
        self.states = new_states()
        self.state: Any = self.states[0]


def read_side(setup: Setup, p: int, fields: Fields) -> Side:
    """The cards of one player, as far as they are given."""
    if not setup.battle:
        for name in ("hand", "board", "played", "performed"):
            if fields.get(name, []):
                raise InvalidPosition(f"{fields.at(name)}: expected none before the battle")
    hidden = setup.viewer == 1 - p
    side = Side(p, fields.path)
    side.hand = [_read_held(setup, each, hidden) for each in fields.items("hand", HAND_LIMIT, "cards")]
    side.deck = [_read_held(setup, each, hidden) for each in fields.items("deck", DECK_SIZE, "cards")]
    if "played" in fields:
        side.played = [_read_held(setup, each, False) for each in fields.items("played", DECK_SIZE, "cards")]
    side.board = _read_board(setup, p, fields)
    if not setup.battle and setup.edition.constructed:
        _check_copies(setup.edition, side)
    return side


def _check_copies(edition: Edition, side: Side) -> None:
    cards = [held.card for held in side.deck if held.card != HIDDEN]
    for held in side.deck:
        if cards.count(held.card) > edition.max_copies:
            raise InvalidPosition(f"{held.path}: expected at most {edition.max_copies} copies of a card")


def _read_held(setup: Setup, item: tuple[str, Any], may_hide: bool) -> Held:
    """A card by its number alone, or with its id."""
    path, value = item
    if value == HIDDEN_CARD:
        if not may_hide:
            reason = "the viewer knows this card" if setup.viewer is not None else "only a view (with a viewer) hides"
            raise InvalidPosition(f"{path}: expected a card, got {HIDDEN_CARD!r}; {reason}")
        return Held(path, HIDDEN, UNKNOWN_ID)
    if not isinstance(value, dict):
        return Held(path, setup.table.find(path, value), None)
    fields = Fields(path, value, ("card", "id") if setup.battle else ("card",))
    card = setup.table.find(fields.at("card"), fields.get("card", None))
    # The id of a clone lies above its original's, and must fit as well.
    return Held(path, card, _read_id(fields, LAST_ID - setup.edition.clone_id_step))


def _read_id(fields: Fields, last: int) -> int | None:
    return fields.integer("id", 0, last, 0) if "id" in fields else None


def _read_board(setup: Setup, p: int, fields: Fields) -> list[Creature]:
    edition, path, board = setup.edition, fields.at("board"), fields.get("board", [])
    if edition.lanes == 1 and isinstance(board, list) and not any(isinstance(lane, list) for lane in board):
        board, lane_paths = [board], [path]
    else:
        lane_paths = [lane_path for lane_path, _ in listed(path, board)]
    if len(board) > edition.lanes:
        raise InvalidPosition(f"{path}: expected {edition.lanes} lanes, each a list, got {len(board)}")
    return [
        _read_creature(setup, p, lane, each)
        for lane, (lane_path, creatures) in enumerate(zip(lane_paths, board, strict=True))
        for each in listed(lane_path, creatures, edition.lane_slots, "creatures")
    ]


def _read_creature(setup: Setup, p: int, lane: int, item: tuple[str, Any]) -> Creature:
    """A creature: by its card's number alone it is as the card says, and can attack if it is its player's turn."""
    path, value = item
    fields = Fields(path, value if isinstance(value, dict) else {"card": value}, _CREATURE_KEYS)
    index = setup.table.find_creature(fields.at("card") if isinstance(value, dict) else path, fields.get("card", None))
    card = setup.table.cards[index]
    active = p == int(setup.state.current)
    has_attacked = fields.flag("has_attacked", False)
    can_attack = fields.flag("can_attack", active and not has_attacked)
    for name, value_of in (("has_attacked", has_attacked), ("can_attack", can_attack)):
        if value_of and not active:
            raise InvalidPosition(f"{fields.at(name)}: expected false, since it is not this player's turn")
    if can_attack and has_attacked:
        raise InvalidPosition(f"{fields.at('can_attack')}: expected false, since it has attacked in this turn")
    return Creature(
        path=path,
        card=index,
        id=_read_id(fields, LAST_ID),
        lane=lane,
        attack=fields.integer("attack", 0, MOST, int(card.attack)),
        defense=fields.integer("defense", 1, MOST, int(card.defense)),
        abilities=read_abilities(fields, abilities_text(card.abilities)),
        can_attack=can_attack,
        has_attacked=has_attacked,
        touched=fields.flag("touched", False),
        order=fields.integer("order", 1, MOST, 0) if "order" in fields else None,
    )


def fill_orders(sides: list[Side]) -> None:
    """Number the creatures without an order behind those that have one, lane by lane."""
    creatures = [creature for side in sides for creature in side.board]
    last = max((creature.order or 0 for creature in creatures), default=0)
    owners: dict[int, str] = {}
    for creature in creatures:
        if creature.order is None:
            last += 1
            creature.order = last
        if creature.order in owners:
            other = owners[creature.order]
            raise InvalidPosition(f"{creature.path}.order: {creature.order} is also the order of {other}")
        owners[creature.order] = creature.path
    for side in sides:
        for older, newer in pairwise(side.board):
            if older.lane == newer.lane and (older.order or 0) > (newer.order or 0):
                raise InvalidPosition(
                    f"{newer.path}.order: expected more than {older.order}; a lane lists its oldest first"
                )


def fill_ids(edition: Edition, sides: list[Side]) -> None:
    """Give every card that has no id one that is free, as the edition numbers them.

    Each creature but a clone is also listed among the cards played, under the same id.
    """
    used = _given_ids(sides)
    for side in sides:
        free = _free_ids(edition, side.player, used)
        for creature in side.board:
            creature.id = next(free) if creature.id is None else creature.id
        summoned = [c for c in sorted(side.board, key=_order) if not _is_clone(edition, side.player, c)]
        if side.played is None:
            side.played = [Held(creature.path, creature.card, creature.id) for creature in summoned]
        else:
            _match_played(side.played, summoned)
        for held in (*side.played, *side.hand, *side.deck):
            held.id = next(free) if held.id is None else held.id
        n = len(side.hand) + len(side.deck) + len(side.played)
        if n > DECK_SIZE:
            counts = f"{len(side.hand)} in hand, {len(side.deck)} in the deck, {len(side.played)} played"
            raise InvalidPosition(f"{side.path}: expected at most {DECK_SIZE} cards, got {n}: {counts}")


def _order(creature: Creature) -> int:
    return creature.order or 0


def _given_ids(sides: list[Side]) -> set[int]:
    """All ids that are given. Two cards share one only if they are a creature and the card it was played as."""
    owners: dict[int, Held] = {}
    for side in sides:
        for held in (*side.board, *side.hand, *side.deck):
            if held.id is not None and held.id != UNKNOWN_ID:
                other = owners.setdefault(held.id, held)
                if other is not held:
                    raise _same_id(held, other)
    used = set(owners)
    played: dict[int, Held] = {}
    for side in sides:
        own = {creature.id: creature for creature in side.board}
        for held in side.played or ():
            if held.id is not None:
                other = played.setdefault(held.id, held)
                if other is held and held.id in owners:
                    other = owners[held.id]
                    creature = own.get(held.id)
                    if creature is not None and creature.card == held.card:
                        continue
                if other is not held:
                    raise _same_id(held, other)
    return used | set(played)


def _same_id(held: Held, other: Held) -> InvalidPosition:
    return InvalidPosition(f"{held.path}.id: {held.id} is also the id of {other.path}")


def _free_ids(edition: Edition, p: int, used: set[int]) -> Iterator[int]:
    """Ids nobody has: those the edition gives this player's cards, then any. They count as used once given out."""
    own = [edition.id_base + edition.id_step * k + edition.id_player_step * p for k in range(DECK_SIZE)]
    for candidate in (*own, *range(LAST_ID)):
        if candidate not in used:
            used.add(candidate)
            yield candidate


def _is_clone(edition: Edition, p: int, creature: Creature) -> bool:
    """The creature's id is none that a card of a deck has."""
    if not edition.area_effects or creature.id is None:
        return False
    if edition.clone_id_step == 0:
        return creature.id >= edition.first_clone_id
    return (creature.id - edition.id_base - edition.id_player_step * p) % edition.id_step == edition.clone_id_step


def _match_played(played: list[Held], summoned: list[Creature]) -> None:
    """Find each creature's card among the cards played."""
    known = {held.id for held in played}
    for creature in summoned:
        if creature.id in known:
            continue
        card = next((held for held in played if held.id is None and held.card == creature.card), None)
        if card is None:
            hint = "leave played out to have it filled in"
            raise InvalidPosition(f"{creature.path}: this creature is not among the cards played; {hint}")
        card.id = creature.id


def store(setup: Setup, side: Side) -> None:
    """Write a player's cards into the state."""
    player = setup.state.players[side.player]
    played = side.played or []
    player.n_hand, player.n_deck, player.n_played = len(side.hand), len(side.deck), len(played)
    first = DECK_SIZE - len(side.deck) if setup.battle else 0
    for array, start, cards in ((player.hand, 0, side.hand), (player.deck, first, side.deck), (player.deck, 0, played)):
        for i, held in enumerate(cards, start):
            array[i].card = held.card
            array[i].id = UNKNOWN_ID if held.id is None else held.id
    for creature in side.board:
        place = creature.lane * setup.edition.lane_slots + player.n_lane[creature.lane]
        player.n_lane[creature.lane] += 1
        record = player.board[place]
        for name in _CREATURE_KEYS:
            record[name] = getattr(creature, name)
