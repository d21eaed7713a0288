"""The documentation's examples run, and print what the pages say they print."""

from __future__ import annotations

import doctest
import importlib
import inspect
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import cardrome
from cardrome.client import CommandRefused, RefusalCode, TapdeckClient
from cardrome.games.locm.rules.deal import LocmDeal
from tests.arena.games import play
from tests.cli.runner import cardrome as command
from tests.docs.pages import PAGES, Block, blocks, name_of
from tests.paths import DOCS, ROOT
from tests.server.in_process import server_thread
from tests.server.processes import password

CLIENTS = DOCS / "tapdeck-clients.md"
ELSEWHERE = {ROOT / "CONTRIBUTING.md", DOCS / "add-a-keyword.md", CLIENTS}
"""Pages whose examples have a test of their own."""
WITH_EXAMPLES = [
    page
    for page in PAGES
    if page not in ELSEWHERE and any(each.language in ("python", "pycon") for each in blocks(page))
]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name_of)
def test_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cardrome.write_replays("games.jsonl.gz", [play("greedy", "random", seed=7)])
    names: dict[str, Any] = {"__name__": "example"}
    for block in blocks(page):
        if block.language == "python" and "__main__" in block.text:
            run_as_script(block, tmp_path)
        elif block.language == "python":
            exec(compile("\n" * block.line + block.text, page, "exec"), names)
        elif block.language == "pycon":
            names |= run_session(block, page, names)


def run_session(block: Block, page: Path, names: dict[str, Any]) -> dict[str, Any]:
    """Type the lines of a session, and compare what is printed."""
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.FAIL_FAST)
    example = doctest.DocTestParser().get_doctest(block.text, names, page.name, str(page), block.line)
    said: list[str] = []
    result = runner.run(example, out=said.append, clear_globs=False)
    assert result.failed == 0, "".join(said)
    return example.globs


def run_as_script(block: Block, folder: Path) -> None:
    """Save and run it, as a reader would, beside a tournament: what starts processes is imported by them again."""
    (folder / "cup.toml").write_text(
        '[tournament]\nname = "Cup"\npairs = 1\nseed = 1\n'
        '[[bots]]\nname = "a"\nagent = "greedy"\n[[bots]]\nname = "b"\nagent = "random"\n'
    )
    assert command("tournament", "cup.toml", "--plain", "--jobs", 1, cwd=folder).returncode == 0
    script = folder / "example.py"
    script.write_text(block.text, encoding="utf-8")
    done = subprocess.run([sys.executable, script], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_example_of_a_client_meets_every_state_of_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = (block for block in blocks(CLIENTS) if block.language == "python")
    monkeypatch.setenv("CARDROME_PASSWORD", password("red"))
    met: set[object] = set()
    turn_info = inspect.getattr_static(TapdeckClient, "turn_info")

    def noted(client: TapdeckClient, match: int) -> Any:
        try:
            info = turn_info.__get__(client, TapdeckClient)(match)
        except CommandRefused as error:
            met.add(error.code)
            raise
        met.add(info.mine)
        return info

    monkeypatch.setattr(TapdeckClient, "turn_info", noted)
    event = {"roster": "all", "pause": 3}
    with server_thread(tmp_path, ["red", "blue"], players=1, event=event, rules={"turns": 2}) as server:
        text = example.text.replace("20000", str(server.port))
        assert text != example.text
        for _ in range(2):  # each time it waits for the next turn: the first, then the last
            exec(compile(text, CLIENTS, "exec"), {})
        assert met == {True, False}
        server.tick()
        exec(compile(text, CLIENTS, "exec"), {})
    assert RefusalCode.GAME_HAS_ENDED in met


def test_the_examples_of_contributing_stand_on_the_names_that_the_package_has() -> None:
    names: dict[str, Any] = {}
    for module in (
        "cardrome.engine.kernel",
        "cardrome.games.locm.rules.edition",
        "cardrome.games.locm.rules.state",
        "cardrome.web.site",
        "cardrome.cli.mcp",
        "tests.games.toy",
    ):
        names |= vars(importlib.import_module(module))
    for block in blocks(ROOT / "CONTRIBUTING.md"):
        if block.language == "python":
            exec(compile("\n" * block.line + block.text, "CONTRIBUTING.md", "exec"), names)
    assert cardrome.find_family("locm-1.2").new_game(names["LOCM_12_SHORT"], LocmDeal(1)).players[1].health == 20
    assert names["part"].name == "hello"
    app = typer.Typer()
    names["register"](app)
    assert "Legends" in CliRunner().invoke(app, ["Ann"]).stdout


def test_the_pages_of_environments_are_up_to_date() -> None:
    made = runpy.run_path(str(DOCS / "make_envs_pages.py"))["pages"]()
    assert made == {path: path.read_text(encoding="utf-8") for path in (DOCS / "envs").iterdir()}, (
        "run: python docs/make_envs_pages.py"
    )


def test_the_pages_of_editions_are_up_to_date() -> None:
    made = runpy.run_path(str(DOCS / "make_edition_pages.py"))["pages"]()
    assert made == {path: path.read_text(encoding="utf-8") for path in (DOCS / "editions").iterdir()}, (
        "run: python docs/make_edition_pages.py"
    )


def test_the_api_page_is_up_to_date() -> None:
    made = subprocess.run(
        [sys.executable, DOCS / "make_api_page.py", "--print"], capture_output=True, text=True, check=True
    ).stdout
    assert made == (DOCS / "api.md").read_text(encoding="utf-8"), "run: python docs/make_api_page.py"


def test_the_api_page_has_every_public_name() -> None:
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    assert [name for name in cardrome.__all__ if f"\n#### {name}" not in page and name != "__version__"] == []
