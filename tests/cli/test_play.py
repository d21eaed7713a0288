"""`cardrome play`: a person at a terminal, or a script that pipes moves."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cardrome.games.family import register
from tests.cli.runner import cardrome


def test_a_piped_game_ends_in_a_replay(tmp_path: Path) -> None:
    moves = "2\nPICK 0\nauto\n" + "pass\n" * 40
    done = cardrome("play", "locm-1.2", "--seed", 3, "--save", "game.json", cwd=tmp_path, input=moves)
    assert (done.returncode, done.stderr) == (0, "")
    assert "You lose" in done.stdout
    assert "cardrome replay show game.json" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert cardrome("replay", "verify", tmp_path / "game.json").returncode == 0


def test_what_is_to_be_seen(tmp_path: Path) -> None:
    done = cardrome("play", "--seed", 7, input="auto\nhint\npass\npass\nhelp\n")
    shown = done.stdout
    assert "▸ you          ♥ 30 1/1 mana  hand 5  deck 25  runes 25 20 15 10 5" in shown
    assert "─ Left lane " in shown
    assert re.search(r"^ +7 \( 3\) Corrupted Beavrat +3/4", shown, re.MULTILINE)
    assert "Hint by search: 1  PASS" in shown
    assert "greedy: Buckler on Snowsaur: Snowsaur 5/2 → 6/3" in shown
    assert "   5  USE 3 12         Helm Crusher on Snowsaur: Snowsaur 6/3 → 6/1" in shown
    assert "what a strong agent would do" in shown
    assert "not kept" in shown.splitlines()[-1]


def test_the_pool_and_its_numbers() -> None:
    done = cardrome("play", "locm-1.5", "--seed", 7, "--lang", "fr", input="0\nCHOOSE 7\nundo\nundo\nundo\n")
    assert done.returncode == 2
    assert "Annulé\u00a0: CHOOSE 0" in done.stdout
    assert "line 5: there is nothing to take back" in done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_tapdeck() -> None:
    done = cardrome("play", "tapdeck", "--seed", 3, "--seat", 1, input="1\nend_turn\nresign\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Shared deck, top first" in done.stdout
    assert done.stdout.rstrip().endswith("A match that was given up has no replay.")


def test_a_move_that_is_not_legal_stops_a_script_and_the_game_is_kept(tmp_path: Path) -> None:
    words = ["play", "locm-1.0", "--seed", 3, "--opponent", "random", "--save", "left.json"]
    done = cardrome(*words, cwd=tmp_path, input="1\n2\nATTACK 3 -1\n1\n")
    assert done.returncode == 2
    assert done.stderr.startswith("cardrome: line 3: ")
    assert "cardrome play --resume left.json" in done.stdout
    assert len(json.loads((tmp_path / "left.json").read_text())["actions"]) == 4
    again = cardrome("play", "--resume", "left.json", cwd=tmp_path, input="3\nauto\n")
    assert (again.returncode, again.stderr) == (0, "")
    assert "Card 3 of 30" in again.stdout
    assert len(json.loads((tmp_path / "left.json").read_text())["actions"]) == 60
    assert "exists already" in cardrome(*words, cwd=tmp_path).stderr


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["locm-9"], "unknown edition 'locm-9'"),
        (["--opponent", "nobody"], "unknown agent 'nobody'"),
        (["--seed", "x"], "seed 'x'"),
        (["--lang", "de"], "expected en or fr"),
        (["--save", "nowhere/game.json"], "there is no folder nowhere"),
        (["--resume", "nowhere.json"], "nowhere.json cannot be read"),
        (["--resume", "bad.json"], "bad.json is not an unfinished game: edition is missing"),
    ],
)
def test_wrong_use(tmp_path: Path, words: list[str], text: str) -> None:
    (tmp_path / "bad.json").write_text("{}")
    done = cardrome("play", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert text in done.stderr
    assert done.stdout == ""


def test_a_game_that_draws_nothing_is_shown_as_it_prints(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CARDROME_GAMES", "")
    register("tests.games.toy:FAMILY")
    done = cardrome("play", "pebbles", "--seed", 1, "--save", "p.json", cwd=tmp_path, input="2\nTAKE 1\n" + "1\n" * 9)
    assert (done.returncode, done.stderr) == (0, "")
    assert "ooooooooooo" in done.stdout
    assert "   3  TAKE 3" in done.stdout
    assert cardrome("replay", "verify", tmp_path / "p.json").returncode == 0


class Terminal:
    """A real terminal of 80 by 24 with the command in it."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.screen, inner = pty.openpty()
        environment = {**os.environ, "COLUMNS": "80", "LINES": "24", "TERM": "xterm", "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cardrome", "play", *words],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            cwd=folder,
            env={**environment, "PYTHONPATH": os.pathsep.join(sys.path)},
            start_new_session=True,
        )
        os.close(inner)
        self.seen = ""

    def wait_for(self, text: str) -> None:
        while text not in self.seen:
            try:
                self.seen += os.read(self.screen, 65536).decode(errors="replace")
            except OSError:
                raise AssertionError(self.seen) from None

    def type(self, line: str, answer: str) -> None:
        self.seen = ""
        os.write(self.screen, f"{line}\n".encode())
        self.wait_for(answer)

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)
        with contextlib.suppress(OSError):
            os.write(self.screen, b"\n")  # a signal between prompt and `select` waits there for some input

    def close(self) -> int:
        os.close(self.screen)
        return self.process.wait()


def test_a_person_at_a_real_terminal(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "locm-1.2", "--seed", "7")
    terminal.wait_for("[1-3]> ")
    terminal.type("9", "there is no move 9; they go from 1 to 3")
    terminal.type("jump", "got 'JUMP'")
    terminal.type("auto", "[1]> ")
    told = ""
    for move in ("1", "1", "4", "1", "2", "1"):
        terminal.type(move, "]> ")
        told += terminal.seen
    assert "ATTACK 7 18" in terminal.seen  # moves in columns, or the board would leave the screen
    assert len(terminal.seen[terminal.seen.index("turn 8") :].splitlines()) <= 24
    assert told.count("board: what each move would do") == 1
    terminal.type("board", "attacks Shiny Prowler: ")
    terminal.wait_for("]> ")
    terminal.type("resign", "You lose")
    terminal.wait_for("quit> ")
    terminal.type("swap", "[1-3]> ")
    terminal.type("2", "Card 2 of 30")
    terminal.wait_for("[1-3]> ")
    terminal.seen = ""
    terminal.interrupt()
    terminal.wait_for("\r\n  cardrome play --resume cardrome-locm-1.2-7-1.json\r\n")  # whole, to be copied
    assert terminal.process.wait() == 130
    os.close(terminal.screen)
    terminal = Terminal(tmp_path, "--resume", "cardrome-locm-1.2-7-1.json")
    terminal.wait_for("Card 2 of 30")
    terminal.wait_for("[1-3]> ")
    terminal.type("quit", "Kept in cardrome-locm-1.2-7-1.json")
    assert terminal.close() == 0
