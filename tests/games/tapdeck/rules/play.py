"""Random play: editions, decks and streams of commands, sensible and senseless, of both players."""

from __future__ import annotations

import random
from dataclasses import dataclass

from cardrome.games.tapdeck.protocol.commands import Command
from cardrome.games.tapdeck.protocol.game import TapdeckGame
from cardrome.games.tapdeck.rules.actions import (
    ADD_MANA,
    ATTACK,
    BLOCK,
    BURN_CARD,
    DISCARD_CARD,
    DRAW_CARD,
    FINISH_BLOCK,
    PLAY_CARD,
    action_kind,
    first_number,
    second_number,
)
from cardrome.games.tapdeck.rules.edition import TapdeckEdition

TICK = "tick"

QUERIES = [
    "GET_TURN_INFO",
    "GET_HP",
    "GET_CARD_LIMITS",
    "GET_CURRENT_MANA",
    "GET_DECK",
    "GET_HANDS",
    "GET_BOARD",
    "GET_ATTACKERS",
    "GET_FINAL_SCORE",
]
ARGUMENTS = {"DISCARD_CARD": 1, "ADD_MANA": 1, "ATTACK": 1, "BLOCK": 2}

LIKING = {
    FINISH_BLOCK: 0.5,
    BLOCK: 6,
    DRAW_CARD: 8,
    BURN_CARD: 1,
    DISCARD_CARD: 0.5,
    ADD_MANA: 1,
    PLAY_CARD: 9,
    ATTACK: 2,
}
"""How much random players like to do what they may do: little of what is to no purpose."""


@dataclass(frozen=True)
class Setting:
    """A match to be played."""

    edition: TapdeckEdition
    deck: str


def code_text(code: int) -> str:
    """An action as the wire says it, without the match's id."""
    return Command(action_kind(code), 0, first_number(code), second_number(code)).text()


