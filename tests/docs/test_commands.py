"""Every command line in the documentation is one that the program understands; those of the tutorials are run."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.runner import cardrome, parse, whole_program
from tests.docs.pages import PAGES, blocks, command_lines, name_of
from tests.paths import DOCS

OPERATOR = re.compile(r"^(\||>|<|&&|&)")
LINES = sorted({(name_of(page), line) for page in PAGES for line in command_lines(page)})
TUTORIALS = [DOCS / "get-started.md", *sorted((DOCS / "tutorials").glob("*.md"))]
STAYS = re.compile(r"web|join|play|host event\.toml|host export|\w+ .*policy:")
"""Commands that serve, ask a person, or need what these leave behind: the tests of the command line run them."""
PLAYS = re.compile(r"match|tournament \S+\.toml$")


def words_of(line: str) -> list[str]:
    """The words after the program's name, as a shell would split them, up to a pipe or a redirection."""
    words: list[str] = []
    for word in shlex.split(line, comments=True)[1:]:
        if OPERATOR.match(word):
            break
        words.append(word)
    return words


@pytest.mark.parametrize("page", sorted({page for page, _ in LINES}))
def test_every_command_line_is_understood(page: str) -> None:
    for each, line in LINES:
        if each == page:
            try:
                parse(words_of(line))
            except Exception as error:
                pytest.fail(f"{page}: {line}\n{getattr(error, 'message', error)}")


def test_there_are_command_lines_and_wrong_ones_are_noticed() -> None:
    assert len(LINES) > 100
    for wrong in ("match greedy --gamez 3", "matsch greedy random", "replay show", "tournament report cup.toml --html"):
        with pytest.raises(Exception, match=r"."):
            parse(wrong.split())


def test_every_command_is_shown_in_use() -> None:
    assert set(whole_program().commands) - {words_of(line)[0] for _, line in LINES} == set()


@pytest.mark.parametrize("page", TUTORIALS, ids=name_of)
def test_the_commands_of_a_tutorial_run_in_their_order(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")  # bots may be `cardrome bot ...`
    for block in blocks(page):
        if block.file is not None:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
    ran = 0
    for line in command_lines(page, ("sh",)):
        words = words_of(re.sub(r"--games \d+", "--games 4", line))  # enough to see that it works
        if STAYS.match(" ".join(words)):
            continue
        if PLAYS.match(" ".join(words)):
            words += ["--jobs", "1"]
        done = cardrome(*words, cwd=tmp_path)
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        ran += 1
    assert ran or page.stem == "train-an-agent"
