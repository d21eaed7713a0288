"""Replays: written, read, played again, tampered with."""

from __future__ import annotations

import contextlib
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cardrome.games.locm.protocol.replay_text import log_lines
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrome.errors import CallerError, InvalidRecording
from cardrome.escaping import printable
from cardrome.games.locm.protocol.dialogue import Dialogue
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.protocol.golden import RecordedFault, read_games
from cardrome.games.locm.protocol.replay import (
    Answer,
    ProcessEnd,
    Replay,
    ReplayFault,
    Transcript,
    decode_replay,
    encode_replay,
    from_golden,
    input_at,
    inputs,
    moments,
    read_replays,
    verify,
    write_replay,
    write_replays,
)
from cardrome.games.locm.protocol.replay_format import ANSWER_LIMIT, TEXT_LIMIT
from cardrome.games.locm.rules.deal import Deal
from cardrome.games.locm.rules.edition import find_edition
from cardrome.games.replay_files import NAME_LIMIT
from tests.games.locm.protocol.play import FIXED_LIST, editions
from tests.paths import DOCS, GOLDEN

HOSTILE = "</script>\x1b[2J\u202e\"';&\ud800"


def play(edition: str = "locm-1.2", seed: int = 1, faults: float = 0.0, **overrides: str) -> Replay:
    """A game of random lines; with some chance an answer is missing, wrong, or too long."""
    choices = random.Random(seed)
    transcript = Transcript(find_edition(edition), Deal(seed, overrides), ("Ann", "Bob"))
    while transcript.call is not None:
        ms = choices.choice([None, choices.randrange(1000)])
        if choices.random() < faults:
            wrong = choices.choice([None, "", "JUMP 1", "SUMMON", "PICK 7", HOSTILE, "x" * (ANSWER_LIMIT + 1)])
            if wrong is None:
                transcript.no_answer(choices.choice(["timeout", "crash"]), "gone", ms)
            else:
                transcript.answer(wrong, ms)
        else:
            transcript.answer(_line(transcript.dialogue.game, transcript.call.phase, choices), ms)
    return transcript.replay()


def _line(game: LocmGame, phase: str, choices: random.Random) -> str:
    if phase == "draft":
        return f"PICK {choices.randrange(3)}"
    if phase == "constructed":
        return "PASS"
    table, actions = game.copy(), []
    while table.to_move == game.current and table.turn == game.turn:
        codes = table.legal_codes()
        code = choices.choice(codes[1:] or codes)
        actions.append(f"{table.action_text(code)} on we go")
        table.play(code)
    return "; ".join([*actions, "ATTACK 99 99"])


def plain(replay: Replay) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(encode_replay(replay))
    return data


def changed(replay: Replay, **fields: Any) -> Replay:
    return msgspec.structs.replace(replay, **fields)


seeds = st.integers(-(1 << 63), (1 << 63) - 1)


@st.composite
def replays(draw: st.DrawFn) -> Replay:
    edition = draw(editions)
    listed = "1.5" in edition and draw(st.booleans())
    return play(edition, draw(seeds), draw(st.sampled_from([0.0, 0.02, 0.2])), **(FIXED_LIST if listed else {}))


# Playing again


@given(replays())
@settings(max_examples=60)
def test_any_game_is_read_back_as_it_was_and_verifies(replay: Replay) -> None:
    again = decode_replay(encode_replay(replay))
    assert again == replay
    assert verify(again) is None


@given(replays())
@settings(max_examples=20)
def test_inputs_are_what_the_dialogue_sent(replay: Replay) -> None:
    dialogue = Dialogue(LocmGame(replay.rule_set, replay.dealt))
    sent: tuple[list[bytes], list[bytes]] = ([], [])
    for moment in moments(replay):
        assert dialogue.call is not None
        assert moment.call == dialogue.call
        assert moment.own_number == len(sent[moment.call.player])
        sent[moment.call.player].append(dialogue.call.text.encode())
        dialogue.answer(moment.recorded.answer)
        assert moment.after == dialogue.game
    assert dialogue.over
    for player in (0, 1):
        assert list(inputs(replay, player)) == sent[player]
        for call in (0, len(sent[player]) - 1):
            assert input_at(replay, player, call) == sent[player][call]


