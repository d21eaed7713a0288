"""The referee's side of the conversation: who is asked when, for how long, and what wrong answers cost."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrome.games.game import Ending, Outcome
from cardrome.games.locm.protocol.dialogue import Dialogue
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.protocol.setup import from_dict
from cardrome.games.replays import Call, ReplayFault
from tests.games.locm.games import new_game
from tests.games.locm.protocol.play import editions


def opened(edition: str = "locm-1.2", seed: int = 1) -> Dialogue:
    return Dialogue(new_game(edition, seed=seed))


def present(dialogue: Dialogue) -> Call:
    assert dialogue.call is not None
    return dialogue.call


def in_battle(edition: str = "locm-1.2", seed: int = 1) -> Dialogue:
    """Both players have taken whatever came first."""
    dialogue = opened(edition, seed)
    while present(dialogue).phase != "battle":
        dialogue.answer("PASS")
    return dialogue


def set_up(*players: dict[str, Any], edition: str = "locm-1.2", **top: Any) -> Dialogue:
    game = from_dict({"edition": edition, "players": list(players), **top})
    assert isinstance(game, LocmGame)
    return Dialogue(game)


# The sequence of calls


def test_a_draft_asks_both_players_thirty_times():
    dialogue = opened()
    calls = []
    while present(dialogue).phase == "draft":
        calls.append(present(dialogue).player)
        assert (dialogue.scores, dialogue.winner, dialogue.outcome) == (None, None, None)
        dialogue.answer("PICK 0")
    assert calls == [0, 1] * 30
    assert (present(dialogue).phase, present(dialogue).player) == ("battle", 0)


def test_decks_are_constructed_in_one_call_each():
    dialogue = opened("locm-1.5")
    calls = []
    while present(dialogue).phase != "battle":
        calls.append((present(dialogue).phase, present(dialogue).player))
        dialogue.answer("PASS")
    assert calls == [("constructed", 0), ("constructed", 1)]


def test_in_battle_the_players_take_turns():
    dialogue = in_battle()
    for turn in range(6):
        assert present(dialogue).player == turn % 2 == dialogue.game.current
        assert dialogue.game.turn == turn
        dialogue.answer("")


def test_a_call_carries_the_input_of_its_player():
    dialogue = opened(seed=42)
    assert present(dialogue).text == dialogue.game.input_text(0)
    dialogue.answer("PICK 1")
    call = present(dialogue)
    assert call.player == 1
    assert call.text == dialogue.game.input_text(1)
    assert call.lines[:4] == ["30 0 0 25 0", "30 0 1 25 0", "0 0", "3"]
    assert call.lines[-1] == "40 -1 0 0 3 2 3 --DG-- 0 0 0 -1"


def test_the_first_answer_waits_for_the_second():
    dialogue = opened()
    dialogue.answer("PICK 2")
    assert dialogue.game.actions == []
    dialogue.answer("PICK 1")
    assert dialogue.game.actions == [2, 1]


# Time


def limits(edition: str) -> list[int | None]:
    dialogue = opened(edition)
    granted: list[int | None] = []
    for _ in range(64):
        granted.append(present(dialogue).limit_ms)
        dialogue.answer("PASS")
    return granted


@pytest.mark.parametrize(
    ("edition", "granted"),
    [
        ("locm-1.0", [1000] * 2 + [100] * 58 + [1000] * 2 + [100] * 2),
        ("locm-1.0-multi", [1000] * 2 + [100] * 58 + [1000] * 2 + [100] * 2),
        ("locm-1.2", [1000] * 2 + [100] * 58 + [1000] * 2 + [200] * 2),
        ("locm-1.5", [4000] * 2 + [1000] * 2 + [200] * 60),
    ],
)
def test_time_limits(edition: str, granted: list[int]):
    assert limits(edition) == granted


# Faults


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("edition", "line", "kind"),
    [
        ("locm-1.2", None, "timeout"),
        ("locm-1.2", "PICK 3", "draft"),
        ("locm-1.2", "", "draft"),
        ("locm-1.2", "hello", "draft"),
        ("locm-1.0", "", "draft"),
        ("locm-1.5", None, "timeout"),
        ("locm-1.5", "", "wrong-card-count"),
        ("locm-1.5", "CHOOSE 1", "wrong-card-count"),
        ("locm-1.5", "CHOOSE 120", "draft"),
        ("locm-1.5", "PICK 0", "draft"),
    ],
)
def test_faults_in_deck_building(edition: str, line: str | None, kind: str, player: int):
    dialogue = opened(edition)
    for p in range(2):
        assert not dialogue.over
        dialogue.answer(line if p == player else "PASS")
    assert dialogue.over
    assert dialogue.fault is not None
    assert (dialogue.fault.player, dialogue.fault.kind) == (player, kind)
    assert dialogue.winner == 1 - player
    scores = (-1, 0) if player == 0 else (0, -1)
    assert dialogue.scores == scores
    assert dialogue.outcome == Outcome(1 - player, Ending.FAULT, scores)


@pytest.mark.parametrize("edition", ["locm-1.2", "locm-1.5"])
def test_if_both_are_wrong_the_first_is_blamed(edition: str):
    dialogue = opened(edition)
    dialogue.answer("nonsense")
    assert dialogue.fault is None  # the second player is asked all the same
    assert present(dialogue).player == 1
    dialogue.answer(None)
    assert dialogue.fault is not None
    assert (dialogue.fault.player, dialogue.fault.kind) == (0, "draft")


@pytest.mark.parametrize("turns", [0, 1, 5])
@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (None, "timeout"),
        ("hello", "unknown-command"),
        ("PICK 0", "unknown-command"),
        ("SUMMON 1", "bad-arguments"),
        ("ATTACK 1 x", "bad-arguments"),
        ("PASS;SUMMON", "bad-arguments"),
    ],
)
def test_faults_in_battle(line: str | None, kind: str, turns: int):
    dialogue = in_battle()
    for _ in range(turns):
        dialogue.answer("PASS")
    player = turns % 2
    before = dialogue.game.copy()
    effect = dialogue.answer(line)
    assert dialogue.over
    assert dialogue.fault is not None
    assert (dialogue.fault.player, dialogue.fault.kind) == (player, kind)
    assert dialogue.fault.message
    assert dialogue.scores == ((-1, 0) if player == 0 else (0, -1))
    assert dialogue.game == before  # nothing of the line is carried out
    assert (effect.done, effect.ignored) == ([], 0)


def test_one_bad_part_spoils_the_whole_line():
    dialogue = set_up({"board": [[{"card": 3, "id": 1}], []]}, {})
    dialogue.answer("ATTACK 1 -1;ATTACK 1")
    assert dialogue.fault == ReplayFault(0, "bad-arguments", "expected ATTACK id target, got 'ATTACK 1'")
    assert dialogue.game.health == (30, 30)


def test_no_answer_is_taken_after_the_end():
    dialogue = in_battle()
    dialogue.answer(None)
    with pytest.raises(RuntimeError, match="the game is over"):
        dialogue.answer("PASS")


# Effects


@pytest.mark.parametrize("line", ["", " ", ";", "PASS", "PASS;PASS text", " ; ; "])
@pytest.mark.parametrize("edition", ["locm-1.0", "locm-1.2", "locm-1.5"])
def test_lines_without_an_action_end_the_turn(edition: str, line: str):
    dialogue = in_battle(edition)
    effect = dialogue.answer(line)
    assert (effect.done, effect.ignored, dialogue.fault) == ([], 0, None)
    assert present(dialogue).player == 1


def test_legal_actions_are_done_and_others_ignored():
    mine = {"board": [[{"card": 3, "id": 1}], []], "hand": [{"card": 7, "id": 3}, {"card": 116, "id": 5}]}
    dialogue = set_up(mine, {"deck": [1]}, turn=8)
    effect = dialogue.answer("SUMMON 5 0;PASS;ATTACK +1 -1 hit;ATTACK 1 -1;SUMMON 3 2;SUMMON 3 01;USE 3 1;ATTACK 3 -1")
    assert effect.done == ["ATTACK 1 -1", "SUMMON 3 1"]
    assert effect.ignored == 5
    assert dialogue.game.health == (30, 28)
    assert present(dialogue).lines[2:5] == ["1 2", "3 ATTACK 1 -1", "7 SUMMON 3 1"]


def test_in_10_a_lane_is_only_text():
    dialogue = set_up({"hand": [{"card": 7, "id": 3}]}, {}, edition="locm-1.0-multi", turn=8)
    assert dialogue.answer("SUMMON 3 1").done == ["SUMMON 3"]


def test_the_game_stops_at_once_when_somebody_has_won():
    board = [[{"card": 3, "id": 1}, {"card": 3, "id": 3}], []]
    dialogue = set_up({"board": board}, {"health": 2})
    effect = dialogue.answer("ATTACK 9 9;ATTACK 1 -1;ATTACK 1 -1;ATTACK 3 -1;ATTACK 9 9")
    assert effect.done == ["ATTACK 1 -1"]
    assert effect.ignored == 2  # the last one is behind a legal action that was not carried out
    assert dialogue.over
    assert (dialogue.winner, dialogue.scores) == (0, (1, 0))
    assert dialogue.outcome == Outcome(0, Ending.HEALTH, (1, 0))


def test_who_kills_himself_is_not_asked_again():
    dialogue = in_battle()
    game = dialogue.game
    while game.turn < 12:
        dialogue.answer("PASS")
    game.states[0].players[0].health = 3
    game.states[0].players[0].rune = 0
    game.states[0].players[0].hand[0].card = 44  # card 45 takes 3 health from its owner
    held = int(game.states[0].players[0].hand[0].id)
    assert dialogue.answer(f"SUMMON {held} 0").done == [f"SUMMON {held} 0"]
    assert dialogue.over
    assert dialogue.scores == (0, 1)


def test_who_kills_himself_is_not_asked_again_in_a_game_that_began_late():
    hand = [{"card": 45, "id": 1}]
    dialogue = set_up({"health": 3, "rune": 0, "hand": hand, "max_mana": 12}, {}, turn=24)
    dialogue.answer("SUMMON 1 0")
    assert dialogue.game.winner == 1
    assert dialogue.over


# The end of idle games


def idle(edition: str) -> tuple[Dialogue, int]:
    """Nobody does anything; stops at the call to the player who is dead already."""
    dialogue = in_battle(edition)
    calls = 1
    while dialogue.game.winner is None:
        dialogue.answer("PASS")
        calls += 1
    return dialogue, calls


@pytest.mark.parametrize(("edition", "last"), [("locm-1.0", 111), ("locm-1.2", 111), ("locm-1.5", 105)])
def test_idle_games_end(edition: str, last: int):
    dialogue, calls = idle(edition)
    assert calls == last
    assert present(dialogue).player == 0
    assert int(present(dialogue).lines[0].split()[0]) <= 0
    dialogue.answer("PASS")
    assert dialogue.over
    assert (dialogue.winner, dialogue.scores) == (1, (0, 1))
    assert dialogue.outcome == Outcome(1, Ending.DRAW, (0, 1))


@pytest.mark.parametrize("line", [None, "hello", "SUMMON 1"])
@pytest.mark.parametrize("edition", ["locm-1.2", "locm-1.5"])
def test_dead_at_the_start_of_the_turn_and_wrong_as_well(edition: str, line: str | None):
    dialogue, _ = idle(edition)
    dialogue.answer(line)
    assert dialogue.fault is not None
    assert (dialogue.winner, dialogue.scores) == (1, (-1, 1))


def test_the_actions_of_the_dead_are_not_carried_out():
    dialogue, _ = idle("locm-1.2")
    before = dialogue.game.copy()
    legal = next(i for i in range(8) if before.state.players[0].hand[i].id)
    effect = dialogue.answer(f"ATTACK 99 -1;SUMMON {before.state.players[0].hand[legal].id} 0")
    assert effect.done == []
    assert effect.ignored >= 1
    assert dialogue.game == before


# Any conversation


@settings(deadline=None)
@given(editions, st.integers(0, 1 << 40))
def test_any_conversation_ends_with_scores(edition: str, seed: int):
    """Random players that sometimes write nonsense: every game ends, with one winner, and calls alternate."""
    choices = random.Random(seed)
    dialogue = Dialogue(new_game(edition, seed=seed))
    game, calls = dialogue.game, 0
    while dialogue.call is not None:
        calls += 1
        assert calls <= 180
        call = dialogue.call
        if choices.random() < 0.003:
            line = choices.choice([None, "", "nonsense", "SUMMON 1", "ATTACK x y"])
        elif call.phase == "battle":
            twin, texts = game.copy(), []
            while twin.to_move == call.player and choices.random() < 0.9:
                code = choices.choice(twin.legal_codes())
                texts.append(twin.action_text(code))
                twin.push(code)
            line = ";".join(texts)
        else:
            line = "PASS" if game.edition.constructed else f"PICK {choices.randrange(3)}"
        dialogue.answer(line)
    assert dialogue.winner in (0, 1)
    assert dialogue.scores is not None
    assert dialogue.outcome is not None
    assert (dialogue.outcome.ending is Ending.FAULT) == (dialogue.fault is not None)
    assert sorted(dialogue.scores) in ([0, 1], [-1, 0], [-1, 1])
    if dialogue.fault is None:
        assert dialogue.scores[dialogue.winner] == 1
        assert dialogue.game.winner == dialogue.winner
    else:
        assert dialogue.scores[dialogue.fault.player] == -1
