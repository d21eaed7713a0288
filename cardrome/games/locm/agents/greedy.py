"""The greedy agent: it tries every action one step ahead and takes the one after which it stands best."""

from __future__ import annotations

from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.records import Integers, Records
from cardrome.games.locm.agents.evaluate import judge
from cardrome.games.locm.agents.weights import Weights
from cardrome.games.locm.rules.battle import apply_battle
from cardrome.games.locm.rules.edition import PASS, Rules
from cardrome.games.locm.rules.state import DealRecord, State


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
