"""`cardrome mcp` as a real process, asked by the client of the official SDK."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from cardrome.assistant.games import AssistantGames
from cardrome.games.replay_files import read_replays
from tests.cli.runner import cardrome
from tests.paths import ROOT

if TYPE_CHECKING:
    from mcp import Client

Ask = Callable[..., Awaitable[str]]


def talk(conversation: Callable[[Client, Ask], Awaitable[None]], *options: str) -> None:
    """Hold a conversation with a server of its own: a process with options, or without any in this one."""
    # These take a second, which other test processes need not spend.
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    from cardrome.assistant.server import make_server

    env = {"PYTHONPATH": str(ROOT)}
    server = StdioServerParameters(command=sys.executable, args=["-m", "cardrome", "mcp", *options], env=env)

    async def main() -> None:
        assert sys.__stderr__ is not None
        # By default its errors go where they went when the library was imported, maybe by a test that captured them.
        met = stdio_client(server, sys.__stderr__) if options else make_server(AssistantGames(None, 2))
        async with Client(met) as client:

            async def ask(tool: str, **arguments: Any) -> str:
                result = await client.call_tool(tool, arguments)
                [content] = result.content
                assert content.type == "text"
                return ("error: " if result.is_error else "") + content.text

            await conversation(client, ask)

    asyncio.run(main())


def test_an_assistant_plays_games_to_their_end(tmp_path: Path) -> None:
    async def conversation(client: Client, ask: Ask) -> None:
        assert client.instructions is not None
        assert "start_game" in client.instructions
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"list_editions", "start_game", "show_position", "play", "hint", "save_replay"} <= tools.keys()
        assert all(tool.description and tool.annotations for tool in tools.values())
        editions = await ask("list_editions")
        assert "locm-1.5: " in editions
        assert "tapdeck: " in editions
        assert re.search(r"agents, the weakest first:\n    pass: ", editions)
        assert "Guard" in await ask("read_rules", edition="locm-1.2")
        assert (await ask("read_rules", edition="tapdeck", full=True, language="fr")).startswith("# Tapdeck")

        begun = await ask("start_game", edition="locm-1.2", opponent="random", seed=5)
        assert begun.startswith("Game 1: locm-1.2, you are player 0 against random, seed 5, your turn\n\nLegends")
        assert "\n2: PICK 2 = " in begun
        assert "card 2 of 30" in await ask("play", game=1, actions="I choose 1.")
        assert "error: " in await ask("play", game=1, actions="the best one")
        assert "error: " in await ask("save_replay", game=1)
        position = await ask("complete_deck", game=1)
        assert position.startswith("Turn 0")
        for _ in range(200):
            if "The game is over" in position:
                break
            advice = await ask("hint", game=1)
            number = re.search(r"would take action (\d+): ", advice)
            assert number is not None, advice
            position = await ask("play", game=1, actions=number[1])
            assert position.startswith("Taken: ")
        assert "won by you" in position
        saved = await ask("save_replay", game=1)
        assert saved == await ask("save_replay", game=1)  # once is enough
        [replay] = read_replays(tmp_path / "locm-1.2-5-random-1.json")
        assert replay.players == ("assistant", "random")
        assert "error: Error executing tool play: the game is over" in await ask("play", game=1, actions="0")

        assert (await ask("start_game", edition="tapdeck", seat=1, seed=3)).startswith("Game 2: tapdeck")
        taken = await ask("play", game=2, actions="DRAW_CARD; PLAY_CARD 1000 -1")
        assert taken.startswith(
            "Taken: DRAW_CARD.\nNot taken: action 2 of your answer, PLAY_CARD 1000 -1, cannot be taken: "
        )
        assert "Taken back: DRAW_CARD" in await ask("undo", game=2)
        assert "your turn" in await ask("list_games")
        assert "You resigned" in await ask("resign", game=2)
        assert "replays of Tapdeck cannot tell" in await ask("save_replay", game=2)
        for place in (3, 4):
            assert (await ask("start_game", edition="tapdeck")).startswith(f"Game {place}: ")
        assert "there may be 2 games at a time; finish" in await ask("start_game", edition="tapdeck")

    talk(conversation, "--replays", str(tmp_path), "--games", "2")
    assert [path.name for path in tmp_path.iterdir()] == ["locm-1.2-5-random-1.json"]


def test_what_cannot_be_is_said() -> None:
    edition = "locm-1.5"

    async def conversation(client: Client, ask: Ask) -> None:
        for arguments, problem in (
            ({"edition": "locm-1.3"}, "did you mean locm-1.5"),
            ({"opponent": "os:system"}, "unknown agent 'os:system'"),
            ({"opponent": "../greedy"}, "unknown agent"),
            ({"seat": 2}, "expected 0 (moves first) or 1"),
            ({"edition": "tapdeck", "seed": -1}, "expected a whole number from 0"),
            ({"seed": "x"}, "seed"),
        ):
            said = await ask("start_game", **{"edition": edition, **arguments})
            assert said.startswith("error: ")
            assert problem in said
        assert "no game 7; games here: none" in await ask("play", game=7, actions="0")
        await ask("start_game", edition=edition, seed=1)
        choice = ", ".join(map(str, range(30)))
        assert (await ask("play", game=1, actions=choice)).startswith("Taken: CHOOSE 0; CHOOSE 1;")
        assert "no replays are kept here" in await ask("save_replay", game=1)
        await ask("start_game", edition=edition, seed=1)
        assert "there may be 2 games at a time; finish" in await ask("start_game", edition=edition)
        await ask("resign", game=1)
        assert (await ask("start_game", edition=edition)).startswith("Game 3: ")
        assert "no game 1; games here: 2, 3" in await ask("show_position", game=1)

    talk(conversation)


def test_nonsense_on_standard_input() -> None:
    lines = ["nonsense", "{}", "[" * 10_000, '{"jsonrpc": "2.0", "id": 1, "method": "tools/fly"}', "\x00\ufffd"]
    command = [sys.executable, "-m", "cardrome", "mcp"]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in done.stdout.splitlines())


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    with mock.patch.dict(sys.modules, {"mcp": None, "mcp.server.mcpserver": None}):
        sys.modules.pop("cardrome.assistant.server", None)
        done = cardrome("mcp")
    assert done.returncode == 2
    assert done.stderr == "cardrome: `cardrome mcp` needs the extra llm: pip install 'cardrome[llm]'\n"
    missing = cardrome("mcp", "--replays", tmp_path / "nowhere")
    assert "there is no such folder" in missing.stderr
