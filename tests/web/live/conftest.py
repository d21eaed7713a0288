"""A live page on a real socket."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.live.live_site import LiveSite


@pytest.fixture
def site() -> Iterator[LiveSite]:
    site = LiveSite()
    yield site
    site.close()
