"""Bots as real processes, most of them hostile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cardrome.arena.players import process
from cardrome.arena.players.orphans import children, kill_orphans, process_state
from cardrome.arena.players.process import MAX_LINE, STDERR_TAIL, BotProcess
from cardrome.arena.players.sandbox import Limits
from cardrome.errors import BotFailure

PATIENCE = 200.0
"""Seconds for an answer that will come: no test waits that long unless something is broken."""


def python_bot(code: str, **options: object) -> BotProcess:
    return BotProcess([sys.executable, "-u", "-c", code], **options)  # type: ignore[arg-type]


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def is_child(pid: int) -> bool:
    """A process, or what is left of one, that this process has yet to bury."""
    try:
        name, _, rest = Path(f"/proc/{pid}/stat").read_text().partition("(")[2].rpartition(")")
    except OSError:
        return False
    return name == "cat" and int(rest.split()[1]) == os.getpid()


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@contextmanager
def failing(kind: str, message: str | None = None) -> Iterator[None]:
    with pytest.raises(BotFailure, match=message) as caught:
        yield
    assert caught.value.kind == kind


ECHO = "import sys\nfor line in sys.stdin: print('got', line.strip())"


def test_a_bot_answers_line_by_line() -> None:
    with python_bot(ECHO) as bot:
        assert bot.ask(b"one\n", PATIENCE) == b"got one"
        assert bot.ask(b"two\n", PATIENCE) == b"got two"
    assert bot.close() == bot.close() < 0


def test_lines_written_ahead_are_later_answers() -> None:
    with python_bot("print('a\\nb\\r\\nc\\rd'); input()") as bot:
        assert [bot.ask(b"", PATIENCE) for _ in range(4)] == [b"a", b"b", b"c", b"d"]


def test_an_empty_line_is_an_answer() -> None:
    with python_bot("print(); print('x'); input()") as bot:
        assert [bot.ask(b"", PATIENCE) for _ in range(2)] == [b"", b"x"]


def test_a_late_answer_is_a_timeout() -> None:
    with python_bot("import time; time.sleep(1000)") as bot, failing("timeout", "no answer in 0.2 s"):
        bot.ask(b"hello\n", 0.2)


def test_a_signal_to_another_thread_ends_the_wait_for_a_bot() -> None:
    class Alarmed(Exception):
        pass

    def alarm(*_: object) -> None:
        raise Alarmed

    def tell_myself() -> None:
        signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)

    def wait_for(bot: BotProcess) -> None:
        threading.Timer(0.1, tell_myself).start()
        bot.ask(b"\n", None)

    before = signal.signal(signal.SIGUSR1, alarm)
    try:
        with python_bot("import time; time.sleep(1000)") as bot, pytest.raises(Alarmed):
            wait_for(bot)
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_a_bot_that_never_reads_is_a_timeout() -> None:
    with python_bot("import time; time.sleep(1000)") as bot:
        with failing("timeout"):
            bot.ask(b"x" * 500_000, 0.2)
        with failing("timeout", "does not read"):
            bot.ask(b"x" * 800_000, 0.2)


def test_a_bot_that_never_reads_but_answers_goes_on() -> None:
    with python_bot("import time\nfor _ in range(3): print('PASS')\ntime.sleep(1000)") as bot:
        assert [bot.ask(b"x" * 200_000, PATIENCE) for _ in range(3)] == [b"PASS"] * 3


@pytest.mark.parametrize(
    ("code", "message", "exit_code"),
    [
        ("import sys; sys.exit(3)", "ended with exit code 3", 3),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "killed by SIGSEGV", -11),
        ("raise RuntimeError('my own fault')", "ended with exit code 1", 1),
        ("pass", "ended with exit code 0", 0),
    ],
)
def test_a_crash_tells_how(code: str, message: str, exit_code: int) -> None:
    with python_bot(code) as bot, pytest.raises(BotFailure, match=message) as caught:
        bot.ask(b"hello\n", PATIENCE)
    assert (caught.value.kind, caught.value.exit_code) == ("crash", exit_code)


def test_a_crash_shows_standard_error() -> None:
    with python_bot("raise RuntimeError('my own fault')") as bot, pytest.raises(BotFailure) as caught:
        bot.ask(b"", PATIENCE)
    assert "RuntimeError: my own fault" in caught.value.stderr


def test_closing_standard_output_is_a_crash() -> None:
    with python_bot("import os, time; os.close(1); time.sleep(1000)") as bot, failing("crash", "closed its standard"):
        bot.ask(b"", PATIENCE)


def test_a_huge_line_is_too_much_output() -> None:
    with python_bot("import sys\nwhile True: sys.stdout.write('x' * 1000)") as bot, failing("too-much-output"):
        bot.ask(b"", PATIENCE)


@pytest.mark.parametrize(("length", "fine"), [(MAX_LINE, True), (MAX_LINE + 1, False)])
def test_the_longest_line(length: int, fine: bool) -> None:
    with python_bot(f"print('x' * {length}); input()") as bot:
        if fine:
            assert len(bot.ask(b"", PATIENCE)) == length
        else:
            with failing("too-much-output"):
                bot.ask(b"", PATIENCE)


def test_a_line_that_is_too_long_is_refused_even_if_it_has_come_to_its_end() -> None:
    with python_bot(f"print('x' * {MAX_LINE + 1}); input()") as bot:
        wait_until(lambda: has_received(bot, b"\n"))
        with failing("too-much-output"):
            bot.ask(b"", PATIENCE)


def test_endless_lines_do_no_harm() -> None:
    with python_bot("while True: print('PASS')") as bot:
        assert {bot.ask(b"x\n", PATIENCE) for _ in range(2000)} == {b"PASS"}
        assert len(bot._received) < 200_000


def test_binary_garbage_comes_through_as_it_is() -> None:
    with python_bot("import sys; sys.stdout.buffer.write(bytes(range(256)) + b'\\n'); input()") as bot:
        assert bot.ask(b"", PATIENCE) == bytes(range(10))
        assert bot.ask(b"", PATIENCE) == bytes([11, 12])


def test_standard_error_is_kept_in_part_and_never_blocks_the_bot() -> None:
    code = "import sys\nsys.stderr.write('x' * 1_000_000 + 'the end')\nsys.stderr.flush()\nprint('done'); input()"
    with python_bot(code) as bot:
        assert bot.ask(b"", PATIENCE) == b"done"

        def all_is_read() -> bool:
            bot._drain(bot._stderr)
            return bot.stderr_bytes == 1_000_007

        wait_until(all_is_read)
    assert len(bot.stderr_tail) == STDERR_TAIL
    assert bot.stderr_tail.endswith(b"the end")


def test_a_bot_that_ignores_sigterm_is_killed() -> None:
    code = "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('up')\nwhile True: time.sleep(1)"
    with python_bot(code) as bot:
        assert bot.ask(b"", PATIENCE) == b"up"
    assert not is_alive(bot.process.pid)


CHILD = """
import os, sys, time
if os.fork() == 0:
    {escape}
    print(os.getpid())
    time.sleep(1000)
{parent}
"""


@pytest.mark.parametrize("escape", ["pass", "os.setsid()", "os.setsid()\n    if os.fork(): os._exit(0)"])
@pytest.mark.parametrize("parent", ["time.sleep(1000)", "os.wait() if False else time.sleep(0.2)"])
def test_children_are_killed_too_even_daemons(escape: str, parent: str) -> None:
    with python_bot(CHILD.format(escape=escape, parent=parent)) as bot:
        child = int(bot.ask(b"", PATIENCE))
        assert is_alive(child)
    wait_until(lambda: not is_alive(child))


TRACED = """
import ctypes, os, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def trace(pid): return libc.ptrace(0x4206, pid, None, None)  # PTRACE_SEIZE
"""
TRACED_BY_ITS_DAEMON = """
libc.prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)  # anybody may trace it
bot = os.getpid()
if os.fork() == 0:
    os.setsid()
    if os.fork(): os._exit(0)
    print(trace(bot), os.getpid())
time.sleep(1000)
"""
TRACER = "print(trace(int(sys.argv[1])), flush=True); time.sleep(1000)"


def test_a_bot_that_its_own_daemon_traces_is_reaped() -> None:
    """Only the tracer can reap it, and never does."""
    with python_bot(TRACED + TRACED_BY_ITS_DAEMON) as bot:
        refused, daemon = map(int, bot.ask(b"", PATIENCE).split())
        if refused:
            pytest.skip("processes cannot be traced here")
    assert process_state(bot.process.pid) == process_state(daemon) == ""
    assert bot.close() == -signal.SIGKILL


def test_a_bot_that_somebody_else_traces_is_left_as_a_zombie(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "END_SECONDS", 0.1)
    allow = "libc.prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0); print(os.getpid()); time.sleep(1000)"
    with python_bot(TRACED + allow) as bot:
        pid = bot.ask(b"", PATIENCE).decode()
        command = [sys.executable, "-c", TRACED + TRACER, pid]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as tracer:
            assert tracer.stdout is not None
            refused = tracer.stdout.readline().strip()
            assert bot.close() == -signal.SIGKILL
            state = process_state(bot.process.pid)
            tracer.kill()
    assert state == ("Z" if refused == "0" else "")
    bot.process.wait()


def test_what_cannot_be_started_says_so() -> None:
    with failing("no-start", "no_such_program"):
        BotProcess(["/no_such_program"])
    with failing("no-start", "'./bot' cannot be started: there is no such file; does it have to be built"):
        BotProcess(["./bot"])
    with failing("no-start"):
        BotProcess([__file__])


def test_memory_is_limited() -> None:
    limits = Limits(memory=512 << 20)
    with python_bot("print('up'); x = input(); y = bytearray(2 << 30); print('has it')", limits=limits) as bot:
        assert bot.ask(b"", PATIENCE) == b"up"
        with failing("crash", "exit code 1"):
            bot.ask(b"go\n", PATIENCE)
        assert b"MemoryError" in bot.stderr_tail


BUSY_USER = """
import os, threading, time
from cardrome.arena.players.process import BotProcess
from cardrome.arena.players.sandbox import Limits, tasks_of_user
if os.geteuid() == 0: os.setgroups([]); os.setresgid(60123, 60123, 60123); os.setresuid(60123, 60123, 60123)
for _ in range(30): threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
with BotProcess(["/bin/sh", "-c", "(:) && echo forked; read line"], Limits(processes=10)) as bot:
    print(bot.ask(b"", 200).decode(), tasks_of_user() >= 31, flush=True)
