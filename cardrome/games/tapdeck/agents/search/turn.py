"""The best ways to play one turn, as far as they are promising: blocks, draws and burns, cards, attackers.

A beam of plans grows block by block, then card by card; positions that were seen before, in whatever order they came
about, are not looked at again. A plan is rated by what the position is worth if the turn ended there and the opponent
blocked well. The best plans are tried with several sets of attackers.
"""

from __future__ import annotations

from typing import Annotated

from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.random import step
from cardrome.engine.records import Integers, Record, Records, i4, i8
from cardrome.games.tapdeck.agents.beam import is_sensible, keep, mark
from cardrome.games.tapdeck.agents.card_choice import (
    MOST_SEQUENCES,
    draw_more,
    exchange_cards,
    follow_sequence,
    list_sequences,
)
from cardrome.games.tapdeck.agents.evaluate import Weights, awake, can_finish, past_blockers
from cardrome.games.tapdeck.agents.greedy import attack_all, attack_greedily, block_greedily, plan_greedily
from cardrome.games.tapdeck.agents.plan import (
    Plan,
    add,
    add_end,
    begin_plan,
    copy_plan,
    mana_within_reach,
    tap_for,
)
from cardrome.games.tapdeck.agents.search.brain import Brain
from cardrome.games.tapdeck.agents.search.worth import SURE, Mind, worth_of
from cardrome.games.tapdeck.rules.actions import ATTACK, BLOCK, FINISH_BLOCK, MYSELF, NO_TARGET, OPPONENT, PLAY_CARD
from cardrome.games.tapdeck.rules.cards import BUFF, CREATURE_CARD, DAMAGE, HEAL, TAKE, CardRecord, Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.legal import attacks_now, can_act
from cardrome.games.tapdeck.rules.state import BY_HEALTH, PLAYING, State
from cardrome.games.tapdeck.rules.turn import block, finish_blocking

WIDEST = 32
"""Plans of one length that are continued, at the most."""
ROOTS = 4
"""Ways to block that are followed further."""
MOST_CANDIDATES = 32
"""Plans that are tried with attackers."""
MOST_LINES = 48
"""Whole turns that a search may give."""
SEEN = 1 << 13
"""Places in the table of positions that were seen."""
STEPS = 12
"""Cards that are played in one turn at most, and blocks made."""
MOST_ATTACKERS = 60
"""Creatures whose attacks are weighed one by one."""
WIN_WIDTH = 24
"""Plans of one length that are continued when a win is looked for."""


UNIT = 1000.0
"""Plans are worth thousandths of a logit, in whole numbers."""
DONE = -int(4 * UNIT * SURE)
"""The value of a candidate that need not be looked at any more."""
_MARK = (1 << 40) - 1


class Effort(Record):
    """How much the search of a turn looks at."""

    looks: i4
    """Positions that are rated."""
    width: i4
    """Plans of one length that are continued."""
    candidates: i4
    """Plans that are tried with attackers."""
    lines: i4
    """Whole turns that are kept."""


class TurnSearch(Record):
    """Scratch memory for the search of a turn."""

    mind: Mind
    looks: i8
    """Positions rated, since the memory was made."""
    left: i8
    """Positions that may still be rated in this turn."""
    salt: i8
    """Makes what earlier searches have left in `seen` meaningless."""
    n_beam: i4
    n_grown: i4
    n_roots: i4
    n_candidates: i4
    n_lines: i4
    n_places: i4
    beam: Annotated[Records[Plan], WIDEST]
    grown: Annotated[Records[Plan], WIDEST]
    roots: Annotated[Records[Plan], ROOTS]
    candidates: Annotated[Records[Plan], MOST_CANDIDATES]
    lines: Annotated[Records[Plan], MOST_LINES]
    """Whole turns; their states are at the opponent's blocking phase."""
    trial: Plan
    whole: Plan
    answer: Plan
    seen: Annotated[Integers, "i8", SEEN]
    sequences: Annotated[Integers, "i8", MOST_SEQUENCES]
    values: Annotated[Integers, "i8", MOST_SEQUENCES]
    places: Annotated[Integers, "i8", MOST_ATTACKERS]


