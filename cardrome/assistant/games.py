"""The games of one assistant: started, looked at and played by text, a bounded number of them.

Everything that is told is text for a language model. What cannot be done is a `CallerError` that says what can.
"""

from __future__ import annotations

import functools
import itertools
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Concatenate, ParamSpec

from cardrome.arena.duel import SEATS, Duel, usual_opponent
from cardrome.envs.text import PositionText
from cardrome.errors import CallerError, UnknownAgent
from cardrome.games.family import families, find_family
from cardrome.games.replay_files import write_replays
from cardrome.wording import counted

MOST_GAMES = 20
"""Games at a time. For one more, the oldest of those that are over is forgotten."""

P = ParamSpec("P")


@dataclass
class _Game:
    """A duel and how much of it has been told."""

    duel: Duel
    secret_deal: bool
    """Its seed was drawn here, and is not told before the end: all cards follow from it."""
    seen: int = 0
    saved: Path | None = None


def _one_at_a_time(
    method: Callable[Concatenate[AssistantGames, P], str],
) -> Callable[Concatenate[AssistantGames, P], str]:
    """Tools may be called at the same time, from several threads; duels are not made for that."""

    @functools.wraps(method)
    def locked(self: AssistantGames, /, *args: P.args, **kwargs: P.kwargs) -> str:
        with self.lock:
            return method(self, *args, **kwargs)

    return locked


class AssistantGames:
    """All games in play."""

    def __init__(self, replays: Path | None = None, most: int = MOST_GAMES) -> None:
        """``replays`` is the only folder that is ever written to; without one, no replay is kept."""
        self.lock = threading.Lock()
        self._replays, self._most = replays, most
        self._games: dict[int, _Game] = {}
        self._numbers = itertools.count(1)

    # Reference

    def editions(self) -> str:
        """All editions, and the agents that play them, the weakest first."""
        lines = []
        for family in families():
            lines.append(f"{family.title}")
            lines += [f"  {name}: {edition.summary}" for name, edition in family.editions.items()]
            lines += ["  agents, the weakest first:"]
            lines += [f"    {kind.name}: {kind.description}" for kind in family.agents.values()]
        return "\n".join(lines)

    def rules(self, edition: str, full: bool, language: str) -> str:
        """The rules of an edition, in short or as the whole rulebook."""
        family = find_family(edition)
        chosen = family.editions[edition]
        return family.rulebook(chosen, language) if full else family.reminder(chosen)

    @_one_at_a_time
    def listed(self) -> str:
        """All games in play, and those that are over and not yet forgotten."""
        found = [f"game {number}: {_title(game)}" for number, game in self._games.items()]
        return "\n".join(found) or "no games; start_game begins one"

    # Playing

    @_one_at_a_time
    def start(self, edition: str, opponent: str | None, seat: int, seed: int | None) -> str:
        """Begin a game; tells the rules and the position."""
        family = find_family(edition)
        if opponent is not None and opponent not in family.agents:  # not `find_agent`: that imports what it is told to
            raise UnknownAgent(opponent, family.agents)
        if seat not in SEATS:
            raise CallerError(f"seat {seat}: expected 0 (moves first) or 1")
        self._make_room()
        chosen = family.editions[edition]
        drawn = int(family.seeds(secrets.randbits(62), 1)[0]) if seed is None else seed
        deal = family.deal(chosen, {"seed": str(drawn)})
        duel = Duel(chosen, deal, SEATS[seat], opponent or usual_opponent(family), "assistant")
        number = next(self._numbers)
        self._games[number] = game = _Game(duel, secret_deal=seed is None)
        duel.answer()
        rules = PositionText(duel.game.view(duel.player), duel.seat).rules
        return f"Game {number}: {_title(game)}\n\n{rules}\n{self._told(game)}"

    @_one_at_a_time
    def position(self, number: int) -> str:
        """Where a game stands."""
        return self._told(self._find(number))

    @_one_at_a_time
    def play(self, number: int, actions: str) -> str:
        """Take actions, let the opponent answer, and tell what came of it."""
        game = self._find(number)
        duel = game.duel
        if duel.to_move is None:
            raise CallerError("the game is over")
        reading = self._text(game).read(actions)
        if not reading.actions:
            raise CallerError(f"{reading.problem}. Nothing was played")
        for action in reading.actions:
            duel.play(str(action))
        duel.answer()
        left = f"\nNot taken: {reading.problem}." if reading.problem else ""
        return f"Taken: {'; '.join(reading.actions)}.{left}\n\n{self._told(game)}"

    @_one_at_a_time
    def complete(self, number: int) -> str:
        """Let a strong agent choose the rest of the deck."""
        game = self._find(number)
        game.duel.complete()
        return self._told(game)

    @_one_at_a_time
    def hint(self, number: int) -> str:
        """What a strong agent would do."""
        game = self._find(number)
        action, agent = game.duel.hint()
        numbered = self._text(game).actions.items()
        place = next(n for n, each in numbered if each.code == action.code)
        return f"{agent} would take action {place}: {action}"

    @_one_at_a_time
    def undo(self, number: int) -> str:
        """Take back the last action of the present turn."""
        game = self._find(number)
        action = game.duel.undo()
        return f"Taken back: {action}.\n\n{self._told(game)}"

    @_one_at_a_time
    def resign(self, number: int) -> str:
        """Give up."""
        game = self._find(number)
        game.duel.resign()
        return self._told(game)

    @_one_at_a_time
    def save(self, number: int) -> str:
        """Write the replay of a game that is over, under a name of our own: nobody else names files."""
        game = self._find(number)
        if self._replays is None:
            raise CallerError("no replays are kept here; `cardrome mcp --replays FOLDER` keeps them in a folder")
        if game.saved is None:
            replay, duel = game.duel.replay(), game.duel
            stem = f"{duel.edition.name}-{duel.deal.seed}-{duel.opponent}"
            paths = (self._replays / f"{stem}-{n}.json" for n in itertools.count(1))
            path = next(path for path in paths if not path.exists())
            write_replays(path, [replay])
            game.saved = path
        return f"The replay is in {game.saved}. To read it: cardrome replay show {game.saved}"

    # Inside

    def _find(self, number: int) -> _Game:
        if number not in self._games:
            known = ", ".join(map(str, self._games)) or "none"
            raise CallerError(f"there is no game {number}; games here: {known}")
        return self._games[number]

    def _make_room(self) -> None:
        if len(self._games) < self._most:
            return
        over = [number for number, game in self._games.items() if game.duel.to_move is None]
        if not over:
            most = counted(self._most, "game")
            raise CallerError(f"there may be {most} at a time; finish or resign one first")
        del self._games[over[0]]

    def _text(self, game: _Game) -> PositionText:
        duel = game.duel
        return PositionText(duel.game.view(duel.player), duel.seat, game.seen)

    def _told(self, game: _Game) -> str:
        if game.duel.resigned:
            return "You resigned; the game is lost."
        text = self._text(game).position
        game.seen = len(game.duel.seat.frames)
        return text


def _title(game: _Game) -> str:
    duel = game.duel
    over = duel.to_move is None
    seed = "" if game.secret_deal and not over else f", seed {duel.deal.seed}"
    state = "over" if over else "your turn"
    return f"{duel.edition.name}, you are player {duel.player} against {duel.opponent}{seed}, {state}"
