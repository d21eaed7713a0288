"""What some tests need of the machine. Without it they are skipped and say so; CI (``--no-skips``) accepts none."""

from __future__ import annotations

import shutil

import pytest


def needs(program: str) -> pytest.MarkDecorator:
    """For tests that start a program which not every machine has."""
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"needs {program}, which is not installed")
