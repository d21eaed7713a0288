"""A Tapdeck team: it plays all its matches at once, over TCP, with nothing but Python's standard library.

    TAPDECK_PASSWORD=secret python3 bot.py HOST PORT TEAM

Every turn it looks at all matches in which it is its turn, decides, and sends all its commands in one write. Your ideas
go into the functions between the two lines of ====; nothing else has to change.
"""

import os
import socket
import sys
from dataclasses import dataclass

ME, OPPONENT, NOBODY = -5, -6, -1  # targets that are not creatures


@dataclass
class Card:
    """A card, wherever it is."""

    id: int
    kind: str  # C creature, H heal, D damage, T take, B buff, I deactivate
    attack: int
    health: int
    max_health: int
    cost: int
    mana: int  # what a creature gives when it is tapped
    awake: bool  # of creatures on the board: it can block, and after blocking attack or be tapped


@dataclass
class Match:
    """A match in which it is my turn. Nothing is hidden."""

    turns_left: int  # this one included
    full_health: int
    my_health: int
    their_health: int
    draws: int  # cards that I may draw in this turn
    burns: int  # cards that I may burn in this turn
    hand_limit: int
    deck: list[Card]  # the next card first
    hand: list[Card]
    their_hand: list[Card]
    mine: list[Card]  # creatures on my side of the board
    theirs: list[Card]
    attackers: list[Card]  # those of theirs that attack me now


# ===================================================== your ideas =====================================================


def plan(match: Match) -> list[str]:
    """The commands of a whole turn. Nothing is hidden and nothing is random, so it can be planned to its end."""
    commands = []

    # Block where the blocker survives; if all attackers together would kill me, block whatever I can.
    coming = sum(attacker.attack for attacker in match.attackers)
    for attacker in sorted(match.attackers, key=lambda card: -card.attack):
        free = [c for c in match.mine if c.awake and (c.health > attacker.attack or coming >= match.my_health)]
        if attacker.attack > 0 and free:
            blocker = min(free, key=lambda c: (c.health <= attacker.attack, c.health))
            commands.append(f"BLOCK {attacker.id} {blocker.id}")
            blocker.awake = False
            blocker.health -= attacker.attack
            attacker.health -= blocker.attack
            coming -= attacker.attack
    match.my_health -= coming
    match.mine = [creature for creature in match.mine if creature.health > 0]
    match.theirs = [creature for creature in match.theirs if creature.health > 0]
    for creature in match.mine:
        creature.awake = True  # as soon as blocking is over

    # Draw what I may. Its cards can be played at once.
    drawn = match.deck[: max(min(match.draws, match.hand_limit - len(match.hand)), 0)]
    commands += ["DRAW_CARD"] * len(drawn)

    # Play what I can pay, creatures first. Creatures are tapped for mana as it is needed, the weakest attackers first.
    mana = 0
    sources = sorted((c for c in match.mine if c.mana > 0), key=lambda c: (c.attack, -c.mana))
    for card in sorted(match.hand + drawn, key=lambda c: (c.kind != "C", -c.mana, -c.cost)):
        target = find_target(match, card)
        if target is None or card.cost > mana + sum(c.mana for c in sources):
            continue
        while mana < card.cost:
            source = sources.pop(0)
            commands.append(f"ADD_MANA {source.id}")
            mana += source.mana
            source.awake = False
        mana -= card.cost
        commands.append(f"PLAY_CARD {card.id} {target}")
        if card.kind == "D" and target == OPPONENT:
            match.their_health -= card.attack
        elif card.kind == "D":
            match.theirs = [creature for creature in match.theirs if creature.id != target]

    # Attack with all that were not tapped, unless their answer could kill me first.
    ready = [creature for creature in match.mine if creature.awake and creature.attack > 0]
    safe = sum(creature.attack for creature in match.theirs) < match.my_health
    if safe or sum(creature.attack for creature in ready) >= match.their_health:
        commands += [f"ATTACK {creature.id}" for creature in ready]
    return commands


def find_target(match: Match, card: Card) -> int | None:
    """The target to play a card on; None if it would be wasted."""
    strongest = max(match.theirs, key=lambda c: c.attack, default=None)
    if card.kind == "C":
        return NOBODY
    if card.kind == "T":
        return ME
    if card.kind == "H":
        return ME if match.my_health < match.full_health else None
    if card.kind == "B":
        return max(match.mine, key=lambda c: c.attack).id if match.mine else None
    if card.kind == "I":
        return strongest.id if strongest is not None and strongest.awake else None
    if card.attack < match.their_health and strongest is not None and strongest.health <= card.attack:
        return strongest.id
    return OPPONENT


# ====================================================== the frame =====================================================

ONE_LINE = {"GET_TURN_INFO", "GET_HP", "GET_CARD_LIMITS", "GET_CURRENT_MANA", "GET_FINAL_SCORE", "DRAW_CARD"}
COUNTED = {"GET_DECK", "GET_HANDS", "GET_BOARD", "GET_ATTACKERS"}
# The turn is asked again behind everything else: if it has changed, the answers do not fit together.
QUESTIONS = ["GET_HP", "GET_CARD_LIMITS", "GET_DECK", "GET_HANDS", "GET_BOARD", "GET_ATTACKERS", "GET_TURN_INFO"]


