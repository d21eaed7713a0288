"""Games of LOCM: positions to look at, games to play, views to decide from."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from cardrome.engine.records import duplicate
from cardrome.errors import IllegalAction, SyntaxFault
from cardrome.games.game import Ending, Game, Outcome, Position, View, seat_number
from cardrome.games.locm.protocol.answers import KIND_NAMES, parse_command, parse_draft, parse_integer
from cardrome.games.locm.protocol.inputs import BUFFER_SIZE, finish_input, write_input
from cardrome.games.locm.protocol.sides import LocmSide
from cardrome.games.locm.rules import actions
from cardrome.games.locm.rules.actions import describe_action, find_action
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import MAX_ACTIONS, PASS, SUMMON, LocmEdition
from cardrome.games.locm.rules.state import BATTLE, NOBODY, Player, State, new_states
from cardrome.games.locm.rules.view import SCRATCH_SIZE, fill_in_place, hide_in_place

# Where single-byte fields stand in a state: reading a byte is ten times as fast as asking NumPy for a field.
_PHASE, _CURRENT, _WINNER = map(State.offset_of, ("phase", "current", "winner"))
_HAND_SIZES, _DECK_SIZES = (
    [State.offset_of("players") + p * Player.dtype.itemsize + Player.offset_of(name) for p in range(2)]
    for name in ("n_hand", "n_deck")
)


class LocmPosition(Position):
    """A game at one moment: an edition, a deal and a state, to look at. `LocmGame` and `LocmView` are such."""

    def __init__(
        self,
        edition: LocmEdition,
        deals: np.recarray[Any, Any],
        states: np.recarray[Any, Any],
        performed: tuple[tuple[str, ...], tuple[str, ...]] = ((), ()),
    ) -> None:
        self.edition = edition
        self.deals = deals
        self.states = states
        self._bytes = states.view(np.ndarray).view(np.int8)
        self.performed = performed
        """For each player, the actions of their last turn (or the present one) as the opponent is shown them."""

    # Entries bound to this position's arrays, each made when it is first needed.

    @functools.cached_property
    def _codes(self) -> np.ndarray[Any, Any]:
        return np.zeros(MAX_ACTIONS, np.int16)

    @functools.cached_property
    def _deal_bytes(self) -> np.ndarray[Any, Any]:
        return self.deals.view(np.ndarray).view(np.int8)

    @functools.cached_property
    def _list(self) -> Callable[..., int]:
        return actions.legal_codes.bind(self.edition.rules, self.deals, self.states, self._codes)

    @functools.cached_property
    def _apply(self) -> Callable[..., int]:
        return actions.apply.bind(self.edition.rules, self.deals, self.states)

    @functools.cached_property
    def _find(self) -> Callable[..., int]:
        return find_action.bind(self.edition.rules, self.deals, self.states)

    @functools.cached_property
    def _described(self) -> np.ndarray[Any, Any]:
        return np.zeros(4, np.int64)

    @functools.cached_property
    def _name(self) -> Callable[..., int]:
        return describe_action.bind(self.edition.rules, self.deals, self.states, self._described)

    @functools.cached_property
    def _buffer(self) -> np.ndarray[Any, Any]:
        return np.empty(BUFFER_SIZE, np.uint8)

    @functools.cached_property
    def _write(self) -> Callable[..., int]:
        return write_input.bind(self.edition.rules, self.deals, self.states, self._buffer)

    @property
    def state(self) -> Any:
        """The state record itself."""
        return self.states[0]

    @property
    def phase(self) -> str:
        """``"draft"``, ``"constructed"`` or ``"battle"``."""
        if self._bytes[_PHASE] == BATTLE:
            return "battle"
        return "constructed" if self.edition.constructed else "draft"

    @property
    def turn(self) -> int:
        """The number of the battle turn, from 0 on; -1 before the battle."""
        return int(self.states["turn"][0])

    @property
    def current(self) -> int:
        """The player whose turn it is, or was when the game ended."""
        return int(self._bytes[_CURRENT])

    @property
    def winner(self) -> int | None:
        """The winner, once there is one."""
        winner = int(self._bytes[_WINNER])
        return None if winner == NOBODY else winner

    @property
    def to_move(self) -> int | None:
        """The player who is to decide, or None when the game is over."""
        return None if self.winner is not None else self.current

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        winner = self.winner
        if winner is None:
            return None
        # A player who dies at the start of their turn dies before any action of that turn.
        drew = winner != self.current and not self.performed[self.current]
        return Outcome(winner, Ending.DRAW if drew else Ending.HEALTH, (1 - winner, winner))

    @property
    def players(self) -> tuple[LocmSide, LocmSide]:
        """Both players: health, mana, hand, board."""
        return LocmSide(self, 0), LocmSide(self, 1)

    @property
    def health(self) -> tuple[int, int]:
        """The health of both players."""
        first, second = self.states["players"]["health"][0]
        return int(first), int(second)

    def legal_codes(self) -> list[int]:
        """The codes of all legal actions, ascending."""
        n = self._list(0, 0)
        return self._codes[:n].tolist()

    def legal_mask(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """All action codes, True for the legal ones."""
        mask = np.zeros(self.edition.n_actions, np.bool_)
        mask[self.legal_codes()] = True
        return mask

    def action_text(self, code: int) -> str:
        """A legal action code as the text a bot would write."""
        if not 0 <= code < MAX_ACTIONS:
            raise IllegalAction(f"{code} is not the code of an action; expected one of legal_codes()")
        if self._bytes[_PHASE] != BATTLE:
            return f"CHOOSE {self._numbers[code]}" if self.edition.constructed else f"PICK {code}"
        return self._describe(code)[1]

    def _describe(self, code: int) -> tuple[int, str]:
        kind = self._name(0, 0, code)
        if kind == PASS:
            return 0, "PASS"
        _, number, source, target = self._described.tolist()
        if kind == SUMMON and not self.edition.summon_names_lane:
            return number, f"SUMMON {source}"
        return number, f"{KIND_NAMES[kind]} {source} {target}"

    def action_code(self, text: str) -> int:
        """The code of an action given as text; `IllegalAction` if it can mean nothing here."""
        try:
            code = self._code_of(text)
        except SyntaxFault as fault:
            raise IllegalAction(str(fault)) from None
        if code < 0:
            raise IllegalAction(f"{text!r} names no card or place of this position")
        return code

    def _code_of(self, text: str) -> int:
        if self._bytes[_PHASE] == BATTLE:
            return self.find_code(*parse_command(text.strip(), self.edition.summon_names_lane))
        offered = self.offered()
        if not self.edition.constructed:
            return parse_draft(text.strip(), offered)
        word, _, rest = text.strip().partition(" ")
        number = parse_integer(rest)
        if word != "CHOOSE" or number not in offered:
            raise IllegalAction(f"expected CHOOSE and the number of a card on offer, got {text!r}")
        return offered.index(number)

    def find_code(self, kind: int, source: int, target: int | None) -> int:
        """The code of a battle action named by ids, or -1 if it can mean nothing here."""
        return self._find(0, 0, kind, source, 0 if target is None else target)

    def deck_size(self, player: int) -> int:
        """Cards in a player's deck; in deck building, those they have chosen so far."""
        return int(self._bytes[_DECK_SIZES[seat_number(player)]])

    @functools.cached_property
    def _numbers(self) -> list[int]:
        return self.deals["cards"]["number"][0].tolist()

    def offered(self) -> list[int]:
        """The numbers of the cards to choose from, in deck building."""
        if self.edition.constructed:
            return self._numbers[: int(self.deals["n_cards"][0])]
        t = min(self.deck_size(self.current), self.edition.deck_size - 1)
        return [self._numbers[index] for index in self.deals["offers"][0, t, : self.edition.offer_size].tolist()]

    def input_text(self, player: int | None = None) -> str:
        """The input a bot in this seat is sent, byte for byte; by default the one whose turn it is."""
        seat = self.current if player is None else seat_number(player)
        result = self._write(0, 0, seat)
        length, head = result % 65536, result // 65536
        hand = int(self._bytes[_HAND_SIZES[1 - seat]])
        actions = self.performed[1 - seat]
        return finish_input(self.edition.shows_actions, self._buffer[:length].tobytes(), head, hand, actions)

    def _facts(self) -> tuple[object, ...]:
        return self.performed, self.states.tobytes(), self.deals.tobytes()

    def __str__(self) -> str:
        from cardrome.games.locm.protocol.board import draw

        return draw(self)

    def mirror(self, other: LocmPosition) -> None:
        """Take over another position's deal and state, byte by byte: kernels stay bound, unlike those of a copy."""
        self._bytes[:] = other._bytes
        self._deal_bytes[:] = other._deal_bytes

    def copy(self) -> Self:
        """An independent copy: what happens to one does not touch the other."""
        twin = self.__class__.__new__(self.__class__)
        LocmPosition.__init__(twin, self.edition, duplicate(self.deals), duplicate(self.states), self.performed)
        return twin


