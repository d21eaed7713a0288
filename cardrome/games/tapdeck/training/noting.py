"""Games that are noted: how positions looked to the network, and who won."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from cardrome.engine.kernel import entry, large_kernel
from cardrome.engine.random import below, step
from cardrome.engine.records import Floats, Integers, Record, Records, i4, i8, new_records
from cardrome.games.tapdeck.agents.registry import SEARCHING, AgentRecord, Desk, plan_turn
from cardrome.games.tapdeck.agents.search.brain import FEATURES, Brain
from cardrome.games.tapdeck.agents.search.memory import UNIT
from cardrome.games.tapdeck.agents.search.worth import Mind, describe
from cardrome.games.tapdeck.rules.cards import Deck, blank_deck
from cardrome.games.tapdeck.rules.deckgen import generate_deck
from cardrome.games.tapdeck.rules.edition import Rules, TapdeckEdition
from cardrome.games.tapdeck.rules.state import PLAYING, State, new_states
from cardrome.games.tapdeck.rules.turn import apply_action, start_match

NOTED_OF_8 = 6
"""Of eight turns, this many are noted: neighbouring positions say little that is new."""
CHUNK = 50
"""Games that a thread plays at a time."""


class NotedTurn(Record):
    """A position as an action phase begins."""

    game: i4
    mover: i4
    value: i8
    """What the search thought of it, in thousandths of a logit; nothing where a turn was not searched."""
    searched: i8
    x: Annotated[Floats, "f4", FEATURES]


@large_kernel
def play_noted(
    rules: Rules,
    deck: Deck,
    s: State,
    desk: Desk,
    mind: Mind,
    agents: Records[AgentRecord],
    slips: int,
    game: int,
    turns: Records[NotedTurn],
    n: int,
    random: int,
) -> int:
    """Play a match of the first agent against itself, in which other agents take some of the turns; returns how many
    turns are noted by now. Of 1000 turns, ``slips`` are taken by each of the other agents."""
    start_match(rules, s)
    while s.ending == PLAYING:
        random, luck = below(random, 1000)
        chosen = 0
        for k in range(1, len(agents)):
            if (k - 1) * slips <= luck < k * slips:
                chosen = k
        random = plan_turn(agents[chosen], rules, deck, s, desk, random)
        plan = desk.plan
        random, noted = below(random, 8)
        for k in range(plan.n):
            if s.ending == PLAYING:
                was_blocking = s.blocking
                apply_action(rules, deck, s, int(plan.codes[k]))
                if was_blocking and not s.blocking and s.ending == PLAYING and noted < NOTED_OF_8 and n < len(turns):
                    turns[n].game = game
                    turns[n].mover = s.current
                    turns[n].searched = agents[chosen].kind == SEARCHING
                    turns[n].value = desk.tree.nodes[0].value
                    describe(rules, deck, s, turns[n].x, mind.strongest)
                    n += 1
    return n


@entry(Rules, AgentRecord, Deck, State, Desk, Mind, NotedTurn, np.int64, np.int32, int, int)
def play_noted_range(
    rules: Records[Rules],
    agents: Records[AgentRecord],
    decks: Records[Deck],
    states: Records[State],
    desks: Records[Desk],
    minds: Records[Mind],
    turns: Records[NotedTurn],
    seeds: Integers,
    healths: Integers,
    cards: int,
    slips: int,
) -> int:
    """Play a match for each seed; returns how many turns were noted."""
    n = 0
    for g in range(len(seeds)):
        generate_deck(decks[0], cards, int(seeds[g]))
        random = step(int(seeds[g]))
        n = play_noted(rules[0], decks[0], states[0], desks[0], minds[0], agents, slips, g, turns, n, random)
        healths[2 * g] = states[0].health[0]
        healths[2 * g + 1] = states[0].health[1]
    return n


@dataclass(frozen=True)
class Noted:
    """Positions, and what came of them for the player to move: 1, 0, or a half for a draw."""

    x: npt.NDArray[np.float16]
    won: npt.NDArray[np.float32]
    thought: npt.NDArray[np.float32]
    """The chance to win that the search saw in the position; as `won` where a turn was not searched."""


def play_and_note(
    edition: TapdeckEdition,
    agents: Records[AgentRecord],
    brain: Records[Brain],
    seeds: npt.NDArray[np.int64],
    slips: int,
    jobs: int = 1,
) -> Noted:
    """Play a match of the first agent against itself for each seed; the other agents take some of its turns."""

    def play(start: int) -> tuple[Any, Any, Any]:
        part = seeds[start : start + CHUNK]
        desks = new_records(Desk)
        desks["brains"] = brain
        turns = new_records(NotedTurn, len(part) * edition.turns)
        healths = np.zeros(2 * len(part), np.int32)
        memory = blank_deck(), new_states(), desks, new_records(Mind)
        n = play_noted_range(edition.rules, agents, *memory, turns, part, healths, edition.deck_size, slips)
        difference = np.sign(healths[::2] - healths[1::2])[turns["game"][:n]] * (1 - 2 * turns["mover"][:n])
        won = (0.5 + 0.5 * difference).astype(np.float32)
        thought = 1 / (1 + np.exp(-np.clip(turns["value"][:n] / UNIT, -20, 20)))
        thought = np.where(turns["searched"][:n] == 1, thought, won).astype(np.float32)
        return turns["x"][:n].astype(np.float16), won, thought

    with ThreadPoolExecutor(jobs, "games") as pool:
        parts = list(pool.map(play, range(0, len(seeds), CHUNK)))
    return Noted(*(np.concatenate(each) for each in zip(*parts, strict=True)))
