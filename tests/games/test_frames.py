"""Frames without what stays the same: nothing is lost, and nothing is said twice."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cardrome.games.frames import deltas
from tests.games.whole_frames import whole

VALUES: Any = st.one_of(st.none(), st.integers(0, 2), st.lists(st.integers(0, 2), max_size=2))
SIDES = st.fixed_dictionaries({"health": VALUES, "rows": st.fixed_dictionaries({"0": VALUES, "1": VALUES})})
FRAME = st.fixed_dictionaries(
    {"turn": VALUES, "sides": st.fixed_dictionaries({"0": SIDES, "1": SIDES}), "deed": st.just({"kind": "turn"})}
)


@given(st.lists(FRAME, max_size=6))
def test_the_frames_come_back(frames: list[dict[str, Any]]) -> None:
    assert whole({"frames": list(deltas(frames))}) == frames


def test_what_stays_is_not_repeated() -> None:
    side = {"health": 30, "rows": {"0": [[1, 2, 3]], "1": []}}
    first = {"turn": 1, "sides": {"0": side, "1": side}, "deed": {"kind": "turn"}}
    hurt = {**side, "health": 28}
    second = {"turn": 1, "sides": {"0": side, "1": hurt}, "deed": {"kind": "attack"}}
    assert list(deltas([first, second])) == [first, {"sides": {"1": {"health": 28}}, "deed": {"kind": "attack"}}]
