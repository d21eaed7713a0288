"""Positions of a match as pictures."""

from __future__ import annotations

from cardrome.games.tapdeck.protocol.board import draw
from cardrome.games.tapdeck.protocol.replay import TapdeckRerun
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from tests.games.tapdeck.protocol.scripted import play


def test_pictures_fit_a_terminal() -> None:
    for moment in TapdeckRerun(play(3, edition=TapdeckEdition(initial_health=40))):
        assert all(len(line) <= 100 for line in draw(moment.after).split("\n"))
