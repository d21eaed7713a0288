"""Settings files: what is read, and what the errors say."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest

from cardrome.arena.storage.tomlfile import SIZE_LIMIT, read_toml
from cardrome.errors import CallerError


class Inner(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    size: Annotated[int, msgspec.Meta(ge=1, le=9)] = 3
    colour: Literal["red", "green"] | None = None


class Outer(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    name: Annotated[str, msgspec.Meta(min_length=1)]
    when: datetime.datetime | None = None
    inner: Inner = Inner()
    maybe: Inner | None = None
    many: list[Inner] = []
    table: dict[str, Inner] = {}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.toml"


def test_settings_are_read(path: Path) -> None:
    path.write_text('name = "été"\nwhen = 2030-01-01T10:00:00Z\n[inner]\nsize = 9\n[[many]]\n[[many]]\nsize = 1\n')
    found = read_toml(path, Outer)
    assert found.name == "été"
    assert found.when == datetime.datetime(2030, 1, 1, 10, tzinfo=datetime.UTC)
    assert (found.inner, found.many) == (Inner(9), [Inner(), Inner(1)])


def test_a_byte_order_mark_is_allowed(path: Path) -> None:
    path.write_bytes(b'\xef\xbb\xbfname = "x"\r\n')
    assert read_toml(path, Outer).name == "x"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "name is missing"),
        ("name = 3", "name: expected `str`, got 3"),
        ("name = ''", "name: expected `str` of length >= 1, got ''"),
        ("name = true", "name: expected `str`, got true"),
        ("nam = 'x'", "unknown key nam; did you mean name?"),
        ("name = 'x'\nzzz = 1", "unknown key zzz; known are name, when, inner, maybe, many, table"),
        ("name = 'x'\ninner = 3", "inner: expected a table, got 3"),
        ("name = 'x'\n[[inner]]", "inner: expected a table, got a list"),
        ("name = 'x'\nmany = {a = 1}", "many: expected `array`, got a table"),
        ("name = 'x'\nwhen = 2030-01-01", "when: expected `datetime`, got 2030-01-01"),
        ("name = 'x'\nwhen = 10:00:00", "when: expected `datetime`, got 10:00:00"),
        ("name = 'x'\n[inner]\nsize = 10", "inner.size: expected `int` <= 9, got 10"),
        ("name = 'x'\n[inner]\nsize = 0", "inner.size: expected `int` >= 1, got 0"),
        ("name = 'x'\n[inner]\nsize = 1.5", "inner.size: expected `int`, got 1.5"),
        ("name = 'x'\n[inner]\nsize = 'big'", "inner.size: expected `int`, got 'big'"),
        ("name = 'x'\n[inner]\nsiez = 2", "unknown key inner.siez; did you mean size?"),
        ("name = 'x'\n[inner]\ncolour = 'blue'", "inner.colour: expected one of 'red', 'green', got 'blue'"),
        ("name = 'x'\n[maybe]\ncolour = 'blue'", "maybe.colour: expected one of 'red', 'green', got 'blue'"),
        ("name = 'x'\n[maybe]\nzzz = 1", "unknown key maybe.zzz; known are size, colour"),
        ("name = 'x'\n[[many]]\n[[many]]\nsize = 99", "many[1].size: expected `int` <= 9, got 99"),
        ("name = 'x'\n[[many]]\nzzz = 99", "unknown key many[0].zzz; known are size, colour"),
        ("name = 'x'\n[table.a]\nzzz = 99", "unknown key table[...].zzz; known are size, colour"),
        ("name = 'x'\n[table.a]\nsize = 99", "table[...].size: expected `int` <= 9"),
        (f"name = 'x'\nwhen = '{'x' * 999}'", f"when: invalid RFC3339 encoded datetime, got '{'x' * 59}…"),
        ("name = 'x", "not valid TOML: "),
        ("name = 'x'\nname = 'y'", "not valid TOML: "),
        ("a = " + "[" * 100_000, "not valid TOML: "),
        ("name = " + "7" * 5_000, "a number has thousands of digits"),
        ("name = 0x" + "7" * 5_000, "name: expected `str`, got a number that is far too large"),
        ("name = 'x'\n[inner]\nsize = -0x" + "7" * 5_000, "not valid TOML: "),
        ("name = 'x'\n[inner]\nsize = 0x" + "7" * 5_000, "inner.size: expected `int` <= 9, got a number that is far"),
    ],
)
def test_errors_name_the_file_the_key_what_was_found_and_what_is_allowed(path: Path, text: str, message: str) -> None:
    path.write_text(text)
    with pytest.raises(CallerError) as error:
        read_toml(path, Outer)
    assert str(error.value).startswith(f"{path}: {message}")


def test_files_that_cannot_be_read(path: Path, tmp_path: Path) -> None:
    with pytest.raises(CallerError, match=r"s\.toml cannot be read: No such file"):
        read_toml(path, Outer)
    with pytest.raises(CallerError, match="cannot be read: Is a directory"):
        read_toml(tmp_path, Outer)
    path.write_bytes(b"name = '\xff'")
    with pytest.raises(CallerError, match="not UTF-8 text"):
        read_toml(path, Outer)
    path.write_bytes(b"#" * (SIZE_LIMIT + 1))
    with pytest.raises(CallerError, match="a settings file has at most"):
        read_toml(Path("/dev/zero"), Outer)
    with pytest.raises(CallerError, match="a settings file has at most"):
        read_toml(path, Outer)
