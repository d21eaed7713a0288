"""The server that an assistant talks to: the games as tools of the Model Context Protocol."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from cardrome.assistant.games import AssistantGames
from cardrome.errors import CallerError

_INSTRUCTIONS = """\
Strategy card games against built-in agents. `list_editions` says what can be played and against whom; `start_game`
begins a game and tells the rules; `play` takes actions by number or text and tells what the opponent answered."""

Game = Annotated[int, Field(description="The number of the game, as start_game told it.")]
Edition = Annotated[str, Field(description="The name of a rule set, as list_editions has it.")]


def make_server(games: AssistantGames) -> MCPServer[Any]:
    """A server with one tool for everything that can be done."""
    server: MCPServer[Any] = MCPServer(
        "cardrome", instructions=_INSTRUCTIONS, version=version("cardrome"), log_level="WARNING"
    )

    def tool(does: Callable[..., str], reads: bool = False) -> None:
        hints = ToolAnnotations(read_only_hint=reads, destructive_hint=False, open_world_hint=False)
        server.add_tool(does, annotations=hints, structured_output=False)

    def list_editions() -> str:
        """All rule sets that can be played, and the agents to play against, the weakest first."""
        return games.editions()

    def read_rules(
        edition: Edition,
        full: Annotated[bool, Field(description="The whole rulebook with examples instead of a page.")] = False,
        language: Annotated[str, Field(description="en or fr; of the whole rulebook only.")] = "en",
    ) -> str:
        """The rules of an edition."""
        return _said(games.rules, edition, full, language)

    def list_games() -> str:
        """Your games: those in play, and those that are over and can still be saved."""
        return games.listed()

    def start_game(
        edition: Edition = "locm-1.2",
        opponent: Annotated[str | None, Field(description="An agent; by default the second strongest.")] = None,
        seat: Annotated[int, Field(description="0 moves first, 1 second.")] = 0,
        seed: Annotated[int | None, Field(description="Fixes the cards; without it, by chance.")] = None,
    ) -> str:
        """Begin a game against an agent. Tells its number, the rules and the position with all legal actions."""
        return _said(games.start, edition, opponent, seat, seed)

    def show_position(game: Game) -> str:
        """Where a game stands, with all legal actions by number."""
        return _said(games.position, game)

    def play(
        game: Game,
        actions: Annotated[
            str,
            Field(
                description='Numbers of the list you were shown, or texts, in order: "3, 7, 0" or "ATTACK 3 -1; PASS".'
            ),
        ],
    ) -> str:
        """Take one or more actions. When they end the turn, the opponent answers; the new position is told.

        They are taken in order up to the first that is not possible, and you are told why it is not.
        """
        return _said(games.play, game, actions)

    def complete_deck(game: Game) -> str:
        """In deck building: let a strong agent choose the rest of your deck."""
        return _said(games.complete, game)

    def hint(game: Game) -> str:
        """What a strong agent would do now."""
        return _said(games.hint, game)

    def undo(game: Game) -> str:
        """Take back your last action of this turn. A turn that has ended stays as it is."""
        return _said(games.undo, game)

    def resign(game: Game) -> str:
        """Give up a game."""
        return _said(games.resign, game)

    def save_replay(game: Game) -> str:
        """Write the replay of a game that is over into the folder that the server keeps replays in."""
        return _said(games.save, game)

    for reading in (list_editions, read_rules, list_games, show_position, hint):
        tool(reading, reads=True)
    for acting in (start_game, play, complete_deck, undo, resign, save_replay):
        tool(acting)
    return server


def _said(do: Callable[..., str], *args: object) -> str:
    """What a method tells; its complaints are for the assistant to read."""
    try:
        return do(*args)
    except CallerError as error:
        raise ToolError(str(error)) from None
