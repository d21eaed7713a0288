"""The names that ``import cardrome`` offers."""

from __future__ import annotations

import importlib.metadata
import inspect
import re
import subprocess
import sys

import pytest

import cardrome


def test_every_public_name_is_there_and_is_listed() -> None:
    assert dir(cardrome) == sorted(cardrome.__all__)
    assert len(cardrome.__all__) == len(set(cardrome.__all__))
    for name in cardrome.__all__:
        found = getattr(cardrome, name)
        assert found is getattr(cardrome, name)
        if name != "__version__":
            assert inspect.getdoc(found), name


def test_the_version_is_that_of_the_package() -> None:
    assert cardrome.__version__ == importlib.metadata.version("cardrome")
    assert re.fullmatch(r"\d+\.\d+.*", cardrome.__version__)


def test_other_names_are_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'cardrome' has no attribute 'new_gmae'"):
        _ = cardrome.new_gmae


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    code = "import cardrome, sys; dir(cardrome); assert not {'numpy', 'numba', 'msgspec'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
