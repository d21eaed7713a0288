"""From nothing to a searching agent, step by step. Each step leaves a file: a run goes on where it was ended."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cardrome.engine.bulk import deal_seeds
from cardrome.engine.records import Records, duplicate, new_records
from cardrome.games.locm.agents.registry import AGENTS, RULE_BASED, SEARCHING, AgentRecord
from cardrome.games.locm.agents.search.brain import BRAIN_FIELDS, Brain, brain_from
from cardrome.games.locm.rules.edition import LocmEdition
from cardrome.games.locm.training.fitting import fit_decks, fit_network
from cardrome.games.locm.training.noting import Noted, play_and_note


@dataclass(frozen=True)
class Schedule:
    """How much is played in each step."""

    deck_rounds: tuple[float, ...] = (1.0, 0.15, 0.08, 0.05, 0.04)
    """The noise of the decks in each of the first rounds, which are played by rule of thumb."""
    deck_games: int = 100_000
    thumb_games: int = 60_000
    """Games by rule of thumb from which the first network is made."""
    search_rounds: int = 2
    search_games: int = 20_000
    """Games between searching agents, in each round, to which decks and network are fitted again."""

    def scaled(self, factor: float) -> Schedule:
        """The same with fewer games, to try it out."""
        parts = (self.deck_games, self.thumb_games, self.search_games)
        decks, thumb, search = (max(40, int(each * factor)) for each in parts)
        return Schedule(self.deck_rounds, decks, thumb, self.search_rounds, search)


def agent(kind: int, noise: float = 0.0, slips: float = 0.0) -> Records[AgentRecord]:
    """A built-in agent that builds learned decks and tries things out now and then, twice: for both seats."""
    base = AGENTS["search-fast"].kernel
    assert base is not None
    records = duplicate(base).view(np.recarray)
    records[0].kind, records[0].learned_deck, records[0].noise, records[0].slips = kind, True, noise, slips
    if kind == SEARCHING:
        records[0].budget.samples, records[0].budget.rounds = 4, 1
    return np.concatenate([records, records]).view(np.recarray)  # type: ignore[return-value]


class Run:
    """A run for one edition, in a folder."""

    def __init__(
        self, edition: LocmEdition, folder: Path, schedule: Schedule, seed: int, jobs: int, say: Callable[[str], None]
    ) -> None:
        self.edition, self.folder, self.schedule, self.jobs, self.say = edition, folder, schedule, jobs, say
        self._seed = seed
        folder.mkdir(parents=True, exist_ok=True)

    def run(self) -> Records[Brain]:
        """All steps; those that are done already are not done again."""
        brain = new_records(Brain)
        brain["learned"] = True
        schedule = self.schedule
        for k, noise in enumerate(schedule.deck_rounds):
            brain = self._step(f"decks-{k}", brain, functools.partial(self._decks, noise=noise))
        brain = self._step("network-0", brain, self._first_network)
        for k in range(schedule.search_rounds):
            brain = self._step(f"search-{k + 1}", brain, self._search_round)
        return brain

    def _step(
        self, name: str, brain: Records[Brain], learn: Callable[[Records[Brain]], dict[str, Any]]
    ) -> Records[Brain]:
        """Learn something unless that was done, and write down what the brain is then."""
        file = self.folder / f"{name}.npz"
        if file.exists():
            with np.load(file, allow_pickle=False) as arrays:
                return brain_from(arrays)
        self._name = name
        start = time.perf_counter()
        brain = duplicate(brain).view(np.recarray)  # type: ignore[assignment]
        facts = learn(brain)
        facts = {"step": name, "edition": self.edition.name, **facts, "seconds": round(time.perf_counter() - start, 1)}
        save_brain(brain, file)
        with (self.folder / "log.jsonl").open("a") as log:
            log.write(json.dumps(facts) + "\n")
        self.say(", ".join(f"{key} {value}" for key, value in facts.items()))
        return brain

    def _play(self, brain: Records[Brain], agents: Records[AgentRecord], games: int, turns: bool = True) -> Noted:
        """Games on deals of their own: no two steps play the same."""
        salt = int.from_bytes(self._name.encode()[-8:].rjust(8)) & (1 << 40) - 1
        return play_and_note(self.edition, agents, brain, deal_seeds(self._seed ^ salt, games), self.jobs, turns)

    def _decks(self, brain: Records[Brain], noise: float) -> dict[str, Any]:
        noted = self._play(brain, agent(RULE_BASED, noise), self.schedule.deck_games, turns=False)
        loss = fit_decks(self.edition, noted.games, brain, towards=False)
        return {"games": len(noted.games), "deck loss": round(loss, 4)}

    def _first_network(self, brain: Records[Brain]) -> dict[str, Any]:
        noted = self._play(brain, agent(RULE_BASED, 0.06, 0.0), self.schedule.thumb_games)
        loss = fit_network(self.edition, noted.turns, brain, go_on=False, say=self.say)
        return {"games": len(noted.games), "turns": len(noted.turns), "network loss": round(loss, 4)}

    def _search_round(self, brain: Records[Brain]) -> dict[str, Any]:
        noted = self._play(brain, agent(SEARCHING, 0.04, 0.08), self.schedule.search_games)
        decks = fit_decks(self.edition, noted.games, brain, towards=True)
        loss = fit_network(self.edition, noted.turns, brain, go_on=True, rate=1e-3, say=self.say)
        facts = {"games": len(noted.games), "turns": len(noted.turns)}
        return {**facts, "deck loss": round(decks, 4), "network loss": round(loss, 4)}


def save_brain(brain: Records[Brain], file: Path) -> None:
    """Write a brain to a file, whole or not at all."""
    part = file.with_suffix(".part")
    with part.open("wb") as opened:
        np.savez_compressed(opened, **{name: brain[name][0] for name in BRAIN_FIELDS})
    part.replace(file)
