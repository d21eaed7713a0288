"""Games of Tapdeck: positions to look at, games to play, views to decide from. Nothing in them is hidden."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from cardrome.engine.records import duplicate
from cardrome.errors import CallerError, IllegalAction, InvalidDeal
from cardrome.games.game import Game, Outcome, Position, View, seat_number
from cardrome.games.tapdeck.protocol.commands import (
    ERROR_LINES,
    FIRST_QUERY,
    GET_MY_MATCHES,
    MEANINGS,
    NAMES,
    WAIT,
    Command,
    read_text,
)
from cardrome.games.tapdeck.protocol.table import Table, outcome_of
from cardrome.games.tapdeck.rules import legal, turn
from cardrome.games.tapdeck.rules.actions import END_TURN, action_code, action_kind, first_number, second_number
from cardrome.games.tapdeck.rules.cards import TapdeckCard, cards_of, parse_deck
from cardrome.games.tapdeck.rules.deckgen import deck_from_seed
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition
from cardrome.games.tapdeck.rules.legal import MAX_ACTIONS
from cardrome.games.tapdeck.rules.scoring import score
from cardrome.games.tapdeck.rules.state import PLAYING

END_TURN_TEXT = "END_TURN"
"""What an agent says when it is done. It is not a command of the wire, where time ends a turn."""
_END_TURN = action_code(END_TURN, 0, 0)


@dataclass(frozen=True)
class TapdeckDeal:
    """Where a match's deck comes from: a seed, or the deck itself as text, one card on a line, the top one first."""

    seed: int
    deck: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 1 << 62:
            raise InvalidDeal(f"seed {self.seed}; a deck's seed is a number from 0 to {(1 << 62) - 1}")

    def params(self) -> dict[str, str]:
        """The deal as parameters."""
        return {"seed": str(self.seed)} | ({} if self.deck is None else {"deck": self.deck})

    def lay_out(self, edition: TapdeckEdition) -> np.recarray[Any, Any]:
        """The deck as an array of one `DECK` record."""
        return deck_from_seed(edition.deck_size, self.seed) if self.deck is None else parse_deck(self.deck)


@dataclass(frozen=True, slots=True)
class TapdeckCreature:
    """A creature on the board with its present values."""

    card: TapdeckCard
    owner: int
    attack: int
    health: int
    max_health: int
    awake: bool
    attacks: int
    """Its place among the attackers of a turn, from 1 on; 0 if it does not attack."""
    blocked: bool

    @property
    def id(self) -> int:
        """Its card's id, by which actions name it."""
        return self.card.id


