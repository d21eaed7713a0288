"""The rules of every edition: rulebooks with a table of contents and moving examples.

The text comes from the games as Markdown (`Family.rulebook`); HTML in it would be shown as text. The examples are
positions that the engine plays (`Family.example`). They are fetched behind the page, so that the text never waits for
the engine.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from cardrome.errors import UnknownEdition
from cardrome.games.family import AnyFamily, families, find_family
from cardrome.games.rulebooks import LANGUAGES, title_and_lead
from cardrome.web.app import language_of, respond

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token
    from markupsafe import Markup

_EXAMPLE = "example:"


@dataclass(frozen=True)
class Heading:
    """A heading of a rulebook, as the table of contents links it."""

    level: int
    id: str
    text: str


@dataclass(frozen=True)
class Block:
    """A piece of a rulebook: text, or an example with the text that says the same."""

    html: Markup | None = None
    example: str = ""
    caption: str = ""


@dataclass
class RulebookPage:
    """A rulebook, ready for its template."""

    title: str = ""
    lead: str = ""
    contents: list[Heading] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)


def routes() -> list[BaseRoute]:
    """The routes of the rules."""
    return [
        Route("/rules", _list),
        Route("/rules/{edition}", _show),
        Route("/rules/{edition}/examples", _examples),
    ]


def _list(request: Request) -> Response:
    language = language_of(request)
    games = [(family.title, [(name, *_headline(name, language)) for name in family.editions]) for family in families()]
    return respond(request, "rules/list.html", games=games)


def _show(request: Request) -> Response:
    name = _edition(request)
    family = find_family(name)
    page = rulebook_page(name, language_of(request))
    return respond(request, "rules/rulebook.html", page=page, edition=name, editions=list(family.editions))


def _examples(request: Request) -> Response:
    """All examples of an edition by name, as JSON. They differ between versions of the site, not between visitors."""
    body = _example_json(_edition(request))
    return Response(body, media_type="application/json", headers={"Cache-Control": "no-cache"})


def _edition(request: Request) -> str:
    name: str = request.path_params["edition"]
    try:
        find_family(name)
    except UnknownEdition:
        raise HTTPException(404) from None
    return name


@functools.cache
def _headline(name: str, language: str) -> tuple[str, str]:
    return title_and_lead(_text(find_family(name), name, language))


@functools.cache
def _example_json(name: str) -> bytes:
    family = find_family(name)
    edition = family.editions[name]
    told = {block.example for block in rulebook_page(name, LANGUAGES[0]).blocks if block.example}
    return msgspec.json.encode({example: family.example(edition, example) for example in sorted(told)})


def _text(family: AnyFamily, name: str, language: str) -> str:
    return family.rulebook(family.editions[name], language)


@functools.cache
def rulebook_page(name: str, language: str) -> RulebookPage:
    """The rulebook of an edition. Headings have the same ids in every language: those of the first one's words."""
    family, markdown = find_family(name), _markdown()
    tokens, first = (markdown.parse(_text(family, name, each)) for each in (language, LANGUAGES[0]))
    page = RulebookPage(*_headline(name, language))
    ids = iter(_slug(inline.content) for opening, inline in _headings(first))
    for opening, inline in _headings(tokens):
        heading = Heading(int(opening.tag[1:]), next(ids), inline.content)
        opening.attrSet("id", heading.id)
        _link(inline, f"#{heading.id}")
        if heading.level > 1:
            page.contents.append(heading)
    page.blocks.extend(_blocks(markdown, tokens[6:]))  # title and lead stand above the contents
    return page


def _headings(tokens: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    return ((token, tokens[n + 1]) for n, token in enumerate(tokens) if token.type == "heading_open")


def _link(inline: Token, address: str) -> None:
    """Make a heading its own link."""
    from markdown_it.token import Token

    assert inline.children is not None
    opening = Token("link_open", "a", 1, attrs={"href": address, "class": "anchor"})
    inline.children = [opening, *inline.children, Token("link_close", "a", -1)]


def _slug(text: str) -> str:
    return "-".join(re.findall(r"\w+", text.lower()))


def _blocks(markdown: MarkdownIt, tokens: Sequence[Token]) -> Iterator[Block]:
    """The text as HTML, cut where a paragraph is nothing but an example."""
    from markupsafe import Markup

    def written(start: int, stop: int) -> Iterator[Block]:
        if start < stop:
            # The library escapes what it writes, and HTML in the text is off.
            yield Block(Markup(markdown.renderer.render(tokens[start:stop], markdown.options, {})))

    start = 0
    for n, token in enumerate(tokens):
        picture = token.children[0] if token.children and len(token.children) == 1 else None
        address = "" if picture is None else str(picture.attrs.get("src", ""))
        if picture is not None and address.startswith(_EXAMPLE):
            yield from written(start, n - 1)
            yield Block(example=address.removeprefix(_EXAMPLE), caption=picture.content)
            start = n + 2
    yield from written(start, len(tokens))


@functools.cache
def _markdown() -> Any:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table")
