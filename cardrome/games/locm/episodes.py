"""Episodes of LOCM: the kernels that step many games at once, and their memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from cardrome.engine.kernel import entry, kernel, large_kernel, shared_kernel
from cardrome.engine.records import Integers, Record, Records, duplicate, new_records
from cardrome.errors import CallerError
from cardrome.games.encoding import ActionRange, Encoding
from cardrome.games.episodes import (
    ASKING,
    BOTH,
    DECIDING,
    LEARNER,
    LOOK,
    NEW,
    NEXT_STEP,
    OUTSIDE,
    OVER,
    POTENTIALS,
    RESUME,
    SAME_STEP,
    STEP,
    Episode,
    Sheet,
    Stepper,
    Terms,
    begin_episode,
    decider,
)
from cardrome.games.locm.agents.batch import play_turn
from cardrome.games.locm.agents.registry import AgentRecord, Desk
from cardrome.games.locm.observe import (
    FACES,
    OFFER,
    BattleRow,
    CardRow,
    ConstructedMatchRow,
    ConstructedRow,
    DraftMatchRow,
    DraftRow,
    Tally,
    clear_tally,
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
from cardrome.games.locm.rules.cardgen import GENERATED_CARDS, Workshop
from cardrome.games.locm.rules.deal import blank_deals, deal_from_seed
from cardrome.games.locm.rules.deckbuilding import start_game
from cardrome.games.locm.rules.edition import BOARD_SIZE, HAND_LIMIT, USE_TARGETS, LocmEdition, Rules
from cardrome.games.locm.rules.legal import is_legal, list_actions
from cardrome.games.locm.rules.state import BATTLE, DECK_BUILDING, NOBODY, DealRecord, State

if TYPE_CHECKING:
    from cardrome.games.family import Kernel


class Roster(Record):
    """The built-in agents that take part."""

    agents: Annotated[Records[AgentRecord], OUTSIDE]


class Table(Record):
    """A game: its state as it is, and as an agent who is about to decide knows it."""

    states: Annotated[Records[State], 2]
    tally: Tally


class Stack(Record):
    """Its deal, in the same way."""

    deals: Annotated[Records[DealRecord], 2]


@entry(Stack, CardRow)
def make_faces(stacks: Records[Stack], faces: Records[CardRow]) -> int:
    """Write the rows of an edition's fixed cards."""
    write_faces(stacks[0].deals[0], faces, 0)
    return 0


@kernel
def potential(terms: Terms, s: State, seat: int) -> float:
    """What a position is worth to a player, by the potentials that count. The end is worth nothing."""
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
        list_actions(rules, deal, s, desk.codes)
        action = int(desk.codes[0])
    apply_action(rules, deal, s, action)


@shared_kernel
def advance(
    rules: Rules,
    terms: Terms,
    roster: Roster,
    episode: Episode,
    stack: Stack,
    table: Table,
    work: Workshop,
    desk: Desk,
    action: int,
) -> int:
    """Take an action, or begin a new episode, and go on until somebody outside is to decide or the game is over."""
    s = table.states[0]
    if episode.status == NEW:
        begin_episode(episode)
        deal_from_seed(rules, stack.deals[0], work, int(episode.seed))
        start_game(rules, s)
    else:
        if episode.status == ASKING and action < 0:
            action = -1 - action
        elif s.phase == BATTLE:
            action -= int(terms.first[BATTLE])
        else:
            action -= int(terms.first[DECK_BUILDING])
            if terms.by_number and 0 <= action < OFFER:
                action = offer_place(stack.deals[0], int(s.players[s.current].n_deck), action, 1)
        take_action(rules, stack.deals[0], s, episode, desk, action)
    status = -1
    while status < 0:
        seat = int(s.current)
        who = decider(terms, episode, int(s.phase), seat)
        if s.winner != NOBODY or (terms.max_turns > 0 and s.turn >= terms.max_turns):
            status = OVER
        elif who == LEARNER:
            status = DECIDING
        elif who >= OUTSIDE:
            episode.asked = who - OUTSIDE
            status = ASKING
        else:
            side = 0 if seat == episode.learner else 1
            random, _ = play_turn(rules, stack.deals, table.states, desk, roster.agents[who], int(episode.random[side]))
            episode.random[side] = random
    episode.winner = s.winner
    episode.seat = s.current
    episode.status = status
    return status


