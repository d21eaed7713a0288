"""Episodes of LOCM: the kernels that step many games at once, and their memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from cardrome.engine.kernel import entry, kernel, large_kernel, shared_kernel
from cardrome.engine.records import Integers, Record, Records, duplicate, new_records
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
from cardrome.games.locm.agents.batch import play_turn
from cardrome.games.locm.agents.registry import AgentRecord, Desk, prepare
from cardrome.games.locm.agents.search.brain import brain_of
from cardrome.games.locm.encoding import (
    BattleRow,
    CardRow,
    ConstructedMatchRow,
    ConstructedRow,
    DraftMatchRow,
    DraftRow,
)
from cardrome.games.locm.observe import (
    FACES,
    Tally,
    mask_battle,
    mask_choices,
    observe_battle,
    observe_constructed,
    observe_draft,
    offer_place,
    write_faces,
)
from cardrome.games.locm.protocol.game import LocmGame, LocmPosition, game_at
from cardrome.games.locm.rules.actions import apply_action
from cardrome.games.locm.rules.cardgen import Workshop
from cardrome.games.locm.rules.deal import LocmDeal, blank_deals, deal_from_seed
from cardrome.games.locm.rules.deckbuilding import start_game
from cardrome.games.locm.rules.edition import Rules
from cardrome.games.locm.rules.legal import is_legal, list_actions
from cardrome.games.locm.rules.state import BATTLE, DECK_BUILDING, NOBODY, DealRecord, State, new_states

if TYPE_CHECKING:
    from cardrome.games.family import Kernel


class Roster(Record):
    """The built-in agents that take part."""

    agents: Annotated[Records[AgentRecord], OUTSIDE]


class Table(Record):
    """A game. It is kept small: thousands of them should fit into the processor's cache."""

    state: State
    tally: Tally


class Stack(Record):
    """A deal as it is, and as an agent who is about to decide knows it.

    Where cards are fixed and decks are built without a pause, nothing of it is needed once a battle has begun: then
    there is one for each thread, and not for each game.
    """

    deals: Annotated[Records[DealRecord], 2]


class Scratch(Record):
    """The memory of a thread."""

    states: Annotated[Records[State], 2]
    """The game that goes on, in the same way as a deal."""
    work: Workshop
    desk: Desk
    table: Table
    """For observing without leaving a trace."""
    blank: Tally
    """Always blank."""


@kernel
def potential(terms: Terms, table: Table, seat: int) -> float:
    """What a position is worth to a player, by the potentials that count. A finished game is worth nothing."""
    s = table.state
    if s.winner != NOBODY:
        return 0.0
    me, foe = s.players[seat], s.players[1 - seat]
    mine, theirs = 0, 0
    for place in range(len(me.board)):
        mine += int(me.board[place].attack) + int(me.board[place].defense)
        theirs += int(foe.board[place].attack) + int(foe.board[place].defense)
    value = terms.potentials[0] * (int(me.health) - int(foe.health)) / 32
    value += terms.potentials[1] * (mine - theirs) / 64
    value += terms.potentials[2] * (int(me.n_hand) - int(foe.n_hand)) / 8
    return value


@kernel
def take_action(rules: Rules, deal: DealRecord, s: State, episode: Episode, desk: Desk, action: int) -> None:
    """Carry out an action that came from outside. An illegal one counts as the first legal one: in battle, PASS."""
    if not is_legal(rules, deal, s, action):
        episode.illegal += 1
        list_actions(rules, deal, s, desk.trials.codes)
        action = int(desk.trials.codes[0])
    apply_action(rules, deal, s, action)


