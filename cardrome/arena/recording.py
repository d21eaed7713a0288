"""Recording a game between two agents of this process: their actions become the lines that bots would write."""

from __future__ import annotations

import operator
import traceback

from cardrome.errors import CallerError
from cardrome.games.locm.agents.base import Agent, AgentKind
from cardrome.games.locm.agents.choose import player_seed
from cardrome.games.locm.protocol.dialogue import Call
from cardrome.games.locm.protocol.game import Game
from cardrome.games.locm.protocol.replay import Replay, Transcript
from cardrome.games.locm.rules.deal import Deal
from cardrome.games.locm.rules.edition import Edition


def record_game(
    edition: Edition,
    deal: Deal,
    agents: tuple[AgentKind | Agent, AgentKind | Agent],
    names: tuple[str, str] | None = None,
    seeds: tuple[int, int] | None = None,
) -> Replay:
    """Play a game and return its replay. The seeds are those of the agents; by default they follow from the deal's."""
    if names is None:
        names = _name(agents[0]), _name(agents[1])
    if seeds is None:
        seeds = player_seed(deal.seed, 0), player_seed(deal.seed, 1)
    players = [agent.new() if isinstance(agent, AgentKind) else agent for agent in agents]
    for player, seed in zip(players, seeds, strict=True):
        player.begin(seed)
    transcript = Transcript(edition, deal, names)
    # Agents act one action at a time, a dialogue is answered by the turn: they play on a table of their own.
    table = Game(edition, deal)
    while (call := transcript.call) is not None:
        transcript.answer(answer_line(table, call, players[call.player], names[call.player]))
        if call.phase == "battle":
            assert table == transcript.dialogue.game, "the line must say what the agent did"
    return transcript.replay()


def _name(agent: AgentKind | Agent) -> str:
    return agent.name if isinstance(agent, AgentKind) else type(agent).__name__


def answer_line(table: Game, call: Call, agent: Agent, name: str) -> str:
    """Let an agent act until its answer to a call is complete."""
    if call.phase == "draft":
        return take_action(table, agent, name)
    actions: list[str] = []
    if call.phase == "constructed":
        while table.phase == "constructed" and table.current == call.player:
            actions.append(take_action(table, agent, name))
        return ";".join(actions)
    turn = table.turn
    while table.to_move == call.player and table.turn == turn:
        actions.append(take_action(table, agent, name))
    # PASS says only that the turn is over, and so does the end of the line.
    return ";".join(action for action in actions if action != "PASS") or "PASS"


def take_action(game: Game, agent: Agent, name: str) -> str:
    """Let an agent take one action; returns it as text. What the agent does wrong is told with its name."""
    assert game.to_move is not None
    try:
        code = operator.index(agent.act(game.view(game.to_move)))
    except Exception:
        raise CallerError(f"agent {name!r} failed:\n{traceback.format_exc()}") from None
    legal = game.legal_codes()
    if code not in legal:
        raise CallerError(f"agent {name!r} chose {code!r}, which is not legal here; legal codes: {legal}")
    text = game.action_text(code)
    game.try_play(code)
    return text
