"""`cardrome match` as a user runs it: the block to paste, tests, books, saved series, Ctrl-C."""

import errno
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cardrome.games.replay_files import read_replays
from tests.arena.bots import faulty_bot
from tests.cli.runner import cardrome


def test_result_block() -> None:
    done = cardrome("match", "greedy", "rule-based", "-n", 400, "--seed", 3)
    assert done.returncode == 0, done.stderr
    found = json.loads(cardrome("match", "greedy", "rule-based", "-n", 400, "--seed", 3, "--json").stdout)
    wins, losses = found["wins"]
    low, high = found["elo_95"]
    lines = done.stdout.splitlines()
    assert lines[0] == "Results of greedy vs rule-based (400 games on locm-1.2, seed 3):"
    assert lines[1].startswith(
        f"Elo: {found['elo']:.1f} +/- {(high - low) / 2:.1f}, nElo: {found['normalised_elo']:.1f}"
    )
    assert re.match(r"LOS: \d+\.\d\d %, First seat: \d+\.\d\d %", lines[2])
    assert lines[3] == f"Games: 400, Wins: {wins}, Losses: {losses}, Points: {wins}.0 ({wins / 4:.2f} %)"
    assert lines[4] == f"Pairs(0-2): {list(found['pairs'].values())}"
    assert lines[5].startswith(f"greedy won {wins / 4:.2f} % (95 % interval: {found['win_rate_95'][0] * 100:.2f} % to ")
    assert len(lines) == 6


def test_winning_everything_is_shown_sensibly() -> None:
    args = ("match", "rule-based", "pass", "-n", 40, "--seed", 1)
    done = cardrome(*args)
    assert "Elo: inf (at least " in done.stdout
    assert "nElo: inf" in done.stdout
    found = json.loads(cardrome(*args, "--json").stdout)
    assert found["elo"] is None
    assert found["elo_95"][0] > 300
    assert found["elo_95"][1] is None


def test_sprt_stops_at_the_same_pair_whatever_the_jobs() -> None:
    args = ("match", "rule-based", "greedy", "-n", 100_000, "--seed", 5, "--sprt", "0,10")
    one, two = (cardrome(*args, "-j", jobs, "--json") for jobs in (1, 2))
    assert one.returncode == 0, one.stderr
    assert one.stdout == two.stdout
    found = json.loads(one.stdout)
    assert found["complete"]
    assert found["games"] < 5000
    assert found["sprt"]["decision"] == "H1"
    assert found["sprt"]["llr"] >= found["sprt"]["bounds"][1]
    text = cardrome(*args).stdout
    assert f"LLR: {found['sprt']['llr']:.2f} (" in text
    assert "(-2.94, 2.94) [0.00, 10.00]" in text
    assert "SPRT: H1 accepted" in text


def test_sprt_may_begin_with_a_minus_and_take_h0() -> None:
    done = cardrome("match", "random", "greedy", "-n", 10_000, "--seed", 1, "--sprt", "-10,0,0.1,0.01")
    assert done.returncode == 0, done.stderr
    assert "SPRT: H0 accepted: the lead is -10 Elo rather than 0, or less" in done.stdout


