"""Games that agents play against themselves, with what can be learned from them: decks, positions, and who won."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from cardrome.engine.kernel import entry, kernel, large_kernel
from cardrome.engine.random import below, player_seed, step
from cardrome.engine.records import Floats, Integers, Record, Records, f4, i1, i4, i8, new_records
from cardrome.games.locm.agents.batch import MOST_ACTIONS_IN_A_TURN, look, look_at_deal
from cardrome.games.locm.agents.registry import ALL_STEPS, AgentRecord, Desk, choose_action, new_desks
from cardrome.games.locm.agents.search.brain import CARD_FEATURES, FEATURES, GROUPS, Brain
from cardrome.games.locm.agents.search.decks import count_groups, describe_card, value_cards
from cardrome.games.locm.agents.search.worth import describe
from cardrome.games.locm.rules.actions import apply_action
from cardrome.games.locm.rules.cardgen import Workshop
from cardrome.games.locm.rules.deal import blank_deals, deal_from_seed
from cardrome.games.locm.rules.deckbuilding import start_game
from cardrome.games.locm.rules.edition import DECK_SIZE, PASS, LocmEdition, Rules
from cardrome.games.locm.rules.state import BATTLE, NOBODY, DealRecord, State, new_states

PERCENT_NOTED = 60
"""Turns of which the end is noted."""
TURNS_NOTED = 24
"""For how many of each game there is memory, on average."""


class NotedGame(Record):
    """A game: its decks by seat, and the seat that won."""

    seed: i8
    first: i1
    """Which of the two agents has seat 0."""
    winner: i1
    opponent: i1
    """Against whom the learner played: 0 for themself, otherwise a number of the league."""
    cards: Annotated[Integers, "u1", (2, DECK_SIZE)]
    groups: Annotated[Integers, "i2", (2, GROUPS)]
    features: Annotated[Floats, "f4", (2, CARD_FEATURES)]
    """The sum of the features of the cards."""


class NotedTurn(Record):
    """The end of a turn as the network sees it, and what became of it."""

    game: i4
    won: i1
    chance: f4
    """To win, in the opinion of an agent that searched."""
    x: Annotated[Floats, "f4", FEATURES]


@kernel
def note_decks(deal: DealRecord, s: State, game: NotedGame, counts: Integers, x: Floats) -> None:
    """Note both decks, before the battle begins."""
    for p in range(2):
        side = s.players[p]
        count_groups(deal, side, counts)
        for g in range(GROUPS):
            game.groups[p, g] = counts[g]
        for i in range(CARD_FEATURES):
            game.features[p, i] = 0.0
        for k in range(side.n_deck):
            game.cards[p, k] = side.deck[k].card
            describe_card(deal.cards[side.deck[k].card], x)
            for i in range(CARD_FEATURES):
                game.features[p, i] += x[i]


@large_kernel
def play_noted(
    rules: Rules,
    deals: Records[DealRecord],
    states: Records[State],
    desk: Desk,
    agents: Records[AgentRecord],
    game: NotedGame,
    number: int,
    turns: Records[NotedTurn],
    n: int,
) -> int:
    """Play a dealt game to its end and note the ends of turns from place n on; returns the next place."""
    s = states[0]
    start_game(rules, s)
    seed, first = int(game.seed), int(game.first)
    random_a, random_b = player_seed(seed, 0), player_seed(seed, 1)
    chance = step(seed)
    value_cards(desk.brains[0], 0, rules, deals[0], desk.search.mind, desk.x)
    start, in_turn, new_turn = n, 0, True
    while s.winner == NOBODY:
        seat = int(s.current)
        if new_turn:
            in_turn = 0
            look(rules, states, seat)
            if s.phase != BATTLE or s.turn < 2:
                look_at_deal(rules, deals, s)
        building = s.phase != BATTLE
        player = seat ^ first
        random = random_a if player == 0 else random_b
        random, action = choose_action(agents[player], rules, deals[1], states[1], desk, random, ALL_STEPS)
        if player == 0:
            random_a = random
        else:
            random_b = random
        in_turn += 1
        if not building:
            if in_turn >= MOST_ACTIONS_IN_A_TURN:
                action = PASS
            if action == PASS and n < len(turns):
                chance, u = below(chance, 100)
                if u < PERCENT_NOTED:
                    turn = turns[n]
                    describe(desk.search.mind.cards, rules, deals[1], states[1], seat, turn.x)
                    turn.game = number
                    turn.won = seat  # until the winner is known
                    turn.chance = desk.search.chance
                    n += 1
        new_turn = False
        for i in range(2):
            if not new_turn:
                if building and i == 0:
                    last = s.players[0].n_deck + s.players[1].n_deck == 2 * DECK_SIZE - 1
                    if last:  # the deck is shuffled as soon as it is complete
                        states[2] = s
                        complete(rules, deals[0], states[2], action)
                        note_decks(deals[0], states[2], game, desk.counts, desk.x)
                apply_action(rules, deals[i], states[i], action)
                new_turn = s.current != seat or s.winner != NOBODY or (building and s.phase == BATTLE)
    winner = int(s.winner)
    for i in range(start, n):
        turns[i].won = int(turns[i].won) == winner
    game.winner = winner
    return n


@kernel
def complete(rules: Rules, deal: DealRecord, s: State, action: int) -> None:
    """Add the last card of a deck, and no more than that."""
    me = s.players[s.current]
    me.deck[me.n_deck].card = deal.offers[me.n_deck, action] if rules.offer_size > 0 else action
    me.n_deck += 1


@entry(Rules, AgentRecord, DealRecord, State, Workshop, Desk, NotedGame, NotedTurn, int, int)
def play_noted_range(
    rules: Records[Rules],
    agents: Records[AgentRecord],
    deals: Records[DealRecord],
    states: Records[State],
    work: Records[Workshop],
    desks: Records[Desk],
    games: Records[NotedGame],
    turns: Records[NotedTurn],
    start: int,
    stop: int,
) -> int:
    """Play the games from ``start`` up to ``stop``; returns how many turns were noted."""
    n = 0
    for g in range(start, stop):
        deal_from_seed(rules[0], deals[0], work[0], int(games[g].seed))
        n = play_noted(rules[0], deals, states, desks[0], agents, games[g], g, turns, n)
    return n


@dataclass(frozen=True)
class Noted:
    """Games and ends of turns."""

    games: Records[NotedGame]
    turns: Records[NotedTurn]


def join_noted(parts: list[Noted]) -> Noted:
    """Several as one; turns no longer know their games."""
    games, turns = ([getattr(part, name) for part in parts] for name in ("games", "turns"))
    return Noted(np.concatenate(games).view(np.recarray), np.concatenate(turns).view(np.recarray))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Task:
    """Games to play, in one go."""

    edition: LocmEdition
    agents: Records[AgentRecord]
    """Two, of which the first is the learner."""
    brain: Records[Brain]
    seeds: np.ndarray[tuple[int], np.dtype[np.int64]]
    """One for each game; the agents take turns in having seat 0."""
    turns: bool = True
    """Note ends of turns too."""
    opponent: int = 0


Spread = Callable[[list[Task]], Iterable[Noted]]
"""Has tasks carried out somewhere: the results in the same order."""


def carry_out(task: Task) -> Noted:
    """Play the games of a task."""
    games = new_records(NotedGame, len(task.seeds))
    games.seed[:] = task.seeds
    games.first[1::2] = 1
    games.opponent[:] = task.opponent
    turns = new_records(NotedTurn, max(1, len(games) * TURNS_NOTED if task.turns else 1))
    desks = new_desks(task.edition)
    desks["brains"] = task.brain
    memory = blank_deals(task.edition, 2), new_states(3), new_records(Workshop), desks
    n = play_noted_range(task.edition.rules, task.agents, *memory, games, turns, 0, len(games))
    return Noted(games, turns[:n].copy())


def on_threads(jobs: int) -> Spread:
    """Carry tasks out on some threads of this process."""

    def spread(tasks: list[Task]) -> Iterable[Noted]:
        with ThreadPoolExecutor(jobs, "games") as pool:
            return list(pool.map(carry_out, tasks))

    return spread


PART = 500
"""Games of one part of a task; an even number, so that parts begin with the same agent."""


def play_and_note(task: Task, spread: Spread) -> Noted:
    """Carry a task out in parts; the result does not depend on where it is played."""
    starts = range(0, len(task.seeds), PART)
    return join_noted(list(spread([replace(task, seeds=task.seeds[k : k + PART]) for k in starts])))
