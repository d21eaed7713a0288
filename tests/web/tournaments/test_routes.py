"""Tournaments on the site, asked over HTTP: from real stores, finished and growing."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from starlette.testclient import TestClient

from cardrome.games.replay_files import read_replays
from cardrome.tournament.games import GameTable
from cardrome.tournament.schedule.pairing import Pairing
from cardrome.tournament.settings import BotSection
from cardrome.tournament.store.store import TournamentStore
from cardrome.web.site import site
from cardrome.web.tournaments import pages, stores
from tests.cli.runner import cardrome
from tests.postgres import PostgresServer, needs_postgres
from tests.tournament.growing_store import PAIRS, growing_store
from tests.tournament.small_cups import HOSTILE
from tests.tournament.store.tools import EDITION, keys, played
from tests.web.parsed import ParsedPage
from tests.web.tournaments.conftest import Cup

HTML = {"Accept": "text/html"}


def visitor(store: str | None, **headers: str) -> TestClient:
    return TestClient(site(store), headers={**HTML, **headers}, raise_server_exceptions=True)


@pytest.fixture(scope="module")
def agents(families: Cup) -> Iterator[TestClient]:
    """A visitor of the cup of two games."""
    with visitor(families[0].name) as client:
        yield client


@pytest.fixture(scope="module")
def bots(programs: Cup) -> Iterator[TestClient]:
    """A visitor of the cup of programs."""
    with visitor(programs[0].name) as client:
        yield client


def page(client: TestClient, path: str) -> ParsedPage:
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.text[:500])
    return ParsedPage(answer.text)


def test_without_a_store_the_page_says_how_to_make_one() -> None:
    with visitor(None) as client:
        assert "cardrome web --store" in client.get("/tournaments").text
        assert client.get("/tournaments/cup").status_code == 404


@pytest.mark.parametrize("which", ["agents", "bots"])
def test_every_page_can_be_walked_to_and_no_name_becomes_a_tag(which: str, request: pytest.FixtureRequest) -> None:
    client: TestClient = request.getfixturevalue(which)
    waiting, seen = ["/tournaments"], set[str]()
    kinds = set[str]()
    while waiting:
        path = waiting.pop().partition("#")[0]
        # Of lists and games, a few of each kind are enough.
        kind = re.sub(r"\d+", "N", path)
        if (
            path in seen
            or not path.startswith("/tournaments")
            or sum(re.sub(r"\d+", "N", each) == kind for each in seen) > 2
        ):
            continue
        seen.add(path)
        kinds.add(kind)
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
        assert "hunter2" not in answer.text
        if answer.headers["Content-Type"].startswith("text/html"):
            parsed = ParsedPage(answer.text)
            assert not {"img", "iframe"} & set(parsed.tags)
            assert not parsed.attributes & {"style", "onerror", "onclick"}
            assert "<i>somebody" not in answer.text
            assert "<b>cup" not in answer.text
            assert len(set(parsed.values("id"))) == len(parsed.values("id"))
            waiting += parsed.values("href", "a")
    root, pages = "/tournaments/cup", ("/", "/bots/N", "/games", "/games.csv", "/tournament.toml")
    assert {"/tournaments", *(root + each for each in pages)} <= kinds
    assert any(kind.endswith("/watch") for kind in kinds)
    assert any(kind.endswith("/replay.json") for kind in kinds)


def test_the_first_page_has_standings_matrix_and_games_to_watch(agents: TestClient, families: Cup) -> None:
    _, summary, _ = families
    found = page(agents, "/tournaments/cup")
    names = [summary.entrant(line.entrant).name for line in summary.overall.standings]
    table = found.values("name", "cardrome-crest")
    assert table[: len(names)] == names
    assert HOSTILE in names
    assert found.tags.count("circle") >= len(names)
    assert len([link for link in found.values("href", "a") if link.endswith("/watch")]) >= 6
    assert found.values("data-games")
    assert found.values("data-stamp") == []  # it is over


def test_games_are_filtered_and_counted(bots: TestClient, programs: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    _, summary, games = programs
    crashing = next(each.id for each in summary.entrants if each.name == "crashing")
    greedy = next(each.id for each in summary.entrants if each.name == "greedy")

    def count(query: str) -> int:
        found = page(bots, f"/tournaments/cup/games?{query}")
        rows = len(re.findall(r"/games/locm-1\.2/[\d-]+\"", bots.get(f"/tournaments/cup/games?{query}").text))
        (chip,) = [text for text in found.texts if re.fullmatch(r"\d+ games?", text)]
        assert int(chip.split()[0]) == rows
        return rows

    assert count("") == len(games)
    assert count(f"one={crashing}&fault=any") == count("fault=crash") == int(games.forfeit.sum())
    assert count("fault=none") == len(games) - int(games.forfeit.sum())
    both = ((games["a"] == greedy) & (games["b"] == crashing)) | ((games["a"] == crashing) & (games["b"] == greedy))
    assert count(f"one={greedy}&other={crashing}") == int(both.sum())
    won, lost = count(f"one={greedy}&result=won"), count(f"one={greedy}&result=lost")
    assert won + lost == count(f"one={greedy}")
    assert count("result=first") + count("result=second") + count("result=drawn") == len(games)
    assert count("edition=tapdeck") == 0
    assert count("edition=locm-1.2&fault=timeout") == 0
    assert count("one=99999999999999999999&page=-3&fault=%00&result=nonsense") in (0, len(games))
    monkeypatch.setattr(pages, "ROWS", 3)
    first = page(bots, "/tournaments/cup/games?fault=none")
    (second,) = {link for link in first.values("href", "a") if "page=2" in link}
    assert "fault=none" in second
    assert page(bots, second).texts != first.texts
    assert bots.get("/tournaments/cup/games?page=999").status_code == 200


def test_a_bot_page_tells_what_went_wrong(bots: TestClient, programs: Cup) -> None:
    _, summary, _ = programs
    by_name = {each.name: each.id for each in summary.entrants}
    text = bots.get(f"/tournaments/cup/bots/{by_name['crashing']}").text
    assert "&lt;script&gt;alert(2)&lt;/script&gt; out of ideas" in text
    assert "crash" in text
    assert "&lt;16 ms" in text or "&lt;" in text
    assert "its build failed" in bots.get(f"/tournaments/cup/bots/{by_name['unbuildable']}").text


def test_games_of_built_in_agents_are_played_again_to_be_watched(agents: TestClient, families: Cup) -> None:
    store, _, games = families
    for place in (0, 1, len(games) - 1):
        key = games.key(place)
        assert store.game(key).replay is None  # type: ignore[union-attr]
        root = f"/tournaments/cup/games/{key.edition}/{key.a}-{key.b}-{key.pair}-{key.game}"
        data = ParsedPage(agents.get(f"{root}/watch").text).data_of("replay")
        assert data["edition"] == key.edition
        assert len(data["frames"]) > 10
        winner = games["winner"][place]
        assert data["outcome"]["winner"] == (None if winner == 2 else int(winner) ^ key.game)


def test_the_command_line_plays_the_same_game(agents: TestClient, families: Cup, tmp_path: Path) -> None:
    """Of a pair, the second game: chance goes with the bot and not with the seat."""
    _, _, games = families
    place = next(place for place in range(len(games)) if games.key(place).game == 1)
    key = games.key(place)
    root = f"/tournaments/cup/games/{key.edition}/{key.a}-{key.b}-{key.pair}-{key.game}"
    (shown,) = [text for text in page(agents, root).by_tag["pre"] if "replay record" in text]
    program, *words = shlex.split(shown)
    assert program == "cardrome"
    assert cardrome(*words, cwd=tmp_path).returncode == 0
    (again,) = read_replays(tmp_path / "game.json")
    kept = agents.get(f"{root}/replay.json").content
    mine, theirs = (msgspec.to_builtins(each) for each in (again, msgspec.json.decode(kept, type=type(again))))
    for replay in (mine, theirs):
        del replay["players"]  # here agents' names, there those of bots
    assert mine == theirs


@pytest.mark.parametrize(
    "path",
    [
        "nothing", "cup/bots/99", "cup/bots/x", "cup/editions/nothing", "cup/games/locm-1.2/1-2-99-0",
        "cup/games/locm-1.2/1-2-0-0/nothing", "cup/games/../1-2-0-0", "cup/games/locm-1.2/1-2-99999999999999999999-0",
    ],
)  # fmt: skip
def test_what_is_not_there_is_not_found(agents: TestClient, path: str) -> None:
    assert agents.get(f"/tournaments/{path}").status_code == 404


def test_pages_in_french(bots: TestClient) -> None:
    text = bots.get("/tournaments/cup", headers={"Accept-Language": "fr"}).text
    assert "Classement" in text
    assert "Standings" not in text
    assert re.search(r"\d,\d\u202f%", text)


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores are looked at again with every request."""
    monkeypatch.setattr(stores, "PAUSE", 0.0)
    monkeypatch.setattr(stores, "REST", 0.0)


