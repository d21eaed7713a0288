from __future__ import annotations

import pytest

from cardrome.engine.records import new_records
from cardrome.errors import InvalidDeal
from cardrome.games.locm.rules.cardgen import Workshop
from cardrome.games.locm.rules.cards import FIXED_CARDS, card_records
from cardrome.games.locm.rules.deal import (
    LocmDeal,
    blank_deals,
    card_table,
    deal_from_seed,
    parse_draft_ids,
    parse_seed,
    random_seed,
)
from cardrome.games.locm.rules.edition import EDITIONS, LOCM_10, LOCM_12, LOCM_15, find_edition

DERIVED = """
0 -4962768465676381896 4437113781045784766 -6688467811848818630 -8292973307042192125
1 -4964420948893066024 7564655870752979346 3831662765844904176 6137546356583794141
42 -5025562857975149833 -5843495416241995736 5694868678511409995 5111195811822994797
-1 4961115982468162243 226341162490527646 -6233441030884181172 7681931065131779340
12700 7356565147623928353 -1638849014660642291 5538750765244948829 4516129289662562326
1279960 4290643332766821534 -5323545307901594088 -2985759167464886232 -5358082283486237858
9223372036854775807 4961115982468162243 226341162490527646 -6233441030884181172 7681931065131779340
-9223372036854775808 -4962768465676381896 4437113781045784766 -6688467811848818630 -8292973307042192125
"""
"""A seed and the seeds that follow from it (a Java run)."""

TRIPLES = [(3 * t + 1, 3 * t + 2, 3 * t + 3) for t in range(30)]


def draft_ids(separator: str = " ", groups: list[tuple[int, ...]] | None = None, comma: str = ",") -> str:
    return comma.join(separator.join(map(str, group)) for group in groups or TRIPLES)


@pytest.mark.parametrize("line", DERIVED.split("\n")[1:-1])
def test_derived_seeds(line: str) -> None:
    seed, *expected = map(int, line.split())
    drafted = LocmDeal(seed).seeds(LOCM_12)
    assert list(drafted) == ["seed", "draftChoicesSeed", "shufflePlayer0Seed", "shufflePlayer1Seed"]
    assert list(drafted.values()) == [seed, *expected[:3]]
    assert list(LocmDeal(seed).seeds(LOCM_15).values()) == [seed, *expected]


@pytest.mark.parametrize("name", EDITIONS)
def test_bulk_play_makes_the_same_deal_from_a_seed_alone(name: str) -> None:
    edition = EDITIONS[name]
    for seed in (0, -1, 42, 1 << 62):
        deals = blank_deals(edition)
        deal_from_seed(edition.rules[0], deals[0], new_records(Workshop)[0], seed)
        assert deals.tobytes() == LocmDeal(seed).lay_out(edition).tobytes()


def test_an_override_replaces_its_own_seed_and_no_other() -> None:
    for edition in (LOCM_12, LOCM_15):
        plain = LocmDeal(42).seeds(edition)
        for name in edition.seed_names:
            changed = LocmDeal(42, {name: "-17"}).seeds(edition)
            assert changed == {**plain, name: -17}


@pytest.mark.parametrize("text", ["", " 5", "5 ", "0x5", "5.0", "five", "1e3", "--5", "+", "9223372036854775808", "٣"])
def test_what_is_no_number_counts_as_absent(text: str) -> None:
    assert parse_seed(text) is None
    assert LocmDeal(42, {"shufflePlayer0Seed": text}).seeds(LOCM_12) == LocmDeal(42).seeds(LOCM_12)


def test_a_number_of_thousands_of_digits_counts_as_absent() -> None:
    assert parse_seed("9" * 10_000) is None
    assert LocmDeal(42, {"cardGenSeed": "-" + "1" * 5_000}).seeds(LOCM_15) == LocmDeal(42).seeds(LOCM_15)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("+7", 7),
        ("-7", -7),
        ("007", 7),
        ("9223372036854775807", (1 << 63) - 1),
        ("-9223372036854775808", -(1 << 63)),
    ],
)
def test_numbers(text: str, value: int) -> None:
    assert parse_seed(text) == value


def test_from_params() -> None:
    deal = LocmDeal.from_params({"seed": "5", "shufflePlayer1Seed": "6"})
    assert deal == LocmDeal(5, {"shufflePlayer1Seed": "6"})
    assert deal.params() == {"seed": "5", "shufflePlayer1Seed": "6"}
    assert hash(deal) == hash(LocmDeal(5, {"shufflePlayer1Seed": "6"}))


@pytest.mark.parametrize("params", [{}, {"seed": "none"}])
def test_without_a_seed_one_is_drawn_and_reported(params: dict[str, str]) -> None:
    deal = LocmDeal.from_params(params)
    assert LocmDeal.from_params(deal.params()) == deal
    assert deal.seeds(LOCM_12)["seed"] == deal.seed


def test_random_seeds_differ() -> None:
    assert len({random_seed() for _ in range(20)}) == 20


@pytest.mark.parametrize("seed", [1 << 63, -(1 << 63) - 1])
def test_a_seed_has_64_bits(seed: int) -> None:
    with pytest.raises(InvalidDeal, match="64-bit"):
        LocmDeal(seed)


