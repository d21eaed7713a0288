"""`cardrome position`: saved and hand-made positions of both games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardrome import new_game
from tests.cli.runner import cardrome

HAND_SET = """
{"edition": "locm-1.2", "players": [
  {"mana": 5, "hand": [3, 151], "board": [[{"card": 62}], []]},
  {"board": [[{"card": 98}], [{"card": 1, "defense": 9}]]}]}
"""


def test_position_draws_what_was_set_up_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text(HAND_SET)
    done = cardrome("position", path)
    assert done.returncode == 0, done.stderr
    assert "Beavrat" in done.stdout
    assert "legal actions: PASS, SUMMON " in done.stdout
    full = cardrome("position", path, "--json").stdout
    again = cardrome("position", "-", input=full)
    assert again.stdout == done.stdout
    lines = cardrome("position", path, "--input").stdout.splitlines()
    assert [line.split()[0] for line in lines[4:]] == ["3", "151", "62", "98", "1"]


def test_a_position_of_tapdeck(tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    first, second, *_ = new_game("tapdeck", 7).cards  # type: ignore[attr-defined]
    data = {"edition": "tapdeck", "seed": 7, "turn": 4, "drawn": 2, "hands": [[first.id], [second.id]]}
    path.write_text(json.dumps(data))
    done = cardrome("position", path)
    assert done.returncode == 0, done.stderr
    assert "legal actions: " in done.stdout
    again = cardrome("position", "-", input=cardrome("position", path, "--json").stdout)
    assert again.stdout == done.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "position.json: "),
        ('{"edition": "locm-1.3"}', "unknown edition"),
        ('{"edition": "locm-1.2", "players": [{"hand": [200]}, {}]}', "players[0].hand[0]"),
        ('{"edition": "locm-1.2", "plyers": []}', "plyers"),
        (
            '{"edition": "tapdeck", "hands": [[1], [2, 1001]]}',
            "hands[1][1]: expected a number from 1 to 1000, got",
        ),
        ('{"edition": "tapdeck", "\\u001b[2J": 1}', "\\x1b[2J: unknown key"),
        ('{"edition": "locm-1.2", "players": [{"hand": [1,1,1,1,1,1,1,1,1]}, {}]}', "players[0].hand"),
    ],
)
def test_impossible_positions_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "position.json"
    path.write_text(text)
    done = cardrome("position", path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.strip().isprintable()
