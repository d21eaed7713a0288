"""The battle: what happens at the start of a turn and what each action does.

Kernels take the edition's numbers (`rules`), the deal and the state; ``me`` and ``foe`` are the two players' records.
They assume that the action is legal; `cardrome.games.locm.rules.legal` says whether it is.
"""

from __future__ import annotations

from cardrome.engine.kernel import kernel, large_kernel, shared_kernel
from cardrome.games.locm.rules.cards import (
    BREAKTHROUGH,
    CHARGE,
    DRAIN,
    GREEN_ITEM,
    LANE_1,
    LANE_2,
    LETHAL,
    WARD,
    CardRecord,
)
from cardrome.games.locm.rules.edition import (
    BOARD_SIZE,
    DECK_SIZE,
    ENEMY_TARGETS,
    HAND_LIMIT,
    OWN_TARGETS,
    SUMMON,
    USE,
    Rules,
)
from cardrome.games.locm.rules.state import NOBODY, Creature, DealRecord, Player, State


@kernel
def change_health(rules: Rules, player: Player, change: int) -> None:
    """Heal or hurt a player. Hurting breaks runes or counts towards extra cards, whoever caused it."""
    player.health += change
    if change < 0:
        # The referee breaks a rune when health reaches it, not only when it falls below.
        while player.rune > 0 and player.health <= player.rune:
            player.rune -= rules.rune_step
            player.next_draw += 1
        if rules.damage_per_extra_card > 0:
            before = player.damage_taken // rules.damage_per_extra_card
            player.damage_taken -= change
            player.next_draw += player.damage_taken // rules.damage_per_extra_card - before


@kernel
def break_top_rune(rules: Rules, player: Player) -> None:
    """A card that cannot be drawn: health falls to the next rune, which breaks without a card; or to 0."""
    player.health = player.rune
    if player.rune > 0:
        player.rune -= rules.rune_step


@kernel
def draw_one(player: Player) -> None:
    """The top card of the deck goes to the end of the hand."""
    top = DECK_SIZE - player.n_deck
    player.hand[player.n_hand] = player.deck[top]
    player.deck[top].card = 0
    player.deck[top].id = 0
    player.n_hand += 1
    player.n_deck -= 1


@kernel
def draw_cards_with_runes(rules: Rules, player: Player, n: int, own_turn: int) -> None:
    """Draw n cards; every card owed by an empty deck, or over the turn limit, breaks a rune."""
    for _ in range(n):
        # The referee looks at the deck before it looks at the hand: a full hand does not save the rune.
        if player.n_deck == 0 or own_turn >= rules.turn_limit:
            break_top_rune(rules, player)
        elif player.n_hand == HAND_LIMIT:
            break
        else:
            draw_one(player)


@kernel
def draw_cards_with_damage(rules: Rules, player: Player, n: int, own_turn: int) -> None:
    """Draw n cards; every card owed by an empty deck costs health, and so does each turn over the limit.

    This damage counts for no extra card.
    """
    if own_turn >= rules.turn_limit:
        player.health -= rules.missing_card_damage
    for _ in range(n):
        if player.n_hand == HAND_LIMIT:  # a full hand saves from the damage of an empty deck
            break
        if player.n_deck == 0:
            player.health -= rules.missing_card_damage
        else:
            draw_one(player)


@kernel
def draw_cards(rules: Rules, player: Player, n: int, own_turn: int) -> None:
    """Draw n cards, with runes or with damage."""
    if rules.missing_card_damage > 0:
        draw_cards_with_damage(rules, player, n, own_turn)
    else:
        draw_cards_with_runes(rules, player, n, own_turn)


@kernel
def gain_mana(rules: Rules, player: Player) -> None:
    """One more mana, up to the cap. The second player's bonus is lost once a turn has ended with no mana left."""
    if player.max_mana < rules.mana_cap + player.bonus_mana:
        player.max_mana += 1
    if player.bonus_mana > 0 and player.mana == 0:
        player.max_mana -= player.bonus_mana
        player.bonus_mana = 0
    player.mana = player.max_mana


@kernel
def end_turn(rules: Rules, player: Player) -> None:
    """The player's creatures rest. What they will draw next, as known now, is what their opponent is shown."""
    for i in range(BOARD_SIZE):
        player.board[i].can_attack = False
        player.board[i].has_attacked = False
    player.shown_draw = player.next_draw


