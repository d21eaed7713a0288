"""Recorded games: reading files, replaying, and naming the first thing that differs."""

from __future__ import annotations

import copy
import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from cardrome.errors import CallerError, InvalidRecording
from cardrome.games.locm.protocol.dialogue import Dialogue
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.protocol.golden import GAME_LIMIT, RecordedGame, read_games, replay
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import EDITIONS
from cardrome.games.replays import Difference
from tests.games.test_replay_files import unpacked_by


def recorded(edition: str = "locm-1.2", seed: int = 5, last: str | None = "") -> dict[str, Any]:
    """A random game as a recording with every field; ``last`` is said at call 70 unless it is empty."""
    chosen, deal, choices = EDITIONS[edition], LocmDeal(seed), random.Random(seed)
    dialogue = Dialogue(LocmGame(chosen, deal))
    turns: list[dict[str, Any]] = []
    while dialogue.call is not None:
        call = dialogue.call
        line: str | None = "PASS"
        if call.phase == "battle":
            twin, texts = dialogue.game.copy(), []
            for _ in range(choices.randrange(6)):
                if twin.to_move == call.player:
                    code = choices.choice(twin.legal_codes())
                    texts.append(twin.action_text(code))
                    twin.push(code)
            line = ";".join([*texts, "ATTACK 100 -1"])
        if len(turns) == 70 and last != "":
            line = last
        effect = dialogue.answer(line)
        turn = {"p": call.player, "phase": call.phase, "ms": call.limit_ms, "in": call.lines, "out": line}
        turns.append({**turn, "done": effect.done, "ignored": effect.ignored})
    fault = dialogue.fault
    return {
        "game": 1,
        "version": chosen.version,
        **({"build": chosen.build} if chosen.build else {}),
        **({"level": chosen.league} if chosen.version == "1.0" else {}),
        "params": deal.params(),
        "seeds": {name: str(value) for name, value in deal.seeds(chosen).items()},
        "bots": ["random", "random"],
        "turns": turns,
        "scores": list(dialogue.scores or ()),
        "winner": dialogue.winner,
        "error": None if fault is None else {"player": fault.player, "kind": fault.kind},
        "finalHealth": list(dialogue.game.health),
    }


def write(path: Path, *records: Any, packed: bool = False) -> Path:
    text = "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records)
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    return path


def difference(tmp_path: Path, record: dict[str, Any]) -> Difference | None:
    [game] = read_games(write(tmp_path / "game.jsonl", record))
    return replay(game)


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    return recorded()


@pytest.fixture(scope="module")
def faulty() -> dict[str, Any]:
    return recorded(last="SUMMON")


# Reading


@pytest.mark.parametrize("packed", [False, True])
def test_files_are_read_plain_and_packed(tmp_path: Path, packed: bool, record: dict[str, Any]):
    path = write(tmp_path / "any-name", record, record, packed=packed)
    games = list(read_games(path))
    assert len(games) == 2
    assert isinstance(games[0], RecordedGame)
    assert games[0].edition is EDITIONS["locm-1.2"]
    assert replay(games[1]) is None


def test_empty_lines_are_skipped(tmp_path: Path, record: dict[str, Any]):
    assert len(list(read_games(write(tmp_path / "g", "", record, "  ", record)))) == 2
    assert list(read_games(write(tmp_path / "empty"))) == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "it has no end"),
        ("nonsense", "not JSON: invalid character"),
        ("[]", "expected an object"),
        ("{}", "version is missing"),
        ('{"version": 1.2, "params": {}, "turns": []}', "version"),
        ('{"version": "1.2", "params": {"seed": 7.5}, "turns": []}', "params"),
        ('{"version": "1.2", "params": {}, "turns": [{"p": 0}]}', "turns"),
        ('{"version": "1.3", "params": {}, "turns": []}', "no edition has version '1.3'"),
        ('{"version": "1.5", "build": "1999", "params": {}, "turns": []}', "build '1999'"),
        ('{"version": "1.2", "params": {}, "turns": [], "winner": "me"}', "winner"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_a_line_that_is_no_game_is_named(tmp_path: Path, line: str, reason: str, packed: bool, record: dict[str, Any]):
    path = write(tmp_path / "bad.jsonl", record, "", line, record, packed=packed)
    games = read_games(path)
    next(games)  # what stands before it can be used
    with pytest.raises(InvalidRecording) as error:
        next(games)
    assert str(error.value).startswith(f"{path}, line 3: ")
    assert reason in str(error.value)
    assert isinstance(error.value, CallerError)


def test_bytes_that_are_no_text(tmp_path: Path):
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b'{"version": "\xff\xfe", "params": {}, "turns": []}\n')
    with pytest.raises(InvalidRecording, match="line 1"):
        list(read_games(path))


