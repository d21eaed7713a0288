"""The texts of all pages in every language, from `messages`: for templates what `static/words.js` is for modules."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from cardrome.games.family import AnyFamily, find_edition
from cardrome.games.rulebooks import LANGUAGES as LANGUAGES
from cardrome.web.templates import asset


@functools.cache
def messages(language: str) -> Mapping[str, Any]:
    """All texts of a language. One with several forms is a dictionary of them."""
    found: dict[str, Any] = json.loads(asset(f"messages/{language}.json"))
    return found


def text(language: str, key: str, **values: Any) -> str:
    """A text; ``{name}`` stands for a value, and a text with several forms takes the one for the number ``n``."""
    found = messages(language)[key]
    if isinstance(found, dict):
        found = found["one" if _is_one(language, values["n"]) else "other"]
    return re.sub(r"\{(\w+)\}", lambda name: str(values[name[1]]), found)


def edition_title(language: str, edition: str) -> str:
    """What people call an edition; its name, if it comes from outside the package."""
    return str(messages(language).get(f"edition.{edition}", edition))


def edition_line(language: str, edition: str) -> str:
    """An edition in one line."""
    return str(messages(language).get(f"edition-line.{edition}") or find_edition(edition).summary)


def edition_list(language: str, editions: Iterable[str]) -> list[dict[str, str]]:
    """Editions as pages list them: ``name``, ``title`` and ``about``."""
    return [
        {"name": each, "title": edition_title(language, each), "about": edition_line(language, each)}
        for each in editions
    ]


def agent_line(language: str, family: AnyFamily, agent: str) -> str:
    """A built-in agent in one line."""
    return str(messages(language).get(f"agent.{family.name}.{agent}") or family.agents[agent].description)


def _is_one(language: str, n: float) -> bool:
    """Whether a number takes the singular; French counts everything below two as one."""
    return abs(n) < 2 if language == "fr" else n == 1


def preferred(accepted: str) -> str:
    """The language that an Accept-Language header likes best of those that there are."""
    weights: dict[str, float] = {}
    for entry in accepted[:1000].split(","):
        tag, _, parameter = entry.partition(";")
        quality = re.fullmatch(r"\s*q=([01](?:\.\d{1,3})?)\s*", parameter)
        language = tag.strip().lower().partition("-")[0]
        weight = float(quality[1]) if quality else 1.0
        if language in LANGUAGES and weight > weights.get(language, 0.0):
            weights[language] = weight
    return max(weights, key=weights.__getitem__, default="en")
