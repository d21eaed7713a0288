"""The engine's entries: what Python calls. Each works on arrays of records and an index or two.

Deals and states are passed as arrays; ``d`` and ``i`` say which of them is meant. `rules` is always the array of one
record that `cardrome.games.locm.rules.edition.rules_record` returns.
"""

from __future__ import annotations

import numpy as np

from cardrome.engine.javarandom import next_long, seeded
from cardrome.engine.kernel import entry, kernel
from cardrome.engine.records import Integers, Records
from cardrome.games.locm.rules.battle import apply_battle
from cardrome.games.locm.rules.cardgen import WORKSHOP, Workshop, choose_pool, generate_cards
from cardrome.games.locm.rules.deckbuilding import choose, draw_offers, start_game
from cardrome.games.locm.rules.edition import RULES, Rules
from cardrome.games.locm.rules.legal import is_legal, list_actions
from cardrome.games.locm.rules.state import BATTLE, DEAL, STATE, DealRecord, State
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
def deal_from_seed(rules: Rules, deal: DealRecord, work: Workshop, seed: int) -> None:
    """Everything random about a game, from one seed, as the referee derives it."""
    random = seeded(seed)
    if rules.generated_cards:
        random, card_seed = next_long(random)
        generate_cards(work, deal.cards, card_seed)
        deal.n_cards = rules.constructed_pool
        random, _ = next_long(random)  # all 120 cards are offered, so the choice among them changes nothing
    else:
        random, draft_seed = next_long(random)
        draw_offers(rules, deal, draft_seed, work.pool, work.taken)
    for p in range(2):
        random, shuffle_seed = next_long(random)
        deal.shuffle_seed[p] = shuffle_seed


@entry(RULES, DEAL, WORKSHOP, int, int)
def deal_seed(rules: Records[Rules], deals: Records[DealRecord], work: Records[Workshop], d: int, seed: int) -> int:
    """Make a deal from its seed alone. The card table of an edition with fixed cards must be in place."""
    deal_from_seed(rules[0], deals[d], work[0], seed)
    return 0


@entry(RULES, DEAL, WORKSHOP, int, int)
def deal_offers(rules: Records[Rules], deals: Records[DealRecord], work: Records[Workshop], d: int, seed: int) -> int:
    """Draw the draft offers from a draft seed."""
    draw_offers(rules[0], deals[d], seed, work[0].pool, work[0].taken)
    return 0


@entry(DEAL, WORKSHOP, int, int)
def deal_generated(deals: Records[DealRecord], work: Records[Workshop], d: int, seed: int) -> int:
    """Generate the card table from a card seed."""
    generate_cards(work[0], deals[d].cards, seed)
    return 0


@entry(RULES, DEAL, WORKSHOP, int, int)
def deal_pool(rules: Records[Rules], deals: Records[DealRecord], work: Records[Workshop], d: int, seed: int) -> int:
    """Reduce a longer card table to the constructed pool."""
    deal = deals[d]
    choose_pool(work[0], deal.cards, int(deal.n_cards), int(rules[0].constructed_pool), seed)
    deal.n_cards = rules[0].constructed_pool
    return 0


@entry(RULES, STATE, int)
def new_game(rules: Records[Rules], states: Records[State], i: int) -> int:
    """Set a state to the beginning of a game."""
    start_game(rules[0], states[i])
    return 0


@entry(RULES, DEAL, STATE, int, int, int)
def apply(
    rules: Records[Rules], deals: Records[DealRecord], states: Records[State], d: int, i: int, action: int
) -> int:
    """Carry out an action if it is legal; returns 1 if it was, 0 (and changes nothing) if not."""
    if not is_legal(rules[0], deals[d], states[i], action):
        return 0
    apply_action(rules[0], deals[d], states[i], action)
    return 1


@entry(RULES, DEAL, STATE, np.int16, int, int)
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


@entry(RULES, DEAL, STATE, np.int16, np.uint8, int, int)
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


@entry(RULES, DEAL, STATE, int, int, int)
def hide_in_place(
    rules: Records[Rules], deals: Records[DealRecord], states: Records[State], d: int, i: int, viewer: int
) -> int:
    """Turn a copied deal and state into the viewer's view of them."""
    hide_deal(rules[0], deals[d], states[i])
    hide_from(rules[0], states[i], viewer)
    return 0


@entry(RULES, DEAL, STATE, np.int16, int, int, int, int)
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
