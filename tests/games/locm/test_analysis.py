"""What the searching agents think of turns and decks of LOCM."""

from __future__ import annotations

import numpy as np
import pytest

from cardrome.engine.records import new_records
from cardrome.errors import CallerError
from cardrome.games.analysis import TurnAnalysis, advice
from cardrome.games.locm import analysis
from cardrome.games.locm.agents import registry
from cardrome.games.locm.agents.search.brain import Brain
from cardrome.games.locm.analysis import Reviewer, analyse
from cardrome.games.locm.protocol.dialogue import Dialogue
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.protocol.replay import Answer, LocmMoment, LocmRecorder
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import EDITIONS
from tests.arena.games import play_locm
from tests.games.locm.agents.helpers import battle
from tests.games.locm.agents.search.test_searching import creature
from tests.games.locm.agents.test_views import scramble
from tests.games.locm.protocol.play import set_up

EDITION = EDITIONS["locm-1.2"]


def lethal() -> LocmGame:
    """The smallest attacker that kills the guard has to go first; then the others win."""
    mine = [creature(5, 1), creature(3, 1), creature(2, 1)]
    return set_up({
        "edition": "locm-1.0",
        "turn": 10,
        "players": [{"board": mine}, {"health": 7, "board": [creature(1, 3, "---G--")], "deck": [1] * 10}],
    })  # fmt: skip


def review(game: LocmGame, line: str | None, fault: str = "") -> TurnAnalysis:
    """What is said of a turn that is answered like this."""
    before, dialogue = game.copy(), Dialogue(game.copy(), snapshots=True)
    call = dialogue.call
    assert call is not None
    effect = dialogue.answer(line)
    moment = LocmMoment(0, 0, call, Answer(line), before, effect, dialogue.game.copy())
    return Reviewer(game.edition, "search-fast", 20).turn(moment, fault)


def test_a_missed_win_is_found() -> None:
    found = review(lethal(), "ATTACK 1 2; ATTACK 3 -1; ATTACK 5 -1")
    assert found.missed_win
    assert found.chance_before == 1
    assert found.cost == pytest.approx(1 - found.chance_after)
    assert found.preferred[0].action == "ATTACK 3 2"
    assert advice(found).startswith("a win was there: ")
    won = review(lethal(), "; ".join(move.action for move in found.preferred))
    assert (won.chance_after, won.cost, won.missed_win, advice(won)) == (1, 0, False, "")


def test_what_the_agent_prefers_costs_nothing() -> None:
    game = battle("locm-1.2", 3, 22)
    game.push("PASS")
    lazy = review(game, "PASS")
    assert lazy.cost > 0
    assert lazy.chance_before == pytest.approx(lazy.chance_after + lazy.cost)
    found = review(game, "; ".join(move.action for move in lazy.preferred))
    assert found.preferred == found.played == lazy.preferred
    assert (found.cost, found.chance_before) == (0, found.chance_after)
    assert found.chance_after == pytest.approx(lazy.chance_before)  # tried on the same imagined hands


def test_hidden_cards_change_no_opinion() -> None:
    game = battle("locm-1.2", 3, 22)
    twin = scramble(game, np.random.default_rng(7))
    assert twin.states.tobytes() != game.states.tobytes()
    assert review(game, "PASS") == review(twin, "PASS")


def test_a_whole_game() -> None:
    replay = play_locm("rule-based", "greedy", seed=7)
    seen: list[int] = []
    found = analyse(replay, "search-fast", report=seen.append)
    assert [turn.turn for turn in found.turns] == list(range(replay.turns or 0))
    assert seen == [turn.turn + 1 for turn in found.turns]
    for turn in found.turns:
        assert 0 <= turn.chance_after <= turn.chance_before <= 1
        assert turn.cost == pytest.approx(turn.chance_before - turn.chance_after)
        assert (turn.cost == 0) >= (turn.played == turn.preferred)
    assert found.turns[-1].chance_after == 1
    assert found.curve()[replay.turns or 0] == 1 - replay.winner
    assert found == analyse(replay, "search-fast")  # the same whenever it is asked
    one = analyse(replay, "search-fast", player=1)
    assert {turn.player for turn in one.turns} == {1}
    assert one.turns == found.turns[1::2]


@pytest.mark.parametrize("edition", ["locm-1.2", "locm-1.5"])
def test_decks_beside_those_of_the_drafter(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    brain, rng = new_records(Brain), np.random.default_rng(5)
    brain["learned"] = True
    for name in ("card", "by_feature"):
        brain[name][0] = rng.normal(0, 0.1, brain[name][0].shape)
    brain["usual"] = 1 / 9
    for module in (registry, analysis):
        monkeypatch.setattr(module, "brain_of", lambda edition: brain)
    replay = play_locm("search-fast", "random", edition, seed=5)
    learned, random = analyse(replay, "search-fast").decks
    assert learned.curve == learned.preferred_curve
    assert (learned.chance, learned.picks) == (0.5, ())
    assert random.chance < 0.4
    assert len(random.picks) > 5
    for deck in (learned, random):
        assert sum(deck.curve) == sum(deck.preferred_curve) == 30
        assert sum(deck.usual_curve) == pytest.approx(30, abs=0.5)
    assert all(pick.cost >= 0 and pick.taken != pick.preferred for pick in random.picks)
    assert all((pick.number is None) == EDITIONS[edition].constructed for pick in random.picks)


def test_a_fault_costs_all_there_was_to_win() -> None:
    recorder = LocmRecorder(EDITION, LocmDeal(3))
    while recorder.call is not None and recorder.call.phase == "draft":
        recorder.answer("PASS")
    recorder.answer("PASS")
    recorder.no_answer()
    found = analyse(recorder.replay(), "search-fast")
    fine, fault = found.turns
    assert (fine.fault, fault.fault, fault.chance_after) == ("", "timeout", 0)
    assert fault.cost == fault.chance_before > 0
    assert found.curve()[2] == 1


def test_a_game_that_ended_in_the_draft() -> None:
    recorder = LocmRecorder(EDITION, LocmDeal(3))
    recorder.answer("PASS")
    recorder.answer("PICK 7")
    found = analyse(recorder.replay())
    assert (found.turns, found.decks, found.curve()) == ((), (), {})


@pytest.mark.parametrize("agent", ["greedy", "nobody"])
def test_agents_that_do_not_search_have_no_opinion(agent: str) -> None:
    with pytest.raises(CallerError, match=f"'{agent}' cannot analyse games; agents that search can: search-fast, "):
        Reviewer(EDITION, agent)
