"""Many games with a bot that misbehaves at random: every failure typed, nothing left behind."""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

from cardrome.arena.referee import play_game

from cardrome.arena.players.clock import Clock
from cardrome.arena.players.process import BotProcess
from cardrome.bench.misbehaving_bots import BOT
from cardrome.games.locm.rules.edition import EDITIONS
from tests.arena.games import play
from tests.arena.players.test_process import PATIENCE, is_alive, wait_until

KINDS = {"crash", "timeout", "too-much-output", "draft", "wrong-card-count", "unknown-command", "bad-arguments"}


def test_random_misbehaviour(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text(BOT)
    clock = Clock(scale=0.001, margin_ms=400, start_ms=5_000)
    before = sorted(os.listdir("/proc/self/fd"))
    seen: Counter[str] = Counter()
    editions = list(EDITIONS)
    for k in range(40):
        bad = f"{sys.executable} {path} {k}"
        seat = k % 2
        players = (bad, "pass") if seat == 0 else ("pass", bad)
        replay = play(*players, editions[k % len(editions)], k, clock)
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
