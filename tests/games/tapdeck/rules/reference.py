"""A second Tapdeck, slow and plain: lists and dicts, no codes, no records. The real one is compared with it.

It follows the rules as they are written and shares no code with the package: not even the words of errors are looked
up there. A match is commanded in text, without the match's id, and answers with the whole reply.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

GENERAL = {2: "unknown command", 3: "bad format", 4: "too many arguments"}
GAME = {
    900: "NoCardWithSuchId you're trying to use a card with ID that is not known",
    901: "NotEnoughMana you don't have enough mana to play a card",
    903: "NotYourCard you're trying to operate on a card which you don't own",
    905: "InactiveCard you're performing an operation on a card which is not active",
    906: "CardNotInHand you cannot play a card that is not in your hand",
    907: "DrawLimitExceeded you have already reached the limit of cards to draw",
    908: "BurnLimitExceeded you have already reached the limit of cards to burn",
    910: "NoSuchAttacker there is no such attacker",
    911: "BlockingAlreadyFinished the blocking phase is over, you cannot block in this turn anymore",
    912: "CardNotOnBoard the specified card is not on board",
    913: "NotYourTurn now it's time for your opponent to move",
    915: "WrongTarget wrong target of the spell",
    916: "SpellTargetNotOnBoard the target of the spell is not on board",
    918: "DeckIsEmpty the deck is empty so you cannot draw nor burn a card",
    919: "HandLimitExceeded you cannot draw cards anymore",
    930: "NotYourMatch you are not a player in the match which has the given ID",
    932: "GameHasEnded you're trying to do something in a game which has already ended",
    933: "GameHasNotEndedYet you're trying to see the final score of the game which has not ended yet",
}
WORDS = GENERAL | GAME

ARGUMENTS = {
    "WAIT": 0,
    "GET_MY_MATCHES": 0,
    "GET_FINAL_SCORE": 1,
    "GET_TURN_INFO": 1,
    "GET_HP": 1,
    "GET_CARD_LIMITS": 1,
    "GET_CURRENT_MANA": 1,
    "GET_DECK": 1,
    "GET_HANDS": 1,
    "GET_BOARD": 1,
    "GET_ATTACKERS": 1,
    "DRAW_CARD": 1,
    "BURN_CARD": 1,
    "DISCARD_CARD": 2,
    "ADD_MANA": 2,
    "PLAY_CARD": 3,
    "ATTACK": 2,
    "BLOCK": 3,
    "FINISH_BLOCK": 1,
}
"""Every command and how many numbers follow it, the match's id included."""
SENT = {name.encode(): name for name in ARGUMENTS}
"""Commands by the bytes that they are sent as."""


def read(line: bytes) -> tuple[str, list[str]] | int:
    """A line's command and its numbers (without needless zeros and signs), or the error code."""
    words = [word for word in re.split(rb"[ \t\r\n]", line) if word]
    name = SENT.get(words[0].upper())
    if name is None:
        try:
            words[0].decode("utf-8")
        except UnicodeDecodeError:
            return 3
        return 2
    n = ARGUMENTS[name]
    if len(words) - 1 < n:
        return 3
    if len(words) - 1 > n:
        return 4
    numbers = []
    for word in words[1:]:
        found = re.fullmatch(rb"([+-]?)0*([0-9]+)", word)
        if found is None:
            return 3
        sign, digits = found[1].decode(), found[2].decode()
        numbers.append("-" + digits if sign == "-" and digits != "0" else digits)
    return name, numbers


class Refusal(Exception):
    """A command is refused."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass
class Card:
    """A card and all that happens to it."""

    id: int
    kind: str
    attack: int
    health: int
    max_health: int
    cost: int
    mana: int
    active: bool = False

    def line(self) -> str:
        return f"{self.id} {self.kind} {self.attack} {self.health} {self.max_health} {self.cost} {self.mana}"


@dataclass
class Side:
    """A player's part of the match."""

    health: int
    hand: dict[int, Card] = field(default_factory=dict)
    board: dict[int, Card] = field(default_factory=dict)