# What a position is worth


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
    """Block the strongest attackers, with whoever is awake: what saves a player if anything does."""
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
    """The position after the opponent's blocking phase: they block as the greedy agent does, and so that they live."""
    begin_plan(answer, s)
    if least_damage(s) >= s.health[s.current]:
        finish_blocking(rules, answer.state)  # nothing helps
        return
    block_greedily(w, rules, deck, answer)
    if answer.state.ending != PLAYING:
        begin_plan(answer, s)
        block_strongest(rules, answer.state)


@large_kernel
def rate(brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch, s: State, me: int) -> int:
    """What a position is worth to a player, in thousandths: an action phase begins, or the opponent is to block."""
    t.left -= 1
    t.looks += 1
    if s.ending == PLAYING and s.blocking:
        answer_blocks(w, rules, deck, t.answer, s)
        return int(UNIT * worth_of(brain, w, rules, deck, t.answer.state, me, t.mind))
    return int(UNIT * worth_of(brain, w, rules, deck, s, me, t.mind))


@large_kernel
def rate_whole(
    brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch, plan: Plan, e: Effort, me: int
) -> int:
    """What a plan is worth if the turn ends there; it is one of the lines if it is good enough."""
    whole = t.whole
    copy_plan(whole, plan)
    if whole.state.ending == PLAYING:
        exchange_cards(w, rules, deck, whole)
    add_end(rules, deck, whole)
    whole.value = rate(brain, w, rules, deck, t, whole.state, me)
    whole.mark = mark(whole.state)
    t.n_lines = keep(t.lines, int(t.n_lines), int(e.lines), whole)
    return int(whole.value)


@kernel
def is_new(t: TurnSearch, number: int) -> bool:
    """A position has not been seen in this search. What is forgotten, because another took its place, is new again."""
    number = (number ^ t.salt) & _MARK
    slot = number & (SEEN - 1)
    if t.seen[slot] == number:
        return False
    t.seen[slot] = number
    return True


@kernel
def forget(t: TurnSearch) -> None:
    """Forget all positions that were seen, so that nothing depends on what was searched before."""
    t.salt = 0
    for i in range(SEEN):
        t.seen[i] = -1


# Blocking


@large_kernel
def search_blocks(brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch, plan: Plan, e: Effort) -> None:
    """Grow ways to block, pair by pair; the best become the roots."""
    me = int(plan.state.current)
    t.n_roots = 0
    # The usual way to block first: it may be longer than the search.
    copy_plan(t.trial, plan)
    block_greedily(w, rules, deck, t.trial)
    t.trial.value = rate(brain, w, rules, deck, t, t.trial.state, me)
    t.trial.mark = mark(t.trial.state)
    t.n_roots = keep(t.roots, 0, ROOTS, t.trial)
    copy_plan(t.beam[0], plan)
    t.n_beam = 1
    close_blocks(brain, w, rules, deck, t, t.beam[0], me)
    reserve = int(t.left) // 2
    depth = 0
    while t.n_beam > 0 and depth < STEPS:
        t.n_grown = 0
        for b in range(t.n_beam):
            s = t.beam[b].state
            for i in range(s.n_creatures):
                attacker = s.creatures[i]
                if attacks_now(s, attacker):
                    for j in range(s.n_creatures):
                        blocker = s.creatures[j]
                        if can_act(s, blocker) and t.left > reserve:
                            copy_plan(t.trial, t.beam[b])
                            first, second = int(deck.cards[attacker.card].id), int(deck.cards[blocker.card].id)
                            add(rules, deck, t.trial, BLOCK, first, second)
                            t.trial.mark = mark(t.trial.state)
                            if is_new(t, int(t.trial.mark)):
                                close_blocks(brain, w, rules, deck, t, t.trial, me)
                                t.n_grown = keep(t.grown, int(t.n_grown), int(e.width), t.trial)
        swap_beam(t)
        depth += 1


@large_kernel
def close_blocks(brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch, plan: Plan, me: int) -> None:
    """Close the blocking phase of a plan on a copy: what it is worth then, and whether it is one of the roots."""
    closed = t.whole
    copy_plan(closed, plan)
    add(rules, deck, closed, FINISH_BLOCK, 0, 0)
    closed.value = rate(brain, w, rules, deck, t, closed.state, me)
    closed.mark = mark(closed.state)
    plan.value = closed.value
    t.n_roots = keep(t.roots, int(t.n_roots), ROOTS, closed)


@kernel
def swap_beam(t: TurnSearch) -> None:
    """What has grown is the beam of the next step."""
    t.n_beam = t.n_grown
    for b in range(t.n_grown):
        copy_plan(t.beam[b], t.grown[b])


