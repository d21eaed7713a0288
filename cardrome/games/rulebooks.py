"""Rulebooks: the rules of each edition in words, for people who have never played.

A game keeps one text for each language, `rulebook/en.md` and so on in its package: Markdown in which numbers are
placeholders and parts that only some editions have stand under conditions, all filled in from the edition's facts. The
worked examples are data beside it, `rulebook/examples.toml`: the text takes its numbers from there, a picture whose
address is ``example:NAME`` shows one, and a test plays them on the engine.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, Any

from cardrome.errors import CallerError

if TYPE_CHECKING:
    from jinja2 import Environment, Template

LANGUAGES = ("en", "fr")
"""The languages of every rulebook; the first one is the default."""

_SPACES = re.compile(r"(?<=\S) (?=[:;!?»])|(?<=«) ")
"""Where French typography has a space that no line may break at."""


@dataclass
class Examples(Mapping[str, Any]):
    """The worked examples of a text by name; remembers which ones the text speaks of."""

    given: Mapping[str, Any]
    told: set[str] = field(default_factory=set)

    def __getitem__(self, name: str) -> Any:
        self.told.add(name)
        return self.given[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.given)

    def __len__(self) -> int:
        return len(self.given)

    def proven(self, *names: str) -> str:
        """Nothing to read: the claims beside it are those of these examples."""
        for name in names:
            self[name]
        return ""


@functools.cache
def example_data(package: str) -> Mapping[str, Any]:
    """The worked examples of a game, as its package has them."""
    return tomllib.loads(_file(package, "examples.toml"))


def fill_in(package: str, language: str, facts: Mapping[str, Any], examples: Examples) -> str:
    """The text of a language for an edition with these facts."""
    text = _template(package, checked_language(language)).render(facts, ex=examples, proven=examples.proven)
    text = re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"
    return _SPACES.sub("\u00a0", text) if language == "fr" else text


def remind(package: str, facts: Mapping[str, Any]) -> str:
    """The rules in short for an edition with these facts, for somebody who has to remember them, in English."""
    text = _template(package, "reminder").render(facts)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"\n+(?=- )", "\n", text)).strip() + "\n"


def checked_language(language: str) -> str:
    """A language in which there are rulebooks, and pages."""
    if language not in LANGUAGES:
        raise CallerError(f"unknown language {language!r}; expected {' or '.join(LANGUAGES)}")
    return language


def title_and_lead(text: str) -> tuple[str, str]:
    """The title of a rulebook, and the sentence that says what is special about the edition."""
    title, lead = text.split("\n\n")[:2]
    return title.removeprefix("# "), lead


@functools.cache
def environment() -> Environment:
    """How the texts are filled in: a placeholder that no fact fills is an error."""
    from jinja2 import Environment, StrictUndefined

    return Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


@functools.cache
def _template(package: str, name: str) -> Template:
    return environment().from_string(_file(package, f"{name}.md"))


def _file(package: str, name: str) -> str:
    return resources.files(package).joinpath("rulebook", name).read_text(encoding="utf-8")
