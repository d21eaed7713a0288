"""Words that messages have in common."""

from __future__ import annotations

import msgspec
import pytest

from cardrome.wording import counted, json_problem, unreadable, unwritable


def test_a_count_agrees_with_its_noun() -> None:
    assert [counted(n, "game") for n in (0, 1, 2, 1200)] == ["0 games", "1 game", "2 games", "1,200 games"]
    assert counted(2, "match", "matches") == "2 matches"


def test_files() -> None:
    assert unreadable("x", FileNotFoundError(2, "No such file")) == "x cannot be read: No such file"
    assert unwritable("x", OSError("odd")) == "x cannot be written: odd"


class Turn(msgspec.Struct, forbid_unknown_fields=True):
    ms: int
    by: str | None = None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"ms": 1}', "expected a list, got an object"),
        ('[{"ms": "1"}]', "[0].ms: expected a whole number, got a text"),
        ('[{"ms": 1, "by": 3}]', "[0].by: expected a text or null, got a whole number"),
        ("[{}]", "[0].ms is missing"),
        ('[{"ms": 1, "no": 1}]', "[0]: unknown field no"),
        ("[x]", "not JSON: invalid character (byte 1)"),
        ("[", "not JSON: it has no end"),
    ],
)
def test_what_is_wrong_with_json(text: str, words: str) -> None:
    with pytest.raises(msgspec.DecodeError) as caught:
        msgspec.json.decode(text, type=list[Turn])
    assert json_problem(caught.value) == words