# Cards


@large_kernel
def try_play(
    brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch, e: Effort, b: int, card: CardRecord, target: int
) -> None:
    """Continue a plan of the beam by playing a card; the result competes for the next beam and as a candidate."""
    if t.left <= 0:
        return
    trial = t.trial
    s = trial.state
    copy_plan(trial, t.beam[b])
    me = int(s.current)
    tap_for(rules, deck, trial, int(card.cost))
    add(rules, deck, trial, PLAY_CARD, int(card.id), target)
    if s.ending == PLAYING:
        draw_more(rules, deck, trial)
    trial.mark = mark(s)
    if is_new(t, int(trial.mark)):
        trial.value = rate_whole(brain, w, rules, deck, t, trial, e, me)
        t.n_grown = keep(t.grown, int(t.n_grown), int(e.width), trial)
        t.n_candidates = keep(t.candidates, int(t.n_candidates), int(e.candidates), trial)


@large_kernel
def grow(brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch, e: Effort, b: int) -> None:
    """Continue a plan of the beam with every card on every sensible target."""
    s = t.beam[b].state
    if s.ending != PLAYING:
        return
    me = int(s.current)
    mana = mana_within_reach(deck, s)
    for i in range(s.n_hand[me]):
        card = deck.cards[s.hands[me, i]]
        kind = int(card.kind)
        if card.cost > mana:
            continue
        if kind == CREATURE_CARD:
            try_play(brain, w, rules, deck, t, e, b, card, NO_TARGET)
            continue
        if kind == TAKE or (kind == HEAL and s.health[me] < rules.initial_health):
            try_play(brain, w, rules, deck, t, e, b, card, MYSELF)
        if kind == DAMAGE:
            try_play(brain, w, rules, deck, t, e, b, card, OPPONENT)
        if kind != TAKE:
            for j in range(s.n_creatures):
                c = s.creatures[j]
                wounded = c.health < c.max_health
                if is_sensible(kind, c.owner == me, c.active != 0) and (kind != HEAL or wounded):
                    try_play(brain, w, rules, deck, t, e, b, card, int(deck.cards[c.card].id))


@large_kernel
def search_cards(brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch, e: Effort) -> None:
    """Draw and burn in every way from all roots, then let the plans grow card by card; the best of all lengths become
    candidates."""
    t.n_candidates = 0
    t.n_grown = 0
    for r in range(t.n_roots):
        sequences = 1
        if t.roots[r].state.ending == PLAYING:
            sequences = list_sequences(w, rules, deck, t.roots[r].state, t.sequences, t.values)
        for k in range(sequences):
            trial = t.trial
            copy_plan(trial, t.roots[r])
            me = int(trial.state.current)
            if trial.state.ending == PLAYING:
                follow_sequence(rules, deck, trial, int(t.sequences[k]))
            trial.mark = mark(trial.state)
            trial.value = rate_whole(brain, w, rules, deck, t, trial, e, me)
            t.n_grown = keep(t.grown, int(t.n_grown), WIDEST, trial)
            t.n_candidates = keep(t.candidates, int(t.n_candidates), int(e.candidates), trial)
    swap_beam(t)
    depth = 0
    while t.n_beam > 0 and depth < STEPS:
        t.n_grown = 0
        for b in range(t.n_beam):
            grow(brain, w, rules, deck, t, e, b)
        swap_beam(t)
        depth += 1


# Attackers


@large_kernel
def list_attackers(s: State, t: TurnSearch) -> int:
    """Note the current player's creatures that may attack; returns how many."""
    n = 0
    for i in range(s.n_creatures):
        c = s.creatures[i]
        if can_act(s, c) and c.attack > 0 and n < MOST_ATTACKERS:
            t.places[n] = i
            n += 1
    return n


@large_kernel
def rate_attackers(
    brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch, e: Effort, plan: Plan, n: int, mask: int
) -> int:
    """What a plan is worth with the attackers whose bits are set."""
    trial = t.trial
    copy_plan(trial, plan)
    s = trial.state
    for k in range(n):
        if mask >> k & 1:
            add(rules, deck, trial, ATTACK, int(deck.cards[s.creatures[t.places[k]].card].id), 0)
    return int(rate_whole(brain, w, rules, deck, t, trial, e, int(s.current)))


