from __future__ import annotations

from collections.abc import Iterator

import pytest

from cardrome.tournament.store.store import TournamentStore


@pytest.fixture
def store(database_url: str) -> Iterator[TournamentStore]:
    with TournamentStore.open(database_url) as store:
        yield store
