"""Checks of real bots: every finding is provoked by a bot that has the fault."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from cardrome.arena.check import CheckReport, Finding, check_bot, find_examiner
from cardrome.arena.players.clock import Clock
from cardrome.cli.check import report_lines
from cardrome.errors import CallerError
from cardrome.games.examiner import Severity
from tests.arena.bots import faulty_bot, passing_bot

PATIENT = Clock(scale=1000)

CAREFUL = """
import sys
while True:
    me = sys.stdin.readline().split()
    if not me: break
    mana = int(me[1])
    sys.stdin.readline()
    third = sys.stdin.readline().split()
    for _ in range(int(third[1])): sys.stdin.readline()
    cards = [sys.stdin.readline().split() for _ in range(int(sys.stdin.readline()))]
    if mana == 0:
        print("PICK 1", flush=True)
        continue
    lanes, out = [0, 0], []
    mine = [c for c in cards if c[2] == "1"]
    guarded = {c[-1] for c in cards if c[2] == "-1" and "G" in c[7]}
    for c in mine:
        lanes[int(c[-1])] += 1
        if c[-1] not in guarded: out.append(f"ATTACK {c[1]} -1")
    for c in cards:
        lane = 0 if lanes[0] < 3 else 1
        if c[2] == "0" and c[3] == "0" and int(c[4]) <= mana and lanes[lane] < 3:
            mana -= int(c[4])
            lanes[lane] += 1
            out.append(f"SUMMON {c[1]} {lane}")
    print(";".join(out) or "PASS", flush=True)
