"""Matches on hand-written decks, and positions that are set up by legal play."""

from __future__ import annotations

from cardrome.games.tapdeck.protocol.commands import ERROR_LINES
from cardrome.games.tapdeck.protocol.game import TapdeckGame
from cardrome.games.tapdeck.rules.edition import TapdeckEdition

EXAMPLE = TapdeckEdition(initial_health=10, draws=2, burns=2)
"""The numbers of the statement's examples."""


class Position:
    """A match whose deck is laid so that both players can have what a test wants.

    `have` gives a player cards in hand, `field` creatures on their board; both are legal play by the statement, only
    with wide limits, and end with the first player's turn. A creature costs what it costs, so `field` is for those
    that are free; a price is paid by tapping.
    """

    def __init__(self, deck: str, **numbers: int) -> None:
        edition = TapdeckEdition(
            **{"initial_health": 10, "draws": 50, "burns": 50, "hand_limit": 50, "turns": 40, **numbers}
        )
        self.match = TapdeckGame(edition, deck)

    @property
    def seat(self) -> int:
        seat = self.match.to_move
        assert seat is not None
        return seat

    def say(self, line: str) -> str:
        """A command of the player to move; the reply."""
        return self.match.command(self.seat, line)

    def ok(self, *lines: str) -> None:
        """Commands of the player to move that succeed."""
        for line in lines:
            reply = self.say(line)
            assert reply.startswith("OK\n"), f"{line}: {reply}"

    def code(self, line: str, seat: int | None = None) -> int:
        """The error code a command is answered with; 0 for OK."""
        reply = self.match.command(self.seat if seat is None else seat, line)
        if reply.startswith("OK\n"):
            return 0
        code = int(reply.split()[1])
        assert reply.encode() == ERROR_LINES[code]
        return code

    def refused(self, line: str, seat: int | None = None) -> int:
        """The error code of a command which changes nothing at all."""
        before = self.bytes()
        code = self.code(line, seat)
        assert code != 0
        assert self.bytes() == before
        return code

    def bytes(self) -> bytes:
        """The whole state."""
        return self.match.states.tobytes()

    def data(self, line: str) -> list[str]:
        """The lines behind OK."""
        head, *rest = self.say(line).splitlines()
        assert head == "OK", head
        return rest

    def end_turn(self, times: int = 1) -> None:
        """Time is up."""
        for _ in range(times):
            self.match.end_turn()

    def draw(self, n: int) -> None:
        """Draw some cards."""
        self.ok(*["DRAW_CARD"] * n)

    def play(self, *cards: int) -> None:
        """Play free creatures."""
        self.ok(*(f"PLAY_CARD {card} -1" for card in cards))

    def health(self) -> tuple[int, int]:
        """Both players' health, the first player's first."""
        return int(self.match.states[0].health[0]), int(self.match.states[0].health[1])

    def awake(self, card: int) -> bool:
        """Whether a creature on the board is awake."""
        (line,) = [line for line in self.data("GET_BOARD")[1:] if line.split()[0] == str(card)]
        return line.endswith(" 1")

    def creature(self, card: int) -> str:
        """A creature's attack, health and most health on the board; nothing if it is not there."""
        for line in self.data("GET_BOARD")[1:]:
            words = line.split()
            if words[0] == str(card):
                return " ".join(words[2:5])
        return ""


def duel(first: str, second: str, **numbers: int) -> Position:
    """Both players have their cards in hand; it is the first player's turn and their blocking phase is open."""
    mine, theirs = first.strip().splitlines(), second.strip().splitlines()
    position = Position("\n".join([*mine, *theirs]), **numbers)
    position.draw(len(mine))
    position.end_turn()
    position.draw(len(theirs))
    position.end_turn()
    return position


def battlefield(first: str, second: str, rest: str = "", **numbers: int) -> Position:
    """Both players have their (free) creatures on the board, all awake; it is the first player's turn, blocking over.

    What is no creature, or not free, stays in their hands. ``rest`` is the deck that is left.
    """
    mine, theirs = first.strip().splitlines(), second.strip().splitlines()
    position = Position("\n".join([*mine, *theirs, rest]), **numbers)
    for lines in (mine, theirs):
        position.draw(len(lines))
        for words in map(str.split, lines):
            if words[1] == "C" and words[5] == "0":
                position.play(int(words[0]))
        position.end_turn()
    position.ok("FINISH_BLOCK")  # the first player's wake
    position.end_turn()
    position.ok("FINISH_BLOCK")  # the second player's wake
    position.end_turn()
    position.ok("FINISH_BLOCK")
    return position
