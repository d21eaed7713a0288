"""Playing over HTTP: what the page is told, and that nothing it posts does harm."""

from __future__ import annotations

import html
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.testclient import TestClient

from cardrome.games.agents import Agent, AgentKind
from cardrome.games.family import find_family
from cardrome.games.frames import Json
from cardrome.games.locm.agents.registry import AGENTS
from cardrome.games.replay_files import decode_replay
from cardrome.web import words
from cardrome.web.app import application
from cardrome.web.play import games as limits
from cardrome.web.play.games import Games
from cardrome.web.play.origins import ORIGINS
from cardrome.web.play.routes import part
from tests.games.whole_frames import whole

SEED = 1234567890123
HTML = {"Accept": "text/html"}


@pytest.fixture
def games() -> Games:
    return Games()


@pytest.fixture
def client(games: Games) -> Iterator[TestClient]:
    with TestClient(application([part(games)])) as client:
        yield client


class Page:
    """What the browser does, without drawing."""

    def __init__(self, client: TestClient, **wanted: Any) -> None:
        self.client = client
        made = client.post("/play/games", json={"opponent": "greedy", "seat": 0, "seed": SEED, **wanted})
        assert made.status_code == 201, made.text
        self.address = f"/play/games/{made.json()['id']}"
        self.state = client.get(self.address).json()
        self.frames = whole(self.state)
        self.things = self.state["things"]

    def post(self, what: str, **values: Any) -> Json:
        answer = self.client.post(f"{self.address}/{what}", json=values)
        assert answer.status_code == 200, answer.text
        state: Json = answer.json()
        assert state.keys() <= self.state.keys()
        self.state |= state
        kept = self.frames[: state["from"]]
        self.frames = kept[:-1] + whole({"frames": [*kept[-1:], *state["frames"]]})
        self.things |= state["things"]
        return state

    def change(self, what: str, **values: Any) -> Json:
        return self.post(what, at=self.state["at"], **values)

    def move(self, code: int) -> Json:
        return self.change("moves", code=code)

    def advised(self) -> int:
        hint = self.client.post(f"{self.address}/hint").json()
        assert hint["agent"] == list(find_family(self.state["edition"]).agents)[-2]
        assert hint["code"] in self.codes()
        code: int = hint["code"]
        return code

    def codes(self) -> list[int]:
        return [move["code"] for move in self.state["moves"]]

    def some(self) -> int:
        """A move that is neither the first nor the last, if there are so many: rarely the end of the turn."""
        codes = self.codes()
        return codes[len(codes) // 2]

    def reload(self) -> Json:
        answer: Json = self.client.get(self.address).json()
        return answer


@pytest.mark.parametrize(("edition", "seat"), [("locm-1.2", 1), ("locm-1.5", 0), ("tapdeck", 1)])
def test_a_whole_game(client: TestClient, edition: str, seat: int) -> None:
    page = Page(client, edition=edition, seat=seat)
    assert page.state["players"][seat] == "you"
    steps = 0
    while not page.state["over"]:
        assert page.state["player"] == seat
        assert page.state["moves"]
        page.move(page.some() if steps % 10 else page.advised())  # who is asked for advice takes their time
        if page.state["undo"] == 1:
            too_many = client.post(f"{page.address}/undo", json={"at": page.state["at"], "n": 2})
            assert too_many.json()["error"] == "1 action can be taken back"
        if page.state["undo"] and steps % 5 == 0:
            page.change("undo")
        steps += 1
        if steps % 10 == 0:  # a reload shows the same
            again = page.reload()
            assert whole(again) == page.frames
            assert {key: again[key] for key in ("things", "moves", "at", "undo", "seat")} == {
                **{key: page.state[key] for key in ("moves", "at", "undo", "seat")},
                "things": page.things,
            }
    assert (page.state["moves"], page.state["player"]) == ([], None)
    assert page.state["outcome"]["replay"]
    saved = client.get(f"{page.address}/replay")
    assert "attachment" in saved.headers["content-disposition"]
    replay = decode_replay(saved.content)
    assert replay.winner == page.state["outcome"]["winner"]
    assert find_family(edition).rerun(replay).verify() is None


def test_nothing_hidden_is_sent(client: TestClient) -> None:
    page = Page(client, edition="locm-1.2")
    page.change("complete")
    for _ in range(3):
        page.move(0)
    text = client.get(page.address).text
    assert str(SEED) not in text
    assert '"deal"' not in text
    assert [frame["decks"][1] for frame in page.frames if frame["kind"] == "decks"] == [[]]
    assert all(frame["picks"][1] is None for frame in page.frames if frame["kind"] == "draft")
    battle = [frame for frame in page.frames if frame["kind"] == "battle"]
    assert all(isinstance(frame["sides"]["1"]["hand"], int) for frame in battle)
    seen = {str(thing) for frame in battle for thing in frame["sides"]["0"]["hand"]}
    seen |= {
        str(row[0])
        for frame in battle
        for side in frame["sides"].values()
        for rows in side["rows"].values()
        for row in rows
    }
    seen |= {str(frame["deed"]["actor"]) for frame in battle if "actor" in frame["deed"]}
    assert set(page.things) == seen


def test_a_post_that_comes_too_late_or_twice_changes_nothing(client: TestClient) -> None:
    page = Page(client, edition="locm-1.2")
    at, first = page.state["at"], page.frames
    page.move(1)
    now = page.reload()
    for posted in (at, at + 1000, -1):
        for what, values in (("moves", {"code": 0}), ("undo", {}), ("complete", {}), ("drop", {"card": 0})):
            page.post(what, at=posted, **values)
            assert page.frames == whole(now) != first
            assert page.state["at"] == now["at"]
    assert page.reload() == now


def test_a_double_click_is_one_move(client: TestClient) -> None:
    """The same post from many threads at once."""
    page = Page(client, edition="locm-1.2")
    body = {"at": page.state["at"], "code": 0}
    with ThreadPoolExecutor(8) as clicks:
        answers = list(clicks.map(lambda _: client.post(f"{page.address}/moves", json=body), range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert {answer.json()["at"] for answer in answers} == {page.state["at"] + 1}
    assert [answer.json()["from"] for answer in answers].count(0) >= 7  # the first frame is replaced by the choice
    assert [frame["picks"][0] is None for frame in whole(page.reload())] == [False, True]


def test_what_is_posted_is_checked(client: TestClient) -> None:
    page = Page(client, edition="locm-1.2")
    before = page.reload()
    at = before["at"]
    bad: list[tuple[str, bytes | Json, int, str]] = [
        ("moves", b"", 400, "not JSON: it has no end"),
        ("moves", b"{", 400, "it has no end"),
        ("moves", b"[]", 400, "expected an object"),
        ("moves", {"at": at}, 400, "code is missing"),
        ("moves", {"at": at, "code": "1"}, 400, "expected a whole number"),
        ("moves", {"at": at, "code": 0, "as": 1}, 400, "unknown field"),
        ("moves", {"at": at, "code": 3}, 422, "not legal here"),
        ("moves", {"at": at, "code": -1}, 422, "not legal here"),
        ("moves", {"at": at, "code": 10**30}, 422, "not legal here"),
        ("undo", {"at": at}, 409, "0 actions can be taken back"),
        ("undo", {"at": at, "n": 0}, 409, "0 actions"),
        ("drop", {"at": at, "card": 0}, 422, "no such card"),
        ("rematch", {"swap": 3}, 400, "expected true or false"),
    ]
    for what, body, status, text in bad:
        sent: Any = {"content": body} if isinstance(body, bytes) else {"json": body}
        answer = client.post(f"{page.address}/{what}", **sent)
        assert (answer.status_code, text in answer.json()["error"]) == (status, True), (what, body, answer.text)
    assert client.get(f"{page.address}/replay").status_code == 409
    assert page.reload() == before


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ({"edition": "locm-9"}, "unknown edition"),
        ({"opponent": "os:system"}, "unknown opponent"),
        ({"opponent": "nobody"}, "known: pass, random, greedy, rule-based"),
        ({"seat": 2}, "invalid enum value 2"),
        ({"seed": "x"}, "expected a whole number"),
        ({"edition": 7}, "expected a text"),
        ({"colour": "red"}, "unknown field"),
    ],
)
def test_a_game_that_cannot_be(client: TestClient, wanted: Json, text: str) -> None:
    answer = client.post("/play/games", json={"edition": "locm-1.2", "opponent": "greedy", **wanted})
    assert answer.status_code == 400
    assert text in answer.json()["error"]


def test_games_belong_to_their_visitors(client: TestClient, games: Games) -> None:
    page = Page(client, edition="tapdeck")
    cookies = dict(client.cookies)
    client.cookies.clear()
    for method, what in (("GET", ""), ("POST", "/moves"), ("POST", "/hint"), ("POST", "/resign"), ("GET", "/replay")):
        assert client.request(method, page.address + what, json={"at": 0, "code": 0}).status_code == 404
    client.cookies.clear()
    client.cookies.update(cookies)
    assert page.reload()["at"] == page.state["at"]
    assert client.get("/play/games/nothing").status_code == 404
    assert client.post(f"{page.address}/hint", headers={"Origin": "https://elsewhere"}).status_code == 403


def test_giving_up_and_playing_again(client: TestClient) -> None:
    page = Page(client, edition="locm-1.2", seat=1)
    offer = page.frames[0]["offer"]
    page.post("resign")
    fault = {"player": 1, "kind": "resigned", "message": ""}
    assert page.state["outcome"] == {"winner": 0, "ending": "fault", "scores": [0, -1], "fault": fault, "replay": True}
    assert client.post(f"{page.address}/resign").status_code == 409
    assert client.post(f"{page.address}/hint").status_code == 409
    for swap in (False, True):
        again = client.post(f"{page.address}/rematch", json={"swap": swap})
        state = client.get(f"/play/games/{again.json()['id']}").json()
        assert (again.status_code, state["seat"]) == (201, 0 if swap else 1)
        assert state["frames"][0]["offer"] == offer  # the same deal
    match = Page(client, edition="tapdeck")
    assert not match.post("resign")["outcome"]["replay"]
    assert client.get(f"{match.address}/replay").status_code == 409


@pytest.mark.parametrize("edition", ["locm-1.2", "tapdeck"])
def test_going_on_from_a_moment_of_a_replay(client: TestClient, edition: str) -> None:
    family = find_family(edition)
    page = Page(client, edition=edition)
    while not page.state["over"]:
        page.move(page.some())
    replay = decode_replay(client.get(f"{page.address}/replay").content)
    address = ORIGINS.address(replay)
    assert address == ORIGINS.address(replay)
    assert address is not None
    key = address.partition("=")[2]
    frames = whole(family.page_data(replay))
    n = next(
        n
        for n, frame in enumerate(frames)
        if frame.get("turn") == 6 and frame["deed"]["kind"] not in ("turn", "finish")
    )
    again = Page(client, edition=edition, seat=None, seed=None, **{"from": {"replay": key, "frame": n}})
    assert again.state["seat"] == frames[n]["player"]
    assert again.frames[-1]["sides"]["0"]["rows"] == frames[n]["sides"]["0"]["rows"]
    while not again.state["over"]:
        again.move(again.some())
    saved = decode_replay(client.get(f"{again.address}/replay").content)
    assert family.rerun(saved).verify() is None
    for wanted, text in (
        ({"replay": "gone", "frame": n}, "not here any more"),
        ({"replay": key, "frame": 10**9}, "no frame"),
        ({"replay": key, "frame": len(frames) - 1}, "over"),
    ):
        asked = {"edition": edition, "opponent": "greedy", "from": wanted}
        refused = client.post("/play/games", json=asked)
        assert (refused.status_code, text in refused.json()["error"]) == (400, True), refused.text


def test_pages(client: TestClient) -> None:
    """The lobby, the table, the finished game to watch, and from there back to the lobby to play on."""
    page = Page(client, edition="locm-1.2")
    place = page.address.replace("/games", "")
    lobby = client.get("/play?language=fr&edition=tapdeck", headers=HTML).text
    assert 'value="tapdeck" data-family="tapdeck" checked' in lobby
    assert words.edition_line("fr", "locm-1.5") in html.unescape(lobby)
    assert f'href="{place}"' in lobby
    assert str(SEED) not in client.get(place, headers=HTML).text
    assert client.get(f"{place}/watch", headers=HTML).status_code == 409
    page.post("resign")
    watched = client.get(f"{place}/watch", headers=HTML).text
    found = re.search(r'back="([^"]+)" play="([^"]+)"', watched)
    assert found is not None
    assert found[1] == place
    assert f'href="{place}"' not in client.get("/play", headers=HTML).text
    again = client.get(f"{found[2]}&at=0", headers=HTML).text
    assert 'data-frame="0"' in again
    for gone in (f"{found[2]}&at=99", f"{found[2]}&at=x", "/play?from=nothing"):
        assert "data-frame" not in client.get(gone, headers=HTML).text
    missing = client.get("/play/nothing", headers=HTML)
    assert missing.status_code == 404
    assert words.text("en", "play.gone") in html.unescape(missing.text)


class Thinker(Agent):
    """Thinks until it is told to stop."""

    started, enough = threading.Event(), threading.Event()

    def act(self, view: Any) -> int:
        self.started.set()
        self.enough.wait()
        code: int = view.legal_codes()[0]
        return code


def test_an_agent_who_thinks_holds_up_nobody_else(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "thinker", AgentKind("thinker", "thinks", Thinker))
    slow, fast = (Page(client, edition="locm-1.2", opponent=name) for name in ("thinker", "greedy"))
    with ThreadPoolExecutor(1) as other:
        waiting = other.submit(slow.move, 0)
        Thinker.started.wait()
        for _ in range(5):
            fast.move(0)
        assert not waiting.done()
        Thinker.enough.set()
        assert waiting.result()["player"] == 0


def test_there_is_room_for_so_many_games(client: TestClient, games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    games.own, games.most = 2, 3
    first, second, third = (Page(client, edition="tapdeck") for _ in range(3))
    assert client.get(first.address).status_code == 404  # the one that was left alone for longest
    assert client.get(second.address).status_code == 200
    client.cookies.clear()
    Page(client, edition="tapdeck")
    refused = client.post("/play/games", json={"edition": "tapdeck", "opponent": "greedy"})
    assert (refused.status_code, "too many games" in refused.json()["error"]) == (503, True)
    monkeypatch.setattr(limits, "IDLE_WHEN_FULL", -1.0)
    Page(client, edition="tapdeck")
    assert client.get(third.address).status_code == 404


def test_too_many_requests(client: TestClient) -> None:
    made = [client.post("/play/games", json={"edition": "x", "opponent": "y"}).status_code for _ in range(40)]
    assert set(made) == {400, 429}
