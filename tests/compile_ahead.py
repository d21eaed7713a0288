"""Compile ahead what tests call: once, on all cores, rather than in every test process that comes to it.

``make test`` runs it. It is ``cardrome warm`` with kernels that most programs never need; they share most of their
code with the others.
"""

from __future__ import annotations

import importlib

from cardrome.engine import warming
from cardrome.games.family import families

OTHERS = ("cardrome.bench.kernels", "tests.engine.compiled_random", "tests.games.learning.test_network")


def main() -> None:
    for family in families():
        warming.declare(family.package)
    for module in OTHERS:
        importlib.import_module(module)
    warming.warm()


if __name__ == "__main__":
    main()
