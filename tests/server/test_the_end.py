"""The end of an event: nothing is lost while the store is away, the last scores can be read, decks can be checked."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sqlite3
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from cardrome.arena.secret import commitment, derived, draw_secret
from cardrome.arena.storage.database import Database
from cardrome.errors import CallerError
from cardrome.games.replay_files import decode_replay
from cardrome.games.tapdeck.rules.cards import cards_of, parse_deck
from cardrome.games.tapdeck.rules.deckgen import deck_from_seed
from cardrome.server import host
from cardrome.server.settings import read_plan
from cardrome.server.store import writer
from cardrome.server.store.store import EventStore
from tests.cli.runner import cardrome
from tests.paths import ROOT
from tests.postgres import AVAILABLE, running_postgres
from tests.server.in_process import ServerThread, server_thread
from tests.server.processes import add_teams, serving, store_of, until, write_event

ANN, BOB = "ann", "bob"
UNHURT = "15 15"
"""The score of a match in which nobody did anything."""
ONE = {"tournaments": 1, "roster": "all"}


@pytest.fixture
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little patience with a store that is away."""
    monkeypatch.setattr(Database, "patience", 0.05)
    monkeypatch.setattr(host, "_LAST_SECONDS", 0.05)
    monkeypatch.setattr(writer, "_RETRY_SECONDS", 0.01)


