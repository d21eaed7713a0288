"""Replay files, of whatever family: one JSON object each, plain or gzipped, read with bounds and written whole.

``.json`` holds one replay, ``.jsonl`` any number, one on a line; both may be gzipped (``.gz``). The edition that a
replay names says which family's format it has.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import re
import secrets
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Literal

import msgspec

from cardrome.errors import CallerError, InvalidRecording
from cardrome.wording import json_problem, unreadable, unwritable

FORMAT: Literal["cardrome-replay"] = "cardrome-replay"
VERSION: Literal[1] = 1
NAME_LIMIT = 500
"""Characters of a player's name."""
SIZE_LIMIT = 64 << 20
"""Bytes of one replay, unpacked: more than the formats' limits allow, so that a hostile file cannot fill the memory."""


class Header(msgspec.Struct):
    """The fields that all replays share."""

    format: str
    version: int
    edition: str = ""


_header = msgspec.json.Decoder(Header)


def decode_replay(data: bytes) -> Any:
    """A replay from JSON, of the family that its edition belongs to. `InvalidRecording` says what is wrong with it."""
    from cardrome.games.family import find_family

    try:
        header = _header.decode(data)
        if header.format != FORMAT:
            raise InvalidRecording(f"format is {header.format!r}; expected {FORMAT!r}")
        if header.version != VERSION:
            raise InvalidRecording(f"version {header.version} of the replay format; this program reads {VERSION}")
        if not header.edition:
            raise InvalidRecording("the edition is missing")
        replay = find_family(header.edition).decoder.decode(data)
        replay.check()
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidRecording(_located(data, json_problem(error))) from None
    except InvalidRecording:
        raise
    except CallerError as error:
        raise InvalidRecording(str(error)) from None
    return replay


def encode_replay(replay: object, check: bool = True) -> bytes:
    """A replay as one line of JSON; what could not be read back is refused, unless the caller is sure of it."""
    try:
        line = msgspec.json.encode(replay) + b"\n"
    except UnicodeEncodeError as error:
        raise InvalidRecording(f"a text of the replay is not Unicode: {error}") from None
    if check:
        decode_replay(line)
    return line


def _located(data: bytes, message: str) -> str:
    """A parser's message, with the line if the text has several and the message names a byte."""
    found = re.search(r"\(byte (\d+)\)", message)
    body = data.rstrip()
    if found is None or b"\n" not in body:
        return message
    line = body.count(b"\n", 0, int(found[1])) + 1
    return f"line {line}: {message}"


def pack_replay(replay: object) -> bytes:
    """A replay for a store: compressed."""
    return zlib.compress(encode_replay(replay))


def unpack_replay(data: bytes) -> Any:
    """A replay that `pack_replay` made. `InvalidRecording` if it was damaged since."""
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(data, SIZE_LIMIT + 1)
    except zlib.error as error:
        raise InvalidRecording(f"the stored replay is damaged: {error}") from None
    if not unpacking.eof:
        raise InvalidRecording("the stored replay is damaged: it has no end")
    return decode_replay(text)


# Reading


def read_replays(path: str | Path) -> Iterator[Any]:
    """The replays of a file, one by one; a file may hold several families. `InvalidRecording` names file and line."""
    path = Path(path)
    for where, data in _recordings(path, numbered_lines(path, whole=_is_single(path))):
        yield _decode_at(where, data)


