"""What the page of a LOCM game is given to show."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from cardrome.games.locm.page import page_data
from cardrome.games.locm.protocol.replay import LocmMoment, LocmRecorder, LocmReplay, LocmRerun
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import EDITIONS, find_edition
from tests.arena.games import play_locm


def recorded(edition: str = "locm-1.2") -> LocmReplay:
    return play_locm("rule-based", "greedy", edition, 5)


def shown(replay: LocmReplay) -> dict[str, Any]:
    """The data as the page gets it: plain JSON."""
    data: dict[str, Any] = json.loads(json.dumps(page_data(replay)))
    return data


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_frames_tell_the_game(edition: str) -> None:
    replay = recorded(edition)
    data = shown(replay)
    frames, cards = data["frames"], data["cards"]
    kinds = [frame["kind"] for frame in frames]
    rounds = 0 if replay.rule_set.constructed else 30
    assert kinds[: rounds + 1] == ["draft"] * rounds + ["decks"]
    assert set(kinds[rounds + 1 :]) == {"battle"}
    for player in (0, 1):
        deck = frames[rounds]["decks"][player]
        assert len(deck) == 30
        if rounds:
            assert sorted(frame["picks"][player] for frame in frames[:30]) == sorted(deck)
            assert all(frame["picks"][player] in frame["offer"] for frame in frames[:30])
    assert all(0 <= index < len(cards) for deck in frames[rounds]["decks"] for index in deck)
    assert [side["health"] for side in frames[-1]["sides"]] == list(replay.final_health or ())
    battle = [moment for moment in LocmRerun(replay) if moment.call.phase == "battle"]
    turns = [entry for entry in data["log"] if entry["kind"] == "turn"]
    assert [entry["turn"] for entry in turns] == [moment.before.turn for moment in battle]
    for entry, moment in zip(turns, battle, strict=True):
        _check_turn(frames, entry, moment)


def _check_turn(frames: list[dict[str, Any]], entry: dict[str, Any], moment: LocmMoment) -> None:
    start = frames[entry["frame"]]
    assert [side["health"] for side in start["sides"]] == list(moment.before.health)
    assert [deed["action"] for deed in entry["deeds"]] == moment.effect.done
    numbers = [entry["frame"], *(deed["frame"] for deed in entry["deeds"])]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    for player in (0, 1):
        side, state = start["sides"][player], moment.before.state.players[player]
        assert (side["mana"], side["deck"], len(side["hand"])) == (state.mana, state.n_deck, state.n_hand)
        assert side["hand"] == [[held.id, held.card] for held in state.hand[: state.n_hand]]
        assert [len(lane) for lane in side["lanes"]] == state.n_lane[: len(side["lanes"])].tolist()
        creatures = [creature for creature in state.board if creature.order]
        assert [(each["id"], each["attack"], each["defense"]) for lane in side["lanes"] for each in lane] == [
            (creature.id, creature.attack, creature.defense) for creature in creatures
        ]


def test_a_game_that_ends_in_deck_building_is_shown() -> None:
    transcript = LocmRecorder(find_edition("locm-1.2"), LocmDeal(1), ("Ann", "Bob"))
    for line in ("PICK 0", "PICK 1", "PICK 2", "JUMP"):
        transcript.answer(line)
    data = shown(transcript.replay())
    assert [frame["kind"] for frame in data["frames"]] == ["draft", "draft", "decks"]
    assert data["frames"][1]["picks"][1] is None
    assert "draft of player 1" in data["result"]


def test_a_replay_that_does_not_verify_says_so() -> None:
    replay = recorded()
    assert shown(replay)["difference"] is None
    wrong = msgspec.structs.replace(replay, scores=(5, 5))
    assert shown(wrong)["difference"].startswith("scores: expected [5, 5]")