class ReferenceMatch:
    """One match."""

    def __init__(self, deck: str, health: int, turns: int, draws: int, burns: int, hand_limit: int) -> None:
        self.initial = health
        self.turns_left = turns
        self.draws, self.burns, self.hand_limit = draws, burns, hand_limit
        self.deck: list[Card] = []
        for line in deck.splitlines():
            number, kind, *values = line.split()
            attack, most, max_health, cost, mana = map(int, values)
            self.deck.append(Card(int(number), kind, attack, most, max_health, cost, mana))
        self.known = {card.id for card in self.deck}
        self.gone: set[int] = set()
        self.sides = [Side(health), Side(health)]
        self.attackers: list[Card] = []
        """Of the player to move next, in the order of their attacks; of the one before, while their victim blocks."""
        self.blocked: set[int] = set()
        self.seat = 0
        self.ended: str | None = None
        self._begin_turn()

    # Time

    def _begin_turn(self) -> None:
        self.mana = 0
        self.draws_left, self.burns_left = self.draws, self.burns
        self.blocking = True
        self.blocked = set()

    def tick(self) -> None:
        """The turn's time is over."""
        if self.ended:
            return
        if self.blocking:
            self._finish_blocking()
        if self.ended:
            return
        self.turns_left -= 1
        if self.turns_left == 0:
            self.ended = "turns"
            return
        self.seat = 1 - self.seat
        self._begin_turn()

    def _finish_blocking(self) -> None:
        self.blocking = False
        for creature in self.attackers:
            if creature.id not in self.blocked:
                self._hurt_player(self.seat, creature.attack)
        self.attackers = []
        for creature in self.sides[self.seat].board.values():
            creature.active = True

    # What commands do

    def command(self, seat: int, line: str) -> str:
        """A command in text; the reply in text."""
        words = line.split()
        got = read(" ".join([words[0], "1", *words[1:]]).encode())
        try:
            if isinstance(got, int):
                raise Refusal(got)
            name, numbers = got
            data = self._obey(seat, name, [int(number) for number in numbers[1:]])
        except Refusal as refusal:
            return f"ERR {refusal.code} {WORDS[refusal.code]}\n"
        return "".join(f"{each}\n" for each in ["OK", *data])

    def _obey(self, seat: int, name: str, numbers: list[int]) -> list[str]:
        if name == "GET_FINAL_SCORE":
            if not self.ended:
                raise Refusal(933)
            return [f"{self.score(seat)} {self.score(1 - seat)}"]
        if self.ended:
            raise Refusal(932)
        if name == "GET_TURN_INFO":
            return [f"{int(seat == self.seat)} {self.turns_left}"]
        if seat != self.seat:
            raise Refusal(913)
        me, other = self.sides[seat], self.sides[1 - seat]
        if name.startswith("GET_"):
            return self._ask(name, me, other)
        if name == "BLOCK":
            self._block(me, other, *numbers)
        elif name == "FINISH_BLOCK":
            if not self.blocking:
                raise Refusal(911)
            self._finish_blocking()
        else:
            if self.blocking:
                self._finish_blocking()
                if self.ended:
                    raise Refusal(932)
            return self._act(name, me, other, numbers)
        return []

    def _ask(self, name: str, me: Side, other: Side) -> list[str]:
        def by_id(cards: dict[int, Card]) -> list[Card]:
            return [cards[number] for number in sorted(cards)]

        if name == "GET_HP":
            return [f"{self.initial} {me.health} {other.health}"]
        if name == "GET_CARD_LIMITS":
            return [f"{self.draws_left} {self.burns_left} {self.hand_limit}"]
        if name == "GET_CURRENT_MANA":
            return [f"{self.mana}"]
        if name == "GET_DECK":
            return [f"{len(self.deck)}", *(card.line() for card in self.deck)]
        if name == "GET_HANDS":
            cards = by_id(me.hand) + by_id(other.hand)
            return [f"{len(me.hand)} {len(other.hand)}", *(card.line() for card in cards)]
        if name == "GET_BOARD":
            cards = by_id(me.board) + by_id(other.board)
            return [f"{len(me.board)} {len(other.board)}", *(f"{card.line()} {int(card.active)}" for card in cards)]
        assert name == "GET_ATTACKERS"
        attackers = self.attackers if self.blocking else []
        return [f"{len(attackers)}", *(card.line() for card in attackers)]

    def _act(self, name: str, me: Side, other: Side, numbers: list[int]) -> list[str]:
        if name == "DRAW_CARD":
            if self.draws_left == 0:
                raise Refusal(907)
            if not self.deck:
                raise Refusal(918)
            if len(me.hand) >= self.hand_limit:
                raise Refusal(919)
            self.draws_left -= 1
            card = self.deck.pop(0)
            me.hand[card.id] = card
            return [card.line()]
        if name == "BURN_CARD":
            if self.burns_left == 0:
                raise Refusal(908)
            if not self.deck:
                raise Refusal(918)
            self.burns_left -= 1
            self.gone.add(self.deck.pop(0).id)
        elif name == "DISCARD_CARD":
            self.gone.add(self._from_hand(numbers[0], me, other).id)
            del me.hand[numbers[0]]
        elif name == "ADD_MANA":
            creature = self._awake(numbers[0], me, other)
            creature.active = False
            self.mana += creature.mana
        elif name == "ATTACK":
            creature = self._awake(numbers[0], me, other)
            creature.active = False
            self.attackers.append(creature)
        else:
            assert name == "PLAY_CARD"
            self._play(me, other, *numbers)
        return []

    def _own(self, number: int, other: Side) -> None:
        if number not in self.known:
            raise Refusal(900)
        if number in other.hand or number in other.board:
            raise Refusal(903)

    def _from_hand(self, number: int, me: Side, other: Side) -> Card:
        self._own(number, other)
        if number not in me.hand:
            raise Refusal(906)
        return me.hand[number]

    def _awake(self, number: int, me: Side, other: Side) -> Card:
        self._own(number, other)
        if number not in me.board:
            raise Refusal(912)
        if not me.board[number].active:
            raise Refusal(905)
        return me.board[number]

    def _block(self, me: Side, other: Side, attacker_id: int, blocker_id: int) -> None:
        if not self.blocking:
            raise Refusal(911)
        attackers = {creature.id: creature for creature in self.attackers}
        if attacker_id not in attackers:
            raise Refusal(910)
        attacker, blocker = attackers[attacker_id], self._awake(blocker_id, me, other)
        self.blocked.add(attacker.id)
        blocker.active = False
        attacker.health, blocker.health = attacker.health - blocker.attack, blocker.health - attacker.attack
        self._bury()

    def _play(self, me: Side, other: Side, number: int, target: int) -> None:
        card = self._from_hand(number, me, other)
        creatures = {**me.board, **other.board}
        if card.kind == "C":
            good = target == -1
        elif card.kind == "T":
            good = target == -5
        elif card.kind in "HD":
            good = target in (-5, -6) or target > 0
        else:
            good = target > 0
        if not good:
            raise Refusal(915)
        if target > 0 and target not in creatures:
            raise Refusal(916)
        if card.cost > self.mana:
            raise Refusal(901)
        self.mana -= card.cost
        del me.hand[number]
        if card.kind == "C":
            me.board[number] = card
            return
        self.gone.add(number)
        aimed_at = self.seat if target == -5 else 1 - self.seat
        if card.kind == "T":
            self.draws_left += card.attack
        elif card.kind == "H":
            if target > 0:
                creatures[target].health = min(creatures[target].health + card.health, creatures[target].max_health)
            else:
                self.sides[aimed_at].health = min(self.sides[aimed_at].health + card.health, self.initial)
        elif card.kind == "D":
            if target > 0:
                creatures[target].health -= card.attack
                self._bury()
            else:
                self._hurt_player(aimed_at, card.attack)
        elif card.kind == "B":
            creatures[target].attack += card.attack
            creatures[target].health += card.health
            creatures[target].max_health += card.health
        else:
            assert card.kind == "I"
            creatures[target].active = False

    def _hurt_player(self, seat: int, damage: int) -> None:
        self.sides[seat].health = max(self.sides[seat].health - damage, 0)
        if self.sides[seat].health == 0:
            self.ended = "health"

    def _bury(self) -> None:
        for side in self.sides:
            for number in [card.id for card in side.board.values() if card.health <= 0]:
                del side.board[number]
                self.gone.add(number)
        self.attackers = [creature for creature in self.attackers if creature.health > 0]

    # Scores

    def score(self, seat: int) -> int:
        """A player's score if the match ended now."""
        mine, theirs = self.sides[seat].health, self.sides[1 - seat].health
        if theirs == 0:
            return mine - theirs + 3 * self.initial
        if mine == 0:
            return mine - theirs
        return mine - theirs + 3 * self.initial // 2
