"""LOCM replays in words."""

from __future__ import annotations

from hypothesis import given, settings

from cardrome.games.locm.protocol.replay import LocmReplay, LocmRerun
from cardrome.games.locm.protocol.story import story
from tests.games.locm.protocol.recorded import replays


@given(replays())
@settings(max_examples=30)
def test_any_replay_can_be_told_in_words(replay: LocmReplay) -> None:
    lines = list(story(replay, LocmRerun(replay), boards=True))
    assert all(line.isprintable() for line in lines)
    assert f"player {replay.winner} wins" in lines[3]
    turns = [moment.before.turn for moment in LocmRerun(replay) if moment.call.phase == "battle"]
    assert [int(line.split()[1]) for line in lines if line.startswith("turn ")] == turns
