"""The page of a replay, as a browser would parse it: what is in it, and what strangers cannot put there."""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec
import pytest

from cardrome.errors import CallerError
from cardrome.games.family import register
from cardrome.games.locm.protocol.replay import LocmRecorder
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import find_edition
from cardrome.games.replays import ProcessEnd, Replay
from cardrome.games.tapdeck import frames as tapdeck_frames
from cardrome.games.tapdeck.protocol.replay import ReplayEvent
from cardrome.web.replay import replay_page
from tests.arena import games
from tests.games.tapdeck.protocol.scripted import play
from tests.web.parsed import ParsedPage
from tests.web.test_templates import HOSTILE


def locm(text: str) -> Replay:
    """A game in which everything that players can write is a given text."""
    played = games.play_locm("rule-based", "greedy", seed=5)
    transcript = LocmRecorder(find_edition("locm-1.2"), LocmDeal(5), (text, text))
    for call in played.calls[:66]:
        assert call.answer is not None
        transcript.answer(call.answer)
    transcript.answer(text)
    return transcript.replay((ProcessEnd(1, None, text), ProcessEnd(None, 9, text)))


def tapdeck(text: str) -> Replay:
    event = ReplayEvent(text, 1, 2, datetime(2026, 11, 15, tzinfo=UTC))
    return msgspec.structs.replace(play(), players=(text, text), event=event)


FAMILIES = {"locm": locm, "tapdeck": tapdeck}


@pytest.fixture(params=FAMILIES.values(), ids=list(FAMILIES))
def family(request: pytest.FixtureRequest) -> Callable[[str], Replay]:
    made: Callable[[str], Replay] = request.param
    return made


@functools.cache
def harmless(family: Callable[[str], Replay]) -> ParsedPage:
    return ParsedPage(replay_page(family("Ann")))


@pytest.mark.parametrize("text", HOSTILE)
def test_what_strangers_write_stays_text(family: Callable[[str], Replay], text: str) -> None:
    page = ParsedPage(replay_page(family(text)))
    assert page.tags == harmless(family).tags
    assert len(page.by_tag["script"]) == 2
    assert page.by_tag["script"][1] == harmless(family).by_tag["script"][1]
    data = page.data()
    assert data["players"][0] in page.by_tag["title"][0]
    assert data["result"] in page.by_tag["p"]
    if data["edition"] == "tapdeck":
        assert data["event"]["name"] == data["players"][0]
    else:
        assert data["processes"][0]["stderr"] == text


def test_the_page_loads_nothing(family: Callable[[str], Replay]) -> None:
    text = replay_page(family("Ann"))
    for tag, attributes in ParsedPage(text).elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base")
        assert not attributes.keys() & {"src", "href", "style", "onclick", "onload", "onerror"}
    assert set(re.findall(r"https?://[^\"'\s]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert "@import" not in text
    assert set(re.findall(r"url\(.", text)) == {"url(#"}  # gradients of the page itself


def test_only_the_pages_own_script_and_style_may_run(family: Callable[[str], Replay]) -> None:
    page = harmless(family)
    policy = next(a["content"] for tag, a in page.elements if tag == "meta" and "http-equiv" in a)
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    for part in (page.by_tag["style"][0], page.by_tag["script"][1]):
        digest = base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "fetch("):
        assert way not in page.by_tag["script"][1]


def test_a_game_without_a_page_of_its_own_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDROME_GAMES", "")
    register("tests.games.toy:FAMILY")
    page = ParsedPage(replay_page(games.play("perfect", "chance", "pebbles", 3, names=("<b>Ann</b>", "Bob"))))
    assert page.by_tag["h1"] == ["<b>Ann</b> v Bob · pebbles"]
    assert "turn 0: player 0 takes" in page.by_tag["pre"][0]
    assert page.by_tag["p"][0].startswith("player ")
    assert not {"script", "b"} & set(page.tags)


def test_recordings_of_before_are_shown() -> None:
    """Older ones do not say how many turns and actions there were."""
    now = games.play_locm("rule-based", "greedy", seed=5)
    for replay in (
        msgspec.structs.replace(now, turns=None, actions=None),
        msgspec.structs.replace(play(), actions=None),
    ):
        data = ParsedPage(replay_page(replay)).data()
        assert data["difference"] is None
        assert len(data["frames"]) > 50


def test_a_match_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tapdeck_frames, "ITEM_LIMIT", 100)
    with pytest.raises(CallerError, match="too long for a page"):
        replay_page(play())
