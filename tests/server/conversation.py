"""A client's dialogue with a table of matches in this process: the wire without a wire."""

from __future__ import annotations

from typing import Any

from cardrome.client import requests
from cardrome.client.dialogue import Dialogue
from cardrome.client.rebuild import Look, questions
from cardrome.client.requests import Request
from cardrome.games.tapdeck.protocol.commands import Command, read_command
from cardrome.games.tapdeck.protocol.table import Table


def logged_in() -> Dialogue:
    dialogue = Dialogue("team", "secret")
    assert dialogue.receive(b"LOGIN\n") == b"team\n"
    assert dialogue.receive(b"PASS\nOK\n") == b"secret\n"
    assert dialogue.logged_in
    return dialogue


class Conversation:
    """Asks one player's questions about match 0 of a table, and reads the answers as a client does."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.dialogue = logged_in()

    def ask(self, player: int, request: Request[Any]) -> Any:
        command = read_command(self.dialogue.send(request))
        assert isinstance(command, Command)
        reply, _, _ = self.table.command(0, player, command.kind, command.first, command.second)
        assert self.dialogue.receive(reply) == b""
        assert self.dialogue.between_replies
        return self.dialogue.done.popleft()

    def look(self) -> Look:
        """What the player to move sees."""
        player = int(self.table.states[0].current)
        return Look(*(self.ask(player, request) for request in (requests.turn_info(0), *questions(0))))
