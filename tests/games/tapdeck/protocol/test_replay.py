"""Tapdeck replays: written, read, played again, tampered with."""

from __future__ import annotations

import contextlib
import gzip
import itertools
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cardrome.games.tapdeck.protocol.replay_text import log_lines
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrome.errors import CallerError, InvalidRecording
from cardrome.games.locm.protocol import replay as locm
from cardrome.games.locm.rules.deal import Deal
from cardrome.games.locm.rules.edition import find_edition
from cardrome.games.replays import decode_any, read_any, verify_any
from cardrome.games.tapdeck.protocol import matchlog
from cardrome.games.tapdeck.protocol.board import draw as drawn
from cardrome.games.tapdeck.protocol.commands import SYNTAX, Command
from cardrome.games.tapdeck.protocol.errors import ERROR_LINES
from cardrome.games.tapdeck.protocol.game import TapdeckGame
from cardrome.games.tapdeck.protocol.replay import (
    Recorder,
    ReplayEvent,
    ReplayRules,
    TapdeckReplay,
    conversation,
    decode_replay,
    encode_replay,
    moments,
    read_replays,
    record_match,
    verify,
    write_replay,
    write_replays,
)
from cardrome.games.tapdeck.rules.actions import END_TURN, action_kind
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from tests.games.tapdeck.protocol.scripted import play, script
from tests.paths import DOCS

SMALL = TapdeckEdition(initial_health=6, turns=8, draws=3, deck_size=14)
HOSTILE = "</script>\x1b[2J\u202e\"';&\ud800"
EVENT = ReplayEvent("Finals", 3, 1207, datetime(2026, 11, 15, 20, 1, 2, tzinfo=UTC))
CREATURE = "1 C 4 3 3 0 1\n2 C 1 1 1 0 0\n3 C 1 1 1 0 0\n"


def changed(replay: TapdeckReplay, **fields: Any) -> TapdeckReplay:
    return msgspec.structs.replace(replay, **fields)


def plain(replay: TapdeckReplay) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(encode_replay(replay))
    return data


@st.composite
def streams(draw: st.DrawFn) -> TapdeckReplay:
    """A match of random commands: from either player, of cards there and not there, and legal ones between them."""
    recorder = Recorder(SMALL, draw(st.integers(0, 50)), ("Ann", "Bob"))
    ids = st.sampled_from([int(card.id) for card in recorder.match.deck["cards"][0][:14]])
    numbers = ids | ids | st.sampled_from([-1, -5, -6, 0, 1001, 10**30, -(10**30)])
    words = st.sampled_from([syntax for syntax in SYNTAX.values() if syntax.arguments])
    for _ in range(SMALL.turns):
        for _ in range(draw(st.integers(0, 8))):
            codes = recorder.match.legal_codes()
            codes = [code for code in codes if action_kind(code) != END_TURN]
            if draw(st.integers(0, 3)) and codes:
                recorder.act(draw(st.sampled_from(codes)))
            else:
                syntax = draw(words)
                values: list[int] = [draw(numbers) for _ in range(syntax.arguments - 1)]
                recorder.execute(draw(st.integers(0, 1)), Command(syntax.kind, 77, *values))
        recorder.end_turn()
    return recorder.replay()


# Playing again


@given(streams())
@settings(max_examples=150)
def test_any_stream_of_commands_is_read_back_as_it_was_and_verifies(replay: TapdeckReplay) -> None:
    again = decode_replay(encode_replay(replay))
    assert again == replay
    assert verify(again) is None


@given(streams())
@settings(max_examples=60)
def test_moments_go_through_the_match(replay: TapdeckReplay) -> None:
    found = list(moments(replay))
    commands = [moment for moment in found if moment.command is not None]
    entries = list(replay.entries())
    assert [(each.turn, each.player, each.code, each.command) for each in commands] == entries
    assert [moment.number for moment in commands] == list(range(len(entries)))
    assert [each.turn for each in found if each.command is None] == list(range(replay.turns_played))[
        : len(found) - len(entries)
    ]
    assert not found[0].before.over
    assert found[-1].after.over
    assert found[-1].after.health == replay.final_health
    for one, other in itertools.pairwise(found):
        assert other.before is one.after


