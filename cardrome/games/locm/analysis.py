"""Why a game of LOCM was lost: what a searching agent thinks of each turn, and its drafter of the decks."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from cardrome.engine.kernel import load_now
from cardrome.engine.random import step
from cardrome.engine.records import Records, new_records
from cardrome.errors import CallerError
from cardrome.escaping import printable
from cardrome.games.agents import AgentKind
from cardrome.games.analysis import DeckAnalysis, GameAnalysis, Move, Pick, Report, TurnAnalysis
from cardrome.games.learning.calibration import Calibration, find_calibration
from cardrome.games.locm.agents.registry import AGENTS, SEARCHING, consult, new_desks
from cardrome.games.locm.agents.review import HAS_WIN, SAME_END, review_turn, value_pool
from cardrome.games.locm.agents.search.brain import (
    DEAREST,
    GROUPS,
    WEIGHTS,
    Brain,
    brain_of,
    cost_group,
    type_group,
)
from cardrome.games.locm.agents.search.decks import choice_value, count_groups
from cardrome.games.locm.agents.search.turn import LONGEST, Line
from cardrome.games.locm.frames import Look, told
from cardrome.games.locm.protocol.answers import parse_command
from cardrome.games.locm.protocol.game import LocmGame, LocmView
from cardrome.games.locm.protocol.replay import LocmMoment, LocmReplay, LocmRerun
from cardrome.games.locm.protocol.story import action_words, card_name, result_line
from cardrome.games.locm.rules.edition import DECK_SIZE, PASS, LocmEdition
from cardrome.games.replays import ReplayFault

HANDS = 400
"""Imagined hands on which what was played and what is preferred are tried."""
DIGITS = 4
"""Decimal places of a chance; more would mean nothing."""


def analyse(
    replay: LocmReplay, agent: str = "search", player: int | None = None, report: Report | None = None
) -> GameAnalysis:
    """All turns, or those of one player, as a searching agent rates them; and both decks, or that player's."""
    edition, rerun = replay.rule_set, LocmRerun(replay)
    reviewer = Reviewer(edition, agent)
    turns = []
    for moment in rerun:
        if moment.call.phase == "battle":
            if moment.before.winner is None and player in (None, moment.call.player):
                turns.append(reviewer.turn(moment, _fault_in(moment, replay.fault)))
            if report is not None:
                report(moment.before.turn + 1)
    decks = analyse_decks(replay, rerun.dialogue.game.actions) if rerun.dialogue.game.phase == "battle" else []
    return GameAnalysis(
        edition=replay.edition,
        players=replay.players,
        winner=replay.winner,
        result=result_line(replay),
        agent=agent,
        calibrated=calibration_of(edition) is not None,
        turns=tuple(turns),
        decks=tuple(deck for deck in decks if player in (None, deck.player)),
        difference=None if rerun.difference is None else printable(str(rerun.difference), 500),
    )


def _fault_in(moment: LocmMoment, said: ReplayFault | None) -> str:
    """The kind of fault by which the game was lost in this turn, if it was."""
    lost = moment.after.turn == moment.before.turn and moment.after.winner is None
    return ("fault" if said is None else printable(said.kind, 60)) if lost else ""


@functools.cache
def calibration_of(edition: LocmEdition) -> Calibration | None:
    """How chances are corrected; None if nothing is known for the weights in use."""
    return find_calibration(WEIGHTS, edition.name, brain_of(edition))


# Turns