@large_kernel
def start_turn(rules: Rules, s: State) -> None:
    """Pass the turn to the other player: mana, ready creatures, cards. Drawing may kill them."""
    end_turn(rules, s.players[s.current])
    s.current = 1 - s.current
    s.turn += 1
    me = s.players[s.current]
    gain_mana(rules, me)
    for i in range(BOARD_SIZE):
        me.board[i].can_attack = me.board[i].order > 0  # places without a creature have no order
    draw_cards(rules, me, me.next_draw, s.turn >> 1)
    me.shown_draw = me.next_draw
    me.next_draw = 1
    me.damage_taken = 0
    check_winner(s)


@kernel
def check_winner(s: State) -> None:
    """If both are dead the player who acted wins; there is no draw."""
    if s.players[1 - s.current].health <= 0:
        s.winner = s.current
    elif s.players[s.current].health <= 0:
        s.winner = 1 - s.current
    else:
        s.winner = NOBODY


@kernel
def play_card(me: Player, position: int) -> None:
    """A card leaves the hand and is listed among the cards played."""
    me.deck[me.n_played] = me.hand[position]
    me.n_played += 1
    last = me.n_hand - 1
    for i in range(position, last):
        me.hand[i] = me.hand[i + 1]
    me.hand[last].card = 0
    me.hand[last].id = 0
    me.n_hand = last


@kernel
def enter_board(
    rules: Rules, s: State, me: Player, card: CardRecord, card_index: int, creature_id: int, lane: int
) -> None:
    """A creature comes to the end of a lane. It can attack at once only with Charge."""
    c = me.board[lane * rules.lane_slots + me.n_lane[lane]]
    me.n_lane[lane] += 1
    s.summoned += 1
    c.attack = card.attack
    c.defense = card.defense
    c.order = s.summoned
    c.card = card_index
    c.id = creature_id
    c.abilities = card.abilities
    c.can_attack = card.abilities & CHARGE != 0
    c.has_attacked = False
    c.touched = False


@kernel
def clear_place(c: Creature) -> None:
    """No creature stands here: everything is zero."""
    c.attack = 0
    c.defense = 0
    c.order = 0
    c.card = 0
    c.id = 0
    c.abilities = 0
    c.can_attack = False
    c.has_attacked = False
    c.touched = False


@kernel
def leave_board(rules: Rules, player: Player, place: int, lane: int) -> None:
    """A creature dies: those behind it in its lane move up."""
    last = lane * rules.lane_slots + player.n_lane[lane] - 1
    for i in range(place, last):
        player.board[i] = player.board[i + 1]
    clear_place(player.board[last])
    player.n_lane[lane] -= 1


@kernel
def has_room(rules: Rules, player: Player, lane: int) -> bool:
    """One more creature fits into the lane."""
    return player.n_lane[lane] < rules.lane_slots


@kernel
def clone_id(rules: Rules, s: State, original: int) -> int:
    """The instance id of a clone: beside its original's, or (older builds) the next free number."""
    if rules.clone_id_step > 0:
        return original + rules.clone_id_step
    s.clones += 1
    return rules.first_clone_id + s.clones - 1


@large_kernel
def summon(rules: Rules, deal: DealRecord, s: State, position: int, lane: int) -> None:
    """SUMMON: pay, put the creature on the board (twice if its area says so and there is room), apply its effects."""
    me = s.players[s.current]
    foe = s.players[1 - s.current]
    card_index = me.hand[position].card
    creature_id = me.hand[position].id
    card = deal.cards[card_index]
    play_card(me, position)
    me.mana -= card.cost
    enter_board(rules, s, me, card, card_index, creature_id, lane)
    n = 1
    if card.area != 0 and rules.area_effects:
        clone_lane = 1 - lane if card.area == LANE_2 else lane
        if has_room(rules, me, clone_lane):
            enter_board(rules, s, me, card, card_index, clone_id(rules, s, creature_id), clone_lane)
            n = 2
    change_health(rules, me, n * card.my_health)
    change_health(rules, foe, n * card.opponent_health)
    me.next_draw += n * card.card_draw


@kernel
def attacked_place(rules: Rules, place: int, target: int) -> int:
    """Where the enemy stands that the creature at a place attacks: targets count the places of its lane from 1."""
    return int(rules.lane_of[place]) * int(rules.lane_slots) + target - 1


@kernel
def attack_player(rules: Rules, s: State, place: int) -> None:
    """ATTACK the opponent."""
    me = s.players[s.current]
    a = me.board[place]
    a.can_attack = False
    a.has_attacked = True
    a.touched = True
    if a.abilities & DRAIN:
        change_health(rules, me, a.attack)
    change_health(rules, s.players[1 - s.current], -a.attack)


