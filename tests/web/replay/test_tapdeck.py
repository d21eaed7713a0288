"""The page of a Tapdeck match, read as a browser would parse it: what is in it, and what strangers cannot put there."""

from __future__ import annotations

import base64
import hashlib
import re
from datetime import UTC, datetime

import msgspec
import pytest

from cardrome.errors import CallerError
from cardrome.games.tapdeck import page as module
from cardrome.games.tapdeck.page import page_data
from cardrome.games.tapdeck.protocol.replay import TapdeckRerun
from cardrome.games.tapdeck.protocol.replay_format import ReplayEvent, TapdeckReplay
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from cardrome.web.replay.frame import replay_page
from tests.games.tapdeck.protocol.scripted import play
from tests.web.replay.test_locm import HOSTILE, Page

LONG = TapdeckEdition(initial_health=40)


def hostile(text: str) -> TapdeckReplay:
    event = ReplayEvent(text, 1, 2, datetime(2026, 11, 15, tzinfo=UTC))
    return msgspec.structs.replace(play(), players=(text, text), event=event)


ELEMENTS = [tag for tag, _ in Page(replay_page(play())).elements]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_strangers_write_stays_text(text: str) -> None:
    page = Page(replay_page(hostile(text)))
    assert [tag for tag, _ in page.elements] == ELEMENTS
    assert page.open == []
    assert len(page.texts["script"]) == 2
    assert page.texts["script"][1] == Page(replay_page(play())).texts["script"][1]
    data = page.data()
    assert data["players"][0] in page.texts["title"][0]
    assert data["event"]["name"] == data["players"][0]
    assert data["result"] in page.texts["p"]


def test_the_page_loads_nothing() -> None:
    text = replay_page(play())
    for tag, attributes in Page(text).elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base")
        assert not attributes.keys() & {"src", "href", "style", "onclick", "onload", "onerror"}
    assert not re.search(r"https?://|@import|url\(", text)


def test_only_the_pages_own_script_and_style_may_run() -> None:
    page = Page(replay_page(play()))
    policy = next(a["content"] for tag, a in page.elements if tag == "meta" and "http-equiv" in a)
    assert policy is not None
    for part in (page.texts["style"][0], page.texts["script"][1]):
        digest = base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "innerHTML" not in page.texts["script"][1]


@pytest.mark.parametrize("seed", range(4))
def test_the_frames_tell_the_match(seed: int) -> None:
    replay = play(seed, edition=LONG)
    data = Page(replay_page(replay)).data()
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
    data = page_data(play(mistakes=0.6))
    assert sum(deed["refused"] for entry in data["log"] for deed in entry["deeds"]) > 20
    assert len(data["states"]) < len(data["frames"]) - 20


def test_a_replay_that_does_not_verify_says_so() -> None:
    wrong = msgspec.structs.replace(play(), scores=(5, 5))
    assert page_data(play())["difference"] is None
    assert page_data(wrong)["difference"].startswith("scores: expected [5, 5]")


def test_a_match_without_any_command_has_a_page() -> None:
    replay = msgspec.structs.replace(play(), commands=())
    assert len(page_data(replay)["frames"]) == 61  # the last one is the end


def test_a_match_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ITEM_LIMIT", 100)
    with pytest.raises(CallerError, match="too long for a page"):
        replay_page(play())
