"""How many examples hypothesis tries."""

from __future__ import annotations

from hypothesis import settings

USUAL = 30
"""Of a test that says nothing else, in CI."""


def examples(usual: int) -> settings:
    """For a test that tries this many in CI: in proportion fewer or more in the other profiles."""
    return settings(max_examples=max(1, usual * settings().max_examples // USUAL))
