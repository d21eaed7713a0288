"""Tapdeck replays in words: what a command did and to whom, a match as a story for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardrome.escaping import printable
from cardrome.games.tapdeck.protocol.board import card_words, draw, spell_words
from cardrome.games.tapdeck.protocol.commands import Command
from cardrome.games.tapdeck.protocol.game import TapdeckPosition, is_query
from cardrome.games.tapdeck.protocol.replay import TapdeckMoment, TapdeckReplay, error_name
from cardrome.games.tapdeck.rules import actions
from cardrome.games.tapdeck.rules.actions import MYSELF, OPPONENT
from cardrome.games.tapdeck.rules.cards import TapdeckCard

_INDENT = "    "

# Commands


def words(moment: TapdeckMoment) -> str:
    """What a command did, or why it did not; what the end of a turn brought."""
    command = moment.command
    if command is None:
        deed = "time is up"
    elif moment.code:
        deed = f"refused: {error_name(moment.code)}"
    else:
        deed = _deed(moment, command)
    brought = list(consequences(moment.before, moment.after))
    if brought and _closes_blocking(moment):
        return f"{deed}; the attack came first: {', '.join(brought)}"
    return ", ".join([deed, *brought])


def _closes_blocking(moment: TapdeckMoment) -> bool:
    """The command ended the blocking phase, and nothing else about it can have changed anybody's health."""
    command = moment.command
    if command is None or not moment.before.blocking or moment.after.blocking:
        return False
    return command.kind != actions.FINISH_BLOCK and (command.kind != actions.PLAY_CARD or moment.code != 0)


def _deed(moment: TapdeckMoment, command: Command) -> str:
    """A command that was carried out."""
    position = moment.before
    kind, number, target = command.kind, command.first, command.second
    card = next((each for each in position.cards if each.id == number), None)
    if kind in (actions.DRAW_CARD, actions.BURN_CARD):
        top = position.cards[position.top]
        return f"{'draws' if kind == actions.DRAW_CARD else 'burns'} {top.id} ({card_words(top)}, cost {top.cost})"
    if kind == actions.FINISH_BLOCK:
        return "blocking is over"
    if kind == actions.BLOCK:
        return f"{target} blocks {number}"
    if card is None:
        return "asks" if is_query(kind) else ""
    if kind == actions.DISCARD_CARD:
        return f"discards {number} ({card_words(card)})"
    if kind == actions.ADD_MANA:
        return f"taps {number} for {card.mana} mana"
    if kind == actions.ATTACK:
        attack = next(each.attack for each in moment.after.creatures() if each.card.id == number)
        return f"{number} attacks with {attack}"
    return f"plays {number} ({card_words(card)})" if card.kind == "C" else _cast(moment, card, target)


def _cast(moment: TapdeckMoment, card: TapdeckCard, target: int) -> str:
    if card.kind == "T":
        return f"casts {spell_words(card)}: {moment.after.draws_left} draws left"
    player = {MYSELF: moment.player, OPPONENT: 1 - moment.player}.get(target)
    return f"casts {spell_words(card)} on {target if player is None else f'player {player}'}"


def consequences(before: TapdeckPosition, after: TapdeckPosition) -> Iterator[str]:
    """Whose health changed: players, creatures hurt or healed, and those that died."""
    if before is after:
        return
    for player in (0, 1):
        was, now = before.health[player], after.health[player]
        if was != now:
            yield f"player {player}: {was} → {now}"
    left = {creature.card.id: creature for creature in after.creatures()}
    for creature in before.creatures():
        now_it = left.get(creature.card.id)
        if now_it is None:
            yield f"{creature.card.id} dies"
        elif now_it.health != creature.health:
            yield f"{creature.card.id}: {creature.health} → {now_it.health}"


# The story


def title_lines(replay: TapdeckReplay) -> list[str]:
    """Which match it was, between whom, and how it ended."""
    rules = replay.rules
    lines = [
        f"tapdeck · {len(replay.deck)} cards · health {rules.initial_health} · {rules.turns} turns · "
        f"{rules.draws} draws, {rules.burns} burns, hand {rules.hand_limit}"
    ]
    if replay.event is not None:
        event = replay.event
        when = "" if event.finished_at is None else f" · {event.finished_at:%Y-%m-%d %H:%M:%S %Z}"
        lines.append(f"{printable(event.name)} · tournament {event.tournament} · match {event.match_id}{when}")
    lines += [f"player {p}: {printable(name)}" for p, name in enumerate(replay.players)]
    lines.append(result_line(replay))
    lines += [f"{n:,} more refused commands of player {p} were not kept" for p, n in enumerate(replay.omitted) if n]
    return lines


def result_line(replay: TapdeckReplay) -> str:
    """Who won, and why."""
    winner = replay.winner
    who = "a draw" if winner is None else f"player {winner} wins"
    if replay.ending == "turns":
        why = f"after {replay.turns_played} turns"
    else:
        loser = int(replay.final_health[0] > 0)
        why = f"player {loser} has no health left in turn {replay.turns_played - 1}"
    health, scores = replay.final_health, replay.scores
    return f"{who}: {why} · health {health[0]} and {health[1]} · scores {scores[0]} and {scores[1]}"


def story(
    replay: TapdeckReplay,
    rerun: Iterable[TapdeckMoment],
    turn: int | None = None,
    player: int | None = None,
    boards: bool = False,
    each: bool = False,
) -> Iterator[str]:
    """A replay as text: title, then each turn, or only those of one number or one player.

    ``boards`` draws the position at the end of each turn, ``each`` the one after every command.
    """
    if turn is None:
        yield from title_lines(replay)
    begun = -1
    for moment in rerun:
        owner = moment.before.current
        if turn not in (None, moment.turn) or player not in (None, owner):
            continue
        if moment.turn != begun:
            begun = moment.turn
            yield from ("", _turn_line(replay, moment.before))
        yield from _moment_lines(moment, owner, each)
        if (boards and not each) and (moment.command is None or moment.after.is_over):
            yield from _drawn(moment.before if moment.command is None else moment.after)


def _turn_line(replay: TapdeckReplay, position: TapdeckPosition) -> str:
    p = position.current
    mine, theirs = (len(position.board(player)) for player in (p, 1 - p))
    attackers = sum(creature.attacks > 0 for creature in position.board(1 - p))
    parts = [
        f"turn {position.turn}",
        f"player {p} ({printable(replay.players[p], 40)})",
        f"health {position.health[p]} v {position.health[1 - p]}",
        f"board {mine} v {theirs}",
        f"hand {len(position.hand(p))} v {len(position.hand(1 - p))}",
        f"deck {len(position.deck)}",
    ]
    if attackers:
        parts.append(f"{attackers} attacking")
    return " · ".join(parts)


def _moment_lines(moment: TapdeckMoment, owner: int, each: bool) -> Iterator[str]:
    command = moment.command
    if command is not None:
        # The other player has nothing to command in this turn, but may have tried.
        who = "" if moment.player == owner else f"player {moment.player}: "
        yield f"{_INDENT}{who}{command.text():<22} {words(moment)}"
        if each and moment.after is not moment.before:
            yield from (*_drawn(moment.after), "")
    else:
        changes = list(consequences(moment.before, moment.after))
        if changes or moment.after.is_over:
            yield f"{_INDENT}{'':<22} {words(moment)}"


def _drawn(position: TapdeckPosition) -> Iterator[str]:
    yield ""
    yield from (f"{_INDENT}{line}".rstrip() for line in draw(position).split("\n"))
