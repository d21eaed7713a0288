"""The entries of LOCM's rules: what Python calls. Each works on arrays of records and an index or two.

Deals and states are passed as arrays; ``d`` and ``i`` say which of them is meant. `rules` is always an array of one
record, `Edition.rules`.
"""

from __future__ import annotations

import numpy as np

from cardrome.engine.javarandom import next_long, seeded
from cardrome.engine.kernel import entry, kernel
from cardrome.engine.records import Integers, Records
from cardrome.games.locm.rules.battle import apply_battle
from cardrome.games.locm.rules.cardgen import Workshop, choose_pool, generate_cards
from cardrome.games.locm.rules.deckbuilding import choose, draw_offers, start_game
from cardrome.games.locm.rules.edition import Rules
from cardrome.games.locm.rules.legal import is_legal, list_actions
from cardrome.games.locm.rules.state import BATTLE, DealRecord, State
from cardrome.games.locm.rules.view import fill_in, hide_deal, hide_from

SCRATCH_SIZE = 160
"""Length of the scratch array of small integers that some entries need."""


@kernel
def apply_action(rules: Rules, deal: DealRecord, s: State, action: int) -> None:
    """Carry out a legal action of either phase."""
    if s.phase == BATTLE:
        apply_battle(rules, deal, s, action)
    else:
        choose(rules, deal, s, action)


@kernel
def derived_seeds(seed: int) -> tuple[int, int, int, int]:
    """What the referee draws from the main seed, in its order. `Edition.seed_names` says what each is for."""
    random = seeded(seed)
    random, first = next_long(random)
    random, second = next_long(random)
    random, third = next_long(random)
    random, fourth = next_long(random)
    return first, second, third, fourth


@kernel
def deal_from_seeds(
    rules: Rules, deal: DealRecord, work: Workshop, card_seed: int, shuffle_0: int, shuffle_1: int
) -> None:
    """Generate the cards or draw the draft offers, and note the seeds of the shuffles."""
    if rules.generated_cards:
        generate_cards(work, deal.cards, card_seed)
        deal.n_cards = rules.constructed_pool
    else:
        draw_offers(rules, deal, card_seed, work.pool, work.taken)
    deal.shuffle_seed[0] = shuffle_0
    deal.shuffle_seed[1] = shuffle_1


@kernel
def deal_from_seed(rules: Rules, deal: DealRecord, work: Workshop, seed: int) -> None:
    """Everything random about a game, from one seed. The cards of an edition with fixed ones must be in place."""
    first, second, third, fourth = derived_seeds(seed)
    if rules.generated_cards:
        # The second would choose among the cards for the pool, but all 120 are in it.
        deal_from_seeds(rules, deal, work, first, third, fourth)
    else:
        deal_from_seeds(rules, deal, work, first, second, third)


@entry(Rules, DealRecord, Workshop, int, int, int, int)
def lay_out_deal(
    rules: Records[Rules],
    deals: Records[DealRecord],
    work: Records[Workshop],
    d: int,
    card_seed: int,
    shuffle_0: int,
    shuffle_1: int,
) -> int:
    """Make a deal from the seeds of its cards (or draft) and of both shuffles."""
    deal_from_seeds(rules[0], deals[d], work[0], card_seed, shuffle_0, shuffle_1)
    return 0


@entry(Rules, DealRecord, Workshop, int, int)
def deal_pool(rules: Records[Rules], deals: Records[DealRecord], work: Records[Workshop], d: int, seed: int) -> int:
    """Reduce a longer card table to the constructed pool."""
    deal = deals[d]
    choose_pool(work[0], deal.cards, int(deal.n_cards), int(rules[0].constructed_pool), seed)
    deal.n_cards = rules[0].constructed_pool
    return 0


@entry(Rules, State, int)
def new_game(rules: Records[Rules], states: Records[State], i: int) -> int:
    """Set a state to the beginning of a game."""
    start_game(rules[0], states[i])
    return 0


@entry(Rules, DealRecord, State, int, int, int)
def apply(
    rules: Records[Rules], deals: Records[DealRecord], states: Records[State], d: int, i: int, action: int
) -> int:
    """Carry out an action if it is legal; returns 1 if it was, 0 (and changes nothing) if not."""
    if not is_legal(rules[0], deals[d], states[i], action):
        return 0
    apply_action(rules[0], deals[d], states[i], action)
    return 1


@entry(Rules, DealRecord, State, np.int16, int, int)
def legal_codes(
    rules: Records[Rules], deals: Records[DealRecord], states: Records[State], codes: Integers, d: int, i: int
) -> int:
    """Write the legal action codes, ascending; returns how many there are."""
    return list_actions(rules[0], deals[d], states[i], codes)


@kernel
def write_mask(rules: Rules, deal: DealRecord, s: State, codes: Integers, mask: Integers) -> int:
    """Write a mask over all action codes: 1 for the legal ones."""
    n = list_actions(rules, deal, s, codes)
    for k in range(len(mask)):
        mask[k] = 0
    for k in range(n):
        mask[codes[k]] = 1
    return n


@entry(Rules, DealRecord, State, np.int16, np.uint8, int, int)
def legal_mask(
    rules: Records[Rules],
    deals: Records[DealRecord],
    states: Records[State],
    codes: Integers,
    mask: Integers,
    d: int,
    i: int,
) -> int:
    """Write the legal action mask; returns how many actions are legal. ``codes`` is scratch."""
    return write_mask(rules[0], deals[d], states[i], codes, mask)


@entry(Rules, DealRecord, State, int, int, int)
def hide_in_place(
    rules: Records[Rules], deals: Records[DealRecord], states: Records[State], d: int, i: int, viewer: int
) -> int:
    """Turn a copied deal and state into the viewer's view of them."""
    hide_deal(rules[0], deals[d], states[i])
    hide_from(rules[0], states[i], viewer)
    return 0


@entry(Rules, DealRecord, State, np.int16, int, int, int, int)
def fill_in_place(
    rules: Records[Rules],
    deals: Records[DealRecord],
    states: Records[State],
    scratch: Integers,
    d: int,
    i: int,
    viewer: int,
    seed: int,
) -> int:
    """Turn a copied view into a plausible deal and state."""
    fill_in(rules[0], deals[d], states[i], viewer, scratch, seed)
    return 0
