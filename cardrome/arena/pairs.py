"""One mirrored pair after the other, where a player is Python code or a program: in this process or in several."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.util import Finalize

from cardrome.agents.locm.base import Agent
from cardrome.agents.locm.choose import player_seed
from cardrome.agents.locm.registry import find_agent
from cardrome.arena.clock import Clock
from cardrome.arena.players import KEPT_BOT, Player, find_player, is_bot
from cardrome.arena.process import Limits
from cardrome.arena.recording import take_action
from cardrome.arena.referee import play_game
from cardrome.protocol.locm.game import Game
from cardrome.protocol.locm.replay import Replay
from cardrome.rules.locm.deal import Deal
from cardrome.rules.locm.edition import DECK_SIZE, find_edition


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
    """0 for A, 1 for B."""
    turns: int
    actions: int
    first: int
    """Who moved first."""
    replay: Replay | None = None
    """The game itself, if a bot played in it."""


PairOutcome = list[GameOutcome]


def play_each(
    edition: str, names: tuple[str, str], deals: Iterable[Deal], jobs: int, settings: BotSettings
) -> Generator[PairOutcome, None, None]:
    """Play pairs; with several jobs in as many processes."""
    if jobs <= 1:
        try:
            for deal in deals:
                yield play_pair(edition, names, deal, settings)
        finally:
            close_kept()
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin_worker) as pool:
        waiting = iter(deals)
        # Enough ahead that no process idles behind a slow pair; a series may have millions.
        ahead: deque[Future[PairOutcome]] = deque()
        try:
            while True:
                for deal in islice(waiting, 8 * jobs - len(ahead)):
                    ahead.append(pool.submit(play_pair, edition, names, deal, settings))
                if not ahead:
                    return
                yield ahead.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def _begin_worker() -> None:
    """Leave Ctrl-C to the parent process, and end with it even if it is killed: the pool's queue would not tell."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Finalize(None, close_kept, exitpriority=10)  # worker processes run no atexit functions, but these
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


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
    seats = (first, 1 - first)
    players = _player(seats[0], names, settings), _player(seats[1], names, settings)
    seeds = player_seed(deal.seed, seats[0]), player_seed(deal.seed, seats[1])
    chosen = find_edition(edition)
    replay = play_game(chosen, deal, players, settings.clock, seeds)
    battle = replay.calls[2 if chosen.constructed else 2 * DECK_SIZE :]
    actions = sum(len([part for part in (call.answer or "").split(";") if part.strip()]) for call in battle)
    return GameOutcome(replay.winner ^ first, len(battle), actions, first, replay)


def _player(index: int, names: tuple[str, str], settings: BotSettings) -> Player:
    """A's or B's player; one whose process is kept is the same from game to game."""
    name = names[index]
    if not name.startswith(KEPT_BOT):
        return find_player(name, settings.limits, settings.sandbox)
    key = index, name, settings
    if key not in _kept:
        _kept[key] = find_player(name, settings.limits, settings.sandbox)
    return _kept[key]


_kept: dict[tuple[int, str, BotSettings], Player] = {}


def close_kept() -> None:
    """Stop the bots whose processes were kept."""
    while _kept:
        _kept.popitem()[1].close()


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