def random_card(chance: random.Random, number: int) -> str:
    """Any card: small and cheap, so that much happens; now and then a large one."""
    most = 100 if chance.random() < 0.03 else chance.choice([2, 4, 9])
    cost = chance.choice([0, 0, 0, 0, 1, 1, 2, most])
    kind = chance.choice("CCCCCCCCCHDTBI")
    attack, health, max_health, mana = 0, 0, 0, -1
    if kind == "C":
        max_health = chance.randint(1, most)
        attack, health, mana = chance.randint(0, most // 2 + 1), chance.randint(1, max_health), chance.choice([0, 1, 3])
    if kind in "DTB":
        attack = chance.randint(0, most)
    if kind in "HB":
        health = chance.randint(0, most)
    return f"{number} {kind} {attack} {health} {max_health} {cost} {mana}"


def random_setting(chance: random.Random) -> Setting:
    """Any edition, with any deck."""
    numbers = chance.sample(range(1, 1001), chance.choice([2, 20, 40, 60, 120]))
    edition = TapdeckEdition(
        initial_health=chance.choice([2, 6, 10, 20]),
        turns=chance.choice([2, 10, 30, 60]),
        draws=chance.choice([0, 1, 2, 2, 2, 3, 3, 5]),
        burns=chance.choice([0, 1, 2]),
        hand_limit=chance.choice([1, 3, 5, 10]),
    )
    return Setting(edition, "\n".join(random_card(chance, number) for number in numbers))


class Player:
    """Chooses commands by the wire's answers alone; most are possible, many are not."""

    def __init__(self, chance: random.Random, deck: str) -> None:
        self.chance = chance
        self.kinds = {int(line.split()[0]): line.split()[1] for line in deck.splitlines()}
        self.numbers = list(self.kinds)

    def _any_number(self) -> str:
        odd = ["0", "-1", "-5", "-6", "-2", "-17", "1001", "5000", "-5000", "9" * 40, "-" + "9" * 40, "+7", "007"]
        return self.chance.choice(odd) if self.chance.random() < 0.1 else str(self.chance.choice(self.numbers))

    def _one_of(self, cards: list[int]) -> str:
        if not cards or self.chance.random() < 0.1:
            return self._any_number()
        return str(self.chance.choice(cards))

    def _target(self, kind: str, board: list[int]) -> str:
        usual = {"C": "-1", "T": "-5"}
        if kind in usual and self.chance.random() < 0.9:
            return usual[kind]
        if kind in "HD" and self.chance.random() < 0.5:
            return self.chance.choice(["-5", "-6"])
        return self._one_of(board)

    def next(self, hand: list[int], mine: list[int], board: list[int], attackers: list[int]) -> str:
        """A command, given the cards in hand, the own and all creatures on the board, and the attackers."""
        roll = self.chance.random()
        if roll < 0.10:
            return self.chance.choice(QUERIES)
        if roll < 0.13:
            return self._malformed()
        if roll < 0.25:
            name = self.chance.choice(["FINISH_BLOCK", "BURN_CARD", "DISCARD_CARD", "ADD_MANA", "ATTACK", "BLOCK"])
            return " ".join([name, *(self._any_number() for _ in range(ARGUMENTS.get(name, 0)))])
        if attackers and mine and roll < 0.85:
            return f"BLOCK {self._one_of(attackers)} {self._one_of(mine)}"
        sensible = ["DRAW_CARD", "DRAW_CARD"]
        if hand:
            card = self._one_of(hand)
            target = self._target(self.kinds.get(int(card), "D"), board)
            sensible += [*[f"PLAY_CARD {card} {target}"] * 4, self.chance.choice(["BURN_CARD", f"DISCARD_CARD {card}"])]
        if mine:
            sensible += [f"ADD_MANA {self._one_of(mine)}", f"ATTACK {self._one_of(mine)}"]
        return self.chance.choice(sensible)

    def _malformed(self) -> str:
        name = self.chance.choice(["DRAW_CARD", "ATTACK", "PLAY_CARD", "GET_HP", "BLOCK", "NONSENSE", "PASS"])
        words = [name, *(self.chance.choice(["5", "x", "-", "1_0", "5.0"]) for _ in range(self.chance.randrange(5)))]
        return self.chance.choice([" ", "\t", "  "]).join(words)


class RandomMatch:
    """A match of random players: `next` chooses, the caller carries out."""

    def __init__(self, seed: int, setting: Setting | None = None) -> None:
        self.chance = random.Random(seed)
        self.setting = setting or random_setting(self.chance)
        self.match = TapdeckGame(self.setting.edition, self.setting.deck)
        self.player = Player(self.chance, self.setting.deck)
        self.patience = self.chance.choice([0.05, 0.12, 0.2])
        """How often time is up before a command."""

    def next(self) -> tuple[int, str]:
        """Who says what: a player and their command, or `TICK`."""
        if self.chance.random() < self.patience:
            return -1, TICK
        seat = int(self.match.states[0].current)
        line = self._something_legal() if self.chance.random() < 0.6 else self.player.next(*self._sight(seat))
        if self.chance.random() < 0.06:
            seat = 1 - seat
        return seat, line if self.chance.random() < 0.8 else self.chance.choice([line.lower(), line.title()])

    def _something_legal(self) -> str:
        codes = self.match.legal_codes()[:-1]
        if not codes:
            return self.chance.choice(QUERIES)
        (code,) = self.chance.choices(codes, [LIKING[action_kind(code)] for code in codes])
        return code_text(code)

    def _sight(self, seat: int) -> tuple[list[int], list[int], list[int], list[int]]:
        s, cards = self.match.states[0], self.match.decks["cards"][0]
        creatures = s.creatures[: s.n_creatures]
        hand = [int(cards[i].id) for i in s.hands[seat, : s.n_hand[seat]]]
        board = [int(cards[creature.card].id) for creature in creatures]
        mine = [int(cards[creature.card].id) for creature in creatures if creature.owner == seat]
        attackers = [int(cards[each.card].id) for each in creatures if each.owner != seat and each.declared]
        return hand, mine, board, attackers if s.blocking else []
