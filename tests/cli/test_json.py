"""The page of JSON shapes says what the commands print: no field is missing there, and none is made up."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from cardrome.cli import app
from cardrome.cli.join import _print_summary
from cardrome.client.team import TeamRecord
from cardrome.games.replay_files import write_replays
from tests.arena.bots import passing_bot
from tests.cli.runner import cardrome
from tests.cli.test_replay import recorded
from tests.paths import GOLDEN, ROOT

PAGE = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
OPEN = {"editions", "cards", "bench", "position"}
"""Sections that name only some of the fields."""


def section(command: str) -> dict[str, str]:
    """The fields that the page names for a command, each with its meaning."""
    found = re.search(rf"^## cardrome {re.escape(command)}\n(.*?)(?=^## |\Z)", PAGE, re.S | re.M)
    assert found is not None, command
    rows = re.findall(r"^\| (`.*?) \| (.*) \|$", found[1], re.M)
    return {name: meaning for names, meaning in rows for name in re.findall(r"`(.*?)`", names)}


def paths(value: Any, at: str = "") -> Iterator[str]:
    """Every place in a value, as the page writes places."""
    if at:
        yield at
    if isinstance(value, dict):
        for name, each in value.items():
            yield from paths(each, f"{at}.{name}" if at else name)
    elif isinstance(value, list):
        for each in value:
            yield from paths(each, f"{at}[]")


def check(command: str, *values: Any) -> None:
    """Compare what the page says with what was printed. What the page names stands for all that is inside it."""
    named, found = section(command), {path for value in values for path in paths(value)}
    patterns = {name: re.escape(name).replace(r"\*", ".+") for name in named}
    surely = [name for name, meaning in named.items() if not meaning.startswith("if any")]
    made_up = [name for name in surely if not any(re.fullmatch(patterns[name], path) for path in found)]
    assert made_up == [], f"{command}: the page names what is not printed"
    if command not in OPEN:
        inside = re.compile("|".join(rf"{pattern}([.\[].*)?" for pattern in patterns.values()))
        around = {name[:end] for name in named for end in range(len(name)) if name[end] in ".["}
        unknown = sorted(path for path in found if not inside.fullmatch(path) and path not in around | {"[]"})
        assert [path for path in unknown if not path.endswith("[]")] == [], f"{command}: the page lacks a field"


def printed(*words: object, cwd: Path | None = None) -> Any:
    done = cardrome(*words, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1  # one value on one line
    return json.loads(done.stdout)


def test_every_command_with_json_is_on_the_page() -> None:
    def commands(group: Any, prefix: str = "") -> Iterator[str]:
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                yield from commands(command, f"{prefix}{name} ")
            elif any("--json" in each.opts for each in command.params):
                yield f"{prefix}{name}"

    told = set(re.findall(r"^## cardrome (.*)$", PAGE, re.M)) | {"demo", "tournament report"}
    assert set(commands(typer.main.get_command(app))) - told == set()


def test_reference() -> None:
    check("editions", printed("editions"))
    check("cards", printed("cards"), printed("cards", "tapdeck"))
    check("rules", printed("rules", "tapdeck"))
    check("agents", printed("agents"))
    assert list(printed("agents", "-e", "tapdeck")) == ["tapdeck"]


def test_series_and_checks(tmp_path: Path) -> None:
    check("match", printed("match", "greedy", "random", "-n", 4, "-j", 1))
    check("check-bot", printed("check-bot", passing_bot("python", tmp_path), "-n", 1, "--no-clock"))
    game = tmp_path / "one.jsonl"
    with gzip.open(GOLDEN / "1.2-golden.jsonl.gz") as file:
        game.write_bytes(next(file))
    check("conform", printed("conform", game))


def test_replays(tmp_path: Path) -> None:
    many, one = tmp_path / "many.jsonl", tmp_path / "one.json"
    write_replays(many, [recorded(seed) for seed in (1, 2)])
    write_replays(one, [recorded(1)])
    listed, shown = printed("replay", "show", many), printed("replay", "show", one, "--turn", 3)
    assert [each["game"] for each in listed] == [1, 2]
    assert shown["story"][1].startswith("turn 3 · player 1")
    assert listed[0] == {name: shown[name] for name in listed[0]}
    check("replay show", shown)
    check("replay verify", printed("replay", "verify", one))
    check("analyse", printed("analyse", one, "--agent", "search-fast"))


def test_tournaments(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    demo = printed("demo", "--games", 2, "--out", folder, "--jobs", 1)
    standings = printed("tournament", "standings", folder / "cup.toml")
    assert standings == demo
    check("tournament standings", standings)
    check("tournament run --dry-run", printed("tournament", folder / "cup.toml", "--dry-run", "--jobs", 1))
    (folder / "cup.db").unlink()
    done = cardrome("tournament", folder / "cup.toml", "--jobs", 1, "--json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert {each["event"] for each in events} == {"message", "entrants", "round", "game", "standings"}
    check("tournament run", *events)


def test_events(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    event = tmp_path / "event.toml"
    cardrome("host", "new", event)
    cardrome("host", "accounts", "add", event, "red")
    check("host standings", printed("host", "standings", event))
    check("host accounts list", printed("host", "accounts", "list", event))
    _print_summary(TeamRecord(), as_json=True)
    check("join", json.loads(capfdbinary.readouterr().out))