"""


def check(command: str, edition: str = "locm-1.2", **options: Any) -> CheckReport:
    given: dict[str, Any] = {"games": 1, "edges": (), "clock": PATIENT, "quiet_seconds": 0, "seed": 7}
    return check_bot(command.split(), edition, **(given | options))


def found(report: CheckReport) -> dict[str, Finding]:
    return {finding.kind: finding for finding in report.findings}


def faults(report: CheckReport) -> set[str]:
    return {f.kind for f in report.findings if f.severity is not Severity.NOTE}


def careful_bot(folder: Path) -> str:
    path = folder / "careful.py"
    path.write_text(CAREFUL)
    return f"{sys.executable} {path}"


@pytest.mark.parametrize("name", ["locm-1.0", "locm-1.0-multi", "locm-1.2", "locm-1.5"])
def test_a_bot_that_only_passes_has_no_faults(name: str, tmp_path: Path) -> None:
    report = check(passing_bot("python", tmp_path), name, games=2, edges=None)
    assert list(found(report)) == ["only-pass"]
    assert report.runs == 2 + len(find_examiner(name).edges)
    assert report.verdict == f"no faults found in {report.calls} calls"
    assert report.timings


def test_a_bot_that_acts_has_no_faults_at_all(tmp_path: Path) -> None:
    report = check(careful_bot(tmp_path), games=2, edges=None)
    assert report.findings == []
    assert list(report_lines(report))[-1] == report.verdict == f"no faults found in {report.calls} calls"


def test_a_bot_that_cannot_be_started() -> None:
    report = check("/no/such/program")
    assert list(found(report)) == ["no-start"]
    assert "/no/such/program" in found(report)["no-start"].example.message
    assert report.calls == 0


@pytest.mark.parametrize(
    ("fault", "after", "kind", "texts"),
    [
        ("raise ValueError('oops')", 3, "crash", ["ended with exit code 1", "ValueError: oops"]),
        ("os.kill(os.getpid(), signal.SIGSEGV)", 31, "crash", ["killed by SIGSEGV"]),
        ("print('x' * 20000, end='', flush=True); time.sleep(1000)", 2, "too-much-output", ["10000 bytes"]),
        ("print('SUMON 1 1', flush=True)", 33, "unknown-command", ["no command 'SUMON'", "SUMMON, ATTACK"]),
        ("print('PICK 1', flush=True)", 33, "unknown-command", ["belongs to deck building"]),
        ("print('PASS', 1, sep=chr(9), flush=True)", 33, "unknown-command", ["PASS is not followed by a space"]),
        ("print(chr(160), flush=True)", 33, "unknown-command", ["no command"]),
        ("print('PASS;summon 1 1', flush=True)", 33, "lower-case", ["'summon 1 1'", "SUMMON"]),
        ("print('pick 1', flush=True)", 3, "lower-case", ["pick 1"]),
        ("print('SUMMON 1', flush=True)", 33, "bad-arguments", ["takes 2 numbers, got 1", "SUMMON id lane"]),
        ("print('ATTACK 1  2', flush=True)", 33, "bad-arguments", ["two spaces", "ATTACK id target"]),
        ("print('USE 1 x', flush=True)", 33, "bad-arguments", ["not a whole number", "USE id target"]),
        ("print('PICK 3', flush=True)", 3, "deck-answer", ["PICK 3", "PICK 0 to PICK 2"]),
        ("print(flush=True)", 3, "empty-deck-answer", ["empty", "PICK 0"]),
        ("print(flush=True)", 33, "empty-line", ["empty", "PASS"]),
        (
            "print('thinking'); print('of'); print('PASS', flush=True)",
            3,
            "noise",
            ["2 lines are", "'PASS'", "thinking"],
        ),
        ("print('one'); print('two', flush=True)", 33, "extra-output", ["two", "one line for each input"]),
        ("print('PASS'); print('done', flush=True)", 33, "extra-output", ["done"]),
        ("print('PASS SUMMON 1 1', flush=True)", 33, "lost-command", ["SUMMON 1 1"]),
        ("print('PICK 1 ; PICK 2', flush=True)", 3, "lost-command", ["PICK 2"]),
        ("print('PASS;ATTACK 99 -1', flush=True)", 33, "pass-in-the-middle", ["part 1 of 2"]),
        ("print('PASS;ATTACK 99 -1', flush=True)", 33, "illegal-not-on-board", ["no creature 99", "one of SUMMON"]),
        ("print('SUMMON 99 0', flush=True)", 33, "illegal-not-in-hand", ["no card with id 99"]),
        ("print('PASS good luck', flush=True)", 33, "free-text", ["good luck"]),
        ("os.write(1, b'PASS ' + bytes([195, 169, 10]))", 33, "non-ascii", ["beyond ASCII"]),
        ("os.write(1, b'PASS ' + bytes([255, 10]))", 33, "non-ascii", ["not valid UTF-8"]),
    ],
)
def test_each_fault_is_found_and_explained(fault: str, after: int, kind: str, texts: list[str], tmp_path: Path) -> None:
    report = check(faulty_bot(tmp_path, fault, after))
    assert kind in found(report)
    text = "\n".join(report_lines(report))
    finding = found(report)[kind]
    assert finding.severity.upper() + "S" in text
    assert finding.example.where.startswith("game 1, seed 7, player 0")
    told = " ".join(line for line in text.splitlines())
    for part in texts:
        assert part in told


def test_constructed_answers_are_explained(tmp_path: Path) -> None:
    edition = "locm-1.5"
    short = found(check(faulty_bot(tmp_path, "print('CHOOSE 1;CHOOSE 2', flush=True)"), edition))
    assert "got 2" in short["wrong-card-count"].example.message
    assert "30 cards" in short["wrong-card-count"].example.expected
    thrice = found(check(faulty_bot(tmp_path, "print('CHOOSE 1;CHOOSE 1;CHOOSE 1;PASS', flush=True)"), edition))
    assert "more than 2 times" in thrice["deck-answer"].example.message


def test_output_before_the_first_input(tmp_path: Path) -> None:
    path = tmp_path / "banner.py"
    path.write_text("print('MyBot 1.0', flush=True)\n" + CAREFUL)
    report = check(f"{sys.executable} {path}", quiet_seconds=600)
    assert faults(report) == {"early-output", "noise"}
    assert found(report)["early-output"].example.line == "'MyBot 1.0'"


def test_a_silent_bot_times_out_and_the_check_gives_up() -> None:
    clock = Clock(scale=0.001, margin_ms=0, start_ms=1)
    report = check("/bin/sleep 1000", games=10, clock=clock)
    assert found(report)["timeout"].count == 2
    assert "gave-up" in found(report)
    assert report.runs == 2


def test_late_and_slow_answers_differ(tmp_path: Path) -> None:
    sleepy = faulty_bot(tmp_path, "time.sleep(0.3); print('PASS', flush=True); n = -10**9", after=5)
    late = check(sleepy, clock=Clock(scale=0.01, margin_ms=150, start_ms=600_000))
    assert found(late)["late"].count >= 1
    assert "within 1 ms" in found(late)["late"].example.expected
    slow = check(sleepy, clock=Clock(scale=5, margin_ms=600_000, start_ms=600_000))
    assert {"slow"} == faults(slow)
    assert check(sleepy, clock=Clock(running=False)).verdict.startswith("no faults")


def test_a_slow_start_is_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "heavy.py"
    path.write_text("import time\ntime.sleep(0.5)\n" + CAREFUL)
    report = check(f"{sys.executable} {path}", clock=Clock(scale=0.1, margin_ms=300, start_ms=600_000))
    assert "slow-start" in faults(report)
    assert "within 100 ms" in found(report)["slow-start"].example.expected


def test_counts_and_the_verdict(tmp_path: Path) -> None:
    report = check(faulty_bot(tmp_path, "print('SUMMON 99 0', flush=True)", after=30))
    finding = found(report)["illegal-not-in-hand"]
    assert finding.count > 1
    assert report.verdict == f"0 errors, {report.total(Severity.WARNING)} warnings in {report.calls} calls"
    data = report.to_dict()
    assert data["findings"][0]["example"]["line"] == "'SUMMON 99 0'"
    assert (data["errors"], data["calls"], data["runs"]) == (0, report.calls, 1)


def test_what_a_bot_writes_is_shown_as_harmless_text(tmp_path: Path) -> None:
    printing = check(faulty_bot(tmp_path, "print(chr(27) + ']0;x' + chr(155), flush=True)", 33))
    assert found(printing)["unknown-command"].example.line == r"'\x1b]0;x\x9b'"
    failing = check(faulty_bot(tmp_path, "sys.exit(chr(27) + '[2J')", 33))
    assert found(failing)["crash"].example.stderr == r"\x1b[2J"
    assert all(line.isprintable() for report in (printing, failing) for line in report_lines(report))


def test_an_edition_that_programs_cannot_play() -> None:
    with pytest.raises(CallerError, match="tapdeck: Tapdeck bots are TCP clients; `cardrome host`"):
        check("true", "tapdeck")