class TapdeckPosition(Position):
    """A match at one moment. `TapdeckGame` and `TapdeckView` are such."""

    edition: TapdeckEdition

    def __init__(self, edition: TapdeckEdition, decks: np.recarray[Any, Any], states: np.recarray[Any, Any]) -> None:
        """``decks`` is the deck as it was at the beginning, ``states`` the state: arrays of one record."""
        self.edition = edition
        self.decks = decks
        self.states = states

    @functools.cached_property
    def cards(self) -> Sequence[TapdeckCard]:
        """The deck as it was at the beginning, top first."""
        return cards_of(self.decks)

    @property
    def state(self) -> Any:
        """The state record itself."""
        return self.states[0]

    @property
    def phase(self) -> str:
        """``"blocking"`` until the player to move has ended their blocking phase, then ``"acting"``."""
        return "blocking" if self.blocking else "acting"

    @property
    def turn(self) -> int:
        """The number of the turn, from 0 on."""
        return int(self.state.turn)

    @property
    def turns_left(self) -> int:
        """The turns left, the present one included."""
        return self.edition.turns - self.turn

    @property
    def current(self) -> int:
        """The player whose turn it is, or was when the match ended."""
        return int(self.state.current)

    @property
    def to_move(self) -> int | None:
        """The player whose turn it is; None when the match is over."""
        return int(self.state.current) if self.state.ending == PLAYING else None

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""
        return outcome_of(self.edition.rules, self.states, 0)

    @property
    def scores(self) -> tuple[int, int]:
        """Both players' scores with the health as it is now."""
        rules = self.edition.rules
        return score(rules, self.states, 0, 0), score(rules, self.states, 0, 1)

    @property
    def blocking(self) -> bool:
        """The blocking phase is open."""
        return bool(self.state.blocking)

    @property
    def mana(self) -> int:
        """The current player's mana."""
        return int(self.state.mana)

    @property
    def draws_left(self) -> int:
        """Cards that the current player may still draw in this turn."""
        return int(self.state.draws_left)

    @property
    def burns_left(self) -> int:
        """Cards that they may still burn."""
        return int(self.state.burns_left)

    @property
    def health(self) -> tuple[int, int]:
        """Both players' health."""
        return int(self.state.health[0]), int(self.state.health[1])

    @property
    def top(self) -> int:
        """How many cards have left the deck: the place of its top card in `cards`."""
        return int(self.state.top)

    @property
    def deck(self) -> Sequence[TapdeckCard]:
        """The cards left in the deck, top first."""
        return self.cards[self.top :]

    def hand(self, player: int) -> list[TapdeckCard]:
        """A player's hand, by id."""
        seat = seat_number(player)
        n = int(self.state.n_hand[seat])
        return [self.cards[place] for place in self.state.hands[seat, :n].tolist()]

    def creatures(self) -> list[TapdeckCreature]:
        """All creatures on the board, by id."""
        found = self.state.creatures[: int(self.state.n_creatures)]
        return [
            TapdeckCreature(self.cards[card], owner, attack, health, most, bool(active), declared, bool(blocked))
            for attack, health, most, card, declared, owner, active, blocked, _ in found.tolist()
        ]

    def board(self, player: int) -> list[TapdeckCreature]:
        """A player's creatures, by id."""
        return [creature for creature in self.creatures() if creature.owner == player]

    @property
    def players(self) -> tuple[TapdeckSide, TapdeckSide]:
        """Both players: health, hand, board."""
        return TapdeckSide(self, 0), TapdeckSide(self, 1)

    @functools.cached_property
    def _codes(self) -> np.ndarray[Any, Any]:
        return np.zeros(MAX_ACTIONS, np.int64)

    @functools.cached_property
    def _list(self) -> Callable[..., int]:
        return legal.legal_codes.bind(self.edition.rules, self.decks, self.states, self._codes)

    def legal_codes(self) -> list[int]:
        """The codes of the current player's legal actions; END_TURN is the last."""
        n = self._list(0)
        return self._codes[:n].tolist()

    def action_text(self, code: int) -> str:
        """An action as the command of the wire, without the match's id."""
        kind = action_kind(code)
        if kind not in NAMES and kind != END_TURN:
            raise IllegalAction(f"{code} is not the code of an action; expected one of legal_codes()")
        return END_TURN_TEXT if kind == END_TURN else command_of(code).text()

    def action_code(self, text: str) -> int:
        """The code of an action given as text; `IllegalAction` if it can mean nothing."""
        word = text.strip().upper()
        if word == END_TURN_TEXT:
            return _END_TURN
        if word in (NAMES[WAIT], NAMES[GET_MY_MATCHES]):
            raise IllegalAction(f"{text!r} names no match and is not an action; {END_TURN_TEXT} ends a turn")
        try:
            command = read_text(text)
        except CallerError as error:
            raise IllegalAction(str(error)) from None
        if isinstance(command, int):
            raise IllegalAction(f"{text!r}: {MEANINGS[command]}")
        if is_query(command.kind):
            raise IllegalAction(f"{text!r} asks and does nothing; it is not an action")
        return action_code(command.kind, command.first, command.second)

    def _facts(self) -> tuple[object, ...]:
        s = self.state  # what lies behind the last card and the last creature means nothing
        numbers = (s.mana, s.draws_left, s.burns_left, s.turn, s.top, s.declared, s.current, s.blocking, s.ending)
        hands = [tuple(s.hands[p, : int(s.n_hand[p])].tolist()) for p in (0, 1)]
        creatures = s.creatures[: int(s.n_creatures)].tolist()
        return *map(int, numbers), self.health, *hands, *creatures, self.decks.tobytes()

    def __str__(self) -> str:
        from cardrome.games.tapdeck.protocol.story import draw

        return draw(self)

    def copy(self) -> Self:
        """An independent copy."""
        twin = self.__class__.__new__(self.__class__)
        TapdeckPosition.__init__(twin, self.edition, self.decks, duplicate(self.states))
        twin.__dict__["cards"] = self.cards
        return twin

    def snapshot(self) -> TapdeckPosition:
        """The position as it is now, to look at later."""
        frozen = TapdeckPosition(self.edition, self.decks, duplicate(self.states))
        frozen.__dict__["cards"] = self.cards
        return frozen


