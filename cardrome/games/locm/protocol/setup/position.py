"""Setting up a position from plain data: what is left out is filled in, what is impossible is refused.

An edition and two boards are enough. Everything else has a default: a battle in its first turn, full health, the
mana of that turn, empty hands and decks; creatures as their cards say, rested, the oldest first; ids as the edition
numbers them. `cardrome.games.locm.protocol.position` writes the same data complete.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cardrome.errors import InvalidPosition, UnknownEdition
from cardrome.games.locm.protocol.fields import Fields, integer, shown, unexpected
from cardrome.games.locm.protocol.game import LocmGame, LocmView, game_at
from cardrome.games.locm.protocol.setup.cards import LAST_ID, MOST, Setup, Side, fill_ids, fill_orders, read_side, store
from cardrome.games.locm.rules import entries
from cardrome.games.locm.rules.deal import Deal
from cardrome.games.locm.rules.edition import DECK_SIZE, Edition, find_edition
from cardrome.games.locm.rules.state import BATTLE, DECK_BUILDING, NOBODY

FORMAT, VERSION = "cardrome-position", 1

_MOST_HEALTH = 999_999

_KEYS = (
    *("format", "version", "edition", "viewer", "phase", "turn", "current", "winner"),
    *("summoned", "clones", "players", "deal", "actions"),
)
_PLAYER_KEYS = (
    *("health", "mana", "max_mana", "bonus_mana", "rune", "next_draw", "shown_draw", "damage_taken"),
    *("hand", "board", "deck", "played", "performed"),
)


def from_dict(data: object) -> LocmGame | LocmView:
    """A position from plain data: a `LocmView` if it names a viewer, else a `LocmGame` to go on with.

    `InvalidPosition` names the place of whatever is wrong.
    """
    fields = Fields("", data, _KEYS)
    fields.one_of("format", (FORMAT,), FORMAT)
    fields.one_of("version", (VERSION,), VERSION)
    edition = _read_edition(fields)
    setup = Setup(edition, fields)
    players = _read_players(fields)
    _read_turn(setup, fields, players)
    sides = [read_side(setup, p, player) for p, player in enumerate(players)]
    for side, player in zip(sides, players, strict=True):
        _read_numbers(setup, side.player, player)
    fill_orders(sides)
    if setup.battle:
        fill_ids(edition, sides)
    for side in sides:
        store(setup, side)
    _read_counters(setup, fields, sides)
    _read_winner(setup, fields)
    performed = _read_performed(setup, players[0]), _read_performed(setup, players[1])
    return _finish(setup, fields, performed)


def replayed(edition: Edition, deal: Deal, actions: Sequence[int]) -> LocmGame | None:
    """The game that a deal and its actions make, or None if one of them is not legal."""
    game = LocmGame(edition, deal)
    return game if all(game.try_play(code) for code in actions) else None


def _finish(setup: Setup, fields: Fields, performed: tuple[tuple[str, ...], tuple[str, ...]]) -> LocmGame | LocmView:
    """The position as an object; a game whose deal and actions are known knows them again."""
    edition, deals, states = setup.edition, setup.deals, setup.states
    actions = [integer(path, code, 0, edition.n_actions - 1) for path, code in fields.items("actions")]
    if setup.viewer is not None:
        if "actions" in fields:
            raise InvalidPosition("actions: a view does not know them")
        # Whatever was given beyond what the viewer may know is hidden now.
        entries.hide_in_place(edition.rules, deals, states, 0, 0, setup.viewer)
        return LocmView(edition, deals, states, performed, setup.viewer)
    given: LocmGame = game_at(edition, deals, states, performed)
    if setup.deal is not None:
        game = replayed(edition, setup.deal, actions)
        if game == given:
            return game
    if "actions" in fields:
        reason = "they lead to another position" if setup.deal is not None else "they need the deal's parameters"
        raise InvalidPosition(f"actions: {reason}; leave them out of a position changed by hand")
    return given


def _read_edition(fields: Fields) -> Edition:
    name = fields.get("edition", None)
    if not isinstance(name, str):
        raise unexpected("edition", "the name of an edition", name)
    try:
        return find_edition(name)
    except UnknownEdition as error:
        raise InvalidPosition(f"edition: {error}") from None


def _read_players(fields: Fields) -> list[Fields]:
    players = fields.items("players")
    if len(players) not in (0, 2):
        raise InvalidPosition(f"players: expected two, got {len(players)}")
    return [Fields(path, value, _PLAYER_KEYS) for path, value in players or (("players[0]", {}), ("players[1]", {}))]


def _read_turn(setup: Setup, fields: Fields, players: list[Fields]) -> None:
    """Whose turn it is. In battle the number of the turn tells, before it the sizes of the decks."""
    s, building = setup.state, not setup.battle
    sizes = [len(player.items("deck", DECK_SIZE, "cards")) for player in players]
    if building:
        first, second = sizes
        if setup.edition.constructed:  # one after the other
            expected = 0 if first < DECK_SIZE else 1
            possible = second == 0 if expected == 0 else second < DECK_SIZE
        else:  # card by card
            expected = first - second
            possible = expected in (0, 1) and second < DECK_SIZE
        if not possible:
            raise InvalidPosition(f"players: decks of {first} and {second} cards cannot occur in this phase")
        turn = fields.integer("turn", -1, -1, -1)
    else:
        turn = fields.integer("turn", 0, MOST, fields.integer("current", 0, 1, 0))
        expected = turn % 2
    current = fields.integer("current", 0, 1, expected)
    if current != expected:
        reason = "the sizes of the decks say" if building else f"turn {turn} says"
        raise InvalidPosition(f"current: expected player {expected}, as {reason}, got {current}")
    s.phase = BATTLE if setup.battle else DECK_BUILDING
    s.turn, s.current = turn, current


def _read_numbers(setup: Setup, p: int, fields: Fields) -> None:
    """A player's health, mana, rune and draws."""
    edition, player, turn = setup.edition, setup.state.players[p], setup.state.turn
    own_turns = (turn + 2 - p) // 2 if setup.battle else 0
    in_battle = int(setup.battle)
    player.bonus_mana = fields.integer("bonus_mana", 0, edition.bonus_mana * p * in_battle, 0)
    cap = (edition.mana_cap + player.bonus_mana) * in_battle
    by_turn = int(min(own_turns + player.bonus_mana, cap))
    given = fields.integer("mana", 0, cap, by_turn) if "max_mana" not in fields else 0
    player.max_mana = fields.integer("max_mana", 0, cap, max(by_turn, given))
    player.mana = fields.integer("mana", 0, int(player.max_mana), int(player.max_mana))
    player.health = fields.integer("health", -_MOST_HEALTH, _MOST_HEALTH, edition.start_health)
    player.rune = _read_rune(edition, int(player.health), fields)
    player.next_draw = fields.integer("next_draw", 0, MOST, 1)
    player.shown_draw = fields.integer("shown_draw", 0, MOST, 1)
    counted = edition.damage_per_extra_card > 0
    player.damage_taken = fields.integer("damage_taken", 0, _MOST_HEALTH if counted else 0, 0)


