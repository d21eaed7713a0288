"""Setting up a position from plain data: what is left out is filled in, what is impossible is refused.

An edition and two boards are enough. Everything else has a default: a battle in its first turn, full health, the
mana of that turn, empty hands and decks; creatures as their cards say, rested, the oldest first; ids as the edition
numbers them. `cardrome.games.locm.protocol.position` writes the same data complete.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

import msgspec
from msgspec import UNSET

from cardrome.engine.records import Records
from cardrome.errors import InvalidPosition, UnknownEdition
from cardrome.games.locm.protocol.game import LocmGame, LocmView, game_at
from cardrome.games.locm.protocol.position import (
    LAST_ID,
    MOST,
    MOST_HEALTH,
    CreatureItem,
    HeldData,
    HeldItem,
    LocmCreatureData,
    LocmPositionData,
    PlayerData,
    card_indices,
    find_card,
    keyword_mask,
    or_default,
    read_deal,
    replayed,
)
from cardrome.games.locm.rules.cards import (
    CREATURE_CARD,
    HIDDEN,
    TYPE_NAMES,
    abilities_text,
)
from cardrome.games.locm.rules.edition import DECK_SIZE, find_edition
from cardrome.games.locm.rules.state import BATTLE, DECK_BUILDING, NOBODY, UNKNOWN_ID, Held, new_states
from cardrome.games.locm.rules.view import hide_in_place
from cardrome.games.position_data import bounded, read_struct, require, unexpected


def from_dict(data: object) -> LocmGame | LocmView:
    """A position from plain data: a `LocmView` if it names a viewer, else a `LocmGame` to go on with.

    `InvalidPosition` names the place of whatever is wrong.
    """
    return _Setup(read_struct(data, LocmPositionData)).position()


D = TypeVar("D", bound=HeldData)


@dataclass
class _Placed(Generic[D]):
    """A card of the position: where the data has it, whose it is, and its index in the card table."""

    place: str
    player: int
    zone: str
    index: int
    data: D
    lane: int = 0

    def take_id(self, free: Iterator[int], used: set[int]) -> None:
        """Take a free id, if none is given."""
        if self.data.id is UNSET:
            self.data.id = next(free)
            used.add(self.data.id)


class _Setup:
    """A position in the making: what its parts need to know of each other."""

    def __init__(self, given: LocmPositionData) -> None:
        self.given, self.battle = given, given.phase == "battle"
        try:
            self.edition = edition = find_edition(given.edition)
        except UnknownEdition as error:
            raise InvalidPosition(f"edition: {error}") from None
        building = "constructed" if edition.constructed else "draft"
        if given.phase not in ("battle", building):
            raise unexpected("phase", f'"battle" or "{building}"', given.phase)
        self.deals, self.deal = read_deal(edition, given.deal, given.viewer is not None)
        self.indices = card_indices(self.deals[0])
        self.states = new_states()
        self.state = self.states[0]
        self.held: list[dict[str, list[_Placed[HeldData]]]] = []
        self.creatures: list[_Placed[LocmCreatureData]] = []

    def position(self) -> LocmGame | LocmView:
        """The position as an object; a game whose deal and actions are known knows them again."""
        edition, deals, states, given = self.edition, self.deals, self.states, self.given
        self._set_turn()
        for p, player in enumerate(given.players):
            self._set_numbers(p, player)
            self._read_cards(p, player)
        self._fill_orders()
        if self.battle:
            self._fill_ids()
        self._store_cards()
        self._set_counters()
        self._set_winner()
        performed = self._performed(0), self._performed(1)
        if given.viewer is not None:
            require(given.actions is UNSET, "actions: a view does not know them")
            # Whatever was given beyond what the viewer may know is hidden now.
            hide_in_place(edition.rules, deals, states, 0, 0, given.viewer)
            return LocmView(edition, deals, states, performed, given.viewer)
        position = game_at(edition, deals, states, performed)
        game = None if self.deal is None else replayed(edition, self.deal, given.actions or ())
        if game is not None and game == position:
            return game
        reason = "they need the deal's parameters" if self.deal is None else "they lead to another position"
        require(given.actions is UNSET, f"actions: {reason}; leave them out of a position changed by hand")
        return position

    def _set_turn(self) -> None:
        """Whose turn it is. In battle the number of the turn tells, before it the sizes of the decks."""
        given, sizes = self.given, [len(player.deck or ()) for player in self.given.players]
        if self.battle:
            turn = bounded("turn", or_default(given.turn, or_default(given.current, 0)), 0, MOST)
            current, reason = turn % 2, f"turn {turn} says"
        else:
            turn, reason = bounded("turn", or_default(given.turn, -1), -1, -1), "the sizes of the decks say"
            if self.edition.constructed:  # one deck after the other
                current = int(sizes[0] == DECK_SIZE)
                possible = sizes[1] < DECK_SIZE if current == 1 else sizes[1] == 0
            else:  # card by card
                current = sizes[0] - sizes[1]
                possible = current in (0, 1) and sizes[1] < DECK_SIZE
            require(possible, f"players: decks of {sizes[0]} and {sizes[1]} cards cannot occur in this phase")
        wrong = f"current: expected player {current}, as {reason}, got {given.current}"
        require(given.current in (UNSET, current), wrong)
        self.state.phase = BATTLE if self.battle else DECK_BUILDING
        self.state.turn, self.state.current = turn, current

    def _set_numbers(self, p: int, given: PlayerData) -> None:
        """A player's health, mana, rune and draws."""
        edition, player, path = self.edition, self.state.players[p], f"players[{p}]"
        bonus = bounded(f"{path}.bonus_mana", given.bonus_mana, 0, edition.bonus_mana * p if self.battle else 0)
        cap = edition.mana_cap + bonus if self.battle else 0
        by_turn = min((int(self.state.turn) + 2 - p) // 2 + bonus, cap)
        most = bounded(f"{path}.max_mana", or_default(given.max_mana, max(by_turn, min(given.mana or 0, cap))), 0, cap)
        player.bonus_mana, player.max_mana = bonus, most
        player.mana = bounded(f"{path}.mana", or_default(given.mana, most), 0, most)
        player.health = health = or_default(given.health, edition.start_health)
        runes = range(0, edition.top_rune + 1, edition.rune_step) if edition.rune_step else range(1)
        left = [rune for rune in runes if rune == 0 or rune < health]  # reaching a rune breaks it
        rune = or_default(given.rune, left[-1])
        if rune not in left:
            raise unexpected(f"{path}.rune", " or ".join(map(str, left)) + f" at health {health}", rune)
        player.rune = rune
        player.next_draw, player.shown_draw = given.next_draw, given.shown_draw
        counted = MOST_HEALTH if edition.damage_per_extra_card else 0
        player.damage_taken = bounded(f"{path}.damage_taken", given.damage_taken, 0, counted)

    def _read_cards(self, p: int, given: PlayerData) -> None:
        """The cards of one player, as far as they are given."""
        edition, path = self.edition, f"players[{p}]"
        for name in ("hand", "board", "played", "performed"):
            require(self.battle or not getattr(given, name), f"{path}.{name}: expected none before the battle")
        held: dict[str, list[_Placed[HeldData]]] = {"hand": [], "deck": [], "played": []}
        for zone, cards in held.items():
            for i, item in enumerate(getattr(given, zone) or ()):
                cards.append(self._read_held(f"{path}.{zone}[{i}]", p, zone, item))
        self.held.append(held)
        if not self.battle and edition.constructed:
            copies = Counter(card.index for card in held["deck"] if card.index != HIDDEN)
            for card in held["deck"]:
                few = copies[card.index] <= edition.max_copies
                require(few, f"{card.place}: expected at most {edition.max_copies} copies of a card")
        path, board = f"{path}.board", given.board or []
        flat = edition.lanes == 1 and not any(isinstance(lane, list) for lane in board)
        lanes = {path: board} if flat else {f"{path}[{i}]": lane for i, lane in enumerate(board)}
        require(len(lanes) <= edition.lanes, f"{path}: expected {edition.lanes} lanes, each a list, got {len(lanes)}")
        for lane, (place, items) in enumerate(lanes.items()):
            if not isinstance(items, list) or len(items) > edition.lane_slots:
                raise unexpected(place, f"a list of at most {edition.lane_slots}", msgspec.to_builtins(items))
            for i, item in enumerate(cast(list[CreatureItem], items)):
                self.creatures.append(self._read_creature(f"{place}[{i}]", p, lane, item))

    def _read_held(self, place: str, p: int, zone: str, item: HeldItem) -> _Placed[HeldData]:
        """A card of a hand, a deck or the list of cards played; its id may still be missing."""
        if isinstance(item, str):
            hidden = self.given.viewer == 1 - p and zone != "played"
            require(hidden, f"{place}: expected a card, got '?'; only hand and deck of a viewer's opponent are hidden")
            return _Placed(place, p, zone, HIDDEN, HeldData(HIDDEN, UNKNOWN_ID))
        data, at = (HeldData(item), place) if isinstance(item, int) else (item, f"{place}.card")
        require(self.battle or data.id is UNSET, f"{place}.id: expected none before the battle")
        # The id of a clone lies above its original's, and must fit as well.
        bounded(f"{place}.id", data.id or 0, 0, LAST_ID - self.edition.clone_id_step)
        return _Placed(place, p, zone, find_card(at, data.card, self.indices), data)

    def _read_creature(self, place: str, p: int, lane: int, item: CreatureItem) -> _Placed[LocmCreatureData]:
        """A creature, complete but for its id and order. It can attack if it is its player's turn."""
        data, at = (LocmCreatureData(item), place) if isinstance(item, int) else (item, f"{place}.card")
        index, active = find_card(at, data.card, self.indices), p == int(self.state.current)
        card = self.deals[0].cards[index]
        kind = TYPE_NAMES[card.type]
        require(card.type == CREATURE_CARD, f"{at}: card {data.card} is a {kind} item, expected a creature")
        for name in ("has_attacked", "can_attack"):
            wrong = f"{place}.{name}: expected false, since it is not this player's turn"
            require(active or not getattr(data, name), wrong)
        twice = data.can_attack and data.has_attacked
        require(not twice, f"{place}.can_attack: expected false, since it has attacked in this turn")
        data.attack, data.defense = (
            or_default(data.attack, int(card.attack)),
            or_default(data.defense, int(card.defense)),
        )
        data.abilities = or_default(data.abilities, abilities_text(card.abilities))
        data.can_attack = or_default(data.can_attack, active and not data.has_attacked)
        return _Placed(place, p, "board", index, data, lane)

    def _fill_orders(self) -> None:
        """Number the creatures without an order behind those that have one, lane by lane."""
        last = max((creature.data.order or 0 for creature in self.creatures), default=0)
        places: dict[int, str] = {}
        newest: dict[tuple[int, int], int] = {}
        for creature in self.creatures:
            place, lane, order = creature.place, (creature.player, creature.lane), creature.data.order or last + 1
            creature.data.order, last = order, max(last, order)
            other, older = places.setdefault(order, place), newest.get(lane, 0)
            require(other == place, f"{place}.order: {order} is also the order of {other}")
            require(order > older, f"{place}.order: expected more than {older}; a lane lists its oldest first")
            newest[lane] = order

    def _fill_ids(self) -> None:
        """Give every card that has no id one that is free, as the edition numbers them."""
        edition, used = self.edition, self._given_ids()
        for p, held in enumerate(self.held):
            own = [edition.id_base + edition.id_step * k + edition.id_player_step * p for k in range(DECK_SIZE)]
            free = (number for number in (*own, *range(LAST_ID)) if number not in used)
            board = [creature for creature in self.creatures if creature.player == p]
            for creature in board:
                creature.take_id(free, used)
            self._match_played(p, [creature for creature in board if not self._is_clone(creature)])
            for card in (*held["played"], *held["hand"], *held["deck"]):
                card.take_id(free, used)
            hand, deck, played = map(len, held.values())
            counts = f"{hand + deck + played}: {hand} in hand, {deck} in the deck, {played} played"
            few = hand + deck + played <= DECK_SIZE
            require(few, f"players[{p}]: expected at most {DECK_SIZE} cards, got {counts}")

    def _given_ids(self) -> set[int]:
        """All ids that are given. Two cards share one only if they are a creature and the card it was played as."""
        owners: dict[int, _Placed[Any]] = {}
        open_cards = [card for held in self.held for card in (*held["hand"], *held["deck"])]
        cards: list[_Placed[Any]] = [*self.creatures, *open_cards, *self.held[0]["played"], *self.held[1]["played"]]
        for card in cards:
            number = card.data.id
            if number is UNSET or number == UNKNOWN_ID:
                continue
            other = owners.setdefault(number, card)
            same = (other.player, other.index) == (card.player, card.index)
            if same and (other.zone, card.zone) == ("board", "played"):
                owners[number] = card
            else:
                require(other is card, f"{card.place}.id: {number} is also the id of {other.place}")
        return set(owners)

    def _is_clone(self, creature: _Placed[LocmCreatureData]) -> bool:
        """The creature's id is none that a card of a deck has."""
        edition, number = self.edition, creature.data.id or 0
        if not edition.area_effects or edition.clone_id_step == 0:
            return edition.area_effects and number >= edition.first_clone_id
        offset = number - edition.id_base - edition.id_player_step * creature.player
        return offset % edition.id_step == edition.clone_id_step

    def _match_played(self, p: int, summoned: list[_Placed[LocmCreatureData]]) -> None:
        """List the creatures among the cards played, under the same ids; or find them there."""
        played = self.held[p]["played"]
        known = {card.data.id for card in played}
        for creature in sorted(summoned, key=lambda creature: creature.data.order or 0):
            number, index = creature.data.id, creature.index
            if self.given.players[p].played is UNSET:
                played.append(_Placed(creature.place, p, "played", index, HeldData(creature.data.card, number)))
            elif number not in known:
                found = next((card for card in played if card.data.id is UNSET and card.index == index), None)
                if found is None:
                    advice = "leave played out to have it filled in"
                    raise InvalidPosition(f"{creature.place}: this creature is not among the cards played; {advice}")
                found.data.id = number

    def _store_cards(self) -> None:
        """Write all cards into the state."""
        for player, held in zip(self.state.players, self.held, strict=True):
            player.n_hand, player.n_deck, player.n_played = map(len, held.values())
            first = DECK_SIZE - int(player.n_deck) if self.battle else 0
            _store(held["hand"], player.hand)
            _store(held["deck"], player.deck[first:])
            _store(held["played"], player.deck)
        for creature in self.creatures:
            player, lane, data = self.state.players[creature.player], creature.lane, creature.data
            record = player.board[lane * self.edition.lane_slots + player.n_lane[lane]]
            player.n_lane[lane] += 1
            for name in ("id", "attack", "defense", "can_attack", "has_attacked", "touched", "order"):
                record[name] = getattr(data, name)
            record.card, record.abilities = (
                creature.index,
                keyword_mask(f"{creature.place}.abilities", data.abilities or ""),
            )

    def _set_counters(self) -> None:
        """How many creatures were summoned, and how many of them were clones with ids of their own."""
        edition, given = self.edition, self.given
        summoned = max((creature.data.order or 0 for creature in self.creatures), default=0)
        self.state.summoned = bounded("summoned", or_default(given.summoned, summoned), summoned, max(summoned, MOST))
        fewest = most = 0
        if edition.area_effects and edition.clone_id_step == 0:
            fewest = max([0, *(1 + (c.data.id or 0) - edition.first_clone_id for c in self.creatures)])
            most = 1 + LAST_ID - edition.first_clone_id
        self.state.clones = bounded("clones", or_default(given.clones, fewest), fewest, most)

    def _set_winner(self) -> None:
        """Health decides who has won. The player whose turn it is wins if both are dead."""
        s, given = self.state, "null" if self.given.winner is None else self.given.winner
        dead = [int(p) for p in (1 - s.current, s.current) if s.players[p].health <= 0]
        require(dead or given == "null", f"winner: expected null, since both players are alive, got {given}")
        if dead:
            health = f"players[{dead[0]}].health: {s.players[dead[0]].health}"
            winner = 1 - dead[0]
            require(self.battle, f"{health}; nobody dies before the battle")
            require(given == winner, f"{health}, so the game is over and winner must be {winner}, got {given}")
        s.winner = winner if dead else NOBODY

    def _performed(self, p: int) -> tuple[str, ...]:
        """The actions of a player's last turn, in the form in which their opponent is shown them."""
        summon = r"SUMMON \d+ [01]" if self.edition.summon_names_lane else r"SUMMON \d+"
        pattern = re.compile(rf"\d+ ({summon}|(ATTACK|USE) \d+ (-1|\d+))", re.ASCII)
        actions = self.given.players[p].performed or []
        for i, text in enumerate(actions):
            if not pattern.fullmatch(text):
                example = 'a card number and an action, as in "28 ATTACK 5 -1"'
                raise unexpected(f"players[{p}].performed[{i}]", example, text)
        return tuple(actions)


def _store(cards: list[_Placed[HeldData]], array: Records[Held]) -> None:
    for i, card in enumerate(cards):
        array[i] = card.index, or_default(card.data.id, UNKNOWN_ID)