@large_kernel
def attack_creature(rules: Rules, s: State, place: int, target: int) -> None:
    """ATTACK a creature of the same lane: both strike at once, with their values before the fight."""
    me = s.players[s.current]
    foe = s.players[1 - s.current]
    a = me.board[place]
    d = foe.board[target]
    lane = int(rules.lane_of[place])
    attack = int(a.attack)
    to_defender = 0 if d.abilities & WARD else attack
    to_attacker = 0 if a.abilities & WARD else int(d.attack)
    defender_dies = to_defender >= d.defense or (a.abilities & LETHAL and to_defender > 0)
    attacker_dies = to_attacker >= a.defense or (d.abilities & LETHAL and to_attacker > 0)
    # Drain heals the full attack value, however little defense was left.
    healed = attack if a.abilities & DRAIN and to_defender > 0 else 0
    # A kill that is due to Lethal alone has no excess damage.
    excess = to_defender - d.defense if a.abilities & BREAKTHROUGH and to_defender >= d.defense else 0
    if attack > 0:  # a strike of 0 leaves the Ward alone
        d.abilities &= ~WARD
    if d.attack > 0:
        a.abilities &= ~WARD
    a.can_attack = False
    a.has_attacked = True
    a.touched = True
    d.touched = True
    if attacker_dies:
        leave_board(rules, me, place, lane)
    else:
        a.defense -= to_attacker
    if defender_dies:
        leave_board(rules, foe, target, lane)
    else:
        d.defense -= to_defender
    change_health(rules, me, healed)
    change_health(rules, foe, -excess)


@kernel
def affect_creature(rules: Rules, card: CardRecord, owner: Player, place: int, lane: int) -> bool:
    """An item works on one creature. Returns whether the creature died of it."""
    c = owner.board[place]
    if card.type == GREEN_ITEM:
        c.abilities |= card.abilities
        if card.abilities & CHARGE:
            c.can_attack = not c.has_attacked
    else:
        c.abilities &= ~card.abilities
    c.attack = max(0, c.attack + card.attack)
    # Keywords come first: an item that takes the Ward away also does its damage.
    if card.defense < 0 and c.abilities & WARD:
        c.abilities &= ~WARD
    else:
        c.defense += card.defense
    c.touched = True
    if c.defense <= 0:
        leave_board(rules, owner, place, lane)
        return True
    return False


@kernel
def affect_lane(rules: Rules, card: CardRecord, owner: Player, lane: int) -> int:
    """An item works on every creature of a lane; returns how many it reached, dead ones included."""
    n = int(owner.n_lane[lane])
    place = lane * rules.lane_slots
    for _ in range(n):
        if not affect_creature(rules, card, owner, place, lane):
            place += 1
    return n


@large_kernel
def use_item(rules: Rules, deal: DealRecord, s: State, position: int, target: int) -> None:
    """USE: pay, change the target (or all creatures in the item's area), apply the effects on both players."""
    me = s.players[s.current]
    foe = s.players[1 - s.current]
    card = deal.cards[me.hand[position].card]
    play_card(me, position)
    me.mana -= card.cost
    if target == 0:
        # At the opponent: the defense value is damage to them, in one change with the other effect.
        change_health(rules, me, card.my_health)
        change_health(rules, foe, int(card.defense) + card.opponent_health)
        me.next_draw += card.card_draw
        return
    own = target < ENEMY_TARGETS
    owner = me if own else foe
    place = target - OWN_TARGETS if own else target - ENEMY_TARGETS
    lane = int(rules.lane_of[place])
    n = 1
    if card.area == 0 or not rules.area_effects:
        affect_creature(rules, card, owner, place, lane)
    elif card.area == LANE_1:
        n = affect_lane(rules, card, owner, lane)
    else:
        n = affect_lane(rules, card, owner, 0)
        n += affect_lane(rules, card, owner, 1)
    change_health(rules, me, n * card.my_health)
    change_health(rules, foe, n * card.opponent_health)
    me.next_draw += n * card.card_draw


@shared_kernel
def apply_battle(rules: Rules, deal: DealRecord, s: State, action: int) -> None:
    """Carry out a legal battle action; PASS ends the turn."""
    if action == 0:
        start_turn(rules, s)
        return
    kind = rules.action_kind[action]
    source = int(rules.action_source[action])
    target = int(rules.action_target[action])
    if kind == SUMMON:
        summon(rules, deal, s, source, target)
    elif kind == USE:
        use_item(rules, deal, s, source, target)
    elif target == 0:
        attack_player(rules, s, source)
    else:
        attack_creature(rules, s, source, attacked_place(rules, source, target))
    check_winner(s)
