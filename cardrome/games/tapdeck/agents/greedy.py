"""The greedy agent: one step after the other, each the one that gains most at once.

It blocks where that pays, draws, plays the card that gains most for the creatures it has to tap, again and again, and
then attacks with what the opponent cannot block well, as long as enough stays awake to block.
"""

from __future__ import annotations

from cardrome.engine.kernel import kernel, large_kernel, shared_kernel
from cardrome.games.tapdeck.agents.card_choice import draw_and_burn, draw_more, exchange_cards
from cardrome.games.tapdeck.agents.evaluate import (
    Weights,
    awake,
    can_finish,
    card_value,
    creature_value,
    life_value,
    mana_value,
    past_blockers,
)
from cardrome.games.tapdeck.agents.plan import Plan, add, add_end, mana_within_reach, tap_for
from cardrome.games.tapdeck.rules.actions import ATTACK, BLOCK, FINISH_BLOCK, MYSELF, NO_TARGET, OPPONENT, PLAY_CARD
from cardrome.games.tapdeck.rules.cards import BUFF, CREATURE_CARD, DAMAGE, HEAL, TAKE, CardRecord, Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.legal import attacks_now, can_act
from cardrome.games.tapdeck.rules.state import PLAYING, Creature, State


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


SELDOM = 1 << 30
"""More than any gain."""


@kernel
def spell_gain_on_player(w: Weights, rules: Rules, s: State, spell: CardRecord, target: int) -> int:
    """What healing oneself or hurting the opponent gains; nobody does the opposite."""
    me = int(s.current)
    if target == MYSELF:
        health = int(s.health[me])
        return life_value(w, min(health + int(spell.health), int(rules.initial_health))) - life_value(w, health)
    health = int(s.health[1 - me])
    return life_value(w, health) - life_value(w, health - int(spell.attack))


@kernel
def spell_gain_on_creature(w: Weights, s: State, spell: CardRecord, c: Creature) -> int:
    """What a spell on a creature gains; negative if it helps the wrong player."""
    kind, mine = int(spell.kind), c.owner == s.current
    attack, health = int(c.attack), int(c.health)
    if kind == DAMAGE:
        return -1 if mine else wound(w, c, int(spell.attack))
    if not mine:
        # A creature that sleeps already is not worth a spell, and the others only if something gets past them.
        return int(w.lull) + attack if kind != HEAL and kind != BUFF and c.active else -1
    if kind == HEAL:
        healed = min(health + int(spell.health), int(c.max_health))
        return creature_value(w, attack, healed) - creature_value(w, attack, health)
    if kind == BUFF:
        more = creature_value(w, attack + int(spell.attack), health + int(spell.health))
        return more - creature_value(w, attack, health) + 5 * health  # the healthy make more of it
    return -1


@large_kernel
def best_target(w: Weights, rules: Rules, deck: Deck, s: State, spell: CardRecord) -> tuple[int, int]:
    """The target on which a spell gains most, and what it gains there; below 0 if there is none."""
    kind = int(spell.kind)
    best, target = -1, NO_TARGET
    if kind == HEAL:
        best, target = spell_gain_on_player(w, rules, s, spell, MYSELF), MYSELF
    elif kind == DAMAGE:
        best, target = spell_gain_on_player(w, rules, s, spell, OPPONENT), OPPONENT
    for i in range(s.n_creatures):
        gain = spell_gain_on_creature(w, s, spell, s.creatures[i])
        if gain > best:
            best, target = gain, int(deck.cards[s.creatures[i].card].id)
    return best, target


@large_kernel
def tap_loss(w: Weights, deck: Deck, s: State, cost: int) -> int:
    """What is given up by tapping for a card, roughly: the attacks of the weakest creatures that give mana."""
    missing = cost - int(s.mana)
    loss, floor = 0, -1
    while missing > 0:
        best, mana = -1, 0
        for i in range(s.n_creatures):
            c = s.creatures[i]
            attack = int(c.attack)
            gives = int(deck.cards[c.card].mana)
            if can_act(s, c) and gives > 0 and attack > floor and (best < 0 or attack <= best):
                mana = mana + gives if attack == best else gives
                best = attack
        if best < 0:
            return SELDOM
        loss += int(w.tap) * best * min(missing, mana)
        missing -= mana
        floor = best
    return loss


