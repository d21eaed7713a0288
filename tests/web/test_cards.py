"""The card browser: which cards a visitor is given."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from cardrome.games.family import edition_names, find_family
from cardrome.web import cards
from cardrome.web.app import application


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(application([cards.part()]))


def shown(client: TestClient, query: str = "", status: int = 200) -> list[dict[str, Any]]:
    page = client.get(f"/cards{query}")
    assert page.status_code == status
    found = re.search(r'<script type="application/json" id="cards">(.*)</script>', page.text)
    assert found is not None
    data: list[dict[str, Any]] = json.loads(found[1])
    return data


def test_the_cards_of_every_edition(client: TestClient) -> None:
    for name in edition_names():
        family = find_family(name)
        edition = family.editions[name]
        expected = family.cards(edition, family.deal(edition, {"seed": "11"}))
        found = shown(client, f"?edition={name}&seed=11")
        assert [card["number"] for card in found] == [
            getattr(card, "number", None) or getattr(card, "id", 0) for card in expected
        ]
        assert [card.get("cost", 0) for card in found] == [card.cost for card in expected]


def test_a_seed_makes_a_set(client: TestClient) -> None:
    assert shown(client, "?edition=locm-1.5&seed=7") == shown(client, "?edition=locm-1.5")
    assert shown(client, "?edition=locm-1.5&seed=8") != shown(client, "?edition=locm-1.5")
    assert "seed" not in re.findall(r'<input name="(\w+)"', client.get("/cards?edition=locm-1.2").text)


def test_only_editions_with_cards_are_offered(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDROME_GAMES", "tests.games.toy:FAMILY")
    offered = set(re.findall(r'<option value="([^"]*)"', client.get("/cards").text))
    assert offered == set(edition_names()) - {"pebbles"}
    assert client.get("/cards?edition=pebbles").status_code == 404
    assert client.get("/cards?edition=chess").status_code == 404


@pytest.mark.parametrize("seed", ["x", "1e9", "", "<b>", "-1", "9" * 30])
def test_what_is_not_a_seed_is_said_to_be_none(client: TestClient, seed: str) -> None:
    page = client.get("/cards", params={"edition": "tapdeck", "seed": seed})
    assert page.status_code == 400
    assert '<p class="wrong" role="alert">This is not a seed: ' in page.text
    assert "<b>" not in re.findall('role="alert">(.*)</p>', page.text)[0]
