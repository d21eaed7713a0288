"""The rule-based agent: a player who follows the rules of thumb of good beginners.

In this order: finish the opponent if that can be done; play the items and chargers of the best way to spend the mana;
attack where it pays, two creatures on one enemy if need be; then bring the creatures of that same way; pass.
"""

from __future__ import annotations

from typing import Annotated

from cardrome.engine.kernel import kernel, large_kernel, shared_kernel
from cardrome.engine.records import Integers, Record, Records
from cardrome.games.locm.agents.evaluate import Weights, is_guarded, judge
from cardrome.games.locm.rules.battle import apply_battle, has_room
from cardrome.games.locm.rules.cards import BLUE_ITEM, CHARGE, CREATURE_CARD, GREEN_ITEM, CardRecord
from cardrome.games.locm.rules.edition import ATTACK, BOARD_SIZE, HAND_LIMIT, MAX_ACTIONS, PASS, Rules
from cardrome.games.locm.rules.legal import list_actions
from cardrome.games.locm.rules.state import NOBODY, DealRecord, Player, State

MOST_MANA = 16
"""More than the mana cap and the bonus of any edition."""


class Plan(Record):
    """Scratch memory of the choice."""

    trial: Annotated[Records[State], 1]
    follow_ups: Annotated[Integers, "i2", MAX_ACTIONS]
    """Codes of actions that may come next."""
    card_gain: Annotated[Integers, "i4", HAND_LIMIT]
    """What each card gains at best, and below each attacker."""
    attacker_gain: Annotated[Integers, "i4", BOARD_SIZE]
    spent: Annotated[Integers, "i4", MOST_MANA]
    """The most that each amount of mana can gain, and below, as bits, the cards for it."""
    cards: Annotated[Integers, "i2", MOST_MANA]


class Trials(Record):
    """Scratch memory of an agent that tries all actions."""

    codes: Annotated[Integers, "i2", MAX_ACTIONS]
    """The legal actions, below what each is worth and where it leads."""
    values: Annotated[Integers, "i4", MAX_ACTIONS]
    positions: Annotated[Records[State], MAX_ACTIONS]
    plan: Plan


@large_kernel
def try_actions(w: Weights, rules: Rules, deal: DealRecord, s: State, trials: Trials, n: int) -> None:
    """Try every battle action on a copy: note the position after it, and what that is worth.

    Except PASS, the first of the list: it would begin the opponent's turn, of which nobody can know the cards. Its
    place holds the present position.
    """
    viewer = int(s.current)
    for k in range(n):
        trials.positions[k] = s
        if trials.codes[k] != PASS:
            apply_battle(rules, deal, trials.positions[k], trials.codes[k])
        trials.values[k] = judge(w, rules, trials.positions[k], viewer)


# Finishing


@kernel
def board_damage(rules: Rules, me: Player, foe: Player) -> int:
    """The damage that ready creatures can do to the opponent where no guard stands in the way."""
    damage = 0
    for place in range(BOARD_SIZE):
        if me.board[place].can_attack and not is_guarded(rules, foe, int(rules.lane_of[place])):
            damage += int(me.board[place].attack)
    return damage


@kernel
def card_damage(rules: Rules, card: CardRecord, open_lane: bool, attackers: bool) -> int:
    """The damage a card can do to the opponent this turn: burn, a charge into an open lane, a boosted attack."""
    damage = -int(card.opponent_health)
    if card.type == BLUE_ITEM:
        damage -= int(card.defense)
    elif card.type == CREATURE_CARD:
        damage += int(card.attack) if card.abilities & CHARGE and open_lane else 0
    elif card.type == GREEN_ITEM:
        damage = damage + int(card.attack) if attackers else 0
    else:
        damage = 0  # red items need a target, and seldom burn
    return max(0, damage)


@kernel
def spend_mana(deal: DealRecord, me: Player, gains: Integers, plan: Plan) -> int:
    """The most that the cards in hand can gain together for the mana there is; ``plan.cards`` says with which."""
    mana = int(me.mana)
    for m in range(mana + 1):
        plan.spent[m] = 0
        plan.cards[m] = 0
    for i in range(me.n_hand):
        cost = int(deal.cards[me.hand[i].card].cost)
        if gains[i] > 0:
            for m in range(mana, cost - 1, -1):
                total = int(plan.spent[m - cost]) + int(gains[i])
                if total > plan.spent[m]:
                    plan.spent[m] = total
                    plan.cards[m] = int(plan.cards[m - cost]) | 1 << i
    return int(plan.spent[mana])


@large_kernel
def can_finish(rules: Rules, deal: DealRecord, s: State, plan: Plan) -> bool:
    """The player to move can bring the opponent down this turn by hitting them and nothing else."""
    me, foe = s.players[s.current], s.players[1 - s.current]
    health = int(foe.health)
    damage = board_damage(rules, me, foe)
    if damage >= health:
        return True
    open_lane = False
    for lane in range(rules.lanes):
        open_lane |= has_room(rules, me, lane) and not is_guarded(rules, foe, lane)
    all_cards = 0
    for i in range(me.n_hand):
        burn = card_damage(rules, deal.cards[me.hand[i].card], open_lane, damage > 0)
        plan.card_gain[i] = burn
        all_cards += burn
    if damage + all_cards < health:
        return False
    return damage + spend_mana(deal, me, plan.card_gain, plan) >= health