@shared_kernel
def advance(
    rules: Rules,
    terms: Terms,
    roster: Roster,
    episode: Episode,
    stack: Stack,
    table: Table,
    scratch: Scratch,
    action: int,
) -> int:
    """Take an action, or begin a new episode, and go on until it has to wait or the game is over."""
    scratch.states[0] = table.state
    s, desk = scratch.states[0], scratch.desk
    if episode.status == NEW:
        begin_episode(episode)
        deal_from_seed(rules, stack.deals[0], scratch.work, int(episode.seed))
        start_game(rules, s)
    else:
        if episode.status == ASKING and action < 0:
            action = -1 - action
        elif s.phase == BATTLE:
            action -= int(terms.first[BATTLE])
        else:
            action -= int(terms.first[DECK_BUILDING])
            if terms.by_number and 0 <= action < rules.offer_size:
                t, n = int(s.players[s.current].n_deck), int(rules.offer_size)
                action = offer_place(stack.deals[0], t, action, n, 1)
        take_action(rules, stack.deals[0], s, episode, desk, action)
    status = PLAYING_ON
    while status == PLAYING_ON:
        seat = int(s.current)
        over = s.winner != NOBODY or (terms.max_turns > 0 and s.turn >= terms.max_turns)
        status, who = next_decision(terms, episode, int(s.phase), seat, over)
        if status == PLAYING_ON:
            side = side_of(episode, seat)
            agent, random = roster.agents[who], int(episode.random[side])
            random, _ = play_turn(rules, stack.deals, scratch.states, desk, agent, random)
            episode.random[side] = random
    episode.winner = s.winner
    episode.seat = s.current
    episode.status = status
    table.state = scratch.states[0]
    return status


@kernel
def meet(rules: Rules, stack: Stack, table: Table, scratch: Scratch, faces: Records[CardRow], g: int) -> None:
    """Count the cards of a new game from the beginning, and write the rows of those that it alone has."""
    table.tally = scratch.blank
    if rules.generated_cards:
        write_faces(stack.deals[0], faces, g * FACES)


@kernel
def first_face(faces: Records[CardRow], g: int) -> int:
    """Where the rows of a game's cards begin: at 0, unless each game has cards of its own."""
    return g * FACES if len(faces) > FACES else 0


@entry(Stack, CardRow, int)
def make_faces(stacks: Records[Stack], faces: Records[CardRow], i: int) -> int:
    """Write the rows of the cards of a deal."""
    write_faces(stacks[i].deals[0], faces, i * FACES)
    return 0


def _seeing(phase: int, observe: Any) -> Any:
    """The kernel that observes games in one phase; the last row of the array is blank, and stands for the other."""

    @kernel
    def see(terms: Terms, faces: Records[CardRow], stack: Stack, table: Table, seat: int, rows: Any, g: int) -> None:
        if table.state.phase == phase:
            first, by_number = first_face(faces, g), int(terms.by_number)
            observe(stack.deals[0], table.state, seat, table.tally, faces, first, by_number, rows[g])
        else:
            rows[g] = rows[-1]

    return see


@kernel
def see_draft_match(
    terms: Terms, faces: Records[CardRow], stack: Stack, table: Table, seat: int, rows: Any, g: int
) -> None:
    """Observe a whole game with a draft."""
    s, deal, by_number, first = table.state, stack.deals[0], int(terms.by_number), first_face(faces, g)
    rows[g] = rows[-1]
    rows[g].phase.battle = s.phase
    if s.phase == BATTLE:
        observe_battle(deal, s, seat, table.tally, faces, first, by_number, rows[g].battle)
    else:
        observe_draft(deal, s, seat, table.tally, faces, first, by_number, rows[g].draft)


@kernel
def see_constructed_match(
    terms: Terms, faces: Records[CardRow], stack: Stack, table: Table, seat: int, rows: Any, g: int
) -> None:
    """Observe a whole game with constructed decks."""
    s, deal, by_number, first = table.state, stack.deals[0], int(terms.by_number), first_face(faces, g)
    rows[g] = rows[-1]
    rows[g].phase.battle = s.phase
    if s.phase == BATTLE:
        observe_battle(deal, s, seat, table.tally, faces, first, by_number, rows[g].battle)
    else:
        observe_constructed(deal, s, seat, table.tally, faces, first, by_number, rows[g].constructed)


@large_kernel
def write_mask(rules: Rules, terms: Terms, stack: Stack, table: Table, mask: Integers) -> None:
    """Mark what is legal in a cleared mask."""
    deal, s = stack.deals[0], table.state
    if s.phase == BATTLE:
        if terms.first[BATTLE] >= 0:
            mask_battle(rules, deal, s, mask)
    elif terms.first[DECK_BUILDING] >= 0:
        mask_choices(rules, deal, s, mask, int(terms.first[DECK_BUILDING]))