@given(streams())
@settings(max_examples=40)
def test_any_replay_can_be_told_in_words(replay: TapdeckReplay) -> None:
    for options in ({}, {"boards": True}, {"each": True}):
        lines = list(log_lines(replay, **options))
        assert all(line.isprintable() for line in lines)
        assert all(len(line) <= 140 for line in lines)
        turns = [int(line.split()[1]) for line in lines if line.startswith("turn ")]
        assert turns == list(range(replay.turns_played))
    refused = sum(entry.code != 0 for entry in replay.entries())
    assert "\n".join(log_lines(replay)).count("refused: ") == refused


@given(streams(), st.integers(0, 1))
@settings(max_examples=40)
def test_conversations_are_what_went_over_the_wire(replay: TapdeckReplay, player: int) -> None:
    spoken = list(conversation(changed(replay, event=EVENT), player))
    entries = [entry for entry in replay.entries() if entry.player == player]
    assert len(spoken) == len(entries)
    for text, entry in zip(spoken, entries, strict=True):
        said, *heard = text.splitlines()
        assert said.startswith(f"> {entry.command.text().split()[0]} 1207")
        assert heard[0] == ("< OK" if entry.code == 0 else f"< {ERROR_LINES[entry.code].decode().strip()}")


def test_there_is_no_third_player() -> None:
    with pytest.raises(CallerError, match="player 2"):
        list(conversation(play(), 2))


@pytest.mark.parametrize("seed", range(8))
def test_scripted_matches_verify(seed: int) -> None:
    assert verify(play(seed)) is None


def test_the_command_that_is_refused_because_it_killed_its_player_is_part_of_the_match() -> None:
    recorder = Recorder(TapdeckEdition(initial_health=4), CREATURE)
    for line in ("DRAW_CARD", "PLAY_CARD 1 -1"):
        recorder.command(0, line)
    recorder.end_turn()
    recorder.end_turn()
    recorder.command(0, "ATTACK 1")
    recorder.end_turn()
    assert recorder.command(1, "DRAW_CARD").startswith("ERR 932")
    assert recorder.match.outcome is not None
    assert recorder.command(1, "DRAW_CARD").startswith("ERR 932")
    assert recorder.command(0, "GET_HP").startswith("ERR 932")
    recorder.end_turn()
    replay = recorder.replay()
    assert replay.commands[-1] == "3 1 932 DRAW_CARD"
    assert (replay.ending, replay.final_health, replay.turns_played) == ("health", (4, 0), 4)
    assert len(replay.commands) == 4
    assert verify(replay) is None
    # Without it the turn's end kills just as well: only the number of commands would be different.
    assert verify(changed(replay, commands=replay.commands[:-1])) is None


def test_a_flood_changes_nothing_that_could_not_be_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matchlog, "REFUSED_LIMIT", 3)
    recorder = Recorder(TapdeckEdition(turns=10), CREATURE)
    for line in ("DRAW_CARD", "PLAY_CARD 1 -1"):
        recorder.command(0, line)
    recorder.end_turn()
    for turn in range(1, 10):
        player = turn % 2
        for _ in range(20):
            recorder.command(player, "BLOCK 900 900")
            recorder.command(1 - player, "DRAW_CARD")
        recorder.command(player, "ATTACK 999")  # refused, and ends the blocking phase: creatures wake, attackers hurt
        recorder.command(player, "ATTACK 1")
        recorder.command(player, "BLOCK 1 2")
        recorder.end_turn()
    replay = recorder.replay()
    assert replay.omitted[0] > 100
    assert replay.omitted[1] > 100
    assert len(replay.commands) < 40
    assert replay.final_health[1] < 10
    assert verify(replay) is None


# Recording


def test_questions_that_were_answered_are_not_kept() -> None:
    recorder = Recorder(SMALL)
    assert recorder.command(0, "GET_DECK").startswith("OK\n14\n")
    assert recorder.command(1, "get_deck").startswith("ERR 913")
    assert recorder.command(0, "JUMP").startswith("ERR 2 ")
    assert recorder.command(0, "ATTACK").startswith("ERR 3 ")
    assert recorder.log.lines() == ["0 1 913 GET_DECK"]
    with pytest.raises(CallerError, match="got nothing"):
        recorder.command(0, "  ")
    with pytest.raises(CallerError, match="not over"):
        recorder.replay()


