"""Positions of a match as pictures, and replays in words."""

from __future__ import annotations

from hypothesis import given, settings

from cardrome.games.tapdeck.protocol.replay import TapdeckReplay
from cardrome.games.tapdeck.protocol.rerun import TapdeckRerun
from cardrome.games.tapdeck.protocol.story import draw, story
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from tests.games.tapdeck.protocol.scripted import play, streams


@given(streams())
@settings(max_examples=40)
def test_any_replay_can_be_told_in_words(replay: TapdeckReplay) -> None:
    for options in ({}, {"boards": True}, {"each": True}):
        lines = list(story(replay, TapdeckRerun(replay), **options))
        assert all(line.isprintable() for line in lines)
        assert all(len(line) <= 140 for line in lines)
        turns = [int(line.split()[1]) for line in lines if line.startswith("turn ")]
        assert turns == list(range(replay.turns_played))
    refused = sum(entry.code != 0 for entry in replay.entries())
    assert "\n".join(story(replay, TapdeckRerun(replay))).count("refused: ") == refused


def test_pictures_fit_a_terminal() -> None:
    for moment in TapdeckRerun(play(3, edition=TapdeckEdition(initial_health=40))):
        assert all(len(line) <= 76 for line in draw(moment.after).split("\n"))
