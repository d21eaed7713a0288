"""The parts of the site, put together: what `cardrome web` serves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from starlette.types import ASGIApp

from cardrome.errors import CallerError
from cardrome.web import cards, home, rules, watch
from cardrome.web.app import Part, application
from cardrome.web.play.routes import part as play
from cardrome.web.templates import elo
from cardrome.web.tournaments.routes import part as tournaments
from cardrome.web.tournaments.stores import ShownTournament, shown

_BEST = 6
"""Bots of a tournament that the home page shows."""


def site(store: str | None = None, *, hosts: Collection[str] | None = None, secret: bytes | None = None) -> ASGIApp:
    """The whole site; ``store`` is the URL of a tournament's store to show."""
    stores = shown([] if store is None else [store])
    parts = [
        home.part(lambda: list(_tables(stores.values()))),
        play(),
        watch.part(),
        tournaments(stores),
        cards.part(),
        Part("rules", rules.routes()),
    ]
    return application(parts, hosts=hosts, secret=secret)


def _tables(stores: Iterable[ShownTournament]) -> Iterator[home.TopTable]:
    """The heads of tables for the home page. A store that cannot be read says so on its own page."""
    for each in stores:
        try:
            moment = each.moment()
        except CallerError:
            continue
        if moment is not None:
            summary = moment.summary
            best = summary.overall.standings[:_BEST]
            rows = [(summary.entrant(line.entrant).name, elo(line.elo.value)) for line in best]
            yield home.TopTable(summary.name, f"/tournaments/{each.id}/", moment.is_running, rows)
