"""The built-in agents by name: how each of them decides, in kernels and as Python code asks them.

Agents decide from a view, a state and a deal from which `hide_from` and `hide_deal` removed what they may not know.
`choose_action` asks the agent that a record names.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from cardrome.engine.kernel import deferred_kernel, entry, kernel, large_kernel, load_now, shared_kernel
from cardrome.engine.random import step
from cardrome.engine.records import Floats, Integers, Record, Records, duplicate, f4, fill, flag, i1, i2, new_records
from cardrome.errors import CallerError
from cardrome.games.agents import AgentKind, KernelAgent, kernel_kind
from cardrome.games.locm.agents.evaluate import WEIGHTS, Weights, choose_card
from cardrome.games.locm.agents.rule_based import Trials, act_by_rules, try_actions
from cardrome.games.locm.agents.search.brain import CARD_FEATURES, GROUPS, Brain, brain_of
from cardrome.games.locm.agents.search.decks import choose_learned, value_cards
from cardrome.games.locm.agents.search.replies import Budget, Search, begin_turn, follow_plan, rate_lines, settle
from cardrome.games.locm.agents.search.turn import fingerprint
from cardrome.games.locm.protocol.game import LocmView
from cardrome.games.locm.rules.edition import LocmEdition, Rules
from cardrome.games.locm.rules.legal import list_actions, random_battle_action, random_choice
from cardrome.games.locm.rules.state import BATTLE, DealRecord, State


@kernel
def choose_greedy(codes: Integers, n: int, values: Integers) -> int:
    """The action after which the position is worth most; PASS when none improves it."""
    best = 0
    for k in range(1, n):
        if values[k] > values[best]:
            best = k
    return int(codes[best])


@kernel
def choose_random(rules: Rules, deal: DealRecord, s: State, random: int) -> tuple[int, int]:
    """The generator's next state and any legal action, all equally likely."""
    if s.phase == BATTLE:
        random, action = random_battle_action(rules, deal, s, random)
    else:
        random, action = random_choice(rules, deal, s, random)
    return random, int(action)


UNDECIDED = -1
"""The agent is not done thinking."""
ALL_STEPS = 1 << 40
"""The agent thinks as long as its budget allows."""
ENDLESS = 1 << 30
"""Cycles of an agent that has a clock to end its thinking."""

PASSING, RANDOM, GREEDY, RULE_BASED, SEARCHING = range(5)
"""How an agent decides."""


class AgentRecord(Record):
    """A built-in agent as kernels see it."""

    kind: i1
    brain: i1
    """Which of the brains on the desk is its own: the edition's, which is the first, unless brains are compared."""
    learned_deck: flag
    """It builds its deck as it has learned to, if anything was learned."""
    noise: f4
    """How far from the best its choices for the deck are: 0 except for agents that explore."""
    slips: f4
    """The part of its turns in which it takes any of the lines it has looked at; also for exploring."""
    weights: Annotated[Weights, WEIGHTS]
    budget: Budget


class Desk(Record):
    """Scratch memory of an agent that thinks. Nothing on it outlives a turn."""

    brains: Annotated[Records[Brain], 2]
    """What was learned of the edition; twice, for games between agents that have learned different things."""
    trials: Trials
    search: Search
    action: i2
    counts: Annotated[Integers, "i2", GROUPS]
    x: Annotated[Floats, "f4", CARD_FEATURES]


def new_desks(edition: LocmEdition, n: int = 1) -> Records[Desk]:
    """Desks for agents that play an edition."""
    desks = new_records(Desk, n)
    desks["brains"] = brain_of(edition)
    return desks


@shared_kernel
def think(agent: AgentRecord, rules: Rules, deal: DealRecord, view: State, desk: Desk) -> int:
    """The action of an agent that uses no randomness."""
    kind = int(agent.kind)
    trials = desk.trials
    n = int(list_actions(rules, deal, view, trials.codes))
    if kind == PASSING:  # in deck building the first choice there is, as the referee does for a bot that passes
        return int(trials.codes[0])
    if view.phase != BATTLE:
        return choose_card(agent.weights, rules, deal, view, trials.codes, n)
    if kind == GREEDY:
        try_actions(agent.weights, rules, deal, view, trials, n)
        return choose_greedy(trials.codes, n, trials.values)
    return act_by_rules(agent.weights, rules, deal, view, trials)


@deferred_kernel
def consult(
    agent: AgentRecord, rules: Rules, deal: DealRecord, view: State, desk: Desk, steps: int, random: int
) -> int:
    """Note on the desk what an agent does that goes by what was learned; returns the next state of its generator.

    In battle it looks at so many imagined hands at most. If there are more to look at, the action is `UNDECIDED`, and
    asking again goes on from there; with 0 steps it decides by what it knows.
    """
    brain, trials, search = desk.brains[agent.brain], desk.trials, desk.search
    if view.phase != BATTLE:
        n = int(list_actions(rules, deal, view, trials.codes))
        value_cards(brain, int(agent.brain), rules, deal, search.mind, desk.x)
        random, action = choose_learned(
            brain, rules, deal, view, trials.codes, n, search.mind.cards, desk.counts, float(agent.noise), random
        )
        desk.action = action
        return random
    position = fingerprint(rules, view, int(view.turn))
    if search.expected != position:
        if search.searched != position:
            value_cards(brain, int(agent.brain), rules, deal, search.mind, desk.x)
            random = step(random)
            begin_turn(brain, agent.weights, agent.budget, rules, deal, view, search, random)
            search.searched = position
        done = rate_lines(brain, agent.weights, agent.budget, rules, deal, view, search, trials, steps)
        if not done and steps > 0:
            desk.action = UNDECIDED
            return random
        random = settle(search, float(agent.slips), random)
        search.searched = 0
    desk.action = follow_plan(rules, deal, view, search)
    return random


