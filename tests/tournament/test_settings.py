"""A tournament's settings: every key is checked; who gets one wrong is told the file, the key and the remedy."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardrome.errors import CallerError
from cardrome.tournament.run import fixed_and_growing
from cardrome.tournament.settings import EXAMPLE, BotSection, LimitsSection, TournamentSection, read_plan
from tests.paths import DOCS
from tests.tournament.tools import agent, program, write_cup

TWO = [agent("one", "greedy"), agent("two", "random")]


def told(file: Path) -> str:
    """What is said of a file that is refused; it begins with the file."""
    with pytest.raises(CallerError) as caught:
        read_plan(file)
    text = str(caught.value)
    assert text.startswith(str(file))
    return text.removeprefix(str(file)).removeprefix(": ")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("name", "", "tournament.name: expected `str` of length >= 1, got ''"),
        ("name", "x" * 65, "tournament.name: expected `str` of length <= 64"),
        ("name", "a\nb", "tournament.name: expected `str` matching"),
        ("name", "a\n", "tournament.name: expected `str` matching"),
        ("name", 3, "tournament.name: expected `str`, got 3"),
        ("editions", [], "tournament.editions: expected `array` of length >= 1, got a list"),
        ("editions", ["locm-1.3"], "tournament.editions: unknown edition 'locm-1.3'; did you mean locm-1."),
        ("editions", ["tapdeck", "tapdeck"], "tournament.editions: one is listed twice in ['tapdeck', 'tapdeck']"),
        (
            "schedule",
            "swis",
            "tournament.schedule: expected one of 'round-robin', 'gauntlet', 'swiss', 'ladder', got 's",
        ),
        ("pairs", 0, "tournament.pairs: expected `int` >= 1, got 0"),
        ("pairs", 1_000_001, "tournament.pairs: expected `int` <= 1000000, got 1000001"),
        ("pairs", "many", "tournament.pairs: expected `int`, got 'many'"),
        ("rounds", 3, "tournament.rounds is for schedule 'swiss' or 'ladder', not 'round-robin'"),
        ("rounds", 0, "tournament.rounds: expected `int` >= 1, got 0"),
        ("challengers", ["one"], "tournament.challengers is for schedule 'gauntlet', not 'round-robin'"),
        ("challengers", "one", "tournament.challengers: expected `array`, got 'one'"),
        ("seed", -1, "tournament.seed: expected `int` >= 0, got -1"),
        ("seed", True, "tournament.seed: expected `int`, got true"),
        ("store", 7, "tournament.store: expected `str`, got 7"),
        ("jobs", -1, "tournament.jobs: expected `int` >= 0, got -1"),
        ("jobs", 5000, "tournament.jobs: expected `int` <= 4096, got 5000"),
        ("sandbox", "yes", "tournament.sandbox: expected `bool`, got 'yes'"),
        ("check", 1, "tournament.check: expected `bool`, got 1"),
        ("replays", "some", "tournament.replays: expected one of 'all', 'faults', 'none', got 'some'"),
        ("pair", 3, "unknown key tournament.pair; did you mean pairs?"),
    ],
)
def test_keys_of_the_tournament(tmp_path: Path, key: str, value: Any, message: str) -> None:
    assert told(write_cup(tmp_path, TWO, **{key: value})).startswith(message)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"schedule": "swiss"}, "tournament.rounds is missing: a Swiss tournament needs a number of rounds"),
        ({"schedule": "gauntlet"}, "tournament.challengers is missing"),
        (
            {"schedule": "gauntlet", "challengers": ["three"]},
            "tournament.challengers: no bot has the name 'three'; the bots are one, two",
        ),
        ({"schedule": "gauntlet", "challengers": ["one"], "rounds": 2}, "tournament.rounds is for schedule 'swiss'"),
    ],
)
def test_schedules_have_what_they_need_and_nothing_else(tmp_path: Path, keys: dict[str, Any], message: str) -> None:
    assert told(write_cup(tmp_path, TWO, **keys)).startswith(message)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("clock", 0, "limits.clock: expected `bool`, got 0"),
        ("time_scale", 0.0, "limits.time_scale: expected `float` > 0.0, got 0"),
        ("timeout_margin_ms", -1, "limits.timeout_margin_ms: expected `float` >= 0.0, got -1"),
        ("start_allowance_ms", 4_000_000, "limits.start_allowance_ms: expected `float` <= 3600000.0, got 4000000"),
        ("memory_mb", 8, "limits.memory_mb: expected `int` >= 16, got 8"),
        ("processes", 0, "limits.processes: expected `int` >= 1, got 0"),
        ("file_mb", -1, "limits.file_mb: expected `int` >= 0, got -1"),
        ("build_seconds", 0, "limits.build_seconds: expected `float` > 0.0, got 0"),
        ("memory", 64, "unknown key limits.memory; did you mean memory_mb?"),
    ],
)
def test_keys_of_the_limits(tmp_path: Path, key: str, value: Any, message: str) -> None:
    assert told(write_cup(tmp_path, TWO, {key: value})).startswith(message)


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ({"agent": "greedy"}, "bots[2].name is missing"),
        ({"name": "\x1b[2J", "agent": "greedy"}, "bots[2].name: expected `str` matching"),
        ({"name": "one", "agent": "greedy"}, "bots: two have the name 'one'; names must be different"),
        ({"name": "x"}, "bots[2] (x): expected either agent or command, got neither"),
        ({"name": "x", "agent": "greedy", "command": "./x"}, "bots[2] (x): expected either agent or command, got both"),
        ({"name": "x", "agent": "", "command": "./x"}, "bots[2] (x): expected either agent or command, got both"),
        (
            {"name": "x", "agent": "gredy"},
            "bots[2] (x): agent for locm-1.2: unknown agent 'gredy'; did you mean greedy",
        ),
        ({"name": "x", "agent": ""}, "bots[2] (x): agent for locm-1.2: unknown agent ''"),
        ({"name": "x", "agent": "no_such_module:Bot"}, "bots[2] (x): agent for locm-1.2: "),
        (
            {"name": "x", "agent": "./mybot"},
            "bots[2] (x): agent: expected a built-in agent, policy:FILE or module:Class, got './mybot'",
        ),
        (
            {"name": "x", "agent": "python3 bot.py"},
            "bots[2] (x): agent: expected a built-in agent, policy:FILE or module:Class",
        ),
        ({"name": "x", "command": ""}, "bots[2] (x): command: expected a command line, got '': it is empty"),
        (
            {"name": "x", "command": "python3 'bot.py"},
            'bots[2] (x): command: expected a command line, got "python3 \'bot.py": No closing quotation',
        ),
        ({"name": "x", "command": "./x", "build": ""}, "bots[2] (x): build: expected a command line, got '': it is"),
        (
            {"name": "x", "command": "./x", "directory": "nowhere"},
            "bots[2] (x): directory: expected a folder, got 'nowhere', which does not exist in /",
        ),
        ({"name": "x", "agent": "greedy", "build": "make"}, "bots[2] (x): build, directory, keep and environment are"),
        ({"name": "x", "agent": "greedy", "keep": True}, "bots[2] (x): build, directory, keep and environment are"),
        ({"name": "x", "agent": "greedy", "directory": "bots"}, "bots[2] (x): build, directory, keep and environment"),
        ({"name": "x", "command": "./x", "keep": "yes"}, "bots[2].keep: expected `bool`, got 'yes'"),
        ({"name": "x", "command": "./x", "author": "x" * 201}, "bots[2].author: expected `str` of length <= 200"),
        ({"name": "x", "command": "./x", "version": ""}, "bots[2].version: expected `str` of length >= 1, got ''"),
        ({"name": "x", "command": "./x", "version": 2}, "bots[2].version: expected `str`, got 2"),
        ({"name": "x", "command": "./x", "environment": {"A": 1}}, "bots[2].environment[...]: expected `str`"),
        ({"name": "x", "command": "./x", "environment": {'"A=B"': "1"}}, "bots[2] (x): environment: expected"),
        ({"name": "x", "comand": "./x"}, "unknown key bots[2].comand; did you mean command?"),
    ],
)
def test_keys_of_bots(tmp_path: Path, bot: dict[str, Any], message: str) -> None:
    assert told(write_cup(tmp_path, [*TWO, bot])).startswith(message)


def test_programs_cannot_play_tapdeck(tmp_path: Path) -> None:
    file = write_cup(tmp_path, [*TWO, program(tmp_path, "x")], editions=["locm-1.2", "tapdeck"])
    assert told(file).startswith("bots[2] (x): programs cannot play tapdeck here")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "tournament is missing"),
        ("[tournament]\nname = 'x'\n", "bots is missing"),
        ("bots = []\n[tournament]\nname = 'x'\n", "bots: expected `array` of length >= 1"),
        ("[tournament\n", "not valid TOML: "),
        (
            "[tournament]\nname = 'x'\n[turnament]\n[[bots]]\nname='a'\n",
            "unknown key turnament; did you mean tournament?",
        ),
    ],
)
def test_files_that_are_no_settings(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(text)
    assert told(file).startswith(message)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert told(tmp_path / "none.toml") == " cannot be read: No such file or directory"


def test_paths_lead_from_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write_cup(tmp_path, [*TWO, program(tmp_path, "x")])
    monkeypatch.chdir(tmp_path.parent)
    plan = read_plan(Path(tmp_path.name) / file.name)
    assert plan.folder == tmp_path
    assert plan.store == "cup.db"


def example(file: Path, *uncommented: str) -> dict[str, Any]:
    """The example as a document, with some of its commented keys."""
    text = EXAMPLE.format(file=file)
    for key in uncommented:
        text, count = re.subn(rf"^# ({key} = )", r"\1", text, flags=re.MULTILINE)
        assert count == 1, key
    file.write_text(text)
    return tomllib.loads(text)


def test_the_example_is_valid(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    example(file)
    plan = read_plan(file)
    assert [bot.name for bot in plan.settings.bots] == ["greedy", "rule-based", "random"]
    assert plan.settings.limits == LimitsSection()
    given = {"name", "editions", "schedule", "pairs"}
    for name, value in msgspec.structs.asdict(plan.settings.tournament).items():
        assert name == "name" or value == getattr(TournamentSection("x"), name), name
    assert given == set(tomllib.loads(file.read_text())["tournament"])


def test_the_commented_values_of_the_example_are_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    limits = LimitsSection.__struct_fields__
    document = example(file, "jobs", "sandbox", "check", "replays", *limits)
    section = msgspec.structs.asdict(TournamentSection("x"))
    for key in ("jobs", "sandbox", "check", "replays", "editions", "schedule", "pairs"):
        assert document["tournament"][key] == section[key], key
    assert document["limits"] == msgspec.structs.asdict(LimitsSection())
    read_plan(file)


def test_the_example_shows_every_key(tmp_path: Path) -> None:
    text = EXAMPLE.format(file="cup.toml")
    for kind in (TournamentSection, LimitsSection, BotSection):
        for key in kind.__struct_fields__:
            assert re.search(rf"^(# )?{key} = ", text, re.MULTILINE), key
    shown = [line for line in text.splitlines() if re.match(r"# (rounds|challengers|seed|store) = ", line)]
    assert len(shown) == 4
    assert all("an example" in line for line in shown)


def test_what_games_depend_on_is_told_from_what_may_grow(tmp_path: Path) -> None:
    plans = [
        read_plan(write_cup(tmp_path, TWO, **keys))
        for keys in (
            {"pairs": 2},
            {"pairs": 3},
            {"pairs": 2, "limits": {"build_seconds": 5}},
            {"pairs": 2, "limits": {"clock": False}},
        )
    ]
    fixed = [fixed_and_growing(plan)[0] for plan in plans]
    assert fixed[0] == fixed[1]
    assert fixed_and_growing(plans[0]) != fixed_and_growing(plans[1])
    assert fixed[2] != fixed[3]
    assert "build_seconds" not in fixed[2]


def test_programs_keep_to_a_core_unless_told_otherwise(tmp_path: Path) -> None:
    for limits in ({"clock": True}, {"affinity": True}, {"affinity": False}):
        plan = read_plan(write_cup(tmp_path, TWO, limits))
        assert plan.settings.bot_settings.affinity is limits.get("affinity", True)


def test_the_guide_lists_every_key_with_its_default() -> None:
    page = (DOCS / "tournaments.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `((?:tournament|limits|bots)\.\w+)` \|\s*(.*?)\s*\|", page, re.MULTILINE))
    sections = {"tournament": TournamentSection("x"), "limits": LimitsSection(), "bots": BotSection("x")}
    assert set(rows) == {f"{name}.{key}" for name, each in sections.items() for key in each.__struct_fields__}
    for name, section in sections.items():
        for key in section.__struct_fields__:
            default, shown = getattr(section, key), rows[f"{name}.{key}"]
            if key != "name" and default is not None:
                assert shown == f"`{msgspec.json.encode(default).decode()}`", key
            else:
                assert key in ("seed", "store") or shown == "", key
