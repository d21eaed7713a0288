"""Tapdeck for people: positions as text pictures for a terminal of 80 columns, indented a little, and replays in words.

Player 0 is on the near side of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cardrome.escaping import printable
from cardrome.games.tapdeck.protocol.commands import Command
from cardrome.games.tapdeck.protocol.game import TapdeckCreature, TapdeckPosition, is_query
from cardrome.games.tapdeck.protocol.replay import TapdeckReplay
from cardrome.games.tapdeck.protocol.rerun import TapdeckMoment, error_name
from cardrome.games.tapdeck.rules import actions
from cardrome.games.tapdeck.rules.actions import MYSELF, OPPONENT
from cardrome.games.tapdeck.rules.cards import TapdeckCard
from cardrome.wording import counted

# Pictures

WIDTH = 76
_ROW = 3
_CELL = 22
_NEXT_CARDS = 8
"""Cards of the deck that are shown."""
_MOVES = "▸"
_AWAKE, _ASLEEP = "▸", " "
_SPELLS = {"H": "heal", "D": "damage", "T": "take", "B": "buff", "I": "deactivate"}
_LEGEND = (
    f"{_AWAKE} awake · » attacks · × blocked · (1) cost · m2 mana when tapped",
    "2/3(4) attack/health(most)",
)


def draw(position: TapdeckPosition) -> str:
    """A position as a picture: both players with hands and boards, and the deck between them."""
    lines = [header(position), ""]
    lines += [*_player_lines(position, 1), "", *_deck_lines(position), "", *_player_lines(position, 0)]
    if position.creatures():
        lines += ["", *(f"  {line}" for line in _LEGEND)]
    return "\n".join(line.rstrip() for line in lines)


def header(position: TapdeckPosition) -> str:
    """Whose turn it is, its phase, and what the player still has."""
    if position.is_over:
        return f"the match is over · health {position.health[0]} and {position.health[1]}"
    phase = "blocking" if position.blocking else "acting"
    left = f"{counted(position.draws_left, 'draw')} and {counted(position.burns_left, 'burn')} left"
    return (
        f"turn {position.turn} · {position.turns_left} to go · player {position.current} {phase} · "
        f"mana {position.mana} · {left}"
    )


def spell_words(card: TapdeckCard) -> str:
    """What a spell does."""
    amount = {"H": f" {card.health}", "D": f" {card.attack}", "T": f" {card.attack}", "I": ""}
    return _SPELLS[card.kind] + amount.get(card.kind, f" +{card.attack}/+{card.health}")


def card_words(card: TapdeckCard) -> str:
    """What a card is and does."""
    if card.kind != "C":
        return spell_words(card)
    gives = f", gives {card.mana} mana" if card.mana else ""
    return f"creature {_strength(card.attack, card.health, card.max_health)}{gives}"


def _strength(attack: int, health: int, max_health: int) -> str:
    return f"{attack}/{health}" + (f"({max_health})" if health != max_health else "")


def _player_lines(position: TapdeckPosition, p: int) -> list[str]:
    hand, board = position.hand(p), position.board(p)
    mark = _MOVES if not position.is_over and position.current == p else " "
    health = f"health {position.health[p]} of {position.edition.initial_health}"
    lines = [f"{mark} player {p}   {health}   hand {len(hand)} of {position.edition.hand_limit}   board {len(board)}"]
    shown = [
        _cells("board", [_creature(creature) for creature in board]),
        _cells("hand", [_card(card) for card in hand]),
    ]
    for part in shown if p == 0 else reversed(shown):
        lines += part
    return lines


def _deck_lines(position: TapdeckPosition) -> list[str]:
    deck = position.deck
    left = f"  ── deck: {counted(len(deck), 'card')} left ".ljust(WIDTH, "─")
    more = [f"… {len(deck) - _NEXT_CARDS} more"] if len(deck) > _NEXT_CARDS else []
    return [left, *_cells("next", [*(_card(card) for card in deck[:_NEXT_CARDS]), *more]), "  " + "─" * (WIDTH - 2)]


def _cells(title: str, cells: Sequence[str]) -> list[str]:
    """Cells in rows, the title before the first."""
    rows = [cells[i : i + _ROW] for i in range(0, len(cells), _ROW)] or [["  none"]]
    return [
        f"    {title if i == 0 else '':<6}" + "".join(f"{cell:<{_CELL}}" for cell in row) for i, row in enumerate(rows)
    ]


def _card(card: TapdeckCard) -> str:
    """A card in a hand or the deck: id, cost, and what it is."""
    gives = f" m{card.mana}" if card.kind == "C" and card.mana else ""
    what = _strength(card.attack, card.health, card.max_health) + gives if card.kind == "C" else spell_words(card)
    return f"  {card.id:<4} ({card.cost}) {what}"


def _creature(creature: TapdeckCreature) -> str:
    """A creature on the board: awake or not, id, present strength, mana, and whether it attacks."""
    gives = f" m{creature.card.mana}" if creature.card.mana else ""
    attacks = (" »" if creature.attacks else "") + ("×" if creature.blocked else "")
    strength = _strength(creature.attack, creature.health, creature.max_health)
    return f"{_AWAKE if creature.awake else _ASLEEP} {creature.card.id:<4} {strength}{gives}{attacks}"


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
        deed = command_words(moment, command)
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


def command_words(moment: TapdeckMoment, command: Command) -> str:
    """A command that was carried out."""
    position = moment.before
    kind, number, target = command.kind, command.first, command.second
    if kind in (actions.DRAW_CARD, actions.BURN_CARD):
        top = position.cards[position.top]
        return f"{'draws' if kind == actions.DRAW_CARD else 'burns'} {top.id} ({card_words(top)}, cost {top.cost})"
    if kind == actions.FINISH_BLOCK:
        return "blocking is over"
    if kind == actions.BLOCK:
        return f"{target} blocks {number}"
    if is_query(kind):
        return "asks"
    card = next(each for each in position.cards if each.id == number)
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
        return f"casts {spell_words(card)}: {counted(moment.after.draws_left, 'draw')} left"
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
        f"tapdeck · {counted(len(replay.deck), 'card')} · health {rules.initial_health} · "
        f"{counted(rules.turns, 'turn')} · "
        f"draws {rules.draws}, burns {rules.burns}, hand {rules.hand_limit}"
    ]
    if replay.event is not None:
        event = replay.event
        when = "" if event.finished_at is None else f" · {event.finished_at:%Y-%m-%d %H:%M:%S %Z}"
        lines.append(f"{printable(event.name)} · tournament {event.tournament} · match {event.match_id}{when}")
    lines += [f"player {p}: {printable(name)}" for p, name in enumerate(replay.players)]
    lines.append(result_line(replay))
    for p, n in enumerate(replay.omitted):
        if n:
            lines.append(f"{counted(n, 'more refused command')} of player {p} not kept")
    return lines


def result_line(replay: TapdeckReplay) -> str:
    """Who won, and why."""
    winner = replay.winner
    who = "a draw" if winner is None else f"player {winner} wins"
    if replay.ending == "turns":
        why = f"after {counted(replay.turns_played, 'turn')}"
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
            yield from ("", *_turn_lines(replay, moment.before))
        yield from _moment_lines(moment, owner, each)
        if (boards and not each) and (moment.command is None or moment.after.is_over):
            yield from _drawn(moment.before if moment.command is None else moment.after)


def _turn_lines(replay: TapdeckReplay, position: TapdeckPosition) -> Iterator[str]:
    p = position.current
    mine, theirs = (len(position.board(player)) for player in (p, 1 - p))
    attackers = sum(creature.attacks > 0 for creature in position.board(1 - p))
    parts = [
        f"health {position.health[p]} v {position.health[1 - p]}",
        f"board {mine} v {theirs}",
        f"hand {len(position.hand(p))} v {len(position.hand(1 - p))}",
        f"deck {len(position.deck)}",
    ]
    if attackers:
        parts.append(f"{attackers} attacking")
    yield f"turn {position.turn} · player {p} ({printable(replay.players[p], 40)})"
    yield _INDENT + " · ".join(parts)


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
