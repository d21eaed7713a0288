"""What the page of a Tapdeck match is given to show."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from cardrome.games.tapdeck.page import page_data
from cardrome.games.tapdeck.protocol.replay import TapdeckReplay, TapdeckRerun
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from tests.games.tapdeck.protocol.scripted import play

LONG = TapdeckEdition(initial_health=40)


def shown(replay: TapdeckReplay) -> dict[str, Any]:
    """The data as the page gets it: plain JSON."""
    data: dict[str, Any] = json.loads(json.dumps(page_data(replay)))
    return data


@pytest.mark.parametrize("seed", range(4))
def test_the_frames_tell_the_match(seed: int) -> None:
    replay = play(seed, edition=LONG)
    data = shown(replay)
    states, frames, log = data["states"], data["frames"], data["log"]
    assert [entry["turn"] for entry in log] == list(range(replay.turns_played))
    assert [entry["player"] for entry in log] == [turn % 2 for turn in range(replay.turns_played)]
    told = [deed for entry in log for deed in entry["deeds"] if deed["command"] is not None]
    commands = [moment for moment in TapdeckRerun(replay) if moment.command is not None]
    assert len(told) == len(commands) == len(replay.commands)
    for deed, moment in zip(told, commands, strict=True):
        state = states[frames[deed["frame"]]["state"]]
        assert moment.command is not None
        assert deed["command"] == moment.command.text()
        assert deed["refused"] == (moment.code != 0)
        assert state["health"] == list(moment.after.health)
        assert state["mana"] == moment.after.mana
        assert [len(hand) for hand in state["hands"]] == [len(moment.after.hand(p)) for p in (0, 1)]
        ids = [data["cards"][creature[0]]["id"] for creature in state["board"]]
        assert ids == [creature.card.id for creature in moment.after.creatures()]
    numbers = [number for entry in log for number in (entry["frame"], *(deed["frame"] for deed in entry["deeds"]))]
    assert numbers == list(range(len(frames)))
    assert states[frames[-1]["state"]]["health"] == list(replay.final_health)


def test_refused_commands_show_the_position_again() -> None:
    data = shown(play(mistakes=0.6))
    assert sum(deed["refused"] for entry in data["log"] for deed in entry["deeds"]) > 20
    assert len(data["states"]) < len(data["frames"]) - 20


def test_a_replay_that_does_not_verify_says_so() -> None:
    wrong = msgspec.structs.replace(play(), scores=(5, 5))
    assert shown(play())["difference"] is None
    assert shown(wrong)["difference"].startswith("scores: expected [5, 5]")


def test_a_match_without_any_command_is_shown() -> None:
    replay = msgspec.structs.replace(play(), commands=())
    assert len(shown(replay)["frames"]) == 61  # the last one is the end