class TapdeckSide:
    """One player of a position. It reads the position as it is now."""

    def __init__(self, position: TapdeckPosition, player: int) -> None:
        self._position = position
        self.number = player

    @property
    def health(self) -> int:
        """Health points."""
        return self._position.health[self.number]

    @property
    def mana(self) -> int:
        """Mana; 0 for the player whose turn it is not."""
        return self._position.mana if self._position.current == self.number else 0

    @property
    def hand(self) -> list[TapdeckCard]:
        """The cards in hand, by id."""
        return self._position.hand(self.number)

    @property
    def board(self) -> list[TapdeckCreature]:
        """The creatures on the board, by id."""
        return self._position.board(self.number)

    def __repr__(self) -> str:
        hand, board = len(self.hand), len(self.board)
        return f"<player {self.number}: {self.health} health, {self.mana} mana, {hand} cards, {board} creatures>"


class TapdeckGame(Game, TapdeckPosition):
    r"""A match that can be played, by actions or by the commands of the wire (without the match's id).

    >>> game = TapdeckGame(deck=7)
    >>> game.command(0, "DRAW_CARD")
    'OK\n319 C 0 1 1 0 2\n'
    """

    def __init__(
        self, edition: TapdeckEdition = TAPDECK, deck: int | str | TapdeckDeal | np.recarray[Any, Any] = 0
    ) -> None:
        """``deck`` is a deal, a seed, the text of a deck, or a deck."""
        if isinstance(deck, str):
            deck = TapdeckDeal(0, deck)
        elif isinstance(deck, int):
            deck = TapdeckDeal(deck)
        self._begin(deck if isinstance(deck, TapdeckDeal) else None)
        decks = deck.lay_out(edition) if isinstance(deck, TapdeckDeal) else deck
        self.table = Table(edition, decks, 1)
        super().__init__(edition, decks, self.table.states)

    def try_play(self, code: int) -> bool:
        """Take an action if it is legal; returns whether it was."""
        if code not in self.legal_codes():
            return False
        if action_kind(code) == END_TURN:
            self.end_turn()
        else:
            self.act(code)
        self.actions.append(code)
        return True

    def view(self, player: int) -> TapdeckView:
        """What a player sees: everything."""
        return TapdeckView(self, seat_number(player))

    def copy(self) -> Self:
        """An independent copy."""
        twin = self.__class__(self.edition, self.decks)
        twin._restore(self._save())
        twin.deal, twin.actions, twin._past = self.deal, list(self.actions), list(self._past)
        return twin

    def _save(self) -> bytes:
        return self.states.tobytes()

    def _restore(self, saved: bytes) -> None:
        self.states.view(np.ndarray).view(np.int8)[:] = np.frombuffer(saved, np.int8)

    # The wire

    def command(self, player: int, line: str) -> str:
        """A player's command; returns the reply, which is an error line if it is refused."""
        command = read_text(line)
        if isinstance(command, int):
            return ERROR_LINES[command].decode()
        return self.execute(seat_number(player), command)[0].decode()

    def execute(self, player: int, command: Command) -> tuple[bytes, int, bool]:
        """A command that has been read: the reply, the error code or 0, and whether the match ended by it."""
        return self.table.command(0, player, command.kind, command.first, command.second)

    def act(self, code: int) -> int:
        """The current player's action by its code; returns 0 or the error code. END_TURN is `end_turn`."""
        return self._command(0, self.current, code)

    @functools.cached_property
    def _command(self) -> Callable[..., int]:
        return turn.command.bind(self.edition.rules, self.decks, self.states)

    def end_turn(self) -> None:
        """Time is up: the turn ends."""
        if self.to_move is not None:
            self.table.tick()


class TapdeckView(View, TapdeckPosition):
    """What one player sees of a match: everything. Only the one to move has actions."""

    def __init__(self, game: TapdeckPosition, viewer: int) -> None:
        super().__init__(game.edition, game.decks, duplicate(game.states))
        self.viewer = viewer
        self.__dict__["cards"] = game.cards

    def determinize(self, rng: np.random.Generator | int) -> TapdeckGame:
        """The match itself, to try things out: there is nothing to fill in."""
        game = TapdeckGame(self.edition, self.decks)
        game._restore(self.states.tobytes())
        return game


def command_of(code: int) -> Command:
    """The command of the wire that an action is."""
    return Command(action_kind(code), 0, first_number(code), second_number(code))


def is_query(kind: int) -> bool:
    """The command asks and changes nothing."""
    return kind >= FIRST_QUERY
