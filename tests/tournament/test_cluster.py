"""More than one machine: two nodes of a real Ray cluster, each with temporary files of its own."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.arena.bots import PYTHON
from tests.paths import ROOT
from tests.tournament.test_executors import kill_player
from tests.tournament.tools import Game, agent, processes_with, program, run_cup, stored_games, wait_until, write_cup

GATED = PYTHON.replace(
    "import sys\n",
    "import os, sys, time\nassert open('built').read() == 'x'\n"
    "while not os.path.exists(os.environ['GATE']): time.sleep(0.02)\n",
    1,
)
"""Plays only where it was built once, and not before the gate is open."""
BUILD = f"{sys.executable} -c \"open('built', 'a').write('x')\""
FIRST = "p = os.environ['GATE'] + '.tried'; first = not os.path.exists(p); open(p, 'w')"
DEADLY_BUILD = BUILD.replace('"', f'"import os; {FIRST}; first and (os.kill(os.getppid(), 9), os._exit(0)); ', 1)
"""Kills the worker that runs it, the first time."""
QUICK = {
    "RAY_health_check_initial_delay_ms": "0",
    "RAY_health_check_period_ms": "200",
    "RAY_health_check_timeout_ms": "1000",
    "RAY_health_check_failure_threshold": "3",
    "RAY_enable_worker_prestart": "0",
}
"""How soon the cluster notices that a machine is gone."""
LEAN = ["--include-log-monitor=false", "--no-monitor"]
"""Without processes that we have no use for: who copies logs, and who would ask for more machines."""
START = """
import json, os, sys
for environment, words in json.load(sys.stdin):
    os.environ |= environment
    from ray.scripts.scripts import cli
    cli.main(words, standalone_mode=False)
"""


@dataclass
class Cluster:
    folder: Path
    port: int
    client: int

    def environment(self, machine: str) -> dict[str, str]:
        """That of the processes of a machine, or of somebody who uses the cluster."""
        place = self.folder / machine
        place.mkdir(exist_ok=True)
        own = {"TMPDIR": str(place), "RAY_AUTH_MODE": "disabled", "PYTHONPATH": str(ROOT)}
        return {**os.environ, **QUICK, **own}

    def start(self, words: dict[str, list[str]]) -> None:
        """Start machines, given what to say to `ray start` on each: in one process, since importing Ray takes time."""
        common = ["start", "--num-cpus", "1", "--disable-usage-stats", *LEAN]
        orders = [(self.environment(machine), common + each) for machine, each in words.items()]
        done = subprocess.run(
            [sys.executable, "-P", "-c", START], input=json.dumps(orders), cwd="/", capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def kill(self, machine: str) -> None:
        """A machine loses its power."""
        for pid in processes_with(f"TMPDIR={self.folder / machine}\0"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def is_gone(self) -> bool:
        """Kill whatever is left, until nothing is: the dying may have started something."""
        for machine in ("one", "two", "driver"):
            self.kill(machine)
        return not processes_with(f"TMPDIR={self.folder}")

    def unpacked(self, machine: str) -> list[Path]:
        """The bots that were unpacked and built on a machine."""
        return list((self.folder / machine).glob("cardrome-bots-*/*.done"))

    def play(self, file: Path, workers: str, cwd: Path) -> subprocess.Popen[str]:
        environment = {**self.environment("driver"), "RAY_ADDRESS": f"127.0.0.1:{self.port}"}
        command = [sys.executable, "-m", "cardrome", "tournament", str(file), "--workers", workers, "--plain"]
        return subprocess.Popen(command, cwd=cwd, env=environment, stdout=-1, stderr=-1, text=True)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    folder = Path(tempfile.mkdtemp(prefix="cluster"))  # a short path: Ray's sockets are in it
    made = Cluster(folder, free_port(), free_port())
    try:
        ports = ["--port", str(made.port), "--ray-client-server-port", str(made.client)]
        head = ["--head", *ports, "--include-dashboard=false", "--temp-dir", str(folder / "ray")]
        made.start({"one": head, "two": ["--address", f"127.0.0.1:{made.port}"]})
        yield made
    finally:
        wait_until(made.is_gone)
        shutil.rmtree(folder, ignore_errors=True)


def gated_cup(folder: Path, gate: Path, build: str = BUILD) -> Path:
    folder.mkdir()
    bot = program(folder, "gated", GATED, build=build, environment={"GATE": str(gate)})
    bots = [agent("greedy"), bot, agent("hasty", "tests.arena.agents_here:Hasty")]
    return write_cup(folder, bots, {"clock": False}, pairs=2, check=False)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> set[Game]:
    folder = tmp_path_factory.mktemp("expected")
    (folder / "gate").touch()
    file = gated_cup(folder / "cup", folder / "gate")
    run_cup(file)
    return stored_games(file)


def begun(cluster: Cluster, file: Path, cwd: Path) -> subprocess.Popen[str]:
    """A tournament from elsewhere, once its bot is there. Ray's server for clients may crash when it starts."""
    for _ in range(3):
        run = cluster.play(file, f"ray://127.0.0.1:{cluster.client}", cwd)
        while len(cluster.unpacked("one")) < 2 and run.poll() is None:
            time.sleep(0.05)
        if run.poll() is None:
            break
        _, told = run.communicate()
        # The second is what Ray's proxy says when it looks at a server that has died already.
        assert "Starting Ray client server failed" in told or "psutil.ZombieProcess" in told, told
    return run


@pytest.mark.timeout(1800)  # two machines' worth of processes: minutes on one that is busy, without hanging
def test_bots_travel_and_a_machine_may_vanish(cluster: Cluster, expected: set[Game], tmp_path: Path) -> None:
    gate, hostile = tmp_path / "gate", tmp_path / "hostile"
    hostile.mkdir()
    (hostile / "numpy.py").write_text(f"open({str(hostile / 'ran')!r}, 'w')\n")

    # Two machines, one of which vanishes while it plays.
    file = gated_cup(tmp_path / "auto", gate)
    run = cluster.play(file, "ray", hostile)
    wait_until(lambda: bool(cluster.unpacked("one") and cluster.unpacked("two")) or run.poll() is not None)
    (tmp_path / "auto" / "bots").rename(tmp_path / "gone")  # nobody needs the originals any more
    cluster.kill("two")
    gate.touch()
    _, told = run.communicate()
    assert run.returncode == 0, told
    (tmp_path / "gone").rename(tmp_path / "auto" / "bots")  # reading the settings looks for it
    assert stored_games(file) == expected
    assert "count for nobody" in told
    assert len(cluster.unpacked("one")) == len(cluster.unpacked("two")) == 1

    # From elsewhere, on what is left, where one worker is killed while it builds, and one while it plays.
    gate = tmp_path / "other-gate"
    file = gated_cup(tmp_path / "client", gate, DEADLY_BUILD)
    run = begun(cluster, file, hostile)
    killed: list[int] = []
    kill_player(f"GATE={gate}", killed).join()
    gate.touch()
    _, told = run.communicate()
    assert run.returncode == 0, told
    assert killed
    assert stored_games(file) == expected
    wait_until(lambda: processes_with(f"GATE={gate}") == [])
    assert len(cluster.unpacked("one")) == 2
    assert not (hostile / "ran").exists()