def test_a_recorder_is_the_match_it_wraps() -> None:
    recorder, match = Recorder(SMALL, 5), TapdeckGame(SMALL, 5)
    assert recorder.command(0, "DRAW_CARD") == match.command(0, "DRAW_CARD")
    for _ in range(SMALL.turns + 3):
        recorder.end_turn()
        match.end_turn()
    replay = recorder.replay(EVENT)
    assert (replay.ending, replay.turns_played, replay.scores) == ("turns", 8, (9, 9))
    assert replay.winner is None
    assert replay.event == EVENT
    assert recorder.match.outcome == match.outcome


def test_movers_are_asked_for_one_command_after_the_other() -> None:
    seen: list[int] = []

    def curious(match: TapdeckGame) -> Iterator[str]:
        yield "DRAW_CARD"
        seen.append(len(match.hand(0)))

    replay = record_match(SMALL, 1, ("Ann", "Bob"), (curious, lambda match: []))
    assert seen == [1, 2, 3, 4]
    assert verify(replay) is None


def test_hostile_names_are_kept_whole_but_bounded() -> None:
    replay = record_match(SMALL, 1, (HOSTILE, "x" * 10_000), (script(1), script(2)))
    replay = decode_replay(encode_replay(replay))
    assert replay.players == (HOSTILE.replace("\ud800", "?"), "x" * 500)
    replay = changed(replay, event=ReplayEvent("\x1b[2J\u202e", 1, 2))
    assert all(line.isprintable() for line in log_lines(replay, boards=True))


def test_pictures_fit_a_terminal() -> None:
    for moment in moments(play(3, edition=TapdeckEdition(initial_health=40))):
        assert all(len(line) <= 100 for line in drawn(moment.after).split("\n"))


# Tampering


def tampered() -> Iterator[tuple[str, TapdeckReplay]]:
    sound = play(4)
    lines = sound.commands
    accepted = next(n for n, line in enumerate(lines) if " 0 DRAW_CARD" in line and line.split()[2] == "0")
    refused = next(n for n, line in enumerate(lines) if line.split()[2] not in ("0", "932"))

    def swapped(place: int, line: str) -> TapdeckReplay:
        return changed(sound, commands=(*lines[:place], line, *lines[place + 1 :]))

    turn, player, code, *command = lines[accepted].split()
    yield f"command {accepted}", swapped(accepted, f"{turn} {player} 907 {' '.join(command)}")
    yield f"command {accepted}", swapped(accepted, f"{turn} {1 - int(player)} {code} {' '.join(command)}")
    yield "command", swapped(accepted, f"{turn} {player} {code} BURN_CARD")
    turn, player, code, *command = lines[refused].split()
    yield f"command {refused}", swapped(refused, f"{turn} {player} 0 {' '.join(command)}")
    yield f"command {refused}", swapped(refused, f"{turn} {player} 903 {' '.join(command)}")
    yield "command", changed(sound, commands=lines[1:])
    yield "", changed(sound, commands=())
    yield "command", changed(sound, commands=tuple(reversed(lines)))
    late = f"command {len(lines)}"
    yield late, changed(sound, commands=(*lines, lines[0]))
    yield late, changed(sound, commands=(*lines, f"{sound.turns_played} 0 932 GET_HP"))
    yield late, changed(sound, commands=(*lines, f"{sound.turns_played - 1} 0 932 GET_HP"))
    yield late, changed(sound, commands=(*lines, "99999 0 0 DRAW_CARD"))
    first, second = sound.final_health
    yield "ending", changed(sound, ending="turns")
    yield "final health", changed(sound, final_health=(second, first))
    yield "scores", changed(sound, scores=(sound.scores[0] + 1, sound.scores[1]))
    yield "turns played", changed(sound, turns_played=sound.turns_played + 1)
    yield "", changed(sound, deck=tuple(reversed(sound.deck)))
    yield "", changed(sound, deck=sound.deck[:5])
    for name, value in (("initial_health", 30), ("turns", 4), ("draws", 0), ("hand_limit", 1)):
        yield "", changed(sound, rules=msgspec.structs.replace(sound.rules, **{name: value}))


@pytest.mark.parametrize(("where", "replay"), list(tampered()))
def test_tampering_is_noticed(where: str, replay: TapdeckReplay) -> None:
    read = decode_replay(encode_replay(replay))
    difference = verify(read)
    assert difference is not None
    assert difference.where.startswith(where)
    assert difference == verify_any(read)
    list(log_lines(read, boards=True))  # it can still be looked at


