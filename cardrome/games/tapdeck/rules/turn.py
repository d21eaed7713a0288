"""A turn: the blocking phase, the actions, and its end. One function per rule.

Kernels take the edition's numbers (`rules`), the deck and the state (`s`). They assume that what they do is allowed;
`cardrome.games.tapdeck.rules.legal` says whether it is. Creatures are named by their place on the board.
"""

from __future__ import annotations

from cardrome.engine.kernel import entry, kernel
from cardrome.engine.records import Records
from cardrome.games.tapdeck.rules.actions import (
    ATTACK,
    BLOCK,
    BURN_CARD,
    DISCARD_CARD,
    DRAW_CARD,
    END_TURN,
    FINISH_BLOCK,
    MYSELF,
    OPPONENT,
    PLAY_CARD,
    action_kind,
    first_number,
    second_number,
)
from cardrome.games.tapdeck.rules.cards import BUFF, CREATURE_CARD, DAMAGE, HEAL, TAKE, CardRecord, Deck
from cardrome.games.tapdeck.rules.edition import Rules
from cardrome.games.tapdeck.rules.legal import GAME_HAS_ENDED, OK, refusal, refuse_player
from cardrome.games.tapdeck.rules.state import (
    BY_HEALTH,
    BY_TURNS,
    PLAYING,
    Creature,
    State,
    card_of_id,
    place_in_hand,
    place_on_board,
    put_on_board,
    remove_from_board,
    remove_from_hand,
    take_into_hand,
)


@kernel
def start_match(rules: Rules, s: State) -> None:
    """Empty hands, an empty board, all cards in the deck; player 0 begins."""
    s.turn = 0
    s.top = 0
    s.n_creatures = 0
    s.current = 0
    s.ending = PLAYING
    for p in range(2):
        s.health[p] = rules.initial_health
        s.n_hand[p] = 0
    start_turn(rules, s)


@kernel
def start_turn(rules: Rules, s: State) -> None:
    """The current player's turn begins with its blocking phase."""
    s.mana = 0
    s.draws_left = rules.draws
    s.burns_left = rules.burns
    s.declared = 0
    s.blocking = True


@kernel
def change_health(rules: Rules, s: State, player: int, change: int) -> None:
    """Heal or hurt a player, within 0 and the initial health. At 0 the match is over at once."""
    health = min(max(s.health[player] + change, 0), rules.initial_health)
    s.health[player] = health
    if health == 0:
        s.ending = BY_HEALTH


@kernel
def change_creature(s: State, place: int, change: int) -> None:
    """Heal or hurt a creature, up to its maximum; at 0 or below it is removed from the game."""
    creature = s.creatures[place]
    creature.health = min(creature.health + change, creature.max_health)
    if creature.health <= 0:
        remove_from_board(s, place)


@kernel
def block(s: State, attacker: int, blocker: int) -> None:
    """Two creatures fight, both with their present attack. The attacker will not hurt the player this turn."""
    attacking, blocking = s.creatures[attacker], s.creatures[blocker]
    attacking.blocked = True
    blocking.active = False
    damage, answer = int(attacking.attack), int(blocking.attack)
    # The one further up the list is hurt first: if it dies, the other keeps its place.
    if attacker > blocker:
        change_creature(s, attacker, -answer)
        change_creature(s, blocker, -damage)
    else:
        change_creature(s, blocker, -damage)
        change_creature(s, attacker, -answer)


@kernel
def finish_blocking(rules: Rules, s: State) -> None:
    """Attackers that were not blocked hurt the current player; the attack is over, and their own creatures wake."""
    damage = 0
    for i in range(s.n_creatures):
        creature = s.creatures[i]
        if creature.owner == s.current:
            creature.active = True
        elif creature.declared > 0:
            if creature.blocked == 0:
                damage += int(creature.attack)
            creature.declared = 0
            creature.blocked = False
    s.blocking = False
    change_health(rules, s, int(s.current), -damage)


@kernel
def draw_card(deck: Deck, s: State) -> None:
    """The top card of the deck goes to the current player's hand."""
    take_into_hand(deck, s, int(s.current), int(s.top))
    s.top += 1
    s.draws_left -= 1


@kernel
def burn_card(s: State) -> None:
    """The top card of the deck is removed from the game."""
    s.top += 1
    s.burns_left -= 1


@kernel
def discard_card(s: State, place: int) -> None:
    """A card of the current player's hand is removed from the game."""
    remove_from_hand(s, int(s.current), place)


@kernel
def add_mana(deck: Deck, s: State, place: int) -> None:
    """Tap a creature: it falls asleep and gives its mana."""
    creature = s.creatures[place]
    creature.active = False
    s.mana += deck.cards[creature.card].mana


