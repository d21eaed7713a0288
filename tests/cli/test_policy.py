"""A policy file as a player: bot, tournament, page."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from cardrome.cli.web import _offer
from cardrome.errors import CallerError
from cardrome.games.agents import take_turn
from cardrome.games.family import AnyFamily, find_family
from cardrome.games.learning.policies import Facts, Network, write_policy
from cardrome.tournament.settings import read_plan
from cardrome.web.app import application
from cardrome.web.play.games import Games
from cardrome.web.play.routes import part
from tests.cli.runner import cardrome
from tests.games.locm.games import new_game


@pytest.fixture
def family() -> Iterator[AnyFamily]:
    """Its agents are as they were afterwards."""
    family = find_family("locm-1.2")
    agents = family.agents
    yield family
    family.agents = agents


@pytest.fixture
def file(tmp_path: Path, family: AnyFamily) -> Path:
    encoding = family.encoding(family.editions["locm-1.2"], "battle")
    weights = np.random.default_rng(1).normal(size=(encoding.size, encoding.n_actions)).astype(np.float32)
    facts = Facts(edition="locm-1.2", task="battle", encoding=encoding.digest, elsewhere="greedy", title="by chance")
    write_policy(tmp_path / "chancy.npz", facts, Network([(weights, np.zeros(encoding.n_actions, np.float32))]))
    return tmp_path / "chancy.npz"


def test_as_a_bot(file: Path, family: AnyFamily) -> None:
    """It answers what the agent does in this process."""
    name, game = f"policy:{file}", new_game("locm-1.2", seed=1)
    asked: list[str] = []
    answers: list[str] = []
    agents = [family.find_agent(each).new(1) for each in (name, "greedy")]
    while len(asked) < 34 and game.to_move is not None:
        player = game.to_move
        if player == 0:
            asked.append(game.input_text(0))
        actions = [str(action) for action in take_turn(game, agents[player], name)]
        if player == 0:
            answers.append(";".join(each for each in actions if each != "PASS") or "PASS")
    done = subprocess.run(
        [sys.executable, "-m", "cardrome", "bot", name, "--seed", "1", "--no-clock"],
        input="".join(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == answers
    assert done.stderr == ""


def test_in_a_tournament(file: Path, tmp_path: Path) -> None:
    settings = '[tournament]\nname = "cup"\neditions = ["{}"]\npairs = 1\n[[bots]]\nname = "p"\nagent = "policy:{}"\n'
    (tmp_path / "cup.toml").write_text(settings.format("locm-1.2", file) + '[[bots]]\nname = "r"\nagent = "random"\n')
    (tmp_path / "bad.toml").write_text(settings.format("tapdeck", file) + '[[bots]]\nname = "r"\nagent = "random"\n')
    with pytest.raises(CallerError, match="cannot play tapdeck"):
        read_plan(tmp_path / "bad.toml")
    done = cardrome("tournament", "run", tmp_path / "cup.toml", "--jobs", 1)
    assert done.returncode == 0, done.stderr


def test_on_the_page(file: Path, family: AnyFamily) -> None:
    with pytest.raises(CallerError, match="expected policy:FILE"):
        _offer("os:path")
    _offer(f"policy:{file}")
    with pytest.raises(CallerError, match="already"):
        _offer(f"policy:{file}")
    with TestClient(application([part(Games())])) as client:
        page = client.get("/play").text
        assert "by chance" in page
        assert re.findall('data-plays="(.*?)"', page) == ["locm-1.2 locm-1.5 locm-1.5-2022"], "what looks alike"
        wanted = {"opponent": "chancy", "seat": 1, "seed": 1, "edition": "locm-1.2"}
        made = client.post("/play/games", json=wanted)
        assert made.status_code == 201, made.text
        for wrong in ({"opponent": f"policy:{file}"}, {"edition": "locm-1.0"}):
            refused = client.post("/play/games", json={**wanted, **wrong})
            assert refused.status_code == 400
