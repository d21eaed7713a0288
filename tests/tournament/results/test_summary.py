from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from cardrome.arena.players.behaviour import TIME_BINS, Behaviour, total
from cardrome.errors import CallerError
from cardrome.tournament.games import GameKey, GameTable, PlayedGame, Side
from cardrome.tournament.results.summary import Summary, summarize
from cardrome.tournament.schedule.pairing import Pairing
from cardrome.tournament.settings import BotSection, read_plan
from cardrome.tournament.store.store import TournamentStore
from cardrome.tournament.work import replay_of
from tests.arena.games import verify
from tests.tournament.small_cups import FAMILIES, HOSTILE, PROGRAMS, play


@pytest.fixture(scope="module")
def families(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TournamentStore]:
    with play(tmp_path_factory.mktemp("families"), FAMILIES) as store:
        yield store


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TournamentStore]:
    with play(tmp_path_factory.mktemp("programs"), PROGRAMS) as store:
        yield store


def made_up(
    path: Path,
    winners: str,
    schedule: str = "round-robin",
    pairing: tuple[int, int] = (1, 2),
    bots: int = 2,
    faults: dict[int, str] | None = None,
) -> TournamentStore:
    """A store of games between two entrants; the k-th letter says who won the k-th game: a, b, or = for a draw."""
    store = TournamentStore.open(path, claim=False)
    growing = '{"pairs":2,"rounds":null,"editions":["tapdeck"],"challengers":["bot2"]}'
    store.register("made up", 1, f'{{"schedule":"{schedule}"}}', growing)
    store.enter([BotSection(name=f"bot{k}", agent="random") for k in range(1, bots + 1)])
    store.save(GameTable.of_records(made_up_games(winners, pairing, faults or {})))
    return store


def summary_of(store: TournamentStore, replicates: int = 10) -> Summary:
    return summarize(store.snapshot(), replicates=replicates)


