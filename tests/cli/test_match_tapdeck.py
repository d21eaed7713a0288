"""`cardrome match --edition tapdeck` as a user runs it."""

import json
from pathlib import Path

import pytest

from cardrome.games.tapdeck.family import FAMILY
from tests.cli.runner import cardrome


def test_result_block() -> None:
    args = ("match", "random", "random", "-e", "tapdeck", "-n", 400, "--seed", 3)
    done = cardrome(*args)
    assert done.returncode == 0, done.stderr
    found = json.loads(cardrome(*args, "--json").stdout)
    wins, losses = found["wins"]
    drawn = found["draws"]
    assert wins + losses + drawn == 400
    assert drawn > 0
    assert found["win_rate"] == pytest.approx((wins + drawn / 2) / 400)
    assert sum(found["pairs_by_half_points"]) == sum(found["pairs"].values()) == 200
    assert sum(found["mean_scores"]) == pytest.approx(90)
    lines = done.stdout.splitlines()
    assert lines[0] == "Results of random vs random (400 games on tapdeck, seed 3):"
    assert lines[3].startswith(
        f"Games: 400, Wins: {wins}, Losses: {losses}, Draws: {drawn}, Points: {wins + drawn / 2}"
    )
    assert lines[4] == f"Pairs(0-2): {found['pairs_by_half_points']}"
    assert lines[5].startswith(
        f"Mean score: {found['mean_scores'][0]:.2f} v {found['mean_scores'][1]:.2f} (95 % interval"
    )
    assert lines[6].startswith("random made ")


def test_json_is_the_same_whatever_the_jobs() -> None:
    args = ("match", "greedy", "random", "-e", "tapdeck", "-n", 60, "--seed", 5, "--json")
    one, two = (cardrome(*args, "-j", jobs) for jobs in (1, 2))
    assert one.returncode == 0, one.stderr
    assert one.stdout == two.stdout
    assert json.loads(one.stdout)["win_rate"] > 0.9


def test_sprt() -> None:
    done = cardrome(
        "match", "greedy", "random", "-e", "tapdeck", "-n", 100_000, "--seed", 1, "--sprt", "0,50", "--json"
    )
    found = json.loads(done.stdout)
    assert found["sprt"]["decision"] == "H1"
    assert found["complete"]
    assert found["games"] < 2000


def test_save_and_go_on(tmp_path: Path) -> None:
    args = ("match", "random", "random", "-e", "tapdeck", "--seed", 8, "--json", "--save", tmp_path)
    assert cardrome(*args, "-n", 40).returncode == 0
    more = cardrome(*args, "-n", 100)
    assert more.stdout == cardrome(*args[:-2], "-n", 100).stdout
    (tmp_path / "series.db").write_bytes(b"precious")
    damaged = cardrome(*args, "-n", 100)
    assert damaged.returncode == 2
    assert "series.db" in damaged.stderr
    assert (tmp_path / "series.db").read_bytes() == b"precious"


AGENTS = '''
from cardrome.games.agents import Agent
from cardrome.games.tapdeck.agents.registry import AGENTS

class Same(Agent):
    """Plays as greedy does."""

    def __init__(self):
        self.agent = AGENTS["greedy"].new()

    def act(self, view):
        return self.agent.act(view)

    def plan(self, view):
        return self.agent.plan(view)

class Wrong(Agent):
    def act(self, view):
        return 10 ** 30

class Broken(Agent):
    def act(self, view):
        return 1 / 0
'''


def test_an_agent_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(AGENTS)
    args = ("random", "-e", "tapdeck", "-n", 6, "--seed", 2, "--json")
    slow, slow_two = (cardrome("match", "mine:Same", *args, "-j", jobs, cwd=tmp_path) for jobs in (1, 2))
    assert slow.returncode == 0, slow.stderr
    assert slow.stdout == slow_two.stdout
    fast = json.loads(cardrome("match", "greedy", *args).stdout)
    assert {**json.loads(slow.stdout), "players": None} == {**fast, "players": None}
    wrong = cardrome("match", "mine:Wrong", *args, "-j", 1, cwd=tmp_path)
    assert (wrong.returncode, "Traceback" in wrong.stderr) == (2, False)
    assert "agent 'mine:Wrong': 1000000000000000000000000000000 is not legal here" in wrong.stderr
    broken = cardrome("match", "mine:Broken", *args, "-j", 1, cwd=tmp_path)
    assert broken.returncode == 2
    assert "agent 'mine:Broken' failed" in broken.stderr
    assert "ZeroDivisionError" in broken.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("gredy", "random"), "unknown agent 'gredy'; did you mean greedy"),
        (("greedy", "bot:./a.out"), "Tapdeck bots are TCP clients; `cardrome host` runs an event for them"),
        (("greedy", "random", "--openings", "book.txt"), "book.txt cannot be read"),
        (("greedy", "random", "--sandbox"), "--sandbox is for"),
    ],
)
def test_wrong_use_is_explained(args: tuple[str, ...], message: str) -> None:
    done = cardrome("match", *args, "-e", "tapdeck", "-n", 2)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_listings_name_the_family() -> None:
    assert json.loads(cardrome("agents", "--json").stdout)["tapdeck"].keys() == FAMILY.agents.keys()
    assert json.loads(cardrome("editions", "--json").stdout)["tapdeck"]["deck_size"] == 120
    assert "tapdeck" in cardrome("editions").stdout


def test_a_book_of_decks(tmp_path: Path) -> None:
    book = tmp_path / "decks.txt"
    book.write_text("7\n8\nseed=9\n")
    args = ("match", "greedy", "random", "-e", "tapdeck", "-n", 6, "--json", "--openings", book)
    assert json.loads(cardrome(*args).stdout)["openings"]["deals"] == 3
    book.write_text("-7\n")
    assert "seed is '-7'; expected a whole number from 0" in cardrome(*args).stderr


def test_cards_of_a_deck() -> None:
    listed = json.loads(cardrome("cards", "-e", "tapdeck", "--seed", 7, "--json").stdout)
    assert len(listed) == 120
    assert "creature" in cardrome("cards", "-e", "tapdeck", "--seed", 7).stdout
