"""How kernels step many episodes at once: what those of all families share.

Records and kernels say where an episode stands, who is to decide, and what the learner is rewarded with. `stepping`
makes one entry of them and a family's own kernels.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from cardrome.engine.kernel import entry, kernel
from cardrome.engine.random import player_seed
from cardrome.engine.records import Integers, Record, Records, f8, flag, i1, i2, i4, i8

NEW, DECIDING, ASKING, OVER = range(4)
"""What an episode waits for: its beginning, the learner, somebody in Python, its end to be noticed."""

BOTH = 2
"""The learner's seat where they decide for both players."""

PLAYING_ON = -1
"""The episode waits for nothing outside the kernel."""

LEARNER = -1
"""Who decides: the learner, or else a place in the roster of agents; from `OUTSIDE` on, somebody in Python."""
OUTSIDE = 64

NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""When a finished episode restarts: instead of the next step, at the end of the same step, or when told to."""

STEP, RESUME, BEGIN, LOOK, SPY = range(5)
"""What a kernel is asked for: a step of all episodes, answers to those that ask, a beginning of those that are new, or
only observations, for the player they are shown to or for the other."""


class Episode(Record):
    """What is kept of an episode beside its game."""

    seed: i8
    """Of its deal."""
    random: Annotated[Integers, "i8", 2]
    """The generators of those who decide for the learner's seat, and for the other."""
    potential: f8
    """What the position was worth when the learner last decided; where they have both seats, to player 0."""
    next_seed: i8
    """All of the next episode, which begins without asking Python."""
    next_chance: i8
    number: i4
    """Counts the episodes played here, from 1."""
    steps: i4
    """Decisions of the learner."""
    illegal: i4
    """How many of them were illegal."""
    opponent: i2
    next_opponent: i2
    asked: i2
    """Who is to answer, counted from `OUTSIDE`."""
    learner: i1
    """The learner's seat."""
    next_learner: i1
    laid_out: flag
    """The next episode is ready to begin."""
    status: i1
    seat: i1
    """Who is to decide."""
    winner: i1
    """-1 unless the game is over; 2 for a draw."""
    last_winner: i1
    """That of the episode before."""


POTENTIALS = 8
"""Most potentials that a family has."""


class Terms(Record):
    """What holds for all episodes."""

    autoreset: i1
    decides: Annotated[Integers, "i1", 2]
    """In which phases (deck building, battle) the learner decides."""
    stand_in: Annotated[Integers, "i2", 2]
    """Who decides for the learner's seat in the others, and for the opponent's; -1 for the opponent."""
    other: Annotated[Integers, "i2", 2]
    max_turns: i4
    """Turns after which an episode is cut off; 0: never."""
    first: Annotated[Integers, "i2", 2]
    """The number of the first action of each phase; -1 if they have none."""
    by_number: flag
    """Cards on offer stand in the order of their numbers."""
    deck_size: i4
    """Cards of a deck that is made for each game."""
    win: f8
    """The reward for winning; losing costs as much."""
    score: f8
    """The reward for the highest score, where there are scores."""
    discount: f8
    shaped: flag
    """Whether any potential counts."""
    potentials: Annotated[np.ndarray[Any, Any], "f8", POTENTIALS]
    """How much each potential counts."""


@kernel
def begin_episode(episode: Episode) -> None:
    """The next episode begins, as it was laid out."""
    episode.number += 1
    episode.seed = episode.next_seed
    episode.learner = episode.next_learner
    episode.opponent = episode.next_opponent
    chance = int(episode.next_chance)
    episode.random[0] = player_seed(chance, 0)
    episode.random[1] = player_seed(chance, 1)
    episode.steps = 0
    episode.illegal = 0
    episode.last_winner = episode.winner
    episode.winner = -1
    episode.laid_out = False


@kernel
def side_of(episode: Episode, seat: int) -> int:
    """0 for the learner's seat, 1 for the other; where the learner has both, player 0's counts as theirs."""
    return seat if episode.learner == BOTH else int(seat != episode.learner)


@kernel
def decider(terms: Terms, episode: Episode, phase: int, seat: int) -> int:
    """Who decides for a seat in a phase."""
    if terms.decides[phase] and (seat == episode.learner or episode.learner == BOTH):
        return LEARNER
    who = int(terms.stand_in[phase] if side_of(episode, seat) == 0 else terms.other[phase])
    return who if who >= 0 else int(episode.opponent)


@kernel
def next_decision(terms: Terms, episode: Episode, phase: int, seat: int, over: bool) -> tuple[int, int]:
    """What an episode waits for when a seat is to decide in a phase, unless it is over; and who decides.

    If that is a built-in agent, the episode goes on without waiting: `PLAYING_ON`.
    """
    who = decider(terms, episode, phase, seat)
    if over:
        return OVER, who
    if who == LEARNER:
        return DECIDING, who
    if who >= OUTSIDE:
        episode.asked = who - OUTSIDE
        return ASKING, who
    return PLAYING_ON, who


@kernel
def seat_shown(episode: Episode) -> int:
    """Whose observation it is: that of the player to decide, and at the end the learner's."""
    return int(episode.learner) if episode.status == OVER and episode.learner < BOTH else int(episode.seat)