def made_up_games(winners: str, pairing: tuple[int, int], faults: dict[int, str]) -> list[PlayedGame]:
    records = []
    for k, letter in enumerate(winners):
        side: Side = 1 if k % 2 else 0
        kind = faults.get(k)
        records.append(
            PlayedGame(
                key=GameKey("tapdeck", *pairing, k // 2, side),
                seed=k // 2,
                winner="ab=".index(letter),  # type: ignore[arg-type]
                turns=10 + k,
                actions=20,
                score_a=3,
                score_b=2,
                fault_of=None if kind is None else 0 if letter == "b" else 1,
                fault_kind=kind,
                finished_at=100.0 + k,
            )
        )
    return records


def test_both_families_in_one_summary(families: TournamentStore) -> None:
    summary = summary_of(families, 100)
    assert [section.edition for section in summary.by_edition] == ["locm-1.2", "tapdeck"]
    assert summary.overall.edition is None
    assert summary.games == summary.overall.games == 48
    assert sum(section.games for section in summary.by_edition) == 48
    assert [entrant.name for entrant in summary.entrants] == ["greedy", HOSTILE, "random 2"]
    for section in (summary.overall, *summary.by_edition):
        assert summary.entrant(section.standings[0].entrant).name == "greedy"
        assert section.without_forfeits is None
        assert section.ladder is None
        assert sum(line.points for line in section.standings) == section.games
        assert section.matrix.entrants == tuple(line.entrant for line in section.standings)
        for i, line in enumerate(section.standings):
            assert line.elo.low <= line.elo.value <= line.elo.high
            assert sum(section.matrix.games[i]) == line.games
            assert section.matrix.rate[i][i] is None
    assert summary.behaviours == {}
    assert summary.failures == ()


def test_programs_faults_and_those_left_out(programs: TournamentStore) -> None:
    summary = summary_of(programs, 100)
    assert set(summary.behaviours) == {2, 3}
    games = programs.games()
    records = [programs.game(games.key(place)) for place in range(len(games))]
    for entrant, found in summary.behaviours.items():
        alone = [
            record.behaviours[(record.key.a, record.key.b).index(entrant)]
            for record in records
            if record is not None and entrant in (record.key.a, record.key.b)
        ]
        assert found == total(each for each in alone if each is not None)
        assert found.games == len(alone) == 8
        assert found.p99_ms <= found.worst_ms
    crashes = summary.behaviours[3].faults["crash"]
    assert crashes == summary.overall.forfeits == len(summary.failures) > 0
    assert all("out of ideas" in failure.stderr for failure in summary.failures)
    assert [each.name for each in summary.left_out] == ["unbuildable"]
    assert summary.overall.without_forfeits is not None
    counted = sum(line.games for line in summary.overall.without_forfeits)
    assert counted == 2 * (summary.games - crashes)


def test_json_holds_it_all_and_is_the_same_each_time(programs: TournamentStore) -> None:
    one, other = summary_of(programs, 50), summary_of(programs, 50)
    assert one.to_json() == other.to_json()
    assert msgspec.json.decode(one.to_json()) == one.to_data()
    assert "hunter2" not in one.to_json()


def test_the_settings_play_the_same_tournament(families: TournamentStore, tmp_path: Path) -> None:
    settings = summary_of(families, 10).settings
    with play(tmp_path, settings) as again:
        one, other = families.games(), again.games()
        for column in ("a", "b", "pair", "first", "seed", "winner", "turns", "actions", "score_a", "score_b"):
            assert np.array_equal(one[column], other[column])


def test_the_settings_of_programs_can_be_read(programs: TournamentStore, tmp_path: Path) -> None:
    text = summary_of(programs, 10).settings
    (tmp_path / "cup.toml").write_text(text)
    plan = read_plan(tmp_path / "cup.toml")
    assert plan.settings.limits.time_scale == 20
    assert [bot.name for bot in plan.settings.bots] == ["greedy", "patient", "crashing", "unbuildable"]
    assert "hunter2" not in text
    assert "SECRET" in text


def test_challengers_are_named(tmp_path: Path) -> None:
    with made_up(tmp_path / "cup.db", "abab", "gauntlet", (1, 2), 3) as store:
        assert tomllib.loads(summary_of(store).settings)["tournament"]["challengers"] == ["bot2"]


def test_draws_and_faults_are_counted(tmp_path: Path) -> None:
    with made_up(tmp_path / "cup.db", "ab=b", faults={3: "timeout"}) as store:
        section = summary_of(store).overall
        assert (section.drawn, section.forfeits, section.mean_turns) == (1, 1, 11.5)
        assert {line.entrant: line.points for line in section.standings} == {1: 1.5, 2: 2.5}
        assert section.without_forfeits is not None
        assert {line.entrant: line.points for line in section.without_forfeits} == {1: 1.5, 2: 1.5}
        assert [line.rank for line in section.without_forfeits] == [1, 1]
        # The first turn was that of the winner in two games of four, and one was drawn.
        assert section.first_seat.value == pytest.approx((1 + 1 + 0.5 + 1) / 4)


def test_a_ladder_has_its_own_table(tmp_path: Path) -> None:
    with made_up(tmp_path / "cup.db", "aaaa", "ladder") as store:
        store.add_round(0, [Pairing("tapdeck", 1, 2, 0, 2)])
        section = summary_of(store).overall
        assert section.ladder is not None
        assert [line.entrant for line in section.ladder] == [1, 2]
        assert section.ladder[0].ordinal > section.ladder[1].ordinal


def test_an_empty_tournament_and_none(tmp_path: Path) -> None:
    nothing = TournamentStore.open(tmp_path / "cup.db", claim=False)
    with nothing, pytest.raises(CallerError, match="holds no tournament"):
        nothing.snapshot()
    with made_up(tmp_path / "empty.db", "") as store:
        summary = summary_of(store)
        assert summary.games == 0
        assert summary.overall.standings == ()
        assert summary.began_at is None
        msgspec.json.decode(summary.to_json())


def test_only_the_latest_faults_are_listed(tmp_path: Path) -> None:
    with made_up(tmp_path / "cup.db", "b" * 40, faults=dict.fromkeys(range(40), "crash")) as store:
        summary = summarize(store.snapshot(faults=3), replicates=10)
        assert [failure.finished_at for failure in summary.failures] == [139.0, 138.0, 137.0]
        assert {(failure.entrant, failure.opponent, failure.kind) for failure in summary.failures} == {(1, 2, "crash")}
        assert summary.overall.forfeits == 40


@pytest.mark.parametrize("edition", ["locm-1.2", "tapdeck"])
def test_games_of_agents_are_played_again_from_both_seats(families: TournamentStore, edition: str) -> None:
    entrants = {entrant.id: entrant for entrant in families.entrants()}
    ours = families.games().of_editions([edition])
    ours = ours.where((ours["a"] == 1) & (ours["b"] == 2))
    assert len(ours) == 8
    for record in map(ours.record, range(8)):
        replay = replay_of(record, entrants)
        assert replay is not None
        assert verify(replay) is None
        assert replay.players[0] == entrants[(1, 2)[record.key.game]].name
        if edition == "tapdeck":
            mine, other = replay.scores[record.key.game], replay.scores[1 - record.key.game]
            assert (mine, other) == (record.score_a, record.score_b)


def test_kept_replays_are_read_and_others_are_none(programs: TournamentStore) -> None:
    entrants = {entrant.id: entrant for entrant in programs.entrants()}
    record = programs.game(GameKey("locm-1.2", 1, 2, 0, 1))
    assert record is not None
    replay = replay_of(record, entrants)
    assert replay is not None
    assert replay.players == ("patient", "greedy")
    assert replay_of(msgspec.structs.replace(record, replay=None), entrants) is None


def test_answer_times_in_json(tmp_path: Path) -> None:
    with made_up(tmp_path / "cup.db", "a") as store:
        (record,) = made_up_games("a", (1, 2), {})
        key = msgspec.structs.replace(record.key, pair=9)
        mine = Behaviour(1, {100: 1}, {5: 99, 900: 1})
        store.save(GameTable.of_records([msgspec.structs.replace(record, key=key, behaviours=(mine, None))]))
        (found,) = summary_of(store).to_data()["conducts"]
        assert found.pop("times") == [99 if place == 3 else 1 if place == 10 else 0 for place in range(TIME_BINS)]
        assert found == {
            "entrant": 1, "games": 1, "answers": 101, "mean_ms": (5 * 99 + 900) / 100, "p99_ms": 5, "worst_ms": 900,
            "worst_first_ms": 100, "faults": {},
        }  # fmt: skip
