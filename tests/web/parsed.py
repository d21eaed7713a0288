"""A page as a browser would parse it, for tests that look at what is in it."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

_VOID = ("meta", "link", "input")


class ParsedPage(HTMLParser):
    """The elements of a page with their attributes and texts. A page whose elements are not closed in order fails."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.by_tag: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    @property
    def tags(self) -> list[str]:
        return [tag for tag, _ in self.elements]

    @property
    def attributes(self) -> set[str]:
        return {name for _, attributes in self.elements for name in attributes}

    def values(self, attribute: str, tag: str | None = None) -> list[str]:
        """The values of an attribute, of all elements or those of one kind."""
        found = [given[attribute] for each, given in self.elements if attribute in given and tag in (None, each)]
        return [value or "" for value in found]

    def data(self) -> dict[str, Any]:
        """The JSON that a page of a replay holds."""
        found: dict[str, Any] = json.loads(self.by_tag["script"][0])
        return found

    def data_of(self, name: str) -> dict[str, Any]:
        """The JSON in the script element with an id, whatever other scripts the page has."""
        scripts = [given.get("id") for tag, given in self.elements if tag == "script"]
        found: dict[str, Any] = json.loads(self.by_tag["script"][scripts.index(name)])
        return found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in _VOID:
            self._open.append(tag)
            self.by_tag.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if self._open:
            self.by_tag[self._open[-1]][-1] += data
