"""Games between agents, written down as bots would have played them."""

from __future__ import annotations

from itertools import product

import pytest
from cardrome.arena.family import deal_seeds
from cardrome.arena.recording import record_game

from cardrome.arena.series import play_series
from cardrome.errors import CallerError
from cardrome.games.agents import Agent
from cardrome.games.locm.agents.registry import AGENTS, find_agent
from cardrome.games.locm.protocol.game import LocmView
from cardrome.games.locm.protocol.replay import encode_replay, moments, verify
from cardrome.games.locm.rules.deal import Deal
from cardrome.games.locm.rules.edition import EDITIONS, find_edition
from tests.arena.agents_here import Broken, Hasty, Wrong


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_agent_can_be_recorded_in_every_edition(edition: str) -> None:
    for a, b in product(AGENTS, AGENTS):
        replay = record_game(find_edition(edition), Deal(3), (AGENTS[a], AGENTS[b]))
        assert verify(replay) is None
        assert replay.players == (a, b)
        assert replay.fault is None
        assert len(encode_replay(replay)) < 10_000


def test_nothing_an_agent_does_is_skipped() -> None:
    replay = record_game(find_edition("locm-1.2"), Deal(8), (AGENTS["random"], AGENTS["random"]))
    assert all(moment.effect.ignored == 0 for moment in moments(replay))
    assert any(len(moment.effect.done) > 1 for moment in moments(replay))


@pytest.mark.parametrize("edition", ["locm-1.2", "locm-1.5"])
def test_a_recorded_game_is_the_one_of_the_series(edition: str) -> None:
    seeds = deal_seeds(5, 4).tolist()
    games = play_series(find_edition(edition), "rule-based", "random", 4, 5).games
    for k, seed in enumerate(seeds):
        agents = AGENTS["rule-based"], AGENTS["random"]
        replay = record_game(find_edition(edition), Deal(seed), agents)
        first = games[2 * k]
        turns = [moment for moment in moments(replay) if moment.call.phase == "battle"]
        assert (replay.winner, turns[-1].after.turn + 1) == (int(first.winner), int(first.turns))


def test_the_same_seeds_give_the_same_replay() -> None:
    def recorded(first: int, second: int) -> bytes:
        kinds = AGENTS["random"], AGENTS["random"]
        return encode_replay(record_game(find_edition("locm-1.2"), Deal(1), kinds, ("A", "B"), (first, second)))

    assert recorded(1, 2) == recorded(1, 2)
    assert recorded(1, 2) != recorded(1, 3)


class Waiting(Agent):
    """Remembers the seed it was given, and whom it played as; never does anything."""

    seed = -1

    def begin(self, seed: int) -> None:
        self.seed = seed

    def act(self, view: LocmView) -> int:
        assert view.viewer == view.to_move
        return view.legal_codes()[0]


def test_agents_of_ones_own() -> None:
    agents = Waiting(), Hasty()
    replay = record_game(find_edition("locm-1.2"), Deal(1), agents, seeds=(7, 8))
    assert replay.players == ("Waiting", "Hasty")
    assert agents[0].seed == 7
    assert {call.answer for call in replay.calls[60::2]} == {"PASS"}
    assert replay.winner == 1


def test_one_who_dies_drawing_is_asked_all_the_same() -> None:
    replay = record_game(find_edition("locm-1.2"), Deal(1), (find_agent("pass"), find_agent("pass")))
    assert replay.ending == "draw"
    assert verify(replay) is None


@pytest.mark.parametrize(("agent", "message"), [(Wrong, "which is not legal here"), (Broken, "on purpose")])
def test_an_agents_mistakes_are_told_with_its_name(agent: type[Agent], message: str) -> None:
    with pytest.raises(CallerError, match=f"(?s)agent 'Mine'.*{message}"):
        record_game(find_edition("locm-1.2"), Deal(1), (AGENTS["pass"], agent()), ("pass", "Mine"))
