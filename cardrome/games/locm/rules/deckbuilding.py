"""Before the battle: draft offers, the constructed pool, choosing cards, shuffling, first hands."""

from __future__ import annotations

from cardrome.engine.javarandom import next_int, seeded
from cardrome.engine.kernel import kernel, large_kernel, shared_kernel
from cardrome.engine.records import Integers
from cardrome.games.locm.rules.battle import clear_place, draw_cards, start_turn
from cardrome.games.locm.rules.edition import DECK_SIZE, OFFER_LIMIT, Rules
from cardrome.games.locm.rules.state import BATTLE, DECK_BUILDING, NOBODY, UNKNOWN_ID, DealRecord, Player, State


@large_kernel
def draw_offers(rules: Rules, deal: DealRecord, seed: int, pool: Integers, taken: Integers) -> None:
    """Draw the draft: a pool of distinct cards, then for each round three different ones of it.

    A variant has the same offers: fewer rounds or cards of them, or more cards that are drawn after all of these.
    """
    random = seeded(seed)
    size = int(min(rules.draft_pool, rules.n_allowed))
    n_allowed = int(rules.n_allowed)
    for i in range(n_allowed):
        taken[i] = 0
    for i in range(size):
        random, k = next_int(random, n_allowed)
        while taken[k]:
            random, k = next_int(random, n_allowed)
        taken[k] = 1
        pool[i] = rules.allowed[k]
    for t in range(DECK_SIZE):
        random, a = next_int(random, size)
        random, b = next_int(random, size)
        while b == a:
            random, b = next_int(random, size)
        random, c = next_int(random, size)
        while c == a or c == b:
            random, c = next_int(random, size)
        deal.offers[t, 0] = pool[a]
        deal.offers[t, 1] = pool[b]
        deal.offers[t, 2] = pool[c]
    if rules.offer_size != 3 or rules.deck_size != DECK_SIZE:
        vary_offers(rules, deal, random, pool, size)


@large_kernel
def vary_offers(rules: Rules, deal: DealRecord, random: int, pool: Integers, size: int) -> None:
    """Make the draft of a variant from that of its edition."""
    for k in range(3, rules.offer_size):
        for t in range(DECK_SIZE):
            again = True
            while again:
                random, card = next_int(random, size)
                deal.offers[t, k] = pool[card]
                again = False
                for other in range(k):
                    again |= deal.offers[t, other] == deal.offers[t, k]
    for t in range(DECK_SIZE):
        for k in range(0 if t >= rules.deck_size else rules.offer_size, OFFER_LIMIT):
            deal.offers[t, k] = 0


@large_kernel
def start_game(rules: Rules, s: State) -> None:
    """An empty table: player 0 builds first."""
    s.phase = DECK_BUILDING
    s.current = 0
    s.winner = NOBODY
    s.turn = -1
    s.summoned = 0
    s.clones = 0
    for p in range(2):
        player = s.players[p]
        player.health = rules.start_health
        player.damage_taken = 0
        player.next_draw = 1
        player.shown_draw = 1
        player.max_mana = 0
        player.mana = 0
        player.bonus_mana = 0
        player.rune = rules.top_rune
        player.n_hand = 0
        player.n_deck = 0
        player.n_played = 0
        for lane in range(2):
            player.n_lane[lane] = 0
        for i in range(len(player.hand)):
            player.hand[i].card = 0
            player.hand[i].id = 0
        for i in range(len(player.board)):
            clear_place(player.board[i])
        for i in range(DECK_SIZE):
            player.deck[i].card = 0
            player.deck[i].id = 0


@kernel
def add_to_deck(player: Player, card: int) -> None:
    """The chosen card is the next of the deck; it has no id before the battle."""
    player.deck[player.n_deck].card = card
    player.deck[player.n_deck].id = UNKNOWN_ID
    player.n_deck += 1


@kernel
def choose(rules: Rules, deal: DealRecord, s: State, action: int) -> None:
    """Take an offer or a card of the pool, and pass on: in a draft after every card, else when the deck is full."""
    me = s.players[s.current]
    if rules.offer_size > 0:
        add_to_deck(me, deal.offers[me.n_deck, action])
        s.current = 1 - s.current
    else:
        add_to_deck(me, action)
        if me.n_deck == rules.deck_size:
            s.current = 1 - s.current
    if s.players[0].n_deck == rules.deck_size and s.players[1].n_deck == rules.deck_size:
        start_battle(rules, deal, s)


@kernel
def instance_id(rules: Rules, player: int, k: int) -> int:
    """The id of a player's k-th card."""
    return rules.id_base + rules.id_step * k + rules.id_player_step * player


@kernel
def number_cards(rules: Rules, player: Player, p: int) -> None:
    """Give the cards of a deck their ids, in its present order."""
    for k in range(rules.deck_size):
        player.deck[k].id = instance_id(rules, p, k)


@kernel
def shuffle(rules: Rules, player: Player, seed: int) -> None:
    """``Collections.shuffle`` of the deck."""
    random = seeded(seed)
    for i in range(int(rules.deck_size), 1, -1):
        random, j = next_int(random, i)
        card = player.deck[j].card
        card_id = player.deck[j].id
        player.deck[j] = player.deck[i - 1]
        player.deck[i - 1].card = card
        player.deck[i - 1].id = card_id


@kernel
def lay_down(rules: Rules, player: Player) -> None:
    """A deck with fewer cards than it has places for moves to the last of these, where it is drawn from."""
    n = int(rules.deck_size)
    for k in range(1, n + 1):
        player.deck[DECK_SIZE - k] = player.deck[n - k]
    for k in range(min(n, DECK_SIZE - n)):
        player.deck[k].card = 0
        player.deck[k].id = 0


@shared_kernel
def start_battle(rules: Rules, deal: DealRecord, s: State) -> None:
    """Shuffle, number the cards, draw the first hands; then player 0's first turn begins."""
    s.phase = BATTLE
    for p in range(2):
        player = s.players[p]
        if not rules.ids_by_deck_position:
            number_cards(rules, player, p)
        shuffle(rules, player, deal.shuffle_seed[p])
        if rules.ids_by_deck_position:
            number_cards(rules, player, p)
        if rules.deck_size < DECK_SIZE:
            lay_down(rules, player)
        player.bonus_mana = rules.bonus_mana if p == 1 else 0
        player.max_mana = player.bonus_mana
        player.mana = player.max_mana
        draw_cards(rules, player, rules.first_hand if p == 0 else rules.second_hand, 0)
    s.current = 1
    start_turn(rules, s)
