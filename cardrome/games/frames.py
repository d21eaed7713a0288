"""A game as frames: what the replay viewer is given, whatever the game.

A frame is a dictionary: everything that is to be seen at one moment, and under ``deed`` what led to it. The viewer
draws frames and knows no rules; a game that fills these in (see the `page` modules) is drawn like the others.

- ``kind``: ``draft`` (``round``, ``offer``, ``picks``), ``decks`` (``decks``) or ``battle``.
- ``turn`` and ``player``, who is to move; ``phase`` and ``left`` (turns), ``river`` (the place of the deck's top card)
  where the game has them; ``threats``, what attackers will do to the player to move: ``[thing, damage]`` each.
- ``sides``: by player, ``health``, ``mana`` (left, and of how much), ``hand`` (things), ``rows`` (by lane, creatures),
  and what else the game counts: ``deck``, ``rune``, ``draw``, ``draws``, ``burns``.
- A thing is the number by which actions name a card; the table ``things`` says which card it is. A creature is
  ``[thing, attack, defense, keywords, state]``, and its greatest defense where that can differ.

A deed has a ``kind``, and as far as they apply ``player``, ``actor`` and ``target`` (things), ``foe`` (a player who is
the target), ``lane``, ``text`` (as it was commanded), ``say`` (the bot's own words), ``ms``, and ``changes`` in the
order in which they are to be shown:
``["creature", thing, attack, attack now, defense, defense now, keywords gained, lost]``, ``["enters", thing]``,
``["dies", thing, damage]``, ``["health", player, before, now]``, ``["rune", player, rune]``,
``["mana", player, before, now]``, ``["draws", player, cards]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from cardrome.escaping import printable
from cardrome.games.replays import Replay

Json = dict[str, Any]

NAME = 60
"""Characters shown of a name."""
TEXT = 400
"""Characters shown of an answer or a message."""


def deltas(frames: Iterable[Json]) -> Iterator[Json]:
    """Each frame without what the one before showed already. A deed belongs to its frame alone."""
    shown: Json = {}
    for frame in frames:
        changed = _changed(shown, frame)
        if "deed" in frame:
            changed["deed"] = frame["deed"]
        yield changed
        shown = shown | frame


def _changed(before: Json, after: Json) -> Json:
    found = {}
    for key, value in after.items():
        was = before.get(key)
        if isinstance(value, dict) and isinstance(was, dict):
            if inner := _changed(was, value):
                found[key] = inner
        elif key not in before or was != value:
            found[key] = value
    return found


def outcome(replay: Replay) -> Json:
    """Who won and why, for a page to put into words."""
    fault = replay.fault
    return {
        "winner": replay.winner,
        "ending": str(replay.ending),
        "scores": replay.scores,
        "fault": None
        if fault is None
        else {"player": fault.player, "kind": printable(fault.kind, NAME), "message": printable(fault.message, TEXT)},
    }