@kernel
def due(
    terms: Terms, episode: Episode, request: int, g: int, rewards: Integers, terminated: Integers, truncated: Integers
) -> bool:
    """Whether the request is for this episode. A finished one restarts here if that is to happen by itself.

    The results of a step or a beginning are cleared first.
    """
    if request >= LOOK:
        return True
    if request == RESUME:
        return episode.status == ASKING
    if request == STEP and episode.status == OVER and terms.autoreset == NEXT_STEP:
        episode.status = NEW
    if episode.status == OVER or (request == BEGIN and episode.status != NEW):
        return False
    rewards[g] = 0.0
    terminated[g] = False
    truncated[g] = False
    episode.steps += request == STEP and episode.status == DECIDING
    return True


@kernel
def settle(
    terms: Terms,
    episode: Episode,
    worth: float,
    g: int,
    rewards: Integers,
    terminated: Integers,
    truncated: Integers,
) -> None:
    """The learner is to decide, or the episode is over: reward what has happened since they last decided.

    ``worth`` is what the position is worth to them, 0 when the game is over.
    """
    if episode.steps > 0:  # they are not responsible for what happens before their first decision
        rewards[g] += terms.discount * worth - episode.potential
    episode.potential = worth
    if episode.status == OVER:
        terminated[g] = episode.winner >= 0
        truncated[g] = episode.winner < 0
        if episode.winner == episode.learner:
            rewards[g] += terms.win
        elif episode.winner == 1 - episode.learner:
            rewards[g] -= terms.win


@kernel
def keep_nothing(rules: Any, deal: Any, table: Any, scratch: Any, lookup: Any, g: int) -> None:
    """For games whose observers keep nothing of what they have seen."""


@kernel
def no_score(rules: Any, table: Any, seat: int) -> float:
    """For games without scores."""
    return 0.0


def stepping(
    name: str,
    memory: tuple[Any, Any, Any, Any, Any, Any],
    row: type[Record],
    advance: Any,
    see: Any,
    spy: Any,
    potential: Any,
    write_mask: Any,
    meet: Any = keep_nothing,
    final_score: Any = no_score,
) -> Any:
    """The entry that steps episodes, made of a family's kernels.

    ``memory`` names its records: the rules, the roster of agents, what observers look things up in, deals, tables (one
    for each game) and scratch memory (one for each thread). There is a deal for each game, or for each thread where a
    deal is not needed once the game has begun. The kernels:

    - ``advance`` takes an action, or begins an episode, and plays on until it has to wait; it returns the status.
    - ``see`` and ``spy`` write what a seat sees into a row; ``spy`` leaves no trace.
    - ``potential`` says what a position is worth to a seat.
    - ``write_mask`` marks the legal actions in a cleared mask.
    - ``meet`` prepares the observation of a game that has begun.
    - ``final_score`` is a seat's score as a part of the highest possible.
    """
    rules_type, roster_type, lookup_type, deal_type, table_type, scratch_type = memory

    def step(
        rules: Records[Any],
        terms: Records[Terms],
        rosters: Records[Any],
        lookup: Records[Any],
        episodes: Records[Episode],
        deals: Records[Any],
        tables: Records[Any],
        scratches: Records[Any],
        actions: Integers,
        observations: Records[Any],
        masks: Integers,
        rewards: Integers,
        terminated: Integers,
        truncated: Integers,
        finals: Records[Any],
        request: int,
        thread: int,
        start: int,
        stop: int,
    ) -> int:
        """Do what is requested in a range of episodes; returns how many wait for an answer, and how many began."""
        r, t, roster, scratch = rules[0], terms[0], rosters[0], scratches[thread]
        asking, begun = 0, 0
        n_actions = len(masks) // len(episodes)
        for g in range(start, stop):
            episode, deal, table = episodes[g], deals[g if len(deals) == len(episodes) else thread], tables[g]
            if not due(t, episode, request, g, rewards, terminated, truncated):
                continue
            if request == SPY:
                spy(t, lookup, deal, table, scratch, 1 - seat_shown(episode), observations, g)
                continue
            again = request != LOOK
            while again:
                began = episode.status == NEW
                status = advance(r, t, roster, episode, deal, table, scratch, int(actions[g]))
                if began:
                    begun += 1
                    meet(r, deal, table, scratch, lookup, g)
                if status != ASKING:
                    worth = potential(t, table, int(episode.learner) % BOTH) if t.shaped else 0.0
                    settle(t, episode, worth, g, rewards, terminated, truncated)
                    if t.score != 0 and episode.winner >= 0 and episode.learner < BOTH:
                        rewards[g] += t.score * final_score(r, table, int(episode.learner))
                again = status == OVER and t.autoreset == SAME_STEP
                if again:
                    see(t, lookup, deal, table, seat_shown(episode), finals, g)
                    episode.status = NEW
            see(t, lookup, deal, table, seat_shown(episode), observations, g)
            mask = masks[g * n_actions : (g + 1) * n_actions]
            for k in range(n_actions):
                mask[k] = 0
            if episode.status == OVER:
                mask[0] = 1  # so that there is always one to take
            else:
                write_mask(r, t, deal, table, mask)
            asking += episode.status == ASKING
        return begun << 32 | asking

    step.__name__ = step.__qualname__ = name
    step.__module__ = advance.__module__
    arrays = rules_type, Terms, roster_type, lookup_type, Episode, deal_type, table_type, scratch_type
    results = np.int64, row, np.int8, np.float64, np.bool_, np.bool_, row
    return entry(*arrays, *results, int, int, int, int)(step)
