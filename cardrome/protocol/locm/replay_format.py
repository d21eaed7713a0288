"""Replay files: the format, field by field as docs/replays.md describes it, and how it is read and written.

A replay is one JSON object. ``.json`` holds one, ``.jsonl`` any number, one on a line; both may be gzipped (``.gz``).
"""

from __future__ import annotations

import contextlib
import gzip
import os
import re
import secrets
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Annotated, Literal

import msgspec
from msgspec import Meta

from cardrome.errors import CallerError, InvalidDeal, InvalidRecording, UnknownParameter
from cardrome.rules.locm.deal import Deal, parameter_names, parse_seed
from cardrome.rules.locm.edition import Edition, find_edition

FORMAT: Literal["cardrome-replay"] = "cardrome-replay"
VERSION: Literal[1] = 1
ANSWER_LIMIT = 10_000
"""Characters of an answer; whoever writes a longer one has given no answer."""
NAME_LIMIT = 500
TEXT_LIMIT = 2_000
"""Characters of a fault's message and of a tail of standard error."""
CALL_LIMIT = 2_000
"""More calls than any game makes."""
SIZE_LIMIT = 64 << 20
"""Bytes of one replay, unpacked: more than the limits above allow, so that a hostile file cannot fill the memory."""

Seat = Literal[0, 1]
EndingName = Literal["health", "draw", "fault"]
"""The values of `cardrome.protocol.locm.game.Ending`."""
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


class _Header(msgspec.Struct):
    format: str
    version: int


_header = msgspec.json.Decoder(_Header)
_replay = msgspec.json.Decoder(Replay)


def encode_replay(replay: Replay) -> bytes:
    """A replay as one line of JSON; what could not be read back is refused."""
    try:
        line = msgspec.json.encode(replay) + b"\n"
    except UnicodeEncodeError as error:
        raise InvalidRecording(f"a text of the replay is not Unicode: {error}") from None
    decode_replay(line)
    return line


def decode_replay(data: bytes) -> Replay:
    """A replay from JSON. `InvalidRecording` tells what is wrong with it."""
    try:
        header = _header.decode(data)
        if header.format != FORMAT:
            raise InvalidRecording(f"format is {header.format!r}; expected {FORMAT!r}")
        if header.version != VERSION:
            raise InvalidRecording(f"version {header.version} of the replay format; this program reads {VERSION}")
        replay = _replay.decode(data)
        _check_deal(replay)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidRecording(_located(data, str(error))) from None
    except InvalidRecording:
        raise
    except CallerError as error:
        raise InvalidRecording(str(error)) from None
    return replay


def _located(data: bytes, message: str) -> str:
    """A parser's message, with the line if the text has several and the message names a byte."""
    found = re.search(r"\(byte (\d+)\)", message)
    body = data.rstrip()
    if found is None or b"\n" not in body:
        return message
    line = body.count(b"\n", 0, int(found[1])) + 1
    return f"line {line}: {message}"


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
    number = 0
    try:
        with path.open("rb") as probe:
            packed = probe.read(2) == b"\x1f\x8b"
        with gzip.open(path) if packed else path.open("rb") as file:
            if _is_single(path):
                yield _decode_at(f"{path}", _bounded(file.read(SIZE_LIMIT + 1), f"{path}"))
                return
            while line := file.readline(SIZE_LIMIT + 1):
                number += 1
                where = f"{path}, line {number}"
                if _bounded(line, where).strip():
                    yield _decode_at(where, line)
    except OSError as error:
        raise InvalidRecording(f"{path}: {error.strerror or error}") from None
    except (EOFError, zlib.error) as error:
        raise InvalidRecording(f"{path}: damaged gzip data behind line {number}: {error}") from None


def _is_single(path: Path) -> bool:
    return path.name.removesuffix(".gz").endswith(".json")


def _bounded(data: bytes, where: str) -> bytes:
    if len(data) > SIZE_LIMIT:
        raise InvalidRecording(f"{where}: over {SIZE_LIMIT >> 20} MiB; no replay is that long")
    return data


def _decode_at(where: str, data: bytes) -> Replay:
    if not data.strip():
        raise InvalidRecording(f"{where}: the file is empty; expected a replay")
    try:
        return decode_replay(data)
    except InvalidRecording as error:
        joint = ", " if str(error).startswith("line ") else ": "
        raise InvalidRecording(f"{where}{joint}{error}") from None


def write_replay(path: Path, replay: Replay) -> None:
    """Write a file of one replay; a file of that name is replaced, once the new one is complete."""
    write_replays(path, [replay])


def write_replays(path: Path, replays: Iterable[Replay]) -> int:
    """Write a file of replays, gzipped if its name says so; returns how many.

    If anything interrupts it, a file that was there before is still there as it was, and none has appeared otherwise.
    """
    count = 0

    def lines() -> Iterator[bytes]:
        nonlocal count
        for replay in replays:
            count += 1
            if count > 1 and _is_single(path):
                raise CallerError(f"{path}: a .json file holds one replay; name it .jsonl for several")
            yield encode_replay(replay)

    write_whole(path, lines())
    return count


def write_whole(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a file that appears complete or not at all; ``.gz`` in its name packs it."""
    target = Path(os.path.realpath(path))  # a link goes on pointing to the file that is replaced
    try:
        if target.exists() and not target.is_file():
            with target.open("wb") as device:  # a pipe or device cannot be replaced
                _write_chunks(device, path, chunks)
            return
        part = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
        try:
            with part.open("xb") as file:
                _write_chunks(file, path, chunks)
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                part.unlink()
            raise
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise CallerError(f"{path}: {error.strerror or error}") from None


def _write_chunks(file: IO[bytes], path: Path, chunks: Iterable[bytes]) -> None:
    if path.name.endswith(".gz"):
        # Neither name nor time inside: the same replays make the same bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
            packed.writelines(chunks)
    else:
        file.writelines(chunks)
