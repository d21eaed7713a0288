"""One mirrored pair after the other, where a player is Python code or a program: in this process or in several."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from functools import partial

from cardrome.arena.players.clock import Clock
from cardrome.arena.players.player import KEPT_BOT, KeptPlayers, Player, find_player, is_bot
from cardrome.arena.players.process import Limits
from cardrome.arena.recording import take_action
from cardrome.arena.referee import play_game
from cardrome.arena.workers import spread
from cardrome.games.locm.agents.base import Agent
from cardrome.games.locm.agents.choose import player_seed
from cardrome.games.locm.agents.registry import find_agent
from cardrome.games.locm.protocol.game import Game
from cardrome.games.locm.protocol.replay import Replay
from cardrome.games.locm.rules.deal import Deal
from cardrome.games.locm.rules.edition import DECK_SIZE, Edition, find_edition


@dataclass(frozen=True)
class BotSettings:
    """How bots are run."""

    clock: Clock = field(default_factory=Clock)
    limits: Limits = field(default_factory=Limits)
    sandbox: bool = False


@dataclass(frozen=True)
class GameOutcome:
    """One game of a pair."""

    winner: int
    """0 for A, 1 for B, 2 if it is a draw."""
    turns: int
    actions: int
    first: int
    """Who moved first."""
    replay: Replay | None = None
    """The game itself, if a bot played in it."""
    scores: tuple[int, int] | None = None
    """A's and B's score, in a family that has scores."""


PairOutcome = list[GameOutcome]


def play_each(
    edition: str, names: tuple[str, str], deals: Iterable[Deal], jobs: int, settings: BotSettings
) -> Generator[PairOutcome, None, None]:
    """Play pairs; with several jobs in as many processes."""
    return spread(partial(play_pair, edition, names, settings=settings), deals, jobs, close_kept)


def play_pair(
    edition: str,
    names: tuple[str, str],
    deal: Deal,
    settings: BotSettings = BotSettings(),  # noqa: B008 - frozen
) -> PairOutcome:
    """Play one mirrored pair on a deal."""
    if is_bot(names[0]) or is_bot(names[1]):
        return [_referee_game(edition, names, deal, first, settings) for first in (0, 1)]
    agents = find_agent(names[0]).new(), find_agent(names[1]).new()
    return [_agents_game(edition, names, agents, deal, first) for first in (0, 1)]


def _referee_game(edition: str, names: tuple[str, str], deal: Deal, first: int, settings: BotSettings) -> GameOutcome:
    """A game with a bot in it, through the referee."""
    players = _player(first, names, settings), _player(1 - first, names, settings)
    return refereed(find_edition(edition), deal, players, first, settings.clock)[0]


def refereed(
    edition: Edition, deal: Deal, players: tuple[Player, Player], first: int, clock: Clock
) -> tuple[GameOutcome, Replay]:
    """A game of a pair through the referee. Players come by seat; ``first`` is who of A (0) and B (1) has seat 0."""
    seeds = player_seed(deal.seed, first), player_seed(deal.seed, 1 - first)
    replay = play_game(edition, deal, players, clock, seeds)
    battle = replay.calls[2 if edition.constructed else 2 * DECK_SIZE :]
    actions = sum(len([part for part in (call.answer or "").split(";") if part.strip()]) for call in battle)
    return GameOutcome(replay.winner ^ first, len(battle), actions, first, replay), replay


def _player(index: int, names: tuple[str, str], settings: BotSettings) -> Player:
    """A's or B's player; one whose process is kept is the same from game to game."""
    name = names[index]
    if not name.startswith(KEPT_BOT):
        return find_player(name, settings.limits, settings.sandbox)
    return _kept.get((index, name, settings), lambda: find_player(name, settings.limits, settings.sandbox))


_kept = KeptPlayers()


def close_kept() -> None:
    """Stop the bots whose processes were kept."""
    _kept.close()


def _agents_game(
    edition: str, names: tuple[str, str], agents: tuple[Agent, Agent], deal: Deal, first: int
) -> GameOutcome:
    """A game between agents of this process."""
    for player, agent in enumerate(agents):
        agent.begin(player_seed(deal.seed, player))
    game = Game(find_edition(edition), deal)
    actions = 0
    while game.to_move is not None:
        player = game.to_move ^ first
        actions += game.phase == "battle"
        take_action(game, agents[player], names[player])
    assert game.winner is not None
    return GameOutcome(game.winner ^ first, game.turn + 1, actions, first)
