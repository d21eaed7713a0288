"""What the page of a Tapdeck match is given to show."""

from __future__ import annotations

import itertools

import msgspec
import pytest

from cardrome.games.tapdeck.page import page_data
from cardrome.games.tapdeck.protocol.rerun import TapdeckRerun
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from tests.games.tapdeck.protocol.scripted import play
from tests.games.whole_frames import whole

LONG = TapdeckEdition(initial_health=40)


@pytest.mark.parametrize("seed", range(4))
def test_the_frames_tell_the_match(seed: int) -> None:
    replay = play(seed, edition=LONG)
    data = page_data(replay)
    frames = whole(data)
    starts = [frame for frame in frames if frame["deed"]["kind"] == "turn"]
    assert [frame["turn"] for frame in starts] == list(range(replay.turns_played))
    assert [frame["deed"]["player"] for frame in starts] == [turn % 2 for turn in range(replay.turns_played)]
    told = [frame for frame in frames if "text" in frame["deed"]]
    commands = [moment for moment in TapdeckRerun(replay) if moment.command is not None]
    assert len(told) == len(commands) == len(replay.commands)
    for frame, moment in zip(told, commands, strict=True):
        deed, sides, after = frame["deed"], frame["sides"], moment.after
        assert moment.command is not None
        assert deed["text"] == moment.command.text()
        assert (deed["kind"] == "illegal") == (moment.code != 0)
        assert [sides[p]["health"] for p in "01"] == list(after.health)
        assert after.is_over or sides[str(after.current)]["mana"] == [after.mana]
        assert [sides[str(p)]["hand"] for p in (0, 1)] == [[card.id for card in after.hand(p)] for p in (0, 1)]
        for p in (0, 1):
            shown = [(each[0], each[1], each[2], each[5]) for each in sides[str(p)]["rows"]["0"]]
            assert shown == [(each.id, each.attack, each.health, each.max_health) for each in after.board(p)]
        assert frame["river"] == after.top
        if "actor" in deed:
            assert data["cards"][data["things"][deed["actor"]]]["number"] == deed["actor"]
    assert [frames[-1]["sides"][p]["health"] for p in "01"] == list(replay.final_health)


def test_what_creatures_are_doing() -> None:
    frames = whole(page_data(play(1, edition=LONG)))
    states = {each[4] for frame in frames for side in frame["sides"].values() for each in side["rows"]["0"]}
    assert states == {"", "ready", "sick", "tapped", "attacking", "blocked"}
    for frame in frames:
        actor, kind = frame["deed"].get("actor"), frame["deed"]["kind"]
        state = {each[0]: each[4] for side in frame["sides"].values() for each in side["rows"]["0"]}.get(actor)
        assert state == {"play": "sick", "tap": "tapped", "declare": "attacking"}.get(kind, state)


def test_threats_are_what_comes_of_them_when_blocking_is_over() -> None:
    frames = whole(page_data(play(1, edition=LONG)))
    seen = 0
    for before, after in itertools.pairwise(frames):
        if (before["phase"], after["phase"]) == ("block", "act") and before["player"] == after["player"]:
            mine = str(before["player"])
            threatened = sum(damage for _, damage in before["threats"])
            assert before["sides"][mine]["health"] - after["sides"][mine]["health"] == threatened
            seen += threatened > 0
    assert seen > 3
    assert all(frame["threats"] == [] for frame in frames if frame["phase"] == "act")


def test_refused_commands_show_the_position_again() -> None:
    data = page_data(play(mistakes=0.6))
    refused = [frame for frame in data["frames"] if frame["deed"]["kind"] == "illegal"]
    assert len(refused) > 20
    assert sum(frame.keys() == {"deed"} for frame in refused) > 20


def test_a_replay_that_does_not_verify_says_so() -> None:
    wrong = msgspec.structs.replace(play(), scores=(5, 5))
    assert page_data(play())["difference"] is None
    assert page_data(wrong)["difference"].startswith("scores: expected [5, 5]")


def test_a_match_without_any_command_is_shown() -> None:
    replay = msgspec.structs.replace(play(), commands=())
    assert len(page_data(replay)["frames"]) == 61  # the last one is the end