@kernel
def seat_shown(episode: Episode) -> int:
    """Whose observation it is: that of whoever is to decide, and in the end the learner's."""
    return int(episode.learner) if episode.status == OVER and episode.learner < BOTH else int(episode.seat)


@kernel
def due(terms: Terms, episode: Episode, request: int) -> bool:
    """The request is for this episode; one that is over begins anew if that is to happen by itself."""
    if request == STEP and episode.status == OVER and terms.autoreset == NEXT_STEP:
        episode.status = NEW
    wanted = ASKING if request == RESUME else DECIDING if request == LOOK else NEW
    return episode.status != OVER if request == STEP else episode.status == wanted


@large_kernel
def settle(
    terms: Terms,
    episode: Episode,
    s: State,
    g: int,
    began: bool,
    rewards: Integers,
    terminated: Integers,
    truncated: Integers,
) -> None:
    """The learner is to decide, or the episode is over: reward what has happened since they last decided."""
    learner = int(episode.learner)
    worth = 0.0
    shaped = False
    for k in range(POTENTIALS):
        shaped |= terms.potentials[k] != 0
    if shaped and learner < BOTH:
        worth = potential(terms, s, learner)
        if not began:
            rewards[g] += terms.discount * worth - episode.potential
        episode.potential = worth
    if episode.status == OVER:
        terminated[g] = s.winner != NOBODY
        truncated[g] = s.winner == NOBODY
        if s.winner != NOBODY and learner < BOTH:
            rewards[g] += terms.win if s.winner == learner else -terms.win


@kernel
def see_battle(
    terms: Terms, deal: DealRecord, table: Table, seat: int, faces: Records[CardRow], first: int, rows: Any, g: int
) -> None:
    """Observe a battle; the last row of the array is blank, and stands for what is none."""
    if table.states[0].phase == BATTLE:
        observe_battle(table.states[0], seat, table.tally, faces, first, rows[g])
    else:
        rows[g] = rows[-1]


@kernel
def see_draft(
    terms: Terms, deal: DealRecord, table: Table, seat: int, faces: Records[CardRow], first: int, rows: Any, g: int
) -> None:
    """Observe a draft."""
    s = table.states[0]
    if s.phase == BATTLE:
        rows[g] = rows[-1]
    else:
        observe_draft(deal, s, seat, table.tally, faces, first, int(terms.by_number), rows[g])


@kernel
def see_constructed(
    terms: Terms, deal: DealRecord, table: Table, seat: int, faces: Records[CardRow], first: int, rows: Any, g: int
) -> None:
    """Observe how a deck is constructed."""
    if table.states[0].phase == BATTLE:
        rows[g] = rows[-1]
    else:
        observe_constructed(table.states[0], seat, table.tally, faces, first, rows[g])


@kernel
def see_draft_match(
    terms: Terms, deal: DealRecord, table: Table, seat: int, faces: Records[CardRow], first: int, rows: Any, g: int
) -> None:
    """Observe a whole game with a draft."""
    s = table.states[0]
    rows[g] = rows[-1]
    rows[g].phase.battle = s.phase
    if s.phase == BATTLE:
        observe_battle(s, seat, table.tally, faces, first, rows[g].battle)
    else:
        observe_draft(deal, s, seat, table.tally, faces, first, int(terms.by_number), rows[g].draft)


@kernel
def see_constructed_match(
    terms: Terms, deal: DealRecord, table: Table, seat: int, faces: Records[CardRow], first: int, rows: Any, g: int
) -> None:
    """Observe a whole game with constructed decks."""
    s = table.states[0]
    rows[g] = rows[-1]
    rows[g].phase.battle = s.phase
    if s.phase == BATTLE:
        observe_battle(s, seat, table.tally, faces, first, rows[g].battle)
    else:
        observe_constructed(s, seat, table.tally, faces, first, rows[g].constructed)


