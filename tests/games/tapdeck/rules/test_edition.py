"""The numbers of a match and their bounds."""

from __future__ import annotations

import pytest

from cardrome.errors import CallerError
from cardrome.games.tapdeck.rules.edition import BOUNDS, TAPDECK, TapdeckEdition


def test_the_defaults() -> None:
    assert TAPDECK.numbers() == {
        "initial_health": 30, "turns": 60, "draws": 1, "burns": 1, "hand_limit": 10, "deck_size": 120,
    }  # fmt: skip


def test_kernels_see_the_same_numbers() -> None:
    rules = TapdeckEdition(initial_health=30, turns=50, draws=3, burns=4, hand_limit=8).rules[0]
    assert [int(rules[key]) for key in ("initial_health", "turns", "draws", "burns", "hand_limit")] == [30, 50, 3, 4, 8]


def test_an_odd_health_is_refused() -> None:
    with pytest.raises(CallerError, match=r"^initial_health is 11; it must be even, since scores use its half$"):
        TapdeckEdition(initial_health=11)


def test_an_odd_number_of_turns_is_refused() -> None:
    with pytest.raises(CallerError, match=r"^turns is 59; it must be even, so that both players have as many$"):
        TapdeckEdition(turns=59)


@pytest.mark.parametrize("key", BOUNDS)
def test_every_number_has_bounds(key: str) -> None:
    least, most = BOUNDS[key]
    for allowed in (least, most):
        assert TapdeckEdition(**{key: allowed}).numbers()[key] == allowed
    for outside in (least - 2, most + 2):
        with pytest.raises(CallerError, match=f"^{key} is {outside}; allowed are {least} to {most}$"):
            TapdeckEdition(**{key: outside})


@pytest.mark.parametrize("key", BOUNDS)
@pytest.mark.parametrize("value", ["10", 10.0, None, True])
def test_every_number_is_whole(key: str, value: object) -> None:
    with pytest.raises(CallerError, match=f"^{key} is {value!r}; expected a whole number from "):
        TapdeckEdition(**{key: value})  # type: ignore[arg-type]
