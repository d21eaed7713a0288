"""Recording a Tapdeck match between two agents of this process."""

from __future__ import annotations

import traceback
from typing import Any

import numpy as np

from cardrome.errors import CallerError
from cardrome.games.tapdeck.agents.base import TapdeckAgent, TapdeckAgentKind
from cardrome.games.tapdeck.agents.choose import player_seed
from cardrome.games.tapdeck.protocol.replay import Recorder, TapdeckReplay
from cardrome.games.tapdeck.rules.actions import END_TURN, action_kind
from cardrome.games.tapdeck.rules.edition import TapdeckEdition


def record_tapdeck(
    edition: TapdeckEdition,
    deck: int | str | np.recarray[Any, Any],
    kinds: tuple[TapdeckAgentKind, TapdeckAgentKind],
    seed: int | None = None,
) -> TapdeckReplay:
    """Play a match and return its replay. ``deck`` is a seed, the text of a deck, or a deck.

    The agents' own seeds follow from ``seed``, or from the deck's if there is none.
    """
    recorder = Recorder(edition, deck, (kinds[0].name, kinds[1].name))
    if seed is None:
        seed = deck if isinstance(deck, int) else 0
    agents = [kind.new(player_seed(seed, player)) for player, kind in enumerate(kinds)]
    while (player := recorder.match.to_move) is not None:
        for code in planned(recorder, agents[player], kinds[player].name):
            if action_kind(code) == END_TURN or recorder.match.outcome is not None:
                break
            recorder.act(code)
        recorder.end_turn()
    return recorder.replay()


def planned(recorder: Recorder, agent: TapdeckAgent, name: str) -> list[int]:
    """An agent's turn. What the agent does wrong is told with its name."""
    match = recorder.match
    try:
        return [int(code) for code in agent.plan(match.edition, match.deck, match.states.copy())]
    except Exception:
        raise CallerError(f"agent {name!r} failed:\n{traceback.format_exc()}") from None
