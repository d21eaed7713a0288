"""Replays that are kept without being asked for: the latest series, and no more than there is room for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cardrome.arena.storage import recent
from cardrome.games.replay_files import read_replays
from tests.arena.games import play


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "cardrome" / "replays"


def test_the_oldest_series_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent, "MOST_SERIES", 3)
    replays = [play("pass", "pass")]
    for number in range(5):
        file, places = recent.keep_recent(replays, "locm-1.2", {1})
        assert places == {1: 1}
        file.rename(folder / f"series-{number}.jsonl.gz")
        os.utime(folder / f"series-{number}.jsonl.gz", (number, number))
    assert sorted(path.name for path in folder.iterdir()) == [f"series-{n}.jsonl.gz" for n in (2, 3, 4)]
    monkeypatch.setattr(recent, "MOST_BYTES", 1)
    kept = recent.keep_recent(replays, "locm-1.2", ())
    assert list(folder.iterdir()) == [kept.file]  # the newest, however large


def test_of_a_long_series_the_first_games_are_kept_and_those_that_are_wanted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recent, "MOST_GAMES", 2)
    replays = [play("pass", "random", seed=seed) for seed in range(6)]
    file, places = recent.keep_recent(replays, "locm-1.2", {1, 5})
    assert places == {1: 1, 2: 2, 5: 3}
    assert [replay.deal["seed"] for replay in read_replays(file)] == ["0", "1", "4"]
    assert recent.keep_recent(replays, "locm-1.2", ()).file != file
