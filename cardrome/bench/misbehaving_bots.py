"""Thousands of games against a bot that misbehaves at random: every failure typed, no hang, nothing left behind.

Run: python -m cardrome.bench.misbehaving_bots [GAMES] [JOBS]
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from cardrome.arena.play import play_one
from cardrome.arena.players.clock import Clock
from cardrome.arena.players.player import BotSettings, parse_player
from cardrome.games.locm.family import FAMILY
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import EDITIONS

BOT = """
import os, random, signal, sys, time
chance = random.Random(int(sys.argv[1]))
def misbehave():
    what = chance.randrange(10)
    if what == 0: os._exit(chance.randrange(256))
    if what == 1: os.kill(os.getpid(), signal.SIGABRT)
    if what == 2: os.close(1); time.sleep(1000)
    if what == 3: print("x" * 20000, end="", flush=True); time.sleep(1000)
    if what == 4: sys.stdout.buffer.write(os.urandom(50) + bytes([10])); sys.stdout.flush()
    if what == 5: print("DANCE 1 2", flush=True)
    if what == 6: raise RuntimeError("on purpose")
    if what == 7: time.sleep(1000)
    if what == 8: os.fork(); os.setsid() if os.fork() == 0 else None; time.sleep(1000)
    if what == 9: print("PICK 0;PASS" * 50, flush=True)
while True:
    head = [sys.stdin.readline() for _ in range(3)]
    if not head[2]: break
    for _ in range(int((head[2].split() + ["0"])[1])): sys.stdin.readline()
    for _ in range(int(sys.stdin.readline())): sys.stdin.readline()
    misbehave() if chance.random() < 0.1 else print("PASS", flush=True)
"""


def play(command: str, start: int, stop: int) -> tuple[Counter[str], int, int, int]:
    """Play some games; returns what ended them, and how descriptors, children and memory (kB) grew."""
    clock = Clock(scale=0.001, margin_ms=100, start_ms=1500)
    editions = list(EDITIONS.values())
    endings: Counter[str] = Counter()
    before = None
    for k in range(start, stop):
        if k == start + 20:  # once everything is loaded
            before = len(os.listdir("/proc/self/fd")), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        players = parse_player(f"{command} {k}", FAMILY, 0), parse_player("pass", FAMILY, 1)
        replay = play_one(editions[k % len(editions)].name, players, LocmDeal(k), (k + 1) % 2, BotSettings(clock))
        endings[replay.fault.kind if replay.fault is not None else "no fault"] += 1
    after = len(os.listdir("/proc/self/fd")), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    descriptors, memory = before or after
    children = sum(len((task / "children").read_text().split()) for task in Path("/proc/self/task").iterdir())
    return endings, after[0] - descriptors, children, after[1] - memory


def main() -> None:
    """Play the games in several processes and print what came of them."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    with tempfile.TemporaryDirectory() as folder:
        bot = Path(folder) / "bot.py"
        bot.write_text(BOT)
        command = f"{sys.executable} -S -E {bot}"
        bounds = [games * i // jobs for i in range(jobs + 1)]
        start = time.perf_counter()
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            parts = list(pool.map(play, [command] * jobs, bounds[:-1], bounds[1:]))
    seconds = time.perf_counter() - start
    endings = sum((part[0] for part in parts), Counter[str]())
    print(f"{games} games in {seconds:.0f} s: {dict(endings.most_common())}")
    print(f"descriptors leaked: {sum(p[1] for p in parts)}, children left: {sum(p[2] for p in parts)}")
    print(f"memory grew by {[p[3] for p in parts]} kB")


if __name__ == "__main__":
    main()
