"""`cardrome replay` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardrome.games.locm.protocol.replay import LocmRecorder, LocmReplay, inputs
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import find_edition
from cardrome.games.replay_files import read_replays, write_replays
from cardrome.games.replays import ProcessEnd
from cardrome.games.tapdeck.protocol.rerun import inputs as tapdeck_inputs
from tests.arena.games import play_locm
from tests.cli import runner
from tests.games.tapdeck.protocol.scripted import play


def recorded(seed: int = 7, edition: str = "locm-1.2") -> LocmReplay:
    return play_locm("rule-based", "greedy", edition, seed)


def cardrome(*words: object, cwd: Path | None = None) -> runner.Done:
    return runner.cardrome("replay", *words, cwd=cwd)


@pytest.fixture
def one(tmp_path: Path) -> Path:
    path = tmp_path / "one.json"
    write_replays(path, [recorded()])
    return path


@pytest.fixture
def many(tmp_path: Path) -> Path:
    path = tmp_path / "many.jsonl.gz"
    write_replays(path, [recorded(seed) for seed in (1, 2, 3)])
    return path


@pytest.fixture
def match(tmp_path: Path) -> Path:
    path = tmp_path / "match.json"
    write_replays(path, [play(2)])
    return path


def test_help_names_the_commands() -> None:
    done = cardrome("--help")
    assert done.returncode == 0
    assert all(name in done.stdout for name in ("record", "show", "verify", "input", "html"))


def test_record_plays_the_game_of_its_seed(tmp_path: Path) -> None:
    path = tmp_path / "game.json.gz"
    done = cardrome("record", "rule-based", "greedy", "--seed", 7, "--out", path)
    assert done.returncode == 0, done.stderr
    assert list(read_replays(path)) == [recorded()]
    assert "locm-1.2 · seed 7" in done.stderr
    assert " wins: " in done.stderr


def test_ctrl_c_leaves_no_half_file(tmp_path: Path) -> None:
    source = (
        "import os, signal, cardrome\n"
        "class Stops(cardrome.Agent):\n"
        "    def act(self, view):\n"
        "        if view.phase == 'battle': os.kill(os.getpid(), signal.SIGINT)\n"
        "        return view.legal_codes()[0]\n"
    )
    (tmp_path / "mine.py").write_text(source)
    folder = tmp_path / "out"
    folder.mkdir()
    old = folder / "game.json"
    old.write_text("what was there before")
    done = cardrome("record", "mine:Stops", "greedy", "--out", old, cwd=tmp_path)
    assert done.returncode == 130, done.stderr
    assert [path.read_text() for path in folder.iterdir()] == ["what was there before"]


def test_show_tells_the_game(one: Path) -> None:
    done = cardrome("show", one)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:3] == ["locm-1.2 · seed 7", "player 0: rule-based", "player 1: greedy"]
    assert "deck of player 1 (greedy): 30 cards" in done.stdout
    assert "    SUMMON " in done.stdout
    assert " to lane " in done.stdout
    turns = [line for line in lines if line.startswith("turn ")]
    assert turns[0] == "turn 0 · player 0 (rule-based) · call 30"
    assert lines[lines.index(turns[0]) + 1] == "    health 30 v 30 · mana 1/1 · hand 5 · deck 25"
    assert len(turns) == len(recorded().calls) - 60


def test_show_can_be_narrowed(one: Path) -> None:
    own = [line for line in cardrome("show", one, "--player", 1).stdout.splitlines() if line.startswith("turn ")]
    assert own
    assert all("player 1 (greedy)" in line for line in own)
    turn = cardrome("show", one, "--turn", 3, "--boards").stdout
    assert turn.startswith("turn 3 · player 1")
    assert "┌─ lane 0" in turn
    assert turn.count("\nturn ") == 0
    done = cardrome("show", one, "--turn", 500)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no such turn" in done.stderr


def test_show_lists_the_games_of_a_file(many: Path) -> None:
    lines = cardrome("show", many).stdout.splitlines()
    assert [line.split()[:5] for line in lines[1:]] == [[str(n), "locm-1.2", "·", "seed", str(n)] for n in (1, 2, 3)]
    assert cardrome("show", many, "--game", 2).stdout.startswith("locm-1.2 · seed 2\n")
    done = cardrome("show", many, "--game", 4)
    assert done.returncode == 2
    assert "many.jsonl.gz holds 3 replays" in done.stderr


def test_show_lets_nothing_through_to_the_terminal(tmp_path: Path) -> None:
    transcript = LocmRecorder(find_edition("locm-1.5"), LocmDeal(1), ("\x1b[2Jevil\r", "\u202ebad"))
    transcript.answer("\x1b]0;title\x07")
    transcript.answer("PASS")
    write_replays(tmp_path / "hostile.json", [transcript.replay((ProcessEnd(1, None, "\x1b[31mred\n"), None))])
    done = cardrome("show", tmp_path / "hostile.json")
    assert done.returncode == 0, done.stderr
    assert all(line.isprintable() for line in done.stdout.split("\n"))
    assert "exit code 1" in done.stdout


def test_verify_counts(one: Path, many: Path) -> None:
    done = cardrome("verify", one, many)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "4 of 4 replays verified\n"


def test_verify_names_what_differs(one: Path, many: Path) -> None:
    data = json.loads(one.read_bytes())
    data["final_health"][0] += 1
    one.write_text(json.dumps(data))
    done = cardrome("verify", many, one)
    assert done.returncode == 1
    first, last = done.stdout.splitlines()
    assert first.startswith(f"{one}: game 1 (locm-1.2): final health: expected [")
    assert last == "3 of 4 replays verified"
    found = json.loads(cardrome("verify", one, "--json").stdout)
    assert (found["replays"], found["verified"], found["differing"][0]["game"]) == (1, 0, 1)
    shown = cardrome("show", one)
    assert shown.returncode == 0
    assert "does not verify: final health" in shown.stderr


def test_input_prints_the_very_bytes(one: Path, many: Path) -> None:
    replay = recorded()
    for player, call in ((0, 0), (1, 31)):
        done = cardrome("input", one, "--player", player, "--call", call)
        assert done.returncode == 0, done.stderr
        assert done.stdout.encode() == list(inputs(replay, player))[call]
    assert cardrome("input", one, "--player", 1).stdout.encode() == b"".join(inputs(replay, 1))
    third = cardrome("input", many, "--game", 3, "-p", 0, "--call", 30).stdout
    assert third.encode() == list(inputs(recorded(3), 0))[30]
    done = cardrome("input", one, "--player", 0, "--call", 999)
    assert done.returncode == 2
    assert "call 999: player 0 has 40 calls" in done.stderr


def test_html_writes_a_page(many: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = cardrome("html", many, "--game", 2, "--out", page)
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert '"deal":{"seed":"2"}' in text
    assert done.stderr == f"wrote {page}: open it in a browser\n"
    first = cardrome("html", many, "--out", page)
    assert first.stderr.startswith(f"cardrome: {many} holds several games: this is the first; see --game")


def test_a_player_is_named_by_number_or_name(one: Path) -> None:
    by_number, by_name = (cardrome("show", one, "--player", who).stdout for who in ("1", "greedy"))
    assert by_number == by_name
    done = cardrome("input", one, "--player", "nobody")
    assert done.returncode == 2
    assert "--player 'nobody': expected 0, 1 or one of the names" in done.stderr


def test_tapdeck_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    done = cardrome("record", "greedy", "random", "--edition", "tapdeck", "--seed", 7, "--out", path)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("seed 7\ntapdeck · 120 cards · health 30 · 60 turns · draws 1, burns 1, hand 10\n")
    assert cardrome("verify", path).stdout == "1 of 1 replay verified\n"
    done = cardrome("record", "pass", "random", "--edition", "tapdeck", "--out", path)
    assert done.returncode == 2
    assert "unknown agent 'pass'" in done.stderr


def test_tapdeck_is_shown(match: Path) -> None:
    done = cardrome("show", match)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[1:3] == ["player 0: Ann", "player 1: Bob"]
    assert lines[5:7] == ["turn 0 · player 0 (Ann)", "    health 30 v 30 · board 0 v 0 · hand 0 v 0 · deck 120"]
    assert "refused: 900 NoCardWithSuchId" in done.stdout
    assert "cards left" not in done.stdout
    third = cardrome("show", match, "--turn", 2, "--boards").stdout
    assert third.startswith("turn 2 · player 0 (Ann)")
    assert third.count("cards left") == 1
    every = cardrome("show", match, "--turn", 2, "--each").stdout
    assert every.count("cards left") > third.count("cards left")
    own = [line for line in cardrome("show", match, "--player", 1).stdout.splitlines() if line.startswith("turn ")]
    assert own
    assert all("player 1 (Bob)" in line for line in own)
    done = cardrome("show", match, "--turn", 500)
    assert done.returncode == 2
    assert "no such turn" in done.stderr


def test_tapdeck_is_verified(match: Path, one: Path) -> None:
    assert cardrome("verify", match, one).stdout == "2 of 2 replays verified\n"
    data = json.loads(match.read_bytes())
    data["commands"][0] = "0 0 907 DRAW_CARD"
    match.write_text(json.dumps(data))
    done = cardrome("verify", match, one)
    assert done.returncode == 1
    assert f"{match}: game 1 (tapdeck): command 0, DRAW_CARD of player 0: expected 907 Draw" in done.stdout
    assert "1 of 2 replays verified" in done.stdout
    assert "does not verify: command 0" in cardrome("show", match).stderr


def test_tapdeck_input_is_the_conversation(match: Path) -> None:
    done = cardrome("input", match, "--player", 1)
    assert done.returncode == 0, done.stderr
    assert done.stdout == b"".join(tapdeck_inputs(play(2), 1)).decode()
    first = cardrome("input", match, "--player", 1, "--call", 0)
    assert first.stdout.startswith("> DRAW_CARD 0\n< OK\n< ")
    assert first.stdout.count("\n") == 3
    done = cardrome("input", match, "--player", 1, "--call", 999)
    assert done.returncode == 2
    calls = len(list(tapdeck_inputs(play(2), 1)))
    assert f"--call 999: player 1 has {calls} calls; expected 0 to {calls - 1}" in done.stderr


def test_tapdeck_html_writes_a_page(match: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = cardrome("html", match, "--out", page)
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "Ann v Bob · tapdeck" in text


def test_a_file_of_several_families_is_listed(match: Path, one: Path, tmp_path: Path) -> None:
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_bytes(match.read_bytes() + one.read_bytes())
    lines = cardrome("show", mixed).stdout.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [["1", "tapdeck"], ["2", "locm-1.2"]]
    assert cardrome("show", mixed, "--game", 2, "--turn", 0).stdout.startswith("turn 0 · player 0 (rule-based)")
    drawn = [cardrome("show", mixed, "--game", 2, how).stdout.count("┌─ lane 0") for how in ("--boards", "--each")]
    assert 0 < drawn[0] < drawn[1]


@pytest.mark.parametrize("command", [("show",), ("verify",), ("input", "-p", "0"), ("html", "-o", "page.html")])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{oops}", "some.jsonl, line 1: "),
        ('\n{"format":"x","version":1}', "line 2: format is 'x'"),
        (None, "No such file"),
    ],
)
def test_files_that_are_no_replays(tmp_path: Path, command: tuple[str, ...], content: str | None, message: str) -> None:
    path = tmp_path / "some.jsonl"
    if content is not None:
        path.write_text(content)
    name, *options = command
    done = cardrome(name, path, *options, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("record", "gredy", "random", "--out", "x.json"), "unknown agent 'gredy'"),
        (("record", "greedy", "random"), "--out"),
        (("record", "greedy", "random", "--out", "missing/x.json"), "missing/x.json cannot be written: No such file"),
        (("record", "greedy", "random", "--out", "x.json", "--seed", "soon"), "seed 'soon'"),
        (("input", "x.json"), "--player"),
    ],
)
def test_wrong_use_is_explained(tmp_path: Path, args: tuple[str, ...], message: str) -> None:
    done = cardrome(*args, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []
