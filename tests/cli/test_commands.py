"""The commands as a user runs them: in a process of their own."""

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.console import Console

from cardrome.cli import app, console
from cardrome.cli.demo import print_next_steps
from tests.cli.runner import cardrome
from tests.cli.test_json import check
from tests.games.toy import FAMILY
from tests.paths import GOLDEN, ROOT


def test_help_names_all_commands_and_loads_nothing_heavy() -> None:
    done = cardrome("--help")
    assert done.returncode == 0
    assert all(name in done.stdout for name in ("demo", "match", "conform", "bench", "editions", "cards"))
    code = "import sys, cardrome.cli; print([m for m in ('numpy', 'numba', 'rich') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_command_is_the_same_when_no_other_is_built() -> None:
    whole: Any = typer.main.get_command(app)
    for name in whole.commands:
        assert cardrome(name, "--help").stdout == cardrome("--", name, "--help").stdout != ""


def test_version() -> None:
    assert cardrome("--version").stdout.startswith("cardrome 0.")


def test_match_prints_a_table_and_the_seed() -> None:
    done = cardrome("match", "greedy", "random", "--games", 100)
    assert done.returncode == 0
    assert "greedy" in done.stdout
    assert "100 games on locm-1.2, seed " in done.stdout


def test_match_json_is_the_same_whatever_the_jobs() -> None:
    results = [
        cardrome("match", "greedy", "rule-based", "-n", 200, "-e", "locm-1.5", "--seed", 5, "--json", "-j", jobs).stdout
        for jobs in (1, 2)
    ]
    assert results[0] == results[1]
    summary = json.loads(results[0])
    assert (summary["games"], summary["seed"], summary["edition"]) == (200, 5, "locm-1.5")


def test_match_finds_an_agent_in_the_current_folder(tmp_path: Path) -> None:
    source = "import cardrome\nclass First(cardrome.Agent):\n    def act(self, view): return view.legal_codes()[0]\n"
    (tmp_path / "mine.py").write_text(source)
    done = cardrome("match", "mine:First", "pass", "-n", 2, "-j", 1, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 2


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("match", "gredy", "random"), "unknown agent 'gredy'; did you mean greedy"),
        (("match", "greedy", "random", "-e", "locm-12"), "unknown edition 'locm-12'; did you mean locm-1.2"),
        (("match", "greedy", "random", "--seed", "soon"), "seed 'soon': expected a whole number"),
        (("match", "greedy", "random", "--seed", "9" * 30), "expected a whole number"),
        (("match", "greedy", "no_such_module:Bot"), "no_such_module"),
        (("match", "greedy", "random", "--games", "0"), "--games"),
        (("conform", "/no/such/file"), "No such file"),
        (("cards", "-e", "chess"), "unknown edition"),
        (("bench", "-e", "chess"), "unknown edition"),
        (("dance",), "dance"),
    ],
)
def test_wrong_use_is_explained_with_exit_code_2(args: tuple[str, ...], message: str) -> None:
    done = cardrome(*args)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def golden_lines(n: int) -> list[bytes]:
    with gzip.open(GOLDEN / "1.2-golden.jsonl.gz") as file:
        return [next(file) for _ in range(n)]


def test_conform_counts_identical_games(tmp_path: Path) -> None:
    plain = tmp_path / "some.jsonl"
    plain.write_bytes(b"".join(golden_lines(3)))
    done = cardrome("conform", plain)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "3 of 3 games identical"


def test_conform_names_the_first_difference(tmp_path: Path) -> None:
    first, second = golden_lines(2)
    game = json.loads(second)
    game["turns"][61]["in"][0] = "29 1 25 25 1"
    path = tmp_path / "changed.jsonl"
    path.write_bytes(first + json.dumps(game).encode())
    done = cardrome("conform", path)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "1 of 2 games identical"
    assert f"game {game['game']} (locm-1.2): call 61 (battle, player 1), line 1: expected '29 1 25 25 1'" in done.stdout
    found = json.loads(cardrome("conform", path, "--json").stdout)
    assert (found["games"], found["identical"]) == (2, 1)
    path.write_bytes(first)
    assert cardrome("conform", path).stdout.splitlines()[-1] == "1 of 1 game identical"


