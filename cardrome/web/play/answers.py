"""What the page is told of a duel: see the contract in `cardrome.web.play`."""

from __future__ import annotations

from typing import Any

from cardrome.arena.duel import RESIGNED, Duel
from cardrome.escaping import printable
from cardrome.games.frames import NAME, Json


def head(duel: Duel) -> Json:
    """What stays the same during the game."""
    view = duel.game.view(duel.player)
    players = [printable(name, NAME) for name in duel.names]
    return {**duel.seat.head(view), "players": players, "seat": duel.player, "opponent": duel.opponent}


class Seen:
    """What a page knows of a duel already; without a duel, nothing."""

    def __init__(self, duel: Duel | None = None) -> None:
        self.frames: list[Json] = [] if duel is None else list(duel.seat.frames)
        self.things: set[int] = set() if duel is None else set(duel.seat.things)


def state(duel: Duel, at: int, seen: Seen) -> Json:
    """Where the game stands, as far as it is news to a page that has seen something of it."""
    view = duel.game.view(duel.player)
    first, frames = duel.seat.since(seen.frames)
    return {
        "at": at,
        "from": first,
        "frames": frames,
        "things": {thing: card for thing, card in duel.seat.things.items() if thing not in seen.things},
        "phase": view.phase,
        "player": duel.to_move,
        "moves": duel.seat.moves(view) if duel.to_move == duel.player else [],
        "undo": duel.undoable,
        "over": duel.to_move is None,
        "outcome": _outcome(duel),
    }


def _outcome(duel: Duel) -> dict[str, Any] | None:
    outcome = duel.outcome
    if outcome is None:
        return None
    return {
        "winner": outcome.winner,
        "ending": str(outcome.ending),
        "scores": outcome.scores,
        "fault": {"player": duel.player, "kind": RESIGNED, "message": ""} if duel.resigned else None,
        "replay": duel.has_replay,
    }
