"""The page of all options is up to date, and links lead somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, name_of
from tests.paths import ROOT


def test_cli_page_is_up_to_date() -> None:
    script = ROOT / "docs" / "make_cli_page.py"
    made = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout
    assert made == (ROOT / "docs" / "cli.md").read_text(encoding="utf-8"), (
        "run: python docs/make_cli_page.py > docs/cli.md"
    )


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{name_of(path)} links to {target}"


def test_every_test_that_the_security_page_names_exists() -> None:
    here = "tests/arena/players/test_sandbox.py"
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    named = re.findall(r"`(?:(tests/[\w/]+\.py)::)?(test_\w+)`", text)
    assert len(named) > 20
    assert [name for file, name in named if f"def {name}(" not in (ROOT / (file or here)).read_text()] == []
