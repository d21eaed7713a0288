"""Which attackers to block, and with what: the block that gains most, as long as one gains anything."""

from __future__ import annotations

from cardrome.engine.kernel import kernel, large_kernel
from cardrome.games.tapdeck.agents.evaluate import creature_value, life_value
from cardrome.games.tapdeck.agents.plan import Plan, add
from cardrome.games.tapdeck.agents.weights import Weights
from cardrome.games.tapdeck.rules.actions import BLOCK, FINISH_BLOCK
from cardrome.games.tapdeck.rules.cards import Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.legal import attacks_now, can_act
from cardrome.games.tapdeck.rules.state import Creature, State


@kernel
def wound(w: Weights, c: Creature, damage: int) -> int:
    """What a creature loses in worth by damage."""
    attack, health = int(c.attack), int(c.health)
    return creature_value(w, attack, health) - creature_value(w, attack, health - damage)


@large_kernel
def coming(s: State) -> int:
    """The damage of all attackers that are not blocked yet."""
    damage = 0
    for i in range(s.n_creatures):
        c = s.creatures[i]
        if attacks_now(s, c) and not c.blocked:
            damage += int(c.attack)
    return damage


@large_kernel
def block_greedily(w: Weights, rules: Rules, deck: Deck, plan: Plan) -> None:
    """Plan the rest of the blocking phase, its end included."""
    s = plan.state
    damage = coming(s)
    searching = True
    while searching:
        health = int(s.health[s.current])
        best, best_attacker, best_blocker = 0, -1, -1
        now = life_value(w, health - damage)
        for i in range(s.n_creatures):
            attacker = s.creatures[i]
            if attacks_now(s, attacker):
                spared = 0
                if not attacker.blocked:
                    spared = life_value(w, health - damage + int(attacker.attack)) - now
                for j in range(s.n_creatures):
                    blocker = s.creatures[j]
                    if can_act(s, blocker):
                        gain = (
                            spared + wound(w, attacker, int(blocker.attack)) - wound(w, blocker, int(attacker.attack))
                        )
                        if gain > best:
                            best, best_attacker, best_blocker = gain, i, j
        if best_attacker >= 0:
            attacker = s.creatures[best_attacker]
            if not attacker.blocked:
                damage -= int(attacker.attack)
            number = int(deck.cards[s.creatures[best_attacker].card].id)
            add(rules, deck, plan, BLOCK, number, int(deck.cards[s.creatures[best_blocker].card].id))
        else:
            searching = False
    add(rules, deck, plan, FINISH_BLOCK, 0, 0)