class LocmGame(Game, LocmPosition):
    """A game that can be played."""

    deal: LocmDeal | None

    def __init__(self, edition: LocmEdition, deal: LocmDeal) -> None:
        super().__init__(edition, deal.lay_out(edition), new_states())
        self._begin(deal)
        actions.new_game(edition.rules, self.states, 0)

    def try_play(self, code: int) -> bool:
        """Take an action if it is legal; returns whether it was."""
        if not 0 <= code < MAX_ACTIONS:  # the kernel refuses those between the edition's last and the largest edition's
            return False
        player, battle = self.current, self._bytes[_PHASE] == BATTLE
        shown = "{} {}".format(*self._describe(code)) if battle and code != 0 else ""
        if not self._apply(0, 0, code):
            return False
        self.actions.append(code)
        if shown:
            self._perform(player, (*self.performed[player], shown))
        elif battle:
            self._perform(1 - player, ())
        return True

    def _perform(self, player: int, actions: tuple[str, ...]) -> None:
        first, second = self.performed
        self.performed = (actions, second) if player == 0 else (first, actions)

    def view(self, player: int) -> LocmView:
        """What a player may know of this position."""
        viewer = seat_number(player)
        shadow, hide = self._shadow
        shadow.mirror(self)
        hide(0, 0, viewer)
        return LocmView(self.edition, duplicate(shadow.deals), duplicate(shadow.states), self.performed, viewer)

    @functools.cached_property
    def _shadow(self) -> tuple[LocmPosition, Callable[..., int]]:
        """A copy to hide things in, and the bound kernel that does it: binding takes longer than running."""
        shadow = LocmPosition(self.edition, duplicate(self.deals), duplicate(self.states))
        return shadow, hide_in_place.bind(self.edition.rules, shadow.deals, shadow.states)

    @property
    def final_health(self) -> tuple[int, int] | None:
        """Both players' health; None before the battle."""
        return self.health if self.phase == "battle" else None

    def _save(self) -> tuple[bytes, tuple[tuple[str, ...], tuple[str, ...]]]:
        return self.states.tobytes(), self.performed

    def _restore(self, saved: tuple[bytes, tuple[tuple[str, ...], tuple[str, ...]]]) -> None:
        state, self.performed = saved
        self._bytes[:] = np.frombuffer(state, np.int8)


