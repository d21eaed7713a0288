"""Episodes of Tapdeck: the kernel that steps many matches at once, and its memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from cardrome.engine.bulk import DRAWN
from cardrome.engine.kernel import kernel, shared_kernel
from cardrome.engine.records import Integers, Record, Records, duplicate, new_records
from cardrome.errors import CallerError
from cardrome.games.learning.encoding import Encoding
from cardrome.games.learning.stepper import Stepper
from cardrome.games.learning.stepping import (
    ASKING,
    NEW,
    OUTSIDE,
    PLAYING_ON,
    Episode,
    Terms,
    begin_episode,
    next_decision,
    side_of,
    stepping,
)
from cardrome.games.tapdeck.agents.registry import AgentRecord, Desk, new_desks, plan_turn, prepare
from cardrome.games.tapdeck.observe import NO_CODE, RANGES, MatchRow, code_of, mask_actions, observe
from cardrome.games.tapdeck.protocol.game import TapdeckGame, TapdeckPosition
from cardrome.games.tapdeck.rules.actions import BLOCK, END_TURN, FINISH_BLOCK, action_code, action_kind
from cardrome.games.tapdeck.rules.cards import Deck
from cardrome.games.tapdeck.rules.deckgen import generate_deck
from cardrome.games.tapdeck.rules.edition import Rules, TapdeckEdition
from cardrome.games.tapdeck.rules.legal import OK, refusal
from cardrome.games.tapdeck.rules.scoring import match_score
from cardrome.games.tapdeck.rules.state import PLAYING, State, new_states
from cardrome.games.tapdeck.rules.turn import apply_action, start_match

if TYPE_CHECKING:
    from cardrome.games.family import Kernel

ACTING = 1
"""The one phase in which learners decide."""


class Roster(Record):
    """The built-in agents that take part."""

    agents: Annotated[Records[AgentRecord], OUTSIDE]


@kernel
def winner_of(rules: Rules, s: State) -> int:
    """Who has the higher score; -1 while the match goes on."""
    if s.ending == PLAYING:
        return -1
    first, second = int(s.health[0]), int(s.health[1])
    a, b = match_score(rules, first, second), match_score(rules, second, first)
    return 0 if a > b else 1 if b > a else DRAWN


@kernel
def final_score(rules: Rules, s: State, seat: int) -> float:
    """A player's score as a part of the highest possible: full health, and a bonus of three times as much."""
    return match_score(rules, int(s.health[seat]), int(s.health[1 - seat])) / (4 * int(rules.initial_health))


@kernel
def potential(terms: Terms, s: State, seat: int) -> float:
    """What a position is worth to a player, by the potentials that count. A finished match is worth nothing."""
    if s.ending != PLAYING:
        return 0.0
    board = 0
    for i in range(s.n_creatures):
        c = s.creatures[i]
        strength = int(c.attack) + int(c.health)
        board += strength if c.owner == seat else -strength
    value = terms.potentials[0] * (int(s.health[seat]) - int(s.health[1 - seat])) / 32
    value += terms.potentials[1] * board / 64
    value += terms.potentials[2] * (int(s.n_hand[seat]) - int(s.n_hand[1 - seat])) / 8
    return value


@kernel
def may_take(rules: Rules, deck: Deck, s: State, code: int) -> bool:
    """The action is one of those listed as legal: in the blocking phase, blocks and what ends it."""
    if code == NO_CODE:
        return False
    kind = action_kind(code)
    if s.blocking and kind != BLOCK and kind != FINISH_BLOCK and kind != END_TURN:
        return False
    return refusal(rules, deck, s, code) == OK


@shared_kernel
def advance(
    rules: Rules, terms: Terms, roster: Roster, episode: Episode, deck: Deck, s: State, desk: Desk, action: int
) -> int:
    """Take an action, or begin a new episode, and go on until it has to wait or the match is over.

    An illegal action counts as END_TURN.
    """
    if episode.status == NEW:
        begin_episode(episode)
        generate_deck(deck, int(terms.deck_size), int(episode.seed))
        start_match(rules, s)
    else:
        code = -1 - action if episode.status == ASKING and action < 0 else code_of(deck, s, action)
        if not may_take(rules, deck, s, code):
            episode.illegal += 1
            code = action_code(END_TURN, 0, 0)
        apply_action(rules, deck, s, code)
    status = PLAYING_ON
    while status == PLAYING_ON:
        seat = int(s.current)
        over = s.ending != PLAYING or (terms.max_turns > 0 and s.turn >= terms.max_turns)
        status, who = next_decision(terms, episode, ACTING, seat, over)
        if status == PLAYING_ON:
            side = side_of(episode, seat)
            episode.random[side] = plan_turn(roster.agents[who], rules, deck, s, desk, int(episode.random[side]))
            for k in range(desk.plan.n):
                if s.ending == PLAYING:
                    apply_action(rules, deck, s, int(desk.plan.codes[k]))
    episode.winner = winner_of(rules, s)
    episode.seat = s.current
    episode.status = status
    return status


@kernel
def see(terms: Terms, rules: Records[Rules], deck: Deck, s: State, seat: int, rows: Records[MatchRow], g: int) -> None:
    """Observe a match; the last row of the array is blank."""
    rows[g] = rows[-1]
    observe(rules[0], deck, s, seat, rows[g])


@kernel
def spy(
    terms: Terms, rules: Records[Rules], deck: Deck, s: State, desk: Desk, seat: int, rows: Records[MatchRow], g: int
) -> None:
    """The same: observing a match never leaves a trace."""
    see(terms, rules, deck, s, seat, rows, g)


@kernel
def write_mask(rules: Rules, terms: Terms, deck: Deck, s: State, mask: Integers) -> None:
    """Mark what is legal in a cleared mask."""
    mask_actions(rules, deck, s, mask)


step_matches = stepping(
    "step_matches",
    (Rules, Roster, Rules, Deck, State, Desk),
    MatchRow,
    advance,
    see,
    spy,
    potential,
    write_mask,
    final_score=final_score,
)


class TapdeckStepper(Stepper):
    """Matches side by side."""

    potentials = ("health", "board", "hand")

    def __init__(self, family: Any, encoding: Encoding, n: int) -> None:
        super().__init__(family, encoding, n)
        self.entry, self.lookup = step_matches, self.edition.rules
        terms = self.terms[0]
        terms.decides[:] = 0, 1
        terms.deck_size = self.edition.deck_size
        self.roster, self.deals, self.tables = new_records(Roster), new_records(Deck, n), new_states(n)

    def enrol(self, kernels: Sequence[Kernel], outside: bool, threads: int) -> None:
        """Take in the agents."""
        super().enrol(kernels, outside, threads)
        prepare(self.roster["agents"])
        self.scratches = new_desks(threads)

    def game(self, i: int) -> TapdeckGame:
        """The match of an episode, without its past."""
        game = TapdeckGame(self.edition, duplicate(self.deals[i : i + 1]))
        game._restore(self.tables[i : i + 1].tobytes())
        return game

    def code_of(self, i: int, action: int) -> int:
        """The engine's code of an action by rows."""
        return code_of(self.deals[i], self.tables[i], action)

    def place(self, i: int, position: TapdeckPosition) -> None:
        """Put a position into the place of an episode."""
        self.deals[i], self.tables[i] = position.decks[0], position.states[0]


def encoding(edition: TapdeckEdition, task: str) -> Encoding:
    """What a learner sees and does."""
    if task != "match":
        raise CallerError(f"{edition.name} has no task {task!r}; it has match")
    return Encoding(edition, task, MatchRow, RANGES)