def test_a_missing_file_and_a_folder(tmp_path: Path):
    with pytest.raises(InvalidRecording, match="No such file"):
        list(read_games(tmp_path / "none.jsonl"))
    with pytest.raises(InvalidRecording, match="directory"):
        list(read_games(tmp_path))


@pytest.mark.parametrize("keep", [12, 400])
def test_a_damaged_archive(tmp_path: Path, keep: int, record: dict[str, Any]):
    path = write(tmp_path / "cut.gz", record, packed=True)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(InvalidRecording) as error:
        list(read_games(path))
    assert str(path) in str(error.value)


def test_a_file_that_unpacks_to_more_than_a_game_is_not_read_to_its_end(tmp_path: Path):
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(bytes(4 * GAME_LIMIT), mtime=0))
    assert unpacked_by(lambda: list(read_games(path)), "line 1: over 8 MiB; no game is that long") < 3 * GAME_LIMIT


def test_a_garbled_archive(tmp_path: Path, record: dict[str, Any]):
    path = write(tmp_path / "garbled.gz", record, packed=True)
    data = bytearray(path.read_bytes())
    data[200:260] = b"\xff" * 60
    path.write_bytes(bytes(data))
    with pytest.raises(InvalidRecording):
        list(read_games(path))


@pytest.mark.parametrize(
    ("fields", "edition"),
    [
        ({"version": "1.2"}, "locm-1.2"),
        ({"version": "1.5"}, "locm-1.5"),
        ({"version": "1.5", "build": None}, "locm-1.5"),
        ({"version": "1.5", "build": "2022"}, "locm-1.5-2022"),
        ({"version": "1.0"}, "locm-1.0"),
        ({"version": "1.0", "build": "contest", "level": 4}, "locm-1.0"),
        ({"version": "1.0", "build": "contest", "level": 9}, "locm-1.0"),
        ({"version": "1.0", "build": "contest", "level": 1}, "locm-1.0-wood3"),
        ({"version": "1.0", "build": "contest", "level": 3}, "locm-1.0-wood1"),
        ({"version": "1.0", "build": "multi"}, "locm-1.0-multi"),
        ({"version": "1.0", "build": "multi", "level": 2}, "locm-1.0-multi-wood2"),
    ],
)
def test_recordings_name_their_edition(tmp_path: Path, fields: dict[str, Any], edition: str):
    [game] = read_games(write(tmp_path / "g", {"params": {}, "turns": [], **fields}))
    assert game.edition is EDITIONS[edition]


# Replaying


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_our_own_recordings_replay(tmp_path: Path, edition: str):
    assert difference(tmp_path, recorded(edition, seed=3)) is None


@pytest.mark.parametrize("last", [None, "SUMMON", "hello"])
def test_recordings_of_faults_replay(tmp_path: Path, last: str | None):
    record = recorded(last=last)
    assert record["error"]["kind"] == {None: "timeout", "SUMMON": "bad-arguments", "hello": "unknown-command"}[last]
    assert difference(tmp_path, record) is None


def test_what_is_absent_is_not_compared(tmp_path: Path, record: dict[str, Any]):
    short = {"version": "1.2", "params": record["params"]}
    short["turns"] = [{name: turn[name] for name in ("p", "phase", "in", "out")} for turn in record["turns"]]
    assert difference(tmp_path, short) is None


def test_what_nobody_knows_is_not_compared(tmp_path: Path, record: dict[str, Any]):
    assert difference(tmp_path, {**record, "allocMs": 12, "weather": "fine"}) is None


