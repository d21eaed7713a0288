"""Games between players of every kind, most of the time with real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import cast

import pytest

from cardrome.arena.play import play_game, play_one
from cardrome.arena.players.clock import Clock
from cardrome.arena.players.player import (
    MOST_KEPT,
    AgentPlayer,
    BotSettings,
    PlayerSpec,
    ProgramPlayer,
    close_kept,
    make_player,
    parse_player,
)
from cardrome.arena.players.sandbox import sandbox_problem
from cardrome.engine.random import player_seed
from cardrome.errors import CallerError, UnknownAgent
from cardrome.games.agents import Agent, AgentKind
from cardrome.games.family import find_family
from cardrome.games.locm.family import FAMILY as LOCM
from cardrome.games.locm.protocol.game import LocmView
from cardrome.games.locm.protocol.replay import LocmRerun
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.replay_files import encode_replay
from cardrome.games.replays import Call, Recorder
from cardrome.games.tapdeck.protocol.game import TapdeckView
from tests.arena.agents_here import Broken, Hasty, Wrong
from tests.arena.bots import LANGUAGES, faulty_bot, passing_bot
from tests.arena.games import find_player, play, play_locm, verify


@pytest.mark.parametrize("language", LANGUAGES)
def test_bots_in_every_language_play_unchanged_and_in_the_sandbox(language: str, tmp_path: Path) -> None:
    bot = passing_bot(language, tmp_path)
    replay = play_locm(bot, "greedy", "locm-1.0")
    assert replay.fault is None
    assert replay.winner == 1
    assert all(call.ms is not None for call in replay.calls[::2])
    assert all(call.ms is None for call in replay.calls[1::2])
    if (problem := sandbox_problem()) is not None:
        pytest.skip(problem)
    specs = parse_player(bot, LOCM, 0), parse_player("greedy", LOCM, 1)
    boxed = play_one("locm-1.5", specs, LocmDeal(7), 0, BotSettings(Clock(scale=100), sandbox=True))
    assert (boxed.fault, boxed.winner) == (None, 1)


@pytest.mark.parametrize(
    ("fault", "kind", "message"),
    [
        ("os._exit(3)", "crash", "ended with exit code 3"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "crash", "killed by SIGKILL"),
        ("raise ValueError('oops')", "crash", "exit code 1"),
        ("os.close(1); time.sleep(1000)", "crash", "closed its standard output"),
        ("print('x' * 20000, end='', flush=True); time.sleep(1000)", "too-much-output", "without the end of a line"),
        ("print('SUMON 1 1', flush=True)", "draft", "SUMON 1 1"),
        ("print(flush=True)", "draft", "empty"),
    ],
)
def test_failures_in_the_draft_are_typed(fault: str, kind: str, message: str, tmp_path: Path) -> None:
    replay = play("random", faulty_bot(tmp_path, fault, after=4))
    assert replay.fault is not None
    assert (replay.fault.player, replay.fault.kind) == (1, kind)
    assert message in replay.fault.message
    assert (replay.scores, replay.winner) == ((0, -1), 0)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("os._exit(0)", "crash"),
        ("print('SUMMON', flush=True)", "bad-arguments"),
        ("print('Summon 1 1', flush=True)", "unknown-command"),
        ("print('\\\\x00\\\\xff;;;', flush=True)", "unknown-command"),
    ],
)
def test_failures_in_the_battle_are_typed(fault: str, kind: str, tmp_path: Path) -> None:
    replay = play(faulty_bot(tmp_path, fault, after=32), "pass")
    assert replay.fault is not None
    assert (replay.fault.player, replay.fault.kind, replay.winner) == (0, kind, 1)


def test_a_late_bot_loses_and_so_does_one_that_is_late_at_the_start(tmp_path: Path) -> None:
    clock = Clock(scale=0.001, margin_ms=200, start_ms=20_000)
    late = play("pass", faulty_bot(tmp_path, "time.sleep(1000)", after=3), clock=clock)
    assert late.fault is not None
    assert (late.fault.player, late.fault.kind) == (1, "timeout")
    never = play(ProgramPlayer(["/bin/sleep", "1000"], "sleeper"), "pass", clock=Clock(True, 0.001, 1, 300))
    assert never.fault is not None
    assert (never.fault.player, never.fault.kind) == (0, "timeout")


def test_the_time_of_a_call_that_was_not_answered_is_in_the_replay(tmp_path: Path) -> None:
    clock = Clock(scale=0.001, margin_ms=100, start_ms=20_000)
    replay = play_locm("pass", faulty_bot(tmp_path, "time.sleep(1000)", after=3), clock=clock)
    assert replay.fault is not None
    last = replay.calls[-1]
    assert (last.answer, replay.fault.kind) == (None, "timeout")
    assert last.ms is not None
    assert last.ms >= 100
    assert replay.answer_times(1)[-1] == last.ms


class Timed(AgentPlayer):
    """An agent that writes down how long it might think about each call."""

    def __init__(self) -> None:
        super().__init__(LOCM.find_agent("random"))
        self.allowed: list[float | None] = []

    def answer(self, recorder: Recorder, call: Call, seconds: float | None) -> None:
        self.allowed.append(seconds)
        super().answer(recorder, call, seconds)


def test_only_the_first_call_of_each_player_allows_for_a_start() -> None:
    players = Timed(), Timed()
    play(*players, clock=Clock(scale=1e-6, margin_ms=50, start_ms=5_000))
    for player in players:
        first, *later = [round(seconds or 0, 3) for seconds in player.allowed]
        assert (first, set(later)) == (5.05, {0.05})


def test_without_a_clock_there_is_no_timeout(tmp_path: Path) -> None:
    slow = faulty_bot(tmp_path, "time.sleep(0.3); print('PASS', flush=True); n = -10**9", after=2)
    replay = play("pass", slow, clock=Clock(running=False, scale=0.001, margin_ms=0))
    assert replay.fault is None


def test_a_bot_that_cannot_be_started_loses() -> None:
    replay = play("bot:/no/such/program", "pass", "locm-1.5")
    assert replay.fault is not None
    assert (replay.fault.player, replay.fault.kind) == (0, "no-start")


def test_standard_error_is_kept(tmp_path: Path) -> None:
    replay = play(faulty_bot(tmp_path, "raise ValueError('oops')"), "pass")
    assert replay.processes is not None
    end = replay.processes[0]
    assert end is not None
    assert end.exit_code == 1
    assert "ValueError: oops" in end.stderr


def test_both_faulty_only_the_first_is_blamed(tmp_path: Path) -> None:
    bot = faulty_bot(tmp_path, "os._exit(1)")
    replay = play(bot, bot)
    assert replay.fault is not None
    assert replay.fault.player == 0


def test_player_texts() -> None:
    assert isinstance(find_player("greedy"), AgentPlayer)
    assert isinstance(find_player("tests.arena.agents_here:Hasty"), AgentPlayer)
    for text in ("python3 bot.py", "bot:greedy", "keep:greedy", "./a.out", "cat"):
        assert isinstance(find_player(text), ProgramPlayer)
    with pytest.raises(UnknownAgent, match="did you mean greedy"):
        find_player("gredy")
    for text in ("", "bot:", "python3 'unfinished"):
        with pytest.raises(CallerError):
            find_player(text)


def test_impossible_clocks_are_refused() -> None:
    for clock in ({"scale": 0}, {"margin_ms": -1}, {"start_ms": -1}):
        with pytest.raises(CallerError):
            Clock(**clock)  # type: ignore[arg-type]


@pytest.mark.parametrize(("sent", "exit_code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupting_the_referee_kills_the_bots(tmp_path: Path, sent: signal.Signals, exit_code: int) -> None:
    marker = tmp_path / "pid"
    sleeper = faulty_bot(tmp_path, f"open({str(marker)!r}, 'w').write(str(os.getpid())); time.sleep(1000)", after=2)
    command = [sys.executable, "-m", "cardrome", "referee", "-p1", sleeper, "-p2", "pass", "--no-clock"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not marker.exists() or not marker.read_text():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(sent)
    process.communicate()
    assert process.returncode == exit_code
    assert not os.path.exists(f"/proc/{marker.read_text()}")


def test_a_kept_bot_that_failed_is_started_anew(tmp_path: Path) -> None:
    bot = find_player("keep:" + faulty_bot(tmp_path, "os._exit(3)", after=100))
    replays = [play(bot, "pass") for _ in range(3)]
    assert [replay.fault is not None for replay in replays] == [False, True, False]
    bot.close()


def test_a_kept_bot_with_input_it_was_not_sent_is_started_anew() -> None:
    code = "import time; print('PASS', flush=True); time.sleep(1000)"
    bot = ProgramPlayer([sys.executable, "-c", code], "kept", keep=True)
    pids = []
    for text in (b"short\n", b"x" * 200_000, b"short\n"):
        bot.begin(0)
        assert bot._process is not None
        pids.append(bot._process.process.pid)
        if len(pids) != 2:
            assert bot._process.ask(text, 30) == b"PASS"
        else:
            bot._process._unsent += text
        assert bot.end() is None
    bot.close()
    assert pids[0] == pids[1] != pids[2]


def test_of_many_kept_programs_those_that_played_last_are_kept() -> None:
    specs = [parse_player(f"keep:/bin/sleep {1000 + k}", LOCM) for k in range(MOST_KEPT + 1)]
    players = [make_player(spec, LOCM, BotSettings()) for spec in specs[:-1]]
    for player in players:
        player.begin(0)
    processes = [cast(ProgramPlayer, player)._process for player in players]
    assert make_player(specs[0], LOCM, BotSettings()) is players[0]  # played again: not the oldest any more
    make_player(specs[-1], LOCM, BotSettings())
    ended = [process is not None and process.process.returncode is not None for process in processes]
    assert ended == [k == 1 for k in range(MOST_KEPT)]
    close_kept()
    assert all(process is not None and process.process.returncode is not None for process in processes)


# Agents


def test_nothing_an_agent_does_is_skipped() -> None:
    moments = list(LocmRerun(play_locm("random", "random", seed=8)))
    assert all(moment.effect.ignored == 0 for moment in moments)
    assert any(len(moment.effect.done) > 1 for moment in moments)


@pytest.mark.parametrize("edition", ["locm-1.2", "tapdeck"])
def test_the_same_seeds_give_the_same_replay(edition: str) -> None:
    def recorded(seed: int, first: int = 0) -> bytes:
        family = find_family(edition)
        deal = family.deal(family.editions[edition], {"seed": str(seed)})
        specs = PlayerSpec(0, "same", "random"), PlayerSpec(1, "same", "random")
        return encode_replay(play_one(edition, specs, deal, first, BotSettings()))

    assert recorded(1) == recorded(1)
    assert recorded(1) != recorded(2)
    assert recorded(1) != recorded(1, first=1)  # the seed of a player's chance goes with A and B, not with the seat


class Waiting(Agent):
    """Remembers the seed it was given, and whom it played as; never does anything."""

    seed = -1

    def begin(self, seed: int) -> None:
        self.seed = seed

    def act(self, view: LocmView) -> int:
        assert view.viewer == view.to_move
        return view.legal_codes()[0]


def test_agents_of_ones_own() -> None:
    waiting = Waiting()
    replay = play_locm(waiting, Hasty(), seed=1)
    assert replay.players == ("Waiting", "Hasty")
    assert waiting.seed == player_seed(1, 0)
    assert {call.answer for call in replay.calls[60::2]} == {"PASS"}
    assert replay.winner == 1


@pytest.mark.parametrize("first", [0, 1])
def test_each_player_of_a_pair_has_their_own_seed_whoever_begins(first: int) -> None:
    pair = Waiting(), Waiting()
    family, seated = find_family("locm-1.2"), (pair[first], pair[1 - first])
    players = AgentPlayer(AgentKind("x", "", lambda: seated[0])), AgentPlayer(AgentKind("y", "", lambda: seated[1]))
    play_game(family, family.editions["locm-1.2"], LocmDeal(7), players, first=first)
    assert [player.seed for player in pair] == [player_seed(7, 0), player_seed(7, 1)]


def test_one_who_dies_drawing_is_asked_all_the_same() -> None:
    replay = play_locm("pass", "pass", seed=1)
    assert replay.ending == "draw"
    assert verify(replay) is None


@pytest.mark.parametrize("edition", ["locm-1.2", "tapdeck"])
@pytest.mark.parametrize(("agent", "message"), [(Wrong, "is not legal here"), (Broken, "on purpose")])
def test_an_agents_mistakes_are_told_with_its_name(agent: type[Agent], message: str, edition: str) -> None:
    with pytest.raises(CallerError, match=f"(?s)agent 'Mine'.*{message}"):
        play("random", agent(), edition, seed=1, names=("random", "Mine"))


class Spoils(Agent):
    """Changes what it is shown, then does nothing."""

    def act(self, view: TapdeckView) -> str:
        view.states["health"][:] = 0
        return "END_TURN"


def test_an_agent_cannot_change_the_match_it_is_shown() -> None:
    replay = play(Spoils(), Spoils(), "tapdeck")
    assert (replay.ending, replay.final_health) == ("turns", (30, 30))