def test_conform_names_the_line_of_a_malformed_file(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(golden_lines(1)[0] + b"{not json}\n")
    done = cardrome("conform", path)
    assert done.returncode == 2
    assert f"{path}, line 2:" in done.stderr


def test_conform_wants_games(tmp_path: Path) -> None:
    full, empty = tmp_path / "some.jsonl", tmp_path / "empty.json"
    full.write_bytes(golden_lines(1)[0])
    empty.write_text("\n")
    done = cardrome("conform", full, empty)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"cardrome: {empty}: no game in it; expected recorded games, one JSON object a line\n"


def test_a_game_without_cards_has_none_to_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDROME_GAMES", "tests.games.toy:FAMILY")
    listed = cardrome("editions").stdout.splitlines()
    assert ["pebbles", FAMILY.editions["pebbles"].summary] in [line.split(None, 1) for line in listed]
    assert cardrome("cards", "pebbles").stdout == "pebbles has no cards\n"
    assert cardrome("cards", "pebbles", "--json").stdout == "[]\n"


def test_bench_refuses_games_that_it_cannot_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDROME_GAMES", "tests.games.toy:FAMILY")
    done = cardrome("bench", "--quick", "-e", "pebbles")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "cardrome: pebbles cannot be measured; expected editions of LOCM, or tapdeck\n"


def test_listings() -> None:
    editions = json.loads(cardrome("editions", "--json").stdout)
    assert editions["locm-1.2"]["lanes"] == 2
    assert "locm-1.0-wood3" in cardrome("editions").stdout
    assert len(json.loads(cardrome("cards", "--json").stdout)) == 160
    assert len(json.loads(cardrome("cards", "-e", "locm-1.0-wood3", "--json").stdout)) == 23
    assert cardrome("cards").stdout.splitlines()[0].strip() == "locm-1.2"  # always the same cards: no seed
    assert "locm-1.5, seed 42" in cardrome("cards", "-e", "locm-1.5", "--seed", 42).stdout
    assert "lane2" in cardrome("cards", "-e", "locm-1.5", "--seed", 42).stdout
    agents = json.loads(cardrome("agents", "--json").stdout)
    assert list(agents["locm"])[:4] == ["pass", "random", "greedy", "rule-based"]
    assert list(agents["locm"])[4:] == ["search-fast", "search", "search-max"]


@pytest.mark.parametrize("command", ["editions", "agents"])
def test_listings_fit_into_a_terminal(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = cardrome(command).stdout
    monkeypatch.setattr(console, "console", lambda: Console(width=80))
    narrow = cardrome(command).stdout
    assert max(map(len, narrow.splitlines())) <= 80
    assert sorted(narrow.split()) == sorted(wide.split())


def test_demo_plays_a_tournament_and_writes_a_report(tmp_path: Path) -> None:
    done = cardrome("demo", "--games", 4, "--out", tmp_path / "demo", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    assert "48 games on locm-1.2, locm-1.5" in done.stdout
    assert (tmp_path / "demo" / "report" / "index.html").is_file()
    again = cardrome("demo", "--games", 2, "--out", tmp_path / "demo", "--jobs", 1, "--json")
    assert json.loads(again.stdout)["games"] == 24


def test_what_to_try_next_can_be_typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr(sys, "argv", [f"{ROOT}/cardrome/__main__.py"])
    print_next_steps(Path("demo/cup.toml"))
    assert f"  {sys.executable} -m cardrome bench\n" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", [".venv/bin/cardrome"])
    print_next_steps(Path("demo/cup.toml"))
    assert "  .venv/bin/cardrome bench\n" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["/elsewhere/bin/cardrome"])
    print_next_steps(Path("demo/cup.toml"))
    assert "  /elsewhere/bin/cardrome bench\n" in capsys.readouterr().out


def test_demo_leaves_other_folders_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    done = cardrome("demo", "--games", 2, "--out", tmp_path)
    assert done.returncode == 2
    assert "holds something other than a demo" in done.stderr
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_bench_measures_everything() -> None:
    done = cardrome("bench", "--quick", "--json", "-e", "locm-1.2")
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    check("bench", figures)
    assert list(figures["editions"]) == ["locm-1.2"]
    play = figures["editions"]["locm-1.2"]
    assert play["actions_per_second"] == pytest.approx(play["games_per_second"] * play["actions_per_game"])
    assert 85 < play["actions_per_game"] < 93
    assert figures["state_bytes"] < 400
    assert figures["compiled_to_interpreted"] > 10
    assert figures["referee"]["calls_per_game"] == 171
    busy = figures["searching"]["busy_ms_per_answer"]
    assert 0 < busy["median"] <= busy["90%"] <= busy["99%"] <= busy["longest"]
    assert busy["answers"] > 60
    for name in ("copy_ns", "mask_ns", "inputs_per_second", "help_seconds", "warm_start_seconds"):
        assert figures[name] > 0


def test_demo_refuses_a_file_and_says_that_games_come_in_pairs(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    done = cardrome("demo", "--games", 3, "--out", tmp_path / "file")
    assert done.returncode == 2
    pairs, refused = done.stderr.splitlines()
    assert pairs == "cardrome: games come in pairs, seats swapped: 4 of each pairing"
    assert refused.startswith(f"cardrome: --out {tmp_path / 'file'}: this is a file")
    assert (tmp_path / "file").read_text() == "mine"
    below = cardrome("demo", "--out", tmp_path / "file" / "x")
    assert (below.returncode, "cannot be written: Not a directory" in below.stderr) == (2, True)


def test_listings_in_a_pipe_have_no_spaces_at_the_end() -> None:
    for words in (("editions",), ("cards",), ("agents",)):
        lines = cardrome(*words).stdout.splitlines()
        assert [line for line in lines if line != line.rstrip()] == []


def test_cards_fit_into_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "console", lambda: Console(width=80))
    for edition in ("locm-1.2", "locm-1.5", "tapdeck"):
        lines = cardrome("cards", edition, "--seed", 1).stdout.splitlines()
        assert max(map(len, lines)) <= 80
        assert "…" not in "".join(lines)


def test_an_edition_is_named_with_or_without_its_option() -> None:
    by_name, by_option = (cardrome("cards", *words, "--json").stdout for words in (("tapdeck",), ("-e", "tapdeck")))
    assert len(json.loads(by_name)) == len(json.loads(by_option)) == 120
    both = cardrome("cards", "tapdeck", "-e", "locm-1.2")
    assert both.returncode == 2
    assert both.stderr == "cardrome: two editions, tapdeck and --edition locm-1.2: give one\n"
