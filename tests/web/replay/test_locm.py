"""The page of a replay, read as a browser would parse it: what is in it, and what strangers cannot put there."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from cardrome.games.locm.page import page_data
from cardrome.games.locm.protocol.replay import LocmMoment, LocmRecorder, LocmRerun
from cardrome.games.locm.protocol.replay_format import LocmReplay
from cardrome.games.locm.rules.deal import Deal
from cardrome.games.locm.rules.edition import EDITIONS, find_edition
from cardrome.games.replays import ProcessEnd
from cardrome.web.replay.frame import embedded, replay_page
from tests.arena.games import play_locm

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "[[script]][[data]]\\1\\g<0>",
    "\u2028\u2029\x00\x1b[2J",
    "&lt;&amp;",
]


class Page(HTMLParser):
    """The elements of a page, with their attributes and texts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "input"):
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open[-1]][-1] += data

    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.texts["script"][0])
        return found


def recorded(edition: str = "locm-1.2") -> LocmReplay:
    return play_locm("rule-based", "greedy", edition, 5)


def hostile(text: str) -> LocmReplay:
    transcript = LocmRecorder(find_edition("locm-1.2"), Deal(5), (text, text))
    for call in recorded().calls[:66]:
        assert call.answer is not None
        transcript.answer(call.answer)
    transcript.answer(text)
    return transcript.replay((ProcessEnd(1, None, text), ProcessEnd(None, 9, text)))


ELEMENTS = [tag for tag, _ in Page(replay_page(recorded())).elements]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_strangers_write_stays_text(text: str) -> None:
    page = Page(replay_page(hostile(text)))
    assert [tag for tag, _ in page.elements] == ELEMENTS
    assert page.open == []
    assert len(page.texts["script"]) == 2
    assert page.texts["script"][1] == Page(replay_page(recorded())).texts["script"][1]
    data = page.data()
    assert data["processes"][0]["stderr"] == text
    assert data["players"][0] in page.texts["title"][0]
    assert data["result"] in page.texts["p"]


@pytest.mark.parametrize("text", HOSTILE)
def test_embedded_json_is_the_same_and_harmless(text: str) -> None:
    written = embedded({text: [text]})
    assert json.loads(written) == {text: [text]}
    assert not re.search("[<>&\u2028\u2029]", written)


def test_the_page_loads_nothing() -> None:
    text = replay_page(recorded())
    page = Page(text)
    for tag, attributes in page.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base")
        assert not attributes.keys() & {"src", "href", "style", "onclick", "onload", "onerror"}
    assert re.findall(r"https?://[^\"'\s]+", text) == ["http://www.w3.org/2000/svg"]
    assert "@import" not in text
    assert "url(" not in text


def test_only_the_pages_own_script_and_style_may_run() -> None:
    page = Page(replay_page(recorded()))
    policy = next(a["content"] for tag, a in page.elements if tag == "meta" and "http-equiv" in a)
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    for part in (page.texts["style"][0], page.texts["script"][1]):
        digest = base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "innerHTML" not in page.texts["script"][1]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_frames_tell_the_game(edition: str) -> None:
    replay = recorded(edition)
    data = Page(replay_page(replay)).data()
    frames, cards = data["frames"], data["cards"]
    kinds = [frame["kind"] for frame in frames]
    rounds = 0 if replay.rule_set.constructed else 30
    assert kinds[: rounds + 1] == ["draft"] * rounds + ["decks"]
    assert set(kinds[rounds + 1 :]) == {"battle"}
    for player in (0, 1):
        deck = frames[rounds]["decks"][player]
        assert len(deck) == 30
        if rounds:
            assert sorted(frame["picks"][player] for frame in frames[:30]) == sorted(deck)
    assert all(0 <= index < len(cards) for deck in frames[rounds]["decks"] for index in deck)
    assert [side["health"] for side in frames[-1]["sides"]] == list(replay.final_health or ())
    battle = [moment for moment in LocmRerun(replay) if moment.call.phase == "battle"]
    turns = [entry for entry in data["log"] if entry["kind"] == "turn"]
    assert [entry["turn"] for entry in turns] == [moment.before.turn for moment in battle]
    for entry, moment in zip(turns, battle, strict=True):
        _check_turn(frames, entry, moment)


def _check_turn(frames: list[dict[str, Any]], entry: dict[str, Any], moment: LocmMoment) -> None:
    start = frames[entry["frame"]]
    assert [side["health"] for side in start["sides"]] == list(moment.before.health)
    assert [deed["action"] for deed in entry["deeds"]] == moment.effect.done
    numbers = [entry["frame"], *(deed["frame"] for deed in entry["deeds"])]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    for player in (0, 1):
        side, state = start["sides"][player], moment.before.state.players[player]
        assert (side["mana"], side["deck"], len(side["hand"])) == (state.mana, state.n_deck, state.n_hand)
        assert [len(lane) for lane in side["lanes"]] == state.n_lane[: len(side["lanes"])].tolist()


def test_a_game_that_ends_in_deck_building_has_a_page() -> None:
    transcript = LocmRecorder(find_edition("locm-1.2"), Deal(1), ("Ann", "Bob"))
    for line in ("PICK 0", "PICK 1", "PICK 2", "JUMP"):
        transcript.answer(line)
    data = Page(replay_page(transcript.replay())).data()
    assert [frame["kind"] for frame in data["frames"]] == ["draft", "draft", "decks"]
    assert data["frames"][1]["picks"][1] is None
    assert "draft of player 1" in data["result"]


def test_a_replay_that_does_not_verify_says_so() -> None:
    data = json.loads(embedded(page_data(recorded())))
    assert data["difference"] is None
    wrong = LocmReplay(
        **{**{name: getattr(recorded(), name) for name in LocmReplay.__struct_fields__}, "scores": (5, 5)}
    )
    assert page_data(wrong)["difference"].startswith("scores: expected [5, 5]")
    assert Page(replay_page(wrong)).data()["difference"] is not None
