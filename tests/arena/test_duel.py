"""A person against an agent: turns, taking back, giving up, going on later, and a replay that verifies."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cardrome.arena.duel import SEATS, Duel
from cardrome.errors import CallerError, IllegalAction, InvalidDeal
from cardrome.games.family import edition_names, find_family
from cardrome.games.replays import Seat
from tests.games.toy import FAMILY as PEBBLES
from tests.games.toy import Heap


def sit_down(edition: str, seat: Seat = 0, seed: int = 5, opponent: str = "greedy") -> Duel:
    family = find_family(edition)
    chosen = family.editions[edition]
    duel = Duel(chosen, family.deal(chosen, {"seed": str(seed)}), seat, opponent)
    duel.answer()
    return duel


def play_on(duel: Duel, chance: random.Random, most: int = 1000, until: Any = lambda duel: False) -> None:
    """Play by chance, now and then as the agent advises, which thinks for long, with second thoughts."""
    for _ in range(most):
        if duel.to_move is None or until(duel):
            return
        if duel.undoable and chance.random() < 0.2:
            duel.undo()
            continue
        actions = duel.game.legal_actions
        duel.play(duel.hint()[0] if chance.random() < 0.03 else chance.choice(actions))
        duel.answer()


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("edition", edition_names())
def test_a_game_with_second_thoughts_ends_in_a_replay_that_verifies(edition: str, seat: Seat) -> None:
    duel = sit_down(edition, seat)
    play_on(duel, random.Random(seat))
    replay, outcome = duel.replay(), duel.outcome
    assert outcome is not None
    assert duel.family.rerun(replay).verify() is None
    assert (replay.winner, replay.scores, replay.ending) == (outcome.winner, outcome.scores, outcome.ending)
    assert replay.players[seat] == "you"
    assert duel.undoable == 0
    with pytest.raises(IllegalAction, match="over"):
        duel.play(0)


def test_only_the_present_turn_is_taken_back() -> None:
    duel = sit_down("locm-1.2", 1)
    with pytest.raises(IllegalAction, match="nothing to take back"):
        duel.undo()
    duel.play("PICK 1")  # a pick is a turn: the next offer has been seen
    duel.answer()
    assert duel.undoable == 0
    duel.complete()
    play_on(duel, random.Random(1), until=lambda duel: duel.undoable >= 2)
    before = duel.game.view(1), list(duel.seat.frames)
    last = duel.undo()
    duel.play(last)
    assert (duel.game.view(1), duel.seat.frames[:-1]) == (before[0], before[1][:-1])
    assert duel.seat.frames[-1] == before[1][-1]


def test_a_card_of_the_pool_can_be_put_back() -> None:
    duel = sit_down("locm-1.5", 1)
    for code in (3, 7, 3, 9):
        duel.play(code)
    frames = list(duel.seat.frames)
    duel.drop(7)
    assert [action.code for action in duel.turns[-1]] == [3, 3, 9]
    assert duel.undoable == 3
    picks = [frame["picks"][1] for frame in duel.seat.frames]
    assert picks == [3, 3, 9, None]
    assert duel.seat.frames[0] is frames[0]
    with pytest.raises(IllegalAction, match="no such card"):
        duel.drop(8)
    duel.complete()
    assert duel.game.phase == "battle"
    with pytest.raises(IllegalAction, match="complete"):
        duel.complete()
    with pytest.raises(IllegalAction, match="no such card"):
        duel.drop(3)


@pytest.mark.parametrize(("edition", "seat"), [("locm-1.2", 0), ("locm-1.2", 1), ("locm-1.5", 0), ("locm-1.0", 0)])
@pytest.mark.parametrize("actions", [0, 3, 40])
def test_whoever_gives_up_has_lost_by_the_replay_too(edition: str, seat: Seat, actions: int) -> None:
    duel = sit_down(edition, seat)
    play_on(duel, random.Random(1), actions)
    duel.resign()
    assert duel.outcome is not None
    assert (duel.to_move, duel.outcome.winner, duel.has_replay) == (None, 1 - seat, True)
    replay = duel.replay()
    assert replay.fault is not None
    assert (replay.fault.player, replay.fault.kind, replay.winner) == (seat, "resigned", 1 - seat)
    assert replay.scores == duel.outcome.scores
    assert duel.family.rerun(replay).verify() is None
    with pytest.raises(IllegalAction, match="over"):
        duel.resign()


def test_a_tapdeck_match_that_was_given_up_has_no_replay() -> None:
    duel = sit_down("tapdeck")
    with pytest.raises(CallerError, match="not over"):
        duel.replay()
    duel.resign()
    with pytest.raises(CallerError, match="cannot tell that a player gave up"):
        duel.replay()


def test_blocking_without_attackers_is_a_formality() -> None:
    duel = sit_down("tapdeck")
    assert duel.game.phase == "acting"
    assert duel.undoable == 0
    assert [frame["deed"]["kind"] for frame in duel.seat.frames] == ["turn", "finish"]


@pytest.mark.parametrize("edition", ["locm-1.0-wood2", "locm-1.5", "tapdeck"])
def test_an_unfinished_game_goes_on_where_it_was_left(edition: str) -> None:
    duel = sit_down(edition, 1)
    play_on(duel, random.Random(3), until=lambda duel: duel.game.turn > 4 and duel.undoable == 1)
    again = Duel.resume(duel.unfinished())
    assert again.game == duel.game
    assert (again.undoable, again.seat.frames, again.turns) == (1, duel.seat.frames, duel.turns)
    play_on(again, random.Random(4))
    assert again.family.rerun(again.replay()).verify() is None


def test_what_cannot_have_been_a_game_is_refused() -> None:
    from msgspec.structs import replace

    left = sit_down("locm-1.2").unfinished()
    with pytest.raises(IllegalAction):
        Duel.resume(replace(left, actions=[0, 0, 77]))
    with pytest.raises(InvalidDeal):
        Duel.resume(replace(left, deal={}))
    with pytest.raises(CallerError, match="unknown agent"):
        Duel.resume(replace(left, opponent="nobody"))


def test_any_family_can_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    from cardrome.games.family import register

    monkeypatch.setenv("CARDROME_GAMES", "")
    register("tests.games.toy:FAMILY")
    duel = Duel(PEBBLES.editions["pebbles"], Heap(5), 0, "perfect")
    play_on(duel, random.Random(1))
    assert duel.family.rerun(duel.replay()).verify() is None
