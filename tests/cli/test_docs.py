"""The documentation names every command, and the page of all options is up to date."""

import re
import subprocess
import sys

import pytest

from tests.paths import ROOT


def commands() -> list[str]:
    import typer

    from cardrome.cli import app

    return list(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


def test_readme_names_every_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    missing = [name for name in commands() if not re.search(rf"`(cardrome )?{name}\b", readme)]
    assert missing == []


def test_cli_page_is_up_to_date() -> None:
    script = ROOT / "docs" / "make_cli_page.py"
    made = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout
    assert made == (ROOT / "docs" / "cli.md").read_text(encoding="utf-8"), (
        "run: python docs/make_cli_page.py > docs/cli.md"
    )


@pytest.mark.parametrize("page", [*sorted(path.name for path in (ROOT / "docs").glob("*.md")), "../README.md"])
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / "docs" / page
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{page} links to {target}"


def test_every_test_that_the_security_page_names_exists() -> None:
    here = "tests/arena/players/test_sandbox.py"
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    named = re.findall(r"`(?:(tests/[\w/]+\.py)::)?(test_\w+)`", text)
    assert len(named) > 20
    assert [name for file, name in named if f"def {name}(" not in (ROOT / (file or here)).read_text()] == []