class Reviewer:
    """An agent that looks at turns which others have played."""

    def __init__(self, edition: LocmEdition, agent: str = "search", hands: int = HANDS) -> None:
        load_now(consult)
        self.edition = edition
        self._kernel = _searching(agent).kernel
        self._calibration = calibration_of(edition)
        self._desks = new_desks(edition)
        self._chances = np.zeros(2 * hands)

    def review(self, view: LocmView, lines: Records[Line], seed: int) -> tuple[int, npt.NDArray[np.float64]]:
        """What `review_turn` says of a view; the chances by line and imagined hand."""
        chances = self._chances[: len(self._chances) // 2 * len(lines)]
        arrays = self._kernel, self.edition.rules, view.deals, view.states, self._desks
        found = review_turn(*arrays, lines, chances, step(seed))
        return found, chances.reshape(len(lines), -1)

    def turn(self, moment: LocmMoment, fault: str) -> TurnAnalysis:
        """The turn of a replay."""
        game, player = moment.before, moment.call.player
        codes = [code for code in moment.after.actions[len(game.actions) :] if code != PASS]
        lines = new_records(Line, 2)
        lines[0].n = min(len(codes), LONGEST)
        lines["actions"][0, : len(codes)] = codes[:LONGEST]
        found, chances = self.review(game.view(player), lines, game.turn)
        after, before = chances.mean(1).tolist()
        spread = float((chances[1] - chances[0]).std() / math.sqrt(chances.shape[1]))
        played = tuple(_moves(game, codes))
        preferred = tuple(_moves(game, lines["actions"][1, : lines[1].n].tolist()))
        won, could_win = moment.after.winner == player, bool(found & HAS_WIN)
        lost = bool(fault) or moment.after.winner == 1 - player
        missed = could_win and not won
        if not missed and not lost and (found & SAME_END or before - after <= spread):
            preferred, before = played, after
        chance_before = 1.0 if could_win or won else self.chance(before)
        chance_after = 1.0 if won else 0.0 if lost else self.chance(after)
        slope = (chance_before - chance_after) / (before - after) if before > after else 1.0
        return TurnAnalysis(
            turn=game.turn,
            player=player,
            played=played,
            preferred=preferred,
            chance_before=chance_before,
            chance_after=chance_after,
            cost=round(max(0.0, chance_before - chance_after), DIGITS),
            error=round(0.0 if missed or preferred == played else spread * slope, DIGITS),
            missed_win=missed,
            fault=fault,
        )

    def chance(self, raw: float) -> float:
        """A chance as it is reported."""
        return round(raw if self._calibration is None else self._calibration(raw), DIGITS)


def _searching(agent: str) -> AgentKind:
    found = AGENTS.get(agent)
    if found is None or found.kernel is None or found.kernel[0].kind != SEARCHING:
        able = [name for name, kind in AGENTS.items() if kind.kernel is not None and kind.kernel[0].kind == SEARCHING]
        raise CallerError(f"agent {agent!r} cannot analyse games; agents that search can: {', '.join(able)}")
    return found


def _moves(game: LocmGame, codes: Sequence[int]) -> Iterator[Move]:
    game = game.copy()
    for code in codes:
        text, before = game.action_text(code), game.copy()
        game.try_play(code)
        deed = told(Look(before), parse_command(text, game.edition.summon_names_lane), Look(game))
        del deed["changes"]  # the page shows what did happen
        yield Move(text, action_words(before, text), deed)


# Decks


class _Drafter:
    """What was learned of an edition's decks, for one game's cards."""

    def __init__(self, edition: LocmEdition, brain: Records[Brain], game: LocmGame) -> None:
        self.edition, self.brain, self.cards = edition, brain[0], game.deals[0].cards
        desks = new_desks(edition)
        value_pool(edition.rules, game.deals, desks)
        self.values = desks[0].search.mind.cards

    def options(self, game: LocmGame) -> dict[int, tuple[int, float]]:
        """What the player to choose can take: for each code, which card it is, and what it adds to the deck."""
        seat, deal, counts = game.current, game.deals[0], np.zeros(GROUPS, np.int16)
        me = game.state.players[seat]
        count_groups(deal, me, counts)
        left, found = DECK_SIZE - 1 - int(me.n_deck), {}
        for code in game.legal_codes():
            index = code if self.edition.constructed else int(deal.offers[me.n_deck, code])
            own = float(self.values[seat, index])
            found[code] = index, float(choice_value(self.brain, seat, self.cards[index], own, counts, left))
        return found

    def deck_value(self, seat: int, deck: Sequence[int]) -> float:
        """What a whole deck is worth, as a logit."""
        counts = np.zeros(GROUPS)
        for index in deck:
            counts[cost_group(self.cards[index])] += 1
            counts[type_group(self.cards[index])] += 1
        own = sum(float(self.values[seat, index]) for index in deck)
        return own + float((self.brain.balance[seat] * counts**2).sum())

    def curve(self, deck: Sequence[int]) -> tuple[int, ...]:
        """Cards by cost."""
        counts = Counter(cost_group(self.cards[index]) for index in deck)
        return tuple(counts[cost] for cost in range(DEAREST + 1))


def analyse_decks(replay: LocmReplay, actions: Sequence[int]) -> list[DeckAnalysis]:
    """Both decks of a game, given all its actions; nothing where nothing was learned of the edition."""
    edition, brain = replay.rule_set, brain_of(replay.rule_set)
    if not brain[0].learned:
        return []
    new_game = functools.partial(LocmGame, edition, replay.dealt)
    drafter, name = _Drafter(edition, brain, new_game()), functools.partial(card_name, new_game())
    decks: list[list[int]] = [[], []]
    picks: list[list[Pick]] = [[], []]
    game = new_game()
    for code in actions[: 2 * DECK_SIZE]:
        seat = game.current
        if edition.constructed:
            index = code
        else:
            options = drafter.options(game)
            index, value = options[code]
            best, best_value = max(options.values(), key=lambda option: option[1])
            if best != index:
                cost = _points(best_value - value)
                picks[seat].append(Pick(len(decks[seat]) + 1, name(index), name(best), cost))
        decks[seat].append(index)
        game.try_play(code)
    preferred: list[list[int]] = [[], []]
    game = new_game()
    while game.phase != "battle":
        options = drafter.options(game)
        code = max(options, key=lambda each: options[each][1])
        preferred[game.current].append(options[code][0])
        game.try_play(code)
    result = []
    for seat in range(2):
        if edition.constructed:
            picks[seat] = list(_swaps(drafter, seat, decks[seat], preferred[seat], name))
        gap = drafter.deck_value(seat, decks[seat]) - drafter.deck_value(seat, preferred[seat])
        usual = (drafter.brain.usual[seat, : DEAREST + 1] * DECK_SIZE).tolist()
        result.append(
            DeckAnalysis(
                player=seat,
                chance=round(0.5 + _points(gap), DIGITS),
                costs=(*map(str, range(DEAREST)), f"{DEAREST}+"),
                curve=drafter.curve(decks[seat]),
                preferred_curve=drafter.curve(preferred[seat]),
                usual_curve=tuple(round(part, 1) for part in usual),
                picks=tuple(picks[seat]),
            )
        )
    return result


def _swaps(
    drafter: _Drafter, seat: int, deck: Sequence[int], preferred: Sequence[int], name: Callable[[int], str]
) -> Iterator[Pick]:
    """The cards that are in one of two decks only, the worst of the first beside the best of the other."""

    def value(index: int) -> float:
        return float(drafter.values[seat, index])

    mine = sorted((Counter(deck) - Counter(preferred)).elements(), key=value)
    better = sorted((Counter(preferred) - Counter(deck)).elements(), key=value, reverse=True)
    for taken, wanted in zip(mine, better):
        yield Pick(None, name(taken), name(wanted), max(0.0, _points(value(wanted) - value(taken))))


def _points(logit: float) -> float:
    """How far from even a game is by a logit."""
    return round(1 / (1 + math.exp(-logit)) - 0.5, DIGITS)