def test_openings(tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("1\n2 # two\nseed=3\n")
    done = cardrome("match", "greedy", "random", "-n", 10, "--openings", book)
    assert done.returncode == 0, done.stderr
    assert "10 games on locm-1.2, deals of book.txt" in done.stdout
    assert "the book has 3 deals for 5 pairs: deals were repeated" in done.stdout
    assert "3 deals for 5 pairs: they will be repeated in order" in done.stderr
    book.write_text("1\nseed=2 draftChoicesSeed=7\n")
    one, two = (cardrome("match", "greedy", "random", "-n", 4, "--openings", book, "--json", "-j", j) for j in (1, 2))
    assert one.stdout == two.stdout
    assert one.stderr == ""
    assert json.loads(one.stdout)["openings"]["deals"] == 2


def test_save_and_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "series"
    first = cardrome("match", "greedy", "random", "-n", 20, "--save", folder, "--json")  # the seed is drawn
    assert first.returncode == 0, first.stderr
    seed = json.loads(first.stdout)["seed"]
    more = cardrome("match", "greedy", "random", "-n", 300, "--save", folder, "--json")
    whole = cardrome("match", "greedy", "random", "-n", 300, "--seed", seed, "--json")
    assert more.stdout == whole.stdout
    other = cardrome("match", "greedy", "pass", "-n", 20, "--save", folder)
    assert other.returncode == 2
    assert "holds a series with other settings: name is 'greedy v random' there" in other.stderr


def interrupted(*args: str) -> tuple[int, str, str]:
    """Press Ctrl-C at the first report of progress."""
    command = [sys.executable, "-m", "cardrome", "match", "greedy", "random", *args]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert " of 2000000 pairs" in next(line for line in process.stderr if "compiling" not in line)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    return process.returncode, out, err


def test_ctrl_c_tells_how_to_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "my series"
    code, out, err = interrupted(
        "-n", "4000000", "--seed", "3", "--sprt", "-0.1,0.1,1e-300,1e-300", "--save", str(folder)
    )
    assert code == 130, err
    assert "LLR: " in out
    done = int(re.findall(r"stopped after (\d+) of 4000000 games", out)[0])
    command = shlex.split(out.splitlines()[-1])
    assert command[:2] == ["cardrome", "match"]
    command[command.index("4000000")] = str(done + 100)
    again = cardrome(*command[1:], "--json")
    assert again.returncode == 0, again.stderr
    whole = cardrome("match", "greedy", "random", "-n", done + 100, "--seed", 3, "--json")
    assert json.loads(again.stdout)["wins"] == json.loads(whole.stdout)["wins"]


def test_ctrl_c_without_a_folder_says_so() -> None:
    code, out, err = interrupted("-n", "4000000", "--seed", "3", "-j", "2")
    assert code == 130, err
    assert "stopped after " in out
    assert "greedy won" in out
    said, command = out.splitlines()[-2:]
    assert said == "not saved; a series that can go on:"
    assert command == "  cardrome match greedy random -e locm-1.2 -n 4000000 --seed 3 --save DIR"
    assert out.endswith("--seed 3 --save DIR\n")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--sprt", "5"), "expected elo0,elo1"),
        (("--sprt", "5,0"), "elo0 must be below elo1"),
        (("--openings", "/no/such/book"), "/no/such/book cannot be read: No such file"),
        (("--openings", "BOOK"), "BOOK, line 2: seed is 'x'"),
        (("--openings", "GOOD", "--seed", "1"), "the book fixes all deals"),
        (("--save", "GOOD/folder"), "Not a directory"),
        (("--games", "99999999999999999999"), "1000000000000"),
        (("--replays", "x.jsonl", "--no-replays"), "give only one of them"),
        (("--replays", "GOOD/folder"), "Not a directory"),
        (("--dir", "/", "--dir", "/", "--dir", "/"), "there are two players, and 3 folders"),
    ],
)
def test_wrong_use_is_explained(tmp_path: Path, args: tuple[str, ...], message: str) -> None:
    (tmp_path / "BOOK").write_text("1\nx\n")
    (tmp_path / "GOOD").write_text("1\n2\n")
    placed = [str(tmp_path / arg) if arg[0] in "BG" else arg for arg in args]
    done = cardrome("match", "greedy", "random", "-n", "4", *placed)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bot_that_cannot_play_at_all_stops_the_series(tmp_path: Path) -> None:
    dying = faulty_bot(tmp_path, "sys.exit(chr(27) + '[2J' + chr(10) + 'bye')")
    for players, jobs in (((dying, "pass"), 1), (("pass", dying), 2)):
        done = cardrome("match", *players, "-n", 20, "-j", jobs)
        assert done.returncode == 2
        assert f"cardrome: {dying} ends before its first answer: ended with exit code 1\n\\x1b[2J\nbye" in done.stderr
        assert done.stdout == ""
    for missing in ("./no-such-bot", "bot:no-such-bot"):
        done = cardrome("match", missing, "greedy", "-n", 20, "-j", 1)
        assert done.returncode == 2
        program = missing.removeprefix("bot:")
        assert f"{missing} ends before its first answer: '{program}' cannot be started" in done.stderr


