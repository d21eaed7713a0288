"""Games in a store: nothing saved is lost, nothing is counted twice, and no order of saving matters."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrome.arena.players.behaviour import total
from cardrome.errors import CallerError
from cardrome.tournament.games import GameKey, PlayedGame
from cardrome.tournament.schedule.pairing import Pairing
from cardrome.tournament.store import games as games_module
from cardrome.tournament.store.store import TournamentStore
from tests.tournament.store.tools import EDITION, behaviour, enter, keys, played, rows, stored, table, with_fault


def test_what_is_stored_comes_back(database_url: str) -> None:
    records = [
        played(GameKey(EDITION, 1, 2, 0, 0)),
        with_fault(GameKey(EDITION, 1, 2, 0, 1)),
        msgspec.structs.replace(played(GameKey(EDITION, 1, 3, 2**31 - 1, 0)), seed=-(2**63)),
        msgspec.structs.replace(played(GameKey("locm-1.5", 2, 3, 0, 0)), behaviours=(None, behaviour())),
        msgspec.structs.replace(played(GameKey("locm-1.5", 2, 3, 0, 1)), replay=b""),
    ]
    with TournamentStore.open(database_url) as store:
        store.register("Cup", 1, "{}")
        assert enter(store, 3) == [1, 2, 3]
        assert store.save(table(*records)) == 5
    with TournamentStore.open(database_url, claim=False) as store:
        assert [store.game(record.key) for record in records] == records
        assert store.game(GameKey(EDITION, 2, 3, 0, 0)) is None
        assert store.game(GameKey("tapdeck", 1, 2, 0, 0)) is None
        assert stored(store) == records
        assert rows(store.snapshot().games) == rows(table(*records))


def test_texts_that_no_database_takes_are_mended(store: TournamentStore) -> None:
    enter(store, 2)
    record = with_fault(GameKey(EDITION, 1, 2, 0, 0))
    odd = msgspec.structs.replace(record, fault_message="a\0b", stderr=("\0\udcff\n", ""))
    store.save(table(odd))
    found = store.game(record.key)
    assert found is not None
    assert found.fault_message == "a\ufffdb"
    assert found.stderr == ("\ufffd?\n", "")
    store.set_problem(1, "\0")
    assert store.entrants()[0].problem == "\ufffd"


def test_games_are_saved_once(store: TournamentStore) -> None:
    enter(store, 2)
    first, second, third = (played(key) for key in keys(Pairing(EDITION, 1, 2, 0, 2))[:3])
    assert store.save(table()) == 0
    assert store.save(table(first, first)) == 1
    later = msgspec.structs.replace(first, turns=99, finished_at=5.0, behaviours=(behaviour(), None), replay=b"other")
    assert store.save(table(later, second)) == 1
    assert store.save(table(second, later)) == 0
    assert store.game(first.key) == first
    wrong = msgspec.structs.replace(first, winner=2 - first.winner)
    for batch in ([third, wrong], [third, first, wrong]):
        with pytest.raises(CallerError, match="game 0 of pair 0 of entrants 1 and 2 in"):
            store.save(table(*batch))
    with pytest.raises(CallerError, match="won by 1 there and a draw here"):
        store.save(table(msgspec.structs.replace(first, winner=2)))
    assert stored(store) == [first, second]


def test_games_that_cannot_be_are_refused_with_all_others(store: TournamentStore) -> None:
    enter(store, 2)
    good = played(GameKey(EDITION, 1, 2, 0, 0))
    store.save(table(played(GameKey(EDITION, 1, 2, 7, 0))))
    impossible: list[dict[str, Any]] = [
        {"key": GameKey(EDITION, 1, 3, 0, 0)},
        {"key": GameKey(EDITION, 1, 1, 0, 0)},
        {"key": GameKey(EDITION, 1, 2, 0, 2)},  # type: ignore[arg-type]
        {"winner": 3},
        {"fault_of": 2},
    ]
    for change in impossible:
        other = msgspec.structs.replace(played(GameKey(EDITION, 1, 2, 1, 0)), **change)
        with pytest.raises(sa.exc.IntegrityError, match="hidden"):
            store.save(table(good, other))
    assert len(store.games()) == 1


@settings(max_examples=12)
@given(data=st.data())
def test_the_order_of_saving_does_not_matter(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Whatever is saved twice, in whatever batches, the store is the same in the end."""
    path: Path = tmp_path_factory.mktemp("stores") / "store.db"
    drawn = [Pairing(edition, a, b, 3, 2) for edition in ("b", "a") for a, b in itertools.combinations((1, 2, 3), 2)]
    records = [with_fault(key) if key.a == 1 else played(key) for pairing in drawn for key in keys(pairing)]
    with TournamentStore.open(path) as store:
        store.register("Cup", 1, "{}")
        enter(store, 3)
        twice = data.draw(st.permutations([*records, *data.draw(st.lists(st.sampled_from(records), max_size=9))]))
        cuts = sorted(data.draw(st.lists(st.integers(0, len(twice)), max_size=4)))
        batches = [twice[start:end] for start, end in itertools.pairwise([0, *cuts, len(twice)])]
        done: set[GameKey] = set()
        for batch in batches:
            assert store.save(table(*batch)) == len({record.key for record in batch} - done)
            done |= {record.key for record in batch}
            assert list(store.missing(drawn)) == [record.key for record in records if record.key not in done]
        assert stored(store) == sorted(records, key=lambda record: record.key)
        assert rows(store.snapshot().games) == rows(table(*records))