@large_kernel
def play_gain(w: Weights, rules: Rules, deck: Deck, s: State, card: CardRecord, my_mana: int) -> tuple[int, int]:
    """What playing a card on its best target gains, and that target."""
    kind = int(card.kind)
    if kind == CREATURE_CARD:
        gain = creature_value(w, int(card.attack), int(card.health))
        gain += mana_value(w, my_mana + int(card.mana)) - mana_value(w, my_mana)
        # One that is played in the last turns does nothing any more.
        return (gain, NO_TARGET) if int(s.turn) + 2 < int(rules.turns) else (0, NO_TARGET)
    if kind == TAKE:
        room = int(rules.hand_limit) - int(s.n_hand[s.current]) + 1
        cards = min(room, int(deck.n) - int(s.top)) - int(s.draws_left)
        gain = int(w.card) * max(0, min(int(card.attack), cards))
        return (gain + gain // 2 if int(s.turn) + 2 < int(rules.turns) else 0), MYSELF
    return best_target(w, rules, deck, s, card)


@kernel
def mana_on_board(deck: Deck, s: State, player: int) -> int:
    """The mana that all of a player's creatures give."""
    mana = 0
    for i in range(s.n_creatures):
        if s.creatures[i].owner == player:
            mana += int(deck.cards[s.creatures[i].card].mana)
    return mana


@large_kernel
def play_greedily(w: Weights, rules: Rules, deck: Deck, plan: Plan) -> None:
    """Play cards, each time the one that gains most, until none gains anything."""
    s = plan.state
    me = int(s.current)
    going_on = True
    while going_on and s.ending == PLAYING:
        within_reach = mana_within_reach(deck, s)
        my_mana = mana_on_board(deck, s, me)
        best, best_place, best_target_id = 0, -1, NO_TARGET
        for i in range(s.n_hand[me]):
            card = deck.cards[s.hands[me, i]]
            if card.cost <= within_reach:
                gain, target = play_gain(w, rules, deck, s, card, my_mana)
                if gain > 0:
                    gain -= card_value(w, card) // 2 if card.kind != CREATURE_CARD else 0
                    gain -= tap_loss(w, deck, s, int(card.cost))
                if gain > best:
                    best, best_place, best_target_id = gain, i, target
        if best_place >= 0:
            card = deck.cards[s.hands[me, best_place]]
            tap_for(rules, deck, plan, int(card.cost))
            add(rules, deck, plan, PLAY_CARD, int(card.id), best_target_id)
            if s.ending == PLAYING:
                draw_more(rules, deck, plan)
        else:
            going_on = False


@large_kernel
def attack_gain(w: Weights, s: State, place: int) -> int:
    """What an attack gains if the opponent answers it in the best way."""
    me = int(s.current)
    attacker = s.creatures[place]
    health = int(s.health[1 - me])
    worst = life_value(w, health) - life_value(w, max(1, health - int(attacker.attack)))
    for i in range(s.n_creatures):
        blocker = s.creatures[i]
        if blocker.owner != me and blocker.active:
            worst = min(worst, wound(w, blocker, int(attacker.attack)) - wound(w, attacker, int(blocker.attack)))
    return worst


@large_kernel
def attack_all(rules: Rules, deck: Deck, plan: Plan) -> None:
    """Attack with everything that is awake and can hurt."""
    s = plan.state
    for i in range(s.n_creatures):
        c = s.creatures[i]
        if can_act(s, c) and c.attack > 0:
            add(rules, deck, plan, ATTACK, int(deck.cards[c.card].id), 0)


@large_kernel
def attack_greedily(w: Weights, rules: Rules, deck: Deck, plan: Plan) -> None:
    """Attack, each time with the creature that gains most, less the harm that its absence as a blocker allows."""
    s = plan.state
    me = int(s.current)
    left = int(rules.turns) - int(s.turn)
    if left <= 1:
        return  # attacks of the very last turn come to nothing
    if left == 2 or can_finish(rules, s):
        attack_all(rules, deck, plan)
        return
    health = int(s.health[me])
    blockers = awake(s, me)
    harm = life_value(w, health - past_blockers(s, 1 - me, 1, blockers))
    going_on = True
    while going_on:
        best, best_place = 0, -1
        less = life_value(w, health - past_blockers(s, 1 - me, 1, blockers - 1))
        cost = (harm - less) * int(w.hold) // 100
        for i in range(s.n_creatures):
            c = s.creatures[i]
            if c.owner == me and c.active and c.attack > 0:
                gain = attack_gain(w, s, i) - cost
                if gain > best:
                    best, best_place = gain, i
        if best_place >= 0:
            add(rules, deck, plan, ATTACK, int(deck.cards[s.creatures[best_place].card].id), 0)
            blockers -= 1
            harm = less
        else:
            going_on = False


@shared_kernel
def plan_greedily(w: Weights, rules: Rules, deck: Deck, plan: Plan) -> None:
    """Plan the rest of a turn."""
    s = plan.state
    if s.blocking:
        block_greedily(w, rules, deck, plan)
    if s.ending == PLAYING:
        draw_and_burn(w, rules, deck, plan)
        if not can_finish(rules, s):
            play_greedily(w, rules, deck, plan)
    if s.ending == PLAYING:
        exchange_cards(w, rules, deck, plan)
        attack_greedily(w, rules, deck, plan)
    add_end(rules, deck, plan)