def test_the_first_fault_of_each_kind_is_shown_with_its_replay(tmp_path: Path) -> None:
    # It plays the first game, writes nonsense in the second, and ends in all others.
    dies = "(print('it was me', file=sys.stderr), sys.exit(7))"
    what = f"{dies} if games > 2 else print('PASS' if games == 1 else 'DANCE', flush=True)"
    bad, starts = faulty_bot(tmp_path, what, after=31), tmp_path / "starts"
    count = f"with open({str(starts)!r}, 'a+') as file: file.write('x'); games = file.tell()\n"
    path = Path(bad.split()[-1])
    path.write_text(count + path.read_text())
    args = ("match", bad, "pass", "-n", 4, "-j", 1, "--no-clock", "--seed", 1)
    file = tmp_path / "games.jsonl"
    for more in (("--replays", file), ()):
        starts.unlink(missing_ok=True)
        done = cardrome(*args, *more)
        assert done.returncode == 0, done.stderr
        told = [line for line in done.stdout.splitlines() if line.startswith("first ")]
        assert [line.split(f" of {bad}, in game ")[0] for line in told] == ["first unknown-command", "first crash"]
        assert told[0].split("in game ")[1].startswith("2: ")
        assert told[1].endswith("in game 3: ended with exit code 7")
        command = shlex.split(re.findall(r"  show it:\n    (cardrome replay show .*)", done.stdout)[-1])
        shown = cardrome(*command[1:])
        assert "crash of player 0 (ended with exit code 7)" in shown.stdout
        assert (command[3] == str(file)) == bool(more)
        assert f"{bad} lost 4 of 4 games: 2 by crash, 1 with no card left to draw, 1 by unknown-command" in done.stdout
        assert "  stderr: it was me" in done.stdout
        assert f"  watch game 1:\n    cardrome replay html {command[3]} --game 1 --out lost.html\n" in done.stdout
        assert f"  why was it lost:\n    cardrome analyse {command[3]} --game 1 --player 0\n" in done.stdout
    starts.unlink()
    found = json.loads(cardrome(*args, "--json", "--replays", file).stdout)["first_faults"]
    assert [(each["kind"], each["game"], each["replay"]) for each in found] == [
        ("unknown-command", 2, {"file": str(file), "game": 2}),
        ("crash", 3, {"file": str(file), "game": 3}),
    ]
    assert found[1]["stderr"] == "it was me\n"


def test_replays_of_built_in_agents_are_those_of_the_same_series(tmp_path: Path) -> None:
    args = ("match", "greedy", "random", "-n", 4, "--seed", 3, "-j", 1, "--json")
    for place in (tmp_path / "games.jsonl", tmp_path / "folder"):
        found = json.loads(cardrome(*args, "--replays", place).stdout)
        plain = json.loads(cardrome(*args).stdout)
        file = Path(found.pop("replays"))
        assert plain.pop("replays") is None  # built-in agents play too many games to keep them unasked
        assert found == plain
        winners = [replay.players[replay.winner] for replay in read_replays(file)]
        assert [winners.count("greedy"), winners.count("random")] == found["wins"]
        assert file == place or file.parent == place
    tapdeck = cardrome(
        "match", "greedy", "random", "-n", 2, "-e", "tapdeck", "--replays", tmp_path / "t.jsonl", "-j", 1
    )
    assert tapdeck.returncode == 0, tapdeck.stderr
    assert len(list(read_replays(tmp_path / "t.jsonl"))) == 2


