"""`cardrome new-bot`: what it writes and says; that the bots play is tested in tests/kits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardrome.kits.kit import LANGUAGES
from tests.cli.runner import cardrome


@pytest.mark.parametrize("edition", ["locm-1.5", "tapdeck"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_kit_is_a_source_and_a_readme(language: str, edition: str, tmp_path: Path) -> None:
    done = cardrome("new-bot", "my bot", "--lang", language, "--edition", edition, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    kind = LANGUAGES[language]
    assert sorted(path.name for path in (tmp_path / "my bot").iterdir()) == sorted([kind.source, "README.md"])
    readme = (tmp_path / "my bot" / "README.md").read_text()
    assert readme.startswith("# my bot: ")
    for command in filter(None, (kind.build, kind.run, "cardrome replay html", "cardrome analyse")):
        assert command in readme
    steps = [line.removeprefix("  ") for line in done.stdout.splitlines() if line.startswith("  ")]
    assert steps[0] == "cd 'my bot'"
    assert all(step in readme for step in steps[1:])
    ours = [step for step in steps if "check-bot" in step or "host event.toml" in step]
    assert len(ours) == 1


def test_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "work.txt").write_text("a week of it")
    (tmp_path / "file").write_text("")
    for words, message in (
        (("full",), "full is not empty, and was left alone; name a new folder"),
        (("file",), "file cannot be written: File exists"),
        (("x", "--lang", "javascipt"), "unknown language 'javascipt'; did you mean java"),
        (("x", "--lang", "cobol"), "known: python, cpp, java, js, rust, go"),
        (("x", "--edition", "locm-1.3"), "unknown edition 'locm-1.3'; did you mean "),
        ((), "name a folder for the bot: cardrome new-bot mybot --lang python|cpp|java|js|rust|go"),
    ):
        done = cardrome("new-bot", *words, cwd=tmp_path)
        assert done.returncode == 2
        assert message in done.stderr
    assert not (tmp_path / "x").exists()
    assert (tmp_path / "full" / "work.txt").read_text() == "a week of it"
    assert cardrome("new-bot", "y", "--lang", "C++", cwd=tmp_path).returncode == 0


def test_listings(tmp_path: Path) -> None:
    assert max(map(len, cardrome("new-bot", "--list").stdout.splitlines())) <= 80
    listed = json.loads(cardrome("new-bot", "--list", "--json").stdout)
    assert [each["name"] for each in listed] == list(LANGUAGES)
    made = json.loads(cardrome("new-bot", "go", "--lang", "go", "--json", cwd=tmp_path).stdout)
    assert (made["build"], made["run"], made["edition"]) == ("go build -o bot bot.go", "./bot", "locm-1.2")


def test_a_game_without_a_kit_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDROME_GAMES", "tests.games.toy:FAMILY")
    done = cardrome("new-bot", tmp_path / "bot", "--edition", "pebbles")
    assert done.returncode == 2
    assert "there is no starter kit for " in done.stderr