def followed(where: str) -> None:
    """Watch a tournament from before its beginning to its end, while another process plays it."""
    with visitor(where) as client:
        (name,) = stores.shown([where])
        root = f"/tournaments/{name}"
        assert client.get("/tournaments").status_code == 200
        assert client.get(root).status_code == 404
        with growing_store(where) as writer:
            stamps = [client.get(f"{root}/stamp").json()["stamp"]]
            assert "No game has been played yet" in client.get(root).text
            for number in range(1, PAIRS + 1):
                assert writer.grow() == 2 * number
                until = client.get(root)
                stamps.append(client.get(f"{root}/stamp").json()["stamp"])
                text = until.text
                assert f"{2 * number} games in seat-swapped pairs" in text
                key = f"{root}/games/locm-1.2/1-2-{number - 1}-1"
                about = client.get(key).text
                watched = ParsedPage(client.get(f"{key}/watch").text).data_of("replay")
                if number < PAIRS:
                    assert f"{2 * number} of {2 * PAIRS} games" in text
                    assert "running" in text
                    assert f'data-stamp="{stamps[-1]}"' in text
                    # The deal is a secret: others may have to play on it.
                    assert "replay record" not in about
                    assert "deal" not in watched
                    assert client.get(f"{key}/replay.json").status_code == 403
                    rows = client.get(f"{root}/games.csv").text.splitlines()
                    assert [row.split(",")[5] for row in rows] == ["deal", *[""] * 2 * number]
                else:
                    assert "data-stamp" not in text
                    assert "replay record" in about
                    assert watched["deal"]
            assert len(set(stamps)) == len(stamps)


