"""Two small cups that were really played, for all tests here: agents on two games, and programs with faults."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cardrome.tournament.games import GameTable
from cardrome.tournament.results.summary import Summary, summarize
from cardrome.tournament.store.store import TournamentStore
from tests.tournament.small_cups import FAMILIES, PROGRAMS, play

Cup = tuple[TournamentStore, Summary, GameTable]


def _played(folder: Path, text: str) -> Iterator[Cup]:
    with play(folder, text) as store:
        snapshot = store.snapshot()
        yield store, summarize(snapshot, replicates=50), snapshot.games


@pytest.fixture(scope="session")
def families(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cup]:
    yield from _played(tmp_path_factory.mktemp("families"), FAMILIES)


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cup]:
    yield from _played(tmp_path_factory.mktemp("programs"), PROGRAMS)
