"""The home page: editions with a card of theirs, and tournaments if there are any."""

from __future__ import annotations

import json
import re
from html import unescape

from starlette.testclient import TestClient

from cardrome.web import home
from cardrome.web.app import application
from cardrome.web.home import FEATURED, TopTable
from tests.web.parsed import ParsedPage


def test_editions_lead_to_play_and_have_a_card_each() -> None:
    page = TestClient(application([home.part()])).get("/").text
    assert re.findall(r'href="/play\?edition=([\w.-]+)"', page) == list(FEATURED)
    cards = [json.loads(unescape(text)) for text in re.findall(r'<cardrome-card card="([^"]*)"', page)]
    assert {card["type"] for card in cards} == {"creature"}
    assert len({json.dumps(card) for card in cards}) == len(FEATURED)


def test_tables_are_shown_and_their_names_escaped() -> None:
    hostile = "<img src=x onerror=alert(1)>"
    tables = [TopTable(hostile, "/tournaments/cup/", True, [(hostile, "+120"), ("greedy", "−35")])]
    page = TestClient(application([home.part(lambda: tables)])).get("/").text
    assert hostile not in page
    texts = ParsedPage(page).texts
    assert texts.count(hostile) == 2
    assert {"+120", "−35"} <= set(texts)
