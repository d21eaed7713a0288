"""Which actions are legal."""

from __future__ import annotations

import numpy as np
import pytest

from cardrome.bench.kernels import mask_many
from cardrome.games.locm.rules import actions
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import (
    ATTACK,
    MAX_ACTIONS,
    SUMMON,
    USE,
    find_edition,
)
from cardrome.games.locm.rules.legal import random_choice
from cardrome.games.locm.rules.state import new_states
from tests.games.locm.rules.table import ALL, OPPONENT, TWO_LANES, Table, blue, creature, green, red


def listed(t: Table) -> list[int]:
    codes = np.zeros(MAX_ACTIONS + 1, np.int16)
    n = actions.legal_codes(t.edition.rules, t.deals, t.states, codes, 0, 0)
    return codes[:n].tolist()


def is_legal(t: Table, kind: int, source: int, target: int) -> bool:
    """By the list, by the mask and by what happens: all the same."""
    code = t.code(kind, source, target)
    mask = np.zeros(t.edition.n_actions, np.uint8)
    mask_many(t.edition.rules, t.deals, t.states, np.zeros(MAX_ACTIONS + 1, np.int16), mask, 1)
    in_list, before = code in listed(t), t.states.copy()
    accepted = t.apply(code)
    t.states[:] = before
    assert in_list == accepted == (code >= 0 and bool(mask[code]))
    return accepted


# --- PASS and SUMMON ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_passing_is_always_legal(name: str) -> None:
    t = Table(name)
    assert listed(t) == [0]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(("mana", "legal"), [(4, False), (5, True), (6, True)])
def test_mana_for_a_creature(name: str, mana: int, legal: bool) -> None:
    t = Table(name)
    t.me.mana = mana
    assert is_legal(t, SUMMON, t.hold(0, creature("1/1", cost=5)), 0) == legal


@pytest.mark.parametrize("name", TWO_LANES)
def test_a_full_lane(name: str) -> None:
    t = Table(name)
    card = t.hold(0, "1/1")
    for n in range(3):
        assert is_legal(t, SUMMON, card, 1)
        t.place(0, "1/1", lane=1)
        assert len(t.board(0, 1)) == n + 1
    assert not is_legal(t, SUMMON, card, 1)
    assert is_legal(t, SUMMON, card, 0)


@pytest.mark.parametrize("name", ["locm-1.0", "locm-1.0-multi"])
def test_a_full_board_of_one_lane(name: str) -> None:
    t = Table(name)
    card = t.hold(0, "1/1")
    for _ in range(6):
        assert is_legal(t, SUMMON, card, 0)
        t.place(0, "1/1")
    assert not is_legal(t, SUMMON, card, 0)


@pytest.mark.parametrize("name", ALL)
def test_the_opponents_lanes_do_not_matter(name: str) -> None:
    t = Table(name)
    for _ in range(t.edition.lane_slots):
        t.place(1, "1/1")
    assert is_legal(t, SUMMON, t.hold(0, "1/1"), 0)


@pytest.mark.parametrize("name", ALL)
def test_items_are_not_summoned_and_creatures_not_used(name: str) -> None:
    t = Table(name)
    item, card, mine, theirs = t.hold(0, green("1/1")), t.hold(0, "1/1"), t.place(0, "1/1"), t.place(1, "1/1")
    assert not is_legal(t, SUMMON, item, 0)
    for target in (OPPONENT, mine, theirs):
        assert not is_legal(t, USE, card, target)


# --- USE ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("item", "on_opponent", "on_mine", "on_theirs"),
    [
        (green("1/1"), False, True, False),
        (red("-1/-1"), False, False, True),
        (blue("0/-1"), True, False, True),
        (blue("0/0", my_health=5), True, False, True),  # every blue item, also one without damage
    ],
    ids=["green", "red", "blue", "blue without damage"],
)
def test_targets_of_items(name: str, item: object, on_opponent: bool, on_mine: bool, on_theirs: bool) -> None:
    t = Table(name)
    lanes = range(t.edition.lanes)
    card = t.hold(0, item)  # type: ignore[arg-type]
    mine = [t.place(0, "1/1 GW", lane) for lane in lanes]
    theirs = [t.place(1, "1/1 GW", lane) for lane in lanes]
    assert is_legal(t, USE, card, OPPONENT) == on_opponent
    assert [is_legal(t, USE, card, c) for c in mine] == [on_mine] * len(mine)
    assert [is_legal(t, USE, card, c) for c in theirs] == [on_theirs] * len(theirs)


@pytest.mark.parametrize("name", ["locm-1.5", "locm-1.5-2022"])
@pytest.mark.parametrize("area", [1, 2])
def test_area_changes_no_target(name: str, area: int) -> None:
    t = Table(name)
    card, mine, theirs = t.hold(0, red("-1/-1", area=area)), t.place(0, "1/1"), t.place(1, "1/1")
    assert is_legal(t, USE, card, theirs)
    assert not is_legal(t, USE, card, mine)
    assert not is_legal(t, USE, card, OPPONENT)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(("mana", "legal"), [(2, False), (3, True)])
def test_mana_for_an_item(name: str, mana: int, legal: bool) -> None:
    t = Table(name)
    t.me.mana = mana
    assert is_legal(t, USE, t.hold(0, blue("0/-1", cost=3)), OPPONENT) == legal


@pytest.mark.parametrize("name", ALL)
def test_items_without_a_creature_to_aim_at(name: str) -> None:
    t = Table(name)
    t.hold(0, green("1/1"))
    t.hold(0, red("-1/-1"))
    assert listed(t) == [0]