def corrupt(record: dict[str, Any], path: list[Any], value: Any) -> dict[str, Any]:
    twin: Any = copy.deepcopy(record)
    place = twin
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return twin


@pytest.mark.parametrize(
    ("path", "value", "where", "expected"),
    [
        (["seeds", "draftChoicesSeed"], "77", "seed draftChoicesSeed", "77"),
        (["turns", 0, "in", 0], "29 0 0 25 0", "call 0 (draft, player 0), line 1", "'29 0 0 25 0'"),
        (["turns", 61, "in", 3], "99", "call 61 (battle, player 1), line 4", "'99'"),
        (["turns", 3, "p"], 0, "call 3 (draft, player 0)", "this call"),
        (["turns", 60, "phase"], "draft", "call 60 (draft, player 0)", "this call"),
        (["turns", 62, "done"], ["ATTACK 1 2"], "call 62 (battle, player 0), executed actions", "['ATTACK 1 2']"),
        (["turns", 62, "ignored"], 9, "call 62 (battle, player 0), ignored actions", "9"),
        (["scores"], [1, 1], "scores", "[1, 1]"),
        (["winner"], 7, "winner", "7"),
        (["error"], {"player": 0, "kind": "timeout"}, "error", "{'player': 0, 'kind': 'timeout'}"),
        (["finalHealth"], [1, 2], "final health", "[1, 2]"),
    ],
)
def test_the_first_difference_is_named(
    tmp_path: Path, record: dict[str, Any], path: list[Any], value: Any, where: str, expected: str
):
    found = difference(tmp_path, corrupt(record, path, value))
    assert found is not None
    assert found.where == where
    assert found.expected == expected
    assert found.got != found.expected
    assert str(found) == f"{where}: expected {expected}, got {found.got}"


def test_a_line_too_many_and_a_line_too_few(tmp_path: Path, record: dict[str, Any]):
    lines = record["turns"][0]["in"]
    found = difference(tmp_path, corrupt(record, ["turns", 0, "in"], [*lines, "more"]))
    assert str(found) == "call 0 (draft, player 0), line 8: expected 'more', got no line"
    found = difference(tmp_path, corrupt(record, ["turns", 0, "in"], lines[:-1]))
    assert str(found) == f"call 0 (draft, player 0), line 7: expected no line, got {lines[-1]!r}"


def test_a_trailing_space_is_a_difference(tmp_path: Path, record: dict[str, Any]):
    line = record["turns"][0]["in"][4]
    found = difference(tmp_path, corrupt(record, ["turns", 0, "in", 4], line.rstrip()))
    assert found is not None
    assert found.got == repr(line)


def test_an_answer_that_leads_elsewhere(tmp_path: Path, record: dict[str, Any]):
    found = difference(tmp_path, corrupt(record, ["turns", 0, "out"], "PICK 2"))
    assert found is not None
    assert "(battle, player 0), line " in found.where  # where the card that was not picked is missed


def test_a_recording_that_stops_early(tmp_path: Path, record: dict[str, Any]):
    found = difference(tmp_path, corrupt(record, ["turns"], record["turns"][:65]))
    assert str(found) == "call 65: expected the end of the game, got a battle call"


def test_a_recording_that_goes_on(tmp_path: Path, faulty: dict[str, Any]):
    turn = faulty["turns"][-1]
    found = difference(tmp_path, corrupt(faulty, ["turns"], [*faulty["turns"], turn]))
    where = f"call {len(faulty['turns'])} ({turn['phase']}, player {turn['p']})"
    assert str(found) == f"{where}: expected a call, got the end of the game"


def test_another_kind_of_fault(tmp_path: Path, faulty: dict[str, Any]):
    found = difference(tmp_path, corrupt(faulty, ["error", "kind"], "timeout"))
    assert found is not None
    assert found.where == "error"
    assert "'kind': 'bad-arguments'" in found.got
    found = difference(tmp_path, corrupt(faulty, ["error"], None))
    assert found is not None
    assert found.expected == "None"


def test_time_limits_are_not_compared(tmp_path: Path, record: dict[str, Any]):
    assert difference(tmp_path, corrupt(record, ["turns", 2, "ms"], 5)) is None
