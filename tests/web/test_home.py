"""The home page: editions with a card of theirs, and tournaments if there are any."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

from starlette.testclient import TestClient

from cardrome.bench.report_size import make_store
from cardrome.web import home
from cardrome.web.app import application
from cardrome.web.home import FEATURED, TopTable, top_tables
from cardrome.web.tournaments.stores import shown
from tests.web.parsed import ParsedPage


def test_editions_lead_to_play_and_have_a_card_each() -> None:
    page = TestClient(application([home.part()])).get("/").text
    assert re.findall(r'href="/play\?edition=([\w.-]+)"', page) == list(FEATURED)
    cards = [json.loads(unescape(text)) for text in re.findall(r'<cardrome-card card="([^"]*)"', page)]
    assert {card["type"] for card in cards} == {"creature"}
    assert len({json.dumps(card) for card in cards}) == len(FEATURED)


def test_tables_are_shown_and_their_names_escaped() -> None:
    hostile = "<img src=x onerror=alert(1)>"
    tables = [TopTable(hostile, "/tournaments", [("1–2", hostile, "+120 ± 9")])]
    page = TestClient(application([home.part(lambda: tables)])).get("/").text
    assert hostile not in page
    texts = ParsedPage(page).texts
    assert texts.count(hostile) == 2
    assert {"1–2", "+120 ± 9"} <= set(texts)


def test_tables_come_from_the_stores_that_can_be_read(tmp_path: Path) -> None:
    make_store(tmp_path / "cup.db", bots=5, pairs=2)
    (tmp_path / "broken.db").write_bytes(b"not a database" * 100)
    tables = top_tables(shown([str(tmp_path / name) for name in ("missing.db", "broken.db", "cup.db")]).values())
    assert [table.title for table in tables] == ["The great made-up cup"]
    assert len(tables[0].rows) == 4
    assert not (tmp_path / "missing.db").exists()
