"""What tests of the engine share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.engine.fresh_process import Run, numba_at_hand


@pytest.fixture(scope="session")
def fork() -> Iterator[Run]:
    """Runs pieces of Python where Numba is at hand."""
    with numba_at_hand() as run_fork:
        yield run_fork
