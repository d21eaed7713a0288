"""The games in OpenSpiel: its own checks pass, its algorithms play, and what they imagine fits what a player knows."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

import cardrome.envs.openspiel as adapter
from cardrome.errors import CallerError
from cardrome.games.family import edition_names, find_family


def dealt(edition: str, steps: int, deal: int = 3) -> Any:
    """A state some random steps on."""
    chance = np.random.RandomState(deal)
    state = pyspiel.load_game(f"cardrome/{edition}").new_initial_state()
    state.apply_action(deal)
    for _ in range(steps):
        if not state.is_terminal():
            state.apply_action(int(chance.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize("edition", ["locm-1.2", "locm-1.5", "tapdeck"])
def test_its_own_checks(edition: str) -> None:
    game = pyspiel.load_game(f"cardrome/{edition}(deals=7)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_every_edition_is_registered() -> None:
    names = pyspiel.registered_names()
    for edition in edition_names():
        assert f"cardrome/{edition}" in names
        kind = pyspiel.load_game(f"cardrome/{edition}").get_type()
        perfect = kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
        assert perfect != find_family(edition).has_secrets


def test_the_deals_are_those_of_a_series() -> None:
    game = pyspiel.load_game("cardrome/locm-1.2(seed=5,deals=4)")
    state = game.new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(n, 0.25) for n in range(4)]
    state.apply_action(2)
    assert state.game.deal.seed == find_family("locm-1.2").seeds(5, 4)[2]
    with pytest.raises(CallerError, match="deals is 0"):
        pyspiel.load_game("cardrome/locm-1.2(deals=0)")


@pytest.mark.parametrize("edition", ["locm-1.0-multi", "locm-1.5", "tapdeck"])
def test_copies_and_files(edition: str) -> None:
    state = dealt(edition, 75)
    for twin in (
        state.clone(),
        copy.deepcopy(state),
        pickle.loads(pickle.dumps(state)),
        state.get_game().deserialize_state(state.serialize()),
    ):
        assert str(twin) == str(state)
        assert twin.history() == state.history()
        assert twin.legal_actions() == state.legal_actions()
        before = str(state)
        twin.apply_action(twin.legal_actions()[-1])
        assert str(state) == before != str(twin)


@pytest.mark.parametrize("edition", ["locm-1.2", "locm-1.5"])
@pytest.mark.parametrize("steps", [1, 31, 75, 110])
def test_what_is_imagined_looks_the_same(edition: str, steps: int) -> None:
    state = dealt(edition, steps)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    player = state.current_player()
    others = [state.resample_from_infostate(player, sampler) for _ in range(5)]
    for other in others:
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.observation_string(player) == state.observation_string(player)
        assert other.legal_actions() == state.legal_actions()
        assert other.history() == state.history()
    assert len({str(other) for other in [state, *others]}) > 1


def test_actions_have_the_texts_of_the_game() -> None:
    state = dealt("locm-1.2", 75)
    texts = [state.action_to_string(state.current_player(), action) for action in state.legal_actions()]
    assert texts == [str(action) for action in state.game.legal_actions]


class Searcher(adapter.SpielAgent):
    """Information set MCTS, with next to no time."""

    def make_bot(self, game: Any, player: int, seed: int) -> Any:
        chance = np.random.RandomState(seed % (1 << 32))
        return ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, chance), 1.5, 4, random_state=chance)


def test_ismcts_plays_some_turns() -> None:
    state = dealt("locm-1.2", 60)
    bot = Searcher().make_bot(state.get_game(), 0, 1)
    for _ in range(12):
        action = int(bot.step(state))
        assert action in state.legal_actions()
        state.apply_action(action)


def test_mcts_plays_tapdeck() -> None:
    state = dealt("tapdeck", 40)
    chance = np.random.RandomState(1)
    bot = mcts.MCTSBot(state.get_game(), 1.5, 5, mcts.RandomRolloutEvaluator(1, chance), random_state=chance)
    for _ in range(5):
        state.apply_action(bot.step(state))


def test_a_bot_is_an_agent() -> None:
    game = dealt("locm-1.2", 70).game
    view, agent = game.view(game.to_move), Searcher()
    chosen = []
    for _ in range(2):
        agent.begin(1)
        chosen.append(agent.act(view))
    assert chosen[0] in view.legal_codes()
    assert chosen[0] == chosen[1]


@pytest.mark.parametrize(("edition", "steps"), [("locm-1.2", 20), ("locm-1.2", 90), ("locm-1.5", 95), ("tapdeck", 40)])
def test_tensors_are_those_of_the_environments_and_show_nothing_hidden(edition: str, steps: int) -> None:
    state = dealt(edition, steps)
    game, mover = state.get_game(), state.current_player()
    seen, mask = game.observer.observe(state.game.view(mover))
    tensors = {player: game.make_py_observer() for player in (0, 1)}
    for player, observer in tensors.items():
        observer.set_from(state, player)
        other = game.make_py_observer()
        other.set_from(state.resample_from_infostate(player, np.random.RandomState(5).rand), player)
        assert observer.tensor.any()
        assert observer.tensor.tobytes() == other.tensor.tobytes()
    assert tensors[mover].tensor.tobytes() == seen.tobytes()
    assert state.legal_actions() == np.flatnonzero(mask).tolist()
