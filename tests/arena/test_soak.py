"""Many games with a bot that misbehaves at random: every failure typed, nothing left behind."""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

from cardrome.arena.clock import Clock
from cardrome.arena.players import find_player
from cardrome.arena.process import BotProcess
from cardrome.arena.referee import play_game
from cardrome.protocol.locm.replay import verify
from cardrome.rules.locm.deal import Deal
from cardrome.rules.locm.edition import EDITIONS
from tests.arena.bots import PYTHON
from tests.arena.test_process import PATIENCE, is_alive, wait_until

MISBEHAVIOUR = """
import os, random, signal, sys, time
chance = random.Random(sys.argv[1])
def misbehave():
    what = chance.randrange(9)
    if what == 0: os._exit(chance.randrange(256))
    if what == 1: os.kill(os.getpid(), signal.SIGABRT)
    if what == 2: os.close(1); time.sleep(1000)
    if what == 3: print("x" * 20000, end="", flush=True); time.sleep(1000)
    if what == 4: sys.stdout.buffer.write(os.urandom(50) + bytes([10])); sys.stdout.flush()
    if what == 5: print("DANCE 1 2", flush=True)
    if what == 6: raise RuntimeError("on purpose")
    if what == 7: time.sleep(1000)
    if what == 8: os.fork(); os.fork(); os._exit(1)
"""

KINDS = {"crash", "timeout", "too-much-output", "draft", "wrong-card-count", "unknown-command", "bad-arguments"}


def test_random_misbehaviour(tmp_path: Path) -> None:
    answer = '    print("PASS", flush=True)\n'
    path = tmp_path / "bad.py"
    path.write_text(
        MISBEHAVIOUR + PYTHON.replace(answer, f"    if chance.random() < 0.05: misbehave()\n    else:\n    {answer}")
    )
    clock = Clock(scale=0.001, margin_ms=400, start_ms=20_000)
    before = sorted(os.listdir("/proc/self/fd"))
    seen: Counter[str] = Counter()
    editions = list(EDITIONS.values())
    for k in range(40):
        bad = find_player(f"{sys.executable} {path} {k}")
        seat = k % 2
        players = (bad, find_player("pass")) if seat == 0 else (find_player("pass"), bad)
        replay = play_game(editions[k % len(editions)], Deal(k), players, clock)
        assert verify(replay) is None
        if replay.fault is not None:
            assert replay.fault.player == seat
            assert replay.fault.kind in KINDS
            seen[replay.fault.kind] += 1
    assert len(seen) >= 3, seen
    assert sorted(os.listdir("/proc/self/fd")) == before


def test_a_burst_of_forks_is_cleaned_up() -> None:
    code = (
        "import os, time\npids = []\nfor _ in range(200):\n    pid = os.fork()\n    if pid == 0:\n"
        "        os.setsid()\n        time.sleep(1000)\n    pids.append(pid)\nprint(*pids)\ntime.sleep(1000)"
    )
    with BotProcess([sys.executable, "-u", "-c", code]) as bot:
        pids = [int(pid) for pid in bot.ask(b"", PATIENCE).split()]
        assert all(is_alive(pid) for pid in pids)
    wait_until(lambda: not any(is_alive(pid) for pid in pids))
