"""The opponents of a learner, and matches between what was learned at different times."""

from __future__ import annotations

import numpy as np

from cardrome.engine.bulk import Games, mirrored_games, play_games
from cardrome.engine.records import Records, duplicate, fill
from cardrome.games.locm.agents.batch import bulk_player
from cardrome.games.locm.agents.evaluate import Weights
from cardrome.games.locm.agents.registry import AGENTS, AgentRecord
from cardrome.games.locm.agents.search.brain import Brain
from cardrome.games.locm.rules.edition import LocmEdition

STYLES = {
    "aggressive": Weights(health=75, low_health=20, charge=60, breakthrough=30, curve=75),
    "defensive": Weights(health=50, low_health=90, exposed=80, danger=120, margin=4, guard=30, curve=75),
    "guard-heavy": Weights(guard=90, exposed=45, danger=60, margin=1, curve=75),
    "item-heavy": Weights(removal=1500, exposed=45, danger=60, margin=1, curve=75),
}
"""Odd ways to play and to build decks, of an agent that is otherwise `rule-based`: a learner must not lose to them."""


def agent_record(
    name: str, noise: float = 0.0, slips: float = 0.0, learned_deck: bool | None = None
) -> Records[AgentRecord]:
    """An agent of the league, as an array of one: a built-in by its name, or one of the styles."""
    kind = AGENTS["rule-based" if name in STYLES else name].kernel
    assert kind is not None
    records = duplicate(kind).view(np.recarray)
    if name in STYLES:
        fill(records[0].weights, STYLES[name])
    if learned_deck is not None:
        records[0].learned_deck = learned_deck
    records[0].noise, records[0].slips = noise, slips
    return records  # type: ignore[return-value]


def pair(a: Records[AgentRecord], b: Records[AgentRecord]) -> Records[AgentRecord]:
    """Two agents for a match, the second with the desk's second brain."""
    agents = np.concatenate([a, b]).view(np.recarray)
    agents[1].brain = 1
    return agents  # type: ignore[return-value]


def play_match(
    edition: LocmEdition,
    agents: Records[AgentRecord],
    brains: tuple[Records[Brain], Records[Brain]],
    seeds: np.ndarray[tuple[int], np.dtype[np.int64]],
    jobs: int,
) -> Games:
    """Mirrored games between two agents, each with a brain of their own."""
    games = mirrored_games(seeds)
    both = np.concatenate(brains).view(np.recarray)
    play_games(games, lambda: bulk_player(edition, agents, games, both), jobs)  # type: ignore[arg-type]
    return games
