"""The settings file that a report publishes, so that others can play the same tournament again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from cardrome.tournament.records import Entrant
from cardrome.tournament.results.summary_records import Matrix
from cardrome.tournament.settings import BotSection, LimitsSection
from cardrome.tournament.store.records import StoredTournament


def settings_text(
    tournament: StoredTournament, schedule: str, editions: Sequence[str], entrants: Sequence[Entrant], met: Matrix
) -> str:
    """TOML with the seed that was played and the bots that are active.

    Values of environment variables are left out, since some of them are secrets; their names stay, as a comment.
    """
    fixed, growing = msgspec.json.decode(tournament.fixed), msgspec.json.decode(tournament.growing)
    active = [entrant for entrant in entrants if entrant.active]
    lines = ["[tournament]", f"name = {_text(tournament.name)}", f"editions = {_value(list(editions))}"]
    lines += [f"schedule = {_text(schedule)}"]
    lines += [f"{key} = {growing[key]}" for key in ("pairs", "rounds") if growing.get(key) is not None]
    if schedule == "gauntlet":
        challengers = _challengers(active, met)
        lines.append(
            f"challengers = {_value(challengers)}" if challengers else "# challengers: not all have played yet"
        )
    lines += [f"seed = {tournament.seed}"]
    if limits := _limits(fixed.get("limits", {})):
        lines += ["", "[limits]", *limits]
    for entrant in active:
        lines += ["", "[[bots]]", *_bot(entrant.bot)]
    return "\n".join(lines) + "\n"


def _challengers(active: Sequence[Entrant], met: Matrix) -> list[str]:
    """Those who met all others. If somebody else did too, all others are challengers, and it makes no difference."""
    place = {entrant: k for k, entrant in enumerate(met.entrants)}
    field = [entrant for entrant in active if entrant.id in place]
    return [
        one.bot.name
        for one in field
        if len(field) > 1 and all(met.games[place[one.id]][place[other.id]] for other in field if other is not one)
    ]


def _limits(stored: dict[str, Any]) -> list[str]:
    """Those that are not the default."""
    usual = msgspec.structs.asdict(LimitsSection())
    return [
        f"{key} = {_value(value)}" for key, value in stored.items() if value is not None and value != usual.get(key)
    ]


def _bot(bot: BotSection) -> list[str]:
    usual = msgspec.structs.asdict(BotSection(name=bot.name))
    lines = [
        f"{key} = {_value(value)}"
        for key, value in msgspec.structs.asdict(bot).items()
        if key == "name" or (key != "environment" and value is not None and value != usual[key])
    ]
    if bot.environment:
        lines.append(f"# environment: {_value(sorted(bot.environment))}, whose values are not published")
    return lines


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return _text(value) if isinstance(value, str) else repr(value)


def _text(text: str) -> str:
    """A basic string of TOML: JSON's are, once the one control character is escaped that JSON allows."""
    return msgspec.json.encode(text).decode().replace("\x7f", "\\u007f")
