"""Checks of real bots: every finding provoked by a bot that has the fault, every illegal action explained."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from cardrome.arena.check.answers import judge_answer
from cardrome.arena.check.findings import KINDS, Finding, Report, Severity
from cardrome.arena.check.illegal import Why, why_illegal
from cardrome.arena.check.positions import EDGES, Table
from cardrome.arena.check.run import check_bot
from cardrome.arena.players.clock import Clock
from cardrome.games.locm.protocol.answers import parse_command
from cardrome.games.locm.protocol.dialogue import Dialogue
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.protocol.setup import from_dict
from cardrome.games.locm.rules.edition import EDITIONS, LOCM_12, Edition, find_edition
from tests.arena.bots import faulty_bot, passing_bot
from tests.games.locm.games import new_game

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


def check(command: str, edition: Edition = LOCM_12, **options: Any) -> Report:
    given: dict[str, Any] = {"games": 1, "positions": (), "clock": PATIENT, "quiet_seconds": 0, "seed": 7}
    return check_bot(command.split(), edition, **(given | options))


def found(report: Report) -> dict[str, Finding]:
    return {finding.kind: finding for finding in report.findings}


def faults(report: Report) -> set[str]:
    return {f.kind for f in report.findings if f.severity is not Severity.NOTE}


def careful_bot(folder: Path) -> str:
    path = folder / "careful.py"
    path.write_text(CAREFUL)
    return f"{sys.executable} {path}"


@pytest.mark.parametrize("name", ["locm-1.0", "locm-1.0-multi", "locm-1.2", "locm-1.5"])
def test_a_bot_that_only_passes_has_no_faults(name: str, tmp_path: Path) -> None:
    report = check(passing_bot("python", tmp_path), find_edition(name), games=2, positions=tuple(EDGES))
    assert list(found(report)) == ["only-pass"]
    assert report.runs == 2 + len(EDGES)
    assert report.verdict == f"no faults found in {report.calls} calls"
    assert report.timings


def test_a_bot_that_acts_has_no_faults_at_all(tmp_path: Path) -> None:
    report = check(careful_bot(tmp_path), games=2, positions=tuple(EDGES))
    assert report.findings == []
    assert list(report.lines())[-1] == report.verdict == f"no faults found in {report.calls} calls"


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
        ("print('PICK 1', flush=True)", 33, "unknown-command", ["belongs to the deck building"]),
        ("print('PASS', 1, sep=chr(9), flush=True)", 33, "unknown-command", ["else than a space follows PASS"]),
        ("print(chr(160), flush=True)", 33, "unknown-command", ["no command"]),
        ("print('PASS;summon 1 1', flush=True)", 33, "lower-case", ["'summon 1 1'", "SUMMON"]),
        ("print('pick 1', flush=True)", 3, "lower-case", ["pick 1"]),
        ("print('SUMMON 1', flush=True)", 33, "bad-arguments", ["takes 2 numbers, and there are 1", "SUMMON id lane"]),
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
        ("os.write(1, b'PASS ' + bytes([255, 10]))", 33, "non-ascii", ["no valid UTF-8"]),
    ],
)
def test_each_fault_is_found_and_explained(fault: str, after: int, kind: str, texts: list[str], tmp_path: Path) -> None:
    report = check(faulty_bot(tmp_path, fault, after))
    assert kind in found(report)
    text = "\n".join(report.lines())
    finding = found(report)[kind]
    assert finding.severity.upper() + "S" in text
    assert finding.example.where.startswith("game 1, seed 7, player 0")
    told = " ".join(line for line in text.splitlines())
    for part in texts:
        assert part in told


def test_constructed_answers_are_explained(tmp_path: Path) -> None:
    edition = find_edition("locm-1.5")
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


def test_every_illegal_action_has_its_finding() -> None:
    assert {f"illegal-{why}" for why in Why} - {"illegal-game-over"} <= set(KINDS)


# Cards of 1.2: 1 to 116 are creatures (3: cost 1; 116: cost 12), 118 is green, 142 red, 154 blue; ids as below.
TABLE = {
    "edition": "locm-1.2",
    "turn": 10,
    "players": [
        {
            "mana": 5,
            "max_mana": 6,
            "hand": [
                {"card": 3, "id": 1},
                {"card": 116, "id": 3},
                {"card": 118, "id": 5},
                {"card": 142, "id": 7},
                {"card": 154, "id": 9},
            ],
            "board": [
                [{"card": 3, "id": 11}, {"card": 3, "id": 13, "can_attack": False}, {"card": 3, "id": 15}],
                [{"card": 3, "id": 17, "has_attacked": True}],
            ],
        },
        {
            "board": [
                [{"card": 3, "id": 2}, {"card": 3, "id": 4, "abilities": "G"}],
                [{"card": 3, "id": 6}],
            ]
        },
    ],
}


@pytest.mark.parametrize(
    ("action", "why", "text"),
    [
        ("SUMMON 77 0", Why.NOT_IN_HAND, "no card with id 77 is in your hand now (which holds 1, 3, 5, 7, 9)"),
        ("SUMMON 11 1", Why.NOT_IN_HAND, "on your board"),
        ("USE 2 -1", Why.NOT_IN_HAND, "on the opponent's board"),
        ("SUMMON 5 1", Why.NOT_A_CREATURE, "a green item"),
        ("USE 1 11", Why.NOT_AN_ITEM, "SUMMON"),
        ("SUMMON 3 1", Why.NOT_ENOUGH_MANA, "needs 12, has 5"),
        ("SUMMON 1 2", Why.NO_SUCH_LANE, "lanes are 0 to 1"),
        ("SUMMON 1 -1", Why.NO_SUCH_LANE, "lane -1 does not exist"),
        ("SUMMON 1 0", Why.LANE_FULL, "lane 0 is full: 3 creatures"),
        ("USE 5 -1", Why.NEEDS_TARGET, "one of your creatures"),
        ("USE 7 -1", Why.NEEDS_TARGET, "a creature of the opponent"),
        ("USE 5 99", Why.NO_SUCH_TARGET, "yours: 11, 13, 15, 17; the opponent's: 2, 4, 6"),
        ("USE 5 2", Why.WRONG_TARGET, "the opponent's creature, and a green item works on your own creatures"),
        ("USE 7 11", Why.WRONG_TARGET, "your own creature, and a red item works on the opponent's creatures"),
        ("USE 9 11", Why.WRONG_TARGET, "a blue item"),
        ("ATTACK 99 -1", Why.NOT_ON_BOARD, "11, 13, 15, 17"),
        ("ATTACK 1 -1", Why.NOT_ON_BOARD, "has to be summoned first"),
        ("ATTACK 2 -1", Why.NOT_ON_BOARD, "the opponent's"),
        ("ATTACK 13 4", Why.CANNOT_ATTACK, "no Charge"),
        ("ATTACK 17 6", Why.HAS_ATTACKED, "has attacked already"),
        ("ATTACK 11 6", Why.OTHER_LANE, "11 is in lane 0, 6 in lane 1"),
        ("ATTACK 11 99", Why.NO_SUCH_TARGET, "2, 4, 6"),
        ("ATTACK 11 13", Why.WRONG_TARGET, "your own creature"),
        ("ATTACK 11 2", Why.GUARDS_FIRST, "guards in that lane must be attacked first: 4"),
        ("ATTACK 11 -1", Why.GUARDS_FIRST, "4"),
    ],
)
def test_why_an_action_is_illegal(action: str, why: Why, text: str) -> None:
    game = from_dict(TABLE)
    illegal = why_illegal(game, parse_command(action, True))
    assert illegal is not None
    assert illegal.why is why
    assert text in illegal.message


@pytest.mark.parametrize("action", ["PASS", "SUMMON 1 1", "USE 5 11", "USE 7 2", "USE 9 -1", "ATTACK 11 4"])
def test_legal_actions_have_no_reason(action: str) -> None:
    assert why_illegal(from_dict(TABLE), parse_command(action, True)) is None


def test_reasons_in_one_lane() -> None:
    side = {"mana": 1, "hand": [{"card": 3, "id": 41}], "board": [[3] * 6]}
    game = from_dict({"edition": "locm-1.0", "players": [side, {}]})
    illegal = why_illegal(game, parse_command("SUMMON 41", False))
    assert illegal is not None
    assert illegal.message.startswith("the board is full: 6 creatures")


def test_after_the_end_nothing_is_legal() -> None:
    game = from_dict({"edition": "locm-1.2", "winner": 1, "players": [{"health": 0, "board": [[3], []]}, {}]})
    illegal = why_illegal(game, parse_command("ATTACK 1 -1", True))
    assert illegal is not None
    assert illegal.why is Why.GAME_OVER


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_whatever_is_not_legal_is_explained(edition: Edition) -> None:
    """No action that names anything near a position leaves the explanation without words, or contradicts the rules."""
    for position in edges(edition).values():
        legal = {position.action_text(code) for code in position.legal_codes()}
        ids = range(-2, 66, 3)
        form = "SUMMON {}" if not edition.summon_names_lane else "SUMMON {} {}"
        for text in {f.format(a, b) for f in (form, "USE {} {}", "ATTACK {} {}") for a in ids for b in ids}:
            illegal = why_illegal(position, parse_command(text, edition.summon_names_lane))
            assert (illegal is None) == (text in legal)


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_edge_positions_are_what_they_promise(edition: Edition) -> None:
    found = edges(edition)
    full = found["full boards and a full hand"].state.players
    assert [(int(p.n_lane.sum()), int(p.n_hand)) for p in full] == [(6, 8), (6, 8)]
    assert found["health above the start"].health == (57, 57)
    assert found["an empty hand"].state.players[1].n_hand == 0
    assert found["nothing to do"].legal_actions == ["PASS"]
    assert found["empty decks"].state.players["n_deck"].tolist() == [0, 0]
    dead = found["health below 0 at the start of the turn"]
    call = Dialogue(dead).call
    assert call is not None
    assert call.lines[0].startswith("-3 ")
    if edition.shows_actions:
        assert found["many actions of the opponent"].input_text().splitlines()[2].endswith(" 40")
    assert all(game.current == 1 for game in found.values())


def edges(edition: Edition) -> dict[str, LocmGame]:
    """All edge positions for player 1, after random deck building."""
    game = new_game(edition, seed=5)
    while game.phase != "battle":
        codes = game.legal_codes()
        game.push(codes[len(game.actions) % len(codes)])
    built = {name: build(Table(game, 1)) for name, build in EDGES.items()}
    return {name: position for name, position in built.items() if position is not None}


def test_an_answer_leaves_the_game_as_it_is() -> None:
    game = from_dict(TABLE)
    assert isinstance(game, LocmGame)
    call = Dialogue(game).call
    assert call is not None
    before = game.copy()
    judgement = judge_answer(game, call, b"ATTACK 11 4;SUMMON 1 1 hello;SUMMON 1 1")
    assert game == before
    assert judgement.played == 2
    assert [remark.kind for remark in judgement.remarks] == ["free-text", "illegal-not-in-hand"]
