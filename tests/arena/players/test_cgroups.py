"""Control groups of a real kernel. Without a delegated group of memory and processes, what is said about it."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardrome.arena.players import cgroups
from cardrome.arena.players.cgroups import bot_groups
from cardrome.arena.players.sandbox import Limits, protections

DRIVER = """
import json, os, sys, time
group, controllers, sandbox = sys.argv[1], sys.argv[2].split(), sys.argv[3] == "True"
open(group + "/cgroup.procs", "w").write(str(os.getpid()))
from cardrome.arena.players import cgroups
from cardrome.arena.players.orphans import process_state
from cardrome.arena.players.process import BotProcess
from cardrome.arena.players.sandbox import Limits
cgroups.CONTROLLERS = tuple(controllers)
code = '''
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork(): os._exit(0)
    os.execve("/bin/sleep", ["sleep", "1000"], {})
os.wait()
print("up", flush=True)
time.sleep(1000)
'''
with BotProcess(["/usr/bin/python3", "-c", code], Limits(memory=1 << 30, processes=30), sandbox=sandbox) as bot:
    bot.ask(b"", 30)
    (place,) = [name for name in os.listdir(group) if name.startswith("bot-")]
    pids = open(f"{group}/{place}/cgroup.procs").read().split()
    limits = {}
    for name in ("memory.max", "pids.max"):
        if name.split(".")[0] in controllers:
            limits[name] = open(f"{group}/{place}/{name}").read().strip()
end = time.monotonic() + 30
while (left := [pid for pid in pids if process_state(int(pid)) not in ("", "X", "Z")]) and time.monotonic() < end:
    time.sleep(0.01)  # they are ending
print(json.dumps([len(pids), limits, left, [name for name in os.listdir(group) if name.startswith("bot-")]]))
"""


@contextlib.contextmanager
def delegated_group() -> Iterator[Path]:
    """A group of our own, as systemd would delegate one."""
    own = cgroups._own_group()
    if os.geteuid() != 0 or own is None or not os.access(own, os.W_OK):
        pytest.skip("only root can make a control group here")
    group = own / f"cardrome-test-{os.getpid()}"
    group.mkdir()
    try:
        yield group
    finally:
        for place in (*group.glob("*/"), group):
            cgroups.remove_group(place)


@pytest.mark.skipif(not os.path.exists("/usr/bin/python3"), reason="there is no /usr/bin/python3")
@pytest.mark.parametrize("sandbox", [False, True])
def test_a_bot_and_its_daemons_are_in_a_group_that_ends_with_it(sandbox: bool) -> None:
    with delegated_group() as group:
        available = (group / "cgroup.controllers").read_text().split()
        counted = [name for name in cgroups.CONTROLLERS if name in available]
        words = [sys.executable, "-c", DRIVER, str(group), " ".join(counted), str(sandbox)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        count, limits, alive, groups = json.loads(done.stdout)
    assert count >= 2
    expected = {"memory.max": str(1 << 30), "pids.max": "30"}
    assert limits == {name: value for name, value in expected.items() if name.partition(".")[0] in counted}
    assert alive == groups == []


def test_without_a_group_it_is_said_what_does_not_bind() -> None:
    line = protections(Limits(), sandbox=False)
    assert ("memory 16 GiB in all" in line) == (bot_groups() is not None)
    assert ("memory 16 GiB a process (not in all: no cgroup)" in line) == (bot_groups() is None)
