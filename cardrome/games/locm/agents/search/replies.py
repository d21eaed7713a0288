"""What the opponent may answer: lines of a turn are played on with imagined cards, and the better half is looked at
again, until one is left.

The work is cut into steps of one imagined hand each, so that whoever has a clock can stop between them.
"""

from __future__ import annotations

from typing import Annotated

from cardrome.engine.kernel import kernel, large_kernel
from cardrome.engine.random import below, step
from cardrome.engine.records import Integers, Record, Records, f4, i2, i4, i8
from cardrome.games.learning.network import chance
from cardrome.games.locm.agents.evaluate import Weights
from cardrome.games.locm.agents.rule_based import Trials, act_by_rules
from cardrome.games.locm.agents.search.brain import Brain
from cardrome.games.locm.agents.search.turn import LONGEST, Line, TurnSearch, could_win, fingerprint, search_turn
from cardrome.games.locm.agents.search.worth import Mind, worth_of
from cardrome.games.locm.rules.battle import apply_battle
from cardrome.games.locm.rules.edition import PASS, Rules
from cardrome.games.locm.rules.state import NOBODY, DealRecord, State
from cardrome.games.locm.rules.view import SCRATCH_SIZE, fill_in

WIN_WIDTH = 64
"""Width of the beam that looks for a win."""
MOST_IN_REPLY = 40
"""Actions of an imagined turn."""


FEW_LINES = 8
"""Lines that are left when the turns that follow are worth searching."""


class Budget(Record):
    """How much a searching agent looks at."""

    width: i4
    """Positions of one length, in the search of a turn."""
    lines: i4
    """Ways to end the turn that are played on."""
    samples: i4
    """Imagined hands of the first round; each round that follows has twice as many, for half of the lines."""
    rounds: i4
    cycles: i4
    """How often lines are rated in such rounds; what was found before counts."""
    turns: i4
    """Turns that are played on, the opponent's first."""
    reply: i4
    """Width of the beam that searches these turns once few lines are left; 0: they are always played by rules."""
    share: f4
    """The part of a time limit that is used, where there is one: lines are rated again and again until then."""


class Search(Record):
    """Scratch memory, and the plan for the rest of the turn."""

    mind: Mind
    turn: TurnSearch
    theirs: TurnSearch
    """For the opponent's answer."""
    root: Annotated[Records[State], 1]
    """The position with imagined cards."""
    deal: Annotated[Records[DealRecord], 1]
    trial: Annotated[Records[State], 1]
    scratch: Annotated[Integers, "i2", SCRATCH_SIZE]
    random: i8
    """The generator of the imagined cards."""
    searched: i8
    """The position whose lines are being rated, if any."""
    cycle: i4
    halved: i4
    """How often the lines of this cycle were halved."""
    alive: i4
    """Lines that this round rates: the first ones."""
    left: i4
    """Imagined hands that it has still to look at."""
    chance: Annotated[float, "f8"]
    """To win, by the line that was chosen."""
    expected: i8
    """The position in which the plan goes on."""
    next: i2
    n: i2
    plan: Annotated[Integers, "i2", LONGEST]


@kernel
def play_line(rules: Rules, deal: DealRecord, s: State, line: Line) -> None:
    """Take the actions of a line."""
    for j in range(line.n):
        apply_battle(rules, deal, s, int(line.actions[j]))


@large_kernel
def search_answer(
    brain: Brain, w: Weights, rules: Rules, deal: DealRecord, s: State, search: Search, width: int
) -> None:
    """Play a turn as a narrow search would: the first win that it finds, or the line whose end looks best."""
    t = search.theirs
    if not (could_win(deal, s) and search_turn(brain, w, rules, deal, s, t, search.mind, width, 0)):
        search_turn(brain, w, rules, deal, s, t, search.mind, width, 1)
    play_line(rules, deal, s, t.lines[0])


@large_kernel
def play_on(
    brain: Brain,
    w: Weights,
    rules: Rules,
    deal: DealRecord,
    s: State,
    viewer: int,
    turns: int,
    search: Search,
    trials: Trials,
    reply: int,
) -> float:
    """The viewer's chance to win after a few more turns; s is the end of their turn.

    The turns are played by rules of thumb, or, given the width of a beam, searched for both sides.
    """
    for _ in range(turns):
        if s.winner == NOBODY:
            apply_battle(rules, deal, s, PASS)
        if reply > 0 and s.winner == NOBODY:
            search_answer(brain, w, rules, deal, s, search, reply)
            continue
        n = 0
        action = -1
        while s.winner == NOBODY and action != PASS and n < MOST_IN_REPLY:
            action = act_by_rules(w, rules, deal, s, trials)
            if action != PASS:
                apply_battle(rules, deal, s, action)
            n += 1
    if s.winner != NOBODY:
        return 1.0 if s.winner == viewer else 0.0
    mover = int(s.current)
    p = chance(worth_of(brain, w, rules, deal, s, mover, search.mind))
    return p if mover == viewer else 1.0 - p


@kernel
def rating(t: TurnSearch, i: int) -> float:
    """What samples said of a line, on average, or what it is worth without any; doomed ones come last."""
    line = t.lines[i]
    said = float(line.total) / int(line.samples) if line.samples > 0 else chance(float(line.value))
    return said - (1.0 if line.doomed else 0.0)