@pytest.mark.parametrize(("player", "call"), [(0, -1), (1, 10_000), (2, 0)])
def test_there_is_no_input_at_a_call_that_was_not_made(player: int, call: int) -> None:
    with pytest.raises(CallerError):
        input_at(play(), player, call)


@given(seeds)
@settings(max_examples=20)
def test_a_game_is_small(seed: int) -> None:
    replay = play(seed=seed)
    bare = [Answer(call.answer and call.answer.replace(" on we go", ""), call.ms) for call in replay.calls]
    assert len(encode_replay(changed(replay, calls=tuple(bare)))) < 10_000


@given(replays())
@settings(max_examples=30)
def test_any_replay_can_be_told_in_words(replay: Replay) -> None:
    lines = list(log_lines(replay, boards=True))
    assert all(line.isprintable() for line in lines)
    assert f"player {replay.winner} wins" in lines[3]
    turns = [moment.before.turn for moment in moments(replay) if moment.call.phase == "battle"]
    assert [int(line.split()[1]) for line in lines if line.startswith("turn ")] == turns


# Tampering


def tampered() -> Iterator[tuple[str, Replay]]:
    sound = play(seed=4)
    wrong = play(seed=4, faults=0.02)
    assert sound.final_health is not None
    assert wrong.fault is not None
    calls = sound.calls
    yield "calls", changed(sound, calls=calls[:-1])
    yield "calls", changed(sound, calls=(*calls, Answer("PASS")))
    yield "calls", changed(sound, calls=())
    yield "calls", changed(sound, calls=(*calls[:3], Answer(None), *calls[4:]))
    yield "scores", changed(sound, scores=(sound.scores[1], sound.scores[0]))
    yield "winner", changed(sound, winner=1 - sound.winner)
    yield "ending", changed(sound, ending="draw")
    yield "final health", changed(sound, final_health=(sound.final_health[0], sound.final_health[1] + 1))
    yield "final health", changed(sound, final_health=None)
    yield "fault", changed(sound, fault=ReplayFault(0, "timeout"))
    yield "fault", changed(wrong, fault=None)
    yield "fault", changed(wrong, fault=ReplayFault(1 if wrong.fault.player == 0 else 0, wrong.fault.kind))
    yield "fault", changed(wrong, fault=ReplayFault(wrong.fault.player, "draft-dodging"))
    late = (*calls[:5], Answer(None))
    fault = ReplayFault(1, "unknown-command")
    yield "fault", changed(sound, calls=late, fault=fault, scores=(0, -1), winner=0, ending="fault", final_health=None)
    yield "", changed(sound, deal={"seed": "5"})
    yield "", changed(sound, edition="locm-1.0")


@pytest.mark.parametrize(("where", "replay"), list(tampered()))
def test_tampering_is_noticed(where: str, replay: Replay) -> None:
    difference = verify(decode_replay(encode_replay(replay)))
    assert difference is not None
    assert difference.where.startswith(where)


def test_why_an_answer_is_missing_cannot_be_verified_and_is_believed() -> None:
    transcript = Transcript(find_edition("locm-1.5"), Deal(1), ("Ann", "Bob"))
    transcript.answer("PASS", 3)
    transcript.no_answer("crash", "exit code 1")
    replay = transcript.replay((None, ProcessEnd(exit_code=1, stderr="x" * 5000 + "the end")))
    assert replay.fault == ReplayFault(1, "crash", "exit code 1")
    assert replay.final_health is None
    assert verify(replay) is None
    assert replay.processes is not None
    assert replay.processes[1] is not None
    assert len(replay.processes[1].stderr) == TEXT_LIMIT
    assert replay.processes[1].stderr.endswith("the end")


# Transcripts


def test_an_answer_too_long_to_keep_is_none() -> None:
    transcript = Transcript(find_edition("locm-1.5"), Deal(1), ("Ann", "Bob"))
    transcript.answer("PASS" + " " * ANSWER_LIMIT)
    transcript.answer("PASS")
    replay = transcript.replay()
    assert replay.fault is not None
    assert (replay.fault.player, replay.fault.kind) == (0, "too-much-output")
    assert verify(decode_replay(encode_replay(replay))) is None


def test_what_makes_no_sense_is_refused_before_it_is_written_down() -> None:
    transcript = Transcript(find_edition("locm-1.5"), Deal(1), ("Ann", "Bob"))
    with pytest.raises(ValueError, match="single line"):
        transcript.answer("PASS\nPASS")
    with pytest.raises(ValueError, match="line that was given"):
        transcript.no_answer("bad-arguments")
    with pytest.raises(CallerError, match="not over"):
        transcript.replay()


