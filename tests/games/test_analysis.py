"""What is said of an analysed game, whatever the game."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cardrome.errors import CallerError
from cardrome.games.analysis import GameAnalysis, Move, TurnAnalysis, add_to_page, advice
from tests.games.toy import FAMILY as TOY


def moves(text: str) -> tuple[Move, ...]:
    """A move for each letter."""
    return tuple(Move(letter, f"does {letter}", {"kind": letter}) for letter in text)


def turn(number: int, before: float, after: float, played: str = "a", better: str = "b", **more: Any) -> TurnAnalysis:
    cost = round(before - after, 4)
    return TurnAnalysis(number, number % 2, moves(played), moves(better), before, after, cost, 0.0, **more)


def game(*turns: TurnAnalysis, winner: int | None = 1) -> GameAnalysis:
    return GameAnalysis("an edition", ("Ann", "Bob"), winner, "Bob wins", "search", True, turns, ())


@pytest.mark.parametrize(
    ("played", "preferred", "more", "expected"),
    [
        ("ab", "ab", {}, ""),
        ("ab", "ba", {}, "the same actions in another order: does b; does a"),
        ("a", "ab", {}, "does b, as well"),
        ("aab", "ab", {}, "better without: does a"),
        ("a", "", {}, "doing nothing was better"),
        ("ab", "ac", {}, "does c, instead of: does b"),
        ("a", "bc", {"missed_win": True}, "a win was there: does b; does c"),
        ("", "a", {"fault": "timeout"}, "the game was lost by a fault (timeout)"),
    ],
)
def test_advice(played: str, preferred: str, more: dict[str, Any], expected: str) -> None:
    assert advice(turn(3, 0.6, 0.5, played, preferred, **more)) == expected


def test_the_worst_turns_come_first_and_trifles_not_at_all() -> None:
    found = game(turn(0, 0.5, 0.4), turn(1, 0.6, 0.595), turn(2, 0.4, 0.1), turn(3, 0.9, 0.9))
    assert [each.turn for each in found.worst(3)] == [2, 0]


def test_the_curve_is_what_both_players_can_say_and_ends_with_the_result() -> None:
    found = game(turn(0, 0.5, 0.4), turn(1, 0.8, 0.8), turn(2, 0.1, 0.1))
    assert found.curve() == {0: 0.5, 1: 0.3, 2: 0.15, 3: 0.0}
    assert msgspec.structs.replace(found, difference="calls: ...").curve()[3] == 0.1
    assert game(winner=0).curve() == {}
    data = found.plain()
    assert data["curve"][1] == {"turn": 1, "chance": 0.3}
    assert msgspec.convert({key: value for key, value in data.items() if key != "curve"}, GameAnalysis) == found


def test_a_page_gets_the_curve_frame_by_frame() -> None:
    """The turn of each frame is known from the start of the turn; frames are without what stays the same."""
    kinds = ["pick", "turn", "attack", "turn", "turn"]
    frames: list[dict[str, Any]] = [{"deed": {"kind": kind}} for kind in kinds]
    for number, place in enumerate((1, 3, 4)):
        frames[place]["turn"] = number
    data: dict[str, Any] = {"frames": frames}
    add_to_page(data, game(turn(0, 0.5, 0.4), turn(1, 0.8, 0.8)))
    assert data["evaluation"] == [None, 0.5, None, 0.3, 0.0]
    review = {"cost": 0.1, "better": [{"kind": "b"}], "text": "b"}
    assert [frame["deed"].get("review") for frame in frames] == [None, review, None, None, None]
    story: dict[str, Any] = {"lines": ["words"]}
    add_to_page(story, game(turn(0, 0.5, 0.4)))
    assert story == {"lines": ["words"]}


def test_a_game_without_analysis_says_so() -> None:
    with pytest.raises(CallerError, match=f"{TOY.title} has no analysis yet"):
        TOY.analyse(None)  # type: ignore[arg-type]
