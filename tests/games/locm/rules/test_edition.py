from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

from cardrome.errors import CallerError, UnknownEdition
from cardrome.games.locm.rules.edition import (
    EDITIONS,
    LOCM_10,
    LOCM_10_MULTI,
    LOCM_12,
    LOCM_15,
    LOCM_15_2022,
    LocmEdition,
    Rules,
    TimeLimits,
    find_edition,
    variant,
)

ONE_LANE = [name for name in EDITIONS if name.startswith("locm-1.0")]


def differences(a: LocmEdition, b: LocmEdition) -> set[str]:
    """The fields in which two editions differ, their names aside."""
    return {f.name for f in fields(LocmEdition) if getattr(a, f.name) != getattr(b, f.name)} - {"name", "summary"}


def test_the_editions() -> None:
    assert list(EDITIONS) == [
        "locm-1.0-wood3",
        "locm-1.0-wood2",
        "locm-1.0-wood1",
        "locm-1.0",
        "locm-1.0-multi-wood3",
        "locm-1.0-multi-wood2",
        "locm-1.0-multi-wood1",
        "locm-1.0-multi",
        "locm-1.2",
        "locm-1.5",
        "locm-1.5-2022",
    ]
    assert all(edition.name == name for name, edition in EDITIONS.items())


def test_find_edition() -> None:
    assert find_edition("locm-1.2") is LOCM_12
    with pytest.raises(UnknownEdition, match=r"unknown edition 'locm-1.3'; did you mean .*locm-1\.2"):
        find_edition("locm-1.3")


def test_constants_common_to_all() -> None:
    for e in EDITIONS.values():
        assert (e.start_health, e.first_hand, e.second_hand, e.mana_cap, e.turn_limit) == (30, 4, 5, 12, 50)
        assert e.lanes * e.lane_slots == 6


def test_what_1_0_changes_from_1_2() -> None:
    assert (LOCM_10.lanes, LOCM_10.lane_slots, LOCM_10.bonus_mana) == (1, 6, 0)
    assert (LOCM_12.lanes, LOCM_12.lane_slots, LOCM_12.bonus_mana) == (2, 3, 1)
    assert differences(LOCM_10, LOCM_12) == {
        "lanes",
        "lane_slots",
        "bonus_mana",
        "shows_draw",
        "shows_actions",
        "shows_lane",
        "summon_names_lane",
        "draft_ids_separators",
        "limits",
        "version",
        "build",
    }


def test_what_the_multi_build_changes_from_the_contest() -> None:
    assert differences(LOCM_10_MULTI, LOCM_10) == {"bonus_mana", "shows_draw", "shows_actions", "build"}
    assert LOCM_10_MULTI.bonus_mana == 1


def test_leagues_restrict_the_cards_and_nothing_else() -> None:
    for base in ("locm-1.0", "locm-1.0-multi"):
        for wood, level in ((3, 1), (2, 2), (1, 3)):
            league = EDITIONS[f"{base}-wood{wood}"]
            assert differences(league, EDITIONS[base]) == {"league"}
            assert league.league == level


def test_what_2022_changes_from_1_5() -> None:
    """The older numbering: 1 to 30 and 31 to 60 in order of choice, clones from 61 on."""
    assert differences(LOCM_15_2022, LOCM_15) == {"id_base", "id_step", "id_player_step", "clone_id_step", "build"}


def test_runes_and_damage() -> None:
    for e in EDITIONS.values():
        if e.constructed:
            assert (e.top_rune, e.rune_step, e.damage_per_extra_card, e.missing_card_damage) == (0, 0, 5, 10)
        else:
            assert (e.top_rune, e.rune_step, e.damage_per_extra_card, e.missing_card_damage) == (25, 5, 0, 0)


def test_time_limits() -> None:
    assert LOCM_10.limits == LOCM_10_MULTI.limits == TimeLimits(1000, 100, 1000, 100)
    assert LOCM_12.limits == TimeLimits(1000, 100, 1000, 200)
    assert LOCM_15.limits == LOCM_15_2022.limits == TimeLimits(4000, 4000, 1000, 200)


def test_seed_names() -> None:
    assert LOCM_12.seed_names == ("draftChoicesSeed", "shufflePlayer0Seed", "shufflePlayer1Seed")
    assert LOCM_15.seed_names == (
        "cardGenSeed",
        "constructedChoicesSeed",
        "shufflePlayer0Seed",
        "shufflePlayer1Seed",
    )


@pytest.mark.parametrize("name", EDITIONS)
def test_the_record_says_what_the_edition_says(name: str) -> None:
    edition = EDITIONS[name]
    record = edition.rules[0]
    shared = [f.name for f in fields(LocmEdition) if f.name in (Rules.dtype.names or ())]
    assert len(shared) >= 25
    for field in shared:
        assert record[field] == getattr(edition, field), field
    assert record.allowed[: record.n_allowed].tolist() == edition.allowed_cards


def test_an_edition_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        LOCM_12.lanes = 3  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        LOCM_12.rules["lanes"] = 3


def test_lane_of_places() -> None:
    assert LOCM_12.rules[0].lane_of.tolist() == [0, 0, 0, 1, 1, 1]
    for name in ONE_LANE:
        assert EDITIONS[name].rules[0].lane_of.tolist() == [0] * 6


def test_variants_differ_in_decks_and_offers_alone() -> None:
    assert variant(LOCM_12) == LOCM_12
    short = variant(LOCM_12, deck_size=5, alternatives=1)
    assert differences(short, LOCM_12) == {"deck_size", "offer_size"}
    assert (short.deck_size, short.offer_size) == (5, 1)


@pytest.mark.parametrize(
    ("edition", "numbers", "reason"),
    [
        (LOCM_12, {"deck_size": 4}, "deck_size is 4; allowed are 5"),
        (LOCM_12, {"deck_size": 31}, "deck_size is 31; .* to 30"),
        (LOCM_12, {"alternatives": 0}, "alternatives is 0; allowed are 1 to"),
        (LOCM_12, {"alternatives": 1000}, "alternatives is 1000; allowed are 1 to"),
        (LOCM_15, {"alternatives": 3}, "locm-1.5 has no draft"),
    ],
)
def test_variants_that_cannot_be_played(edition: LocmEdition, numbers: dict[str, int], reason: str) -> None:
    with pytest.raises(CallerError, match=reason):
        variant(edition, **numbers)
