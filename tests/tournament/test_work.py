"""Games are handed out as jobs: each once, all pairings together, and in chunks of a sensible size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cardrome.arena.players.player import BotSettings, PlayerSpec
from cardrome.engine.bulk import GAME
from cardrome.tournament.games import GameKey
from cardrome.tournament.schedule.pairing import deal_seed
from cardrome.tournament.work import GameQueue, Job, JobSettings, play_job
from tests.tournament.tools import LOCM


def specs(*agents: str | None) -> dict[int, PlayerSpec]:
    return {k: PlayerSpec(k, f"bot{k}", name, () if name else ("./bot",)) for k, name in enumerate(agents, 1)}


def game_keys(a: int, b: int, pairs: Iterable[int], games: Sequence[int] = (0, 1)) -> list[GameKey]:
    return [GameKey(LOCM, a, b, pair, game) for pair in pairs for game in games]  # type: ignore[arg-type]


def keys_in(jobs: Iterable[Job]) -> list[GameKey]:
    return [
        job.key(pair, game)
        for job in jobs
        for pair in job.pairs
        for game in ((0, 1) if job.game is None else (job.game,))
    ]


def test_the_queue_hands_out_every_game_once() -> None:
    half = [GameKey(LOCM, 1, 3, 7, 1), GameKey(LOCM, 1, 3, 9, 0)]
    halves = [half[0], *game_keys(1, 3, [8]), half[1]]
    lots = [game_keys(1, 2, range(100)), halves, game_keys(2, 4, range(3)), game_keys(1, 4, ())]
    wanted = [key for lot in lots for key in lot]
    queue = GameQueue(map(iter, lots), specs("greedy", "random", "greedy", None), 5)
    jobs = []
    for job in queue:
        jobs.append(job)
        queue.took(job, 0.01)
        assert job.seeds == tuple(deal_seed(5, LOCM, pair) for pair in job.pairs)
        assert job.games == len(keys_in([job]))
    assert sorted(keys_in(jobs)) == sorted(wanted)
    assert [len(job.pairs) for job in jobs if job.b.entrant == 2] == [16, 32, 52]
    assert all(len(job.pairs) == 1 and job.game is not None for job in jobs if job.b.entrant == 4)


def test_pairings_grow_together() -> None:
    lots = game_keys(1, 2, range(40)), game_keys(1, 3, range(40))
    queue = GameQueue(map(iter, lots), specs("greedy", "random", "greedy"), 5)
    assert [job.b.entrant for job in queue] == [2, 3, 2, 3, 2, 3]


def test_long_jobs_get_shorter() -> None:
    queue = GameQueue([iter(game_keys(1, 2, range(100)))], specs("greedy", "random"), 5)
    sizes = []
    for job in queue:
        sizes.append(len(job.pairs))
        queue.took(job, 10.0)
    assert sizes[:6] == [16, 8, 4, 2, 1, 1]


def test_half_a_pair_of_agents_is_the_same_as_in_the_whole() -> None:
    a, b = specs("greedy", "random").values()
    settings = JobSettings(BotSettings(), "none")
    whole = play_job(Job(LOCM, a, b, (3,), (99,)), settings)
    for game in (0, 1):
        half = play_job(Job(LOCM, a, b, (3,), (99,), game), settings)
        assert len(half) == 1
        assert half.key(0) == whole.key(game)
        assert half.rows[list(GAME.names or ())] == whole.rows[list(GAME.names or ())][game]