# --- ATTACK -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_who_can_attack(name: str) -> None:
    t = Table(name)
    ready, resting = t.place(0, "1/1"), t.place(0, "1/1", ready=False)
    theirs = t.place(1, "1/1")
    for target in (OPPONENT, theirs):
        assert is_legal(t, ATTACK, ready, target)
        assert not is_legal(t, ATTACK, resting, target)
    assert not is_legal(t, ATTACK, theirs, OPPONENT)
    assert not is_legal(t, ATTACK, ready, resting), "one's own creature"


@pytest.mark.parametrize("name", ALL)
def test_a_guard_must_be_attacked_first(name: str) -> None:
    t = Table(name)
    a = t.place(0, "1/1")
    other, guard, second_guard = t.place(1, "1/1"), t.place(1, "1/1 G"), t.place(1, "1/1 GW")
    legal = [is_legal(t, ATTACK, a, target) for target in (OPPONENT, other, guard, second_guard)]
    assert legal == [False, False, True, True]


@pytest.mark.parametrize("name", TWO_LANES)
def test_guards_of_the_other_lane_do_not_matter(name: str) -> None:
    t = Table(name)
    a, b = t.place(0, "1/1"), t.place(0, "1/1", lane=1)
    other, guard = t.place(1, "1/1"), t.place(1, "1/1 G", lane=1)
    assert [is_legal(t, ATTACK, a, target) for target in (OPPONENT, other, guard)] == [True, True, False]
    assert [is_legal(t, ATTACK, b, target) for target in (OPPONENT, other, guard)] == [False, False, True]


@pytest.mark.parametrize("name", ["locm-1.0", "locm-1.0-multi"])
def test_with_one_lane_a_guard_protects_the_whole_board(name: str) -> None:
    t = Table(name)
    attackers = [t.place(0, "1/1") for _ in range(6)]
    others = [t.place(1, "1/1") for _ in range(5)]
    guard = t.place(1, "1/1 G")
    for a in attackers:
        assert [is_legal(t, ATTACK, a, target) for target in (OPPONENT, *others, guard)] == [False] * 6 + [True]


def test_creatures_of_the_other_lane_cannot_be_attacked() -> None:
    t = Table("locm-1.2")
    a, d = t.place(0, "1/1"), t.place(1, "1/1", lane=1)
    assert not is_legal(t, ATTACK, a, d)


@pytest.mark.parametrize("name", ALL)
def test_own_guards_do_not_matter(name: str) -> None:
    t = Table(name)
    t.place(0, "1/1 G")
    assert is_legal(t, ATTACK, t.place(0, "1/1"), OPPONENT)


@pytest.mark.parametrize("name", ALL)
def test_without_its_guard_the_lane_is_open(name: str) -> None:
    t = Table(name)
    a, guard = t.place(0, "1/1"), t.place(1, "1/1 G")
    assert not is_legal(t, ATTACK, a, OPPONENT)
    t.use(t.hold(0, red("0/0 G")), guard)
    assert is_legal(t, ATTACK, a, OPPONENT)


# --- Lists --------------------------------------------------------------------------------------------------------


def test_the_fullest_board_fits_the_list() -> None:
    """Eight items or creatures in hand, twelve creatures, all ready."""
    for name in ALL:
        for card in (blue("0/-1"), creature("1/1")):
            t = Table(name)
            for _ in range(8):
                t.hold(0, card)
            for p in range(2):
                for lane in range(t.edition.lanes):
                    for _ in range(t.edition.lane_slots):
                        t.place(p, "1/1", lane=lane)
            codes = listed(t)
            uses = 8 * 7 if card.type else 0
            assert len(codes) == 1 + uses + 6 * (1 + t.edition.lane_slots)
            assert codes == sorted(set(codes))


def test_choices_of_deck_building() -> None:
    edition = find_edition("locm-1.5")
    deals, states = LocmDeal(1).lay_out(edition), new_states()
    actions.new_game(edition.rules, states, 0)
    codes = np.zeros(MAX_ACTIONS + 1, np.int16)

    def choices() -> list[int]:
        return codes[: actions.legal_codes(edition.rules, deals, states, codes, 0, 0)].tolist()

    assert choices() == list(range(120))
    for card in (5, 5, 119, 119, 7):
        assert actions.apply(edition.rules, deals, states, 0, 0, card)
    assert choices() == [c for c in range(120) if c not in (5, 119)]


def test_random_choices_of_deck_building_are_legal() -> None:
    """All but one card taken as often as allowed: it is the choice, however many draws that takes."""
    edition = find_edition("locm-1.5")
    deals, states = LocmDeal(1).lay_out(edition), new_states()
    actions.new_game(edition.rules, states, 0)
    deals["n_cards"] = 5
    for card in (0, 0, 1, 1, 2, 2, 4, 4):
        assert actions.apply(edition.rules, deals, states, 0, 0, card)
    assert {random_choice(edition.rules[0], deals[0], states[0], seed)[1] for seed in range(20)} == {3}


def test_choices_of_the_draft() -> None:
    edition = find_edition("locm-1.2")
    deals, states = LocmDeal(1).lay_out(edition), new_states()
    actions.new_game(edition.rules, states, 0)
    codes = np.zeros(MAX_ACTIONS + 1, np.int16)
    assert actions.legal_codes(edition.rules, deals, states, codes, 0, 0) == 3
    assert codes[:3].tolist() == [0, 1, 2]
