"""What families say of themselves: every function that they name is there and is called as `Family` says."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from cardrome.games.family import AnyFamily, Family, _Later, families


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_what_is_imported_later_is_there_and_takes_the_same_parameters(family: AnyFamily) -> None:
    named = [name for name, value in vars(type(family)).items() if isinstance(value, _Later)]
    assert len(named) > 8
    for name in named:
        found, declared = getattr(family, name), getattr(Family, name, None)
        if inspect.isfunction(declared):
            expected = list(inspect.signature(declared).parameters)[1:]
            assert list(inspect.signature(found).parameters)[: len(expected)] == expected, name


def test_a_process_that_plays_imports_no_agents_no_replays_and_no_pages() -> None:
    code = """
import sys
import cardrome
cardrome.new_game("locm-1.2", seed=7).legal_mask()
late = ("agents", "check", "page", "protocol.replay", "protocol.story", "protocol.setup", "protocol.position")
print([name for name in late if f"cardrome.games.locm.{name}" in sys.modules], "cardrome.games.tapdeck" in sys.modules)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "[] False\n"
