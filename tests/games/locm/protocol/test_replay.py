"""LOCM replays: recorded, played again, tampered with."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given

from cardrome.engine.kernel import INTERPRETED
from cardrome.errors import CallerError
from cardrome.games.agents import Agent, take_turn
from cardrome.games.game import Action, Ending
from cardrome.games.locm.protocol.dialogue import Dialogue
from cardrome.games.locm.protocol.game import LocmGame, LocmView
from cardrome.games.locm.protocol.golden import read_games
from cardrome.games.locm.protocol.replay import (
    ANSWER_LIMIT,
    Answer,
    LocmRecorder,
    LocmReplay,
    LocmRerun,
    inputs,
)
from cardrome.games.locm.protocol.story import story
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import find_edition
from cardrome.games.replay_files import NAME_LIMIT, decode_replay, encode_replay
from cardrome.games.replays import TEXT_LIMIT, ProcessEnd, ReplayFault
from tests.games.locm.protocol.recorded import HOSTILE, changed, play, replays
from tests.paths import GOLDEN
from tests.profiles import examples

# Playing again


@given(replays())
@examples(60)
def test_any_game_is_read_back_as_it_was_and_verifies(replay: LocmReplay) -> None:
    again = decode_replay(encode_replay(replay))
    assert again == replay
    assert LocmRerun(again).verify() is None


@given(replays())
@examples(20)
def test_inputs_are_what_the_dialogue_sent(replay: LocmReplay) -> None:
    dialogue = Dialogue(LocmGame(replay.rule_set, replay.dealt))
    sent: tuple[list[bytes], list[bytes]] = ([], [])
    for moment in LocmRerun(replay):
        assert dialogue.call is not None
        assert moment.call == dialogue.call
        assert moment.own_number == len(sent[moment.call.player])
        sent[moment.call.player].append(dialogue.call.text.encode())
        dialogue.answer(moment.recorded.answer)
        assert moment.after == dialogue.game
    assert dialogue.over
    for player in (0, 1):
        assert list(inputs(replay, player)) == sent[player]


def test_there_is_no_third_player() -> None:
    with pytest.raises(CallerError, match="player 2"):
        list(inputs(play(), 2))


# Tampering


def tampered() -> Iterator[tuple[str, LocmReplay]]:
    sound = play(seed=4)
    wrong = play(seed=4, faults=0.02)
    assert sound.final_health is not None
    assert sound.turns is not None
    assert wrong.fault is not None
    calls = sound.calls
    yield "calls", changed(sound, calls=calls[:-1])
    yield "calls", changed(sound, calls=(*calls, Answer("PASS")))
    yield "calls", changed(sound, calls=())
    yield "calls", changed(sound, calls=(*calls[:3], Answer(None), *calls[4:]))
    yield "scores", changed(sound, scores=(sound.scores[1], sound.scores[0]))
    yield "winner", changed(sound, winner=1 - sound.winner)
    yield "ending", changed(sound, ending=Ending.DRAW)
    yield "final health", changed(sound, final_health=(sound.final_health[0], sound.final_health[1] + 1))
    yield "final health", changed(sound, final_health=None)
    yield "turns", changed(sound, turns=sound.turns + 1)
    yield "actions", changed(sound, actions=0)
    yield "fault", changed(sound, fault=ReplayFault(0, "timeout"))
    yield "fault", changed(wrong, fault=None)
    yield "fault", changed(wrong, fault=ReplayFault(1 if wrong.fault.player == 0 else 0, wrong.fault.kind))
    yield "fault", changed(wrong, fault=ReplayFault(wrong.fault.player, "draft-dodging"))
    late = (*calls[:5], Answer(None))
    fault = ReplayFault(1, "unknown-command")
    yield (
        "fault",
        changed(sound, calls=late, fault=fault, scores=(0, -1), winner=0, ending=Ending.FAULT, final_health=None),
    )
    yield "", changed(sound, deal={"seed": "5"})
    yield "", changed(sound, edition="locm-1.0")


@pytest.mark.parametrize(("where", "replay"), list(tampered()))
def test_tampering_is_noticed(where: str, replay: LocmReplay) -> None:
    difference = LocmRerun(decode_replay(encode_replay(replay))).verify()
    assert difference is not None
    assert difference.where.startswith(where)


def test_why_an_answer_is_missing_cannot_be_verified_and_is_believed() -> None:
    recorder = LocmRecorder(find_edition("locm-1.5"), LocmDeal(1), ("Ann", "Bob"))
    recorder.answer("PASS", 3)
    recorder.no_answer("crash", "exit code 1")
    replay = recorder.replay((None, ProcessEnd(exit_code=1, stderr="x" * 5000 + "the end")))
    assert replay.fault == ReplayFault(1, "crash", "exit code 1")
    assert replay.final_health is None
    assert LocmRerun(replay).verify() is None
    assert replay.processes is not None
    assert replay.processes[1] is not None
    assert len(replay.processes[1].stderr) == TEXT_LIMIT
    assert replay.processes[1].stderr.endswith("the end")


# Recording


def test_an_answer_too_long_to_keep_is_none() -> None:
    recorder = LocmRecorder(find_edition("locm-1.5"), LocmDeal(1), ("Ann", "Bob"))
    recorder.answer("PASS" + " " * ANSWER_LIMIT)
    recorder.answer("PASS")
    replay = recorder.replay()
    assert replay.fault is not None
    assert (replay.fault.player, replay.fault.kind) == (0, "too-much-output")
    assert LocmRerun(decode_replay(encode_replay(replay))).verify() is None


class Last(Agent):
    """The last legal action, until none is left but to pass."""

    def act(self, view: LocmView) -> Action:
        return view.legal_actions[-1]


@pytest.mark.parametrize("edition", ["locm-1.2", "locm-1.5"])
def test_agents_answer_in_a_copy_of_the_game_in_which_they_are_to_move(edition: str) -> None:
    recorder = LocmRecorder(find_edition(edition), LocmDeal(1), ("Ann", "Bob"))
    while recorder.call is not None:
        game = recorder.agent_game()
        assert game.to_move == recorder.call.player
        recorder.act(take_turn(game, Last(), "last"))
    replay = recorder.replay()
    assert replay.fault is None
    assert {"PASS"} < {call.answer for call in replay.calls}
    assert LocmRerun(replay).verify() is None


def test_each_player_s_times() -> None:
    recorder = LocmRecorder(find_edition("locm-1.2"), LocmDeal(1), ("Ann", "Bob"))
    for ms in (3, 4, None, 5):
        recorder.answer("PICK 0", ms)
    recorder.no_answer("timeout", ms=1000)
    recorder.answer("PICK 0")
    replay = recorder.replay()
    assert (replay.answer_times(0), replay.answer_times(1)) == ([3, 1000], [4, 5])


def test_what_makes_no_sense_is_refused_before_it_is_written_down() -> None:
    recorder = LocmRecorder(find_edition("locm-1.5"), LocmDeal(1), ("Ann", "Bob"))
    with pytest.raises(ValueError, match="single line"):
        recorder.answer("PASS\nPASS")
    with pytest.raises(ValueError, match="line that was given"):
        recorder.no_answer("bad-arguments")
    with pytest.raises(CallerError, match="not over"):
        recorder.replay()


def test_hostile_names_are_kept_whole_but_bounded() -> None:
    recorder = LocmRecorder(find_edition("locm-1.5"), LocmDeal(1), (HOSTILE, "x" * 10_000))
    recorder.answer(HOSTILE)
    recorder.answer("PASS")
    replay = decode_replay(encode_replay(recorder.replay()))
    assert replay.players == (HOSTILE.replace("\ud800", "?"), "x" * NAME_LIMIT)
    assert LocmRerun(replay).verify() is None
    assert all(line.isprintable() for line in story(replay, LocmRerun(replay)))


# Golden games


def test_golden_games_become_replays() -> None:
    step = 60 if INTERPRETED else 9
    for path in sorted(GOLDEN.glob("*.gz")):
        for record in itertools.islice(read_games(path), 0, None, step):
            recorder = LocmRecorder(record.edition, record.deal)
            for turn in record.turns:
                recorder.no_answer() if turn.out is None else recorder.answer(turn.out)
            replay = decode_replay(encode_replay(recorder.replay()))
            assert LocmRerun(replay).verify() is None
            for player in (0, 1):
                recorded = ["\n".join(turn.lines) + "\n" for turn in record.turns if turn.p == player]
                assert b"".join(inputs(replay, player)).decode() == "".join(recorded)