class LocmView(View, LocmPosition):
    """What one player may know: a position without the opponent's hand, the deck orders and the seeds."""

    def __init__(
        self,
        edition: LocmEdition,
        deals: np.recarray[Any, Any],
        states: np.recarray[Any, Any],
        performed: tuple[tuple[str, ...], tuple[str, ...]],
        viewer: int,
    ) -> None:
        super().__init__(edition, deals, states, performed)
        self.viewer = viewer

    def determinize(self, rng: np.random.Generator | int) -> LocmGame:
        """A game the viewer could be in: hidden cards filled in at random, as the rules would allow them."""
        seed = rng if isinstance(rng, int) else int(rng.integers(1 << 62))
        deals, states = duplicate(self.deals), duplicate(self.states)
        scratch = np.zeros(SCRATCH_SIZE, np.int16)
        fill_in_place(self.edition.rules, deals, states, scratch, 0, 0, self.viewer, seed & (1 << 62) - 1)
        return game_at(self.edition, deals, states, self.performed)


def game_at(
    edition: LocmEdition,
    deals: np.recarray[Any, Any],
    states: np.recarray[Any, Any],
    performed: tuple[tuple[str, ...], tuple[str, ...]] = ((), ()),
) -> LocmGame:
    """A game that goes on from a given state."""
    game = LocmGame.__new__(LocmGame)
    LocmPosition.__init__(game, edition, deals, states, performed)
    game._begin(None)
    return game