def test_time_does_not_go_back() -> None:
    sound = play(4)
    place = [entry.turn for entry in sound.entries()].index(5)
    wrong = (*sound.commands[: place + 1], "4 1 913 GET_HP", *sound.commands[place + 1 :])
    difference = verify(changed(sound, commands=wrong))
    assert difference is not None
    assert "time does not go back" in difference.got


@given(st.data())
@settings(max_examples=60)
def test_no_accepted_command_can_be_left_out_unnoticed(data: st.DataObject) -> None:
    """Unless it made no difference to anything that is compared: then the match is the same with or without it."""
    sound = play(data.draw(st.integers(0, 5)), mistakes=0.0)
    place = data.draw(st.integers(0, len(sound.commands) - 1))
    short = changed(sound, commands=sound.commands[:place] + sound.commands[place + 1 :])
    if verify(short) is None:
        assert list(moments(short))[-1].after.health == sound.final_health


# Files


@pytest.mark.parametrize("name", ["one.json", "one.json.gz", "one.jsonl", "one.jsonl.gz"])
def test_files_of_one(tmp_path: Path, name: str) -> None:
    path, replay = tmp_path / name, changed(play(), event=EVENT, omitted=(0, 7))
    write_replay(path, replay)
    assert list(read_replays(path)) == [replay]
    assert list(read_any(path)) == [replay]
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == name.endswith(".gz")


def test_a_file_may_hold_games_of_several_families(tmp_path: Path) -> None:
    transcript = locm.Transcript(find_edition("locm-1.5"), Deal(1), ("Ann", "Bob"))
    transcript.answer("PASS")
    transcript.answer("JUMP")
    other = transcript.replay()
    path = tmp_path / "mixed.jsonl"
    path.write_bytes(encode_replay(play()) + locm.encode_replay(other))
    assert list(read_any(path)) == [play(), other]
    assert [verify_any(replay) for replay in read_any(path)] == [None, None]
    with pytest.raises(InvalidRecording, match="line 1: unknown edition 'tapdeck'"):
        next(locm.read_replays(path))
    with pytest.raises(InvalidRecording, match="line 2: "):
        list(read_replays(path))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "cardrome-position"}, "format is 'cardrome-position'"),
        ({"version": 2}, "version 2 of the replay format; this program reads 1"),
        ({"edition": "tapdick"}, "unknown edition 'tapdick'"),
        ({"edition": 5}, "edition"),
        ({"rules": {}}, "initial_health"),
        ({"rules": {"initial_health": 7, "turns": 60, "draws": 2, "burns": 2, "hand_limit": 10}}, "must be even"),
        (
            {"rules": {"initial_health": 8, "turns": 10**9, "draws": 2, "burns": 2, "hand_limit": 10}},
            "turns is 1000000000",
        ),
        ({"rules": {"initial_health": 8, "turns": 60, "draws": 2, "burns": 2, "hand_limit": 10, "luck": 1}}, "luck"),
        ({"deck": []}, "deck"),
        ({"deck": ["1 C 1 1 1 0 0"] * 1001}, "deck"),
        ({"deck": ["1 C 1 1 1 0 0", "1 C 1 1 1 0 0"]}, "two cards have the id 1"),
        ({"deck": ["1 C 1 1 1 0 0", "2 X 1 1 1 0 0"]}, "deck[1]: card '2 X 1 1 1 0 0'"),
        ({"deck": ["1 C 1 1"]}, "4 fields"),
        ({"deck": ["x" * 65]}, "deck[0]"),
        ({"deck": [5]}, "deck[0]"),
        ({"players": ["Ann"]}, "players"),
        ({"players": ["Ann", "x" * 501]}, "players[1]"),
        ({"commands": "DRAW_CARD"}, "commands"),
        ({"commands": [7]}, "commands[0]"),
        ({"commands": ["0 0 0 DRAW_CARD", "DRAW_CARD"]}, "commands[1] is 'DRAW_CARD'; expected TURN"),
        ({"commands": ["0 0 0 draw_card"]}, "expected TURN"),
        ({"commands": ["0 0 0 WAIT"]}, "expected TURN"),
        ({"commands": ["0 0 0 JUMP"]}, "expected TURN"),
        ({"commands": ["0 2 0 DRAW_CARD"]}, "expected TURN"),
        ({"commands": ["-1 0 0 DRAW_CARD"]}, "expected TURN"),
        ({"commands": ["0 0 0 DRAW_CARD\n"]}, "expected TURN"),
        ({"commands": ["0 0 0  DRAW_CARD"]}, "expected TURN"),
        ({"commands": ["٣ 0 0 DRAW_CARD"]}, "expected TURN"),
        ({"commands": ["0 0 904 DRAW_CARD"]}, "there is no error 904"),
        ({"commands": ["0 0 930 DRAW_CARD"]}, "there is no error 930"),
        ({"commands": ["0 0 0 ATTACK"]}, "ATTACK takes 1 numbers, not 0"),
        ({"commands": ["0 0 0 DRAW_CARD 1"]}, "DRAW_CARD takes 0 numbers, not 1"),
        ({"commands": ["0 0 0 ATTACK 1234567890123"]}, "expected TURN"),
        ({"commands": ["0 0 0 ATTACK " + "1" * 60]}, "commands[0]"),
        ({"omitted": [-1, 0]}, "omitted[0]"),
        ({"ending": "boredom"}, "ending"),
        ({"final_health": [1]}, "final_health"),
        ({"scores": [1, 2**40]}, "scores[1]"),
        ({"turns_played": -1}, "turns_played"),
        ({"event": {"name": "x"}}, "tournament"),
        ({"event": {"name": "x" * 501, "tournament": 1, "match_id": 1}}, "event.name"),
        ({"event": {"name": "x", "tournament": 1, "match_id": 1, "finished_at": "2026-11-15T20:00:00"}}, "finished_at"),
        ({"event": {"name": "x", "tournament": 1, "match_id": 1, "finished_at": "soon"}}, "finished_at"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_wrong_fields_are_named_with_file_and_line(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    good = encode_replay(play())
    path = tmp_path / "some.jsonl"
    path.write_bytes(good + b"\n" + json.dumps({**plain(play()), **change}).encode())
    found = read_any(path)
    assert next(found) == play()
    with pytest.raises(InvalidRecording) as caught:
        next(found)
    assert str(caught.value).startswith(f"{path}, line 3: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"\xff\xfe",
        b'{"edition":"tapdeck"}',
        b'{"edition":"tapdeck","format":"cardrome-replay","version":1}',
        b'{"edition":"tapdeck","format":"cardrome-replay","version":1,"deck":' + b"[" * 100_000,
        b'{"edition":"tapdeck","format":"cardrome-replay","version":1,"deck":' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"edition":"tapdeck","format":"cardrome-replay","version":1,"commands":[' + b'"",' * 1_000_001 + b'""]}',
    ],
)
def test_hostile_files_are_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "some.json.gz"
    path.write_bytes(gzip.compress(data, 1))
    for read in (read_any, read_replays):
        with pytest.raises(InvalidRecording, match=str(path)):
            list(read(path))


