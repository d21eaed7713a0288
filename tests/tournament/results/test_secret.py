"""A drawn seed stays a secret while games are to be played."""

from __future__ import annotations

from pathlib import Path

from cardrome.arena.secret import commitment
from cardrome.tournament.results.exports import markdown
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
    assert over.seed == settings.seed
    assert f"seed = {settings.seed}\n" in over.settings  # which plays it again
    with TournamentStore.open(tmp_path / "cup.db", claim=False) as store:
        bots = (("one", "random"), ("two", "pass"), ("three", "pass"))
        store.enter([BotSection(name, agent=agent) for name, agent in bots])
        going_on = summarize(store.snapshot())
    assert going_on.seed is None
    assert str(settings.seed) not in going_on.to_json() + markdown(going_on)