@contextmanager
def locked(server: ServerThread) -> Iterator[None]:
    """Another program holds the store, as a backup might. The clock begins to tick when it does."""
    with closing(sqlite3.connect(server.path.with_suffix(".db"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        server.players = 0
        yield
        other.rollback()


def results(path: Path) -> list[tuple[int, int]]:
    """Finished tournaments, and their matches."""
    with store_of(path) as store:
        return [(each.number, len(store.matches(each.number))) for each in store.tournaments() if each.finished_at]


def play_to_the_end(server: ServerThread, words: str = "the event is over") -> None:
    until(lambda: any(words in line for line in server.log), words)


@pytest.mark.usefixtures("_short")
def test_a_locked_store_is_tried_until_it_is_back(tmp_path: Path) -> None:
    """However long it takes, and although the time to close has come."""
    with server_thread(tmp_path, [ANN, BOB], players=1, event=ONE) as server:
        with locked(server):
            play_to_the_end(server)
            play_to_the_end(server, "the store is unavailable, results are held until it is back")
            ticks = server.host.event.ticks
            until(lambda: server.host.event.ticks > ticks + 20, "the server stays")
            assert not [line for line in server.log if "stopping" in line]
        play_to_the_end(server, "the store is back")
        server.results()
    assert server.host.failure is None
    assert results(server.path) == [(1, 2)]
    assert not server.host.plan.unsaved.exists()


@pytest.mark.usefixtures("_short")
def test_a_server_stopped_without_its_store_leaves_the_results_in_a_file(tmp_path: Path) -> None:
    event = {**ONE, "tournaments": 2}
    with server_thread(tmp_path, [ANN, BOB], players=1, event=event) as server:
        with locked(server):
            play_to_the_end(server)
            server.stop()
        file = server.host.plan.unsaved
        assert server.host.failure is not None
        assert str(file) in server.host.failure
        assert results(server.path) == []
        kept = file.read_bytes()
    again = ServerThread(server.path, 0)
    again.results()
    assert results(server.path) == [(1, 2), (2, 2)]
    assert not file.exists()
    assert f"stored what {file} held: 4 matches" in again.log
    with store_of(server.path) as store:
        assert [each.attempts for each in store.tournaments()] == [1, 1]
    # Killed before it could remove the file, it does no harm the next time.
    file.write_bytes(kept)
    ServerThread(server.path, 0).results()
    assert results(server.path) == [(1, 2), (2, 2)]


@pytest.mark.usefixtures("_short")
@pytest.mark.parametrize("how", ["overwritten", "removed", "replaced"])
def test_results_outlive_their_store(tmp_path: Path, how: str) -> None:
    """A store that is damaged or gone takes nothing more: the rest is left in a file."""
    with server_thread(tmp_path, [ANN, BOB], players=1, event=ONE) as server:
        store, copy = tmp_path / "event.db", tmp_path / "copy.db"
        with closing(sqlite3.connect(store)) as driver:
            driver.execute("VACUUM INTO ?", [str(copy)])
        if how == "overwritten":
            for path in tmp_path.glob("event.db*"):
                path.write_bytes(b"garbage " * (path.stat().st_size // 8))
        elif how == "removed":
            for path in tmp_path.glob("event.db*"):
                path.unlink()
        else:
            shutil.copy(copy, tmp_path / "event.db.new")
            (tmp_path / "event.db.new").replace(store)
        server.players = 0
        play_to_the_end(server, "the store refuses" if how == "overwritten" else "is over: all")
        server.stop()
        file = server.host.plan.unsaved
        assert server.host.failure is not None
        assert str(file) in server.host.failure
        assert file.stat().st_mode & 0o777 == 0o600
    [said] = [line for line in server.log if "the store refuses" in line or "the store is unavailable" in line]
    assert ("is damaged (" if how == "overwritten" else "it was removed or replaced while it was in use") in said
    assert "Error(" not in said
    for path in tmp_path.glob("event.db*"):
        path.unlink()
    copy.rename(store)
    ServerThread(server.path, 0).results()
    assert results(server.path) == [(1, 2)]
    assert not file.exists()


@pytest.mark.usefixtures("_short")
def test_a_server_that_can_write_nowhere_goes_on_trying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk takes neither the store nor the file."""

    def full(*_: object) -> None:
        raise CallerError("event.unsaved: No space left on device")

    monkeypatch.setattr(host, "write_unsaved", full)
    with server_thread(tmp_path, [ANN, BOB], players=1, event=ONE) as server:
        with locked(server):
            play_to_the_end(server)
            server.ask_to_stop()
            play_to_the_end(server, "still trying: event.unsaved: No space left on device")
        server.results()
    assert server.host.failure is None
    assert results(server.path) == [(1, 2)]


def test_a_file_of_another_event_is_not_taken_over(tmp_path: Path) -> None:
    path = write_event(tmp_path / "event.toml")
    add_teams(path, ANN, BOB)
    for text, words in (
        ('{"commitment":"0","writes":[]}', "holds results of another event: move it away"),
        ("{", "cannot be read: not JSON: it has no end. It holds results: move it away to start without them"),
    ):
        path.with_suffix(".unsaved").write_text(text)
        with EventStore.open(tmp_path / "event.db") as store, pytest.raises(CallerError, match=re.escape(words)):
            host.EventHost(read_plan(path), store, print)
        assert path.with_suffix(".unsaved").exists()


@pytest.mark.skipif(not AVAILABLE, reason="PostgreSQL is not installed")
def test_results_survive_a_database_server_that_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    with running_postgres() as postgres:
        settings = {**ONE, "store": postgres.new_schema(), "stay_seconds": 600}
        write_event(path, event=settings, server={"turn_seconds": 0.05}, rules={"turns": 10})
        add_teams(path, ANN, BOB)
        with serving(path) as server:
            server.wait_for("tournament 1 begins")
            postgres.stop()
            server.wait_for("the event is over")
            server.wait_for("the store is unavailable, results are held until it is back")
            assert server.stop() == 1
            assert (
                f"what is not stored is in {path.with_suffix('.unsaved')}, which the next start reads" in server.output
            )
        postgres.start()
        assert results(path) == []
        write_event(path, event={**settings, "stay_seconds": 0}, server={"turn_seconds": 0.05}, rules={"turns": 10})
        again = ServerThread(path, 0)
        again.results()
        assert again.host.failure is None
        assert any("held: 2 matches" in line for line in again.log)
        assert results(path) == [(1, 2)]


def test_the_last_scores_can_be_read_until_the_server_is_stopped(tmp_path: Path) -> None:
    event = {**ONE, "stay_seconds": 3600}
    with (
        server_thread(tmp_path, [ANN, BOB], players=2, event=event) as server,
        server.client(ANN) as ann,
        server.client(BOB) as bob,
    ):
        for client in (ann, bob):
            client.send("WAIT\n" * 5)
        play_to_the_end(server)
        for client in (ann, bob):
            assert client.lines(10) == ["OK"] * 10
            assert client.ask("GET_FINAL_SCORE 1", 2) == ["OK", UNHURT]
            client.send("WAIT\n")
        ticks = server.host.event.ticks
        until(lambda: server.host.event.ticks > ticks + 5, "the server stays")
        with server.client(ANN) as late:
            assert late.ask("GET_FINAL_SCORE 2", 2) == ["OK", UNHURT]
        server.ask_to_stop()
        assert [client.rest() for client in (ann, bob)] == [b"OK\nOK\n"] * 2  # WAIT ends when the server closes


# Decks that nobody can know before their time


def test_the_secret_is_long_and_published_at_the_end_only(tmp_path: Path) -> None:
    path = write_event(
        tmp_path / "event.toml", event={**ONE, "stay_seconds": 600}, server={"page": True, "page_port": 0}
    )
    path.write_text(path.read_text().replace("seed = 1\n", ""))
    add_teams(path, ANN, BOB)
    with serving(path) as server:
        page = server.wait_for("standings: ").rpartition(" ")[2]

        def status() -> dict[str, Any]:
            with urllib.request.urlopen(f"{page}live/status.json") as answer:
                found: dict[str, Any] = json.load(answer)
            return found

        def shown() -> str:
            with urllib.request.urlopen(page) as answer:
                text: str = answer.read().decode()
            return text

        before, before_page = status(), shown()
        server.wait_for("the event is over")
        until(lambda: status()["secret"], "the secret")
        after, after_page = status(), shown()
        with store_of(path) as store:
            stored = store.event()
            [tournament] = store.tournaments()
        assert stored is not None
        output = server.output
    assert stored.secret.bit_length() > 200
    assert "seed" not in before
    assert (before["secret"], after["secret"]) == (None, str(stored.secret))
    assert before["commitment"] == after["commitment"] == hashlib.sha256(str(stored.secret).encode()).hexdigest()
    assert before["commitment"] in before_page
    assert str(stored.secret) not in before_page
    assert str(stored.secret) in after_page
    begun = output.index("tournament 1 begins")
    assert f"commitment to its decks: sha256 {before['commitment']}" in output[:begun]
    assert str(stored.secret) not in output[:begun]
    assert f"the secret of its decks: {stored.secret}" in output[begun:]
    check_as_documented(stored.secret, before["commitment"], tournament.deck_text)


@pytest.mark.parametrize("drawn", [True, False])
def test_an_event_that_goes_on_with_a_published_secret_warns(tmp_path: Path, drawn: bool) -> None:
    path = write_event(tmp_path / "event.toml", event=ONE)
    add_teams(path, ANN, BOB)
    warned = []
    for tournaments in (1, 1, 2):
        text = path.read_text().replace("tournaments = 1", f"tournaments = {tournaments}")
        path.write_text(text.replace("seed = 1\n", "") if drawn else text)
        server = ServerThread(path, 0)
        server.results()
        warned.append([line for line in server.log if "everybody can compute the decks of further tournaments" in line])
    assert [len(lines) for lines in warned] == [0, 0, 1 if drawn else 0]


def check_as_documented(secret: int, published: str, deck_text: str) -> None:
    """The recipe for everybody in the documentation."""
    page = (ROOT / "docs" / "tapdeck-event.md").read_text(encoding="utf-8")
    [recipe] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    example = 'secret, size, number = "65537", 120, 1'
    assert example in recipe
    names: dict[str, Any] = {}
    exec(recipe.replace("65537", str(secret)), names)
    assert names["commitment"] == published
    assert [str(card) for card in names["deck"]] == deck_text.splitlines()


def test_every_tournament_has_its_own_seed_and_the_same_secret_the_same_decks() -> None:
    seeds = {derived(secret, "event", number) for secret in (1, 12, draw_secret()) for number in (1, 2, 21, 121)}
    assert len(seeds) == 12
    assert all(0 <= seed < 1 << 62 for seed in seeds)
    assert derived(7, "event", 1) == DERIVED
    assert commitment(7) == "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451"
    deck = deck_from_seed(120, derived(7, "event", 1))
    assert cards_of(parse_deck("\n".join(map(str, cards_of(deck))))) == cards_of(deck)


DERIVED = 189958876726273710


# The event as files


def test_an_exported_event_is_complete_and_its_links_lead_somewhere(tmp_path: Path) -> None:
    event = {**ONE, "tournaments": 2, "name": "<b>Cup</b>"}
    with server_thread(tmp_path, [ANN, "<i>bob"], players=0, event=event) as server:
        server.results()
    folder = tmp_path / "site"
    assert "wrote 4 matches" in cardrome("host", "export", server.path, folder).stdout
    pages = {path: path.read_text() for path in folder.rglob("*.html")}
    assert len(pages) == 1 + 2 + 4
    for path, text in pages.items():
        assert "<i>bob" not in text.replace("<bdi>", "")
        assert "<b>Cup" not in text
        if path.parent.name != "matches":
            assert text.count("<script") == (2 if path.name == "index.html" else 0)  # the data, and our own
            for link in re.findall(r'(?:href|src)="([^"#]+)"', re.sub(r"(?s)<script.*?</script>", "", text)):
                assert link.startswith("data:") or (path.parent / link).is_file(), (path, link)
    data = json.loads((folder / "event.json").read_text())
    assert data["event"] == "<b>Cup</b>"
    assert (data["secret"], data["commitment"]) == ("1", None)  # a seed from the settings
    assert commitment(1) not in "".join(pages.values())
    assert "the seed 1, which the organiser chose" in pages[folder / "index.html"]
    assert server.host.snapshot().commitment is None
    assert [len(each["matches"]) for each in data["tournaments"]] == [2, 2]
    assert data["tournaments"][1]["deck"] == [
        str(card) for card in cards_of(deck_from_seed(120, derived(1, "event", 2)))
    ]
    assert {row["team"] for row in data["standings"]} == {ANN, "<i>bob"}
    for number in range(1, 5):
        assert decode_replay((folder / "matches" / f"{number}.json").read_bytes()).event.match_id == number


def test_an_export_keeps_the_secret_of_an_event_that_can_go_on(tmp_path: Path) -> None:
    with server_thread(tmp_path, [ANN, BOB], players=0, event={"roster": "all", "pause": 86_400}) as server:
        play_to_the_end(server, "tournament 1 is over")
    for options, secret in (([], None), (["--over"], "1")):
        assert cardrome("host", "export", server.path, tmp_path / "site", *options).returncode == 0
        assert json.loads((tmp_path / "site" / "event.json").read_text())["secret"] == secret