def test_the_same_deal_is_laid_out_the_same() -> None:
    for edition in EDITIONS.values():
        assert LocmDeal(9).lay_out(edition).tobytes() == LocmDeal(9).lay_out(edition).tobytes()
        assert LocmDeal(9).lay_out(edition).tobytes() != LocmDeal(10).lay_out(edition).tobytes()


def test_shuffle_seeds_reach_the_deal() -> None:
    deal = LocmDeal(42, {"shufflePlayer1Seed": "-5"}).lay_out(LOCM_12)[0]
    assert deal.shuffle_seed.tolist() == [-5843495416241995736, -5]


@pytest.mark.parametrize(
    ("name", "separator"),
    [
        ("locm-1.0", " "),
        ("locm-1.0", "\t"),
        ("locm-1.0", "   "),
        ("locm-1.0-wood3", " "),
        ("locm-1.0-multi", " "),
        ("locm-1.2", " "),
        ("locm-1.2", "\t"),
        ("locm-1.2", "_"),
        ("locm-1.2", " _"),
    ],
)
def test_predefined_draft_ids(name: str, separator: str) -> None:
    deal = LocmDeal(42, {"predefinedDraftIds": draft_ids(separator)}).lay_out(find_edition(name))[0]
    assert (deal.offers[:, :3] + 1).tolist() == [list(triple) for triple in TRIPLES]
    assert deal.shuffle_seed.tolist() == LocmDeal(42).lay_out(LOCM_12)[0].shuffle_seed.tolist()


def test_space_around_the_commas() -> None:
    assert (parse_draft_ids(LOCM_10, draft_ids(comma=" , ")) == parse_draft_ids(LOCM_10, draft_ids())).all()


def test_the_level_does_not_matter_to_predefined_ids() -> None:
    wood = find_edition("locm-1.0-wood3")
    groups: list[tuple[int, ...]] = [(160, 151, 7)] * 30
    assert parse_draft_ids(wood, draft_ids(groups=groups))[29].tolist() == [159, 150, 6]


def test_predefined_offers_may_repeat_a_card() -> None:
    groups: list[tuple[int, ...]] = [(1, 1, 1)] * 30
    assert not parse_draft_ids(LOCM_12, draft_ids(groups=groups)).any()


def test_groups_over_30_are_left_alone() -> None:
    text = draft_ids() + ",nothing to read here"
    assert (parse_draft_ids(LOCM_12, text) == parse_draft_ids(LOCM_12, draft_ids())).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "30 groups of three cards are needed, found 1"),
        (draft_ids(groups=[(1, 2, 3)] * 29), "found 29"),
        (draft_ids(groups=[*TRIPLES[:29], (1, 2)]), "group 30 is '1 2', expected three card numbers"),
        (draft_ids(groups=[(1, 2, 3, 4), *TRIPLES[1:]]), "group 1 is '1 2 3 4'"),
        (draft_ids(groups=[(0, 2, 3), *TRIPLES[1:]]), "group 1 names card 0; there are 1 to 160"),
        (draft_ids(groups=[*TRIPLES[:5], (1, 2, 161), *TRIPLES[6:]]), "group 6 names card 161"),
        (draft_ids(groups=[(-1, 2, 3), *TRIPLES[1:]]), "group 1 is '-1 2 3'"),
        (draft_ids().replace("7", "x"), "group 3 is 'x 8 9'"),
    ],
)
def test_predefined_ids_that_cannot_be_used(text: str, message: str) -> None:
    with pytest.raises(InvalidDeal, match=message):
        LocmDeal(1, {"predefinedDraftIds": text}).lay_out(LOCM_12)


def test_underscores_are_of_1_2_only() -> None:
    for name in EDITIONS:
        if name.startswith("locm-1.0"):
            with pytest.raises(InvalidDeal, match="group 1 is '1_2_3'"):
                parse_draft_ids(find_edition(name), draft_ids("_"))


def test_parameters_of_1_5_that_cannot_be_used() -> None:
    with pytest.raises(InvalidDeal, match=r"the only list is 'cardlist.txt'"):
        LocmDeal(1, {"predefinedCardListFile": "other.txt"}).lay_out(LOCM_15)
    with pytest.raises(InvalidDeal, match="predefinedConstructedIds"):
        LocmDeal(1, {"predefinedConstructedIds": "1,2,3"}).lay_out(LOCM_15)


def test_parameters_of_another_edition_are_ignored() -> None:
    plain = LocmDeal(1).lay_out(LOCM_12).tobytes()
    assert LocmDeal(1, {"predefinedCardListFile": "other.txt", "cardGenSeed": "1"}).lay_out(LOCM_12).tobytes() == plain


def test_the_card_table_is_what_is_dealt() -> None:
    deal = LocmDeal(42)
    record = deal.lay_out(LOCM_15)[0]
    table = card_table(LOCM_15, deal)
    assert len(table) == record.n_cards == 120
    assert {card.name for card in table} == {""}
    assert (card_records(tuple(table)) == record.cards[:120]).all()


def test_a_table_of_known_cards_has_their_names() -> None:
    table = card_table(LOCM_15, LocmDeal(42, {"predefinedCardListFile": "cardlist.txt"}))
    assert len(table) == 120
    assert all(card == FIXED_CARDS[card.number - 1] for card in table)
    assert card_table(find_edition("locm-1.0-wood3"), LocmDeal(42)) == [
        card for card in FIXED_CARDS if card.number - 1 in find_edition("locm-1.0-wood3").allowed_cards
    ]
