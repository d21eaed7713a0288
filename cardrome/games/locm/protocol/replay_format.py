"""The format of replays, field by field as docs/replays.md describes it. Files are those of `protocol.replay_files`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from cardrome.errors import InvalidDeal, UnknownParameter
from cardrome.games.locm.rules.deal import Deal, parameter_names, parse_seed
from cardrome.games.locm.rules.edition import Edition, find_edition
from cardrome.games.replay_files import FORMAT, NAME_LIMIT, VERSION, decode_with, encode_with, read_file, write_file

ANSWER_LIMIT = 10_000
"""Characters of an answer; whoever writes a longer one has given no answer."""
TEXT_LIMIT = 2_000
"""Characters of a fault's message and of a tail of standard error."""
CALL_LIMIT = 2_000
"""More calls than any game makes."""

Seat = Literal[0, 1]
EndingName = Literal["health", "draw", "fault"]
"""The values of `cardrome.games.locm.protocol.game.Ending`."""
_Name = Annotated[str, Meta(max_length=NAME_LIMIT)]
_Text = Annotated[str, Meta(max_length=TEXT_LIMIT)]
_Line = Annotated[str, Meta(max_length=ANSWER_LIMIT, pattern=r"^[^\n]*\Z")]


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The answer to one call: the line as the player gave it, None if none came in time, and the time taken."""

    answer: _Line | None
    ms: Annotated[int, Meta(ge=0)] | None = None


class ReplayFault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What lost a player the game."""

    player: Seat
    kind: Annotated[str, Meta(min_length=1, max_length=100)]
    message: _Text = ""


class ProcessEnd(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a player's process ended, and the last of what it wrote to standard error."""

    exit_code: int | None = None
    signal: int | None = None
    stderr: _Text = ""


class Replay(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One finished game: all that it takes to play it again, and what came of it."""

    format: Literal["cardrome-replay"] = FORMAT
    version: Literal[1] = VERSION
    edition: str
    deal: dict[str, Annotated[str, Meta(max_length=ANSWER_LIMIT)]]
    """The deal's parameters, by the names of docs/deals.md."""
    players: tuple[_Name, _Name]
    calls: Annotated[tuple[Answer, ...], Meta(max_length=CALL_LIMIT)]
    """The answers, in the order in which the referee asked."""
    fault: ReplayFault | None
    processes: tuple[ProcessEnd | None, ProcessEnd | None] | None = None
    scores: tuple[int, int]
    winner: Seat
    ending: EndingName
    final_health: tuple[int, int] | None
    """None if the game ended before the battle."""

    @property
    def rule_set(self) -> Edition:
        """The edition that was played."""
        return find_edition(self.edition)

    @property
    def dealt(self) -> Deal:
        """The deal that was played."""
        return Deal.from_params(self.deal)


_replay = msgspec.json.Decoder(Replay)


def encode_replay(replay: Replay) -> bytes:
    """A replay as one line of JSON; what could not be read back is refused."""
    return encode_with(replay, decode_replay)


def decode_replay(data: bytes) -> Replay:
    """A replay from JSON. `InvalidRecording` tells what is wrong with it."""
    return decode_with(data, find_edition, _replay.decode, _check_deal)


def _check_deal(replay: Replay) -> None:
    """The deal must be one and the same whenever it is dealt: nothing missing, nothing misspelt."""
    edition = replay.rule_set
    if "seed" not in replay.deal:
        raise InvalidDeal("deal: the seed is missing")
    for name, value in replay.deal.items():
        if name not in ("seed", *parameter_names(edition)):
            raise UnknownParameter(edition.name, name, parameter_names(edition))
        if name.lower().endswith("seed") and parse_seed(value) is None:
            raise InvalidDeal(f"deal: {name} is {value!r}; expected a signed 64-bit number")
    if any(name.startswith("predefined") for name in replay.deal):
        replay.dealt.lay_out(edition)


def read_replays(path: Path) -> Iterator[Replay]:
    """The replays of a file, one by one. `InvalidRecording` names file, line and what is wrong."""
    return read_file(path, decode_replay)


def write_replay(path: Path, replay: Replay) -> None:
    """Write a file of one replay; a file of that name is replaced, once the new one is complete."""
    write_replays(path, [replay])


def write_replays(path: Path, replays: Iterable[Replay]) -> int:
    """Write a file of replays, gzipped if its name says so; returns how many.

    If anything interrupts it, a file that was there before is still there as it was, and none has appeared otherwise.
    """
    return write_file(path, replays, encode_replay)