def test_games_are_a_sorted_table(store: TournamentStore) -> None:
    enter(store, 3)
    empty = store.games()
    assert (len(empty), empty.editions) == (0, ())
    one, other = Pairing("locm-1.5", 2, 3, 0, 3), Pairing(EDITION, 1, 3, 5, 1)
    records = [played(key) for key in keys(one)] + [with_fault(key, of=1) for key in keys(other)]
    store.save(table(*records))
    found = store.games()
    assert found.editions == (EDITION, "locm-1.5")
    assert found["edition"].tolist() == [0, 0] + [1] * 6
    assert found["a"].tolist() == [1, 1] + [2] * 6
    assert found["b"].tolist() == [3] * 8
    assert found["pair"].tolist() == [5, 5, 0, 0, 1, 1, 2, 2]
    assert found["first"].tolist() == [0, 1] * 4
    ordered = sorted(records, key=lambda record: record.key)
    for name in ("seed", "winner", "turns", "actions", "score_a", "score_b", "ending", "finished_at"):
        assert found[name].tolist() == [getattr(record, name) for record in ordered]
    assert found["score_a"].tolist() == [31, 31] + [0] * 6
    assert found.forfeit.tolist() == [True, True] + [False] * 6
    assert found["fault_of"].tolist() == [1, 1] + [-1] * 6
    assert found.fault_kinds == ("timeout",)
    assert found["fault_kind"].tolist() == [0, 0] + [-1] * 6
    assert (found["answers"]["answers"] == -1).all()
    store.register("Cup", 1, "{}")
    answers = store.snapshot().games["answers"]
    assert answers[0].tolist() == [(10, 353, 45, 300), (10, 311, 3, 300)]
    assert answers["answers"].tolist() == [[10, 10]] * 2 + [[-1, -1]] * 6


def test_missing_games_come_in_order(store: TournamentStore) -> None:
    enter(store, 4)
    one, other, more = Pairing(EDITION, 1, 2, 3, 2), Pairing("tapdeck", 3, 4, 0, 1), Pairing(EDITION, 1, 4, 0, 2)
    assert list(store.missing([one])) == keys(one)
    assert list(store.missing([])) == []
    known = [keys(one)[2], GameKey(EDITION, 1, 2, 2, 0), GameKey(EDITION, 1, 2, 5, 0)]
    store.save(table(*map(played, known)))
    left = [keys(one)[0], keys(one)[1], keys(one)[3]]
    assert list(store.missing([one])) == left
    assert list(store.missing([other, one, more])) == [*keys(other), *left, *keys(more)]
    assert list(store.missing([one, Pairing(EDITION, 1, 2, 4, 2)])) == [*left, GameKey(EDITION, 1, 2, 5, 1)]
    store.save(table(*map(played, left)))
    assert list(store.missing([one])) == []


def test_more_games_than_are_read_at_once(store: TournamentStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_module, "_AT_ONCE", 1_000)
    store.register("Cup", 1, "{}")
    enter(store, 8)
    drawn = [Pairing(EDITION, a, b, 0, 40) for a, b in itertools.combinations(range(1, 9), 2)]
    records = [played(key) for pairing in drawn for key in keys(pairing)]
    assert store.save(table(*records[1:])) == 2_239
    assert list(store.missing(drawn)) == [records[0].key]
    assert store.save(table(*records)) == 1
    assert rows(store.snapshot().games) == rows(table(*records))
    assert store.games()["turns"].tolist() == [record.turns for record in records]


