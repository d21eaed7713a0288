"""Winning at once: a turn is searched for a win before anything else."""

from __future__ import annotations

from cardrome.engine.kernel import large_kernel
from cardrome.games.tapdeck.agents.beam import STEPS, add_card, best_of, keep, mark, swap_beam
from cardrome.games.tapdeck.agents.card_choice import draw_more
from cardrome.games.tapdeck.agents.evaluate import awake, can_finish, past_blockers
from cardrome.games.tapdeck.agents.greedy import attack_all
from cardrome.games.tapdeck.agents.plan import add_end, copy_plan, mana_within_reach
from cardrome.games.tapdeck.agents.search.memory import UNIT, TurnSearch, is_new
from cardrome.games.tapdeck.agents.search.worth import SURE
from cardrome.games.tapdeck.rules.actions import MYSELF, OPPONENT
from cardrome.games.tapdeck.rules.cards import BUFF, CREATURE_CARD, DAMAGE, HEAL, TAKE, CardRecord, Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.legal import can_act
from cardrome.games.tapdeck.rules.state import BY_HEALTH, PLAYING, State

WIN_WIDTH = 24
"""Plans of one length that are continued when a win is looked for."""


@large_kernel
def could_win(deck: Deck, s: State) -> bool:
    """All that is awake and all that is in hand could do enough damage, if nothing were blocked."""
    me = int(s.current)
    damage = 0
    for i in range(s.n_creatures):
        if can_act(s, s.creatures[i]):
            damage += int(s.creatures[i].attack)
    for i in range(s.n_hand[me]):
        card = deck.cards[s.hands[me, i]]
        if card.kind == DAMAGE or card.kind == BUFF:
            damage += int(card.attack)
        elif card.kind == TAKE:
            return True  # the new cards may bring anything
    return bool(damage >= s.health[1 - me])


@large_kernel
def try_towards_win(rules: Rules, deck: Deck, t: TurnSearch, b: int, card: CardRecord, target: int) -> bool:
    """Continue a plan of the beam by playing a card; returns whether it has won, or wins by attacking with all."""
    trial = t.trial
    s = trial.state
    me = int(t.beam[b].state.current)
    add_card(rules, deck, trial, t.beam[b], card, target)
    trial.mark = mark(s)
    if s.ending == BY_HEALTH or can_finish(rules, s):
        return True
    if is_new(t, int(trial.mark)):
        trial.value = past_blockers(s, me, 0, awake(s, 1 - me)) - int(s.health[1 - me])
        t.n_grown = keep(t.grown, int(t.n_grown), WIN_WIDTH, trial)
    return False


@large_kernel
def grow_towards_win(rules: Rules, deck: Deck, t: TurnSearch, b: int) -> bool:
    """Continue a plan of the beam with every card that can bring a win nearer; the trial has won if this says so."""
    s = t.beam[b].state
    me = int(s.current)
    mana = mana_within_reach(deck, s)
    for i in range(s.n_hand[me]):
        card = deck.cards[s.hands[me, i]]
        kind = int(card.kind)
        if card.cost > mana or kind == CREATURE_CARD or kind == HEAL:
            continue
        if kind == TAKE:
            if try_towards_win(rules, deck, t, b, card, MYSELF):
                return True
            continue
        if kind == DAMAGE and try_towards_win(rules, deck, t, b, card, OPPONENT):
            return True
        for j in range(s.n_creatures):
            c = s.creatures[j]
            helps = c.active and (c.owner == me) == (kind == BUFF) and (kind != DAMAGE or card.attack >= c.health)
            if helps and try_towards_win(rules, deck, t, b, card, int(deck.cards[c.card].id)):
                return True
    return False


@large_kernel
def search_win(rules: Rules, deck: Deck, t: TurnSearch) -> bool:
    """Look for a win from the best way to block, this turn or by attackers that cannot be stopped; if there is one, it
    is the only line."""
    s = t.trial.state
    copy_plan(t.trial, t.roots[best_of(t.roots, int(t.n_roots))])
    if s.ending != PLAYING:
        return False
    draw_more(rules, deck, t.trial)
    won = can_finish(rules, s)
    if not won and could_win(deck, s):
        copy_plan(t.beam[0], t.trial)
        t.n_beam = 1
        depth = 0
        while t.n_beam > 0 and depth < STEPS and not won:
            t.n_grown = 0
            for b in range(t.n_beam):
                if not won:
                    won = grow_towards_win(rules, deck, t, b)
            swap_beam(t)
            depth += 1
    if won:
        if s.ending == PLAYING:
            attack_all(rules, deck, t.trial)
        add_end(rules, deck, t.trial)
        t.trial.value = int(UNIT * SURE)
        copy_plan(t.lines[0], t.trial)
        t.n_lines = 1
    return won
