"""The rulebooks of all games: every edition renders in every language, and the languages tell the same."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
from jinja2 import meta, nodes

from cardrome.errors import CallerError
from cardrome.games.family import families
from cardrome.games.rulebooks import LANGUAGES, Examples, environment, example_data, fill_in, title_and_lead

GAMES = ("locm", "tapdeck")
BOOKS = [importlib.import_module(f"cardrome.games.{name}.rulebook") for name in GAMES]
EDITIONS = [
    pytest.param(family, edition, id=edition.name) for family in families() for edition in family.editions.values()
]
PICTURE = re.compile(r"!\[[^\]]+\]\(example:([\w-]+)\)")


def source(book: Any, language: str) -> str:
    return Path(book.__file__).with_name(f"{language}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("book", BOOKS, ids=GAMES)
def test_every_placeholder_exists(book: Any) -> None:
    family = next(family for family in families() if family.package == book.PACKAGE)
    known = [set(book.facts(edition)) for edition in family.editions.values()]
    for language in LANGUAGES:
        asked = meta.find_undeclared_variables(environment().parse(source(book, language)))
        assert asked - {"ex", "proven"} <= set.intersection(*known)


@pytest.mark.parametrize("book", BOOKS, ids=GAMES)
def test_languages_have_the_same_placeholders_and_conditions(book: Any) -> None:
    found = []
    for language in LANGUAGES:
        tree = environment().parse(source(book, language))
        shown = {repr(node) for output in tree.find_all(nodes.Output) for node in output.nodes}
        tests = sorted(repr(each.test) for each in tree.find_all(nodes.If))
        found.append(({text for text in shown if not text.startswith("TemplateData")}, tests))
    assert found[0] == found[1]


@pytest.mark.parametrize(("family", "edition"), EDITIONS)
def test_an_edition_reads_the_same_in_every_language(family: Any, edition: Any) -> None:
    shapes = []
    for language in LANGUAGES:
        text = family.rulebook(edition, language)
        title, lead = title_and_lead(text)
        assert title.startswith(family.title)
        assert len(lead.splitlines()) == 1
        assert not re.search(r"\{[{%]|[%}]\}|\n\n\n", text)
        shapes.append((re.findall(r"^#+", text, re.M), PICTURE.findall(text), text.count("\n|"), text.count("**")))
    assert shapes[0] == shapes[1]
    assert shapes[0][1]


@pytest.mark.parametrize("book", BOOKS, ids=GAMES)
def test_no_example_is_left_out(book: Any) -> None:
    """Every example is told in some edition; the tests of the games play those that are told."""
    family = next(family for family in families() if family.package == book.PACKAGE)
    told: set[str] = set()
    for edition in family.editions.values():
        examples = book.examples(edition)
        fill_in(book.PACKAGE, "en", book.facts(edition), examples)
        told |= examples.told
    assert told == set(example_data(book.PACKAGE)) - {"new"}


def test_other_languages_are_refused() -> None:
    with pytest.raises(CallerError, match="'de'; expected en or fr"):
        fill_in("cardrome.games.tapdeck", "de", {}, Examples({}))


def test_french_spaces_do_not_break() -> None:
    text = families()[0].rulebook(families()[0].editions["locm-1.2"], "fr")
    assert not re.search(r" [:;!?»]", text.replace("| :", ""))
    assert "\u00a0?" in text