def recordings_in(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """The recordings in an open file, plain or gzipped: where each is, and its JSON, for `decode_replay`.

    The name says how the file is laid out, and appears in error messages.
    """
    path = Path(name)
    return _recordings(path, _numbered(path, io.BufferedReader(io.BytesIO(data)), SIZE_LIMIT, _is_single(path)))


def _recordings(path: Path, lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[str, bytes]]:
    if _is_single(path):
        # It may be laid out over many lines. What is too long raises at the first line that goes beyond the limit.
        yield str(path), b"".join([line for _, line in lines])
    else:
        for number, line in lines:
            yield f"{path}, line {number}", line


def _is_single(path: Path) -> bool:
    return path.name.removesuffix(".gz").endswith(".json")


def numbered_lines(path: Path, limit: int = SIZE_LIMIT, *, whole: bool = False) -> Iterator[tuple[int, bytes]]:
    """The lines of a file, plain or gzipped, with their numbers; empty ones are left out, unless the whole is wanted.

    Never more than ``limit`` bytes are held, whatever the file unpacks to: a longer line is `InvalidRecording`, or with
    ``whole``, more than that in all.
    """
    try:
        with path.open("rb") as file:
            yield from _numbered(path, file, limit, whole)
    except OSError as error:
        raise InvalidRecording(unreadable(path, error)) from None


def _numbered(path: Path, raw: io.BufferedReader, limit: int, whole: bool) -> Iterator[tuple[int, bytes]]:
    number = size = 0
    packed = raw.peek(2)[:2] == b"\x1f\x8b"
    try:
        with gzip.open(raw) if packed else raw as file:
            while line := file.readline(limit + 1):
                number += 1
                size = size + len(line) if whole else len(line)
                if size > limit:
                    raise InvalidRecording(f"{path}, line {number}: over {limit >> 20} MiB; no game is that long")
                if whole or line.strip():
                    yield number, line
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InvalidRecording(f"{path}: damaged gzip data after line {number}: {error}") from None


def _decode_at(where: str, data: bytes) -> Any:
    if not data.strip():
        raise InvalidRecording(f"{where}: the file is empty; expected a replay")
    try:
        return decode_replay(data)
    except InvalidRecording as error:
        if not data.lstrip().startswith(b"{"):
            raise InvalidRecording(f"{where}: not a replay: {error}") from None
        joint = ", " if str(error).startswith("line ") else ": "
        raise InvalidRecording(f"{where}{joint}{error}") from None


# Writing


def write_replays(path: str | Path, replays: Iterable[object]) -> int:
    """Write a file of replays, gzipped if its name says so; returns how many.

    If it is interrupted, an existing file stays as it was, and no new file appears.
    """
    path, count = Path(path), 0

    def lines() -> Iterator[bytes]:
        nonlocal count
        for replay in replays:
            count += 1
            if count > 1 and _is_single(path):
                raise CallerError(f"{path}: a .json file holds one replay; name it .jsonl for several")
            yield encode_replay(replay)

    write_whole(path, lines())
    return count


def write_whole(path: Path, chunks: Iterable[bytes], *, mode: int = 0o666) -> None:
    """Write a file that appears complete or not at all; ``.gz`` in its name packs it. ``mode`` is a new file's."""
    target = Path(os.path.realpath(path))  # a link goes on pointing to the file that is replaced
    try:
        if (number := _descriptor(path)) is not None:
            sys.stdout.flush()
            with os.fdopen(os.dup(number), "wb") as stream:  # behind what was written to it, whatever it is
                _write_chunks(stream, path, chunks)
            return
        if target.exists() and not target.is_file():
            with target.open("wb") as device:  # a pipe or device cannot be replaced
                _write_chunks(device, path, chunks)
            return
        part = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
        try:
            with open(part, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
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
        raise CallerError(unwritable(path, error)) from None


def _descriptor(path: Path) -> int | None:
    """The open file that a name like /dev/stdout or /dev/fd/63 stands for."""
    name = str(path)
    if name in ("/dev/stdout", "/dev/stderr"):
        return 1 if name.endswith("out") else 2
    found = re.fullmatch(r"(?:/dev|/proc/self)/fd/([0-9]{1,6})", name)
    return None if found is None else int(found[1])


def _write_chunks(file: IO[bytes], path: Path, chunks: Iterable[bytes]) -> None:
    if path.name.endswith(".gz"):
        # Neither name nor time inside: the same replays make the same bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
            packed.writelines(chunks)
    else:
        file.writelines(chunks)