@kernel
def attack(s: State, place: int) -> None:
    """Order a creature to attack: it falls asleep. The damage comes when the opponent's blocking phase ends."""
    creature = s.creatures[place]
    s.declared += 1
    creature.declared = s.declared
    creature.active = False


@kernel
def play_card(rules: Rules, deck: Deck, s: State, place: int, target: int) -> None:
    """Pay for a card in hand and play it: a creature enters the board, a spell has its effect and is gone."""
    player = int(s.current)
    card = int(s.hands[player, place])
    remove_from_hand(s, player, place)
    s.mana -= deck.cards[card].cost
    if deck.cards[card].kind == CREATURE_CARD:
        put_on_board(deck, s, player, card)
    else:
        cast(rules, deck, s, deck.cards[card], target)


@kernel
def cast(rules: Rules, deck: Deck, s: State, spell: CardRecord, target: int) -> None:
    """The effect of a spell on a player or a creature."""
    kind = int(spell.kind)
    if kind == TAKE:
        s.draws_left += spell.attack
    elif target == MYSELF or target == OPPONENT:
        player = int(s.current) if target == MYSELF else 1 - int(s.current)
        change_health(rules, s, player, int(spell.health) if kind == HEAL else -int(spell.attack))
    else:
        place = place_on_board(s, card_of_id(deck, target))
        if kind == HEAL:
            change_creature(s, place, int(spell.health))
        elif kind == DAMAGE:
            change_creature(s, place, -int(spell.attack))
        elif kind == BUFF:
            buff(s.creatures[place], spell)
        else:
            # One that attacks goes on attacking: it was asleep already.
            s.creatures[place].active = False


@kernel
def buff(creature: Creature, spell: CardRecord) -> None:
    """Raise a creature's attack, and its health together with its maximum."""
    creature.attack += spell.attack
    creature.health += spell.health
    creature.max_health += spell.health


@kernel
def end_turn(rules: Rules, s: State) -> None:
    """Time is up. An open blocking phase closes first; attacks ordered in the very last turn come to nothing."""
    if s.blocking:
        finish_blocking(rules, s)
    if s.ending == PLAYING:
        s.turn += 1
        if s.turn == rules.turns:
            s.ending = BY_TURNS
        else:
            s.current = 1 - s.current
            start_turn(rules, s)


@kernel
def apply_action(rules: Rules, deck: Deck, s: State, code: int) -> None:
    """Carry out an action that is allowed."""
    kind, first, second = action_kind(code), first_number(code), second_number(code)
    card = card_of_id(deck, first)
    if kind == BLOCK:
        block(s, place_on_board(s, card), place_on_board(s, card_of_id(deck, second)))
    elif kind == FINISH_BLOCK:
        finish_blocking(rules, s)
    elif kind == DRAW_CARD:
        draw_card(deck, s)
    elif kind == BURN_CARD:
        burn_card(s)
    elif kind == DISCARD_CARD:
        discard_card(s, place_in_hand(s, int(s.current), card))
    elif kind == PLAY_CARD:
        play_card(rules, deck, s, place_in_hand(s, int(s.current), card), second)
    elif kind == ATTACK:
        attack(s, place_on_board(s, card))
    elif kind == END_TURN:
        end_turn(rules, s)
    else:
        add_mana(deck, s, place_on_board(s, card))


@kernel
def obey(rules: Rules, deck: Deck, s: State, player: int, code: int) -> int:
    """A player commands an action; returns 0, or the error code.

    Anything but a block closes the blocking phase first, and leaves it closed even if it is then refused. END_TURN
    does so itself: nothing can be said against it, even if the attackers kill.
    """
    refused = refuse_player(s, player)
    if refused != OK:
        return int(refused)
    kind = action_kind(code)
    if s.blocking and kind != BLOCK and kind != FINISH_BLOCK and kind != END_TURN:
        finish_blocking(rules, s)
        if s.ending != PLAYING:
            return GAME_HAS_ENDED
    refused = refusal(rules, deck, s, code)
    if refused == OK:
        apply_action(rules, deck, s, code)
    return int(refused)


@entry(Rules, State, int)
def new_match(rules: Records[Rules], states: Records[State], i: int) -> int:
    """Set a state to the beginning of a match."""
    start_match(rules[0], states[i])
    return 0


@entry(Rules, Deck, State, int, int, int)
def command(rules: Records[Rules], decks: Records[Deck], states: Records[State], i: int, player: int, code: int) -> int:
    """A player's command on match ``i``; returns 0, or the error code."""
    return obey(rules[0], decks[0], states[i], player, code)


@entry(Rules, State)
def tick_all(rules: Records[Rules], states: Records[State]) -> int:
    """Time is up in all matches at once; returns how many go on."""
    going_on = 0
    for i in range(len(states)):
        s = states[i]
        if s.ending == PLAYING:
            end_turn(rules[0], s)
            if s.ending == PLAYING:
                going_on += 1
    return going_on
