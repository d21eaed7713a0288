"""Deals: all the randomness of a game, as the parameters the original referees take.

Same edition, same deal, same actions: same game, always.
"""

from __future__ import annotations

import functools
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cardrome.engine.javanumbers import parse_java_integer
from cardrome.engine.javarandom import next_long, seeded
from cardrome.engine.kernel import entry, kernel, shared_kernel
from cardrome.engine.records import Records, new_records
from cardrome.errors import InvalidDeal
from cardrome.games.locm.rules.cardgen import Workshop, choose_pool, generate_cards
from cardrome.games.locm.rules.cards import FIXED_CARDS, Card, CardRecord, abilities_text, fixed_card_records
from cardrome.games.locm.rules.deckbuilding import draw_offers
from cardrome.games.locm.rules.edition import DECK_SIZE, LocmEdition, Rules
from cardrome.games.locm.rules.state import DealRecord, new_deals

FIXED_LIST_FILE = "cardlist.txt"
"""The one card list the 1.5 referee brings along: the 160 cards of 1.0 and 1.2."""


def parse_seed(text: str) -> int | None:
    """A seed as the referees read it: a signed 64-bit decimal number; anything else counts as absent."""
    return parse_java_integer(text, 64)


def random_seed() -> int:
    """A fresh seed for a game whose seed nobody chose."""
    return secrets.randbits(63)


def parameter_names(edition: LocmEdition) -> tuple[str, ...]:
    """The names of the parameters that override what follows from the main seed."""
    return *edition.seed_names, "predefinedCardListFile" if edition.constructed else "predefinedDraftIds"


@dataclass(frozen=True)
class LocmDeal:
    """The parameters of one game's randomness: a main seed and whatever overrides what follows from it."""

    seed: int
    overrides: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_params(cls, params: Mapping[str, str]) -> LocmDeal:
        """A deal from the referee's ``name=value`` parameters; without a usable seed a random one is drawn."""
        seed = parse_seed(params.get("seed", ""))
        overrides = {name: value for name, value in params.items() if name != "seed"}
        return cls(random_seed() if seed is None else seed, overrides)

    def __post_init__(self) -> None:
        if not -(1 << 63) <= self.seed < 1 << 63:
            raise InvalidDeal(f"seed {self.seed} is not a signed 64-bit number")

    def __hash__(self) -> int:
        return hash((self.seed, tuple(sorted(self.overrides.items()))))

    def params(self) -> dict[str, str]:
        """The parameters as given."""
        return {"seed": str(self.seed), **self.overrides}

    def seeds(self, edition: LocmEdition) -> dict[str, int]:
        """The effective seeds: those derived from the main seed, each unless a parameter overrides it."""
        result = {"seed": self.seed}
        for name, value in zip(edition.seed_names, derived_seeds(self.seed), strict=False):  # a draft needs but three
            given = parse_seed(self.overrides.get(name, ""))
            result[name] = value if given is None else given
        return result

    def lay_out(self, edition: LocmEdition) -> Records[DealRecord]:
        """The deal as an array of one record: card table, draft offers, shuffle seeds."""
        deals = blank_deals(edition)
        seeds = self.seeds(edition)
        card_seed = seeds["cardGenSeed" if edition.constructed else "draftChoicesSeed"]
        shuffles = seeds["shufflePlayer0Seed"], seeds["shufflePlayer1Seed"]
        lay_out_deal(edition.rules, deals, _workshop(), 0, card_seed, *shuffles)
        if edition.constructed:
            self._take_listed_cards(edition, deals, seeds)
        elif "predefinedDraftIds" in self.overrides:
            deals[0].offers[:, :3] = parse_draft_ids(edition, self.overrides["predefinedDraftIds"])
        return deals

    def _take_listed_cards(self, edition: LocmEdition, deals: Records[DealRecord], seeds: dict[str, int]) -> None:
        """Replace the generated cards by a pool from the fixed ones if a parameter says so."""
        if "predefinedConstructedIds" in self.overrides:
            raise InvalidDeal("predefinedConstructedIds: the original referee crashes on it; not supported")
        listed = self.overrides.get("predefinedCardListFile")
        if listed is None:
            return
        if listed != FIXED_LIST_FILE:
            raise InvalidDeal(f"predefinedCardListFile {listed!r}: the only list is {FIXED_LIST_FILE!r}")
        deals[0].cards[: len(FIXED_CARDS)] = fixed_card_records()
        deals[0].n_cards = len(FIXED_CARDS)
        deal_pool(edition.rules, deals, _workshop(), 0, seeds["constructedChoicesSeed"])
        deals["cards"][0, edition.constructed_pool : len(FIXED_CARDS)] = np.zeros((), CardRecord)


def blank_deals(edition: LocmEdition, n: int = 1) -> Records[DealRecord]:
    """n deals that hold the edition's fixed cards, if it has any, and nothing else."""
    deals = new_deals(n)
    if not edition.generated_cards:
        deals.cards[:, : len(FIXED_CARDS)] = fixed_card_records()
        deals.n_cards[:] = len(FIXED_CARDS)
    return deals


def card_table(edition: LocmEdition, deal: LocmDeal) -> list[Card]:
    """The cards of a game as people read them; generated ones have no names."""
    if not edition.generated_cards:
        return [FIXED_CARDS[i] for i in edition.allowed_cards]
    record = deal.lay_out(edition)[0]
    names = {card.number: card.name for card in FIXED_CARDS} if "predefinedCardListFile" in deal.overrides else {}
    table = []
    for values in record.cards[: record.n_cards].tolist():
        number, kind, cost, attack, defense, abilities, *effects = values
        text = abilities_text(abilities)
        table.append(Card(number, names.get(number, ""), kind, cost, attack, defense, text, *effects))
    return table


def parse_draft_ids(edition: LocmEdition, text: str) -> np.ndarray[Any, Any]:
    """The draft offers of a ``predefinedDraftIds`` parameter, as card indices."""
    groups = text.split(",")
    if len(groups) < DECK_SIZE:
        raise InvalidDeal(f"predefinedDraftIds: {DECK_SIZE} groups of three cards are needed, found {len(groups)}")
    offers = np.zeros((DECK_SIZE, 3), np.uint8)
    for t, group in enumerate(groups[:DECK_SIZE]):
        numbers = re.split(f"[{edition.draft_ids_separators}]+", group.strip())
        if len(numbers) != 3 or not all(re.fullmatch("[0-9]{1,3}", n) for n in numbers):
            raise InvalidDeal(f"predefinedDraftIds: group {t + 1} is {group!r}, expected three card numbers")
        for k, number in enumerate(map(int, numbers)):
            if not 1 <= number <= len(FIXED_CARDS):
                raise InvalidDeal(f"predefinedDraftIds: group {t + 1} names card {number}; there are 1 to 160")
            offers[t, k] = number - 1
    return offers


@functools.cache
def _workshop() -> Records[Workshop]:
    return new_records(Workshop)


# Dealing, in kernels


@kernel
def derived_seeds(seed: int) -> tuple[int, int, int, int]:
    """What the referee draws from the main seed, in its order. `Edition.seed_names` says what each is for."""
    random = seeded(seed)
    random, first = next_long(random)
    random, second = next_long(random)
    random, third = next_long(random)
    random, fourth = next_long(random)
    return first, second, third, fourth


@shared_kernel
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
