"""Actions as integers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cardrome.games.tapdeck.protocol.commands import within_reach
from cardrome.games.tapdeck.rules.actions import action_code, action_kind, first_number, second_number

KINDS = st.integers(0, 8)


@given(KINDS, st.integers(0, 1000), st.integers(-15, 1000))
def test_numbers_that_mean_something_are_kept(kind: int, first: int, second: int) -> None:
    code = action_code(kind, first, second)
    assert (action_kind(code), first_number(code), second_number(code)) == (kind, first, second)


@given(KINDS, st.integers(), st.integers())
def test_numbers_that_mean_nothing_stay_meaningless(kind: int, first: int, second: int) -> None:
    code = action_code(kind, within_reach(first), within_reach(second))
    assert action_kind(code) == kind
    assert first_number(code) == (first if 0 <= first <= 1000 else 1001)
    assert second_number(code) == (second if -16 <= second <= 1000 else -16 if second < 0 else 1001)
