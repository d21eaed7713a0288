"""The card browser: the cards of an edition, or of one deal where every game has cards of its own.

Filters and order are the browser's business; they stand in the address, so a selection can be shared.
"""

from __future__ import annotations

import re
import secrets

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cardrome.errors import CallerError
from cardrome.games.family import find_family
from cardrome.web import words
from cardrome.web.app import Part, language_of, respond
from cardrome.web.home import featured_first

SEED = "7"
"""The deal that is shown if nobody asks for another."""


async def _browse(request: Request) -> Response:
    language = language_of(request)
    names = [name for name in featured_first() if find_family(name).has_frames]  # others have no cards to draw
    name = request.query_params.get("edition", names[0])
    if name not in names:
        raise HTTPException(404)
    family = find_family(name)
    edition = family.editions[name]
    seed, wrong = request.query_params.get("seed", SEED).strip(), ""
    try:
        if not re.fullmatch("-?[0-9]{1,19}", seed):
            raise CallerError(f"{seed[:40]!r}")
        cards = family.card_data(edition, family.deal(edition, {"seed": seed}))
    except CallerError as error:
        seed, wrong = SEED, words.text(language, "cards.wrong-seed", why=str(error))
        cards = family.card_data(edition, family.deal(edition, {"seed": seed}))
    return respond(
        request,
        "cards.html",
        status=400 if wrong else 200,
        editions=[(each, words.edition_title(language, each)) for each in names],
        name=name,
        seed=seed if family.deals_cards(edition) else None,
        other_seed=secrets.randbelow(1_000_000),
        wrong=wrong,
        cards=cards,
    )


def part() -> Part:
    """The routes under ``/cards``."""
    return Part("cards", [Route("/cards", _browse)])
