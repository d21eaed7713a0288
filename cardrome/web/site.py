"""The parts of the site, put together: what `cardrome web` serves."""

from __future__ import annotations

from collections.abc import Collection

from starlette.types import ASGIApp

from cardrome.web import cards, home, rules, watch
from cardrome.web.app import Part, application
from cardrome.web.play.routes import part as play
from cardrome.web.tournaments.routes import part as tournaments
from cardrome.web.tournaments.stores import shown


def site(store: str | None = None, *, hosts: Collection[str] | None = None, secret: bytes | None = None) -> ASGIApp:
    """The whole site; ``store`` is the URL of a tournament's store to show."""
    stores = shown([] if store is None else [store])
    parts = [
        home.part(lambda: home.top_tables(stores.values())),
        play(),
        watch.part(),
        tournaments(stores),
        cards.part(),
        Part("rules", rules.routes()),
    ]
    return application(parts, hosts=hosts, secret=secret)
