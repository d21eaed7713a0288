"""Proximal policy optimisation with action masks, in one file, on the native vector environment.

    pip install 'cardrome[envs,train]'
    python examples/train/ppo.py --out runs/battle
    cardrome match policy:runs/battle/policy.npz greedy

Learns the battle of LOCM 1.2 against a mixture of built-in agents and its own past. Everything is kept in the folder
given by --out after every update, so the run can be stopped at any moment (Ctrl-C) and goes on with --resume:
state.npz (network and optimiser), policy.npz (the network as an agent), log.jsonl, curve.svg and snapshots/ (the pool
of past selves). Weights are plain arrays; nothing is pickled.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from curve import draw, read_log
from torch import Tensor, nn

from cardrome.arena.statistics import count_pairs, pair_win_rate
from cardrome.envs.selfplay import Pool
from cardrome.games.learning.policies import Facts, Network, TrainedPolicy, write_policy


def setting(default: Any, text: str) -> Any:
    return field(default=default, metadata={"help": text})


@dataclass
class Settings:
    env: str = setting("cardrome/Battle-v0", "the environment")
    edition: str = setting("locm-1.2", "the rule set")
    decks: str = setting("random", "the agent that builds all decks")
    opponents: str = setting("random:1,greedy:6", "agents to train against, with weights")
    self_play: float = setting(1.0, "the weight of past selves among them, from the first snapshot on")
    snapshot_every: int = setting(2_000_000, "steps between snapshots")
    steps: int = setting(30_000_000, "steps in all")
    envs: int = setting(1024, "games side by side")
    horizon: int = setting(32, "steps of each game between updates")
    hidden: str = setting("256,128", "sizes of the hidden layers")
    learning_rate: float = setting(1e-3, "falls to nothing by the end")
    epochs: int = setting(2, "times that an update goes over its steps")
    batch: int = setting(4096, "steps that are learnt from at once")
    discount: float = setting(0.99, "what the next step counts")
    smoothing: float = setting(0.95, "lambda of the generalised advantage")
    clip: float = setting(0.2, "how far an update may change the odds of an action")
    entropy: float = setting(0.01, "what trying different actions is worth; falls to a tenth by the end")
    shaping: str = setting("health:1,board:2,hand:0.5", "potentials that count beside winning, with weights")
    eval_every: int = setting(500_000, "steps between evaluations")
    eval_pairs: int = setting(400, "mirrored pairs of games in an evaluation")
    eval_opponents: str = setting("random,greedy", "agents to be evaluated against")
    threads: int = setting(2, "threads of PyTorch; one, if others use the machine")
    seed: int = setting(1, "of everything")


def weights(text: str) -> dict[str, float]:
    return {name: float(weight) for name, _, weight in (each.partition(":") for each in text.split(",") if each)}


class Learner(nn.Module):
    """A trunk, the scores of all actions, and what a position is worth."""

    def __init__(self, size: int, hidden: list[int], n_actions: int) -> None:
        super().__init__()
        sizes = [size, *hidden]
        self.trunk = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        self.actor, self.critic = nn.Linear(sizes[-1], n_actions), nn.Linear(sizes[-1], 1)
        for layer, gain in (*((each, 2**0.5) for each in self.trunk), (self.actor, 0.01), (self.critic, 1.0)):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """The logarithms of the actions' odds, and values."""
        x = observations
        for layer in self.trunk:
            x = torch.relu(layer(x))
        scores = self.actor(x).masked_fill(~masks, -1e9)
        return torch.log_softmax(scores, 1), self.critic(x)[:, 0]

    def network(self) -> Network:
        """A copy of what decides, without PyTorch."""
        layers = [*self.trunk, self.actor]
        return Network([(f.weight.detach().numpy().T.copy(), f.bias.detach().numpy().copy()) for f in layers])


def make(settings: Settings, n: int, **keywords: Any) -> Any:
    return gymnasium.make_vec(
        settings.env,
        num_envs=n,
        vectorization_mode="vector_entry_point",
        edition=settings.edition,
        deck_builder=settings.decks,
        **keywords,
    )


