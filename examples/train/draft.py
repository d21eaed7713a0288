"""A draft learner: which card is worth taking, for a given battler?

    pip install 'cardrome[envs,train]'
    python examples/train/draft.py --out runs/draft
    cardrome match policy:runs/draft/policy.npz greedy

One agent fights the battles of both sides, so that only the decks differ. A small network values each card on offer by
its features and by what the deck has so far, the same network for all of them; picks are drawn by these values. After
each round of drafts, picks of decks that won become likelier, and those of decks that lost less likely (a policy
gradient, clipped as in PPO). The policy takes the most valuable card. It is written as layers of one network that sees
the whole offer, and plays wherever an agent can be named.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from curve import draw, read_log
from torch import Tensor, nn

import cardrome.envs  # noqa: F401 - registers the environments
from cardrome.arena.statistics import count_pairs, pair_win_rate
from cardrome.games.encoding import Encoding
from cardrome.games.policies import Facts, Network, TrainedPolicy, write_policy

OFFER, DECK = 3, 30


class Values(nn.Module):
    """What a card is worth to a deck."""

    def __init__(self, encoding: Encoding, hidden: int) -> None:
        super().__init__()
        blocks = {block.name: block for block in encoding.blocks}
        self.size, self.offer, self.context = encoding.size, blocks["offer"], (blocks["table"], blocks["curve"])
        features = len(self.offer.features) + sum(block.stop - block.start for block in self.context)
        self.first, self.last = nn.Linear(features, hidden), nn.Linear(hidden, 1)
        nn.init.normal_(self.last.weight, std=0.01)

    def places(self, k: int) -> list[int]:
        """Where in an observation the features of the k-th card and of the deck are."""
        width = len(self.offer.features)
        start = self.offer.start + k * width
        return [*range(start, start + width), *(i for block in self.context for i in range(block.start, block.stop))]

    def forward(self, observations: Tensor) -> Tensor:
        """The values of the cards on offer."""
        rows = torch.stack([observations[:, self.places(k)] for k in range(OFFER)], 1)
        return self.last(torch.tanh(self.first(rows)))[..., 0]

    def network(self) -> Network:
        """The same as layers: the network stands in them once for each card."""
        first, bias, last, end = (each.detach().numpy() for each in (*self.first.parameters(), *self.last.parameters()))
        hidden = len(first)
        inner = np.zeros((self.size, OFFER * hidden), np.float32)
        outer = np.zeros((OFFER * hidden, OFFER), np.float32)
        for k in range(OFFER):
            columns = slice(k * hidden, (k + 1) * hidden)
            inner[self.places(k), columns] = first.T
            outer[columns, k] = last[0]
        return Network([(inner, np.tile(bias, OFFER)), (outer, np.repeat(end, OFFER))], "tanh")


def make(args: argparse.Namespace, n: int, **keywords: Any) -> Any:
    """Drafts against the agent's own, all battles fought by that agent."""
    return gymnasium.make_vec(
        "cardrome/Draft-v0",
        num_envs=n,
        vectorization_mode="vector_entry_point",
        autoreset_mode="Disabled",
        edition=args.edition,
        opponent=args.agent,
        **keywords,
    )


def play_drafts(env: Any, policy: TrainedPolicy, seed: int, random: np.random.Generator | None) -> tuple[Any, ...]:
    """A draft and its battle in each environment: what was seen and picked in each round, who moved second, who won."""
    now, infos = env.reset(seed=seed)
    seen, picked = [], []
    for _ in range(DECK):
        seen.append(now["observation"])
        picked.append(policy(now["observation"], now["action_mask"], random))
        now, rewards, _, _, _ = env.step(picked[-1])
    return np.stack(seen, 1), np.stack(picked, 1), infos["seat"] == 1, rewards > 0


def improve(values: Values, optimiser: torch.optim.Optimizer, games: tuple[Any, ...], epochs: int) -> None:
    """Make the picks of decks that won likelier."""
    seen, picked, second, won = games
    better = won.astype(np.float32)
    for seat in (False, True):  # than others from the same seat
        better[second == seat] -= better[second == seat].mean()
    observations, picks = torch.from_numpy(seen).flatten(0, 1), torch.from_numpy(picked).flatten()
    gain = torch.from_numpy(np.repeat(better, DECK))
    with torch.no_grad():
        before = torch.log_softmax(values(observations), 1).gather(1, picks[:, None])[:, 0]
    for _ in range(epochs):
        for chosen in torch.randperm(len(picks)).split(16384):
            odds = torch.log_softmax(values(observations[chosen]), 1)
            ratio = (odds.gather(1, picks[chosen][:, None])[:, 0] - before[chosen]).exp()
            loss = -torch.minimum(ratio * gain[chosen], ratio.clamp(0.8, 1.2) * gain[chosen]).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()


def evaluate(args: argparse.Namespace, policy: TrainedPolicy) -> tuple[float, float, float]:
    """The share of games won on deals of their own, from both seats, and its 95 % interval."""
    points = np.zeros(args.eval_pairs)
    for seat in (0, 1):
        points += play_drafts(make(args, args.eval_pairs, seat=seat), policy, 10**9, None)[3]
    rate = pair_win_rate(count_pairs(points))
    return round(rate.value, 4), round(rate.low, 4), round(rate.high, 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("runs/draft"), help="the folder of the run")
    parser.add_argument("--edition", default="locm-1.2", help="a rule set with a draft")
    parser.add_argument("--agent", default="greedy", help="who battles for both sides, and drafts for the other")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--games", type=int, default=4096, help="drafts in a round")
    parser.add_argument("--hidden", type=int, default=32, help="size of the network that values cards")
    parser.add_argument("--epochs", type=int, default=3, help="times that a round goes over its picks")
    parser.add_argument("--learning-rate", type=float, default=3e-3)
    parser.add_argument("--eval-every", type=int, default=4, help="rounds between evaluations")
    parser.add_argument("--eval-pairs", type=int, default=1000, help="mirrored pairs of games in an evaluation")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    log, start = args.out / "log.jsonl", time.monotonic()
    log.unlink(missing_ok=True)

    torch.manual_seed(args.seed)
    random = np.random.default_rng(args.seed)
    env = make(args, args.games, seat="random")
    values = Values(env.encoding, args.hidden)
    optimiser = torch.optim.Adam(values.parameters(), args.learning_rate)
    facts = Facts(
        edition=args.edition,
        task="draft",
        encoding=env.encoding.digest,
        activation="tanh",
        elsewhere=args.agent,
        title=f"drafts for {args.agent}",
    )
    for number in range(args.rounds + 1):
        policy = TrainedPolicy(facts, values.network())
        if number % args.eval_every == 0 or number == args.rounds:
            wins = {args.agent: evaluate(args, policy)}
            minutes = round((time.monotonic() - start) / 60, 2)
            with log.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"steps": number * args.games * DECK, "minutes": minutes, "wins": wins}) + "\n")
            title = f"Drafting for {args.agent} in {args.edition}: games won against its own decks"
            (args.out / "curve.svg").write_text(draw(read_log(log), title), encoding="utf-8")
            write_policy(args.out / "policy.npz", facts, policy.scorer)
            rate, low, high = wins[args.agent]
            print(
                f"round {number}: won {rate:.1%} ({low:.1%} to {high:.1%}) against the decks of {args.agent}",
                flush=True,
            )
        if number < args.rounds:
            games = play_drafts(env, policy, args.seed + number * args.games, random)
            improve(values, optimiser, games, args.epochs)


if __name__ == "__main__":
    main()
