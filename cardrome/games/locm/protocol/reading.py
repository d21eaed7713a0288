"""What a bot knows: a `LocmView` built from the messages it was sent, and from nothing else.

A `Reader` takes the messages of one game in order, and the bot's own answers. Most of a view is in the current message;
the rest is remembered from earlier ones: the draft offers, the bot's deck, the cards that both players have played.

The messages leave a few fields open. The view fills them in, which affects neither the rules nor the input text:

- ``order`` of creatures: messages give the order within each board only. The bot's creatures are numbered first.
- ``touched``: known only where it shows, as faded effects or as values that differ from the card's.
- ``damage_taken`` of the opponent: 0, which is right unless they hurt themselves in their last turn.
- who is player 0 while a deck is constructed: both are sent the same, and the view takes the bot for player 0.

The contest build of 1.0 shows neither draws nor the opponent's actions. There the view also lacks the items they used
and creatures of theirs that were gone before the bot's turn; their ``mana`` and ``next_draw`` follow from the creatures
on the board, and the bot's own ``shown_draw`` stays 1.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from cardrome.engine.records import duplicate
from cardrome.errors import CallerError, SyntaxFault
from cardrome.games.locm.protocol.answers import BotAction, parse_battle, parse_command, parse_constructed, parse_draft
from cardrome.games.locm.protocol.game import LocmView, game_at
from cardrome.games.locm.rules import actions
from cardrome.games.locm.rules.actions import NOT_FOUND
from cardrome.games.locm.rules.battle import check_winner
from cardrome.games.locm.rules.cards import (
    FIXED_CARDS,
    HIDDEN,
    KEYWORD_LETTERS,
    MAX_CARDS,
    TARGET_ONLY,
    CardRecord,
    abilities_mask,
)
from cardrome.games.locm.rules.deal import blank_deals
from cardrome.games.locm.rules.deckbuilding import instance_id
from cardrome.games.locm.rules.edition import DECK_SIZE, HAND_LIMIT, PASS, SUMMON, USE, LocmEdition
from cardrome.games.locm.rules.state import BATTLE, UNKNOWN_ID, Player, State, new_states
from cardrome.games.locm.rules.view import hide_in_place
from cardrome.wording import counted

_IN_HAND, _MINE, _ENEMY = 0, 1, -1
_BYTE, _SHORT, _LONG = (-128, 127), (-9999, 9999), (-999_999, 999_999)
_EFFECTS = ("my_health", "opponent_health", "card_draw")
_LIMITS = {
    "health": _LONG,
    "mana": (0, 127),
    "deck": (0, DECK_SIZE),
    "rune": (0, 127),
    "draw": _SHORT,
    "number": (0, 255),
    "id": (UNKNOWN_ID, 127),
    "location": (-1, 1),
    "type": (0, 3),
    "cost": (0, 127),
    "attack": _SHORT,
    "defense": _SHORT,
    "area": (0, 2),
    "lane": (-1, 1),
} | dict.fromkeys(_EFFECTS, _BYTE)


class PlayerLine(NamedTuple):
    """One of the first two lines. Fields that an edition does not show have their value at the start of a game."""

    health: int
    mana: int
    deck: int
    rune: int
    draw: int


class CardLine(NamedTuple):
    """The line of one card, and its number in the message."""

    place: int
    number: int
    id: int
    location: int
    type: int
    cost: int
    attack: int
    defense: int
    abilities: int
    my_health: int
    opponent_health: int
    card_draw: int
    area: int = TARGET_ONLY
    lane: int = 0


class Message(NamedTuple):
    """One message, line by line."""

    me: PlayerLine
    foe: PlayerLine
    foe_hand: int
    actions: tuple[str, ...]
    cards: list[CardLine]

    @property
    def building(self) -> bool:
        """The message belongs to deck building: cards on offer have no ids yet."""
        return bool(self.cards) and all(card.id == UNKNOWN_ID for card in self.cards)


def parse_message(edition: LocmEdition, text: str) -> Message:
    """Take a message apart. `CallerError` names the first line that is not as the edition writes it."""
    lines = text.removesuffix("\n").split("\n")
    player_fields = ["health", "mana", "deck", *(["rune"] if edition.shows_rune else [])]
    player_fields += ["draw"] if edition.shows_draw else []
    players = []
    for at in range(2):
        values = _numbers(lines, at, player_fields)
        players.append(PlayerLine(**{"rune": edition.top_rune, "draw": 1, **values}))
    counts = _numbers(lines, 2, ["hand", "actions"] if edition.shows_actions else ["hand"], (0, 999))
    if counts["hand"] > HAND_LIMIT:
        raise _wrong(lines, 2, f"a hand of at most {HAND_LIMIT} cards")
    first = 3 + counts.get("actions", 0)
    n_cards = _numbers(lines, first, ["number of cards"], (0, 999))["number of cards"]
    last = first + n_cards
    cards = [_parse_card(edition, lines, at) for at in range(first + 1, last + 1)]
    if len(lines) > last + 1:
        raise _wrong(lines, last + 1, "the end of the message")
    return Message(players[0], players[1], counts["hand"], tuple(lines[3:first]), cards)


def _parse_card(edition: LocmEdition, lines: list[str], at: int) -> CardLine:
    fields = ["number", "id", "location", "type", "cost", "attack", "defense", "abilities", *_EFFECTS]
    fields += ["area"] if edition.shows_area else []
    fields += ["lane"] if edition.shows_lane else []
    return CardLine(at + 1, **_numbers(lines, at, fields))


def _numbers(lines: list[str], at: int, fields: list[str], limits: tuple[int, int] | None = None) -> dict[str, int]:
    """The numbers of a line by the names of its fields; abilities become bits."""
    parts = lines[at].split() if at < len(lines) else []
    if len(parts) != len(fields):
        raise _wrong(lines, at, f"{counted(len(fields), 'field')} ({' '.join(fields)})")
    values = {}
    for name, part in zip(fields, parts, strict=True):
        if name == "abilities":
            if len(part) != 6 or any(c not in ("-", k) for c, k in zip(part, KEYWORD_LETTERS, strict=True)):
                raise _wrong(lines, at, f"abilities as in {KEYWORD_LETTERS} or ------")
            values[name] = abilities_mask(part)
            continue
        low, high = limits or _LIMITS[name]
        digits = part.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 10 and low <= int(part) <= high):
            raise _wrong(lines, at, f"{name} from {low} to {high}")
        values[name] = int(part)
    return values


def _wrong(lines: list[str], at: int, wanted: str) -> CallerError:
    got = "the end of the message" if at >= len(lines) else repr(lines[at][:80])
    return CallerError(f"line {at + 1} of the message: expected {wanted}, got {got}")


class Reader:
    """What a bot has been sent so far in one game."""

    def __init__(self, edition: LocmEdition) -> None:
        self.edition = edition
        self.viewer = 0
        """Which player the bot is; certain from the first battle message on."""
        self._deals = blank_deals(edition)
        self._deals["offers"][:, :, : edition.offer_size] = HIDDEN
        self._index = {} if edition.constructed else {card.number: i for i, card in enumerate(FIXED_CARDS)}
        self._message: Message | None = None
        self._picks: list[int] = []  # the bot's deck, in order of choice
        self._turns = 0
        self._drawn: dict[int, int] = {}  # own cards seen in hand: card by id
        self._played: dict[int, int] = {}  # own cards played, in their order
        self._foe_played: dict[int, int] = {}
        self._answer = ""
        self._numbers_clones = edition.area_effects and edition.clone_id_step == 0
        self._clones = 0
        self._before: LocmView | None = None  # the last view in battle, before any action

    def read(self, text: str) -> LocmView:
        """Take the next message; returns the bot's view. A message that cannot be read raises `CallerError`."""
        message = parse_message(self.edition, text)
        self._message = message
        states = new_states()
        actions.new_game(self.edition.rules, states, 0)
        performed: tuple[str, ...] = ()
        if message.building:
            self._read_offers(states[0], message)
        else:
            self._read_battle(states[0], message)
            performed = message.actions
        deals = duplicate(self._deals)
        # Sorts the bot's deck and marks the opponent's cards as hidden: the same code that makes every view.
        hide_in_place(self.edition.rules, deals, states, 0, 0, self.viewer)
        both = ((), performed) if self.viewer == 0 else (performed, ())
        view = LocmView(self.edition, deals, states, both, self.viewer)
        if self._numbers_clones:
            self._before = view.copy()
        return view

    def answered(self, line: str) -> None:
        """Take the bot's own answer to the last message: what it chose, in which order it played its cards.

        An answer in deck building that loses the game raises `SyntaxFault`.
        """
        self._answer = line
        message = self._message
        if message is None or not message.building:
            self._count_own_clones()
            return
        offered = [card.number for card in message.cards]
        if self.edition.constructed:
            self._picks = parse_constructed(line, offered, DECK_SIZE, self.edition.max_copies)
        else:
            self._picks.append(self._index[offered[parse_draft(line, offered)]])

    # Deck building

    def _read_offers(self, s: State, message: Message) -> None:
        """The cards on offer, and what each player has by now."""
        if self.edition.constructed:
            self._read_pool(message.cards)
            return
        t, cards = len(self._picks), message.cards
        if len(cards) != self.edition.offer_size:
            raise CallerError(f"line 4 and on: expected {self.edition.offer_size} cards on offer, got {len(cards)}")
        if t == DECK_SIZE:
            raise CallerError(f"line 1 and on: expected a battle message, since all {DECK_SIZE} cards are chosen")
        self._deals[0].offers[t, : len(cards)] = [self._card(card) for card in cards]
        self.viewer = 1 if message.foe.deck > message.me.deck else 0  # the second is asked as if the first had chosen
        s.current = self.viewer
        me, foe = s.players[self.viewer], s.players[1 - self.viewer]
        _lay(me, 0, [(card, UNKNOWN_ID) for card in self._picks])
        me.n_deck, foe.n_deck = t, t + self.viewer

    def _read_pool(self, cards: list[CardLine]) -> None:
        """The card table of a game with cards of its own: the pool, in the order in which it is shown."""
        if len(cards) > MAX_CARDS:
            raise CallerError(f"line 4: expected at most {MAX_CARDS} cards on offer, got {len(cards)}")
        table = np.zeros(MAX_CARDS, CardRecord)
        for i, card in enumerate(cards):
            for name in CardRecord.dtype.names or ():
                if not -128 <= getattr(card, name) <= (255 if name == "number" else 127):
                    raise CallerError(f"line {card.place}: no card has {name} {getattr(card, name)}")
                table[name][i] = getattr(card, name)
        self._deals["cards"][0, :MAX_CARDS] = table
        self._deals["n_cards"] = len(cards)
        self._index = {card.number: i for i, card in enumerate(cards)}

    def _card(self, card: CardLine) -> int:
        """The index of a card in the card table."""
        index = self._index.get(card.number)
        if index is None:
            raise CallerError(f"line {card.place}: this game has no card number {card.number}")
        return index

    # Battle

    def _read_battle(self, s: State, message: Message) -> None:
        edition = self.edition
        if self._turns == 0:
            # Draws come at the start of a turn: only player 0 then has exactly one card more than their first hand.
            self.viewer = 0 if message.me.deck == DECK_SIZE - edition.first_hand - 1 else 1
        self._turns += 1
        s.phase, s.current = BATTLE, self.viewer
        s.turn = 2 * (self._turns - 1) + self.viewer
        me, foe = s.players[self.viewer], s.players[1 - self.viewer]
        self._read_player(s, self.viewer, message.me)
        self._read_player(s, 1 - self.viewer, message.foe)
        foe.n_hand, foe.n_deck = message.foe_hand, message.foe.deck
        self._read_hand(me, [card for card in message.cards if card.location == _IN_HAND])
        self._read_board(s, me, [card for card in message.cards if card.location == _MINE], ready=1)
        self._read_board(s, foe, [card for card in message.cards if card.location == _ENEMY], ready=0)
        me.next_draw = 1
        self._note_played()
        self._read_actions(foe, message)
        s.clones = self._clones
        for player, played in ((me, self._played), (foe, self._foe_played)):
            cards = [(card, card_id) for card_id, card in played.items()][: DECK_SIZE - int(player.n_deck)]
            _lay(player, 0, cards)
            player.n_played = len(cards)
        self._lay_deck(me, message.me.deck)
        check_winner(s)

    def _read_player(self, s: State, p: int, line: PlayerLine) -> None:
        """Health, mana, rune and draws; the bonus is what the mana has above that of the turn."""
        edition, player = self.edition, s.players[p]
        player.health, player.rune, player.n_deck = line.health, line.rune, line.deck
        player.shown_draw = player.next_draw = line.draw
        player.max_mana = player.mana = line.mana
        own_turns = (int(s.turn) + 2 - p) // 2
        player.bonus_mana = max(0, min(edition.bonus_mana * p, line.mana - min(own_turns, edition.mana_cap)))

    def _read_hand(self, me: Player, cards: list[CardLine]) -> None:
        if len(cards) > HAND_LIMIT:
            raise CallerError(f"line {cards[HAND_LIMIT].place}: a hand holds {HAND_LIMIT} cards")
        for i, card in enumerate(cards):
            index = self._card(card)
            me.hand[i].card, me.hand[i].id = index, card.id
            self._drawn[card.id] = index
        me.n_hand = len(cards)

    def _read_board(self, s: State, player: Player, cards: list[CardLine], ready: int) -> None:
        """The creatures of one side, in the order of their lines."""
        edition = self.edition
        for card in cards:
            lane = card.lane
            if not 0 <= lane < edition.lanes or player.n_lane[lane] == edition.lane_slots:
                raise CallerError(f"line {card.place}: there is no room for a creature in lane {lane}")
            index = self._card(card)
            values = self._deals[0].cards[index]
            c = player.board[lane * edition.lane_slots + int(player.n_lane[lane])]
            player.n_lane[lane] += 1
            s.summoned += 1
            c.order, c.card, c.id, c.can_attack = s.summoned, index, card.id, bool(ready)
            c.attack, c.defense, c.abilities = card.attack, card.defense, card.abilities
            c.touched = any(
                getattr(card, name) != values[name] for name in ("attack", "defense", "abilities", *_EFFECTS)
            )
            self._note_clone(card.id)

    def _count_own_clones(self) -> None:
        """Play the answer to see how many clones it makes: they may be gone before the next message shows them."""
        view = self._before
        if view is None:
            return
        game = game_at(view.edition, view.deals, view.states)
        for command in self._commands():
            game.try_play(game.find_code(*command) if command.kind != PASS else NOT_FOUND)
        self._clones = int(game.state.clones)

    def _commands(self) -> list[BotAction]:
        """The last answer, taken apart; none if it was no battle answer."""
        try:
            return parse_battle(self._answer, self.edition.summon_names_lane)
        except SyntaxFault:
            return []

    def _note_clone(self, card_id: int) -> None:
        """Count clones where they are numbered consecutively: the highest number seen tells how many there were."""
        if self._numbers_clones:
            self._clones = max(self._clones, card_id - self.edition.first_clone_id + 1)

    def _note_played(self) -> None:
        """Note the cards that left the bot's hand as played, in the order of the last answer."""
        assert self._message is not None
        held = {card.id for card in self._message.cards if card.location == _IN_HAND}
        gone = [card_id for card_id in self._drawn if card_id not in held and card_id not in self._played]
        named = [command.source for command in self._commands() if command.kind in (SUMMON, USE)]
        gone.sort(key=lambda card_id: named.index(card_id) if card_id in named else len(named))
        self._played |= {card_id: self._drawn[card_id] for card_id in gone}

    def _read_actions(self, foe: Player, message: Message) -> None:
        """The cards that the opponent played in their last turn, and the mana they had left."""
        edition, new = self.edition, {}
        for place, line in enumerate(message.actions, 4):
            number, _, action = line.partition(" ")
            try:
                command = parse_command(action, edition.summon_names_lane)
                card = self._index[int(number)]
            except (SyntaxFault, ValueError, KeyError):
                expected = "a card number and an action, as in '28 ATTACK 5 -1'"
                raise CallerError(f"line {place} of the message: expected {expected}, got {line[:80]!r}") from None
            if command.kind in (SUMMON, USE) and 0 <= command.source <= _BYTE[1]:
                new[command.source] = card
            for card_id in (command.source, command.target or 0):
                self._note_clone(min(card_id, _BYTE[1]))
        if not edition.shows_actions:
            enemies = [card for card in message.cards if card.location == _ENEMY]
            new = {card.id: self._card(card) for card in enemies if card.id not in self._foe_played}
            foe.next_draw += sum(int(self._deals[0].cards[card].card_draw) for card in new.values())
        self._foe_played |= new
        foe.mana = max(0, int(foe.max_mana) - sum(int(self._deals[0].cards[card].cost) for card in new.values()))

    def _lay_deck(self, me: Player, size: int) -> None:
        """The bot's cards still to be drawn: those chosen less those seen. Nobody knows their order."""
        rules, first = self.edition.rules[0], DECK_SIZE - size
        if self.edition.ids_by_deck_position:
            cards = list((Counter(self._picks) - Counter(self._drawn.values())).elements())
            left = [(card, instance_id(rules, self.viewer, first + i)) for i, card in enumerate(cards)]
        else:
            ids = [instance_id(rules, self.viewer, k) for k in range(len(self._picks))]
            left = [
                (card, card_id) for card, card_id in zip(self._picks, ids, strict=True) if card_id not in self._drawn
            ]
        if len(left) != size:  # the reader was not given all answers
            left = [(HIDDEN, UNKNOWN_ID)] * size
        _lay(me, first, left)


def _lay(player: Player, first: int, cards: list[tuple[int, int]]) -> None:
    """Put cards with their ids into a deck, all at once: field by field takes ten times as long."""
    deck: Any = player.deck
    deck[first : first + len(cards)] = cards
