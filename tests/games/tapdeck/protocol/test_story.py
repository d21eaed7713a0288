"""Positions of a match as pictures, and replays in words."""

from __future__ import annotations

from hypothesis import given

from cardrome.games.tapdeck.protocol.replay import TapdeckRecorder, TapdeckReplay
from cardrome.games.tapdeck.protocol.rerun import TapdeckRerun
from cardrome.games.tapdeck.protocol.story import draw, story
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from tests.games.tapdeck.protocol.scripted import changed, play, streams
from tests.profiles import examples


@given(streams())
@examples(40)
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


def test_one_turn_or_one_player() -> None:
    replay = play(3)
    turns = [line for line in story(replay, TapdeckRerun(replay)) if line.startswith("turn ")]
    third = list(story(replay, TapdeckRerun(replay), turn=3))
    assert third[:2] == ["", turns[3]]
    assert [line for line in third if line.startswith(("turn ", "tapdeck ", "player "))] == [turns[3]]
    own = [line for line in story(replay, TapdeckRerun(replay), player=1) if line.startswith("turn ")]
    assert own == turns[1::2]


def test_spells_and_questions_in_words() -> None:
    recorder = TapdeckRecorder(TapdeckEdition(initial_health=10, turns=2, draws=1), "1 T 2 0 0 0 -1\n2 C 1 1 1 0 0")
    for line in ("DRAW_CARD", "PLAY_CARD 1 -5"):
        recorder.command(0, line)
    recorder.end_turn()
    recorder.end_turn()
    replay = recorder.replay()
    # A question that was answered is kept in no replay, but in one that somebody wrote.
    replay = changed(replay, commands=(*replay.commands, "0 0 0 GET_HP"))
    told = [line.split(maxsplit=1) for line in story(replay, TapdeckRerun(replay)) if line.startswith("    ")]
    assert told == [
        ["health", "10 v 10 · board 0 v 0 · hand 0 v 0 · deck 2"],
        ["DRAW_CARD", "draws 1 (take 2, cost 0)"],
        ["PLAY_CARD", "1 -5         casts take 2: 2 draws left"],
        ["GET_HP", "asks"],
        ["health", "10 v 10 · board 0 v 0 · hand 0 v 0 · deck 1"],
        ["time", "is up"],
    ]
