"""A person at a seat of a game in play: what they are shown, their legal moves, and what each would do.

A `Seat` is told every action with the person's own views before and after it; it never sees the game. What it makes of
them has the shape of a replay's page (see `cardrome.games.frames`), and grows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cardrome.games.frames import Json, deltas
from cardrome.games.game import Action, View


class Seat:
    """What one player sees of a game: frames that grow, and moves. By itself no frames, and moves by their text alone.

    Families that draw their games override `begin`, `add` and `moves`, and `head`.
    """

    def __init__(self, view: View) -> None:
        """The game as the player sees it when they sit down: at its beginning, or anywhere."""
        self.player = view.viewer
        self.things: dict[int, int] = {}
        self.frames: list[Json] = []
        """Everything that was to be seen so far. Frames are replaced, never changed."""
        self.begin(view)

    def head(self, view: View) -> Json:
        """What stays the same during the game."""
        return {"edition": view.edition.name, "cards": [], "deck_size": 0}

    def begin(self, view: View) -> None:
        """Show the position in which the player sits down."""

    def add(self, player: int, action: Action, before: View, after: View) -> None:
        """Show an action of either player."""

    def moves(self, view: View) -> list[Json]:
        """The player's legal moves as possible deeds: with their code and text, and what they would change."""
        return [{"code": action.code, "text": str(action), "kind": "action"} for action in view.legal_actions]

    def formality(self, view: View) -> int | None:
        """The code of a move that needs no thought and is made for the player; usually None."""
        return None

    def recalled(self, view: View) -> list[Json]:
        """The deeds of the opponent's last turn, as far as the view remembers them, without what they changed."""
        return []

    def rest(self, view: View) -> list[int]:
        """What is left in the player's own deck, where they know it without its order: places in `head`'s cards."""
        return []

    # Taking back

    def mark(self) -> tuple[Any, ...]:
        """Where to go back to by `rewind`."""
        return len(self.frames), self.frames[-1:]

    def rewind(self, mark: tuple[Any, ...]) -> None:
        """Forget what was shown since the mark. Cards that were seen stay seen."""
        n, last = mark
        self.frames[max(n - 1, 0) :] = last

    def since(self, earlier: list[Json]) -> tuple[int, list[Json]]:
        """What is new to somebody who saw some frames: the number of the first frame that differs, and the deltas."""
        pairs = enumerate(zip(earlier, self.frames))
        first = next((n for n, (was, now) in pairs if was is not now), min(len(earlier), len(self.frames)))
        if first == 0:
            return 0, list(deltas(self.frames))
        return first, list(deltas(self.frames[first - 1 :]))[1:]

    def _show(self, frame: Json) -> None:
        """Add a frame. What it has in common with the one before is kept once: a server holds many games."""
        self.frames.append(dict(_shared(self.frames[-1], frame)) if self.frames else frame)


def _shared(before: Json, after: Json) -> Iterator[tuple[str, Any]]:
    for key, value in after.items():
        was = before.get(key)
        if was == value:
            yield key, was
        elif isinstance(value, dict) and isinstance(was, dict):
            yield key, dict(_shared(was, value))
        else:
            yield key, value
