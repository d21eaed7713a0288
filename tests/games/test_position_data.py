"""Positions of any family as people write them: complaints name the place, what was expected and what was found."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cardrome.errors import InvalidPosition
from cardrome.games.family import from_json


def complaint(data: dict[str, Any]) -> str:
    with pytest.raises(InvalidPosition) as error:
        from_json(json.dumps(data))
    return str(error.value)


@pytest.mark.parametrize(
    ("edition", "data", "message"),
    [
        ("locm-1.2", {"players": [{}, {"hand": [1, 2, {}]}]}, "players[1].hand[2].card: missing"),
        ("locm-1.2", {"players": [{}, {"helth": 3}]}, "players[1].helth: unknown key; did you mean health?"),
        ("locm-1.2", {"zzz": 3}, "zzz: unknown key; known: format, version, edition, viewer, phase, turn"),
        ("locm-1.2", {"turn": 1 << 70}, "turn: expected a number from -1 to 9999, got 1180591620717411303424"),
        ("locm-1.2", {"players": [{"board": [[{"card": 3, "touched": 1}]]}, {}]}, "players[0].board[0][0].touched: "),
        ("tapdeck", {"board": [{"card": 1, "owner": 3}]}, "board[0].owner: expected 0 or 1, got 3"),
        ("tapdeck", {"hands": [[1], [2, "x"]]}, 'hands[1][1]: expected a number from 1 to 1000, got "x"'),
        ("tapdeck", {"hands": [[1]]}, "hands: expected a list of 2, got a list of 1"),
        ("tapdeck", {"viewer": "me"}, 'viewer: expected 0 or 1 or null, got "me"'),
        ("tapdeck", {"manna": 3}, "manna: unknown key; did you mean mana?"),
    ],
)
def test_what_is_wrong_is_named(edition: str, data: dict[str, Any], message: str) -> None:
    assert complaint({"edition": edition} | data).startswith(message)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("\x1b[2J", "\\x1b[2J: unknown key"),
        ("x` - at `$.players", "position: Object contains unknown field"),
        ("x` - at `$.nobody[7]", "position: Object contains unknown field"),
    ],
)
def test_what_people_write_reaches_the_terminal_as_harmless_text(key: str, message: str) -> None:
    text = complaint({"edition": "locm-1.2", key: 1})
    assert text.startswith(message)
    assert text.isprintable()
    assert complaint({"edition": "locm-1.2", "phase": "\x1b[2J"}).isprintable()


@pytest.mark.parametrize(
    "data", [{"edition": "locm-1.2", "phase": "\ud800"}, {"edition": "tapdeck", "format": "\ud800"}]
)
def test_half_a_character_is_refused(data: dict[str, Any]) -> None:
    assert "half a character" in complaint(data)
