"""Before a bot is admitted, it is built and plays a check game from both seats. A bot that fails is left out."""

from __future__ import annotations

from collections.abc import Sequence

from cardrome.arena.players.player import PlayerSpec
from cardrome.errors import InfrastructureFault
from cardrome.games.family import find_family
from cardrome.tournament.executors import Done, Executor, Lost, Refused, Retried
from cardrome.tournament.games import Side
from cardrome.tournament.work import Job, is_bulk

_TAIL = 2_000
"""Characters of a build's output that are shown."""
_CHECK_SEED = 1
_SIDES: tuple[Side, Side] = (0, 1)


def check(specs: Sequence[PlayerSpec], editions: Sequence[str], executor: Executor) -> dict[int, str]:
    """Let programs and classes play one pair of games of each edition; returns why some are not admitted, by id."""
    opponents = {edition: _opponent(edition) for edition in editions}
    jobs = [
        Job(edition, spec, opponent, (0,), (_CHECK_SEED,), game)
        for edition, opponent in opponents.items()
        for spec in specs
        if not is_bulk(edition, spec, opponent)
        for game in _SIDES
    ]
    problems: dict[int, str] = {}
    for tries in (1, 2):
        again: list[Job] = []
        for batch in executor.run(jobs):
            for each in batch:
                if isinstance(each, Retried):
                    continue
                if isinstance(each, Lost):
                    if tries == 2:
                        raise InfrastructureFault(f"the check game of {each.job.a.name} was not played: {each.reason}")
                    again.append(each.job)
                    continue
                problem = _problem(each)
                if problem is not None:
                    problems.setdefault(each.job.a.entrant, f"in its check game of {each.job.edition}: {problem}")
        jobs = again
    return problems


def _opponent(edition: str) -> PlayerSpec:
    """Who plays against bots in their check games: anything may happen there. Not every family has this agent."""
    agents = find_family(edition).agents
    name = "random" if "random" in agents else next(iter(agents))
    return PlayerSpec(-1, name, name)


def _problem(ended: Done | Refused) -> str | None:
    """What a bot did wrong in its check game."""
    if isinstance(ended, Refused):  # a class raised an exception, which the last line names
        first, *more = ended.reason.strip().splitlines() or ["refused"]
        return " ".join([first, *more[-1:]])
    record = ended.games.record(0)
    if record.fault_of != 0:
        return None
    stderr = record.stderr[0].strip()
    text = f"{record.fault_kind}: {record.fault_message}"
    return f"{text}; standard error: {stderr[-_TAIL:]}" if stderr else text
