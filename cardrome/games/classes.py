"""Agents of the user's: what ``module:Class`` names, imported."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cardrome.errors import CallerError


@dataclass(frozen=True)
class FoundClass:
    """A class that was found: what it says about itself, and how to make one."""

    description: str
    make: Callable[[], Any]


def find_class(name: str, base: type[Any]) -> FoundClass:
    """The class that ``module:Class`` names; it must be a subclass of ``base``, made without arguments."""
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
        classes = [n for n, c in vars(module).items() if isinstance(c, type) and issubclass(c, base) and c is not base]
        hint = f"it has {', '.join(classes)}" if classes else "it has no agents"
        raise CallerError(f"agent {name!r}: {module_name} has no {class_name}; {hint}")
    if not (isinstance(found, type) and issubclass(found, base)):
        raise CallerError(f"agent {name!r}: {class_name} is no subclass of {base.__module__}.{base.__qualname__}")
    description = (found.__doc__ or "an agent of yours").strip().splitlines()[0]

    def make() -> Any:
        try:
            return found()
        except TypeError as error:
            raise CallerError(f"agent {name!r}: {class_name}() cannot be made without arguments: {error}") from error

    return FoundClass(description, make)
