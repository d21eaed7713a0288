"""A client's conversation with a table of matches in this process, without a server in between."""

from __future__ import annotations

from typing import Any

from cardrome.client.conversation import Conversation
from cardrome.client.match import Look, questions
from cardrome.client.requests import Request
from cardrome.games.tapdeck.protocol.commands import Command, read_command
from cardrome.games.tapdeck.protocol.table import Table


def logged_in() -> Conversation:
    conversation = Conversation("team", "secret")
    assert conversation.receive(b"LOGIN\n") == b"team\n"
    assert conversation.receive(b"PASS\nOK\n") == b"secret\n"
    assert conversation.logged_in
    return conversation


class TableTalk:
    """Asks about match 0 of a table, and reads the replies as a client does."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.conversation = logged_in()

    def ask(self, player: int, request: Request[Any]) -> Any:
        command = read_command(self.conversation.send(request))
        assert isinstance(command, Command)
        reply, _, _ = self.table.command(0, player, command.kind, command.first, command.second)
        assert self.conversation.receive(reply) == b""
        assert self.conversation.between_replies
        return self.conversation.done.popleft()

    def look(self) -> Look:
        """What the player to move sees."""
        player = int(self.table.states[0].current)
        return Look(*(self.ask(player, request) for request in questions(0)))