def test_a_replay_that_could_not_be_read_is_not_written(tmp_path: Path) -> None:
    for wrong in (
        changed(play(), commands=("DRAW_CARD",)),
        changed(play(), deck=()),
        changed(play(), players=("\ud800", "Bob")),
        changed(play(), rules=ReplayRules(7, 60, 2, 2, 10)),
    ):
        with pytest.raises(InvalidRecording):
            write_replays(tmp_path / "wrong.jsonl", [play(), wrong])
    assert list(tmp_path.iterdir()) == []


@given(data=st.binary(max_size=200), place=st.integers(0, 5000))
def test_damaged_replays_are_read_or_refused(data: bytes, place: int) -> None:
    line = encode_replay(play())
    with contextlib.suppress(InvalidRecording):
        verify_any(decode_any(line[:place] + data + line[place + len(data) :]))


def test_a_match_is_small() -> None:
    assert len(encode_replay(play())) < 10_000
    assert len(gzip.compress(encode_replay(play()))) < 2_500


# The documentation


def test_every_field_is_documented_and_the_example_holds() -> None:
    page = (DOCS / "replays.md").read_text(encoding="utf-8")
    for struct in (TapdeckReplay, ReplayRules, ReplayEvent):
        assert [name for name in struct.__struct_fields__ if f"| `{name}` |" not in page] == []
    example = page.split("```json\n")[2].split("```")[0]
    assert verify(decode_replay(example.encode())) is None
