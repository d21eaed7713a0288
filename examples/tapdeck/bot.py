"""A Tapdeck team in one file: plain sockets, nothing but Python's standard library.

    TAPDECK_PASSWORD=secret python3 bot.py HOST PORT TEAM

Every turn it looks at all matches in which it is its turn, decides, and sends all its commands in one write.
"""

import os
import socket
import sys
from types import SimpleNamespace

ME, OPPONENT, NOBODY = -5, -6, -1
ONE_LINE = {"GET_TURN_INFO", "GET_HP", "GET_CARD_LIMITS", "GET_CURRENT_MANA", "GET_FINAL_SCORE", "DRAW_CARD"}
COUNTED = {"GET_DECK", "GET_HANDS", "GET_BOARD", "GET_ATTACKERS"}


class Server:
    """A connection that is logged in."""

    def __init__(self, host, port, team, password):
        self.socket = socket.create_connection((host, port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.lines = self.socket.makefile("r", encoding="utf-8", newline="\n")
        for question, answer in (("LOGIN", team), ("PASS", password)):
            self.expect(question)
            self.send([answer])
        self.expect("OK")

    def send(self, lines):
        self.socket.sendall("".join(f"{line}\n" for line in lines).encode())

    def line(self):
        line = self.lines.readline()
        if not line:
            raise EOFError("the server ended the connection")
        return line.strip()

    def expect(self, wanted):
        said = self.line()
        if said != wanted:
            sys.exit(f"expected {wanted}, the server said: {said}")

    def ask(self, commands):
        """Send many commands at once. Returns the data lines of each reply; None where a command was refused."""
        self.send(commands)
        return [self.reply(command.split()[0]) for command in commands]

    def reply(self, name):
        status = self.line()
        if status.startswith("ERR 6 "):  # too many commands: an OK follows when the next turn starts
            self.expect("OK")
            return None
        if status.startswith("ERR"):
            if status.split()[1] not in ("913", "932"):  # these two: the command came too late
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


def read_card(line):
    words = line.split()
    numbers = [int(word) for word in words[:1] + words[2:]]
    awake = len(numbers) > 6 and numbers[6] == 1
    return SimpleNamespace(
        id=numbers[0],
        kind=words[1],
        attack=numbers[1],
        health=numbers[2],
        cost=numbers[4],
        mana=numbers[5],
        awake=awake,
    )


def two_lists(lines):
    """A reply with two counts: my cards and my opponent's."""
    mine = int(lines[0].split()[0])
    cards = [read_card(line) for line in lines[1:]]
    return cards[:mine], cards[mine:]


def choose_blocks(attackers, blockers, health):
    """Block where the blocker survives; if all attackers together would kill me, block whatever I can."""
    coming = sum(attacker.attack for attacker in attackers)
    free, orders = [creature for creature in blockers if creature.awake], []
    for attacker in sorted(attackers, key=lambda card: -card.attack):
        fit = [c for c in free if c.health > attacker.attack]
        if not fit and coming >= health:
            fit = free
        if fit and attacker.attack > 0:
            blocker = min(fit, key=lambda c: (-(c.attack >= attacker.health), c.health))
            free.remove(blocker)
            coming -= attacker.attack
            attacker.health -= blocker.attack
            blocker.health -= attacker.attack
            orders.append((attacker, blocker))
    return orders, coming


def target_of(card, mine, theirs, my_health, their_health, full_health):
    """The target to play a card on; None if it would be wasted."""
    strongest = max(theirs, key=lambda c: c.attack, default=None)
    if card.kind == "C":
        return NOBODY
    if card.kind == "T":
        return ME
    if card.kind == "H":
        return ME if my_health < full_health else None
    if card.kind == "B":
        return max(mine, key=lambda c: c.attack).id if mine else None
    if card.kind == "I":
        return strongest.id if strongest is not None and strongest.awake else None
    if card.attack >= their_health or strongest is None or strongest.health > card.attack:
        return OPPONENT
    return strongest.id


def plan(match, hp, limits, deck, hands, board, attackers):
    """The commands of a whole turn. Nothing is hidden and nothing is random, so a turn can be planned to its end."""
    full_health, my_health, their_health = map(int, hp[0].split())
    draws, _, hand_limit = map(int, limits[0].split())
    hand = two_lists(hands)[0]
    mine, theirs = two_lists(board)
    attacking = {int(line.split()[0]) for line in attackers[1:]}
    blocks, damage = choose_blocks([c for c in theirs if c.id in attacking], mine, my_health)
    commands = [f"BLOCK {match} {attacker.id} {blocker.id}" for attacker, blocker in blocks]
    my_health -= damage
    mine = [creature for creature in mine if creature.health > 0]  # blocking ends here, and they all wake up
    theirs = [creature for creature in theirs if creature.health > 0]

    drawn = [read_card(line) for line in deck[1:]][: max(min(draws, hand_limit - len(hand)), 0)]
    commands += [f"DRAW_CARD {match}"] * len(drawn)
    hand += drawn

    # Tap creatures for mana, the weakest attackers first, while there is a card to pay for. All others attack.
    mana, tapped = 0, set()
    sources = sorted((c for c in mine if c.mana > 0), key=lambda c: (c.attack, -c.mana))
    for card in sorted(hand, key=lambda c: (c.kind != "C", -c.mana, -c.cost)):
        if card.cost > mana + sum(c.mana for c in sources):
            continue
        target = target_of(card, mine, theirs, my_health, their_health, full_health)
        if target is None:
            continue
        while mana < card.cost:
            source = sources.pop(0)
            tapped.add(source.id)
            mana += source.mana
            commands.append(f"ADD_MANA {match} {source.id}")
        mana -= card.cost
        commands.append(f"PLAY_CARD {match} {card.id} {target}")
        if card.kind == "D" and target > 0:
            theirs = [creature for creature in theirs if creature.id != target]
        elif card.kind == "D":
            their_health -= card.attack
    danger = sum(creature.attack for creature in theirs) >= my_health
    ready = [c for c in mine if c.id not in tapped and c.attack > 0]
    if not danger or sum(c.attack for c in ready) >= their_health:
        commands += [f"ATTACK {match} {creature.id}" for creature in ready]
    return commands


def play(server):
    """Play turn after turn."""
    # The turn is asked again behind everything else: if it has changed, the answers do not fit together.
    questions = ["GET_HP", "GET_CARD_LIMITS", "GET_DECK", "GET_HANDS", "GET_BOARD", "GET_ATTACKERS", "GET_TURN_INFO"]
    while True:
        (reply,) = server.ask(["GET_MY_MATCHES"])
        matches = reply[1].split() if reply else []
        infos = server.ask([f"GET_TURN_INFO {match}" for match in matches])
        to_move = [(match, infos[i]) for i, match in enumerate(matches) if infos[i] and infos[i][0].startswith("1 ")]
        answers = server.ask([f"{question} {match}" for match, _ in to_move for question in questions])
        commands = []
        for i, (match, info) in enumerate(to_move):
            *seen, turn = answers[i * len(questions) : (i + 1) * len(questions)]
            if None not in seen and turn == info:
                commands += plan(match, *seen)
        server.ask(commands)
        server.ask(["WAIT"])


def main():
    if len(sys.argv) != 4 or "TAPDECK_PASSWORD" not in os.environ:
        sys.exit(__doc__)
    host, port, team = sys.argv[1:]
    server = Server(host, int(port), team, os.environ["TAPDECK_PASSWORD"])
    try:
        play(server)
    except (EOFError, ConnectionError) as error:
        print(error)  # this is also how an event ends
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
