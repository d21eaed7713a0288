"""Who may play: bots are built and checked; one that fails is left out, with a message that says why."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from cardrome.errors import CallerError
from cardrome.tournament.store.store import TournamentStore
from tests.arena.bots import PYTHON
from tests.tournament.tools import (
    TAPDECK,
    THREE,
    agent,
    keys_of,
    processes_with,
    program,
    records,
    run_cup,
    stored_games,
    write_cup,
)

COUNTING = PYTHON.replace("import sys\n", "import sys\nimport os\nopen('starts', 'a').write('x')\n", 1)
"""A bot that notes each of its starts in its folder."""


def test_classes_play_each_other_agents_and_programs(tmp_path: Path) -> None:
    hasty = agent("hasty", "tests.arena.agents_here:Hasty")
    bots = [hasty, agent("greedy"), program(tmp_path, "passes"), agent("hasty2", "tests.arena.agents_here:Hasty")]
    file = write_cup(tmp_path, bots, pairs=1)
    watch = run_cup(file)
    assert len(keys_of(file)) == 12
    assert watch.messages == []
    with_program = [each for each in records(file) if any(each.behaviours)]
    assert len(with_program) == 6
    assert all(each.fault_of is None for each in records(file))


def test_a_tapdeck_class_plays(tmp_path: Path) -> None:
    (tmp_path / "tapdeck_classes_here.py").write_text(
        "from cardrome.games.agents import Agent\n"
        "class First(Agent):\n"
        "    def act(self, view): return view.legal_actions[0]\n"
        "class Broken(Agent):\n"
        "    def act(self, view): raise ZeroDivisionError('on purpose')\n"
    )
    sys.path.append(str(tmp_path))
    try:
        bots = [agent("first", "tapdeck_classes_here:First"), agent("broken", "tapdeck_classes_here:Broken"), *THREE]
        file = write_cup(tmp_path, bots, editions=[TAPDECK], pairs=1)
        watch = run_cup(file)
    finally:
        sys.path.remove(str(tmp_path))
    assert watch.messages == [
        "broken is left out: in its check game of tapdeck: agent 'broken' failed: ZeroDivisionError: on purpose"
    ]
    assert len(stored_games(file)) == 12


def test_a_class_that_breaks_in_its_check_game_is_left_out(tmp_path: Path) -> None:
    file = write_cup(tmp_path, [agent("broken", "tests.arena.agents_here:Broken"), *THREE])
    watch = run_cup(file)
    assert [message.split(":")[0] for message in watch.messages] == ["broken is left out"]
    assert "on purpose" in watch.messages[0]
    assert len(stored_games(file)) == 12


def test_a_class_that_breaks_later_stops_the_run_and_says_so(tmp_path: Path) -> None:
    file = write_cup(tmp_path, [*THREE, agent("broken", "tests.arena.agents_here:Broken")], check=False, pairs=1)
    with pytest.raises(CallerError, match=r"agent 'broken' failed"):
        run_cup(file)


def test_programs_have_their_directory_environment_and_build(tmp_path: Path) -> None:
    code = PYTHON.replace(
        "import sys\n", "import sys, os\nassert os.environ['WHO'] == 'me' and open('built').read() == 'me'\n", 1
    )
    build = shlex.join([sys.executable, "-c", "import os; open('built', 'w').write(os.environ['WHO'])"])
    mine = program(tmp_path, "mine", code, environment={"WHO": "me"}, build=build, author="somebody")
    file = write_cup(tmp_path, [agent("greedy"), mine], pairs=1)
    watch = run_cup(file)
    assert watch.messages == []
    for record in records(file):
        assert record.fault_of is None
        assert record.winner == 0
        agent_of_ours, mine_in_game = record.behaviours
        assert agent_of_ours is None
        assert mine_in_game is not None
        assert mine_in_game.games == sum(mine_in_game.starts.values()) == 1
        assert sum(mine_in_game.times.values()) == mine_in_game.answers - 1 > 30
        assert mine_in_game.faults == {}


def test_a_program_is_found_in_its_directory(tmp_path: Path) -> None:
    mine = program(tmp_path, "mine")
    script = tmp_path / "bots" / "mine" / "start"
    script.write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} bot.py\n")
    script.chmod(0o755)
    file = write_cup(tmp_path, [agent("greedy"), mine | {"command": "./start"}], pairs=1)
    assert run_cup(file).messages == []
    assert {record.fault_of for record in records(file)} == {None}


def test_a_program_that_is_kept_is_started_once_and_gone_at_the_end(tmp_path: Path) -> None:
    token = f"CUP_TOKEN={tmp_path.name}"
    environment = {"CUP_TOKEN": tmp_path.name}
    bots = [agent("greedy"), program(tmp_path, "kept", COUNTING, keep=True, environment=environment)]
    bots.append(program(tmp_path, "fresh", COUNTING, environment=environment))
    file = write_cup(tmp_path, bots, pairs=2, check=False)
    run_cup(file)
    assert len((tmp_path / "bots/kept/starts").read_text()) == 1
    assert len((tmp_path / "bots/fresh/starts").read_text()) == 8
    assert {record.fault_of for record in records(file)} == {None}
    assert processes_with(token) == []


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        (
            {"command": "./nothing", "build": f"{sys.executable} -c 'print(7 * 6); raise SystemExit(3)'"},
            "its build failed with exit code 3: 42",
        ),
        (
            {"command": "./nothing", "build": "./no-such-tool"},
            "its build command './no-such-tool' cannot be started: No",
        ),
        ({"command": "./nothing", "build": '"a\\u0000b"'}, "its build command 'a\\x00b' cannot be started: embedded"),
        ({"command": "./nothing"}, "in its check game of locm-1.2: no-start: "),
        ({"command": f"{sys.executable} -c 'raise ValueError(12345)'"}, "in its check game of locm-1.2: crash: "),
        ({"command": "/bin/cat"}, "in its check game of locm-1.2: draft: "),
    ],
    ids=["build fails", "no build tool", "no build command", "cannot start", "crashes", "nonsense"],
)
def test_a_bot_that_cannot_play_is_told_why_and_left_out(tmp_path: Path, bot: dict[str, Any], message: str) -> None:
    if '"a' in bot.get("build", ""):
        bot = bot | {"build": "a\x00b"}
    file = write_cup(tmp_path, [{"name": "bad", **bot}, *THREE], pairs=1)
    watch = run_cup(file)
    assert len(watch.messages) == 1
    assert watch.messages[0].startswith(f"bad is left out: {message}")
    assert ("12345" in watch.messages[0]) == ("12345" in bot["command"])
    assert len(stored_games(file)) == 6
    with TournamentStore.open("cup.db", claim=False, base=tmp_path) as store:
        problems = {entrant.name: entrant.problem for entrant in store.entrants()}
    assert problems.pop("bad")
    assert set(problems.values()) == {None}


def test_a_build_that_takes_too_long_is_killed(tmp_path: Path) -> None:
    file = write_cup(
        tmp_path, [{"name": "bad", "command": "./x", "build": "sleep 1000"}, *THREE], {"build_seconds": 0.2}
    )
    assert run_cup(file).messages == ["bad is left out: its build took longer than 0.2 s"]


def test_a_bot_that_was_repaired_is_admitted(tmp_path: Path) -> None:
    bad = program(tmp_path, "late", "import sys; sys.exit('not yet')")
    file = write_cup(tmp_path, [*THREE, bad], pairs=1)
    assert "not yet" in run_cup(file).messages[0]
    (tmp_path / "bots/late/bot.py").write_text(PYTHON)
    assert run_cup(file).messages == []
    assert len(stored_games(file)) == 12
    with TournamentStore.open("cup.db", claim=False, base=tmp_path) as store:
        assert [entrant.problem for entrant in store.entrants()] == [None] * 4


def test_too_few_bots(tmp_path: Path) -> None:
    file = write_cup(tmp_path, [agent("greedy"), {"name": "bad", "command": "./nothing"}])
    with pytest.raises(CallerError, match=r"cup.toml: 1 of the bots can play; a tournament needs at least two"):
        run_cup(file)


def test_a_gauntlet_needs_a_challenger_that_works(tmp_path: Path) -> None:
    bots = [*THREE, {"name": "bad", "command": "./nothing"}]
    file = write_cup(tmp_path, bots, schedule="gauntlet", challengers=["bad"])
    with pytest.raises(CallerError, match="no challenger was admitted"):
        run_cup(file)


def test_faults_are_kept_with_standard_error_and_replay(tmp_path: Path) -> None:
    dying = PYTHON.replace('print("PASS", flush=True)', 'n = globals().get("n", 0) + 1\n'
        '    if n > 31: sys.exit("out of ideas")\n    print("PASS", flush=True)')  # fmt: skip
    file = write_cup(tmp_path, [agent("greedy"), program(tmp_path, "dying", dying)], check=False, replays="faults")
    run_cup(file)
    found = records(file)
    assert len(found) == 4
    for record in found:
        assert (record.winner, record.fault_of, record.fault_kind) == (0, 1, "crash")
        assert "exit code 1" in record.fault_message
        assert record.behaviours[1] is not None
        assert record.behaviours[1].faults == {"crash": 1}
        assert "out of ideas" in record.stderr[1]
        assert record.replay is not None
