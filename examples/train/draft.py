"""A draft learner: what is each card worth to a given battler?

    pip install 'cardrome[envs,train]'
    python examples/train/draft.py --out runs/draft
    cardrome match policy:runs/draft/policy.npz rule-based

Decks are drafted by the thousand and played out by one agent on both sides, so that only the decks differ. A deck's
odds of winning are modelled as the sum of its cards' values, and a card's value as a small network of its features,
which is the same for every card and fitted to who won. The drafts of the next round prefer cards of higher value. The
policy takes the most valuable card on offer; it is written as layers, and plays wherever an agent can be named.
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
from cardrome.games.learning.policies import Facts, Network, TrainedPolicy, write_policy

OFFER, DECK = 3, 30


class Values(nn.Module):
    """What cards are worth, and what moving second costs."""

    def __init__(self, features: int, hidden: int) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(features, hidden), nn.Linear(hidden, 1)
        self.second = nn.Parameter(torch.zeros(1))

    def forward(self, cards: Tensor) -> Tensor:
        return self.last(torch.tanh(self.first(cards)))[..., 0]

    def fit(self, decks: Tensor, second: Tensor, won: Tensor, epochs: int) -> float:
        """Fit to decks and who won; returns the loss (0.693 is that of knowing nothing)."""
        optimiser = torch.optim.Adam(self.parameters(), 3e-3, weight_decay=1e-4)
        for _ in range(epochs):
            for chosen in torch.randperm(len(won)).split(1024):
                odds = self(decks[chosen]).sum(1) + self.second * second[chosen]
                loss = nn.functional.binary_cross_entropy_with_logits(odds, won[chosen])
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
        return float(loss.detach())

    def network(self, size: int, offer: int) -> Network:
        """The same for each card on offer, side by side, as layers of a network that sees the whole observation."""
        first, bias, last, end = (each.detach().numpy() for each in (*self.first.parameters(), *self.last.parameters()))
        hidden, features = first.shape
        layers = np.zeros((size, OFFER * hidden), np.float32), np.zeros((OFFER * hidden, OFFER), np.float32)
        for k in range(OFFER):
            rows, columns = offer + k * features, k * hidden
            layers[0][rows : rows + features, columns : columns + hidden] = first.T
            layers[1][columns : columns + hidden, k] = last[0]
        return Network([(layers[0], np.tile(bias, OFFER)), (layers[1], np.repeat(end, OFFER))], "tanh")


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
    """A draft and its battle in each environment: the decks, who moved second, and who won."""
    now, infos = env.reset(seed=seed)
    for _ in range(DECK):
        blocks = env.encoding.split(now["observation"])
        actions = policy(now["observation"], now["action_mask"], random)
        decks = blocks["picks"].copy()
        decks[:, -1] = blocks["offer"][np.arange(len(actions)), actions]
        now, rewards, _, _, _ = env.step(actions)
    return decks, infos["seat"].astype(np.float32), (rewards > 0).astype(np.float32)


def evaluate(args: argparse.Namespace, policy: TrainedPolicy) -> tuple[float, float, float]:
    """The share of games won on deals of their own, from both seats, and its 95 % interval."""
    points = sum(
        play_drafts(make(args, args.eval_pairs, seat=seat), policy, 10**9, None)[2].astype(np.float64)
        for seat in (0, 1)
    )
    rate = pair_win_rate(count_pairs(np.asarray(points)))
    return round(rate.value, 4), round(rate.low, 4), round(rate.high, 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("runs/draft"), help="the folder of the run")
    parser.add_argument("--edition", default="locm-1.2", help="a rule set with a draft")
    parser.add_argument("--agent", default="rule-based", help="who battles for both sides, and drafts for the other")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--games", type=int, default=16384, help="drafts in a round")
    parser.add_argument("--hidden", type=int, default=32, help="size of the network that values cards")
    parser.add_argument("--epochs", type=int, default=4, help="times that a round goes over its games")
    parser.add_argument("--memory", type=int, default=6, help="rounds that are learnt from: the last ones")
    parser.add_argument("--trust", type=float, default=20.0, help="how much likelier a better card is to be taken")
    parser.add_argument("--eval-pairs", type=int, default=1000, help="mirrored pairs of games in an evaluation")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    log, start = args.out / "log.jsonl", time.monotonic()
    log.unlink(missing_ok=True)

    torch.manual_seed(args.seed)
    random = np.random.default_rng(args.seed)
    env = make(args, args.games, seat="random")
    encoding = env.encoding
    offer = next(block for block in encoding.blocks if block.name == "offer")
    values = Values(len(offer.features), args.hidden)
    facts = Facts(
        edition=args.edition,
        task="draft",
        encoding=encoding.digest,
        activation="tanh",
        elsewhere=args.agent,
        title=f"drafts for {args.agent}",
    )
    games: list[tuple[Any, ...]] = []
    for number in range(args.rounds + 1):
        network = values.network(encoding.size, offer.start)
        policy = TrainedPolicy(facts, network)
        wins = {args.agent: evaluate(args, policy)}
        write_policy(args.out / "policy.npz", facts, network)
        with log.open("a", encoding="utf-8") as file:
            row = {
                "steps": number * args.games * DECK,
                "minutes": round((time.monotonic() - start) / 60, 2),
                "wins": wins,
            }
            file.write(json.dumps(row) + "\n")
        title = f"Drafting for {args.agent} in {args.edition}: games won against its own decks"
        (args.out / "curve.svg").write_text(draw(read_log(log), title), encoding="utf-8")
        rate, low, high = wins[args.agent]
        print(f"round {number}: won {rate:.1%} ({low:.1%} to {high:.1%}) against the decks of {args.agent}", flush=True)
        if number < args.rounds:
            bold = TrainedPolicy(facts, lambda rows, network=network: args.trust * network(rows))
            games.append(play_drafts(env, bold, args.seed + number * args.games, random))
            latest = games[-args.memory :]  # a card is worth less, or more, in better decks
            decks, second, won = (torch.from_numpy(np.concatenate(column)) for column in zip(*latest, strict=True))
            values.fit(decks, second, won, args.epochs)


if __name__ == "__main__":
    main()