@large_kernel
def write_mask(rules: Rules, terms: Terms, deal: DealRecord, s: State, status: int, mask: Integers) -> None:
    """Mark what is legal. When the episode is over, the first action, so that there is always one to take."""
    for k in range(len(mask)):
        mask[k] = 0
    if status == OVER:
        mask[0] = 1
    elif s.phase == BATTLE:
        if terms.first[BATTLE] >= 0:
            mask_battle(rules, deal, s, mask)
    elif terms.first[DECK_BUILDING] >= 0:
        mask_choices(rules, deal, s, mask, int(terms.first[DECK_BUILDING]))


def _stepping(name: str, row: type[Record], see: Any) -> Any:
    """The entry that steps episodes of a task: what is seen makes the difference."""

    def step(
        rules: Records[Rules],
        terms: Records[Terms],
        rosters: Records[Roster],
        faces: Records[CardRow],
        episodes: Records[Episode],
        stacks: Records[Stack],
        tables: Records[Table],
        works: Records[Workshop],
        desks: Records[Desk],
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
        r, t, roster, work, desk = rules[0], terms[0], rosters[0], works[thread], desks[thread]
        asking, begun = 0, 0
        n_actions = len(masks) // len(episodes)
        stride = FACES if r.generated_cards else 0
        for g in range(start, stop):
            episode, stack, table = episodes[g], stacks[g], tables[g]
            deal, s, first = stack.deals[0], table.states[0], g * stride
            if request == STEP:
                rewards[g] = 0.0
                terminated[g] = False
                truncated[g] = False
            if not due(t, episode, request):
                continue
            episode.steps += request == STEP and episode.status == DECIDING
            again = request != LOOK
            if not again:
                clear_tally(table.tally, DECK_BUILDING)
                if r.generated_cards:
                    write_faces(deal, faces, first)
            while again:
                began = episode.status == NEW
                status = advance(r, t, roster, episode, stack, table, work, desk, int(actions[g]))
                if began:
                    begun += 1
                    clear_tally(table.tally, DECK_BUILDING)
                    if r.generated_cards:
                        write_faces(deal, faces, first)
                if status != ASKING:
                    settle(t, episode, s, g, began, rewards, terminated, truncated)
                again = status == OVER and t.autoreset == SAME_STEP
                if again:
                    see(t, deal, table, seat_shown(episode), faces, first, finals, g)
                    episode.status = NEW
            see(t, deal, table, seat_shown(episode), faces, first, observations, g)
            write_mask(r, t, deal, s, int(episode.status), masks[g * n_actions : (g + 1) * n_actions])
            asking += episode.status == ASKING
        return begun << 32 | asking

    step.__name__ = step.__qualname__ = name
    memory = Rules, Terms, Roster, CardRow, Episode, Stack, Table, Workshop, Desk
    results = np.int64, row, np.int8, np.float64, np.bool_, np.bool_, row
    return entry(*memory, *results, int, int, int, int)(step)


TASKS = {
    "battle": (BattleRow, _stepping("step_battles", BattleRow, see_battle)),
    "draft": (DraftRow, _stepping("step_drafts", DraftRow, see_draft)),
    "constructed": (ConstructedRow, _stepping("step_constructions", ConstructedRow, see_constructed)),
}
MATCHES = {
    "draft": (DraftMatchRow, _stepping("step_draft_matches", DraftMatchRow, see_draft_match)),
    "constructed": (
        ConstructedMatchRow,
        _stepping("step_constructed_matches", ConstructedMatchRow, see_constructed_match),
    ),
}
"""What is observed in each task, and the kernel for it. A match has the kind of deck building that its edition has."""


class LocmStepper(Stepper):
    """Games of an edition."""

    potentials = ("health", "board", "hand")

    def __init__(self, family: Any, encoding: Encoding, n: int) -> None:
        super().__init__(family, encoding, n)
        edition = self.edition = encoding.edition
        building = "constructed" if edition.constructed else "draft"
        _, self._step = MATCHES[building] if encoding.task == "match" else TASKS[encoding.task]
        terms = self.terms[0]
        terms.decides[:] = encoding.task != "battle", encoding.task in ("battle", "match")
        terms.first[:] = (
            edition.n_actions if encoding.task == "match" else int(encoding.task == "battle") * -1,
            0 if terms.decides[BATTLE] else -1,
        )
        self._stacks = new_records(Stack, n)
        self._stacks["deals"][:] = blank_deals(edition, 2)
        self._tables = new_records(Table, n)
        self._faces = new_records(CardRow, FACES * (n if edition.generated_cards else 1))
        if not edition.generated_cards:
            make_faces(self._stacks, self._faces)

    def enrol(self, kernels: Sequence[Kernel], threads: int) -> None:
        """Take in the agents."""
        self._roster = new_records(Roster)
        for place, agent in enumerate(kernels):
            self._roster["agents"][0, place] = agent[0]
        self._works, self._desks = new_records(Workshop, threads), new_records(Desk, threads)

    def bind(self, sheet: Sheet) -> Callable[[int, int, int, int], int]:
        """The kernel for a sheet."""
        row = self.encoding.row.dtype
        bound: Callable[[int, int, int, int], int] = self._step.bind(
            self.edition.rules,
            self.terms,
            self._roster,
            self._faces,
            self.episodes,
            self._stacks,
            self._tables,
            self._works,
            self._desks,
            self.actions,
            sheet.memory.view(row),
            sheet.masks.reshape(-1),
            self.rewards,
            self.terminated,
            self.truncated,
            self.final_memory.view(row),
        )
        return bound

    def game(self, i: int) -> LocmGame:
        """The game of an episode, with what is known of its past: nothing."""
        deals, states = self._stacks[i].deals[:1], self._tables[i].states[:1]
        return game_at(self.edition, duplicate(deals), duplicate(states))

    def place(self, i: int, position: LocmPosition) -> None:
        """Let an episode stand at a position."""
        self._stacks["deals"][i, 0], self._tables["states"][i, 0] = position.deals[0], position.states[0]
        self.episodes["status"][i], self.episodes["seat"][i] = DECIDING, position.current

    def code(self, i: int, action: int) -> int:
        """The engine's code of an action."""
        s, terms = self._tables["states"][i, 0], self.terms[0]
        action -= int(terms.first[int(s["phase"])])
        if s["phase"] == BATTLE or not terms.by_number:
            return action
        deal = self._stacks[i].deals[0]
        return int(offer_place(deal, int(s["players"][s["current"]]["n_deck"]), action, 1))


def encoding(edition: LocmEdition, task: str) -> Encoding:
    """What a learner sees and does in an edition: in battle, in deck building, or in the whole match."""
    building = "constructed" if edition.constructed else "draft"
    if task not in ("battle", building, "match"):
        raise CallerError(f"{edition.name} has no task {task!r}; it has battle, {building} and match")
    choices = (
        ActionRange("CHOOSE", GENERATED_CARDS, "pool row")
        if edition.constructed
        else ActionRange("PICK", OFFER, "offer row")
    )
    row, _ = MATCHES[building] if task == "match" else TASKS[task]
    battle = () if task == building else battle_actions(edition)
    return Encoding(edition, task, row, (*battle, *(() if task == "battle" else (choices,))))


def battle_actions(edition: LocmEdition) -> tuple[ActionRange, ...]:
    """The actions of a battle, as the engine numbers them."""
    lanes, slots = edition.lanes, edition.lane_slots
    return (
        ActionRange("PASS", 1, "ends the turn"),
        ActionRange("SUMMON", HAND_LIMIT * lanes, f"hand row × {lanes} lanes" if lanes > 1 else "hand row"),
        ActionRange(
            "USE",
            HAND_LIMIT * USE_TARGETS,
            f"hand row × {USE_TARGETS} targets: none, then the rows of the own board, then those of the enemy board",
        ),
        ActionRange(
            "ATTACK",
            BOARD_SIZE * (1 + slots),
            f"board row × {1 + slots} targets: the opponent, then the enemies of its lane",
        ),
    )
