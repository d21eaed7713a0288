"""Why a match of Tapdeck was lost: what a searching agent thinks of each turn.

Nothing is hidden in Tapdeck, so there is nothing to imagine: the positions after what was played and after what the
agent prefers are both searched, from the opponent's side.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

from cardrome.engine.kernel import load_now
from cardrome.errors import CallerError
from cardrome.escaping import printable
from cardrome.games.analysis import GameAnalysis, Move, Report, TurnAnalysis
from cardrome.games.learning.calibration import Calibration, find_calibration
from cardrome.games.tapdeck.agents.registry import AGENTS, SEARCHING, TapdeckKernelAgent, plan_by_tree
from cardrome.games.tapdeck.agents.search.brain import WEIGHTS, learned_brain
from cardrome.games.tapdeck.frames import deed
from cardrome.games.tapdeck.page import codes_of
from cardrome.games.tapdeck.protocol.game import TapdeckGame, command_of
from cardrome.games.tapdeck.protocol.replay import TapdeckReplay
from cardrome.games.tapdeck.protocol.rerun import TapdeckMoment, TapdeckRerun
from cardrome.games.tapdeck.protocol.story import command_words, result_line
from cardrome.games.tapdeck.rules.actions import END_TURN, FINISH_BLOCK, action_kind
from cardrome.games.tapdeck.rules.edition import TAPDECK, TapdeckEdition

DIGITS = 4
"""Of a chance."""


def analyse(
    replay: TapdeckReplay, agent: str = "search", player: int | None = None, report: Report | None = None
) -> GameAnalysis:
    """All turns, or those of one player, in the opinion of an agent that searches."""
    thinker, rerun = searching_agent(agent), TapdeckRerun(replay)
    calibration = calibration_of(replay.rule_set)
    game = TapdeckGame(replay.rule_set, replay.laid_deck)
    start, codes, turns = game.copy(), list[int](), []
    for moment in rerun:
        for code in codes_of(moment):
            if game.try_play(code):
                codes.append(code)
        if game.turn != start.turn or game.is_over:
            if player in (None, start.current):
                turns.append(_turn(thinker, calibration, start, codes, game))
            if report is not None:
                report(start.turn + 1)
            start, codes = game.copy(), []
    return GameAnalysis(
        edition=replay.edition,
        players=replay.players,
        winner=replay.winner,
        result=result_line(replay),
        agent=agent,
        calibrated=calibration is not None,
        turns=tuple(turns),
        decks=(),
        difference=None if rerun.difference is None else printable(str(rerun.difference), 500),
    )


@functools.cache
def calibration_of(edition: TapdeckEdition) -> Calibration | None:
    """How chances are corrected; None for other numbers than the usual ones, of which nothing is known."""
    return find_calibration(WEIGHTS, edition.name, learned_brain()) if edition == TAPDECK else None


def _turn(
    thinker: TapdeckKernelAgent,
    calibration: Calibration | None,
    start: TapdeckGame,
    codes: Sequence[int],
    after: TapdeckGame,
) -> TurnAnalysis:
    """One turn: where it began, what was played, and where that led."""
    player, planned = start.current, start.copy()
    plan = [code for code in thinker.plan(start) if planned.try_play(code)]
    chances = []
    for game in (planned, after):
        chance = chance_of(thinker, game, player)
        if calibration is not None and not game.is_over:
            chance = calibration(chance)
        chances.append(round(chance, DIGITS))
    chance_before, chance_after = chances
    preferred, played = (tuple(_moves(start, each)) for each in (plan, codes))
    missed = _won(planned, player) and not _won(after, player)
    if not missed and chance_before <= chance_after:
        preferred, chance_before = played, chance_after
    cost = round(chance_before - chance_after, DIGITS)
    return TurnAnalysis(start.turn, player, played, preferred, chance_before, chance_after, cost, 0.0, missed)


def _won(game: TapdeckGame, player: int) -> bool:
    return game.outcome is not None and game.outcome.winner == player


def chance_of(thinker: TapdeckKernelAgent, game: TapdeckGame, player: int) -> float:
    """A player's chance to win; a draw is half a win."""
    if game.outcome is not None:
        return 0.5 if game.outcome.winner is None else float(game.outcome.winner == player)
    thinker.plan(game)
    return thinker.chance if game.current == player else 1 - thinker.chance


def searching_agent(agent: str) -> TapdeckKernelAgent:
    """An agent that can analyse matches, by its name."""
    able = {name: kind for name, kind in AGENTS.items() if kind.kernel is not None and kind.kernel[0].kind == SEARCHING}
    if agent not in able:
        raise CallerError(f"agent {agent!r} cannot analyse games; agents that search can: {', '.join(able)}")
    load_now(plan_by_tree)
    found = able[agent].new()
    assert isinstance(found, TapdeckKernelAgent)
    return found


def _moves(game: TapdeckGame, codes: Sequence[int]) -> Iterator[Move]:
    """Actions, but for those that only end a phase."""
    game = game.copy()
    for code in codes:
        text, before, turn = game.action_text(code), game.snapshot(), game.turn
        game.try_play(code)
        if action_kind(code) in (END_TURN, FINISH_BLOCK):
            continue
        command = command_of(code)
        moment = TapdeckMoment(0, turn, before.current, command, 0, b"", before, game.snapshot())
        shown = deed(moment)
        del shown["changes"], shown["text"]  # the page shows what did happen
        yield Move(text, command_words(moment, command), shown)
