"""A drawn seed stays a secret while games are to be played."""

from __future__ import annotations

from pathlib import Path

from cardrome.arena.secret import commitment
from cardrome.tournament.results.exports import games_csv, markdown
from cardrome.tournament.results.summary import summarize
from cardrome.tournament.settings import BotSection
from cardrome.tournament.store.store import TournamentStore
from tests.cli.runner import cardrome

CUP = """
[tournament]
name = "Cup"
pairs = {pairs}
[[bots]]
name = "one"
agent = "random"
[[bots]]
name = "two"
agent = "pass"
"""


def test_reports_show_a_drawn_seed_when_all_games_are_played(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(CUP.format(pairs=2))
    done = cardrome("tournament", file, "--jobs", 1)
    assert done.returncode == 0, done.stderr
    with TournamentStore.open(tmp_path / "cup.db", claim=False) as store:
        settings, over = store.settings(), summarize(store.snapshot())
    assert settings is not None
    assert f"seed a drawn secret, sha256 {commitment(settings.seed)}" in done.stderr
    assert str(settings.seed) not in done.stderr
    assert "seed kept in the store" in cardrome("tournament", file, "--dry-run").stdout
    assert over.seed == settings.seed
    assert f"seed = {settings.seed}\n" in over.settings  # which plays it again
    with TournamentStore.open(tmp_path / "cup.db", claim=False) as store:
        bots = (("one", "random"), ("two", "pass"), ("three", "pass"))
        store.enter([BotSection(name, agent=agent) for name, agent in bots])
        snapshot = store.snapshot()
        going_on = summarize(snapshot)
        store.set_problem(snapshot.entrants[2].id, "it does not start")
        left_out = summarize(store.snapshot())
    assert going_on.seed is None
    assert str(settings.seed) not in going_on.to_json() + markdown(going_on)
    assert (over.games, over.planned, over.is_over) == (4, 4, True)
    assert (going_on.games, going_on.planned, going_on.is_over) == (4, 12, False)
    assert (left_out.games, left_out.planned, left_out.is_over) == (4, 4, True)  # who is left out plays no games
    # Others may still have to play on the deals of these games.
    for summary, known in ((over, True), (going_on, False)):
        rows = b"".join(games_csv(summary, snapshot.games)).decode().splitlines()
        assert all(bool(row.split(",")[5]) is known for row in rows[1:])


def test_games_after_the_seed_was_shown_begin_with_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    told = []
    for pairs in (1, 1, 2):
        file.write_text(CUP.format(pairs=pairs))
        told.append("warning: all games had been played before, so reports have shown the seed" in run(file))
    assert told == [False, False, True]


def test_a_seed_that_was_never_secret_needs_no_warning(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    for pairs in (1, 2):
        file.write_text(CUP.format(pairs=pairs).replace("pairs", "seed = 7\npairs"))
        assert "warning" not in run(file)


def run(file: Path) -> str:
    done = cardrome("tournament", file, "--jobs", 1)
    assert done.returncode == 0, done.stderr
    return done.stderr
