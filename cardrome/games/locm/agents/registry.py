"""The built-in agents by name: how each of them decides, in kernels and as Python code asks them.

Agents decide from a view, a state and a deal from which `hide_from` and `hide_deal` removed what they may not know.
`choose_action` asks the agent that a record names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import numpy as np

from cardrome.engine.kernel import entry, kernel, large_kernel, shared_kernel
from cardrome.engine.records import Integers, Record, Records, fill, i1, new_records
from cardrome.errors import CallerError
from cardrome.games.agents import AgentKind, KernelAgent, kernel_kind
from cardrome.games.locm.agents.evaluate import WEIGHTS, Weights, choose_card, judge
from cardrome.games.locm.agents.rule_based import Plan, choose_by_rules
from cardrome.games.locm.protocol.game import LocmView
from cardrome.games.locm.rules.battle import apply_battle
from cardrome.games.locm.rules.edition import MAX_ACTIONS, PASS, Rules
from cardrome.games.locm.rules.legal import list_actions, random_battle_action, random_choice
from cardrome.games.locm.rules.state import BATTLE, DealRecord, State


@large_kernel
def try_actions(
    w: Weights,
    rules: Rules,
    deal: DealRecord,
    s: State,
    codes: Integers,
    n: int,
    trials: Records[State],
    values: Integers,
) -> None:
    """Try every battle action on a copy: note the position after it, and what that is worth.

    Except PASS, the first of the list: it would begin the opponent's turn, of which nobody can know the cards. Its
    place holds the present position.
    """
    viewer = int(s.current)
    for k in range(n):
        trials[k] = s
        if codes[k] != PASS:
            apply_battle(rules, deal, trials[k], codes[k])
        values[k] = judge(w, rules, trials[k], viewer)


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


PASSING, RANDOM, GREEDY, RULE_BASED = range(4)
"""How an agent decides."""


class AgentRecord(Record):
    """A built-in agent as kernels see it."""

    kind: i1
    weights: Annotated[Weights, WEIGHTS]


class Desk(Record):
    """Scratch memory of an agent that thinks. Nothing on it outlives a decision."""

    codes: Annotated[Integers, "i2", MAX_ACTIONS]
    """The legal actions, below what each is worth and where it leads."""
    values: Annotated[Integers, "i4", MAX_ACTIONS]
    trials: Annotated[Records[State], MAX_ACTIONS]
    plan: Plan


@shared_kernel
def think(agent: AgentRecord, rules: Rules, deal: DealRecord, view: State, desk: Desk) -> int:
    """The action of an agent that leaves nothing to chance."""
    kind = int(agent.kind)
    n = int(list_actions(rules, deal, view, desk.codes))
    if kind == PASSING:  # in deck building the first choice there is, as the referee does for a bot that passes
        return int(desk.codes[0])
    if view.phase != BATTLE:
        return choose_card(agent.weights, rules, deal, view, desk.codes, n)
    codes, values, trials = desk.codes, desk.values, desk.trials
    try_actions(agent.weights, rules, deal, view, codes, n, trials, values)
    if kind == GREEDY:
        return choose_greedy(codes, n, values)
    return choose_by_rules(agent.weights, rules, deal, view, codes, n, trials, values, desk.plan)


@large_kernel
def choose_action(
    agent: AgentRecord, rules: Rules, deal: DealRecord, view: State, desk: Desk, random: int
) -> tuple[int, int]:
    """The next state of an agent's generator and the action it takes. The view is that of the player to move."""
    if agent.kind == RANDOM:
        return choose_random(rules, deal, view, random)
    return random, think(agent, rules, deal, view, desk)


@entry(AgentRecord, Rules, DealRecord, State, Desk, np.int64)
def decide(
    agents: Records[AgentRecord],
    rules: Records[Rules],
    deals: Records[DealRecord],
    views: Records[State],
    desks: Records[Desk],
    random: Integers,
) -> int:
    """One decision, for Python: the action's code; the generator's state in ``random`` moves on."""
    random[0], action = choose_action(agents[0], rules[0], deals[0], views[0], desks[0], int(random[0]))
    return action


class LocmKernelAgent(KernelAgent):
    """A built-in agent of LOCM."""

    _seen: LocmView | None = None
    _decide: Callable[[], int]

    def act(self, view: LocmView) -> int:
        """The action of the player who is to move; the view must be theirs."""
        if view.to_move is None:
            raise CallerError("the game is over: there is no action to choose")
        if view.to_move != view.viewer:
            raise CallerError(f"player {view.to_move} is to move, but the view is that of player {view.viewer}")
        if self._seen is None or self._seen.edition is not view.edition:
            seen = self._seen = view.copy()
            arrays = view.edition.rules, seen.deals, seen.states, new_records(Desk)
            self._decide = decide.bind(self.kernel, *arrays, self._random)
        self._seen.mirror(view)
        return self._decide()


def _kind(name: str, description: str, kind: int, **weights: int) -> AgentKind:
    """A built-in agent that decides in one of the ways above; weights are the usual ones unless they are given."""
    kernel = new_records(AgentRecord)
    kernel[0].kind = kind
    fill(kernel[0].weights, Weights(**weights))
    return kernel_kind(name, description, LocmKernelAgent, kernel)


AGENTS: dict[str, AgentKind] = {
    kind.name: kind
    for kind in [
        _kind("pass", "takes the first cards and never does anything", PASSING),
        _kind("random", "any legal action, all equally likely", RANDOM),
        # It sees what is there now, and takes each card for its own sake.
        _kind("greedy", "the action after which the board looks best, one step ahead", GREEDY),
        # It also sees what the opponent will do next, and builds a deck that spends its mana.
        _kind(
            "rule-based",
            "finishes, spends its mana well, trades where it pays: the strongest built-in",
            RULE_BASED,
            exposed=45,
            danger=60,
            margin=1,
            curve=75,
        ),
    ]
}
"""The built-in agents by name, the weakest first."""