def test_hostile_names_are_kept_whole_but_bounded() -> None:
    transcript = Transcript(find_edition("locm-1.5"), Deal(1), (HOSTILE, "x" * 10_000))
    transcript.answer(HOSTILE)
    transcript.answer("PASS")
    replay = decode_replay(encode_replay(transcript.replay()))
    assert replay.players == (HOSTILE.replace("\ud800", "?"), "x" * NAME_LIMIT)
    assert verify(replay) is None
    assert all(line.isprintable() for line in log_lines(replay))
    assert printable("\x1b[2J\n") == "\\x1b[2J\\n"


# Golden games


def test_golden_games_become_replays() -> None:
    for path in sorted(GOLDEN.glob("*.gz")):
        for number, record in enumerate(read_games(path)):
            if number % 9:
                continue
            replay = decode_replay(encode_replay(from_golden(record)))
            assert verify(replay) is None
            for player in (0, 1):
                recorded = ["\n".join(turn.lines) + "\n" for turn in record.turns if turn.p == player]
                assert b"".join(inputs(replay, player)).decode() == "".join(recorded)


def test_a_wrong_golden_game_stays_wrong() -> None:
    record = next(read_games(GOLDEN / "1.2-golden.jsonl.gz"))
    for field, value in (
        ("scores", [7, 7]),
        ("final_health", [99, 99]),
        ("error", RecordedFault(0, "timeout")),
        ("turns", [*record.turns, record.turns[-1]]),
    ):
        assert verify(from_golden(msgspec.structs.replace(record, **{field: value}))) is not None
    with pytest.raises(CallerError, match="breaks off"):
        from_golden(msgspec.structs.replace(record, turns=record.turns[:-1]))


# Files


@pytest.mark.parametrize("name", ["one.json", "one.json.gz", "one.jsonl", "one.jsonl.gz"])
def test_files_of_one(tmp_path: Path, name: str) -> None:
    path, replay = tmp_path / name, play()
    write_replay(path, replay)
    assert list(read_replays(path)) == [replay]
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == name.endswith(".gz")
    first = path.read_bytes()
    write_replay(path, replay)
    assert path.read_bytes() == first
    assert [each.name for each in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["many.jsonl", "many.jsonl.gz"])
def test_files_of_many(tmp_path: Path, name: str) -> None:
    games = [play(seed=seed) for seed in range(3)]
    assert write_replays(tmp_path / name, iter(games)) == 3
    assert list(read_replays(tmp_path / name)) == games


def test_a_json_file_may_be_laid_out_by_hand(tmp_path: Path) -> None:
    path, replay = tmp_path / "one.json", play()
    path.write_text(json.dumps(plain(replay), indent=2))
    assert list(read_replays(path)) == [replay]


