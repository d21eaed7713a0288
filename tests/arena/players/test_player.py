"""Programs as players of a game."""

from __future__ import annotations

import pytest

from cardrome.arena.players.player import ProgramPlayer
from cardrome.games.replays import ProcessEnd


@pytest.mark.parametrize(
    ("command", "end"),
    [
        ("read line", ProcessEnd(stderr="said\n")),  # we kill it, which says nothing about the bot
        ("exit 3", ProcessEnd(3, None, "said\n")),
        ("kill -SEGV $$", ProcessEnd(None, 11, "said\n")),
    ],
)
def test_how_a_program_ended_is_told_if_it_ended_itself(command: str, end: ProcessEnd) -> None:
    player = ProgramPlayer(["/bin/sh", "-c", f"echo said >&2; echo up; {command}"], "bot")
    player.begin(0)
    assert player._process is not None
    assert player._process.ask(b"", 200.0) == b"up"
    if end != ProcessEnd(stderr="said\n"):
        player._process.process.wait()
    assert player.end() == end
