"""A person at a seat of a Tapdeck match. Nothing is hidden from them."""

from __future__ import annotations

from typing import Any

from cardrome.games.frames import Json
from cardrome.games.game import Action
from cardrome.games.seat import Seat
from cardrome.games.tapdeck.frames import TapdeckFrames, deed, head, things
from cardrome.games.tapdeck.protocol.game import TapdeckPosition, TapdeckView, command_of
from cardrome.games.tapdeck.protocol.rerun import TapdeckMoment
from cardrome.games.tapdeck.rules.actions import END_TURN, FINISH_BLOCK, action_kind


class TapdeckSeat(Seat):
    """What one player sees of a Tapdeck match."""

    def head(self, view: TapdeckView) -> Json:  # type: ignore[override]
        """The deck."""
        return {**head(view), "deck_size": 0}

    def begin(self, view: TapdeckView) -> None:  # type: ignore[override]
        """The board."""
        self.things = things(view)
        self._drawn = TapdeckFrames()
        self._drawn.begin_turn(view)
        self._show_drawn()

    def add(self, player: int, action: Action, before: TapdeckView, after: TapdeckView) -> None:  # type: ignore[override]
        """Show an action; when it ends the turn, what that brings and the start of the next."""
        self._drawn.add(_moment(player, action.code, before, after))
        if not after.is_over:
            self._drawn.begin_turn(after)
        self._show_drawn()

    def moves(self, view: TapdeckView) -> list[Json]:  # type: ignore[override]
        """The legal moves with what each would change."""
        trial, found = view.determinize(0), []
        for action in view.legal_actions:
            trial.push(action.code)
            move = deed(_moment(view.current, action.code, view, trial))
            trial.pop()
            move["kind"] = "pass" if action_kind(action.code) == END_TURN else move["kind"]
            del move["player"]
            if not move["changes"]:
                del move["changes"]
            found.append({"code": action.code, **move, "text": str(action)})
        return found

    def formality(self, view: TapdeckView) -> int | None:  # type: ignore[override]
        """The end of a blocking phase in which there is nothing to block, or nothing to block it with."""
        legal = view.legal_codes() if view.blocking else []
        return legal[0] if len(legal) == 2 and action_kind(legal[0]) == FINISH_BLOCK else None

    def mark(self) -> tuple[Any, ...]:
        """Where to go back to."""
        return *super().mark(), self._drawn.tapped

    def rewind(self, mark: tuple[Any, ...]) -> None:
        """Forget what was shown since the mark."""
        *frames, self._drawn.tapped = mark
        super().rewind(tuple(frames))

    def _show_drawn(self) -> None:
        for frame in self._drawn.frames:
            self._show(frame)
        self._drawn.frames.clear()


def _moment(player: int, code: int, before: TapdeckPosition, after: TapdeckPosition) -> TapdeckMoment:
    """An action as a replay would tell it."""
    command = None if action_kind(code) == END_TURN else command_of(code)
    return TapdeckMoment(0, before.turn, player, command, 0, b"", before, after)