def test_bots_run_in_the_folders_that_are_given(tmp_path: Path) -> None:
    for name, answer in (("new", "PASS"), ("old", "DANCE")):
        (tmp_path / name).mkdir()
        bot = faulty_bot(tmp_path / name, f"print({answer!r}, flush=True)", after=30)
        Path(bot.split()[-1]).rename(tmp_path / name / "bot.py")
    run = f"{sys.executable} bot.py"
    args = ("match", run, run, "-n", 2, "-j", 1, "--no-clock", "--no-replays")
    done = cardrome(*args, "--dir", tmp_path / "new", "--dir", tmp_path / "old")
    assert "Wins: 2, Losses: 0" in done.stdout, done.stderr
    assert f"first unknown-command of {run} (B), in game 1: " in done.stdout
    assert "cardrome replay" not in done.stdout  # none is kept
    missing = cardrome(*args, "--dir", tmp_path / "newer")
    assert missing.returncode == 2
    assert f"--dir {tmp_path / 'newer'}: there is no such folder" in missing.stderr


def test_replays_that_cannot_be_kept_do_not_spoil_the_result(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("not a folder")
    bot = faulty_bot(tmp_path, "print('PASS', flush=True)")
    done = cardrome(
        "match", bot, "pass", "-n", 2, "-j", 1, "--no-clock", env={"XDG_STATE_HOME": str(tmp_path / "state")}
    )
    assert done.returncode == 0
    assert "cardrome: the replays are not kept: " in done.stderr
    assert "Games: 2, " in done.stdout


def test_an_odd_number_of_games_is_said_to_be_one_more() -> None:
    done = cardrome("match", "greedy", "random", "-n", 3, "--seed", 1)
    assert done.stderr == "3 games: 4 are played, since every deal is played twice\n"
    assert "Games: 4, " in done.stdout


def test_names_that_mean_something_else_are_explained(tmp_path: Path) -> None:
    (tmp_path / "mybot.py").write_text("print('PASS')")
    (tmp_path / "mybot").write_text("#!/bin/sh\n")
    (tmp_path / "mybot").chmod(0o755)
    for name, meant in (("mybot.py", "python3 mybot.py"), ("mybot", "./mybot")):
        done = cardrome("match", name, "greedy", cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr.endswith(f"; to run the file as a bot: '{meant}'\n")
    other = cardrome("match", "pass", "greedy", "-e", "tapdeck")
    assert other.returncode == 2
    assert "unknown agent 'pass'" in other.stderr
    assert "; pass plays locm-1.0-wood3, " in other.stderr


def test_what_is_nobodys_fault_has_an_exit_code_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deadly_agent.py").write_text(
        "import os\nfrom cardrome import Agent\nclass Deadly(Agent):\n    def act(self, view): os._exit(7)\n"
    )
    done = cardrome("match", "deadly_agent:Deadly", "random", "-n", 2, "-j", 2, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.endswith("cardrome: a worker process ended with exit code 7, every time it was tried\n")
    assert "Traceback" not in done.stderr

    def no_room(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("cardrome.arena.players.process.subprocess.Popen", no_room)
    done = cardrome("referee", "-p1", "/bin/cat", "-p2", "pass")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith("cardrome: '/bin/cat' cannot be started: Too many open files\n")


def test_bots_have_a_referee_of_their_own_to_kill_even_with_one_job(tmp_path: Path) -> None:
    parent = tmp_path / "parent"
    tell = f"open({str(parent)!r}, 'w').write(str(os.getppid())); print('PASS', flush=True)"
    bot = faulty_bot(tmp_path, tell, after=30)
    assert cardrome("match", bot, "pass", "-n", 2, "-j", 1).returncode == 0
    assert int(parent.read_text()) != os.getpid()


def test_games_that_were_played_again_are_told(tmp_path: Path) -> None:
    spared = f"os.path.exists('killed') or os.getppid() == {os.getpid()}"
    kill = f"{spared} or (open('killed', 'x'), os.kill(os.getppid(), 9))"
    bot = faulty_bot(tmp_path, f"{kill}; print('PASS', flush=True)", after=3)
    done = cardrome("match", bot, "pass", "-n", 2, "-j", 1, "--dir", tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    assert "\n1 game was played again: a worker process was killed by SIGKILL\n" in done.stderr
    assert json.loads(done.stdout)["played_again"] == {"a worker process was killed by SIGKILL": 1}
