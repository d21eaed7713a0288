"""Watching: files that are uploaded, good and bad, and example games."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from cardrome.games.family import edition_names
from cardrome.games.replay_files import encode_replay
from cardrome.web import watch
from cardrome.web.app import application
from cardrome.web.watch import ReplayFile, Shelf, read_file
from tests.arena import games
from tests.games.tapdeck.protocol.scripted import play
from tests.web.parsed import ParsedPage

HOSTILE = ("</script><script>alert(1)</script>", "<img src=x onerror=alert(2)>")


@pytest.fixture(scope="module")
def locm() -> bytes:
    return encode_replay(games.play("rule-based", "greedy", seed=5, names=HOSTILE))


@pytest.fixture(scope="module")
def both(locm: bytes) -> bytes:
    return locm + b"\n" + encode_replay(play(3))


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(application([watch.part()])) as client:
        yield client


def upload(client: TestClient, name: str, data: bytes) -> str:
    answer = client.post("/watch/files", params={"name": name}, content=data)
    assert answer.status_code == 200, answer.text
    address: str = answer.json()["address"]
    assert re.fullmatch(r"/watch/[0-9a-f]{16}", address)
    return address


def page_data(page: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="replay">(.*)</script>', page)
    assert found is not None
    data: dict[str, object] = json.loads(found[1])
    return data


def test_a_file_is_shown_under_the_same_address_again(client: TestClient, locm: bytes) -> None:
    address = upload(client, "game.json", locm)
    page = client.get(address).text
    data = page_data(page)
    assert (data["players"], data["edition"]) == (list(HOSTILE), "locm-1.2")
    assert not any(name in page for name in HOSTILE)
    assert upload(client, "other name.json", locm) == address
    packed = upload(client, "game.json.gz", gzip.compress(locm))
    assert page_data(client.get(packed).text) == data
    pretty = upload(client, "game.json", json.dumps(json.loads(locm), indent=1).encode())
    assert page_data(client.get(pretty).text) == data


def test_the_games_of_a_file_are_listed(client: TestClient, both: bytes) -> None:
    address = upload(client, "../../<b>games</b>.jsonl", both)
    page = client.get(address)
    texts = ParsedPage(page.text).texts
    assert "Games in b>.jsonl" in texts
    assert HOSTILE[0] in "".join(texts)
    assert re.findall(rf'<a href="({address}/\d+)">', page.text) == [f"{address}/1", f"{address}/2"]
    assert page_data(client.get(f"{address}/2").text)["edition"] == "tapdeck"
    assert f'back="{address}"' in client.get(f"{address}/2").text
    for wrong in ("/0", "/3", "/-1", "/x", "/1/1"):
        assert client.get(address + wrong).status_code == 404


@pytest.mark.parametrize(
    ("name", "data", "key", "detail"),
    [
        ("a.json", b"", "This file is empty.", ""),
        ("a.jsonl", b"\n \n", "This file is empty.", ""),
        ("a.json", b"\x89PNG\r\n", "This is not a replay", "not JSON"),
        ("a.json", b'{"format": "other", "version": 1}', "This is not a replay", "format is 'other'"),
        ("a.jsonl", b'{"format": "cardrome-replay", "version": 2}', "This is not a replay", "version 2"),
        ("a.json", b'{"format":"cardrome-replay","version":1,"edition":"chess"}', "This is not a replay", "chess"),
        ("a.json.gz", gzip.compress(b"x" * 1000, mtime=0)[:-20], "This is not a replay", "damaged gzip data"),
        ("a.json", b"[" * 100_000, "This is not a replay", ""),
    ],
    ids=["nothing", "only-blanks", "a-photo", "other-format", "newer", "other-game", "damaged", "nested"],
)
def test_bad_files_are_refused_with_a_reason(client: TestClient, name: str, data: bytes, key: str, detail: str) -> None:
    answer = client.post("/watch/files", params={"name": name}, content=data)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(key)
    assert detail in answer.json()["detail"]
    french = client.post("/watch/files", content=data, headers={"Accept-Language": "fr"}).json()["error"]
    assert french in ("Ce fichier est vide.", "Ce n’est pas un replay lisible par Cardrome.")


def test_what_unpacks_to_too_much_is_refused(client: TestClient, both: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "UNPACKED", len(both) // 2)
    answer = client.post("/watch/files", params={"name": "a.jsonl.gz"}, content=gzip.compress(both))
    assert answer.json()["error"].startswith("This file unpacks to more than")


def test_a_file_of_many_games_is_cut(client: TestClient, locm: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "GAMES", 2)
    page = client.get(upload(client, "a.jsonl", locm * 3)).text
    assert "Only the first 2 games of this file are listed." in ParsedPage(page).texts


def test_uploads_are_limited(client: TestClient) -> None:
    answers = [client.post("/watch/files", content=b"").status_code for _ in range(25)]
    assert (answers[0], answers[-1]) == (422, 429)


def test_old_files_make_room_for_new_ones(locm: bytes) -> None:
    file = read_file("a.json", locm)
    size = len(file.packed[0])
    shelf = Shelf(room=2 * size)
    keys = [shelf.put(bytes([n]), file) for n in range(3)]
    assert isinstance(shelf.find(keys[2]), ReplayFile)
    assert shelf.find(keys[1]) is file
    with pytest.raises(Exception, match="404"):
        shelf.find(keys[0])


def test_every_edition_has_an_example(client: TestClient) -> None:
    index = client.get("/watch").text
    assert sorted(re.findall(r'href="/watch/([\w.-]+)"', index)) == sorted(edition_names())
    for name in ("locm-1.5", "tapdeck"):
        data = page_data(client.get(f"/watch/{name}").text)
        assert data["edition"] == name
        assert data["difference"] is None
    assert watch.example("tapdeck") is watch.example("tapdeck")
    assert client.get("/watch/chess").status_code == 404


def test_a_game_is_analysed_when_somebody_asks(
    client: TestClient, locm: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = client.get(upload(client, "game.json", locm)).text
    found = re.search(r' analyse="(/watch/analysis/[0-9a-f]{20})"', page)
    assert found is not None
    data, additions = page_data(page), client.get(found[1]).json()
    assert len(additions["evaluation"]) == len(data["frames"])  # type: ignore[arg-type]
    assert additions["evaluation"][-1] in (0, 1)
    assert all(review["cost"] > 0 and review["better"] for _, review in additions["reviews"])
    assert client.get("/watch/analysis/0123").status_code == 404
    monkeypatch.setattr(watch, "ANALYSED", 1)
    watch._analysis.cache_clear()
    assert client.get(found[1]).status_code == 422
