"""The format of LOCM replays: what is read, what is refused, and what the documentation says of it."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.errors import InvalidRecording
from cardrome.games.locm.protocol.replay import ANSWER_LIMIT, Answer, LocmReplay, LocmRerun
from cardrome.games.replay_files import decode_replay, encode_replay, read_replays, write_replays
from cardrome.games.replays import ProcessEnd, ReplayFault
from tests.games.locm.protocol.recorded import changed, play, seeds
from tests.paths import DOCS
from tests.profiles import examples


@given(seeds)
@examples(20)
def test_a_game_is_small(seed: int) -> None:
    replay = play(seed=seed)
    bare = [Answer(call.answer and call.answer.replace(" on we go", ""), call.ms) for call in replay.calls]
    assert len(encode_replay(changed(replay, calls=tuple(bare)))) < 10_000


def test_a_replay_that_could_not_be_read_is_not_written(tmp_path: Path) -> None:
    for wrong in (
        changed(play(), calls=(Answer("x" * (ANSWER_LIMIT + 1)),)),
        changed(play(), calls=(Answer("a\nb"),)),
        changed(play(), players=("\ud800", "Bob")),
    ):
        with pytest.raises(InvalidRecording):
            write_replays(tmp_path / "wrong.json", [wrong])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "cardrome-position"}, "format is 'cardrome-position'"),
        ({"version": 2}, "version 2 of the replay format; this program reads 1"),
        ({"edition": "locm-1.3"}, "unknown edition 'locm-1.3'"),
        ({"deal": {}}, "the seed is missing"),
        ({"deal": {"seed": "soon"}}, "seed is 'soon'"),
        ({"deal": {"seed": "1", "shufflePlayer0Seed": "x"}}, "shufflePlayer0Seed is 'x'"),
        ({"deal": {"seed": "1", "cardGenSeed": "1"}}, "cardGenSeed"),
        ({"deal": {"seed": "1", "predefinedDraftIds": "1 2 3"}}, "predefinedDraftIds"),
        ({"winner": 2}, "winner"),
        ({"ending": "boredom"}, "ending"),
        ({"players": ["Ann"]}, "players"),
        ({"players": ["Ann", "x" * 501]}, "players[1]"),
        ({"calls": [{"answer": "PICK 1"}, {"answer": 3}]}, "calls[1].answer"),
        ({"calls": [{"answer": "x" * 10_001}]}, "calls[0].answer"),
        ({"calls": [{"answer": "PASS\nPASS"}]}, "calls[0].answer"),
        ({"calls": [{"answer": "PASS\n"}]}, "calls[0].answer"),
        ({"calls": [{"answer": "PASS", "ms": -1}]}, "calls[0].ms"),
        ({"calls": [{}]}, "calls[0]"),
        ({"fault": {"player": 0}}, "kind"),
        ({"scores": [1]}, "scores"),
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


@given(data=st.binary(max_size=200), place=st.integers(0, 5000))
def test_damaged_replays_are_read_or_refused(data: bytes, place: int) -> None:
    line = encode_replay(play())
    with contextlib.suppress(InvalidRecording):
        LocmRerun(decode_replay(line[:place] + data + line[place + len(data) :])).verify()


def test_every_field_is_documented_and_the_example_holds() -> None:
    page = (DOCS / "replays.md").read_text(encoding="utf-8")
    for struct in (LocmReplay, Answer, ReplayFault, ProcessEnd):
        assert [name for name in struct.__struct_fields__ if f"| `{name}` |" not in page] == []
    example = page.split("```json\n")[1].split("```")[0]
    assert LocmRerun(decode_replay(example.encode())).verify() is None
