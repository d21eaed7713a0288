"""Agents by name: the built-in ones, and any ``module:Class`` that Python can import."""

from __future__ import annotations

import importlib

from cardrome.agents.locm.base import Agent, AgentKind, kernel_kind
from cardrome.agents.locm.choose import GREEDY, PASSING, RANDOM, RULE_BASED
from cardrome.agents.locm.weights import GREEDY_WEIGHTS, NO_WEIGHTS, RULE_BASED_WEIGHTS
from cardrome.errors import CallerError, UnknownAgent

AGENTS: dict[str, AgentKind] = {
    kind.name: kind
    for kind in [
        kernel_kind("pass", "takes the first cards and never does anything", PASSING, NO_WEIGHTS),
        kernel_kind("random", "any legal action, all equally likely", RANDOM, NO_WEIGHTS),
        kernel_kind("greedy", "the action after which the board looks best, one step ahead", GREEDY, GREEDY_WEIGHTS),
        kernel_kind(
            "rule-based",
            "finishes, spends its mana well, trades where it pays: the strongest built-in",
            RULE_BASED,
            RULE_BASED_WEIGHTS,
        ),
    ]
}
"""The built-in agents by name, the weakest first."""


def find_agent(name: str) -> AgentKind:
    """The agent of that name, or the class that ``module:Class`` names."""
    if ":" in name:
        return _find_class(name)
    try:
        return AGENTS[name]
    except KeyError:
        raise UnknownAgent(name, AGENTS) from None


def _find_class(name: str) -> AgentKind:
    """A class of the user's, imported."""
    module_name, _, class_name = name.partition(":")
    if not module_name or not class_name:
        raise CallerError(f"agent {name!r}: expected module:Class, as in mybots.search:Searcher")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is not None and (module_name + ".").startswith(error.name + "."):
            raise CallerError(f"agent {name!r}: Python finds no module {error.name!r}; is it on PYTHONPATH?") from error
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
        raise CallerError(f"agent {name!r}: {class_name} is no subclass of cardrome.agents.locm.base.Agent")
    description = (found.__doc__ or "an agent of yours").strip().splitlines()[0]

    def make() -> Agent:
        try:
            return found()
        except TypeError as error:
            raise CallerError(f"agent {name!r}: {class_name}() cannot be made without arguments: {error}") from error

    return AgentKind(name, description, make)
