"""A bot for Legends of Code and Magic that plays every edition.

It reads what the referee sends, decides, and answers with one line. Your ideas go into the functions between the two
lines of ====; nothing else has to change. Never print anything but answers: debug with print(..., file=sys.stderr).
"""

import sys
from dataclasses import dataclass

CREATURE, GREEN, RED, BLUE = 0, 1, 2, 3  # types of cards; all but creatures are items
HAND, MINE, THEIRS = 0, 1, -1  # where a card is: in my hand, on my board, on my opponent's board
FACE = -1  # the target that means my opponent, not a creature
TARGET, LANE1, LANE2 = 0, 1, 2  # what a card works on: one creature, all of its lane, both lanes


@dataclass
class Player:
    """A line about me or my opponent."""

    health: int
    mana: int  # at the start of the turn; 0 before the battle
    deck: int  # cards left to draw
    rune: int  # the next health at which a card is drawn; 0 where there are no runes
    draw: int  # cards drawn this turn (my opponent: next turn); 0 in editions that do not say


@dataclass
class Card:
    """A line about a card that I am offered, hold, or see on the board."""

    number: int  # which card it is
    id: int  # which copy of it: actions name cards by their ids
    location: int
    type: int
    cost: int
    attack: int
    defense: int
    abilities: str  # Breakthrough, Charge, Drain, Guard, Lethal, Ward: "BCDGLW", with - for what is missing
    my_health: int  # what playing it does to my health,
    opponent_health: int  # to my opponent's,
    draw: int  # and how many more cards I draw next turn
    area: int  # TARGET in editions without areas
    lane: int  # 0 or 1 on the board, -1 elsewhere


@dataclass
class Turn:
    """Everything the referee tells me before it waits for an answer."""

    me: Player
    opponent: Player
    opponent_hand: int  # how many cards my opponent holds
    opponent_actions: list[str]  # what they did in their last turn, as "cardNumber ACTION"
    cards: list[Card]
    lanes: int  # 1 or 2

    def at(self, location: int) -> list[Card]:
        """The cards in a place."""
        return [card for card in self.cards if card.location == location]


# ===================================================== your ideas =====================================================


def value(card: Card) -> float:
    """How much I want a card in my deck."""
    worth: float = abs(card.attack) + abs(card.defense) + 6 - card.abilities.count("-")
    worth += card.my_health / 2 - card.opponent_health / 2 + 2 * card.draw
    if card.area != TARGET:
        worth *= 1.5
    return worth - 2.5 * card.cost - (0 if card.type == CREATURE else 3)


def pick(turn: Turn) -> str:
    """Draft: three cards are offered thirty times, and I take one."""
    best = max(range(len(turn.cards)), key=lambda k: value(turn.cards[k]))
    return f"PICK {best}"


def construct(turn: Turn) -> str:
    """Constructed (1.5): choose thirty of all cards at once, at most two of each."""
    best = sorted(turn.cards, key=value, reverse=True)[:15]
    return ";".join(f"CHOOSE {card.number};CHOOSE {card.number}" for card in best)


def battle(turn: Turn) -> list[str]:
    """One turn of the battle, as a list of actions. They are carried out in this order."""
    actions: list[str] = []
    mana = turn.me.mana
    hand, mine, theirs = turn.at(HAND), turn.at(MINE), turn.at(THEIRS)
    attackers = list(mine)
    hand.sort(key=lambda card: -card.cost)

    # Summon the dearest creatures that I can pay, each into the lane where I have fewer.
    room = [6 // turn.lanes] * turn.lanes
    for card in mine:
        room[card.lane] -= 1
    for card in hand:
        lane = room.index(max(room))
        if card.type == CREATURE and card.cost <= mana and room[lane] > 0:
            actions.append(f"SUMMON {card.id} {lane}" if turn.lanes == 2 else f"SUMMON {card.id}")
            mana -= card.cost
            room[lane] -= 1
            if card.area != TARGET:  # a second one appears, if there is room for it
                room[lane if card.area == LANE1 else 1 - lane] -= 1
            card.lane = lane
            mine.append(card)
            if "C" in card.abilities:  # all others have to wait a turn
                attackers.append(card)

    # Attack: creatures with Guard have to be dealt with first, then my opponent.
    for card in attackers:
        if card.attack == 0:
            continue
        guards = [enemy for enemy in theirs if enemy.lane == card.lane and "G" in enemy.abilities]
        if not guards:
            actions.append(f"ATTACK {card.id} {FACE}")
            continue
        guard = min(guards, key=lambda enemy: enemy.defense)
        actions.append(f"ATTACK {card.id} {guard.id}")
        strike(card, guard)
        strike(guard, card)
        theirs = [enemy for enemy in theirs if enemy.defense > 0]
    mine = [card for card in mine if card.defense > 0]

    # Use items with the mana that is left: on the strongest creature, or (blue) on my opponent.
    for card in hand:
        if card.type == CREATURE or card.cost > mana:
            continue
        targets = mine if card.type == GREEN else theirs
        if card.type == BLUE:
            target = FACE
        elif targets:
            target = max(targets, key=lambda creature: creature.attack).id
        else:
            continue
        actions.append(f"USE {card.id} {target}")
        mana -= card.cost
        if card.type == RED:
            theirs = []  # whoever it hits may be gone: one red item a turn is enough
    return actions


def strike(attacker: Card, defender: Card) -> None:
    """What the blow of one creature does to another. In a fight both strike."""
    if attacker.attack <= 0:
        return
    if "W" in defender.abilities:
        defender.abilities = defender.abilities.replace("W", "-")
    elif "L" in attacker.abilities:
        defender.defense = 0
    else:
        defender.defense -= attacker.attack


# ====================================================== the frame =====================================================


def decide(turn: Turn) -> str:
    """The line to answer. Before the battle I have no mana; in it I have some."""
    if turn.me.mana == 0:
        return pick(turn) if len(turn.cards) == 3 else construct(turn)
    if turn.me.health <= 0:
        return "PASS"  # I am dead: the referee still wants an answer
    return ";".join(battle(turn)) or "PASS"


def read_words() -> list[str]:
    """The words of the next line. The referee ends a game by closing the input."""
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return line.split()


def read_turn() -> Turn:
    """Read all that the referee sends before it waits for an answer. Editions differ in what a line holds."""
    lines = [read_words(), read_words(), read_words()]
    third = [int(word) for word in lines[2]]
    has_actions = len(third) == 2  # the oldest editions do not tell what my opponent did
    players = []
    for line in lines[:2]:
        health, mana, deck, *rest = map(int, line)
        if len(rest) == 2:
            rune, draw = rest
        else:
            rune, draw = (0, rest[0]) if has_actions else (rest[0], 0)
        players.append(Player(health, mana, deck, rune, draw))
    actions = [" ".join(read_words()) for _ in range(third[1] if has_actions else 0)]
    cards, lanes = [], 1
    for _ in range(int(read_words()[0])):
        words = read_words()
        number, id_, location, type_, cost, attack, defense = map(int, words[:7])
        my_health, opponent_health, draw, *rest = map(int, words[8:])
        area = rest[0] if len(rest) == 2 else TARGET
        lane = rest[-1] if rest else 0
        lanes = 2 if rest else 1
        effects = my_health, opponent_health, draw
        cards.append(Card(number, id_, location, type_, cost, attack, defense, words[7], *effects, area, lane))
    return Turn(players[0], players[1], third[0], actions, cards, lanes)


while True:
    print(decide(read_turn()), flush=True)
