"""An event's settings file: every key is checked, and the example is right about them."""

from __future__ import annotations

import datetime
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardrome.errors import CallerError
from cardrome.games.tapdeck.rules.cards import cards_of
from cardrome.games.tapdeck.rules.edition import TAPDECK
from cardrome.server.settings import EXAMPLE, EventSection, EventSettings, RulesSection, ServerSection, read_plan

SECTIONS: dict[str, type[msgspec.Struct]] = {"event": EventSection, "server": ServerSection, "rules": RulesSection}
CHOSEN = {
    ("event", "name"): "My event",
    ("event", "seed"): 2026,
    ("event", "store"): "event.db",
    ("server", "address"): "cup.example.org",
    ("event", "tournaments"): 10,
    ("event", "starts_at"): datetime.datetime(2030, 5, 1, 10),
    ("event", "ends_at"): datetime.datetime(2030, 5, 1, 18),
    ("event", "stay_seconds"): 600,
    ("rules", "deck"): "deck.txt",
}
"""Example values of the keys without a default."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cup.toml"


def read(path: Path, text: str) -> Any:
    path.write_text(text)
    return read_plan(path)


def test_the_example_is_valid(path: Path) -> None:
    plan = read(path, EXAMPLE.format(file=path))
    assert plan.settings == EventSettings(EventSection("My event"))
    assert plan.edition == TAPDECK


def test_the_example_documents_every_key_with_its_true_default(path: Path) -> None:
    everything = re.sub(r"^# (\w+ = )", r"\1", EXAMPLE, flags=re.MULTILINE)
    shown = tomllib.loads(everything)
    assert list(shown) == list(SECTIONS)
    for name, section in SECTIONS.items():
        assert list(shown[name]) == list(section.__struct_fields__), f"the keys of {name}, in order"
        for field in msgspec.structs.fields(section):
            expected = CHOSEN.get((name, field.name), field.default)
            assert shown[name][field.name] == expected, f"{name}.{field.name}"
    (path.parent / "deck.txt").write_text("1 C 0 1 1 0 1")
    plan = read(path, everything)  # the example values are valid too
    assert plan.store == "event.db"


def test_defaults(path: Path) -> None:
    plan = read(path, "[event]\nname = 'Cup'")
    assert plan.store == "cup.db"
    assert plan.folder == path.parent
    assert plan.deck is None
    assert plan.settings.server == ServerSection()
    assert "deck_size" in plan.rules_text


WRONG = [
    ("event", "name", "''", "expected `str` of length >= 1, got ''"),
    ("event", "name", f"'{'x' * 101}'", "expected `str` of length <= 100"),
    ("event", "name", "1", "expected `str`, got 1"),
    ("event", "seed", "-1", "expected `int` >= 0, got -1"),
    ("event", "seed", str(1 << 62), "expected `int` <= 4611686018427387903"),
    ("event", "seed", "'a'", "expected `int`, got 'a'"),
    ("event", "store", "1", "expected `str`, got 1"),
    ("event", "store", "' '", "expected a path or a URL, got nothing"),
    ("event", "tournaments", "0", "expected `int` >= 1, got 0"),
    ("event", "starts_at", "'soon'", "invalid RFC3339 encoded datetime, got 'soon'"),
    ("event", "starts_at", "2030-05-01", "expected `datetime`, got 2030-05-01"),
    ("event", "ends_at", "5", "expected `datetime`, got 5"),
    ("event", "stay_seconds", "-1", "expected `float` >= 0.0, got -1"),
    ("event", "pause", "-1", "expected `int` >= 0, got -1"),
    ("event", "pause", "1.5", "expected `int`, got 1.5"),
    ("event", "roster", "'some'", "expected one of 'seen', 'connected', 'all', got 'some'"),
    ("event", "min_teams", "1", "expected `int` >= 2, got 1"),
    ("event", "min_teams", "501", "expected `int` <= 500, got 501"),
    ("server", "host", "1", "expected `str`, got 1"),
    ("server", "port", "70000", "expected `int` <= 65535, got 70000"),
    ("server", "port", "-1", "expected `int` >= 0, got -1"),
    ("server", "page", "1", "expected `bool`, got 1"),
    ("server", "page_host", "true", "expected `str`, got true"),
    ("server", "page_port", "'80'", "expected `int`, got '80'"),
    ("server", "turn_seconds", "0", "expected `float` >= 0.01, got 0"),
    ("server", "turn_seconds", "nan", "expected `float` >= 0.01, got nan"),
    ("server", "turn_seconds", "inf", "expected `float` <= 3600.0, got inf"),
    ("server", "address", "''", "expected `str` of length >= 1"),
    ("server", "watch_delay", "-1", "expected `int` >= 0, got -1"),
    ("server", "connections", "0", "expected `int` >= 1, got 0"),
    ("server", "connections_per_address", "0", "expected `int` >= 1, got 0"),
    ("server", "connections_before_login", "0", "expected `int` >= 1, got 0"),
    ("server", "connections_per_team", "0", "expected `int` >= 1, got 0"),
    ("server", "commands_per_turn", "-1", "expected `int` >= 0, got -1"),
    ("server", "failed_logins_per_minute", "0", "expected `int` >= 1, got 0"),
    ("server", "login_seconds", "0", "expected `float` > 0.0, got 0"),
    ("server", "unread_seconds", "-1", "expected `float` > 0.0, got -1"),
    ("server", "line_bytes", "63", "expected `int` >= 64, got 63"),
    ("server", "line_bytes", "65537", "expected `int` <= 65536, got 65537"),
    ("rules", "initial_health", "'a'", "expected `int`, got 'a'"),
    ("rules", "initial_health", "0", " is 0; allowed are 2 to 10000"),
    ("rules", "initial_health", "9", " is 9; it must be even"),
    ("rules", "turns", "0", " is 0; allowed are 2 to 10000"),
    ("rules", "turns", "61", " is 61; it must be even"),
    ("rules", "draws", "-1", " is -1; allowed are 0 to 1000"),
    ("rules", "burns", "1001", " is 1001; allowed are 0 to 1000"),
    ("rules", "hand_limit", "0", " is 0; allowed are 1 to 100"),
    ("rules", "deck_size", "0", " is 0; allowed are 1 to 1000"),
    ("rules", "deck", "1", "expected `str`, got 1"),
    ("rules", "deck", "'none.txt'", "none.txt cannot be read: No such file"),
    ("rules", "deck", "'.'", "cannot be read: Is a directory"),
    ("rules", "deck", '"\\u0000"', "is not a path"),
]


def test_every_key_is_tried_with_a_wrong_value() -> None:
    keys = [(name, field) for name, section in SECTIONS.items() for field in section.__struct_fields__]
    assert {(section, key) for section, key, _, _ in WRONG} == set(keys)


@pytest.mark.parametrize(("section", "key", "value", "message"), WRONG)
def test_errors_name_the_file_the_key_what_was_found_and_what_is_allowed(
    path: Path, section: str, key: str, value: str, message: str
) -> None:
    name = "" if key == "name" else "name = 'x'\n"
    with pytest.raises(CallerError) as error:
        read(path, f"[event]\n{name}{'' if section == 'event' else f'[{section}]'}\n{key} = {value}")
    text = str(error.value)
    assert text.startswith(f"{path}: {section}.{key}")
    assert message in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "event is missing"),
        ("[event]", "event.name is missing"),
        ("[event]\nname = 'x'\n[servers]", "unknown key servers; did you mean server?"),
        ("[event]\nname = 'x'\ntournament = 3", "unknown key event.tournament; did you mean tournaments?"),
        ("[event]\nname = 'x'\n[server]\nport = 8080", "server.port and server.page_port are both 8080"),
        (
            "[event]\nname = 'x'\nstarts_at = 2030-01-01T10:00:00Z\nends_at = 2030-01-01T10:00:00Z",
            "event.ends_at: 2030-01-01 10:00:00+00:00 is not after event.starts_at, 2030-01-01 10:00:00+00:00",
        ),
        (
            "[event]\nname = 'x'\nstarts_at = 0001-01-01T00:00:00",
            "event.starts_at: 0001-01-01 00:00:00 is out of range",
        ),
    ],
)
def test_what_does_not_fit_together(path: Path, text: str, message: str) -> None:
    with pytest.raises(CallerError) as error:
        read(path, text)
    assert str(error.value) == f"{path}: {message}"


def test_a_page_may_be_off_and_its_port_the_teams(path: Path) -> None:
    assert not read(path, "[event]\nname = 'x'\n[server]\nport = 8080\npage = false").settings.server.page


def test_times_without_a_zone_are_those_of_the_organisers_clock(path: Path) -> None:
    event = read(path, "[event]\nname='x'\nstarts_at=2030-05-01T10:00:00\nends_at=2030-05-01T10:00:00-11:00")
    event = event.settings.event
    assert event.starts_at == datetime.datetime(2030, 5, 1, 10).astimezone()
    assert event.ends_at.astimezone(datetime.UTC) == datetime.datetime(2030, 5, 1, 21, tzinfo=datetime.UTC)


def test_a_deck_file_lies_beside_the_settings_and_is_part_of_the_rules(path: Path) -> None:
    deck = path.parent / "deck.txt"
    deck.write_text("# early\n1 C 0 1 1 0 1\n\n42 C 1 2 2 5 0\n")
    plan = read(path, "[event]\nname = 'x'\n[rules]\ndeck = 'deck.txt'")
    assert plan.deck is not None
    assert [str(card) for card in cards_of(plan.deck)] == ["1 C 0 1 1 0 1", "42 C 1 2 2 5 0"]
    assert '"42 C 1 2 2 5 0"' in plan.rules_text
    assert "deck_size" not in plan.rules_text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"1 C 0 1 1 0", "deck.txt, line 1: card '1 C 0 1 1 0': 6 fields; expected ID TYPE AT HP HPMAX COST MANA"),
        (b"1 C 0 1 1 0 1\n1 C 0 1 1 0 1", "deck.txt: two cards have the id 1"),
        (b"# nothing", "deck.txt: 0 cards; allowed are 1 to 1000"),
        (b"\xff", "deck.txt is not UTF-8 text"),
    ],
)
def test_a_wrong_deck_file_is_explained(path: Path, data: bytes, message: str) -> None:
    (path.parent / "deck.txt").write_bytes(data)
    with pytest.raises(CallerError) as error:
        read(path, "[event]\nname = 'x'\n[rules]\ndeck = 'deck.txt'")
    assert str(error.value) == f"{path}: rules.deck: {path.parent}/{message}"