def faults(store: TournamentStore, latest: int = 50) -> list[PlayedGame]:
    return store.snapshot(latest).faults


def without_replay(record: PlayedGame) -> PlayedGame:
    return msgspec.structs.replace(record, replay=None)


def test_faults_the_latest_of_each_entrant(store: TournamentStore) -> None:
    store.register("Cup", 1, "{}")
    enter(store, 3)
    store.save(table(*(with_fault(GameKey(EDITION, 1, 2, pair, 0), of=pair % 2) for pair in range(3))))
    store.save(table(played(GameKey(EDITION, 1, 2, 8, 0)), with_fault(GameKey("a", 2, 3, 1, 1))))
    found = faults(store)
    where = [(record.key.edition, record.key.a, record.key.pair) for record in found]
    assert where == [(EDITION, 1, 2), (EDITION, 1, 1), ("a", 2, 1), (EDITION, 1, 0)]
    assert [record.at_fault for record in found] == [1, 2, 2, 1]
    assert found[0] == without_replay(with_fault(GameKey(EDITION, 1, 2, 2, 0)))
    assert faults(store, 1) == found[:2]
    assert faults(store, 0) == []


def test_behaviour_is_added_up(store: TournamentStore) -> None:
    store.register("Cup", 1, "{}")
    enter(store, 3)
    kinds = ["timeout", "crash", "crash"]
    mine = [with_fault(GameKey(EDITION, 1, 2, pair, 0), kind) for pair, kind in enumerate(kinds)]
    store.save(table(*mine))
    store.save(table(with_fault(GameKey("a", 2, 3, 25, 1), of=1), played(GameKey("a", 1, 3, 0, 0))))
    found = store.snapshot().behaviours
    assert list(found) == [1, 2, 3]
    assert found[1] == total(behaviour(40 + pair, kind) for pair, kind in enumerate(kinds))
    assert (found[1].games, found[1].worst_ms, found[1].faults) == (3, 42, {"crash": 2, "timeout": 1})
    assert found[2] == total([behaviour(3)] * 3 + [behaviour(65)])
    assert found[3].faults == {"timeout": 1}


def test_an_entrant_without_programs_has_no_behaviour(store: TournamentStore) -> None:
    store.register("Cup", 1, "{}")
    enter(store, 2)
    store.save(table(played(GameKey(EDITION, 1, 2, 0, 0))))
    assert store.snapshot().behaviours == {}


def test_a_pulse_changes_with_whatever_a_snapshot_shows(store: TournamentStore) -> None:
    assert store.pulse() is None
    store.register("cup", 1, "{}", "{}")
    seen = [store.pulse()]
    a, b = enter(store, 2)
    seen.append(store.pulse())
    pairing = Pairing(EDITION, a, b, 0, 2)
    store.add_round(0, [pairing])
    seen.append(store.pulse())
    for key in keys(pairing):
        store.save(table(played(key)))
        seen.append(store.pulse())
    store.finish_round(0)
    seen.append(store.pulse())
    store.set_problem(a, "its build failed")
    seen.append(store.pulse())
    store.set_active([b])
    seen.append(store.pulse())
    store.register("cup", 1, "{}", '{"pairs": 9}')
    seen.append(store.pulse())
    assert len({repr(each) for each in seen}) == len(seen)
    assert store.pulse() == store.pulse() == seen[-1]
    assert seen[-1] is not None
    assert (seen[-1].games, seen[-1].bots, seen[-1].active) == (4, 2, 1)


def test_which_games_have_a_replay(store: TournamentStore) -> None:
    a, b = enter(store, 2)
    with_replay, without = keys(Pairing(EDITION, a, b, 0, 1))
    other = GameKey("locm-1.5", a, b, 7, 1)
    assert store.replays() == set()
    store.save(table(with_fault(with_replay), played(without), with_fault(other)))
    assert store.replays() == {with_replay, other}
    assert store.replays([with_replay, without, GameKey("nothing", a, b, 0, 0)]) == {with_replay}
    assert store.replays([]) == set()
