"""Agents: decision makers inside the process, of any family. They are given views, never games."""

from __future__ import annotations

import abc
import contextlib
import importlib
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardrome.engine.random import step
from cardrome.errors import CallerError, IllegalAction, UnknownAgent
from cardrome.games.game import Action, Choice, Edition, Game


class Agent(abc.ABC):
    """A player inside the process. One object plays one seat of one game at a time.

    Subclasses implement `act`, and `begin` if they keep a memory or use randomness. To be found as ``module:Class``
    they must take no arguments.
    """

    due: tuple[float, float] | None = None
    """When the action was asked for and when it is due, by `time.monotonic`; None if no clock is running."""

    def begin(self, seed: int) -> None:  # noqa: B027 - most agents have nothing to prepare
        """A new game begins; all randomness in the agent's decisions must come from the seed."""

    @abc.abstractmethod
    def act(self, view: Any) -> Choice:
        """The action to take in this view: one of ``view.legal_actions``, its text or its code."""

    def plan(self, view: Any) -> Sequence[Choice]:
        """The next actions at once, for agents that think in whole turns; what is left when the turn ends is dropped.

        An agent that plans less than its turn is asked again.
        """
        return [self.act(view)]


class KernelAgent(Agent):
    """A built-in agent, which decides in compiled code. The same views and seed give the same actions."""

    def __init__(self, kernel: np.recarray[Any, Any], seed: int = 0) -> None:
        self.kernel = kernel
        self._random = np.zeros(1, np.int64)
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start anew from a seed. The bulk path gives the two players of a pair the seeds of `player_seed`."""
        self._random[0] = seed if 0 <= seed < 1 << 62 else step(seed)


@dataclass(frozen=True)
class AgentKind:
    """An agent that is known by name: what it is, and how to make one."""

    name: str
    description: str
    make: Callable[[], Agent]
    kernel: np.recarray[Any, Any] | None = None
    """What the family's bulk play takes; None if the agent is Python code."""
    check: Callable[[Any], object] | None = None
    """Raises `CallerError` for editions that the agent cannot play; None if it plays all of its family."""

    def plays(self, edition: Edition) -> bool:
        """The agent can play this edition of its family."""
        try:
            if self.check is not None:
                self.check(edition)
        except CallerError:
            return False
        return True

    def new(self, seed: int = 0) -> Agent:
        """A new agent, ready for a game with this seed."""
        agent = self.make()
        agent.begin(seed)
        return agent


def kernel_kind(name: str, description: str, agent: type[KernelAgent], kernel: np.recarray[Any, Any]) -> AgentKind:
    """The built-in agent that an array of one record describes."""
    kernel.flags.writeable = False
    return AgentKind(name, description, lambda: agent(kernel), kernel)


def find_agent(name: str, agents: Mapping[str, AgentKind]) -> AgentKind:
    """The agent of that name, the policy that ``policy:FILE`` names, or the class that ``module:Class`` does."""
    if name.startswith("policy:"):
        from cardrome.games.learning.policies import policy_kind

        return policy_kind(name)
    if ":" in name:
        return _find_class(name)
    try:
        return agents[name]
    except KeyError:
        raise UnknownAgent(name, agents) from None


def take_turn(game: Game, agent: Agent, name: str) -> list[Action]:
    """Let an agent act for the player to move until it is another's turn; returns its actions.

    There are none if the game is over: some referees ask dead players too. Errors name the agent.
    """
    player = game.to_move
    taken: list[Action] = []
    while player is not None and game.to_move == player:
        try:
            planned = agent.plan(game.view(player))
        except (Exception, SystemExit):
            raise CallerError(f"agent {name!r} failed:\n{traceback.format_exc()}") from None
        if isinstance(planned, str) or not isinstance(planned, Iterable):
            raise CallerError(f"agent {name!r}: plan() returned {planned!r}; expected a list of actions")
        planned = list(planned)
        if not planned:
            raise CallerError(
                f"agent {name!r} planned no action; a plan has at least one, such as the action that ends the turn"
            )
        for choice in planned:
            try:
                action = game.legal_action(choice)
            except IllegalAction as error:
                raise CallerError(f"agent {name!r}: {error}") from None
            game.try_play(action.code)
            taken.append(action)
            if game.to_move != player:
                break
    return taken


@contextlib.contextmanager
def _current_folder_last() -> Iterator[None]:
    """Let modules be found in the current folder, behind all libraries, so that none there can hide a library."""
    here = os.getcwd()
    if here in sys.path:
        yield
        return
    sys.path.append(here)
    try:
        yield
    finally:
        sys.path.remove(here)


def _find_class(name: str) -> AgentKind:
    """The agent that ``module:Class`` names: a subclass of `Agent` that is made without arguments."""
    module_name, _, class_name = name.partition(":")
    if not module_name or not class_name:
        raise CallerError(f"agent {name!r}: expected module:Class, as in mybots.search:Searcher")
    try:
        with _current_folder_last():
            module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is not None and (module_name + ".").startswith(error.name + "."):
            where = "looked for in this folder and on PYTHONPATH"
            raise CallerError(f"agent {name!r}: Python finds no module {error.name!r}, {where}") from error
        raise CallerError(f"agent {name!r}: {module_name} needs the module {error.name!r}, which is missing") from error
    except Exception as error:
        raise CallerError(f"agent {name!r}: importing {module_name} failed: {error!r}") from error
    found = getattr(module, class_name, None)
    if found is None:
        classes = [
            n for n, c in vars(module).items() if isinstance(c, type) and issubclass(c, Agent) and c is not Agent
        ]
        hint = f"it has {', '.join(classes)}" if classes else "it has no agents"
        raise CallerError(f"agent {name!r}: {module_name} has no {class_name}; {hint}")
    if not (isinstance(found, type) and issubclass(found, Agent)):
        raise CallerError(f"agent {name!r}: {class_name} is not a subclass of cardrome.Agent")
    if lacking := sorted(found.__abstractmethods__):
        raise CallerError(f"agent {name!r}: {class_name} has no method {' and no '.join(lacking)}")
    description = (found.__doc__ or "an agent of yours").strip().splitlines()[0]

    def make() -> Agent:
        try:
            return found()
        except TypeError as error:
            raise CallerError(f"agent {name!r}: {class_name}() cannot be made without arguments: {error}") from error

    return AgentKind(name, description, make)
