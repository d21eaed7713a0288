"""Scripts: an edition, a deal and a way to choose, from which a whole game follows. All laws here start from them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import strategies as st

from cardrome.games.locm.protocol.game import LocmGame
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import EDITIONS, LOCM_12, LOCM_15, LocmEdition, variant

ANY_EDITION = st.sampled_from(list(EDITIONS))
VARIANTS = {"short draft of five": variant(LOCM_12, 10, 5), "short 1.5": variant(LOCM_15, 20)}
"""What only learners play, by names of their own."""
KNOWN: dict[str, LocmEdition] = {**EDITIONS, **VARIANTS}
SEEDS = st.integers(-(1 << 63), (1 << 63) - 1)


@dataclass(frozen=True)
class Script:
    """Which game to play, and how far."""

    edition: str
    seed: int
    chooser: int
    """Seeds the choice among the legal actions."""
    patience: int
    """How often, of eight times, a turn goes on although it could be ended."""
    length: int
    """The number of actions, deck building included; fewer if the game ends before."""

    def game(self) -> LocmGame:
        """The game before its first action."""
        return LocmGame(KNOWN[self.edition], LocmDeal(self.seed))

    def actions(self, game: LocmGame) -> Iterator[int]:
        """Play on; yields each action when it has been taken."""
        chooser = random.Random(self.chooser)
        for _ in range(self.length):
            codes = game.legal_codes()
            if not codes:
                return
            if game.phase == "battle" and len(codes) > 1 and chooser.randrange(8) < self.patience:
                codes = codes[1:]  # anything but PASS
            code = chooser.choice(codes)
            game.push(code)
            yield code

    def played(self) -> LocmGame:
        """The game after its last action."""
        game = self.game()
        for _ in self.actions(game):
            pass
        return game


def scripts(editions: st.SearchStrategy[str] | None = None, low: int = 0, high: int = 260) -> st.SearchStrategy[Script]:
    """Scripts of any edition or variant, ending anywhere from deck building to the end of the battle."""
    return st.builds(
        Script,
        edition=st.sampled_from(list(KNOWN)) if editions is None else editions,
        seed=SEEDS,
        chooser=st.integers(0, 1 << 32),
        patience=st.integers(0, 8),
        length=st.integers(low, high),
    )
