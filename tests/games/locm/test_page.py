"""What the page of a LOCM game is given to show."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec
import pytest

from cardrome.games.locm.page import page_data
from cardrome.games.locm.protocol.replay import LocmMoment, LocmRecorder, LocmReplay, LocmRerun
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import EDITIONS, find_edition
from tests.arena.games import play_locm
from tests.games.whole_frames import whole

Json = dict[str, Any]


def recorded(edition: str = "locm-1.2") -> LocmReplay:
    return play_locm("rule-based", "greedy", edition, 5)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_frames_tell_the_game(edition: str) -> None:
    replay = recorded(edition)
    data = page_data(replay)
    frames, cards = whole(data), data["cards"]
    kinds = [frame["kind"] for frame in frames]
    assert kinds[:31] == ["draft"] * 30 + ["decks"]
    assert set(kinds[31:]) == {"battle"}
    for player in (0, 1):
        deck = frames[30]["decks"][player]
        assert len(deck) == 30
        assert sorted(frame["picks"][player] for frame in frames[:30]) == sorted(deck)
        assert all(frame["picks"][player] in frame["offer"] or not frame["offer"] for frame in frames[:30])
    assert bool(frames[0]["offer"]) != replay.rule_set.constructed
    assert all(0 <= index < len(cards) for deck in frames[30]["decks"] for index in deck)
    assert [frames[-1]["sides"][p]["health"] for p in "01"] == list(replay.final_health or ())
    battle = [moment for moment in LocmRerun(replay) if moment.call.phase == "battle"]
    starts = [n for n, frame in enumerate(frames) if frame["deed"]["kind"] == "turn"]
    assert [frames[n]["turn"] for n in starts] == [moment.before.turn for moment in battle]
    for start, end, moment in zip(starts, [*starts[1:], len(frames)], battle, strict=True):
        _check_turn(data, frames[start:end], moment)


def _check_turn(data: Json, frames: list[Json], moment: LocmMoment) -> None:
    done = [frame for frame in frames[1:] if frame["deed"]["kind"] not in ("pass", "illegal")]
    assert [frame["deed"]["text"] for frame in done] == moment.effect.done
    for frame, game in zip([frames[0], *done], [moment.before, *moment.effect.after], strict=True):
        for p in (0, 1):
            side, state = frame["sides"][str(p)], game.state.players[p]
            assert (side["health"], side["mana"][0], side["deck"]) == (state.health, state.mana, state.n_deck)
            assert side["hand"] == [held.id for held in state.hand[: state.n_hand]]
            assert [data["things"][thing] for thing in side["hand"]] == [
                held.card for held in state.hand[: state.n_hand]
            ]
            assert [len(row) for row in side["rows"].values()] == state.n_lane[: len(side["rows"])].tolist()
            creatures = [creature for creature in state.board if creature.order]
            assert [tuple(each[:3]) for row in side["rows"].values() for each in row] == [
                (creature.id, creature.attack, creature.defense) for creature in creatures
            ]
            shown = [data["things"][each[0]] for row in side["rows"].values() for each in row]
            assert shown == [creature.card for creature in creatures]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_changes_of_an_action_lead_from_one_frame_to_the_next(edition: str) -> None:
    frames = whole(page_data(recorded(edition)))
    for before, after in itertools.pairwise(frames):
        if before["kind"] != "battle":
            continue
        health = [before["sides"][p]["health"] for p in "01"]
        creatures = _creatures(before)
        for kind, who, *values in after["deed"].get("changes", []):
            if kind == "health":
                assert health[who] == values[0]
                health[who] = values[1]
            elif kind == "dies":
                del creatures[who]
            elif kind == "enters":
                assert who not in creatures
                creatures[who] = _creatures(after)[who]
            elif kind == "creature":
                attack, attack_now, defense, defense_now, gained, lost = values
                assert creatures[who][:2] == [attack, defense]
                keywords = (set(creatures[who][2]) | set(gained)) - set(lost)
                creatures[who] = [attack_now, defense_now, "".join(sorted(keywords))]
        assert health == [after["sides"][p]["health"] for p in "01"]
        assert creatures == _creatures(after)


def _creatures(frame: Json) -> dict[int, list[Any]]:
    """By thing: attack, defense, keywords."""
    return {each[0]: each[1:4] for side in frame["sides"].values() for row in side["rows"].values() for each in row}


def test_damage_is_told_even_of_the_dead() -> None:
    frames = whole(page_data(recorded()))
    attacks = [frame["deed"] for frame in frames if frame["deed"]["kind"] == "attack" and "target" in frame["deed"]]
    dead = [change for deed in attacks for change in deed["changes"] if change[0] == "dies"]
    assert dead
    assert all(damage > 0 for _, _, damage in dead)


def answered(lines: list[str], processes: Any = None) -> LocmReplay:
    """A recorded game up to the first battle turn, which gets an answer of our own; then the rest passes."""
    transcript = LocmRecorder(find_edition("locm-1.2"), LocmDeal(5), ("Ann", "Bob"))
    for call in recorded().calls[:60]:
        assert call.answer is not None
        transcript.answer(call.answer, 7)
    for line in lines:
        transcript.answer(line, 12)
    while transcript.call is not None:
        transcript.answer("PASS")
    return transcript.replay(processes)


def test_illegal_actions_messages_and_times_are_shown() -> None:
    lines = ["SUMMON 99 0 what?;ATTACK 1 -1;PASS so much for that", "PASS"]
    frames = whole(page_data(answered(lines)))
    assert frames[0]["deed"]["times"] == [7, 7]
    start = next(n for n, frame in enumerate(frames) if frame["kind"] == "battle")
    turn, first, second, last = (frame["deed"] for frame in frames[start : start + 4])
    assert (turn["kind"], turn["player"], turn["ms"]) == ("turn", 0, 12)
    assert (first["kind"], first["reason"], first["say"]) == ("illegal", "not-in-hand", "what?")
    assert first["text"] == "SUMMON 99 0 what?"
    assert (second["kind"], second["reason"]) == ("illegal", "not-on-board")
    assert (last["kind"], last["say"]) == ("pass", "so much for that")
    assert frames[start + 4]["deed"]["kind"] == "turn"
    assert frames[start + 5]["deed"] == {"kind": "pass", "player": 1}


def test_the_answer_that_lost_the_game_is_shown() -> None:
    frames = whole(page_data(answered(["PASS", "JUMP <b>high</b>"])))
    deed = frames[-1]["deed"]
    assert (deed["kind"], deed["player"], deed["fault"]) == ("fault", 1, "unknown-command")
    assert deed["text"] == "JUMP <b>high</b>"


def test_a_game_that_ends_in_deck_building_is_shown() -> None:
    transcript = LocmRecorder(find_edition("locm-1.2"), LocmDeal(1), ("Ann", "Bob"))
    for line in ("PICK 0", "PICK 1", "PICK 2", "JUMP"):
        transcript.answer(line)
    data = page_data(transcript.replay())
    frames = whole(data)
    assert [frame["kind"] for frame in frames] == ["draft", "draft", "decks"]
    assert frames[1]["picks"][1] is None
    assert (frames[2]["deed"]["kind"], frames[2]["deed"]["player"]) == ("fault", 1)
    assert "draft of player 1" in data["result"]


def test_a_deck_that_was_built_wrongly_is_shown() -> None:
    transcript = LocmRecorder(find_edition("locm-1.5"), LocmDeal(1), ("Ann", "Bob"))
    transcript.answer("CHOOSE 1;CHOOSE 1;PASS")
    transcript.answer("CHOOSE 1;CHOOSE 1;CHOOSE 1")
    frames = whole(page_data(transcript.replay()))
    assert [frame["kind"] for frame in frames] == ["draft"] * 30 + ["decks"]
    assert all(frame["picks"][0] is not None and frame["picks"][1] is None for frame in frames[:30])
    assert frames[30]["deed"]["kind"] == "fault"


def test_a_replay_that_does_not_verify_says_so() -> None:
    replay = recorded()
    assert page_data(replay)["difference"] is None
    wrong = msgspec.structs.replace(replay, scores=(5, 5))
    assert page_data(wrong)["difference"].startswith("scores: expected [5, 5]")
    spoilt = (*replay.calls[:70], msgspec.structs.replace(replay.calls[70], answer="JUMP"), *replay.calls[71:])
    for calls in (spoilt, replay.calls[:71], replay.calls[:1], ()):
        data = page_data(msgspec.structs.replace(replay, calls=calls))
        assert data["difference"] is not None
        assert data["frames"]
