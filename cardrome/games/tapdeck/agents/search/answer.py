"""How the opponent blocks at the end of a turn, as the search of a turn imagines it."""

from __future__ import annotations

from cardrome.engine.kernel import kernel, large_kernel
from cardrome.games.tapdeck.agents.evaluate import Weights, awake
from cardrome.games.tapdeck.agents.greedy import block_greedily
from cardrome.games.tapdeck.agents.plan import Plan, begin_plan
from cardrome.games.tapdeck.rules.cards import Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.legal import can_act
from cardrome.games.tapdeck.rules.state import PLAYING, State
from cardrome.games.tapdeck.rules.turn import block, finish_blocking


@kernel
def least_damage(s: State) -> int:
    """The damage that the attackers of the opponent do at least, however the current player blocks: each creature
    that is awake can stop one of them."""
    return int(past_attackers(s, 1 - int(s.current), awake(s, int(s.current))))


@large_kernel
def past_attackers(s: State, player: int, blockers: int) -> int:
    """The damage of a player's declared attackers, less that of the strongest ones, as many as there are blockers."""
    damage = 0
    for i in range(s.n_creatures):
        c = s.creatures[i]
        if c.owner == player and c.declared > 0 and not c.blocked:
            damage += int(c.attack)
    last_attack, last_place = 1 << 40, -1
    for _ in range(blockers):
        place = strongest_attacker(s, player, last_attack, last_place)
        if place < 0:
            break
        last_attack, last_place = int(s.creatures[place].attack), place
        damage -= last_attack
    return damage


@kernel
def strongest_attacker(s: State, player: int, last_attack: int, last_place: int) -> int:
    """The place of the player's next attacker in the order of attack, after the one given; -1 if there is none."""
    best, place = -1, -1
    for i in range(s.n_creatures):
        c = s.creatures[i]
        attack = int(c.attack)
        comes_after = attack < last_attack or (attack == last_attack and i > last_place)
        if c.owner == player and c.declared > 0 and not c.blocked and attack > best and comes_after:
            best, place = attack, i
    return place


@large_kernel
def block_strongest(rules: Rules, s: State) -> None:
    """Block the strongest attackers with any creatures that are awake: if anything saves the player, this does."""
    me = int(s.current)
    blocking = True
    while blocking:
        attacker = strongest_attacker(s, 1 - me, 1 << 40, -1)
        blocker = -1
        for i in range(s.n_creatures):
            if can_act(s, s.creatures[i]):
                blocker = i
        blocking = attacker >= 0 and blocker >= 0
        if blocking:
            block(s, attacker, blocker)
    finish_blocking(rules, s)


@large_kernel
def answer_blocks(w: Weights, rules: Rules, deck: Deck, answer: Plan, s: State) -> None:
    """The position after the opponent's blocking phase: they block as the greedy agent does, or to survive."""
    begin_plan(answer, s)
    if least_damage(s) >= s.health[s.current]:
        finish_blocking(rules, answer.state)  # nothing helps
        return
    block_greedily(w, rules, deck, answer)
    if answer.state.ending != PLAYING:
        begin_plan(answer, s)
        block_strongest(rules, answer.state)
