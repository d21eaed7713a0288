"""A PostgreSQL server of the tests' own, and databases to test stores on: SQLite always, PostgreSQL where installed.

Each test process that needs it starts one server, on a Unix socket in a temporary folder, in about a second.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
import pytest

OWNER = "cardrome"


def _version(folder: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", folder.parent.name)]


def _binaries() -> Path | None:
    """The folder of the newest installed server; Debian does not put it on the PATH."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version)
    found = shutil.which("postgres", path=os.pathsep.join([*map(str, folders[::-1]), os.environ.get("PATH", "")]))
    return None if found is None else Path(found).parent


def _postgres_user() -> pwd.struct_passwd | None:
    """Whom the server runs as when we are root, which it refuses to be."""
    try:
        return pwd.getpwnam("postgres") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
    except KeyError:
        return None


BINARIES = _binaries()
USER = _postgres_user()
AVAILABLE = BINARIES is not None and USER is not None and shutil.which("setpriv") is not None
needs_postgres = pytest.mark.skipif(not AVAILABLE, reason="needs PostgreSQL, which is not installed")


class PostgresServer:
    """A server in a folder that `initdb` has prepared."""

    def __init__(self, folder: Path, command: list[str]) -> None:
        self._folder = folder
        self._command = command
        self._numbers = count(1)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        log = self._folder / "log"
        with log.open("wb") as stream:
            # In a session of its own: Ctrl-C is for the tests, which then stop the server.
            self._process = subprocess.Popen(
                self._command, stdout=stream, stderr=stream, cwd=self._folder, start_new_session=True
            )
        while True:
            try:
                self.execute("SELECT 1")
                return
            except psycopg.OperationalError:
                if self._process.poll() is not None:
                    raise RuntimeError(f"PostgreSQL did not start:\n{log.read_text(errors='replace')}") from None
                time.sleep(0.02)

    def stop(self) -> None:
        """Stop it at once; what was committed is there when it is started again."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()

    def url(self, database: str) -> str:
        return f"postgresql://{OWNER}@/{database}?host={self._folder}"

    def new_schema(self) -> str:
        """The URL of an empty schema: as good as a database for one store, and made in a fraction of the time."""
        name = f"test{next(self._numbers)}"
        self.execute(f"CREATE SCHEMA {name}")
        return f"{self.url('postgres')}&options=-csearch_path%3D{name}"

    def new_database(self, options: str = "") -> str:
        """The URL of an empty database."""
        name = f"test{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} {options}")
        return self.url(name)

    def execute(self, statement: str, database: str = "postgres") -> None:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement.encode())


@contextmanager
def running_postgres() -> Iterator[PostgresServer]:
    """A fresh server, gone with everything in it when the block ends."""
    assert BINARIES is not None
    assert USER is not None
    # In /tmp itself: the path of a socket must be short.
    folder = Path(tempfile.mkdtemp(prefix="cardrome-pg-", dir="/tmp"))
    # If this process is killed, the server gets SIGQUIT, its signal for stopping at once.
    command = ["setpriv", "--pdeathsig", "QUIT"]
    if os.getuid() == 0:
        os.chown(folder, USER.pw_uid, USER.pw_gid)
        command += ["--reuid", str(USER.pw_uid), "--regid", str(USER.pw_gid), "--clear-groups"]
    data = folder / "data"
    settings = ["listen_addresses=", f"unix_socket_directories={folder}", "fsync=off", "max_connections=200"]
    options = [word for one in settings for word in ("-c", one)]
    server = PostgresServer(folder, [*command, str(BINARIES / "postgres"), "-D", str(data), *options])
    try:
        wanted = ["-U", OWNER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"]
        initdb = [*command, str(BINARIES / "initdb"), "-D", str(data), *wanted]
        subprocess.run(initdb, check=True, stdout=subprocess.DEVNULL, cwd=folder)
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """The server of this test process."""
    with running_postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=needs_postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new store can be made: the test runs once for each kind of database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/store.db"
    url: str = request.getfixturevalue("postgres_server").new_schema()
    return url