class Server:
    """A connection that is logged in."""

    def __init__(self, host: str, port: int, team: str, password: str) -> None:
        self.socket = socket.create_connection((host, port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.lines = self.socket.makefile("r", encoding="utf-8", newline="\n")
        for question, answer in (("LOGIN", team), ("PASS", password)):
            self.expect(question)
            self.send([answer])
        self.expect("OK")

    def send(self, lines: list[str]) -> None:
        """Send lines in one write."""
        self.socket.sendall("".join(f"{line}\n" for line in lines).encode())

    def line(self) -> str:
        """The next line."""
        line = self.lines.readline()
        if not line:
            raise EOFError("the server ended the connection")
        return line.strip()

    def expect(self, wanted: str) -> None:
        """Read a line that has to be this one."""
        said = self.line()
        if said != wanted:
            sys.exit(f"expected {wanted}, the server said: {said}")

    def ask(self, commands: list[str]) -> list[list[str] | None]:
        """Send many commands at once. Returns the data lines of each reply; None where a command was refused."""
        self.send(commands)
        return [self.reply(command.split()[0]) for command in commands]

    def reply(self, name: str) -> list[str] | None:
        """Read the reply to a command."""
        status = self.line()
        if status.startswith("ERR"):
            code = status.split()[1]
            if code == "6":  # too many commands: an OK follows when the next turn starts
                self.expect("OK")
            elif code not in ("913", "932"):  # these two only say that it came too late
                print(f"{name}: {status}", file=sys.stderr)
            return None
        if name == "WAIT":
            self.expect("OK")
        if name == "GET_MY_MATCHES":
            return [self.line(), self.line()]
        if name in COUNTED:
            first = self.line()
            return [first] + [self.line() for _ in range(sum(map(int, first.split())))]
        return [self.line()] if name in ONE_LINE else []


def read_cards(lines: list[str]) -> list[Card]:
    """Cards, one in each line."""
    cards = []
    for line in lines:
        words = line.split()
        attack, health, max_health, cost, mana, *rest = map(int, words[2:])
        cards.append(Card(int(words[0]), words[1], attack, health, max_health, cost, mana, rest == [1]))
    return cards


def two_lists(lines: list[str]) -> tuple[list[Card], list[Card]]:
    """A reply with two counts: my cards and my opponent's."""
    cards, count = read_cards(lines[1:]), int(lines[0].split()[0])
    return cards[:count], cards[count:]


def read_match(replies: list[list[str]]) -> Match:
    """The answers to the questions about a match."""
    hp, limits, deck, hands, board, attackers, turn = replies
    full_health, my_health, their_health = map(int, hp[0].split())
    draws, burns, hand_limit = map(int, limits[0].split())
    (hand, their_hand), (mine, theirs) = two_lists(hands), two_lists(board)
    attacking = {card.id for card in read_cards(attackers[1:])}
    return Match(
        int(turn[0].split()[1]),
        full_health,
        my_health,
        their_health,
        draws,
        burns,
        hand_limit,
        read_cards(deck[1:]),
        hand,
        their_hand,
        mine,
        theirs,
        [creature for creature in theirs if creature.id in attacking],
    )


def play(server: Server) -> None:
    """Play turn after turn, in all matches at once."""
    while True:
        matches = ((server.ask(["GET_MY_MATCHES"])[0] or ["0", ""])[1]).split()
        turns = dict(zip(matches, server.ask([f"GET_TURN_INFO {match}" for match in matches]), strict=True))
        to_move = [match for match, info in turns.items() if info is not None and info[0].startswith("1 ")]
        answers = server.ask([f"{question} {match}" for match in to_move for question in QUESTIONS])
        commands = []
        for i, match in enumerate(to_move):
            replies = [reply for reply in answers[i * len(QUESTIONS) : (i + 1) * len(QUESTIONS)] if reply is not None]
            if len(replies) == len(QUESTIONS) and replies[-1] == turns[match]:
                for command in plan(read_match(replies)):
                    name, *arguments = command.split()
                    commands.append(" ".join([name, match, *arguments]))
        server.ask(commands)
        server.ask(["WAIT"])


def main() -> None:
    """Log in and play until the event is over."""
    if len(sys.argv) != 4 or "TAPDECK_PASSWORD" not in os.environ:
        sys.exit("usage: TAPDECK_PASSWORD=... python3 bot.py HOST PORT TEAM")
    host, port, team = sys.argv[1:]
    try:
        server = Server(host, int(port), team, os.environ["TAPDECK_PASSWORD"])
    except (OSError, EOFError, ValueError) as error:
        sys.exit(f"no connection to {host}:{port}: {error}. Is the event running?")
    try:
        play(server)
    except (EOFError, ConnectionError) as error:
        print(error)  # this is also how an event ends
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
