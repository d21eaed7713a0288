"""What all tests share: how much hypothesis tries, and the databases that stores are tested on."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.postgres import database_url, postgres_server
from tests.profiles import USUAL

__all__ = ["database_url", "postgres_server"]

# Tests run side by side, one for each core and more: libraries of linear algebra with threads of their own would mostly
# wait for each other, here and in the processes that tests start.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

# Nothing here is measured against a clock: a busy machine must not fail a test.
_patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", _patient, max_examples=USUAL, derandomize=True, print_blob=True)
settings.register_profile("quick", _patient, max_examples=5, derandomize=True)
settings.register_profile("thorough", _patient, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# A shell that runs the tests in the background has them ignore Ctrl-C, and so would every process that they start:
# those that test Ctrl-C would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-skips", action="store_true", help="a skipped test is a failure: for CI, which has all tools")


# Collecting tests makes hundreds of thousands of objects and hardly any garbage.
gc.disable()


def pytest_collection_finish() -> None:
    # Thousands of tests and the modules they imported stay to the end: without them in its way the garbage collector
    # takes a tenth less of all the time.
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if session.config.option.no_skips and exitstatus == 0 and reporter is not None and reporter.stats.get("skipped"):
        reporter.write_line("\ntests were skipped, which --no-skips forbids", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


LONGEST = [
    ["browser/"],
    ["tournament/test_cluster", "arena/test_soak", "server/test_restarts", "server/test_the_end"],
    ["tournament/test_resume", "tournament/test_executors", "tournament/test_series", "arena/test_workers"],
    ["docs/test_", "examples/", "envs/", "games/learning/", "engine/test_compiler", "cli/test_commands", "kits/"],
]
"""Files whose tests take longest, most of it waiting: a list for each of four test processes to begin with. All of the
browser's are together, since every process that has one starts a browser, and so are those that learn: importing what
they learn with takes seconds."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes longest where each test process begins, so that none of it is left for the end."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers != len(LONGEST):
        return
    starts: list[list[pytest.Item]] = [[] for _ in LONGEST]
    rest: list[pytest.Item] = []
    for item in items:
        name = item.nodeid.removeprefix("tests/")
        place = next((k for k, files in enumerate(LONGEST) if name.startswith(tuple(files))), None)
        (rest if place is None else starts[place]).append(item)
    size = -(-len(items) // workers)
    ordered = []
    for start in starts:
        part = rest[: size - len(start)]
        ordered += start + part
        rest = rest[len(part) :]
    items[:] = ordered + rest


@pytest.fixture(scope="session", autouse=True)
def _own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What commands keep without being asked (replays) stays out of the home folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """Hundreds of accounts are made and used here, and guessing their passwords may be easy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cardrome.server.passwords.LOG_N", 4)
        yield
