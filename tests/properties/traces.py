"""A script's game as a list of hashes, one for each moment: how two ways to run the rules are compared.

Run as a program it answers scripts (JSON, one a line) with their traces: the other side of test_modes.py. A question
that names an edition and a seed only is answered by a game of the batch simulator.
"""

from __future__ import annotations

import hashlib
import json
import sys
import traceback

from cardrome.bench import kernels
from cardrome.engine.kernel import INTERPRETED
from cardrome.engine.records import new_records
from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.cardgen import Workshop
from cardrome.games.locm.rules.deal import blank_deals
from cardrome.games.locm.rules.edition import find_edition
from cardrome.games.locm.rules.state import new_states
from tests.properties.scripts import Script


def trace(script: Script) -> list[str]:
    """Hashes of all there is to see after every action."""
    game = script.game()
    return [moment(game, -1), *(moment(game, code) for code in script.actions(game)), imagined(game, script.seed)]


def moment(game: LocmGame, code: int) -> str:
    """Deal, state, legal actions, and the input where one is sent; `code` is the action that led here."""
    # At the start of a turn, in every round of a draft, and once for a whole deck.
    asked = not (game.deck_size(game.current) if game.phase == "constructed" else game.performed[game.current])
    parts = (code, game.deals.tobytes(), game.states.tobytes(), game.legal_codes(), game.performed)
    return digest(*parts, game.input_text() if asked else "")


def imagined(game: LocmGame, seed: int) -> str:
    """Both players' views, and what is made of them."""
    views = [game.view(p) for p in range(2)]
    worlds = [view.determinize(seed) for view in views]
    return digest(*((p.deals.tobytes(), p.states.tobytes()) for p in views + worlds))


def random_game(edition: str, seed: int) -> list[str]:
    """How a game of the batch simulator ends, and how many actions it took."""
    chosen = find_edition(edition)
    deals, states, work = blank_deals(chosen), new_states(), new_records(Workshop)
    actions = kernels.play_random_games(chosen.rules, deals, states, work, 1, seed)
    return [digest(actions, deals.tobytes(), states.tobytes())]


def digest(*parts: object) -> str:
    return hashlib.blake2b(repr(parts).encode(), digest_size=8).hexdigest()


def main() -> None:
    assert INTERPRETED
    for line in sys.stdin:
        try:
            question = json.loads(line)
            answer = trace(Script(**question)) if "length" in question else random_game(**question)
        except Exception:
            answer = traceback.format_exc().splitlines()
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
