"""`cardrome analyse` as a user runs it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from cardrome.cli import analyse as command
from cardrome.games.locm.protocol.replay import LocmReplay
from cardrome.games.replay_files import write_replays
from tests.arena.games import play_locm
from tests.cli import runner


@pytest.fixture(scope="module")
def replay() -> LocmReplay:
    return play_locm("rule-based", "greedy", seed=7, names=("Ann [b]", "</script>Bob"))


@pytest.fixture
def file(replay: LocmReplay, tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    write_replays(path, [replay])
    return path


def cardrome(file: Path, *words: object) -> runner.Done:
    return runner.cardrome("analyse", file, "--agent", "search-fast", *words)


def test_what_people_read_fits_their_terminal(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "console", lambda: Console(highlight=False, width=80, file=sys.stdout))
    done = cardrome(file)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1] == "player 0: Ann [b]"
    rows = [line for line in lines if re.match(r" +\d+  (Ann \[b\]|</script>Bob)", line)]
    assert [int(row.split()[0]) for row in rows] == list(range(19))
    assert all(re.search(r" \d+% +\d+% ", row) for row in rows)
    assert any(line.lstrip().startswith("→ ") for line in lines)
    told = lines[lines.index("The three moments that cost most") :]
    lost = [int(found[1]) for line in told if (found := re.search(r"^turn \d+: .* lost (\d+) points", line))]
    assert len(lost) == 3
    assert lost == sorted(lost, reverse=True)
    assert sum(line.startswith("    played  ") for line in told) == 3
    assert "The deck of Ann [b]: " in done.stdout
    assert all(f"  {row} " in done.stdout for row in ("cards", "drafter", "usual"))


def test_one_player_is_you(file: Path) -> None:
    done = cardrome(file, "--player", "</script>Bob")
    assert re.search(r"^turn \d+: you lost \d+ points", done.stdout, re.M)
    assert not re.search(r"^ +\d+  Ann", done.stdout, re.M)
    assert "The deck of Ann" not in done.stdout
    assert re.search(r"^chances of </script>Bob, turn by turn: .*▁$", done.stdout, re.M)  # who lost in the end
    assert done.stdout == cardrome(file, "--player", "1").stdout


def test_json_and_html(file: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = cardrome(file, "--json", "--html", page)
    found = json.loads(done.stdout)
    assert found["players"] == ["Ann [b]", "</script>Bob"]
    assert (found["winner"], found["agent"], found["edition"], len(found["decks"])) == (0, "search-fast", "locm-1.2", 2)
    turn = max(found["turns"], key=lambda turn: turn["cost"])
    assert turn["cost"] == pytest.approx(turn["chance_before"] - turn["chance_after"])
    assert turn["preferred"][0].keys() == {"action", "words", "deed"}
    assert [point["turn"] for point in found["curve"]] == list(range(20))
    text = page.read_text(encoding="utf-8")
    data = re.search(r'(?<=id="replay">).*?(?=</script>)', text, re.S)
    assert data is not None
    shown = json.loads(data[0])
    assert [chance for chance in shown["evaluation"] if chance is not None] == [
        point["chance"] for point in found["curve"]
    ]
    assert len(shown["evaluation"]) == len(shown["frames"])
    reviews = [frame["deed"]["review"]["cost"] for frame in shown["frames"] if "review" in frame.get("deed", {})]
    assert max(reviews) == turn["cost"]
    said, again = tmp_path / "said.json", tmp_path / "again.html"
    said.write_text(done.stdout)
    assert runner.cardrome("replay", "html", file, "--analysis", said, "--out", again).returncode == 0
    assert again.read_bytes() == page.read_bytes()
    for wrong, why in [
        ({**found, "players": ["Ann", "Carl"]}, "is the analysis of another game: locm-1.2, Ann v Carl"),
        (
            {**found, "turns": [{**turn, "chance_after": 7}]},
            "is not what `cardrome analyse --json` writes: turns[0].chance",
        ),
        ([], "is not what"),
    ]:
        said.write_text(json.dumps(wrong))
        refused = runner.cardrome("replay", "html", file, "--analysis", said, "--out", again)
        assert (refused.returncode, why in refused.stderr) == (2, True), refused.stderr


def test_several_games(replay: LocmReplay, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write_replays(path, [replay, play_locm("random", "pass", seed=2)])
    first = cardrome(path, "--player", "0")
    assert "holds several games: this is the first; see --game" in first.stderr
    assert "player 0: Ann [b]" in first.stdout
    second = cardrome(path, "--player", "0", "--game", 2)
    assert "several" not in second.stderr
    assert "player 0: random" in second.stdout
    assert "--game 3: " in cardrome(path, "--game", 3).stderr


def test_a_game_that_is_cut_short_is_told_as_far_as_it_goes(replay: LocmReplay, tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    write_replays(path, [msgspec.structs.replace(replay, calls=replay.calls[:64])])
    done = cardrome(path)
    assert done.returncode == 0
    assert "this replay does not verify, so this is as far as it goes: calls: expected the end" in done.stdout
    assert len(json.loads(cardrome(path, "--json").stdout)["turns"]) == 4


def test_wrong_use(file: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    for done, said in [
        (
            cardrome(file, "--player", "Carl"),
            "player 'Carl': expected 0, 1 or one of the names Ann [b] and <",
        ),
        (runner.cardrome("analyse", file, "--agent", "greedy"), "agents that search can: search-fast, search"),
        (cardrome(broken), f"{broken}"),
        (cardrome(tmp_path / "missing.json"), "missing.json"),
    ]:
        assert done.returncode == 2, done
        assert said in done.stderr
        assert done.stdout == ""


def test_ctrl_c_ends_it_and_writes_nothing(file: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    words = [sys.executable, "-m", "cardrome", "analyse", str(file), "--agent", "search-max", "--html", str(page)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        while "thinking: " not in (line := process.stderr.readline()):
            assert line, "it was over before it could be interrupted"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out, page.exists()) == (130, "", False)
    assert "Traceback" not in err


def test_an_unknown_agent_is_told_before_anything_is_thought(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "progress", lambda *args, **more: pytest.fail("it began"))
    done = runner.cardrome("analyse", file, "--agent", "serch")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("cardrome: unknown agent 'serch'; did you mean search")