with BotProcess(["/bin/sh", "-c", "for k in `seq 100`; do sleep 1000 & done; read line"], Limits(processes=10)) as bot:
    try: bot.ask(b"", 200)
    except Exception as error: print(bot.stderr_tail.decode().strip())
os._exit(0)
"""


def test_processes_are_counted_beside_those_that_the_user_has() -> None:
    done = subprocess.run([sys.executable, "-c", BUSY_USER], capture_output=True, text=True, check=True)
    first, *rest = done.stdout.splitlines()
    assert first == "forked True", done.stderr
    assert "annot fork" in "".join(rest)


def test_file_size_is_limited(tmp_path: Path) -> None:
    code = "print('up'); input()\nwith open('big', 'wb') as f:\n    while True: f.write(b'x' * 65536)"
    with python_bot(code, limits=Limits(file_size=1 << 20), folder=tmp_path) as bot:
        assert bot.ask(b"", PATIENCE) == b"up"
        with failing("crash"):
            bot.ask(b"go\n", PATIENCE)
    assert (tmp_path / "big").stat().st_size <= 1 << 20


def test_no_core_is_left() -> None:
    with python_bot("import resource; input(); print(*resource.getrlimit(resource.RLIMIT_CORE)); input()") as bot:
        assert bot.ask(b"go\n", PATIENCE) == b"0 0"  # the soft limit of most users is 0 anyway


def test_the_environment_of_a_bot_is_ours_and_what_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OURS", "1")
    monkeypatch.setenv("BOTH", "2")
    code = "import os; print(*(os.environ[name] for name in ('OURS', 'BOTH', 'GIVEN'))); input()"
    with python_bot(code, environment={"BOTH": "3", "GIVEN": "4"}) as bot:
        assert bot.ask(b"", PATIENCE) == b"1 3 4"


def test_a_bot_has_no_descriptors_but_its_own() -> None:
    with open(__file__), python_bot("import os; print(*sorted(os.listdir('/proc/self/fd'))); input()") as bot:
        assert bot.ask(b"", PATIENCE) == b"0 1 2 3"  # the last is the list itself


def test_many_bots_leave_nothing_behind() -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(100):
        with BotProcess(["/bin/cat"]) as bot:
            assert bot.ask(b"PASS\n", PATIENCE) == b"PASS"
    assert len(os.listdir("/proc/self/fd")) == before
    assert not any(is_child(int(entry)) for entry in os.listdir("/proc") if entry.isdigit())


def test_no_zombies_are_left_of_children_in_the_group_or_out_of_it() -> None:
    code = (
        "import os, time\n"
        "for k in range(6):\n"
        "    if os.fork() == 0:\n"
        "        if k % 2: os.setsid()\n"
        "        if k > 3: os._exit(0)\n"
        "        time.sleep(1000)\n"
        "print('up'); time.sleep(1000)"
    )
    before = set(children())
    for _ in range(3):
        with python_bot(code) as bot:
            assert bot.ask(b"", PATIENCE) == b"up"

    def none_is_left() -> bool:
        kill_orphans()
        return set(children()) <= before

    wait_until(none_is_left)


def test_burying_bots_leaves_other_children_alone() -> None:
    """Of the program that uses us: living and dead ones, in our session and in one of their own."""
    living = [subprocess.Popen(["sleep", "1000"], start_new_session=own) for own in (False, True)]
    dead = [subprocess.Popen(["sh", "-c", "exit 7"], start_new_session=own) for own in (False, True)]
    try:
        wait_until(lambda: all(process_state(each.pid) == "Z" for each in dead))
        with python_bot("import os, time\nif os.fork(): print('up')\ntime.sleep(1000)") as bot:
            assert bot.ask(b"", PATIENCE) == b"up"
        kill_orphans([each.pid for each in dead])
        kill_orphans([each.pid for each in (*living, *dead)], strangers=True)
        assert all(is_alive(each.pid) for each in living)
        assert [each.wait() for each in dead] == [7, 7]
    finally:
        for each in living:
            each.kill()
            each.wait()


def test_a_stranger_is_a_child_in_another_session_that_we_did_not_have_before() -> None:
    own, stranger = [subprocess.Popen(["sleep", "1000"], start_new_session=other) for other in (False, True)]
    try:
        kill_orphans(strangers=True)
        assert (process_state(own.pid) != "", process_state(stranger.pid)) == (True, "")
    finally:
        own.kill()
        own.wait()
        stranger.wait()


def has_received(bot: BotProcess, text: bytes) -> bool:
    bot._receive()
    return text in bot._received


def test_a_line_said_early_is_heard_once() -> None:
    with python_bot("print('early'); input(); input(); print('late'); input()") as bot:
        wait_until(lambda: has_received(bot, b"early"))
        assert bot.ask(b"one\n", PATIENCE) == b"early"
        with failing("timeout"):
            bot.ask(b"", 0.05)
        assert bot.ask(b"two\n", PATIENCE) == b"late"


def test_a_line_said_after_the_game_is_not_heard_in_the_next() -> None:
    with python_bot("import sys\nfor line in sys.stdin: print(line.strip()); print('more')") as bot:
        assert bot.ask(b"one\n", PATIENCE) == b"one"
        wait_until(lambda: has_received(bot, b"more"))
        assert bot.forget()
        assert bot.ask(b"two\n", PATIENCE) == b"two"


def test_a_bot_that_was_sent_half_a_message_cannot_begin_another_game() -> None:
    with python_bot("print('PASS'); import time; time.sleep(1000)") as bot:
        assert bot.ask(b"x" * 200_000, PATIENCE) == b"PASS"
        assert not bot.forget()
