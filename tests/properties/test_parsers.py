"""Whatever is in a file: it is read, or refused with an error of ours that says why. Nothing else may happen.

The parsers of answers, commands, positions, replays and openings have such tests beside their own; here are the others.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cardrome.arena.duel import SEATS, Duel, UnfinishedGame
from cardrome.cli.play.commands import _read as read_unfinished
from cardrome.errors import CardromeError
from cardrome.games.analysis import read_analysis
from cardrome.games.family import find_family
from cardrome.games.locm.protocol.golden import read_games, replay
from cardrome.games.locm.protocol.reading import Reader
from cardrome.games.locm.rules.edition import EDITIONS
from cardrome.games.policies import FACTS, read_policy
from cardrome.games.replay_files import numbered_lines, read_replays
from cardrome.games.tapdeck.rules.cards import parse_deck
from cardrome.server.settings import EXAMPLE as EVENT
from cardrome.server.settings import read_plan as read_event
from cardrome.server.store.accounts import read_csv
from cardrome.tournament.settings import EXAMPLE as CUP
from cardrome.tournament.settings import read_plan as read_cup
from tests.cli.test_replay import recorded
from tests.games.locm.protocol.test_reading import BATTLE_TEXT
from tests.games.test_policies import LAYER, packed, said
from tests.paths import GOLDEN


@functools.cache
def golden() -> bytes:
    with gzip.open(GOLDEN / "1.2-golden.jsonl.gz") as file:
        return next(file)


def uncommented(settings: str) -> bytes:
    """The example of a settings file with all its keys in use."""
    return re.sub(r"^# (?=[a-z_]+ = |\[)", "", settings.format(file="cup.toml"), flags=re.M).encode()


@functools.cache
def left() -> bytes:
    family = find_family("locm-1.2")
    edition = family.editions["locm-1.2"]
    duel = Duel(edition, family.deal(edition, {"seed": "7"}), SEATS[0], "pass")
    for _ in range(5):
        duel.play("PICK 0")
        duel.answer()
    return msgspec.json.encode(duel.unfinished())


@functools.cache
def analysed() -> bytes:
    found = find_family("locm-1.2").analyse(recorded(), "search-fast", None, None)
    return msgspec.json.encode(found.plain())


def resume(path: Path) -> None:
    duel = Duel.resume(read_unfinished(path))
    assert isinstance(duel.unfinished(), UnfinishedGame)


def conform(path: Path) -> None:
    for game in read_games(path):
        replay(game)


def message(path: Path) -> None:
    Reader(EDITIONS["locm-1.2"]).read(path.read_bytes().decode("latin-1"))


PARSERS: dict[str, tuple[str, Callable[[], bytes], Callable[[Path], object]]] = {
    "cup": ("cup.toml", lambda: uncommented(CUP), read_cup),
    "event": ("event.toml", lambda: uncommented(EVENT), read_event),
    "golden": ("games.jsonl", golden, conform),
    "packed": ("games.jsonl.gz", lambda: gzip.compress(golden(), mtime=0), lambda path: list(numbered_lines(path))),
    "replays": (
        "game.json",
        lambda: b'{"format":"cardrome-replay","version":1}',
        lambda path: list(read_replays(path)),
    ),
    "unfinished": ("left.json", left, resume),
    "analysis": ("said.json", analysed, lambda path: read_analysis(path, recorded())),
    "accounts": ("teams.csv", lambda: b'red,secret\n"blue,too",more secret\n', read_csv),
    "deck": (
        "deck.txt",
        lambda: b"1 C 1 2 2 1 0\n2 H 0 3 3 1 -1\n",
        lambda path: parse_deck(path.read_text("latin-1")),
    ),
    "message": ("m.txt", BATTLE_TEXT.encode, message),
    "policy": ("policy.npz", lambda: packed(**{FACTS: said(), **LAYER}), read_policy),
}


@pytest.mark.parametrize("kind", PARSERS)
@given(
    data=st.binary(max_size=40)
    | st.sampled_from([b"", b"\0", b"\xff", b"9" * 5000, b"[" * 5000, b"{", b"-1", b"\x1f\x8b"]),
    place=st.integers(0, 1 << 20),
    cut=st.integers(0, 40),
)
@example(data=b"", place=0, cut=0)
@example(data=bytes(10), place=42, cut=10)  # how a policy is packed
def test_damaged_files_are_read_or_refused(
    kind: str, data: bytes, place: int, cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    name, sample, parse = PARSERS[kind]
    good = sample()
    place %= len(good) + 1
    path = tmp_path_factory.getbasetemp() / f"{kind}-{name}"
    path.write_bytes(good[:place] + data + good[place + cut :])
    with contextlib.suppress(CardromeError):
        parse(path)


@pytest.mark.parametrize("kind", [kind for kind in PARSERS if kind != "replays"])
def test_what_is_damaged_there_was_good(kind: str, tmp_path: Path) -> None:
    name, sample, parse = PARSERS[kind]
    (tmp_path / name).write_bytes(sample())
    if kind not in ("cup", "event"):  # their examples name bots and times of other places
        parse(tmp_path / name)
