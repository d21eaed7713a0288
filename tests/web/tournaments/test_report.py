"""A report as a folder: its links, its replays, what it replaces, and what strangers cannot put into it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from urllib.parse import urldefrag

import msgspec
import pytest

from cardrome.errors import CallerError
from cardrome.tournament.games import GameKey
from cardrome.tournament.results.summary import summarize
from cardrome.tournament.store.store import TournamentStore
from cardrome.web.templates import render
from cardrome.web.tournaments import report
from cardrome.web.tournaments.addresses import FileAddresses
from cardrome.web.tournaments.pages import chosen_games
from cardrome.web.tournaments.report import write_report
from tests.tournament.small_cups import HOSTILE
from tests.web.parsed import ParsedPage
from tests.web.tournaments.conftest import Cup


@pytest.fixture(scope="module", params=["families", "programs"])
def cup(request: pytest.FixtureRequest) -> Cup:
    found: Cup = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
def site(cup: Cup, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a cup."""
    folder = tmp_path_factory.mktemp("site")
    write_report(folder, *cup, jobs=1)
    return folder


def parsed(folder: Path) -> dict[Path, ParsedPage]:
    return {path: ParsedPage(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}


def test_every_link_leads_somewhere(site: Path) -> None:
    found = parsed(site)
    for path, page in found.items():
        for link in page.values("href", "a"):
            where, mark = urldefrag(link)
            target = (path.parent / where).resolve() if where else path
            assert target.is_file(), (path, link)
            if mark:
                assert mark in found[target].values("id"), (path, link)


def test_every_page_can_be_reached(site: Path) -> None:
    found = parsed(site)
    reached, waiting = set[Path](), [site / "index.html"]
    while waiting:
        path = waiting.pop()
        if path in reached or path not in found:
            continue
        reached.add(path)
        waiting += [(path.parent / urldefrag(link)[0]).resolve() for link in found[path].values("href", "a")]
    assert reached == set(found)


def test_pages_load_their_own_files_alone_and_no_name_becomes_a_tag(site: Path) -> None:
    for path, page in parsed(site).items():
        text = path.read_text(encoding="utf-8")
        up = "../" * (len(path.relative_to(site).parts) - 1)
        assert page.values("src") == [f"{up}report.js"]
        assert page.values("href", "link")[-1:] == [f"{up}report.css"]
        assert "img" not in page.tags
        assert "i" not in page.tags or "<i>somebody" not in text
        assert "b" not in page.tags or "<b>cup" not in text
        assert not page.attributes & {"style", "onerror", "onclick"}
        (policy,) = [given["content"] or "" for _, given in page.elements if "http-equiv" in given]
        assert policy.startswith("default-src 'none'; ")
        assert "unsafe" not in policy
        assert len(set(page.values("id"))) == len(page.values("id"))
        assert "hunter2" not in text
    assert "hunter2" not in (site / "tournament.toml").read_text()


def test_a_replay_page_is_little_more_than_its_game(site: Path) -> None:
    found = [path for path in (site / "replays").rglob("*.html") if path.name != "index.html"]
    assert found
    for path in found:
        page = ParsedPage(path.read_text(encoding="utf-8"))
        assert path.stat().st_size < 2500 + len(page.by_tag["script"][1])
    assert "import " not in (site / "report.js").read_text(encoding="utf-8")  # browsers load no modules from files


def test_replays_are_linked_from_the_first_page_and_listed(cup: Cup, site: Path) -> None:
    found = parsed(site)
    watch = [link for link in found[site / "index.html"].values("href", "a") if link.startswith("replays/")]
    assert "replays/index.html" in watch
    assert len(watch) > 2
    links = found[site / "replays" / "index.html"].values("href", "a")
    listed = {link for link in links if link.startswith("../replays/")}
    written = {f"../replays/{path.parent.name}/{path.name}" for path in (site / "replays").glob("*/*.html")}
    assert listed == written


def test_every_stored_replay_gets_a_page_up_to_the_limit(programs: Cup, tmp_path: Path) -> None:
    store, summary, games = programs
    stored = store.replays()
    assert stored
    none = partial(write_report, store=store, summary=summary, games=games, replay_pairs=0, fault_replays=0)
    assert none(tmp_path / "all") == len(stored)
    assert all((tmp_path / "all" / FileAddresses(None).watch(key)).is_file() for key in stored)
    assert none(tmp_path / "some", replay_limit=3) == 3
    assert f"{len(stored) - 3} more games were kept" in (tmp_path / "some" / "replays" / "index.html").read_text()


def test_a_report_in_french(programs: Cup, tmp_path: Path) -> None:
    store, summary, games = programs
    write_report(tmp_path / "site", store, summary, games, replay_limit=1, language="fr")
    for path in (tmp_path / "site").rglob("*.html"):
        assert '<html lang="fr">' in path.read_text(encoding="utf-8")
    index = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "Classement" in index
    assert "Standings" not in index
    assert re.search(r"\d,\d\u202f%", index)


def test_the_same_store_gives_the_same_bytes(cup: Cup, site: Path, tmp_path: Path) -> None:
    store, _, _ = cup
    snapshot = store.snapshot()
    write_report(tmp_path / "other", store, summarize(snapshot, replicates=50), snapshot.games)
    files = [path for path in site.rglob("*") if path.is_file()]
    assert files
    for path in files:
        assert path.read_bytes() == (tmp_path / "other" / path.relative_to(site)).read_bytes()


def test_replay_pages_are_made_by_other_processes_too(families: Cup, tmp_path: Path) -> None:
    store, summary, games = families
    count = write_report(tmp_path / "one", store, summary, games, replay_limit=4)
    assert count == write_report(tmp_path / "two", store, summary, games, replay_limit=4, jobs=2) == 4
    for path in (tmp_path / "one" / "replays").rglob("*-*.html"):
        assert path.read_bytes() == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes()


def test_faults_come_first_and_then_a_pair_of_each_pairing(cup: Cup) -> None:
    _, summary, games = cup
    chosen = chosen_games(summary, games, 1, 100, 1000)
    faults = [GameKey(each.edition, each.a, each.b, each.pair, each.game) for each in summary.failures]  # type: ignore[arg-type]
    assert chosen[: len(faults)] == faults
    assert len(set(chosen)) == len(chosen)
    for edition, one, other, _ in games.pairings():
        for game in (0, 1):
            assert GameKey(edition, one, other, 0, game) in chosen
    assert len(chosen_games(summary, games, 1, 100, 5)) == 5
    assert chosen_games(summary, games, 0, 0, 1000) == []


def test_an_earlier_report_is_replaced_as_a_whole(programs: Cup, tmp_path: Path) -> None:
    store, summary, games = programs
    folder = tmp_path / "deep" / "site"
    write_report(folder, store, summary, games, replay_limit=2)
    write_report(folder, store, summary, games, replay_limit=0)
    assert [path.name for path in (folder / "replays").iterdir()] == ["index.html"]
    assert [path.name for path in folder.parent.iterdir()] == ["site"]


@pytest.mark.parametrize("name", [".git", "notes.txt", "index.html"])
def test_files_of_others_are_left_alone(programs: Cup, tmp_path: Path, name: str) -> None:
    store, summary, games = programs
    if name != "index.html":
        write_report(tmp_path / "site", store, summary, games, replay_limit=0)
    (tmp_path / "site").mkdir(exist_ok=True)
    (tmp_path / "site" / name).write_text("mine")
    with pytest.raises(CallerError, match="not written by a report"):
        write_report(tmp_path / "site", store, summary, games, replay_limit=0)
    assert (tmp_path / "site" / name).read_text() == "mine"


def test_a_report_that_fails_leaves_the_old_one(programs: Cup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, summary, games = programs
    write_report(tmp_path / "site", store, summary, games, replay_limit=0)
    before = {path: path.read_bytes() for path in (tmp_path / "site").rglob("*.html")}

    def broken(*_: object) -> Iterator[tuple[str, str]]:
        yield "bots/1.html", "half of it"
        raise RuntimeError("broken")

    monkeypatch.setattr(report, "_files", broken)
    with pytest.raises(RuntimeError, match="broken"):
        write_report(tmp_path / "site", store, summary, games, replay_limit=0)
    assert {path: path.read_bytes() for path in (tmp_path / "site").rglob("*.html")} == before
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_many_games_are_listed_on_several_pages(programs: Cup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, summary, games = programs
    monkeypatch.setattr(report, "ROWS", 2)
    write_report(tmp_path / "site", store, summary, games, replay_limit=2)
    edition = summary.editions[0]
    listed = sorted((tmp_path / "site" / "games" / edition).glob("1-2*.html"))
    count = sum(1 for path in listed for _ in re.finditer(r'<tr><td class="l">', path.read_text()))
    assert len(listed) == count // 2 > 1
    ours = games.of_editions([edition])
    assert count == int(((ours["a"] == 1) & (ours["b"] == 2)).sum())


def test_a_bot_page_tells_what_went_wrong(programs: Cup, tmp_path: Path) -> None:
    store, summary, games = programs
    write_report(tmp_path / "site", store, summary, games, replay_limit=4)
    text = (tmp_path / "site" / "bots" / "3.html").read_text()
    assert "&lt;script&gt;alert(2)&lt;/script&gt; out of ideas" in text
    failure = summary.failures[0]
    key = GameKey(failure.edition, failure.a, failure.b, failure.pair, failure.game)  # type: ignore[arg-type]
    assert f"../{FileAddresses(None).watch(key)}" in text
    assert "its build failed" in (tmp_path / "site" / "bots" / "4.html").read_text()


@pytest.fixture
def copied(programs: Cup, tmp_path: Path) -> Iterator[tuple[TournamentStore, sqlite3.Connection]]:
    """The cup of programs, to be changed by a hand that knows no bounds."""
    with closing(sqlite3.connect(programs[0].name)) as source, closing(sqlite3.connect(tmp_path / "cup.db")) as copy:
        source.backup(copy)
        with TournamentStore.open(tmp_path / "cup.db", claim=False) as store:
            yield store, copy


def test_a_game_whose_stored_replay_is_damaged_has_no_page(
    copied: tuple[TournamentStore, sqlite3.Connection], programs: Cup, tmp_path: Path
) -> None:
    store, copy = copied
    _, summary, games = programs
    before = write_report(tmp_path / "before", store, summary, games, replay_limit=3)
    key = chosen_games(summary, games, 1, 100, 1)[0]
    this = "WHERE a = ? AND b = ? AND pair = ? AND first = ?", (key.a, key.b, key.pair, key.game)
    (data,) = copy.execute(f"SELECT replay FROM tournament_replays {this[0]}", this[1]).fetchone()
    damaged = data[:40] + bytes([data[40] ^ 4]) + data[41:]
    copy.execute(f"UPDATE tournament_replays SET replay = ? {this[0]}", (damaged, *this[1]))
    copy.commit()
    assert write_report(tmp_path / "site", store, summary, games, replay_limit=3) == before - 1 == 2
    assert (tmp_path / "before" / FileAddresses(None).watch(key)).exists()
    assert not (tmp_path / "site" / FileAddresses(None).watch(key)).exists()


def test_a_hostile_kind_of_fault_is_shown_as_text(
    copied: tuple[TournamentStore, sqlite3.Connection], tmp_path: Path
) -> None:
    """Kinds come from the store, which may be a stranger's."""
    store, copy = copied
    kind = f'"onclick="x"></td>{HOSTILE}<script>'
    copy.execute("UPDATE tournament_details SET fault_kind = ? WHERE fault_kind IS NOT NULL", (kind,))
    for (old,) in copy.execute("SELECT behaviours FROM tournament_details").fetchall():
        new = old.replace(msgspec.msgpack.encode("crash"), msgspec.msgpack.encode(kind))
        copy.execute("UPDATE tournament_details SET behaviours = ? WHERE behaviours = ?", (new, old))
    copy.commit()
    snapshot = store.snapshot()
    assert {fault for each in snapshot.behaviours.values() for fault in each.faults} == {kind}
    assert snapshot.games.fault_kinds == (kind,)
    write_report(tmp_path / "site", store, summarize(snapshot, replicates=20), snapshot.games, replay_limit=0)
    found = parsed(tmp_path / "site")
    for page in found.values():
        assert not page.attributes & {"style", "onerror", "onclick"}
        assert "img" not in page.tags
        assert page.tags.count("script") == 1  # our own
    showing = {path.parent.name for path, page in found.items() if any(kind in text for text in page.texts)}
    assert showing == {"site", "bots", "locm-1.2"}


def test_a_tournament_without_games_has_pages_too(tmp_path: Path) -> None:
    with TournamentStore.open(tmp_path / "cup.db", claim=False) as store:
        store.register(HOSTILE, 1, '{"schedule":"swiss"}', '{"pairs":2,"rounds":3,"editions":["locm-1.2"]}')
        snapshot = store.snapshot()
        assert write_report(tmp_path / "site", store, summarize(snapshot), snapshot.games) == 0
    assert "No game has been played yet" in (tmp_path / "site" / "index.html").read_text()


def test_a_game_without_frames_is_told_in_words() -> None:
    links = {"up": "../", "to": FileAddresses(None), "home": "../index.html", "back": "../x.html", "play": None}
    game = {"title": HOSTILE, "result": "1 wins", "data": {"lines": ["first", HOSTILE]}}
    page = ParsedPage(render("tournaments/watch.html", **report._shared("en"), **links, **game))
    assert page.by_tag["pre"] == [f"first\n{HOSTILE}\n"]
    assert "../x.html" in page.values("href", "a")
    assert "img" not in page.tags