# Choosing


@large_kernel
def follow_up(
    w: Weights, rules: Rules, deal: DealRecord, s: State, after: State, plan: Plan, action: int, value: int
) -> int:
    """The most that another creature of the lane, attacking after this attack, adds to what it would gain anyhow.

    ``after`` is the position after the action, ``value`` what it is judged at.
    """
    viewer = int(s.current)
    place = int(rules.action_source[action])
    lane = int(rules.lane_of[place])
    died = after.players[viewer].n_lane[lane] < s.players[viewer].n_lane[lane]
    codes = plan.follow_ups
    best = 0
    for k in range(list_actions(rules, deal, after, codes)):
        source = int(rules.action_source[codes[k]])
        if rules.action_kind[codes[k]] == ATTACK and rules.lane_of[source] == lane:
            plan.trial[0] = after
            apply_battle(rules, deal, plan.trial[0], codes[k])
            before = source + 1 if died and source >= place else source  # those behind a dead attacker moved up
            best = max(best, judge(w, rules, plan.trial[0], viewer) - value - int(plan.attacker_gain[before]))
    return best


@kernel
def note_best_gains(rules: Rules, codes: Integers, n: int, values: Integers, plan: Plan) -> None:
    """Note what each card in hand and each attacker gains at best."""
    for i in range(HAND_LIMIT):
        plan.card_gain[i] = 0
    for i in range(BOARD_SIZE):
        plan.attacker_gain[i] = 0
    for k in range(1, n):
        source = int(rules.action_source[codes[k]])
        gain = int(values[k]) - int(values[0])
        if rules.action_kind[codes[k]] == ATTACK:
            plan.attacker_gain[source] = max(int(plan.attacker_gain[source]), gain)
        else:
            plan.card_gain[source] = max(int(plan.card_gain[source]), gain)


@large_kernel
def choose_play(
    rules: Rules, deal: DealRecord, me: Player, codes: Integers, n: int, values: Integers, cards: int, early: bool
) -> int:
    """The best action with one of the given cards, or PASS.

    Early cards come before the attacks: items, which clear their way, and creatures that join them. The others come
    after, when it is seen where there is room and what they meet.
    """
    best = 0
    for k in range(1, n):
        source = int(rules.action_source[codes[k]])
        if rules.action_kind[codes[k]] != ATTACK and cards >> source & 1:
            card = deal.cards[me.hand[source].card]
            joins = card.type != CREATURE_CARD or card.abilities & CHARGE != 0
            if joins == early and values[k] > values[best]:
                best = k
    return int(codes[best])


@large_kernel
def choose_attack(
    w: Weights,
    rules: Rules,
    deal: DealRecord,
    s: State,
    codes: Integers,
    n: int,
    trials: Records[State],
    values: Integers,
    plan: Plan,
) -> int:
    """The attack that gains most, alone or with another one to follow, or PASS."""
    best, best_gain = PASS, 0
    for k in range(1, n):
        if rules.action_kind[codes[k]] == ATTACK:
            gain = int(values[k]) - int(values[0])
            gain += follow_up(w, rules, deal, s, trials[k], plan, int(codes[k]), int(values[k]))
            if gain > best_gain:
                best, best_gain = int(codes[k]), gain
    return best


@large_kernel
def choose_by_rules(
    w: Weights,
    rules: Rules,
    deal: DealRecord,
    s: State,
    codes: Integers,
    n: int,
    trials: Records[State],
    values: Integers,
    plan: Plan,
) -> int:
    """The next battle action by the rules above, all actions having been tried."""
    viewer = int(s.current)
    me = s.players[viewer]
    for k in range(1, n):
        if trials[k].winner == viewer or (trials[k].winner == NOBODY and can_finish(rules, deal, trials[k], plan)):
            return int(codes[k])
    note_best_gains(rules, codes, n, values, plan)
    spend_mana(deal, me, plan.card_gain, plan)
    cards = int(plan.cards[me.mana])
    action = choose_play(rules, deal, me, codes, n, values, cards, True)
    if action == PASS:
        action = choose_attack(w, rules, deal, s, codes, n, trials, values, plan)
    if action == PASS:
        action = choose_play(rules, deal, me, codes, n, values, cards, False)
    return action


@shared_kernel
def act_by_rules(w: Weights, rules: Rules, deal: DealRecord, s: State, trials: Trials) -> int:
    """The next battle action by the rules above."""
    n = int(list_actions(rules, deal, s, trials.codes))
    try_actions(w, rules, deal, s, trials, n)
    return choose_by_rules(w, rules, deal, s, trials.codes, n, trials.positions, trials.values, trials.plan)
