"""Agents as bots: real processes over pipes, asked by the referee's own dialogue."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cardrome.errors import CallerError
from cardrome.games.locm.agents.registry import AGENTS
from cardrome.games.locm.bot import Lines, quick_answer, read_message
from cardrome.games.locm.brain import Brain, decide_turn
from cardrome.games.locm.protocol.answers import parse_constructed, parse_draft
from cardrome.games.locm.protocol.dialogue import Dialogue
from cardrome.games.locm.rules.edition import EDITIONS
from tests.games.locm.games import new_game
from tests.paths import ROOT

SCRIPT = """
import sys
from cardrome.games.locm.bot import run_bot
sys.exit(run_bot(sys.argv[1], sys.argv[2], int(sys.argv[3]), clock=sys.argv[4] == "clock"))
"""
DRAFT_TEXT = new_game("locm-1.2", seed=1).input_text(0)

Process = subprocess.Popen[str]


@contextmanager
def bot(
    agent: str, edition: str = "locm-1.2", seed: int = 1, clock: bool = False, cwd: Path = ROOT
) -> Iterator[Process]:
    """A bot's process, ended when the test is over."""
    command = [sys.executable, "-c", SCRIPT, agent, edition, str(seed), "clock" if clock else "patient"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1, env=environment, cwd=cwd
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ask(process: Process, text: str) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(text)
    process.stdin.flush()
    answer = process.stdout.readline()
    assert answer.endswith("\n"), process.stderr.read() if process.stderr is not None else ""
    return answer.removesuffix("\n")


def finish(process: Process) -> tuple[str, str]:
    """Close the bot's input; what it wrote since to both outputs."""
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    return output, errors


def play(edition: str, seed: int, first: Process | Brain, second: Brain) -> Dialogue:
    """A whole game of a bot, in which every single action must be legal. The other seat is played in this process."""
    dialogue = Dialogue(new_game(edition, seed=seed))
    while dialogue.call is not None:
        player, text = (first, second)[dialogue.call.player], dialogue.call.text
        answer = player.answer(text.splitlines()) if isinstance(player, Brain) else ask(player, text)
        assert dialogue.answer(answer).ignored == 0
    assert dialogue.fault is None
    return dialogue


@pytest.mark.parametrize(
    ("edition", "agent"),
    [
        ("locm-1.0-wood3", "rule-based"),
        ("locm-1.0-multi", "random"),
        ("locm-1.2", "random"),
        ("locm-1.5", "greedy"),
        ("locm-1.5-2022", "rule-based"),
    ],
)
def test_a_bot_decides_as_the_agent_does_inside_the_process(edition: str, agent: str) -> None:
    with bot(agent, edition, seed=5) as process:
        dialogue = play(edition, 3, process, Brain("rule-based", edition, 1))
        assert finish(process)[0] == ""
    games = {}
    for seed in (5, 6):
        game = new_game(edition, seed=3)
        agents = AGENTS[agent].new(seed), AGENTS["rule-based"].new()
        while game.to_move is not None:
            game.push(agents[game.to_move].act(game.view(game.to_move)))
        games[seed] = game.actions
    assert dialogue.game.actions == games[5]
    assert (games[5] != games[6]) == (agent == "random")


def test_with_a_clock_no_answer_is_a_fault_however_early() -> None:
    with bot("greedy", clock=True) as process:
        play("locm-1.2", 2, process, Brain("greedy", "locm-1.2", 1))


def test_an_agent_that_never_loads_keeps_no_answer_waiting(tmp_path: Path) -> None:
    (tmp_path / "stuck.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n")
    with bot("stuck:Agent", clock=True, cwd=tmp_path) as process:
        for _ in range(2):
            assert ask(process, DRAFT_TEXT) == quick_answer(DRAFT_TEXT.splitlines())
        output, errors = finish(process)
    assert (output, errors.count("still loading")) == ("", 1)


def test_an_answer_before_loading_is_legal() -> None:
    for edition in EDITIONS.values():
        game = new_game(edition, seed=4)
        answer = quick_answer(game.input_text(0).splitlines())
        if edition.constructed:
            assert len(parse_constructed(answer, game.offered(), 30, edition.max_copies)) == 30
        else:
            assert answer == f"PICK {parse_draft(answer, game.offered())}"
        while game.phase != "battle":
            game.push(game.legal_codes()[0])
        assert quick_answer(game.input_text().splitlines()) == "PASS"


def test_the_end_of_the_input_ends_the_bot() -> None:
    for text in ("", DRAFT_TEXT[:20]):
        with bot("greedy") as process:
            assert process.stdin is not None
            process.stdin.write(text)
            assert finish(process) == ("", "")
    with bot("greedy") as process:
        assert process.stdin is not None
        process.stdin.write(DRAFT_TEXT)
        assert finish(process)[0].startswith("PICK ")


def test_garbage_is_passed_over_and_reported() -> None:
    number = DRAFT_TEXT.splitlines()[4].split()[0]
    unknown = DRAFT_TEXT.replace(f"\n{number} -1", "\n250 -1")  # of the right length, but without sense
    with bot("greedy") as process:
        before = ask(process, DRAFT_TEXT)
        for garbage in ("hello\n", "1 2 3 4 5\nfoo\nbar\n", DRAFT_TEXT.replace("\n3\n", "\nthree\n"), unknown):
            assert ask(process, garbage) == "PASS"
            assert ask(process, DRAFT_TEXT) == before
        output, errors = finish(process)
    assert output == ""
    assert len(re.findall(r"cardrome bot: line \d", errors)) == 4, errors
    assert "no card number 250" in errors


def test_a_bot_whose_referee_is_gone_ends_quietly() -> None:
    with bot("greedy") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(DRAFT_TEXT)
        process.stdin.flush()
        assert process.wait() == 0
        assert process.stderr.read() == ""


def test_ctrl_c_is_quiet() -> None:
    with bot("greedy") as process:
        ask(process, DRAFT_TEXT)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate()
        assert (process.returncode, output, errors) == (130, "", "")


def test_ctrl_c_ends_an_agent_that_never_answers(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("""
import os, time
from cardrome.games.agents import Agent
class Slow(Agent):
    def act(self, view):
        os.write(2, b"thinking")
        time.sleep(1000)
""")
    with bot("slow:Slow", cwd=tmp_path) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(DRAFT_TEXT)
        process.stdin.flush()
        assert process.stderr.read(8) == "thinking"
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130


def test_an_agent_whose_process_dies_ends_the_bot() -> None:
    with bot("greedy") as process:
        ask(process, DRAFT_TEXT)
        (brain,) = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(int(brain), signal.SIGKILL)
        assert process.stdin is not None
        process.stdin.write(DRAFT_TEXT)
        output, errors = process.communicate()
    assert (process.returncode, output) == (1, "")
    assert "the agent's process has ended" in errors


@pytest.mark.parametrize("name", ["Wrong", "Broken"])
@pytest.mark.parametrize("edition", ["locm-1.0", "locm-1.5"])
def test_an_agent_that_fails_passes(name: str, edition: str, capsys: pytest.CaptureFixture[str]) -> None:
    failing = Brain(f"tests.arena.agents_here:{name}", edition, 1)
    assert play(edition, 1, failing, Brain("greedy", edition, 1)).winner == 1
    assert "the agent failed" in capsys.readouterr().err


def test_a_wrong_name_ends_the_bot_while_it_waits() -> None:
    with bot("greddy") as process:
        assert process.wait() != 0  # although its input is still open
        assert process.stderr is not None
        assert "CallerError: unknown agent 'greddy'" in process.stderr.read()
    for agent, edition in (("greedy", "locm-9"), ("no:Such", "locm-1.2")):
        with pytest.raises(CallerError):
            Brain(agent, edition, 1)


def test_messages_are_cut_out_of_a_stream() -> None:
    for edition in ("locm-1.0", "locm-1.2", "locm-1.5"):
        game = new_game(edition, seed=1)
        agent = AGENTS["greedy"].new()
        texts: list[str] = []
        while game.to_move is not None and len(texts) < 200:
            texts.append(game.input_text())
            game.push(agent.act(game.view(game.to_move)))
        reader, writer = os.pipe()
        os.write(writer, "".join(texts).replace("\n", "\r\n" if edition == "locm-1.2" else "\n").encode()[:60_000])
        os.close(writer)
        lines = Lines(reader)
        messages = []
        while (message := read_message(lines)) is not None:
            messages.append("\n".join(message) + "\n")
        os.close(reader)
        assert len(messages) > 9
        assert messages == texts[: len(messages)]


def test_a_turn_ends_with_the_game() -> None:
    game = new_game("locm-1.2", seed=1)
    while game.phase != "battle":
        game.push(0)
    view = game.view(0)
    view.states["players"]["health"][0, 0] = 0
    view.states["winner"] = 1
    assert decide_turn(AGENTS["greedy"].new(), view) == "PASS"
