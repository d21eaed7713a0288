"""`cardrome bot` as a referee runs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.games.locm.games import new_game

AGENT = """
import cardrome
print("imported")
class Talker(cardrome.Agent):
    def act(self, view):
        print("thinking")
        return view.legal_codes()[-1]
"""


def run(*args: str, text: str = "", folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cardrome", "bot", *args]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False, cwd=folder)


def test_a_message_in_an_answer_out() -> None:
    game = new_game("locm-1.0", seed=1)
    done = run("greedy", "--edition", "locm-1.0", "--seed", "1", "--no-clock", text=game.input_text(0) * 2)
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["PICK", "PICK"]


def test_a_wrong_name_is_told_though_nobody_asks_anything() -> None:
    done = run("gredy")
    assert (done.returncode, done.stdout) == (2, "")
    assert "unknown agent 'gredy'; did you mean greedy" in done.stderr


def test_a_deck_is_constructed_in_one_line() -> None:
    done = run("rule-based", "-e", "locm-1.5", "--no-clock", text=new_game("locm-1.5", seed=1).input_text(0))
    assert done.stdout.count("\n") == 1
    assert done.stdout.count("CHOOSE") == 30


def test_what_an_agent_prints_does_not_reach_the_referee(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(AGENT)
    text = new_game("locm-1.2", seed=1).input_text(0)
    done = run("mine:Talker", "--no-clock", text=text, folder=tmp_path)
    assert done.stdout == "PICK 2\n"
    assert done.stderr == "imported\nthinking\n"


def test_wrong_names_are_wrong_use() -> None:
    for args, hint in (
        (("gredy",), "greedy"),
        (("greedy", "-e", "locm-1.3"), "locm-1.2"),
        (("greedy", "-e", "tapdeck"), "`cardrome bot` cannot play tapdeck: Tapdeck bots are TCP clients"),
    ):
        done = run(*args, "--no-clock", text=new_game("locm-1.2", seed=1).input_text(0))
        assert done.returncode == 2
        assert hint in done.stderr
        assert "Traceback" not in done.stderr
        assert done.stdout == ""