def test_a_json_file_holds_one(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    with pytest.raises(CallerError, match="jsonl"):
        write_replays(path, [play(), play()])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("stop", [KeyboardInterrupt, RuntimeError])
@pytest.mark.parametrize("name", ["many.jsonl", "many.jsonl.gz"])
def test_an_interrupted_writer_leaves_everything_as_it_was(
    tmp_path: Path, stop: type[BaseException], name: str
) -> None:
    path, replay = tmp_path / name, play()

    def interrupted() -> Iterator[Replay]:
        yield replay
        raise stop

    with pytest.raises(stop):
        write_replays(path, interrupted())
    assert list(tmp_path.iterdir()) == []
    write_replay(path, replay)
    with pytest.raises(stop):
        write_replays(path, interrupted())
    assert list(read_replays(path)) == [replay]
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_goes_on_pointing(tmp_path: Path) -> None:
    (tmp_path / "latest.json").symlink_to("real.json")
    write_replay(tmp_path / "latest.json", play())
    assert (tmp_path / "latest.json").is_symlink()
    assert list(read_replays(tmp_path / "real.json")) == [play()]


def test_a_replay_that_could_not_be_read_is_not_written(tmp_path: Path) -> None:
    for wrong in (
        changed(play(), calls=(Answer("x" * (ANSWER_LIMIT + 1)),)),
        changed(play(), calls=(Answer("a\nb"),)),
        changed(play(), players=("\ud800", "Bob")),
    ):
        with pytest.raises(InvalidRecording):
            write_replay(tmp_path / "wrong.json", wrong)
    assert list(tmp_path.iterdir()) == []


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(CallerError, match="No such file"):
        write_replay(tmp_path / "missing" / "one.json", play())
    with pytest.raises(CallerError, match="Is a directory"):
        write_replay(tmp_path, play())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "cardrome-position"}, "format is 'cardrome-position'"),
        ({"version": 2}, "version 2 of the replay format; this program reads 1"),
        ({"edition": "locm-1.3"}, "unknown edition 'locm-1.3'"),
        ({"deal": {}}, "the seed is missing"),
        ({"deal": {"seed": "soon"}}, "seed is 'soon'"),
        ({"deal": {"seed": "1", "shufflePlayer0Seed": "x"}}, "shufflePlayer0Seed is 'x'"),
        ({"deal": {"seed": "1", "cardGenSeed": "1"}}, "cardGenSeed"),
        ({"deal": {"seed": "1", "predefinedDraftIds": "1 2 3"}}, "predefinedDraftIds"),
        ({"winner": 2}, "winner"),
        ({"ending": "boredom"}, "ending"),
        ({"players": ["Ann"]}, "players"),
        ({"players": ["Ann", "x" * 501]}, "players[1]"),
        ({"calls": [{"answer": "PICK 1"}, {"answer": 3}]}, "calls[1].answer"),
        ({"calls": [{"answer": "x" * 10_001}]}, "calls[0].answer"),
        ({"calls": [{"answer": "PASS\nPASS"}]}, "calls[0].answer"),
        ({"calls": [{"answer": "PASS\n"}]}, "calls[0].answer"),
        ({"calls": [{"answer": "PASS", "ms": -1}]}, "calls[0].ms"),
        ({"calls": [{}]}, "calls[0]"),
        ({"fault": {"player": 0}}, "kind"),
        ({"scores": [1]}, "scores"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_wrong_fields_are_named_with_file_and_line(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    good = encode_replay(play())
    path = tmp_path / "some.jsonl"
    path.write_bytes(good + b"\n" + json.dumps({**plain(play()), **change}).encode())
    found = read_replays(path)
    assert next(found) == play()
    with pytest.raises(InvalidRecording) as caught:
        next(found)
    assert str(caught.value).startswith(f"{path}, line 3: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.jsonl", b"\n{not json}\n", "a.jsonl, line 2: "),
        ("a.jsonl", b"[]", "line 1: Expected `object`"),
        ("a.jsonl", b'{"x":' + b"[" * 100_000, "line 1: "),
        ("a.jsonl", b"\xff\xfe", "line 1: "),
        ("a.json", b"", "the file is empty"),
        ("a.json", b'{\n "format": "cardrome-replay",\n oops}', "a.json, line 3: "),
        ("a.json", b'{"format": "cardrome-replay"}', "missing required field `version`"),
        ("a.jsonl.gz", gzip.compress(b'{"a": 1}' * 1000, mtime=0)[:30], "damaged gzip data"),
        ("a.jsonl.gz", gzip.compress(b"{}\n", mtime=0)[:8] + b"\xff" * 30, "a.jsonl.gz"),
    ],
)
def test_malformed_files_are_explained(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InvalidRecording) as caught:
        list(read_replays(path))
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_files_that_are_none(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.json"):
        with pytest.raises(InvalidRecording, match=str(path)):
            list(read_replays(path))
    (tmp_path / "empty.jsonl").touch()
    assert list(read_replays(tmp_path / "empty.jsonl")) == []


@given(data=st.binary(max_size=200), place=st.integers(0, 5000))
def test_damaged_replays_are_read_or_refused(data: bytes, place: int) -> None:
    line = encode_replay(play())
    with contextlib.suppress(InvalidRecording):
        verify(decode_replay(line[:place] + data + line[place + len(data) :]))


# The documentation


def test_every_field_is_documented_and_the_example_holds() -> None:
    page = (DOCS / "replays.md").read_text(encoding="utf-8")
    for struct in (Replay, Answer, ReplayFault, ProcessEnd):
        assert [name for name in struct.__struct_fields__ if f"| `{name}` |" not in page] == []
    example = page.split("```json\n")[1].split("```")[0]
    assert verify(decode_replay(example.encode())) is None
