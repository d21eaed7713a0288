"""Train the searching agents of LOCM: what cards are worth to a deck, and the network that rates positions.

    python examples/train/search.py locm-1.2 --folder runs/search

From nothing to a brain in four kinds of steps, each of which leaves a file, so that a run that was ended goes on:

1. ``decks-K``: games by rules of thumb with decks that get less and less random; values of cards are fitted to who won.
2. ``network``: more such games, with good decks; the network is fitted to the ends of turns and who won.
3. ``round-K-decks``: games of the searching agent against itself and a league of others; decks are fitted again, since
   a deck must suit its player.
4. ``round-K-network``: the network learns from the games that the searching agent played against itself as well.

What a round has learned is admitted if it does better over a league of opponents (a sequential test), to which the last
brain belongs, and not much worse against any of them. Otherwise half of the step is tried, and if that is refused as
well, the last brain stays. ``log.jsonl`` has the figures of
each step, ``learning.svg`` the picture.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from curve import draw

from cardrome.arena.sprt import Decision, Sprt
from cardrome.arena.statistics import count_pairs, pair_win_rate
from cardrome.engine.bulk import deal_seeds
from cardrome.engine.records import Records, duplicate, new_records
from cardrome.games.learning.network import load_brain, save_brain
from cardrome.games.locm.agents.search.brain import Brain
from cardrome.games.locm.rules.edition import EDITIONS, LocmEdition
from cardrome.games.locm.training.fitting import fit_decks, fit_network
from cardrome.games.locm.training.league import STYLES, agent_record, pair, play_match
from cardrome.games.locm.training.noting import Noted, Spread, Task, carry_out, join_noted, on_threads, play_and_note

LEAGUE = ["rule-based", "greedy", *STYLES]
WORST = 5
"""Points of a hundred that a new brain may lose against somebody, if it gains more against the others."""


@dataclass(frozen=True)
class Schedule:
    """How much is played in each step."""

    deck_rounds: tuple[float, ...] = (1.0, 0.15, 0.08, 0.05, 0.04)
    """The noise of the decks in each of the first rounds."""
    deck_games: int = 100_000
    network_games: int = 200_000
    search_rounds: int = 2
    search_games: int = 20_000
    """Games of the searching agent against itself, in each round; as many against the league."""
    test_pairs: int = 2_000
    """Pairs after which a test of a new brain ends at the latest."""

    def scaled(self, factor: float) -> Schedule:
        """The same with fewer games, to try it out."""
        names = ("deck_games", "network_games", "search_games", "test_pairs")
        return replace(self, **{name: max(40, int(getattr(self, name) * factor)) for name in names})


class Run:
    """A run for one edition, in a folder."""

    def __init__(
        self,
        edition: LocmEdition,
        folder: Path,
        schedule: Schedule,
        seed: int,
        jobs: int,
        spread: Spread | None = None,
        say: Callable[[str], None] = print,
    ) -> None:
        self.edition, self.folder, self.schedule, self.jobs, self.say = edition, folder, schedule, jobs, say
        self._spread = spread or on_threads(jobs)
        self._seed = seed
        self._name = ""
        self._self_play: Noted | None = None
        folder.mkdir(parents=True, exist_ok=True)

    def run(self) -> Records[Brain]:
        """All steps; those that are done already are not done again."""
        brain = new_records(Brain)
        brain["learned"] = True
        for k, noise in enumerate(self.schedule.deck_rounds):
            brain = self._step(f"decks-{k}", brain, functools.partial(self._decks, noise=noise))
        brain = self._step("network", brain, self._network)
        for k in range(self.schedule.search_rounds):
            brain = self._step(f"round-{k + 1}-decks", brain, self._search_decks, tested=True)
            brain = self._step(f"round-{k + 1}-network", brain, self._search_network, tested=True)
        save_brain(brain, self.folder / "brain.npz")
        self._draw_curve()
        return brain

    def _step(
        self,
        name: str,
        brain: Records[Brain],
        learn: Callable[[Records[Brain]], dict[str, Any]],
        tested: bool = False,
    ) -> Records[Brain]:
        """Learn something unless that was done, and write down what the brain is then."""
        file = self.folder / f"{name}.npz"
        if file.exists():
            return load_brain(Brain, file)
        self._name = name
        start = time.perf_counter()
        learned: Records[Brain] = duplicate(brain).view(np.recarray)  # type: ignore[assignment]
        facts = {"step": name, "edition": self.edition.name, **learn(learned)}
        if tested:
            facts |= self._test(learned, brain)
            if not facts["admitted"]:  # a step in the right direction may only be too long
                save_brain(learned, self.folder / f"{name}-refused.npz")
                learned = between(brain, learned)
                facts |= {"refused": facts["points gained"], **self._test(learned, brain)}
            if not facts["admitted"]:
                learned = brain
        facts["seconds"] = round(time.perf_counter() - start, 1)
        save_brain(learned, file)
        with (self.folder / "log.jsonl").open("a") as log:
            log.write(json.dumps(facts) + "\n")
        self.say(", ".join(f"{key} {value}" for key, value in facts.items()))
        return learned

    def _draw_curve(self) -> None:
        """The picture of the run: games won against `rule-based`, on the same deals, with what each step has left.

        Decks alone are those of an agent that is otherwise `rule-based` itself.
        """
        self._name = "curve"
        rows, games, curves = [], 0, {"decks": "rule-based", "search-fast": "search-fast"}
        for line in (self.folder / "log.jsonl").read_text().splitlines():
            facts = json.loads(line)
            games += facts.get("games", 0)
            curve = "decks" if facts["step"].startswith("decks") else "search-fast"
            brain = load_brain(Brain, self.folder / f"{facts['step']}.npz")
            agents = pair(agent_record(curves[curve], learned_deck=True), agent_record("rule-based"))
            self._name = "curve"
            played = play_match(
                self.edition, agents, (brain, brain), self._seeds(self.schedule.test_pairs // 4), self.jobs
            )
            rate = pair_win_rate(count_pairs(_points(played)))
            rows.append({"steps": games, "wins": {curve: [rate.value, rate.low, rate.high]}})
        title = f"Games won against rule-based in {self.edition.name}"
        (self.folder / "learning.svg").write_text(draw(rows, title, "games"))

    def _seeds(self, games: int, part: str = "") -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Deals of this step's own: no two steps play the same."""
        salt = int.from_bytes((self._name + part).encode()) % ((1 << 61) - 1)
        return deal_seeds(self._seed ^ salt, games)

    def _decks(self, brain: Records[Brain], noise: float) -> dict[str, Any]:
        agent = agent_record("rule-based", noise, learned_deck=True)
        seeds = self._seeds(self.schedule.deck_games)
        noted = play_and_note(Task(self.edition, pair(agent, agent), brain, seeds, turns=False), self._spread)
        loss = fit_decks(self.edition, noted.games, brain, towards=False)
        return {"games": len(noted.games), "deck loss": round(loss, 4)}

    def _rules_of_thumb(self, brain: Records[Brain], games: int) -> Noted:
        agent = agent_record("rule-based", 0.06, learned_deck=True)
        return play_and_note(Task(self.edition, pair(agent, agent), brain, self._seeds(games, "thumb")), self._spread)

    def _network(self, brain: Records[Brain]) -> dict[str, Any]:
        noted = self._rules_of_thumb(brain, self.schedule.network_games)
        loss = fit_network(self.edition, noted.turns, brain, go_on=False, say=self.say)
        return {"games": len(noted.games), "turns": len(noted.turns), "network loss": round(loss, 4)}

    def _search_decks(self, brain: Records[Brain]) -> dict[str, Any]:
        learner = agent_record("search-fast", 0.04, 0.08)
        games = self.schedule.search_games
        own = self._own_games(brain)
        parts = [own]
        for k, name in enumerate(LEAGUE):
            # The strongest of them has half of the games.
            n = games // 2 if name == "rule-based" else games // 2 // (len(LEAGUE) - 1)
            agents = pair(learner, agent_record(name))
            task = Task(self.edition, agents, brain, self._seeds(n, name), turns=False, opponent=k + 1)
            parts.append(play_and_note(task, self._spread))
        noted = join_noted(parts)
        loss = fit_decks(self.edition, noted.games, brain, towards=True, strictness=600.0)
        self._self_play = own
        return {"games": len(noted.games), "deck loss": round(loss, 4)}

    def _own_games(self, brain: Records[Brain]) -> Noted:
        """Games of the searching agent against itself."""
        learner = agent_record("search-fast", 0.04, 0.08)
        seeds = self._seeds(self.schedule.search_games, "own")
        return play_and_note(Task(self.edition, pair(learner, learner), brain, seeds), self._spread)

    def _search_network(self, brain: Records[Brain]) -> dict[str, Any]:
        own = self._self_play or self._own_games(brain)  # they are gone if the run was ended in between
        thumb = self._rules_of_thumb(brain, self.schedule.network_games)
        noted = join_noted([own, own, thumb])  # what searching agents did counts twice
        loss = fit_network(self.edition, noted.turns, brain, go_on=True, rate=1e-3, say=self.say)
        return {"turns": len(noted.turns), "network loss": round(loss, 4)}

    def _test(self, new: Records[Brain], old: Records[Brain]) -> dict[str, Any]:
        """Whether a new brain is admitted: better than the old one over the league to which the old one belongs.

        Pairs against the old brain count as they are. Against anybody else both brains play the same deals, and a pair
        counts by how many more games than the old brain the new one has won.
        """
        learner, sprt = agent_record("search-fast"), Sprt(0, 15)
        seeds, decision = self._seeds(self.schedule.test_pairs // 2, "test"), Decision.CONTINUE
        points: dict[str, list[float]] = {name: [] for name in ("the last", *LEAGUE)}
        won: dict[str, list[float]] = {name: [] for name in LEAGUE}
        for start in range(0, len(seeds), 100):
            part = seeds[start : start + 100]
            points["the last"] += _points(
                play_match(self.edition, pair(learner, learner), (new, old), part, self.jobs)
            ).tolist()
            for name in LEAGUE:
                agents = pair(learner, agent_record(name))
                after, before = (
                    _points(play_match(self.edition, agents, (each, old), part, self.jobs)) for each in (new, old)
                )
                points[name] += ((after - before) / 2 + 1).tolist()
                won[name] += (after / 2).tolist()
            decision = sprt.decide(count_pairs(np.concatenate(list(points.values())), draws=True))
            if decision is not Decision.CONTINUE:
                break
        rate = pair_win_rate(count_pairs(np.concatenate(list(points.values())), draws=True))
        gained = {name: round(100 * (float(np.mean(each)) / 2 - 0.5), 1) for name, each in points.items()}
        return {
            "admitted": rate.value > 0.5 and decision is not Decision.H0 and min(gained.values()) > -WORST,
            "over the league": f"{100 * rate.value:.1f}% ({100 * rate.low:.1f} to {100 * rate.high:.1f})",
            "points gained": gained,
            "won": {name: round(100 * float(np.mean(each)), 1) for name, each in won.items()},
        }


def between(one: Records[Brain], other: Records[Brain]) -> Records[Brain]:
    """A brain half way between two."""
    mean = duplicate(one).view(np.recarray)
    for name in mean.dtype.names:
        if mean.dtype[name].base.kind == "f":
            mean[name] = (one[name] + other[name]) / 2
    return mean  # type: ignore[return-value]


def _points(games: Any) -> Any:
    """The first agent's points in each pair."""
    return (games.winner == 0).reshape(-1, 2).sum(1).astype(float)


def on_ray(address: str | None) -> Spread:
    """Carry tasks out on a Ray cluster: games are the greater part of the work."""
    import ray

    ray.init(address=address)
    remote = ray.remote(num_cpus=1)(carry_out)
    return lambda tasks: ray.get([remote.remote(task) for task in tasks])


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edition", choices=list(EDITIONS))
    parser.add_argument("--folder", type=Path, default=Path("runs/search"), help="where steps are kept")
    parser.add_argument("--scale", type=float, default=1.0, help="a part of the usual number of games, to try it out")
    parser.add_argument("--rounds", type=int, default=2, help="rounds of games between searching agents")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--ray", metavar="ADDRESS", help="play the games on a Ray cluster; 'auto' finds one")
    options = parser.parse_args()
    schedule = replace(Schedule().scaled(options.scale), search_rounds=options.rounds)
    folder, edition = options.folder / options.edition, EDITIONS[options.edition]
    spread = on_ray(options.ray) if options.ray else None
    Run(edition, folder, schedule, options.seed, options.jobs, spread, functools.partial(print, flush=True)).run()
    print(f"the brain is {folder / 'brain.npz'}")


if __name__ == "__main__":
    main()
