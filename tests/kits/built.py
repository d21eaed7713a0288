"""Starter kits, written and built once in each test process."""

from __future__ import annotations

import functools
import subprocess
import tempfile
from pathlib import Path

import pytest

from cardrome.kits.kit import LANGUAGES
from tests.cli.runner import cardrome
from tests.needs import needs

EACH_LANGUAGE = [
    pytest.param(name, marks=needs(language.tool) if language.build else needs(language.run.split()[0]))
    for name, language in LANGUAGES.items()
]


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="cardrome-kits-")  # removed when the process ends


@functools.cache
def built(language: str, edition: str) -> Path:
    """The folder of a kit that is ready to play."""
    folder = Path(_folder().name) / f"{language} {edition}"
    done = cardrome("new-bot", folder, "--lang", language, "--edition", edition)
    assert done.returncode == 0, done.stderr
    if build := LANGUAGES[language].build:
        assert f"  {build}\n" in done.stdout
        made = subprocess.run(build.split(), cwd=folder, capture_output=True, text=True, check=True)
        assert made.stderr == ""  # not even a warning
    return folder
