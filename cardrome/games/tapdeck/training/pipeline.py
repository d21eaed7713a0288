"""From nothing to a network, round by round. Each round leaves files: a run goes on where it was stopped."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cardrome.engine.bulk import deal_seeds
from cardrome.engine.records import Records, duplicate, new_records
from cardrome.games.learning.fitting import Course, Say, fit_layers, new_layers, put_layers
from cardrome.games.learning.network import load_brain, save_arrays, save_brain
from cardrome.games.tapdeck.agents.registry import AGENTS, AgentRecord, rule_based_kind, searching_kind
from cardrome.games.tapdeck.agents.search.brain import HIDDEN_UNITS, Brain
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition
from cardrome.games.tapdeck.training.noting import Noted, play_and_note

QUICK = (300, 8, 8, 10)
"""`Effort` of agents that play many matches."""
BATCH = 200
"""Matches that are played with one edition."""
OTHERS = 16
"""One batch in this many is played with numbers other than the default ones."""

COURSE = Course(epochs=8, rate=3e-3, batch=1024, decay=1e-3, epsilon=1e-8)


@dataclass(frozen=True)
class Round:
    """What is played in a round, by whom, and what the network is fitted to."""

    games: int
    turns: int | None
    """Turns that the agent imagines; None for the one that thinks by rules of thumb."""
    belief: float
    """How much the opinion of the search counts beside who won."""
    slips: int = 20
    """Of 1000 turns, this many are taken by `greedy`, and as many by `random`."""


ROUNDS = (Round(12_000, None, 0.0, 30), Round(24_000, 0, 0.4))


class Run:
    """A run, in a folder."""

    def __init__(self, folder: Path, seed: int, scale: float, jobs: int, say: Say) -> None:
        self.folder, self.seed, self.scale, self.jobs, self.say = folder, seed, scale, jobs, say
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, rounds: tuple[Round, ...] = ROUNDS) -> Records[Brain]:
        """All rounds; those that are done already are not done again."""
        brain = new_records(Brain)
        noted: list[Noted] = []
        for k, each in enumerate(rounds):
            noted.append(self._notes(k, each, brain))
            brain = self._network(k, each, noted[-2:])
        return brain

    def _notes(self, k: int, each: Round, brain: Records[Brain]) -> Noted:
        file = self.folder / f"notes-{k}.npz"
        if not file.exists():
            start = time.perf_counter()
            parts = list(self._play(k, each, brain))
            noted = Noted(*(np.concatenate([getattr(p, n) for p in parts]) for n in ("x", "won", "thought")))
            save_arrays({"x": noted.x, "won": noted.won, "thought": noted.thought}, file)
            self._log({"round": k, "positions": len(noted.won), "seconds": round(time.perf_counter() - start)})
        with np.load(file, allow_pickle=False) as arrays:
            return Noted(arrays["x"], arrays["won"], arrays["thought"])

    def _play(self, k: int, each: Round, brain: Records[Brain]) -> Iterator[Noted]:
        """The matches of a round, on decks of its own, batch by batch."""
        agents = _agents(each)
        rng = np.random.default_rng([self.seed, k])
        batches = max(1, int(each.games * self.scale) // BATCH)
        for batch in range(batches):
            edition = TAPDECK if batch % OTHERS else other_edition(rng)
            games = BATCH if batch % OTHERS else BATCH // 4
            seeds = deal_seeds(self.seed + 1000 * k, games, batch * BATCH) & ((1 << 62) - 1)
            yield play_and_note(edition, agents, brain, seeds, each.slips, self.jobs)
            if batch % 10 == 9:
                self.say(f"round {k}: {batch + 1} of {batches} batches played")

    def _network(self, k: int, each: Round, noted: list[Noted]) -> Records[Brain]:
        file = self.folder / f"network-{k}.npz"
        if not file.exists():
            start = time.perf_counter()
            brain, loss = fit_network(noted, each.belief, self.seed, self.say)
            save_brain(brain, file)
            self._log({"round": k, "loss": round(loss, 4), "seconds": round(time.perf_counter() - start)})
        return load_brain(Brain, file)

    def _log(self, facts: dict[str, Any]) -> None:
        with (self.folder / "log.jsonl").open("a") as log:
            log.write(json.dumps(facts) + "\n")
        self.say(", ".join(f"{key} {value}" for key, value in facts.items()))


def fit_network(noted: list[Noted], belief: float, seed: int, say: Say) -> tuple[Records[Brain], float]:
    """A network fitted by Adam to who won, and its loss on a tenth of the last notes, which is kept apart.

    ``belief`` is how much the opinion of the search counts beside the outcome.
    """
    rng = np.random.default_rng(seed)
    held = max(1, len(noted[-1].won) // 10)
    x, won, thought = (
        np.concatenate([getattr(each, name) for each in noted])[:-held] for name in ("x", "won", "thought")
    )
    y = (belief * thought + (1 - belief) * won).astype(np.float32)
    apart = noted[-1].x[-held:].astype(np.float32), noted[-1].won[-held:]
    brain = new_records(Brain)
    layers = new_layers(brain, rng, spread=HIDDEN_UNITS**-0.5)
    loss = fit_layers(layers, x, y, apart, COURSE, rng, say)
    put_layers(brain, layers)
    return brain, loss


def other_edition(rng: np.random.Generator) -> TapdeckEdition:
    """Numbers that an organiser might choose: the network should make sense there too."""
    return TapdeckEdition(
        initial_health=2 * int(rng.integers(5, 21)),
        turns=2 * int(rng.integers(15, 41)),
        draws=int(rng.integers(1, 4)),
        burns=int(rng.integers(0, 4)),
        hand_limit=int(rng.integers(5, 13)),
        deck_size=int(rng.integers(40, 161)),
    )


def _agents(each: Round) -> Records[AgentRecord]:
    """The agent that plays a round, and those that take some of its turns."""
    kind = rule_based_kind(60, 2, 1) if each.turns is None else searching_kind(each.turns)
    assert kind.kernel is not None
    player = duplicate(kind.kernel)
    player["search"]["root"] = QUICK
    others = [AGENTS[name].kernel for name in ("greedy", "random")]
    return np.concatenate([player, *others]).view(np.recarray)  # type: ignore[return-value]
