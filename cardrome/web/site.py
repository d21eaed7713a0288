"""The parts of the site, put together: what `cardrome web` serves."""

from __future__ import annotations

from collections.abc import Collection

from starlette.types import ASGIApp

from cardrome.web import cards, home, watch
from cardrome.web.app import application


def site(store: str | None = None, *, hosts: Collection[str] | None = None, secret: bytes | None = None) -> ASGIApp:
    """The whole site; ``store`` is the URL of a tournament's store to show."""
    parts = [home.part(home.top_tables([] if store is None else [store])), watch.part(), cards.part()]
    return application(parts, hosts=hosts, secret=secret)