@large_kernel
def sort_lines(t: TurnSearch, n: int, keep: int) -> None:
    """Move the best of the first n lines to the front, in order."""
    for i in range(keep):
        best = i
        for j in range(i + 1, n):
            if rating(t, j) > rating(t, best):
                best = j
        if best != i:
            t.spare[0] = t.lines[i]
            t.lines[i] = t.lines[best]
            t.lines[best] = t.spare[0]


@large_kernel
def find_doomed(
    brain: Brain, w: Weights, rules: Rules, deal: DealRecord, view: State, search: Search, viewer: int
) -> None:
    """Mark the lines after which the opponent's creatures win on the spot, as far as the board tells."""
    t, trial = search.turn, search.trial[0]
    for i in range(t.n_lines):
        line = t.lines[i]
        search.trial[0] = view
        play_line(rules, deal, trial, line)
        apply_battle(rules, deal, trial, PASS)
        if trial.winner == NOBODY:
            trial.players[1 - viewer].n_hand = 0  # the opponent's cards are not known
            if could_win(deal, trial):
                line.doomed = search_turn(brain, w, rules, deal, trial, search.theirs, search.mind, WIN_WIDTH, 0)


@large_kernel
def begin_turn(
    brain: Brain, w: Weights, b: Budget, rules: Rules, deal: DealRecord, view: State, search: Search, random: int
) -> None:
    """Find the lines of a turn that are worth rating. If there is a win, it is the only one, and rated already."""
    t = search.turn
    won = could_win(deal, view) and search_turn(brain, w, rules, deal, view, t, search.mind, WIN_WIDTH, 0)
    if not won:
        won = search_turn(brain, w, rules, deal, view, t, search.mind, int(b.width), int(b.lines))
    search.random = random
    search.halved = 0
    search.alive = t.n_lines
    search.left = b.samples
    if won:
        t.lines[0].total = 1.0
        t.lines[0].samples = 1
        search.cycle = b.cycles
    else:
        search.cycle = 0
        find_doomed(brain, w, rules, deal, view, search, int(view.current))


@kernel
def begin_cycle(b: Budget, search: Search) -> None:
    """Start again with all lines, or with the last few of them, if it is those whose answers are searched."""
    search.halved = 0
    search.alive = search.turn.n_lines
    while b.reply > 0 and search.alive > FEW_LINES:
        search.alive = int(search.alive) // 2
        search.halved += 1


@large_kernel
def rate_lines(
    brain: Brain,
    w: Weights,
    b: Budget,
    rules: Rules,
    deal: DealRecord,
    view: State,
    search: Search,
    trials: Trials,
    steps: int,
) -> bool:
    """Play the lines on with the same imagined cards, for so many hands at most; returns whether all is done.

    After each round the better half is left, after each cycle the best have another try, if there are several.
    """
    t = search.turn
    viewer = int(view.current)
    trial = search.trial[0]
    search.deal[0] = deal
    while search.cycle < b.cycles and (search.cycle == 0 or t.n_lines > 1):
        if steps <= 0:
            return False
        steps -= 1
        search.random = step(int(search.random))
        search.root[0] = view
        fill_in(rules, search.deal[0], search.root[0], viewer, search.scratch, int(search.random))
        reply = int(b.reply) if search.alive <= FEW_LINES else 0
        for i in range(search.alive):
            search.trial[0] = search.root[0]
            play_line(rules, deal, trial, t.lines[i])
            t.lines[i].total += play_on(brain, w, rules, deal, trial, viewer, int(b.turns), search, trials, reply)
            t.lines[i].samples += 1
        search.left -= 1
        if search.left == 0:
            search.halved += 1
            kept = max(1, int(search.alive) // 2)
            sort_lines(t, int(search.alive), kept)
            search.alive = kept
            if search.halved >= b.rounds:
                search.cycle += 1
                begin_cycle(b, search)
            search.left = int(b.samples) << int(search.halved)
    return True


@kernel
def best_line(t: TurnSearch) -> int:
    """The line with the best rating, of those that were looked at long enough to be trusted."""
    most = 0
    for i in range(t.n_lines):
        most = max(most, int(t.lines[i].samples))
    best = -1
    for i in range(t.n_lines):
        if 2 * int(t.lines[i].samples) >= most and (best < 0 or rating(t, i) > rating(t, best)):
            best = i
    return best


@large_kernel
def settle(search: Search, slips: float, random: int) -> int:
    """Plan the rest of the turn by the best line; returns the next state of the agent's generator."""
    t = search.turn
    chosen = best_line(t)
    search.chance = max(0.0, rating(t, chosen))
    if slips > 0.0:
        random, u = below(random, 4096)
        if u < slips * 4096.0:
            random, chosen = below(random, int(t.n_lines))
    line = t.lines[chosen]
    for i in range(line.n):
        search.plan[i] = line.actions[i]
    search.n = line.n
    search.next = 0
    return random


@large_kernel
def follow_plan(rules: Rules, deal: DealRecord, view: State, search: Search) -> int:
    """The next action of the plan; PASS at its end."""
    search.expected = 0
    if search.next >= search.n:
        return PASS
    action = int(search.plan[search.next])
    search.next += 1
    search.trial[0] = view
    apply_battle(rules, deal, search.trial[0], action)
    if search.trial[0].winner == NOBODY:
        search.expected = fingerprint(rules, search.trial[0], int(view.turn))
    return action
