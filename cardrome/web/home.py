"""The home page: what there is, and a game being played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cardrome.errors import CallerError, InfrastructureFault
from cardrome.escaping import printable
from cardrome.games.family import edition_names, find_family
from cardrome.web import words
from cardrome.web.app import Part, language_of, respond
from cardrome.web.templates import elo

if TYPE_CHECKING:
    from cardrome.tournament.results.ratings import Rating
    from cardrome.web.tournaments.stores import ShownTournament

FEATURED = {name: place for place, name in enumerate(("locm-1.2", "locm-1.5", "locm-1.0", "tapdeck"))}
"""The editions that a newcomer is shown first, in order."""


ROWS = 4
"""Lines of a tournament's table."""


def featured_first() -> list[str]:
    """All editions, in the order in which people are shown them."""
    return sorted(edition_names(), key=lambda name: FEATURED.get(name, len(FEATURED)))


@dataclass(frozen=True)
class TopTable:
    """The head of a tournament's table, as the home page shows it."""

    title: str
    address: str
    rows: Sequence[tuple[str, str, str]]
    """Ranks, names and ratings, the best first."""


def top_tables(tournaments: Iterable[ShownTournament]) -> list[TopTable]:
    """What the home page shows of tournaments: of those that can be read."""
    return [table for each in tournaments if (table := _top_table(each)) is not None]


def _top_table(tournament: ShownTournament) -> TopTable | None:
    try:
        moment = tournament.moment()
    except (CallerError, InfrastructureFault):
        return None
    if moment is None:
        return None
    summary = moment.summary
    names = {entrant.id: printable(entrant.name, 60) for entrant in summary.entrants}
    best = summary.overall.standings[:ROWS]
    rows = [(_rank(row), names[row.entrant], f"{elo(row.elo.value)} ± {row.elo.margin:.0f}") for row in best]
    return TopTable(printable(summary.name, 60), f"/tournaments/{tournament.id}", rows)


def _rank(row: Rating) -> str:
    """The rank, or the range that it may be in."""
    return str(row.rank) if row.rank_low == row.rank_high else f"{row.rank_low}–{row.rank_high}"


@cache
def emblem(edition: str) -> dict[str, Any]:
    """The card that stands for an edition: a strong creature with keywords that is not too dear, another for each."""
    family = find_family(edition)
    chosen = family.editions[edition]
    cards = family.card_data(chosen, family.deal(chosen, {"seed": "7"}))

    def worth(card: dict[str, Any]) -> int:
        if card["type"] != "creature" or card.get("cost", 0) > 6:
            return 0
        return int(card.get("attack", 0) + card.get("defense", 0) + 3 * len(card.get("keywords", "")[:2]))

    best = sorted(cards, key=worth, reverse=True)
    return best[min(FEATURED.get(edition, 0), len(best) - 1)]


def part(tables: Callable[[], Sequence[TopTable]] = tuple) -> Part:
    """The home page; ``tables``, called in a thread, says what to show of tournaments."""

    async def home(request: Request) -> Response:
        listed = words.edition_list(language_of(request), [name for name in featured_first() if name in FEATURED])
        games = [{**each, "card": emblem(each["name"])} for each in listed]
        return respond(request, "home.html", games=games, tables=await run_in_threadpool(tables))

    return Part("", [Route("/", home)])
