"""The home page: what there is, and a game being played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cardrome.games.family import edition_names, find_family
from cardrome.web import words
from cardrome.web.app import Part, language_of, respond

FEATURED = {name: place for place, name in enumerate(("locm-1.2", "locm-1.5", "locm-1.0", "tapdeck"))}
"""The editions that a newcomer is shown first, in order."""


@dataclass(frozen=True)
class TopTable:
    """The head of a tournament's table, as the home page shows it."""

    title: str
    address: str
    is_running: bool
    rows: Sequence[tuple[str, str]]
    """Names and ratings, the best first."""


@cache
def emblem(edition: str) -> dict[str, Any]:
    """The card that stands for an edition: a strong creature with keywords that is not too dear, another for each."""
    family = find_family(edition)
    chosen = family.editions[edition]
    cards = family.card_data(chosen, family.deal(chosen, {"seed": "7"}))

    def worth(card: dict[str, Any]) -> int:
        cheap: bool = card.get("cost", 0) <= 6 and card["type"] == "creature"
        strength: int = card.get("attack", 0) + card.get("defense", 0) + 3 * len(card.get("keywords", "")[:2])
        return cheap * strength

    best = sorted(cards, key=worth, reverse=True)
    return best[min(FEATURED.get(edition, 0), len(best) - 1)]


def part(tables: Callable[[], Sequence[TopTable]] = tuple) -> Part:
    """The home page; ``tables``, called in a thread, says what to show of tournaments."""

    async def home(request: Request) -> Response:
        language = language_of(request)
        games = [
            {
                "name": name,
                "title": words.edition_title(language, name),
                "about": words.edition_line(language, name),
                "card": emblem(name),
            }
            for name in FEATURED
            if name in edition_names()
        ]
        return respond(request, "home.html", games=games, tables=await run_in_threadpool(tables))

    return Part("", [Route("/", home)])
