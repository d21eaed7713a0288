"""Files of replays, of whatever family: read with bounds, written whole or not at all."""

from __future__ import annotations

import gzip
import json
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cardrome.errors import CallerError, InvalidRecording
from cardrome.games.family import find_family
from cardrome.games.locm.protocol.replay import LocmReplay
from cardrome.games.replay_files import (
    SIZE_LIMIT,
    encode_replay,
    pack_replay,
    read_replays,
    unpack_replay,
    write_replays,
)
from tests.games.locm.protocol.recorded import play
from tests.games.tapdeck.protocol.scripted import play as tapdeck_play


@pytest.mark.parametrize("name", ["one.json", "one.json.gz", "one.jsonl", "one.jsonl.gz"])
def test_files_of_one(tmp_path: Path, name: str) -> None:
    path, replay = tmp_path / name, play()
    write_replays(path, [replay])
    assert list(read_replays(path)) == [replay]
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == name.endswith(".gz")
    first = path.read_bytes()
    write_replays(path, [replay])
    assert path.read_bytes() == first
    assert [each.name for each in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["many.jsonl", "many.jsonl.gz"])
def test_files_of_many(tmp_path: Path, name: str) -> None:
    games = [play(seed=seed) for seed in range(3)]
    assert write_replays(tmp_path / name, iter(games)) == 3
    assert list(read_replays(tmp_path / name)) == games


def test_a_json_file_may_be_laid_out_by_hand(tmp_path: Path) -> None:
    path, replay = tmp_path / "one.json", play()
    path.write_text(json.dumps(json.loads(encode_replay(replay)), indent=2))
    assert list(read_replays(path)) == [replay]


def test_a_json_file_holds_one(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    with pytest.raises(CallerError, match="jsonl"):
        write_replays(path, [play(), play()])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("stop", [KeyboardInterrupt, RuntimeError])
@pytest.mark.parametrize("name", ["many.jsonl", "many.jsonl.gz"])
def test_an_interrupted_writer_leaves_everything_as_it_was(
    tmp_path: Path, stop: type[BaseException], name: str
) -> None:
    path, replay = tmp_path / name, play()

    def interrupted() -> Iterator[LocmReplay]:
        yield replay
        raise stop

    with pytest.raises(stop):
        write_replays(path, interrupted())
    assert list(tmp_path.iterdir()) == []
    write_replays(path, [replay])
    with pytest.raises(stop):
        write_replays(path, interrupted())
    assert list(read_replays(path)) == [replay]
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_goes_on_pointing(tmp_path: Path) -> None:
    (tmp_path / "latest.json").symlink_to("real.json")
    write_replays(tmp_path / "latest.json", [play()])
    assert (tmp_path / "latest.json").is_symlink()
    assert list(read_replays(tmp_path / "real.json")) == [play()]


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(CallerError, match="No such file"):
        write_replays(tmp_path / "missing" / "one.json", [play()])
    with pytest.raises(CallerError, match="Is a directory"):
        write_replays(tmp_path, [play()])


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.jsonl", b"\n{not json}\n", "a.jsonl, line 2: "),
        ("a.jsonl", b"[]", "line 1: not a replay: expected an object, got a list"),
        ("a.jsonl", b'{"x":' + b"[" * 100_000, "line 1: "),
        ("a.jsonl", b"\xff\xfe", "line 1: "),
        ("a.json", b"", "the file is empty"),
        ("a.json", b'{\n "format": "cardrome-replay",\n oops}', "a.json, line 3: "),
        ("a.md", b"# Notes\n", "a.md, line 1: not a replay: not JSON: invalid character"),
        ("a.json", b'{"format": "cardrome-replay"}', "a.json: version is missing"),
        ("a.jsonl.gz", gzip.compress(b'{"a": 1}' * 1000, mtime=0)[:30], "damaged gzip data"),
        ("a.jsonl.gz", gzip.compress(b"{}\n", mtime=0)[:8] + b"\xff" * 30, "a.jsonl.gz"),
    ],
)
def test_malformed_files_are_explained(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InvalidRecording) as caught:
        list(read_replays(path))
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.json.gz"])
def test_a_file_that_unpacks_to_more_than_a_replay_is_not_read_to_its_end(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(gzip.compress(bytes(4 * SIZE_LIMIT), 1, mtime=0))
    used = unpacked_by(lambda: list(read_replays(tmp_path / name)), "line 1: over 64 MiB; no game is that long")
    assert used < 3 * SIZE_LIMIT


def unpacked_by(call: Callable[[], object], message: str) -> int:
    """The most memory that a call takes which is refused."""
    tracemalloc.start()
    try:
        with pytest.raises(InvalidRecording, match=message):
            call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_stored_replay_that_was_damaged_is_refused() -> None:
    replay = play()
    packed = pack_replay(replay)
    assert unpack_replay(packed) == replay
    for place in range(0, len(packed), 97):
        damaged = bytearray(packed)
        damaged[place] ^= 1
        with pytest.raises(InvalidRecording):
            unpack_replay(bytes(damaged))
    with pytest.raises(InvalidRecording, match="it has no end"):
        unpack_replay(packed[:-1])
    bomb = zlib.compress(bytes(4 * SIZE_LIMIT), 1)
    assert unpacked_by(lambda: unpack_replay(bomb), "it has no end") < 3 * SIZE_LIMIT


def test_the_same_replays_make_the_same_bytes_whatever_the_clock_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for now in (1_000_000_000.0, 2_000_000_000.0):
        monkeypatch.setattr(time, "time", lambda now=now: now)
        write_replays(tmp_path / f"{now}.jsonl.gz", [play()])
        found.append((tmp_path / f"{now}.jsonl.gz").read_bytes())
    assert found[0] == found[1]


def test_files_that_are_none(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.json"):
        with pytest.raises(InvalidRecording, match=str(path)):
            list(read_replays(path))
    (tmp_path / "empty.jsonl").touch()
    assert list(read_replays(tmp_path / "empty.jsonl")) == []


def test_a_file_may_hold_games_of_several_families(tmp_path: Path) -> None:
    games = [tapdeck_play(), play("locm-1.5"), play()]
    path = tmp_path / "mixed.jsonl"
    write_replays(path, games)
    found = list(read_replays(path))
    assert found == games
    assert [find_family(replay.edition).rerun(replay).verify() for replay in found] == [None] * 3