def tensors(observations: dict[str, Any]) -> tuple[Tensor, Tensor]:
    return torch.from_numpy(observations["observation"]), torch.from_numpy(observations["action_mask"]) != 0


class Rollout:
    """What happened in ``horizon`` steps of all games."""

    def __init__(self, settings: Settings, size: int, n_actions: int) -> None:
        shape = settings.horizon, settings.envs
        self.observations, self.masks = torch.zeros(*shape, size), torch.zeros(*shape, n_actions, dtype=torch.bool)
        self.actions, self.odds = torch.zeros(shape, dtype=torch.int64), torch.zeros(shape)
        self.values, self.rewards, self.going_on = torch.zeros(shape), torch.zeros(shape), torch.zeros(shape)

    @torch.no_grad()
    def collect(self, learner: Learner, env: Any, now: dict[str, Any]) -> dict[str, Any]:
        """Play on from the observations ``now``; returns those after the last step."""
        for t in range(len(self.actions)):
            self.observations[t], self.masks[t] = tensors(now)
            odds, self.values[t] = learner(self.observations[t], self.masks[t])
            # The largest of the odds, each divided by an exponential number, is drawn by these odds.
            actions = (odds - torch.empty_like(odds).exponential_().log()).argmax(1)
            self.actions[t], self.odds[t] = actions, odds.gather(1, actions[:, None])[:, 0]
            now, rewards, terminated, truncated, _ = env.step(actions.numpy())
            self.rewards[t] = torch.from_numpy(rewards)
            self.going_on[t] = torch.from_numpy(~(terminated | truncated))
        return now

    @torch.no_grad()
    def advantages(self, last: Tensor, discount: float, smoothing: float) -> Tensor:
        """How much better each action was than expected (generalised advantage estimation)."""
        result, after, value = torch.zeros_like(self.values), torch.zeros_like(last), last
        for t in reversed(range(len(result))):
            surprise = self.rewards[t] + discount * self.going_on[t] * value - self.values[t]
            result[t] = after = surprise + discount * smoothing * self.going_on[t] * after
            value = self.values[t]
        return result

    def batches(self, advantages: Tensor, size: int) -> Iterator[tuple[Tensor, ...]]:
        """Everything once, in random order, but for a rest that makes no batch.

        Where only one action was legal there is nothing to learn.
        """
        columns = self.observations, self.masks, self.actions, self.odds, advantages, advantages + self.values
        flat = [column.flatten(0, 1) for column in columns]
        choices = torch.nonzero(flat[1].sum(1) > 1)[:, 0]
        order = choices[torch.randperm(len(choices))]
        for chosen in order[: max(len(order) // size, 1) * size].split(size):
            yield tuple(column[chosen] for column in flat)


def improve(
    learner: Learner, optimiser: torch.optim.Optimizer, batch: tuple[Tensor, ...], clip: float, entropy: float
) -> Tensor:
    """One step of the optimiser; returns how far the odds moved, the entropy and the error of the values."""
    observations, masks, actions, old, advantages, returns = batch
    odds, values = learner(observations, masks)
    new = odds.gather(1, actions[:, None])[:, 0]
    ratio = (new - old).exp()
    gain = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    policy_loss = -torch.minimum(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain).mean()
    variety = -(odds.exp() * odds).sum(1).mean()
    value_loss = (values - returns).square().mean() / 2
    optimiser.zero_grad()
    (policy_loss + 0.5 * value_loss - entropy * variety).backward()
    nn.utils.clip_grad_norm_(learner.parameters(), 0.5)
    optimiser.step()
    return torch.stack([(old - new).mean(), variety, value_loss]).detach()


def evaluate(settings: Settings, policy: TrainedPolicy, opponent: str) -> tuple[float, float, float]:
    """The share of games won with the best actions, on each deal from both seats, and its 95 % interval."""
    n, points = settings.eval_pairs, np.zeros(settings.eval_pairs)
    for seat in (0, 1):
        env = make(settings, n, opponent=opponent, seat=seat, threads=settings.threads)
        now, _ = env.reset(seed=1_000_000_000)  # the same deals every time
        winner = np.full(n, -1)
        while (winner < 0).any():
            now, _, terminated, _, infos = env.step(policy(now["observation"], now["action_mask"]))
            first = terminated & (winner < 0)
            if first.any():
                winner[first] = infos["winner"][first]
        points += winner == seat
    rate = pair_win_rate(count_pairs(points))
    return round(rate.value, 4), round(rate.low, 4), round(rate.high, 4)


class Run:
    """A training run and its folder."""

    def __init__(self, settings: Settings, folder: Path, resume: bool) -> None:
        self.settings, self.folder = settings, folder
        self.updates = self.steps = 0
        self.seconds = self.cpu_seconds = 0.0
        self.noted = time.monotonic(), time.process_time()
        torch.manual_seed(settings.seed)
        mixture, rewards = weights(settings.opponents), {"win": 1.0, **weights(settings.shaping)}
        self.pool = Pool(folder / "snapshots", half_life=8, seed=settings.seed)
        self.env = make(
            settings,
            settings.envs,
            opponent={**mixture, **(self.pool.opponents(settings.self_play) if settings.self_play else {})},
            reward=rewards,
            discount=settings.discount,
            seat="random",
            autoreset_mode="SameStep",
            threads=settings.threads,
        )
        encoding = self.env.encoding
        hidden = [int(size) for size in settings.hidden.split(",")]
        self.learner = Learner(encoding.size, hidden, encoding.n_actions)
        self.optimiser = torch.optim.Adam(self.learner.parameters(), settings.learning_rate, eps=1e-5)
        self.facts = Facts(
            edition=settings.edition, task=encoding.task, encoding=encoding.digest, elsewhere="greedy", title="PPO"
        )
        self.rollout = Rollout(settings, encoding.size, encoding.n_actions)
        if resume:
            self.load()

    @property
    def policy(self) -> TrainedPolicy:
        return TrainedPolicy(self.facts, self.learner.network())

    def save(self) -> None:
        """Everything that the run needs to go on, in one file that is replaced at once."""
        names = [name for name, _ in self.learner.named_parameters()]
        state = self.optimiser.state_dict()["state"]
        arrays = {f"model.{name}": value.numpy() for name, value in self.learner.state_dict().items()}
        arrays |= {f"adam.{names[k]}.{part}": each[part].numpy() for k, each in state.items() for part in each}
        done = {"updates": self.updates, "steps": self.steps, "seconds": self.seconds, "cpu_seconds": self.cpu_seconds}
        arrays["run"] = np.frombuffer(json.dumps(done | {"settings": asdict(self.settings)}).encode(), np.uint8)
        part = self.folder / "state.npz.part"
        with part.open("wb") as file:
            np.savez(file, **arrays)
        part.replace(self.folder / "state.npz")

    def load(self) -> None:
        with np.load(self.folder / "state.npz", allow_pickle=False) as arrays:
            done = json.loads(arrays["run"].tobytes())
            model = {name: torch.from_numpy(arrays[f"model.{name}"]) for name in self.learner.state_dict()}
            names = [name for name, _ in self.learner.named_parameters()]
            adam = {
                k: {part: torch.from_numpy(arrays[f"adam.{name}.{part}"]) for part in ("step", "exp_avg", "exp_avg_sq")}
                for k, name in enumerate(names)
            }
        self.learner.load_state_dict(model)
        self.optimiser.load_state_dict({**self.optimiser.state_dict(), "state": adam})
        self.updates, self.steps = done["updates"], done["steps"]
        self.seconds, self.cpu_seconds = done["seconds"], done["cpu_seconds"]

    def report(self, figures: dict[str, float]) -> None:
        """Evaluate, and write the log, the picture and the policy."""
        policy = self.policy
        wins = {name: evaluate(self.settings, policy, name) for name in self.settings.eval_opponents.split(",")}
        row = {"steps": self.steps, "minutes": round(self.seconds / 60, 2), "wins": wins, **figures}
        row |= {"cpu_minutes": round(self.cpu_seconds / 60, 2), "load": round(os.getloadavg()[0], 1)}
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        rows = read_log(self.folder / "log.jsonl")
        title = f"{self.env.encoding.task.capitalize()} in {self.settings.edition}: games won against"
        (self.folder / "curve.svg").write_text(draw(rows, title), encoding="utf-8")
        write_policy(self.folder / "policy.npz", policy.facts, policy.scorer)
        rates = ", ".join(
            f"{rate:.1%} ({low:.1%} to {high:.1%}) against {name}" for name, (rate, low, high) in wins.items()
        )
        print(f"{self.steps:>11,} steps, {row['minutes']:6.1f} min: won {rates}", flush=True)

    def take_time(self) -> None:
        now = time.monotonic(), time.process_time()
        self.seconds += now[0] - self.noted[0]
        self.cpu_seconds += now[1] - self.noted[1]
        self.noted = now

    def update(self, now: dict[str, Any]) -> tuple[dict[str, Any], dict[str, float]]:
        """Play, and learn from it."""
        settings = self.settings
        left = 1 - min(self.steps / settings.steps, 1)
        self.optimiser.param_groups[0]["lr"] = settings.learning_rate * max(left, 0.01)
        now = self.rollout.collect(self.learner, self.env, now)
        with torch.no_grad():
            _, last = self.learner(*tensors(now))
        advantages = self.rollout.advantages(last, settings.discount, settings.smoothing)
        figures = [
            improve(self.learner, self.optimiser, batch, settings.clip, settings.entropy * max(left, 0.1))
            for _ in range(settings.epochs)
            for batch in self.rollout.batches(advantages, settings.batch)
        ]
        self.updates += 1
        self.steps += self.rollout.actions.numel()
        change, entropy, error = torch.stack(figures).mean(0).tolist()
        return now, {"kl": round(change, 5), "entropy": round(entropy, 4), "value_loss": round(error, 4)}

    def go_on(self) -> None:
        """Until all steps are done, or Ctrl-C."""
        stopped: list[int] = []

        def stop(number: int, _: object) -> None:
            print("stopping after this update; Ctrl-C again ends at once", flush=True)
            stopped.append(number)
            signal.signal(signal.SIGINT, before)

        before = signal.signal(signal.SIGINT, stop)
        settings = self.settings
        now, _ = self.env.reset(seed=settings.seed * 1_000_000_007 + self.updates * settings.envs)
        if self.steps == 0:
            self.report({})
        self.take_time()
        try:
            while self.steps < settings.steps and not stopped:
                now, figures = self.update(now)
                self.take_time()
                past = self.steps - self.rollout.actions.numel()
                if settings.self_play and self.steps // settings.snapshot_every > past // settings.snapshot_every:
                    self.pool.add(self.policy)
                self.pool.draw()
                if self.steps // settings.eval_every > past // settings.eval_every or self.steps >= settings.steps:
                    self.report(figures)
                self.save()
        finally:
            signal.signal(signal.SIGINT, before)
        if stopped:
            print(f"stopped after {self.steps:,} steps; --resume goes on", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("runs/battle"), help="the folder of the run")
    parser.add_argument("--resume", action="store_true", help="go on with the run in that folder, with its settings")
    for each in fields(Settings):
        flag = "--" + each.name.replace("_", "-")
        text = f"{each.metadata['help']} (default: {each.default})"
        parser.add_argument(flag, type=type(each.default), default=argparse.SUPPRESS, help=text)
    given = vars(parser.parse_args())
    folder, resume = given.pop("out"), given.pop("resume")
    state = folder / "state.npz"
    if resume:
        if not state.exists():
            parser.error(f"{folder} has no run to go on with")
        with np.load(state, allow_pickle=False) as arrays:
            given = json.loads(arrays["run"].tobytes())["settings"] | given
    elif state.exists():
        parser.error(f"{folder} has a run already: --resume goes on with it")
    folder.mkdir(parents=True, exist_ok=True)
    settings = Settings(**given)
    torch.set_num_threads(settings.threads)
    Run(settings, folder, resume).go_on()


if __name__ == "__main__":
    main()