def _read_rune(edition: Edition, health: int, fields: Fields) -> int:
    """The highest rune left: by default, the highest that this health has not broken."""
    step = edition.rune_step
    runes = [0, *range(step, edition.top_rune + 1, step)] if step else [0]
    left = [rune for rune in runes if rune == 0 or rune < health]
    rune: int = fields.one_of("rune", runes, left[-1])
    if rune not in left:
        raise InvalidPosition(f"{fields.at('rune')}: expected {left[-1]} at most, since health is {health}, got {rune}")
    return rune


def _read_counters(setup: Setup, fields: Fields, sides: list[Side]) -> None:
    """How many creatures were summoned, and how many of them were clones with ids of their own."""
    edition, s = setup.edition, setup.state
    creatures = [creature for side in sides for creature in side.board]
    summoned = max((creature.order or 0 for creature in creatures), default=0)
    s.summoned = fields.integer("summoned", summoned, max(summoned, MOST), summoned)
    if edition.area_effects and edition.clone_id_step == 0:
        clones = max([0, *(1 + (creature.id or 0) - edition.first_clone_id for creature in creatures)])
        s.clones = fields.integer("clones", clones, 1 + LAST_ID - edition.first_clone_id, clones)
    else:
        s.clones = fields.integer("clones", 0, 0, 0)


def _read_winner(setup: Setup, fields: Fields) -> None:
    """Health decides who has won. The player whose turn it is wins if both are dead."""
    s = setup.state
    given = fields.one_of("winner", (None, 0, 1), None)
    dead = [p for p in (1 - s.current, s.current) if s.players[p].health <= 0]
    if not dead:
        if given is not None:
            raise InvalidPosition(f"winner: expected null, since both players are alive, got {given}")
        s.winner = NOBODY
        return
    loser = int(dead[0])
    where = f"players[{loser}].health: {s.players[loser].health}"
    if not setup.battle:
        raise InvalidPosition(f"{where}; nobody dies before the battle")
    if given != 1 - loser:
        raise InvalidPosition(f"{where}, so the game is over and winner must be {1 - loser}, got {shown(given)}")
    s.winner = given


def _read_performed(setup: Setup, fields: Fields) -> tuple[str, ...]:
    """The actions of a player's last turn, in the form in which his opponent is shown them."""
    summon = r"SUMMON \d+ [01]" if setup.edition.summon_names_lane else r"SUMMON \d+"
    pattern = re.compile(rf"\d+ ({summon}|(ATTACK|USE) \d+ (-1|\d+))", re.ASCII)
    actions = []
    for path, text in fields.items("performed"):
        if not isinstance(text, str) or not pattern.fullmatch(text):
            raise unexpected(path, 'a card number and an action, as in "28 ATTACK 5 -1"', text)
        actions.append(text)
    return tuple(actions)
