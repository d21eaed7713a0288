"""A Tapdeck match for spectators while it is played: a recording that grows, in the shape of `page_data`.

Cards reach spectators when they leave the deck. Until then a frame says how many are left, and nothing else of what is
sent depends on them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardrome.escaping import printable
from cardrome.games.frames import NAME, Json, deltas
from cardrome.games.tapdeck.frames import TapdeckFrames, card_face
from cardrome.games.tapdeck.protocol.matchlog import MatchLog
from cardrome.games.tapdeck.protocol.rerun import TapdeckPlayback
from cardrome.games.tapdeck.rules.cards import cards_of
from cardrome.games.tapdeck.rules.edition import TapdeckEdition


class LiveRecording:
    """A match as far as its spectators may see it. Belongs to one thread, which need not be the one that plays."""

    def __init__(
        self, edition: TapdeckEdition, deck: np.recarray[Any, Any], log: MatchLog, players: tuple[str, str]
    ) -> None:
        self.players = [printable(name, NAME) for name in players]
        self.cards: list[Json] = []
        """Those that have left the deck, in the order in which they did."""
        self.things: dict[int, int] = {}
        self.frames: list[Json] = []
        """Each without what the one before showed already."""
        self.turn = 0
        """Turns that are over for spectators."""
        self.outcome: Json | None = None
        self._edition = edition
        self._deck = cards_of(deck)
        self._log = log
        self._playback = TapdeckPlayback(edition, deck)
        self._shown = TapdeckFrames()
        self._last: Json = {}
        self._shown.begin_turn(self._playback.game.snapshot())
        self._publish()

    def advance(self, turn: int) -> None:
        """Show all turns before this one."""
        playback = self._playback
        for entry in self._log.since(playback.number):
            if entry.turn >= turn:
                break
            self._tick(entry.turn)
            self._shown.add(playback.obey(entry))
        self._tick(turn)
        self.turn = max(turn, self.turn)
        self._publish()

    def _tick(self, turn: int) -> None:
        while self._playback.turn < turn and not self._playback.game.is_over:
            self._shown.add(self._playback.tick())

    def _publish(self) -> None:
        """Turn what was played into what is sent."""
        game = self._playback.game
        added, self._shown.frames = self._shown.frames, []
        for frame in added:
            left = len(self._deck) - frame.pop("river")
            frame["sides"] = {p: side | {"deck": left} for p, side in frame["sides"].items()}
        changes = deltas([self._last, *added])
        next(changes)
        self.frames += changes
        for frame in added:
            self._last = frame
        for place in range(len(self.cards), game.top):
            self.things[self._deck[place].id] = place
            self.cards.append(card_face(self._deck[place]))
        if game.outcome is not None and self.outcome is None:
            winner, ending, scores = game.outcome.winner, str(game.outcome.ending), game.outcome.scores
            self.outcome = {"winner": winner, "ending": ending, "scores": scores, "fault": None}

    def head(self) -> Json:
        """What the viewer is given besides frames, cards and things."""
        return {
            "edition": self._edition.name,
            "players": self.players,
            "event": None,
            "omitted": [0, 0],
            "difference": None,
            "processes": None,
            "health": self._edition.initial_health,
            "runes": [],
            "lanes": 1,
            "slots": 0,
            "hidden": False,
            "turns": self._edition.turns,
        }

    def news(self, frames: int = 0, cards: int = 0) -> Json:
        """What is new to a spectator who has this many frames and cards."""
        return {
            "from": frames,
            "frames": self.frames[frames:],
            "known": cards,
            "cards": self.cards[cards:],
            "things": {thing: place for thing, place in self.things.items() if place >= cards},
            "turn": self.turn,
            "outcome": self.outcome,
        }

    def board(self) -> Json:
        """The last frame as a whole, for a small picture: what both players have, whose turn it is, and the cards."""
        last = self._last
        sides = [last["sides"][p] for p in ("0", "1")]
        return {
            "turn": last["turn"],
            "player": last["player"],
            "phase": last["phase"],
            "health": [side["health"] for side in sides],
            "rows": [side["rows"]["0"] for side in sides],
            "outcome": self.outcome,
        }

    def card(self, thing: int) -> Json:
        """The card that a thing is."""
        return self.cards[self.things[thing]]
