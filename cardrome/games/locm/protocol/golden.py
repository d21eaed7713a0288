"""Golden games: games recorded under the original referees, replayed call by call.

A file holds one JSON object per line, plain or gzipped (docs/protocol.md describes the fields). Fields that a record
lacks are not compared.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from cardrome.errors import CallerError, InvalidRecording
from cardrome.games.locm.protocol.dialogue import Dialogue, Effect
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import EDITIONS, LocmEdition
from cardrome.games.replay_files import numbered_lines
from cardrome.games.replays import Difference
from cardrome.wording import json_problem

Absent = msgspec.UnsetType
absent = msgspec.UNSET


class RecordedCall(msgspec.Struct):
    """One call: what the bot was sent, what it answered, and what happened."""

    p: int
    phase: str
    lines: list[str] = msgspec.field(name="in")
    out: str | None
    done: list[str] | Absent = absent
    ignored: int | Absent = absent
    ms: int | Absent = absent
    """The time limit granted. Not compared: recorders may grant what they like."""


class RecordedFault(msgspec.Struct):
    """Whose fault lost the game, and its kind."""

    player: int
    kind: str


class RecordedGame(msgspec.Struct):
    """One recorded game."""

    version: str
    params: dict[str, str | int]
    turns: list[RecordedCall]
    game: int | str | Absent = absent
    build: str | Absent | None = absent
    level: int | Absent | None = absent
    seeds: dict[str, str | int] | Absent = absent
    scores: list[int] | Absent = absent
    winner: int | Absent = absent
    error: RecordedFault | Absent | None = absent
    final_health: list[int] | Absent | None = msgspec.field(name="finalHealth", default=absent)

    @property
    def deal(self) -> LocmDeal:
        """The deal that was played."""
        return LocmDeal.from_params({name: str(value) for name, value in self.params.items()})

    @property
    def edition(self) -> LocmEdition:
        """The edition that was played."""
        build = None if self.build is absent else self.build
        level = 4 if self.level is absent or self.level is None else max(1, min(4, self.level))
        for edition in EDITIONS.values():
            # Recordings of 1.0 that name no build are of the contest build.
            same_build = edition.build == build or (build is None and edition.build == "contest")
            if edition.version == self.version and same_build and edition.league == level:
                return edition
        raise CallerError(f"no edition has version {self.version!r}, build {build!r}, level {self.level!r}")


GAME_LIMIT = 8 << 20
"""Bytes of one game, unpacked: a hundred times what any has, so that a hostile file cannot fill the memory."""

_decoder = msgspec.json.Decoder(RecordedGame)


def read_games(path: Path) -> Iterator[RecordedGame]:
    """The games of a file, one by one. `InvalidRecording` names the line that is not a game."""
    for number, line in numbered_lines(path, GAME_LIMIT):
        try:
            game = _decoder.decode(line)
            _ = game.edition
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, CallerError) as error:
            hint = "; `cardrome replay verify` checks replays" if b'"cardrome-replay"' in line[:200] else ""
            what = f"{path}, line {number}: not a recorded game: {json_problem(error)}{hint}"
            raise InvalidRecording(what) from None
        yield game


def replay(record: RecordedGame) -> Difference | None:
    """Play a recorded game again with the recorded answers; returns the first difference, or None."""
    edition = record.edition
    deal = record.deal
    if record.seeds is not absent:
        for name, value in deal.seeds(edition).items():
            expected = str(record.seeds.get(name, value))
            if expected != str(value):
                return Difference(f"seed {name}", expected, str(value))
    dialogue = Dialogue(LocmGame(edition, deal))
    for number, recorded in enumerate(record.turns):
        difference = _compare_call(dialogue, number, recorded)
        if difference is not None:
            return difference
    if dialogue.call is not None:
        return Difference(f"call {len(record.turns)}", "the end of the game", f"a {dialogue.call.phase} call")
    return _compare_result(dialogue, record)


def _compare_call(dialogue: Dialogue, number: int, recorded: RecordedCall) -> Difference | None:
    call = dialogue.call
    where = f"call {number} ({recorded.phase}, player {recorded.p})"
    if call is None:
        return Difference(where, "a call", "the end of the game")
    if (call.player, call.phase) != (recorded.p, recorded.phase):
        return Difference(where, "this call", f"a {call.phase} call to player {call.player}")
    lines = call.lines
    if lines != recorded.lines:
        return _compare_lines(where, recorded.lines, lines)
    effect: Effect = dialogue.answer(recorded.out)
    for name, expected, got in (
        ("executed actions", recorded.done, effect.done),
        ("ignored actions", recorded.ignored, effect.ignored),
    ):
        difference = _compare(f"{where}, {name}", expected, got)
        if difference is not None:
            return difference
    return None


def _compare_lines(where: str, expected: list[str], got: list[str]) -> Difference:
    pairs = enumerate(itertools.zip_longest(expected, got), 1)
    number, pair = next((number, pair) for number, pair in pairs if pair[0] != pair[1])
    wanted, found = ("no line" if line is None else repr(line) for line in pair)
    return Difference(f"{where}, line {number}", wanted, found)


def _compare_result(dialogue: Dialogue, record: RecordedGame) -> Difference | None:
    fault = dialogue.fault
    battle = dialogue.game.phase == "battle"
    got: list[tuple[str, Any, Any]] = [
        ("error", record.error, None if fault is None else RecordedFault(fault.player, fault.kind)),
        ("scores", record.scores, list(dialogue.scores or ())),
        ("winner", record.winner, dialogue.winner),
        # Some recorders write null where the battle was not reached, others where they do not know.
        ("final health", record.final_health or absent, list(dialogue.game.health) if battle else None),
    ]
    for name, expected, value in got:
        difference = _compare(name, expected, value)
        if difference is not None:
            return difference
    return None


def _compare(where: str, expected: Any, got: Any) -> Difference | None:
    if expected is absent or expected == got:
        return None
    return Difference(where, _shown(expected), _shown(got))


def _shown(value: Any) -> str:
    return repr(msgspec.to_builtins(value)) if isinstance(value, msgspec.Struct) else repr(value)