@large_kernel
def first_attackers(brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch, e: Effort, plan: Plan) -> None:
    """Try a plan with all attackers, and with those that the greedy agent takes; note the best set, and its value."""
    plan.attackers = 0
    if plan.state.ending != PLAYING or plan.state.turn + 1 >= rules.turns:
        return
    n = list_attackers(plan.state, t)
    if n == 0:
        return
    every = (1 << n) - 1
    value = rate_attackers(brain, w, rules, deck, t, e, plan, n, every)
    if value > plan.value:
        plan.value = value
        plan.attackers = every
    copy_plan(t.trial, plan)
    attack_greedily(w, rules, deck, t.trial)
    chosen = 0
    for k in range(n):
        if t.trial.state.creatures[t.places[k]].active == 0:
            chosen |= 1 << k
    if chosen != 0 and chosen != every:
        value = rate_whole(brain, w, rules, deck, t, t.trial, e, int(plan.state.current))
        if value > plan.value:
            plan.value = value
            plan.attackers = chosen


@large_kernel
def improve_attackers(brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch, e: Effort, plan: Plan) -> None:
    """Add attackers to a plan's set, or take them out, one at a time, as long as that helps."""
    value, mask = int(plan.value), int(plan.attackers)
    plan.value = DONE
    if plan.state.ending != PLAYING or plan.state.turn + 1 >= rules.turns:
        return
    n = list_attackers(plan.state, t)
    since, k = 0, 0
    while since < n and t.left > 0:
        changed = mask ^ (1 << k)
        found = rate_attackers(brain, w, rules, deck, t, e, plan, n, changed)
        since += 1
        if found > value:
            value, mask, since = found, changed, 0
        k = k + 1 if k + 1 < n else 0


@kernel
def best_plan(plans: Records[Plan], n: int) -> int:
    """The place of the plan that is worth most."""
    best = 0
    for i in range(1, n):
        if plans[i].value > plans[best].value:
            best = i
    return best


# Winning at once


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
            return True  # who knows what comes
    return bool(damage >= s.health[1 - me])


@large_kernel
def try_towards_win(rules: Rules, deck: Deck, t: TurnSearch, b: int, card: CardRecord, target: int) -> bool:
    """Continue a plan of the beam by playing a card; returns whether it has won, or wins by attacking with all."""
    trial = t.trial
    s = trial.state
    copy_plan(trial, t.beam[b])
    me = int(s.current)
    tap_for(rules, deck, trial, int(card.cost))
    add(rules, deck, trial, PLAY_CARD, int(card.id), target)
    if s.ending == PLAYING:
        draw_more(rules, deck, trial)
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
def search_win(w: Weights, rules: Rules, deck: Deck, t: TurnSearch) -> bool:
    """Look for a win from the best way to block, this turn or by attackers that cannot be stopped; if there is one, it
    is the only line."""
    s = t.trial.state
    copy_plan(t.trial, t.roots[best_plan(t.roots, int(t.n_roots))])
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


# The search


@large_kernel
def search_turn(brain: Brain, w: Weights, rules: Rules, deck: Deck, t: TurnSearch, s: State, e: Effort) -> bool:
    """Search the rest of a turn for the best ways to end it; returns whether there is a win, which is the only line
    then."""
    me = int(s.current)
    t.salt = step(int(t.salt))
    t.left = e.looks
    t.n_lines = 0
    # What the greedy agent would do is one of the turns considered.
    begin_plan(t.trial, s)
    plan_greedily(w, rules, deck, t.trial)
    t.trial.value = rate(brain, w, rules, deck, t, t.trial.state, me)
    t.trial.mark = mark(t.trial.state)
    t.n_lines = keep(t.lines, 0, int(e.lines), t.trial)
    begin_plan(t.candidates[0], s)
    if s.blocking:
        search_blocks(brain, w, rules, deck, t, t.candidates[0], e)
    else:
        t.n_roots = 1
        copy_plan(t.roots[0], t.candidates[0])
    if search_win(w, rules, deck, t):
        return True
    t.salt = step(int(t.salt))
    search_cards(brain, w, rules, deck, t, e)
    for c in range(t.n_candidates):
        first_attackers(brain, w, rules, deck, t, e, t.candidates[c])
    while t.left > 0 and t.n_candidates > 0:
        best = best_plan(t.candidates, int(t.n_candidates))
        if t.candidates[best].value == DONE:
            break
        improve_attackers(brain, w, rules, deck, t, e, t.candidates[best])
    return False