@kernel
def learned_from(agent: AgentRecord, view: State, brain: Brain) -> bool:
    """Whether the agent uses what was learned for its next decision. Without it, decks are built by rules of thumb."""
    if view.phase != BATTLE:
        return bool(agent.learned_deck) and bool(brain.learned)
    return bool(agent.kind == SEARCHING)


@large_kernel
def choose_action(
    agent: AgentRecord, rules: Rules, deal: DealRecord, view: State, desk: Desk, random: int, steps: int
) -> tuple[int, int]:
    """The next state of an agent's generator and the action it takes. The view is that of the player to move.

    Agents that search take so many steps at most, and may be `UNDECIDED` then; see `consult`.
    """
    if agent.kind == RANDOM:
        return choose_random(rules, deal, view, random)
    if learned_from(agent, view, desk.brains[agent.brain]):
        random = consult(agent, rules, deal, view, desk, steps, random)
        return random, int(desk.action)
    return random, think(agent, rules, deal, view, desk)


@entry(AgentRecord, Rules, DealRecord, State, Desk, np.int64, int)
def decide(
    agents: Records[AgentRecord],
    rules: Records[Rules],
    deals: Records[DealRecord],
    views: Records[State],
    desks: Records[Desk],
    random: Integers,
    steps: int,
) -> int:
    """One decision, for Python: the action's code; the generator's state in ``random`` moves on."""
    random[0], action = choose_action(agents[0], rules[0], deals[0], views[0], desks[0], int(random[0]), steps)
    return action


def prepare(agents: np.ndarray[Any, Any]) -> None:
    """Load what searching agents call, ahead of an entry that is about to be loaded: Ctrl-C stops it then."""
    if (agents["kind"] == SEARCHING).any():
        load_now(consult)


class LocmKernelAgent(KernelAgent):
    """A built-in agent of LOCM."""

    _seen: LocmView | None = None
    _decide: Callable[[int], int]
    _decide_by_clock: Callable[[int], int]
    _desks: Records[Desk] | None = None

    def begin(self, seed: int) -> None:
        """Start anew from a seed: nothing of an earlier game counts."""
        super().begin(seed)
        if self._desks is not None:
            self._desks[0].search.expected = self._desks[0].search.searched = 0

    def act(self, view: LocmView) -> int:
        """The action of the player who is to move; the view must be theirs."""
        if view.to_move is None:
            raise CallerError("the game is over: there is no action to choose")
        if view.to_move != view.viewer:
            raise CallerError(f"player {view.to_move} is to move, but the view is that of player {view.viewer}")
        if self._seen is None or self._seen.edition is not view.edition:
            seen = self._seen = view.copy()
            self._desks = new_desks(view.edition)
            prepare(self.kernel)
            arrays = view.edition.rules, seen.deals, seen.states, self._desks
            self._decide = decide.bind(self.kernel, *arrays, self._random)
            restless = duplicate(self.kernel)
            restless["budget"]["cycles"] = ENDLESS
            self._decide_by_clock = decide.bind(restless, *arrays, self._random)
        self._seen.mirror(view)
        if self.due is None:
            return self._decide(ALL_STEPS)
        share = float(self.kernel[0].budget.share)
        stop = self.due[0] + share * (self.due[1] - self.due[0])
        action = UNDECIDED
        while action == UNDECIDED:
            action = self._decide_by_clock(1 if time.monotonic() < stop else 0)
        return action


def _kind(name: str, description: str, kind: int, *budget: float, **weights: int) -> AgentKind:
    """A built-in agent that decides in one of the ways above; weights are the usual ones unless they are given."""
    kernel = new_records(AgentRecord)
    agent = kernel[0]
    agent.kind, agent.learned_deck = kind, kind == SEARCHING
    if budget:
        kernel["budget"][0] = budget
    fill(agent.weights, Weights(**weights))
    return kernel_kind(name, description, LocmKernelAgent, kernel)


_CAREFUL = {"exposed": 45, "danger": 60, "margin": 1, "curve": 75}
"""Weights of agents that also see what the opponent will do next, and build a deck that spends its mana."""

AGENTS: dict[str, AgentKind] = {
    kind.name: kind
    for kind in [
        _kind("pass", "takes the first cards and never does anything", PASSING),
        _kind("random", "any legal action, all equally likely", RANDOM),
        # It sees what is there now, and takes each card for its own sake.
        _kind("greedy", "the action after which the board looks best, one step ahead", GREEDY),
        _kind("rule-based", "finishes, spends its mana well, trades where it pays", RULE_BASED, **_CAREFUL),
        _kind(
            "search-fast",
            "searches its turn and tries the best lines on imagined cards, in a millisecond or two",
            SEARCHING,
            *(16, 8, 4, 2, 1, 2, 0, 0.1),
            **_CAREFUL,
        ),
        _kind(
            "search",
            "the same with more lines and more imagined cards: the strongest built-in that is not slow",
            SEARCHING,
            *(128, 64, 2, 5, 1, 2, 8, 0.33),
            **_CAREFUL,
        ),
        _kind(
            "search-max",
            "the same again, with nearly all the time that the edition allows: the strongest",
            SEARCHING,
            *(256, 64, 4, 6, 1, 2, 12, 0.65),
            **_CAREFUL,
        ),
    ]
}
"""The built-in agents by name, the weakest first."""
