"""Tapdeck replays: recorded, played again, tampered with."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.errors import CallerError
from cardrome.games.agents import take_turn
from cardrome.games.game import Ending
from cardrome.games.replay_files import decode_replay, encode_replay
from cardrome.games.tapdeck.agents.registry import AGENTS
from cardrome.games.tapdeck.protocol import matchlog
from cardrome.games.tapdeck.protocol.commands import ERROR_LINES
from cardrome.games.tapdeck.protocol.game import TapdeckGame
from cardrome.games.tapdeck.protocol.replay import ReplayEvent, TapdeckRecorder, TapdeckReplay
from cardrome.games.tapdeck.protocol.rerun import TapdeckRerun, inputs
from cardrome.games.tapdeck.protocol.story import story
from cardrome.games.tapdeck.rules.edition import TapdeckEdition
from tests.games.tapdeck.protocol.scripted import SMALL, changed, play, record_match, script, streams
from tests.games.tapdeck.rules.position import EXAMPLE
from tests.profiles import examples

HOSTILE = "</script>\x1b[2J\u202e\"';&\ud800"
EVENT = ReplayEvent("Finals", 3, 1207)
CREATURE = "1 C 4 3 3 0 1\n2 C 1 1 1 0 0\n3 C 1 1 1 0 0\n"


# Playing again


@given(streams())
@examples(75)
def test_any_stream_of_commands_is_read_back_as_it_was_and_verifies(replay: TapdeckReplay) -> None:
    again = decode_replay(encode_replay(replay))
    assert again == replay
    assert TapdeckRerun(again).verify() is None


@given(streams())
@examples(60)
def test_moments_go_through_the_match(replay: TapdeckReplay) -> None:
    found = list(TapdeckRerun(replay))
    commands = [moment for moment in found if moment.command is not None]
    entries = list(replay.entries())
    assert [(each.turn, each.player, each.code, each.command) for each in commands] == entries
    assert [moment.number for moment in commands] == list(range(len(entries)))
    assert [each.turn for each in found if each.command is None] == list(range(replay.turns_played))[
        : len(found) - len(entries)
    ]
    assert not found[0].before.is_over
    assert found[-1].after.is_over
    assert found[-1].after.health == replay.final_health
    for one, other in itertools.pairwise(found):
        assert other.before is one.after


@given(streams(), st.integers(0, 1))
@examples(40)
def test_conversations_are_what_went_over_the_wire(replay: TapdeckReplay, player: int) -> None:
    spoken = list(inputs(changed(replay, event=EVENT), player))
    entries = [entry for entry in replay.entries() if entry.player == player]
    assert len(spoken) == len(entries)
    for text, entry in zip(spoken, entries, strict=True):
        said, *heard = text.decode().splitlines()
        assert said.startswith(f"> {entry.command.text().split()[0]} 1207")
        assert heard[0] == ("< OK" if entry.code == 0 else f"< {ERROR_LINES[entry.code].decode().strip()}")


def test_there_is_no_third_player() -> None:
    with pytest.raises(CallerError, match="player 2"):
        list(inputs(play(), 2))


@pytest.mark.parametrize("seed", range(8))
def test_scripted_matches_verify(seed: int) -> None:
    assert TapdeckRerun(play(seed)).verify() is None


def test_the_command_that_is_refused_because_it_killed_its_player_is_part_of_the_match() -> None:
    recorder = TapdeckRecorder(TapdeckEdition(initial_health=4), CREATURE)
    for line in ("DRAW_CARD", "PLAY_CARD 1 -1"):
        recorder.command(0, line)
    recorder.end_turn()
    recorder.end_turn()
    recorder.command(0, "ATTACK 1")
    recorder.end_turn()
    assert recorder.command(1, "DRAW_CARD").startswith("ERR 932")
    assert recorder.game.outcome is not None
    assert recorder.command(1, "DRAW_CARD").startswith("ERR 932")
    assert recorder.command(0, "GET_HP").startswith("ERR 932")
    recorder.end_turn()
    replay = recorder.replay()
    assert replay.commands[-1] == "3 1 932 DRAW_CARD"
    assert (replay.ending, replay.final_health, replay.turns_played) == ("health", (4, 0), 4)
    assert len(replay.commands) == 4
    assert TapdeckRerun(replay).verify() is None
    # Without it the turn's end kills just as well: only the number of commands would be different.
    assert TapdeckRerun(changed(replay, commands=replay.commands[:-1])).verify() is None


def test_a_flood_changes_nothing_that_could_not_be_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matchlog, "REFUSED_LIMIT", 3)
    recorder = TapdeckRecorder(TapdeckEdition(initial_health=10, turns=10), CREATURE)
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
    assert TapdeckRerun(replay).verify() is None


# Recording


def test_questions_that_were_answered_are_not_kept() -> None:
    recorder = TapdeckRecorder(SMALL)
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
    recorder, match = TapdeckRecorder(SMALL, 5), TapdeckGame(SMALL, 5)
    assert recorder.command(0, "DRAW_CARD") == match.command(0, "DRAW_CARD")
    for _ in range(SMALL.turns + 3):
        recorder.end_turn()
        match.end_turn()
    replay = recorder.replay(event=EVENT)
    assert (replay.ending, replay.turns_played, replay.scores) == ("turns", 8, (9, 9))
    assert replay.winner is None
    assert replay.event == EVENT
    assert recorder.game.outcome == match.outcome


def test_what_an_agent_does_in_its_turn_is_written_down() -> None:
    recorder = TapdeckRecorder(SMALL, 5)
    while recorder.call is not None:
        recorder.act(take_turn(recorder.agent_game(), AGENTS["random"].new(seed=recorder.game.turn), "random"))
    replay = recorder.replay()
    assert replay.turns == replay.turns_played == SMALL.turns
    assert replay.actions == len(replay.commands) > 8
    assert TapdeckRerun(replay).verify() is None


def test_hostile_names_are_kept_whole_but_bounded() -> None:
    replay = record_match(SMALL, 1, (HOSTILE, "x" * 10_000), (script(1), script(2)))
    replay = decode_replay(encode_replay(replay))
    assert replay.players == (HOSTILE.replace("\ud800", "?"), "x" * 500)
    replay = changed(replay, event=ReplayEvent("\x1b[2J\u202e", 1, 2))
    assert all(line.isprintable() for line in story(replay, TapdeckRerun(replay), boards=True))


# Tampering


def tampered() -> Iterator[tuple[str, TapdeckReplay]]:
    sound = play(4, edition=EXAMPLE)
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
    yield "ending", changed(sound, ending=Ending.TURNS)
    yield "final health", changed(sound, final_health=(second, first))
    yield "scores", changed(sound, scores=(sound.scores[0] + 1, sound.scores[1]))
    yield "turns played", changed(sound, turns_played=sound.turns_played + 1)
    yield "actions", changed(sound, actions=0)
    yield "", changed(sound, deck=tuple(reversed(sound.deck)))
    yield "", changed(sound, deck=sound.deck[:5])
    for name, value in (("initial_health", 30), ("turns", 4), ("draws", 0), ("hand_limit", 1)):
        yield "", changed(sound, rules=msgspec.structs.replace(sound.rules, **{name: value}))


@pytest.mark.parametrize(("where", "replay"), list(tampered()))
def test_tampering_is_noticed(where: str, replay: TapdeckReplay) -> None:
    read = decode_replay(encode_replay(replay))
    difference = TapdeckRerun(read).verify()
    assert difference is not None
    assert difference.where.startswith(where)
    list(story(read, TapdeckRerun(read), boards=True))  # it can still be looked at


def test_time_does_not_go_back() -> None:
    sound = play(4, edition=EXAMPLE)
    place = [entry.turn for entry in sound.entries()].index(5)
    wrong = (*sound.commands[: place + 1], "4 1 913 GET_HP", *sound.commands[place + 1 :])
    difference = TapdeckRerun(changed(sound, commands=wrong)).verify()
    assert difference is not None
    assert "time does not go back" in difference.got


@given(st.data())
@examples(60)
def test_no_accepted_command_can_be_left_out_unnoticed(data: st.DataObject) -> None:
    """Unless it made no difference to anything that is compared: then the match is the same with or without it."""
    sound = play(data.draw(st.integers(0, 5)), mistakes=0.0)
    place = data.draw(st.integers(0, len(sound.commands) - 1))
    short = changed(sound, commands=sound.commands[:place] + sound.commands[place + 1 :])
    if TapdeckRerun(short).verify() is None:
        assert list(TapdeckRerun(short))[-1].after.health == sound.final_health
