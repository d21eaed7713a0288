"""Tapdeck replays in words."""

from __future__ import annotations

from hypothesis import given, settings

from cardrome.games.tapdeck.protocol.replay import TapdeckReplay, TapdeckRerun
from cardrome.games.tapdeck.protocol.story import story
from tests.games.tapdeck.protocol.scripted import streams


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