def _stepping(name: str, row: type[Record], see: Any) -> Any:
    """The entry that steps episodes of a task: what is seen makes the difference."""

    @kernel
    def spy(
        terms: Terms, faces: Any, stack: Stack, table: Table, scratch: Scratch, seat: int, rows: Any, g: int
    ) -> None:
        scratch.table.state = table.state
        scratch.table.tally = scratch.blank
        see(terms, faces, stack, scratch.table, seat, rows, g)

    memory = Rules, Roster, CardRow, Stack, Table, Scratch
    return stepping(name, memory, row, advance, see, spy, potential, write_mask, meet)


see_draft = _seeing(DECK_BUILDING, observe_draft)

ENTRIES = {
    BattleRow: _stepping("step_battles", BattleRow, _seeing(BATTLE, observe_battle)),
    DraftRow: _stepping("step_drafts", DraftRow, see_draft),
    DraftMatchRow: _stepping("step_draft_matches", DraftMatchRow, see_draft_match),
    ConstructedRow: _stepping("step_constructions", ConstructedRow, _seeing(DECK_BUILDING, observe_constructed)),
    ConstructedMatchRow: _stepping("step_constructed_matches", ConstructedMatchRow, see_constructed_match),
}
"""The entry for everything that can be observed. Those for the drafts of variants are added when they are met."""


def entry_for(encoding: Encoding) -> Any:
    """The entry that steps episodes of a task."""
    row = encoding.row
    if row not in ENTRIES:
        see = see_draft_match if encoding.task == "match" else see_draft
        ENTRIES[row] = _stepping(f"step_{row.__name__}", row, see)
    return ENTRIES[row]


class LocmStepper(Stepper):
    """Games of an edition."""

    potentials = ("health", "board", "hand")

    def __init__(self, family: Any, encoding: Encoding, n: int) -> None:
        super().__init__(family, encoding, n)
        edition, terms = self.edition, self.terms[0]
        self.entry = entry_for(encoding)
        terms.decides[:] = encoding.task != "battle", encoding.task in ("battle", "match")
        terms.first[:] = (
            edition.n_actions if encoding.task == "match" else int(encoding.task == "battle") * -1,
            0 if terms.decides[BATTLE] else -1,
        )
        self.offers = bool(terms.decides[DECK_BUILDING] and not edition.constructed)
        self.roster, self.tables = new_records(Roster), new_records(Table, n)
        self.lookup = new_records(CardRow, FACES * (n if edition.generated_cards else 1))

    def enrol(self, kernels: Sequence[Kernel], outside: bool, threads: int) -> None:
        """Take in the agents."""
        super().enrol(kernels, outside, threads)
        prepare(self.roster["agents"])
        self.scratches = new_records(Scratch, threads)
        self.scratches["desk"]["brains"] = brain_of(self.edition)
        pauses = outside or self.terms[0].decides[DECK_BUILDING]
        self._own_deals = bool(self.edition.generated_cards or pauses)
        self.deals = new_records(Stack, self.n if self._own_deals else threads)
        self.deals["deals"][:] = blank_deals(self.edition, 2)
        if not self.edition.generated_cards:
            make_faces(self.deals, self.lookup, 0)

    def game(self, i: int) -> LocmGame:
        """The game of an episode, without its past."""
        if self._own_deals:
            deals = duplicate(self.deals[i].deals[:1])
        else:
            deals = LocmDeal(int(self.episodes[i].seed)).lay_out(self.edition)
        states = new_states()
        states[0] = self.tables[i].state
        return game_at(self.edition, deals, states)

    def code_of(self, i: int, action: int) -> int:
        """The engine's code of an action, which names the same rows."""
        phase = int(self.tables["state"]["phase"][i])
        code = action - int(self.terms[0].first[phase])
        if phase == DECK_BUILDING and self.terms[0].by_number:
            deck = int(self.tables[i].state.players[self.episodes[i].seat].n_deck)
            return offer_place(self.deals[i].deals[0], deck, code, self.edition.offer_size, 1)
        return code

    def place(self, i: int, position: LocmPosition) -> None:
        """Put a position into the place of an episode."""
        self.deals["deals"][i, 0], self.tables["state"][i] = position.deals[0], position.states[0]
        self.tables["tally"][i] = np.zeros((), Tally.dtype)
        if self.edition.generated_cards:
            make_faces(self.deals, self.lookup, i)
