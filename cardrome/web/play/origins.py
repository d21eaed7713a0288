"""Where games can go on from: replays that somebody watches, under an address made of their content."""

from __future__ import annotations

import hashlib
from collections import OrderedDict

from cardrome.games.family import find_family
from cardrome.games.replay_files import pack_replay, unpack_replay
from cardrome.games.replays import Replay

SHELF = 32 << 20
"""Bytes of packed replays that are remembered; the oldest make room."""


class Origins:
    """Replays that were shown on this server, to play on from any moment of them."""

    def __init__(self, room: int = SHELF) -> None:
        self.room = room
        self._packed: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0

    def address(self, replay: Replay) -> str | None:
        """Remember a replay; returns where to play on, to which a page adds ``&at=`` a frame. None if one cannot."""
        return f"/play?from={self.keep(replay)}" if find_family(replay.edition).has_frames else None

    def keep(self, replay: Replay) -> str:
        """Remember a replay; returns the key by which it is found."""
        packed = pack_replay(replay)
        key = hashlib.sha256(packed).hexdigest()[:20]
        self._size += len(packed) - len(self._packed.pop(key, b""))
        self._packed[key] = packed
        while self._size > self.room and len(self._packed) > 1:
            self._size -= len(self._packed.popitem(last=False)[1])
        return key

    def find(self, key: str) -> Replay | None:
        """The replay at an address; None if there is none, or none any more."""
        packed = self._packed.get(key)
        return None if packed is None else unpack_replay(packed)


ORIGINS = Origins()
"""Those of this process, whichever part of the site showed them."""
