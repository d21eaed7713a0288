"""LOCM replays in words: what an action did and to whom, a game as a story for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cardrome.escaping import printable
from cardrome.games.game import Ending
from cardrome.games.locm.protocol.answers import parse_command
from cardrome.games.locm.protocol.game import LocmGame, LocmPosition
from cardrome.games.locm.protocol.replay import LocmMoment, LocmReplay
from cardrome.games.locm.protocol.sides import BoardCreature, HeldCard, card_at
from cardrome.games.locm.rules.cards import TYPE_NAMES
from cardrome.games.locm.rules.edition import ATTACK, SUMMON
from cardrome.wording import counted

_COSTLY = 12
"""The last column of the mana curve; no card of the referees costs more."""
_INDENT = "    "


def card_name(game: LocmGame, index: int) -> str:
    """The name of a card, or its number where cards have none."""
    card = card_at(game, index)
    assert card is not None  # a game hides nothing
    return card.label


# Decks


def decks(game: LocmPosition) -> list[list[int]]:
    """Both decks, as card indices from cheap to expensive: so far, or as they were at the start of the battle."""
    cards = game.deals[0].cards
    result = []
    for player in game.state.players:
        n = int(player.n_deck)
        if game.phase == "battle":
            places = [*player.hand[: player.n_hand], *player.deck[len(player.deck) - n :]]
        else:
            places = list(player.deck[:n])
        indices = [int(held.card) for held in places]
        result.append(sorted(indices, key=lambda index: (int(cards[index].cost), index)))
    return result


def _deck_lines(game: LocmGame, deck: list[int]) -> list[str]:
    cards = game.deals[0].cards
    types = Counter(TYPE_NAMES[cards[index].type] for index in deck)
    costs = Counter(min(int(cards[index].cost), _COSTLY) for index in deck)
    kinds = ", ".join(f"{types[name]} {name}" for name in TYPE_NAMES if types[name])
    mean = sum(int(cards[index].cost) for index in deck) / max(len(deck), 1)
    columns = range(_COSTLY + 1)
    return [
        f"{counted(len(deck), 'card')}: {kinds or 'none'}; mean cost {mean:.1f}",
        f"{_INDENT}cost  " + "".join(f"{cost:>3}" for cost in columns),
        f"{_INDENT}cards " + "".join(f"{costs[cost] or '·':>3}" for cost in columns),
    ]


# Actions


@dataclass(frozen=True, slots=True)
class Deed:
    """An action that was carried out: as the bot wrote it, in words, what came of it, and the game then."""

    action: str
    words: str
    consequences: tuple[str, ...]
    after: LocmGame


def deeds(moment: LocmMoment) -> Iterator[Deed]:
    """The actions of a turn, one by one."""
    game = moment.before
    for action, after in zip(moment.effect.done, moment.effect.after, strict=True):
        yield Deed(action, action_words(game, action), tuple(_consequences(game, after)), after)
        game = after


def action_words(game: LocmGame, action: str) -> str:
    """An action of the player to move, with the names of cards."""
    edition = game.edition
    kind, source, target = parse_command(action, edition.summon_names_lane)
    names = _names(game)
    name = names[source]
    if kind == SUMMON:
        return f"{name} to lane {target}" if edition.lanes > 1 else f"{name} comes into play"
    aim = names.get(target)
    if kind == ATTACK:
        return f"{name} attacks {aim or f'player {1 - game.current}'}"
    return f"{name} on {aim}" if aim is not None else f"{name} is used"


def _names(game: LocmGame) -> dict[int | None, str]:
    """The name of each thing that an action can name: on either board, or in the hand of the player to move."""
    both = game.players
    named: list[HeldCard | BoardCreature] = [*both[game.current].hand, *both[0].board, *both[1].board]
    return {each.id: each.card.label for each in named if each.card is not None}


def _consequences(before: LocmGame, after: LocmGame) -> Iterator[str]:
    for player in (0, 1):
        was, now = before.health[player], after.health[player]
        if was != now:
            yield f"player {player}: {was} → {now}"
    for player in (0, 1):
        left = {creature.id for creature in after.players[player].board}
        for creature in before.players[player].board:
            if creature.id not in left:
                yield f"{creature.card.label} dies"


# The story


def title_lines(replay: LocmReplay) -> list[str]:
    """Which game it was, between whom, and how it ended."""
    seed = replay.deal["seed"]
    more = [name for name in replay.deal if name != "seed"]
    lines = [f"{replay.edition} · seed {seed}" + (f" · with {', '.join(more)}" if more else "")]
    lines += [f"player {p}: {printable(name)}" for p, name in enumerate(replay.players)]
    return [*lines, result_line(replay), *_process_lines(replay)]


def result_line(replay: LocmReplay) -> str:
    """Who won, and why."""
    loser = 1 - replay.winner
    if replay.fault is not None:
        message = f" ({printable(replay.fault.message)})" if replay.fault.message else ""
        why = f"{printable(replay.fault.kind)} of player {replay.fault.player}{message}"
    elif replay.ending is Ending.DRAW:
        why = f"player {loser} could not draw"
    else:
        why = f"player {loser} is down to {replay.final_health[loser] if replay.final_health else '?'} health"
    return f"player {replay.winner} wins: {why} · scores {replay.scores[0]} and {replay.scores[1]}"


def _process_lines(replay: LocmReplay) -> Iterator[str]:
    for player, end in enumerate(replay.processes or ()):
        if end is None:
            continue
        if end.signal is not None:
            yield f"player {player}'s process was ended by signal {end.signal}"
        elif end.exit_code is not None:
            yield f"player {player}'s process ended with exit code {end.exit_code}"
        if end.stderr:
            yield f"player {player}'s standard error ended with:"
            yield from (f"{_INDENT}{printable(line)}" for line in end.stderr.splitlines())


def story(
    replay: LocmReplay,
    rerun: Iterable[LocmMoment],
    turn: int | None = None,
    player: int | None = None,
    boards: bool = False,
    each: bool = False,
) -> Iterator[str]:
    """A replay as text: title, decks, then each turn, or only those of one number or one player.

    ``boards`` draws the position before each turn, ``each`` the one after every action too.
    """
    if turn is None:
        yield from title_lines(replay)
    building: LocmMoment | None = None
    for moment in rerun:
        if moment.call.phase != "battle":
            building = moment
            continue
        if building is not None:
            if turn is None:
                yield from _decks(replay, moment.before, player)
            building = None
        if turn in (None, moment.before.turn) and player in (None, moment.call.player):
            yield from _turn(replay, moment, boards, each)
    if building is not None and turn is None:  # the game ended before the battle
        yield from _decks(replay, building.after, player)
        yield from _wrong(building)


def _decks(replay: LocmReplay, game: LocmGame, player: int | None) -> Iterator[str]:
    for p, deck in enumerate(decks(game)):
        if player in (None, p):
            first, *rest = _deck_lines(game, deck)
            yield ""
            yield f"deck of player {p} ({printable(replay.players[p], 40)}): {first}"
            yield from rest


def _turn(replay: LocmReplay, moment: LocmMoment, boards: bool, each: bool) -> Iterator[str]:
    game, p = moment.before, moment.call.player
    side, other = game.state.players[p], game.state.players[1 - p]
    head = [f"turn {game.turn}", f"player {p} ({printable(replay.players[p], 40)})", f"call {moment.own_number}"]
    if moment.recorded.ms is not None:
        head.append(f"{moment.recorded.ms} ms")
    has = [f"mana {side.mana}/{side.max_mana}", f"hand {side.n_hand}", f"deck {side.n_deck}"]
    yield ""
    yield " · ".join(head)  # a line of its own, or names would make it wider than a terminal
    yield _INDENT + " · ".join([f"health {side.health} v {other.health}", *has])
    if boards or each:
        yield from _drawn(game)
    done = list(deeds(moment))
    for deed in done:
        yield f"{_INDENT}{deed.action:<14}{', '.join([deed.words, *deed.consequences])}"
        if each:
            yield from _drawn(deed.after)
    if moment.effect.ignored:
        were = "was" if moment.effect.ignored == 1 else "were"
        yield f"{_INDENT}{counted(moment.effect.ignored, 'action')} {were} not legal and skipped"
    if moment.before.winner is not None:
        yield f"{_INDENT}dead at the start of the turn"
    elif not done and moment.after.winner is None and moment.after.turn != game.turn:
        yield f"{_INDENT}PASS"
    elif moment.after.turn == game.turn and moment.after.winner is None:
        yield from _wrong(moment)


def _drawn(game: LocmGame) -> Iterator[str]:
    yield from (f"{_INDENT}{line}".rstrip() for line in str(game).split("\n"))
    yield ""


def _wrong(moment: LocmMoment) -> Iterator[str]:
    """The answer that ended the game by a fault."""
    answer = moment.recorded.answer
    yield f"{_INDENT}no answer" if answer is None else f"{_INDENT}answered: {printable(answer)}"