@pytest.mark.usefixtures("eager")
def test_a_running_tournament_is_followed(tmp_path: Path) -> None:
    followed(str(tmp_path / "cup.db"))


@needs_postgres
@pytest.mark.usefixtures("eager")
def test_a_running_tournament_is_followed_on_postgresql(postgres_server: PostgresServer) -> None:
    followed(postgres_server.new_schema())


def test_a_store_that_cannot_be_read_is_named_without_its_secrets(tmp_path: Path) -> None:
    (tmp_path / "cup.db").write_text("this is no database, whatever else it may be" * 50)
    with visitor(str(tmp_path / "cup.db")) as client:
        answer = client.get("/tournaments")
        assert answer.status_code == 200
        assert "cup" in answer.text
    with visitor("postgresql://someone:hunter2@127.0.0.1:1/cup?connect_timeout=2") as client:
        answer = client.get("/tournaments")
        assert answer.status_code == 200
        assert "hunter2" not in answer.text
        assert client.get("/tournaments/cup").status_code == 503


def test_stores_of_the_same_name_are_told_apart(families: Cup, programs: Cup) -> None:
    found = stores.shown([families[0].name, programs[0].name])
    assert list(found) == ["cup", "cup-2"]


def test_agents_named_in_a_store_are_not_imported(tmp_path: Path) -> None:
    """A store may be a stranger's; `module:Class` would run the module."""
    with TournamentStore.open(tmp_path / "cup.db") as store:
        store.register("cup", 1, "{}", "{}")
        store.enter([BotSection(name="a", agent="this:that"), BotSection(name="b", agent="nobody")])
        store.save(GameTable.of_records([played(key) for key in keys(Pairing(EDITION, 1, 2, 0, 2))]))
    with visitor(str(tmp_path / "cup.db")) as client:
        assert client.get("/tournaments/cup").status_code == 200
        assert client.get("/tournaments/cup/games").status_code == 200
        assert client.get(f"/tournaments/cup/games/{EDITION}/1-2-0-0/watch").status_code == 404
    assert "this" not in sys.modules
