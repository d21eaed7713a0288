"""The pages of the rules, from text to HTML, and the examples they fetch."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from starlette.testclient import TestClient

from cardrome.games import rulebooks
from cardrome.games.family import edition_names
from cardrome.web import rules, words
from cardrome.web.app import Part, application
from cardrome.web.rules import rulebook_page

PAGE = {"accept": "text/html"}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(application([Part("rules", rules.routes())])) as client:
        yield client


class Ids(HTMLParser):
    """The ids of a page, what its links point to, and its examples."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.examples: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name == "href" and value and value.startswith("#"):
                self.links.append(value[1:])
            elif (tag, name) == ("cardrome-example", "name"):
                self.examples.append(value or "")


def test_the_list_links_every_edition(client: TestClient) -> None:
    for language, title in (("en", "Wood 3 league"), ("fr", "ligue Bois 3")):
        page = client.get("/rules", headers={**PAGE, "accept-language": language}).text
        assert set(re.findall(r'href="/rules/([^"]+)"', page)) == set(edition_names())
        assert title in page


@pytest.mark.parametrize("edition", ["locm-1.0-wood3", "locm-1.2", "locm-1.5", "tapdeck"])
def test_a_rulebook_has_the_same_anchors_and_examples_in_every_language(client: TestClient, edition: str) -> None:
    english, french = (
        Ids(client.get(f"/rules/{edition}", headers={**PAGE, "accept-language": language}).text)
        for language in ("en", "fr")
    )
    assert (english.ids, english.examples) == (french.ids, french.examples)
    assert len(set(english.ids)) == len(english.ids)
    assert set(english.links) | set(french.links) <= set(english.ids)
    examples = json.loads(client.get(f"/rules/{edition}/examples").content)
    assert set(examples) == set(english.examples)
    for name, example in examples.items():
        assert (len(example["frames"]) > 1) == ("card" not in name), name
        assert {str(place) for place in example["things"].values()} <= {str(n) for n in range(len(example["cards"]))}


def test_text_becomes_html_and_nothing_of_it_becomes_markup() -> None:
    page = rulebook_page("locm-1.2", "fr")
    assert page.title == "Legends of Code and Magic 1.2"
    assert [heading.id for heading in page.contents][:2] == ["the-game-in-a-minute", "a-first-game-turn-by-turn"]
    html = "".join(block.html for block in page.blocks if block.html)
    assert '<h3 id="breakthrough"><a href="#breakthrough" class="anchor">Percée</a></h3>' in html
    assert "<table>" in html
    assert "<img" not in html
    tokens = rules._markdown().parse("<b>no</b> [x](javascript:alert(1))")
    assert "&lt;b&gt;" in rules._markdown().renderer.render(tokens, rules._markdown().options, {})
    assert "javascript" not in str([token.attrs for token in tokens[1].children])


def test_rulebooks_speak_the_languages_of_the_site() -> None:
    assert rulebooks.LANGUAGES == words.LANGUAGES


def test_what_is_not_there_is_not_found(client: TestClient) -> None:
    for path in ("/rules/locm-9", "/rules/locm-9/examples", "/rules/locm-1.2/nothing"):
        assert client.get(path, headers=PAGE).status_code == 404
