"""What was commanded in a match, kept while it is played. A server adds tens of thousands of entries a second."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from cardrome.games.tapdeck.protocol.commands import FIRST_QUERY, NAMES, SYNTAX, Command
from cardrome.games.tapdeck.rules.actions import BLOCK, FINISH_BLOCK
from cardrome.games.tapdeck.rules.legal import NOT_YOUR_TURN

REFUSED_LIMIT = 2_000
"""Refused commands kept of each player, so that a flood does not fill the server's memory."""
MOST = 10**12 - 1
"""Numbers are kept with at most 12 digits. Longer ones are clamped, since they name nothing anyway."""

_ENTRY = struct.Struct("<HBHBqq")
_pack = _ENTRY.pack


class LogEntry(NamedTuple):
    """A command with the turn in which it came, the player's seat, and its result: 0 or the error code."""

    turn: int
    player: int
    code: int
    command: Command

    def text(self) -> str:
        """The line of a replay: ``TURN PLAYER CODE COMMAND NUMBERS``, without the match's id."""
        return f"{self.turn} {self.player} {self.code} {self.command.text()}"


class MatchLog:
    """The commands of one match, in the order in which they were carried out or refused.

    All actions belong in it, and refused questions; questions that were answered do not, since they change nothing.
    Accepted actions are as many as the game allows. Of refused commands `REFUSED_LIMIT` are kept for each player and
    later ones counted in `omitted` - except those that may have closed the blocking phase: without them the match
    could not be played again.
    """

    __slots__ = ("_closed_in", "_entries", "_over", "_refused", "actions", "omitted")

    def __init__(self) -> None:
        self._entries = bytearray()
        self._refused = [0, 0]
        self._closed_in = [-1, -1]
        self._over = False
        self.actions = 0
        """Actions that were carried out."""
        self.omitted = [0, 0]
        """Refused commands of each player that are not kept."""

    def add(self, turn: int, player: int, code: int, command: Command) -> None:
        """Keep a command. ``turn`` counts from 0, ``code`` is 0 or the error code."""
        kind, _, first, second = command
        if not code:
            self.actions += 1
        elif not self._keeps(turn, player, code, kind):
            return
        try:
            self._entries += _pack(turn, player, code, kind, first, second)
        except struct.error:
            self._entries += _pack(turn, player, code, kind, _cut(first), _cut(second))

    def close(self) -> None:
        """The match has ended. Later commands do not belong to it and are neither kept nor counted."""
        self._over = True

    def _keeps(self, turn: int, player: int, code: int, kind: int) -> bool:
        """Whether a refused command is kept."""
        if self._over:
            return False
        closes = kind < FIRST_QUERY and kind != BLOCK and kind != FINISH_BLOCK and code != NOT_YOUR_TURN
        if closes and self._closed_in[player] != turn:
            # Such an action closes the blocking phase before it is refused. Only the first of a turn can.
            self._closed_in[player] = turn
            return True
        if self._refused[player] >= REFUSED_LIMIT:
            self.omitted[player] += 1
            return False
        self._refused[player] += 1
        return True

    def __len__(self) -> int:
        return len(self._entries) // _ENTRY.size

    def __iter__(self) -> Iterator[LogEntry]:
        return iter(self.since(0))

    def since(self, number: int) -> list[LogEntry]:
        """The entries from some number on. Another thread may ask while the match is played."""
        added = bytes(self._entries[number * _ENTRY.size :])  # a copy: nothing may hold on to what is growing
        return [
            LogEntry(turn, player, code, Command(kind, 0, _cut(first), _cut(second)))
            for turn, player, code, kind, first, second in _ENTRY.iter_unpack(added)
        ]

    def lines(self) -> list[str]:
        """The entries as a replay writes them."""
        return [
            _FORMATS[kind] % (turn, player, code, _cut(first), _cut(second))
            for turn, player, code, kind, first, second in _ENTRY.iter_unpack(bytes(self._entries))
        ]


def _cut(number: int) -> int:
    return number if -MOST <= number <= MOST else min(max(number, -MOST), MOST)


def _format(name: str, numbers: int) -> str:
    """How a line of a command is written; numbers that it does not have are taken and left out."""
    return f"%d %d %d {name}{' %d' * numbers}{'%.0s' * (2 - numbers)}"


_FORMATS = {kind: _format(name, max(SYNTAX[name.encode()].arguments - 1, 0)) for kind, name in NAMES.items()}
