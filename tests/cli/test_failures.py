"""How commands end when something goes wrong: what is said, the exit code, and never a traceback."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer

from cardrome.cli import console, failures, main
from cardrome.errors import CallerError, InfrastructureFault
from tests.cli.runner import cardrome, parse, whole_program
from tests.paths import ROOT

COMMAND = [sys.executable, "-m", "cardrome"]


def run(*words: object, env: dict[str, str] | None = None, **pipes: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *map(str, words)], env={**os.environ, **(env or {})}, check=False, **pipes)


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (("demo", "--games", "0"), "cardrome: --games: expected at least 2, got '0'"),
        (("demo", "--seed", "soon"), "cardrome: --seed: expected a whole number, got 'soon'"),
        (("web", "--port", "70000"), "cardrome: --port: expected at most 65535, got '70000'"),
        (("join", "here:1", "-l", "red", "--patience", "x"), "cardrome: --patience: expected a number, got 'x'"),
        (("demo", "--sed", "3"), "cardrome: unknown option '--sed'; did you mean --seed?"),
        (("mach",), "cardrome: unknown command 'mach'; did you mean match?"),
        (("tournament", "standing", "x.toml"), "cardrome: unknown command 'standing'; did you mean standings?"),
        (("warm", "now"), "cardrome: unexpected argument 'now'"),
        (("replay", "show"), "cardrome: missing argument FILE"),
        (("replay", "record", "greedy", "random"), "cardrome: missing option --out"),
    ],
)
def test_wrong_use_is_one_line_and_the_usage(words: tuple[str, ...], first: str) -> None:
    done = cardrome(*words)
    said, usage, more = done.stderr.splitlines()
    assert (done.returncode, done.stdout, said) == (2, "", first)
    assert usage.startswith("usage: cardrome")
    assert more.endswith("-h` has the details and examples")


def test_help_is_a_command_too() -> None:
    assert cardrome("help", "replay", "show").stdout == cardrome("replay", "show", "-h").stdout
    assert cardrome("help").stdout == cardrome("-h").stdout


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (CallerError("no such thing"), 2, "cardrome: no such thing"),
        (InfrastructureFault("the disk is gone"), 1, "cardrome: the disk is gone"),
        (KeyboardInterrupt(), 130, "cardrome: interrupted"),
        (typer.Abort(), 130, "cardrome: interrupted"),
        (OSError(28, "No space left on device"), 1, "cardrome: standard output: No space left on device"),
        (PermissionError(13, "Permission denied", "/x"), 1, "cardrome: /x: Permission denied"),
    ],
)
def test_errors_have_codes_and_words(error: BaseException, code: int, line: str) -> None:
    assert failures.ending(error) == (code, [line])


def test_a_bug_keeps_its_traceback() -> None:
    assert failures.ending(ZeroDivisionError()) is None
    assert failures.ending(FileNotFoundError(2, "No such file", "x")) is None
    assert failures.ending(BrokenPipeError()) == (141, [])


def test_a_full_disk_is_told() -> None:
    with open("/dev/full", "wb") as full:
        done = run("editions", stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, b"cardrome: standard output: No space left on device\n")


@pytest.mark.parametrize("words", ["cards", "editions --json", "rules tapdeck", "--help", "match -h", "help"])
def test_a_reader_that_goes_away_is_no_error(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    said = io.StringIO()
    before = signal.getsignal(signal.SIGTERM)
    with open(writing, "w", encoding="utf-8") as out:
        monkeypatch.setattr(sys, "argv", ["cardrome", *words.split()])
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", said)
        with pytest.raises(SystemExit) as ended:
            main()
    signal.signal(signal.SIGTERM, before)
    assert (ended.value.code, said.getvalue()) == (141, "")


def test_closed_streams_do_no_harm() -> None:
    closing = "import os, runpy, sys; [os.close(n) for n in (0, 1, 2)]; os.execv(sys.argv[1], sys.argv[1:])"
    done = subprocess.run([sys.executable, "-c", closing, *COMMAND, "editions"], check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_that_lacks_signs_gets_similar_ones(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr(sys, "stdout", out)
    failures.prepare_streams()
    print("│▸ 1 → 2 … ż \udcff")
    out.flush()
    assert out.buffer.getvalue() == b"|> 1 -> 2 ... ? ?\n"


def test_json_is_utf_8_everywhere(tmp_path: Path) -> None:
    event = tmp_path / "event.toml"
    cardrome("host", "new", event)
    cardrome("host", "accounts", "add", event, "żółw")
    done = run("host", "accounts", "list", event, "--json", env={"PYTHONIOENCODING": "ascii"}, stdout=subprocess.PIPE)
    assert '"żółw"' in done.stdout.decode("utf-8")


def test_lines_are_folded_for_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "60")
    line = "    " + "word " * 20 + "locm-1.0-multi-wood3"
    assert console.folded(line, io.StringIO()) == line
    folded = console.folded(line, Terminal()).split("\n")
    assert len(folded) == 3
    assert all(len(each) <= 60 for each in folded)
    assert all(each.startswith("      ") for each in folded[1:])
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    console.tell(line)
    assert terminal.getvalue().splitlines() == folded


def test_ctrl_c_ends_a_command_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("print('thinking', flush=True)\nimport time\ntime.sleep(100)\n")
    words = ["replay", "record", "slow:Agent", "random", "-o", "x.json"]
    with subprocess.Popen([*COMMAND, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"thinking\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate()[1] == b"cardrome: interrupted\n"
    assert process.returncode == 130


@pytest.mark.parametrize("way", ["module", "script"])
def test_ctrl_c_before_the_program_is_loaded_says_nothing(tmp_path: Path, way: str) -> None:
    script = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]["cardrome"]
    called = ["-c", "from {} import {} as start; start()".format(*script.split(":"))]
    command = [*COMMAND, "--version"] if way == "module" else [sys.executable, *called]
    # Stands in for the first library that is loaded, at the moment of Ctrl-C.
    (tmp_path / "typer.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    for handling, code in (("", -signal.SIGINT), ("trap '' INT;", 1)):  # ignored, as in the background of a script
        shell = ["bash", "-c", f'{handling} exec "$@"', "bash", *command]
        done = subprocess.run(shell, env=environment, capture_output=True, check=False)
        assert done.returncode == code
        assert b"KeyboardInterrupt" not in done.stderr
        assert bool(done.stderr) == bool(handling)  # then the empty typer is found out


# What commands have in common


def commands(group: Any = None, prefix: str = "") -> dict[str, Any]:
    """All commands by their full names."""
    found: dict[str, Any] = {}
    for name, command in (group or whole_program()).commands.items():
        if hasattr(command, "commands"):
            found |= commands(command, f"{prefix}{name} ")
        else:
            found[f"{prefix}{name}"] = command
    return found


ALIKE = {
    "--edition": {"-e"},
    "--jobs": {"-j"},
    "--games": {"-n"},
    "--out": {"-o"},
    "--player": {"-p"},
    "--agent": {"-a"},
    "--json": set(),
    "--plain": set(),
    "--seed": set(),
    "--store": set(),
    "--lang": set(),
}


def test_options_of_one_name_have_one_short_form_and_one_kind_of_value() -> None:
    kinds: dict[str, set[str]] = {}
    for name, command in commands().items():
        for option in (each for each in command.params if each.param_type_name == "option"):
            for spelling in set(option.opts) & set(ALIKE):
                assert set(option.opts) - {spelling} == ALIKE[spelling], f"{name} {spelling}"
                if option.metavar is not None and (name, spelling) != ("tournament report", "--json"):
                    kinds.setdefault(spelling, set()).add(option.metavar)
    allowed = {"--out": {"FILE", "DIR"}, "--agent": {"AGENT", "POLICY"}}
    assert {name: found for name, found in kinds.items() if len(found) > 1} == allowed


def test_every_command_has_examples_that_can_be_typed() -> None:
    import shlex

    for name, command in commands().items():
        examples = [line.strip() for line in (command.epilog or "").splitlines() if line.startswith("  ")]
        assert examples, name
        for line in examples:
            words = shlex.split(line.partition("  #")[0])
            words = words[: min((words.index(sign) for sign in "<>|" if sign in words), default=len(words))]
            assert words[0] == "cardrome"
            parse(words[1:])


def test_help_fits_80_columns() -> None:
    pages = {name: helped(command, name) for name, command in {"": whole_program(), **groups(), **commands()}.items()}
    assert {"", "match", "host", "host accounts add"} <= set(pages)
    assert [line for page in pages.values() for line in page.splitlines() if len(line) > 80] == []


def helped(command: Any, name: str) -> str:
    """The help of a command on a terminal of 80 columns."""
    return str(command.get_help(command.context_class(command, info_name=f"cardrome {name}", terminal_width=80)))


def groups(group: Any = None, prefix: str = "") -> dict[str, Any]:
    """All groups of commands by their full names."""
    found: dict[str, Any] = {}
    for name, command in (group or whole_program()).commands.items():
        if hasattr(command, "commands"):
            found |= {f"{prefix}{name}": command, **groups(command, f"{prefix}{name} ")}
    return found


def test_the_list_of_commands_is_not_cut_off() -> None:
    for group in ((), ("replay",), ("host",), ("tournament",), ("host", "accounts")):
        listed = cardrome(*group, "-h").stdout
        assert [line for line in listed.splitlines() if line.endswith("...") and "ARGS" not in line] == []


def test_the_version_says_what_it_runs_on() -> None:
    lines = cardrome("--version").stdout.splitlines()
    assert lines[0].startswith("cardrome 0.")
    assert all(word in lines[1] for word in ("Python", "NumPy", "Numba"))
    assert lines[-1].startswith("compiled code in /")


def test_every_variable_is_on_the_page_of_variables() -> None:
    import re

    from tests.paths import ROOT

    page = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
    used = set()
    for file in (ROOT / "cardrome").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        used |= set(re.findall(r'environ(?:\.get\(|\.setdefault\(|\[)"(\w+)"', text))
        used |= set(re.findall(r'"(CARDROME_[A-Z_]+)"', text))
    assert {"CARDROME_CACHE_DIR", "CARDROME_GAMES", "LESS", "XDG_DATA_HOME"} <= used
    assert [name for name in sorted(used) if f"`{name}" not in page] == []
