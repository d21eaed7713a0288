"""Example programs, run in the process of the tests: what they import (PyTorch) takes longer than what they do."""

from __future__ import annotations

import contextlib
import io
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest


class Printed(io.StringIO):
    """What a program prints. Whoever listens is given every line when it is written."""

    def __init__(self, listen: Callable[[str], object]) -> None:
        super().__init__()
        self._listen = listen

    def write(self, text: str) -> int:
        if text.strip():
            self._listen(text)
        return super().write(text)


def run_script(path: Path, *arguments: object, listen: Callable[[str], object] = lambda line: None) -> str:
    """Run a program as ``python PATH ARGUMENTS`` does; returns what it printed."""
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)  # several are slower on so small a net, and tests run side by side
    printed = Printed(listen)
    with (
        mock.patch.object(sys, "argv", [str(path), *map(str, arguments)]),
        mock.patch.object(sys, "path", [str(path.parent), *sys.path]),
        contextlib.redirect_stdout(printed),
    ):
        runpy.run_path(str(path), run_name="__main__")
    return printed.getvalue()
