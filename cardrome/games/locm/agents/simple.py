"""The two agents that know nothing: one always passes, one plays at random. Yardsticks for all others."""

from __future__ import annotations

from cardrome.engine.kernel import kernel
from cardrome.engine.records import Integers
from cardrome.games.locm.rules.edition import Rules
from cardrome.games.locm.rules.legal import random_battle_action, random_choice
from cardrome.games.locm.rules.state import BATTLE, DealRecord, State


@kernel
def choose_first(codes: Integers) -> int:
    """PASS; in deck building the first choice there is, as the referee does for a bot that passes."""
    return int(codes[0])


@kernel
def choose_random(rules: Rules, deal: DealRecord, s: State, random: int) -> tuple[int, int]:
    """The generator's next state and any legal action, all equally likely."""
    if s.phase == BATTLE:
        random, action = random_battle_action(rules, deal, s, random)
    else:
        random, action = random_choice(rules, deal, s, random)
    return random, int(action)
