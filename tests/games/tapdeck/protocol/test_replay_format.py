"""The format of Tapdeck replays: what is read, what is refused, and what the documentation says of it."""

from __future__ import annotations

import contextlib
import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.errors import InvalidRecording
from cardrome.games.replay_files import decode_replay, encode_replay, read_replays, write_replays
from cardrome.games.tapdeck.protocol.replay import ReplayEvent, ReplayRules, TapdeckReplay
from cardrome.games.tapdeck.protocol.rerun import TapdeckRerun
from tests.games.tapdeck.protocol.scripted import changed, play
from tests.paths import DOCS

EVENT = ReplayEvent("Finals", 3, 1207, datetime(2026, 11, 15, 20, 1, 2, tzinfo=UTC))


@pytest.mark.parametrize("name", ["one.json", "one.json.gz", "one.jsonl", "one.jsonl.gz"])
def test_files_of_one(tmp_path: Path, name: str) -> None:
    path, replay = tmp_path / name, changed(play(), event=EVENT, omitted=(0, 7))
    write_replays(path, [replay])
    assert list(read_replays(path)) == [replay]
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == name.endswith(".gz")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "cardrome-position"}, "format is 'cardrome-position'"),
        ({"version": 2}, "version 2 of the replay format; this program reads 1"),
        ({"edition": "tapdick"}, "unknown edition 'tapdick'"),
        ({"edition": 5}, "edition"),
        ({"rules": {}}, "initial_health"),
        ({"rules": {"initial_health": 7, "turns": 60, "draws": 2, "burns": 2, "hand_limit": 10}}, "must be even"),
        (
            {"rules": {"initial_health": 8, "turns": 10**9, "draws": 2, "burns": 2, "hand_limit": 10}},
            "turns is 1000000000",
        ),
        ({"rules": {"initial_health": 8, "turns": 60, "draws": 2, "burns": 2, "hand_limit": 10, "luck": 1}}, "luck"),
        ({"deck": []}, "deck"),
        ({"deck": ["1 C 1 1 1 0 0"] * 1001}, "deck"),
        ({"deck": ["1 C 1 1 1 0 0", "1 C 1 1 1 0 0"]}, "two cards have the id 1"),
        ({"deck": ["1 C 1 1 1 0 0", "2 X 1 1 1 0 0"]}, "deck[1]: card '2 X 1 1 1 0 0'"),
        ({"deck": ["1 C 1 1"]}, "4 fields"),
        ({"deck": ["x" * 65]}, "deck[0]"),
        ({"deck": [5]}, "deck[0]"),
        ({"players": ["Ann"]}, "players"),
        ({"players": ["Ann", "x" * 501]}, "players[1]"),
        ({"commands": "DRAW_CARD"}, "commands"),
        ({"commands": [7]}, "commands[0]"),
        ({"commands": ["0 0 0 DRAW_CARD", "DRAW_CARD"]}, "commands[1] is 'DRAW_CARD'; expected TURN"),
        ({"commands": ["0 0 0 draw_card"]}, "expected TURN"),
        ({"commands": ["0 0 0 WAIT"]}, "expected TURN"),
        ({"commands": ["0 0 0 JUMP"]}, "expected TURN"),
        ({"commands": ["0 2 0 DRAW_CARD"]}, "expected TURN"),
        ({"commands": ["-1 0 0 DRAW_CARD"]}, "expected TURN"),
        ({"commands": ["0 0 0 DRAW_CARD\n"]}, "expected TURN"),
        ({"commands": ["0 0 0  DRAW_CARD"]}, "expected TURN"),
        ({"commands": ["٣ 0 0 DRAW_CARD"]}, "expected TURN"),
        ({"commands": ["0 0 904 DRAW_CARD"]}, "there is no error 904"),
        ({"commands": ["0 0 930 DRAW_CARD"]}, "there is no error 930"),
        ({"commands": ["0 0 0 ATTACK"]}, "ATTACK takes 1 numbers, not 0"),
        ({"commands": ["0 0 0 DRAW_CARD 1"]}, "DRAW_CARD takes 0 numbers, not 1"),
        ({"commands": ["0 0 0 ATTACK 1234567890123"]}, "expected TURN"),
        ({"commands": ["0 0 0 ATTACK " + "1" * 60]}, "commands[0]"),
        ({"omitted": [-1, 0]}, "omitted[0]"),
        ({"ending": "boredom"}, "ending"),
        ({"final_health": [1]}, "final_health"),
        ({"scores": [1, 2**40]}, "scores[1]"),
        ({"turns_played": -1}, "turns_played"),
        ({"event": {"name": "x"}}, "tournament"),
        ({"event": {"name": "x" * 501, "tournament": 1, "match_id": 1}}, "event.name"),
        ({"event": {"name": "x", "tournament": 1, "match_id": 1, "finished_at": "2026-11-15T20:00:00"}}, "finished_at"),
        ({"event": {"name": "x", "tournament": 1, "match_id": 1, "finished_at": "soon"}}, "finished_at"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_wrong_fields_are_named_with_file_and_line(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    good = encode_replay(play())
    path = tmp_path / "some.jsonl"
    path.write_bytes(good + b"\n" + json.dumps({**json.loads(good), **change}).encode())
    found = read_replays(path)
    assert next(found) == play()
    with pytest.raises(InvalidRecording) as caught:
        next(found)
    assert str(caught.value).startswith(f"{path}, line 3: ")
    assert message in str(caught.value)


def test_a_replay_that_could_not_be_read_is_not_written(tmp_path: Path) -> None:
    for wrong in (
        changed(play(), commands=("DRAW_CARD",)),
        changed(play(), deck=()),
        changed(play(), players=("\ud800", "Bob")),
        changed(play(), rules=ReplayRules(7, 60, 2, 2, 10)),
    ):
        with pytest.raises(InvalidRecording):
            write_replays(tmp_path / "wrong.jsonl", [play(), wrong])
    assert list(tmp_path.iterdir()) == []


@given(data=st.binary(max_size=200), place=st.integers(0, 5000))
def test_damaged_replays_are_read_or_refused(data: bytes, place: int) -> None:
    line = encode_replay(play())
    with contextlib.suppress(InvalidRecording):
        TapdeckRerun(decode_replay(line[:place] + data + line[place + len(data) :])).verify()


def test_a_match_is_small() -> None:
    assert len(encode_replay(play())) < 10_000
    assert len(gzip.compress(encode_replay(play()))) < 2_500


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"\xff\xfe",
        b'{"edition":"tapdeck"}',
        b'{"edition":"tapdeck","format":"cardrome-replay","version":1}',
        b'{"edition":"tapdeck","format":"cardrome-replay","version":1,"deck":' + b"[" * 100_000,
        b'{"edition":"tapdeck","format":"cardrome-replay","version":1,"deck":' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"edition":"tapdeck","format":"cardrome-replay","version":1,"commands":[' + b'"",' * 1_000_001 + b'""]}',
    ],
)
def test_hostile_files_are_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "some.json.gz"
    path.write_bytes(gzip.compress(data, 1))
    with pytest.raises(InvalidRecording, match=str(path)):
        list(read_replays(path))


def test_every_field_is_documented_and_the_example_holds() -> None:
    page = (DOCS / "replays.md").read_text(encoding="utf-8")
    for struct in (TapdeckReplay, ReplayRules, ReplayEvent):
        assert [name for name in struct.__struct_fields__ if f"| `{name}` |" not in page] == []
    example = page.split("```json\n")[2].split("```")[0]
    assert TapdeckRerun(decode_replay(example.encode())).verify() is None
