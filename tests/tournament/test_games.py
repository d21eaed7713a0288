"""The table of games: made from what the engine leaves and from single records, joined, cut, and read back."""

from __future__ import annotations

import pickle

import msgspec
import numpy as np

from cardrome.engine.bulk import DRAWN, GAME, mirrored_games
from cardrome.games.family import find_family
from cardrome.tournament.games import KEY, GameKey, GameTable, MissingGames, has_scores
from cardrome.tournament.schedule.pairing import Pairing
from tests.tournament.store.tools import EDITION, behaviour, keys, played, rows, table, with_fault
from tests.tournament.tools import LOCM


def test_games_of_the_engine_become_rows() -> None:
    games = mirrored_games(np.array([11, 22]))
    games.winner, games.turns, games.actions, games.score_b = [0, 1, DRAWN, 0], [7, 8, 9, 10], 50, 3
    found = GameTable.played(EDITION, 4, 9, (5, 6), games)
    assert len(found) == 4
    assert [found.key(place) for place in range(4)] == keys(Pairing(EDITION, 4, 9, 5, 2))
    for name in GAME.names or ():
        assert found[name].tolist() == games[name].tolist()
    assert found.points.tolist() == [1, 0, 0.5, 1]
    assert not found.forfeit.any()
    assert (found["answers"]["answers"] == -1).all()
    record = found.record(2)
    assert (record.key, record.seed, record.winner, record.score_b) == (GameKey(EDITION, 4, 9, 6, 0), 22, DRAWN, 3)
    assert (record.fault_of, record.fault_kind, record.behaviours, record.replay) == (None, None, (None, None), None)
    assert record.finished_at == found["finished_at"][0] > 0


def test_games_of_all_families_are_rows() -> None:
    for edition in (EDITION, "tapdeck"):
        family = find_family(edition)
        kernel = family.find_agent("random").kernel
        assert kernel is not None
        games = family.play_bulk(family.editions[edition], (kernel, kernel), np.array([1, 2]))
        found = GameTable.played(edition, 1, 2, (0, 1), games)
        for name in GAME.names or ():
            assert found[name].tolist() == games[name].tolist()
        assert has_scores(edition) == family.has_scores
    assert not has_scores("an edition of the past")


def test_records_come_back() -> None:
    records = [with_fault(GameKey(EDITION, 1, 2, 3, 1), of=1), played(GameKey("locm-1.5", 2, 3, 0, 0))]
    records.append(msgspec.structs.replace(played(GameKey("locm-1.5", 2, 3, 1, 0)), behaviours=(None, behaviour())))
    found = table(*records)
    assert [found.record(place) for place in range(3)] == records
    assert list(found.records) == [0, 2], "a game between agents is nothing but its row"
    assert found.entrants.tolist() == [1, 2, 3]
    assert found.at_fault[found.forfeit].tolist() == [2]
    assert found["answers"][2].tolist() == [(-1, 0, 0, 0), (10, 348, 40, 300)]
    again = pickle.loads(pickle.dumps(found))
    assert rows(again) == rows(found)
    assert again.records == found.records


def test_tables_are_joined_whatever_their_names() -> None:
    one = table(with_fault(GameKey("b", 1, 2, 0, 0), "crash"), played(GameKey("a", 1, 2, 0, 0)))
    other = table(with_fault(GameKey("a", 1, 2, 1, 0), "timeout"), with_fault(GameKey("c", 1, 2, 0, 0), "crash"))
    both = GameTable.joined([one, other, table()])
    records = [source.record(place) for source in (one, other) for place in (0, 1)]
    assert [both.record(place) for place in range(4)] == records
    assert rows(both) == rows(table(*records))
    assert (both.editions, both.fault_kinds) == (("b", "a", "c"), ("crash", "timeout"))
    assert GameTable.joined([one]) is one
    assert len(GameTable.joined([])) == 0


def test_some_of_the_games() -> None:
    whole = table(*(played(GameKey(edition, 1, b, pair, 0)) for edition in "ab" for b in (2, 3) for pair in (0, 1)))
    part = whole.of_editions(["b", "none such"])
    assert part.rows[list(KEY[1:4])].tolist() == [(1, 2, 0), (1, 2, 1), (1, 3, 0), (1, 3, 1)]
    assert part.key(0) == GameKey("b", 1, 2, 0, 0)
    assert len(whole.where(whole["pair"] == 0)) == 4
    assert part.where(np.array([3, 0]))["b"].tolist() == [3, 2]


def test_pairings_whoever_is_called_a() -> None:
    games = [("b", 1, 2, 0), ("a", 3, 1, 4), ("a", 1, 3, 0), ("a", 2, 3, 0)]
    whole = table(*(played(GameKey(edition, a, b, pair, 0)) for edition, a, b, pair in games))
    found = [(edition, one, other, places.tolist()) for edition, one, other, places in whole.pairings()]
    assert found == [("b", 1, 2, [0]), ("a", 1, 3, [2, 1]), ("a", 2, 3, [3])]
    assert list(table().pairings()) == []


def test_the_games_of_a_pair_share_its_place() -> None:
    games = [("a", 2, 1, 0, 0), ("a", 1, 2, 0, 1), ("b", 1, 2, 0, 0), ("a", 1, 2, 7, 0), ("a", 1, 3, 0, 0)]
    whole = table(*(played(GameKey(*game)) for game in games))  # type: ignore[arg-type]
    place = whole.pair_places().tolist()
    assert place[0] == place[1]
    assert sorted(set(place)) == [0, 1, 2, 3]
    assert place[4] == 3


def test_missing_games_are_counted_as_they_are_listed() -> None:
    stored = {(LOCM, 1, 2): [*range(8), 9, 40]}
    for pairings, count in (
        ([Pairing(LOCM, 1, 2, 4, 4)], 7),
        ([Pairing(LOCM, 1, 2, 4, 4), Pairing(LOCM, 1, 2, 0, 9)], 9),
        ([Pairing(LOCM, 1, 3, 2, 4)], 8),
        ([], 0),
    ):
        missing = MissingGames(pairings, stored)
        keys = list(missing)
        assert len(missing) == len(keys) == len(set(keys)) == count
        assert not [key for key in keys if (key.a, key.b) == (1, 2) and 2 * key.pair + key.game in stored[LOCM, 1, 2]]
