"""Writes docs/editions/ anew: a page for each edition and those that differ from it in their cards or ids alone.

All pages have one shape. What stands between ``<!-- NAME -->`` and ``<!-- end -->`` is made here, from the rulebooks,
the editions and the recorded games; the rest, above all where the original referees depart from their statements, is
written by hand and stays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from cardrome.games.family import find_family
from cardrome.games.locm.protocol.golden import RecordedCall, RecordedGame, read_games
from cardrome.games.locm.rules.edition import EDITIONS, HAND_LIMIT, LocmEdition
from cardrome.games.tapdeck.rules.edition import TapdeckEdition

FOLDER = Path(__file__).parent / "editions"
GOLDEN = Path(__file__).parents[1] / "tests" / "conformance" / "golden"
LOCM = ("locm-1.0", "locm-1.0-multi", "locm-1.2", "locm-1.5")
SHOWN_CARDS = 3
MARKED = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages() -> dict[Path, str]:
    """All pages by their paths."""
    games: dict[str, list[RecordedGame]] = {name: [] for name in EDITIONS}
    for path in sorted(GOLDEN.iterdir()):
        for game in read_games(path):
            games[game.edition.name].append(game)
    made = {name: locm(EDITIONS[name], games) for name in LOCM} | {"tapdeck": tapdeck()}
    return {FOLDER / f"{name}.md": _filled(FOLDER / f"{name}.md", blocks) for name, blocks in made.items()}


def _filled(path: Path, blocks: dict[str, str]) -> str:
    text = path.read_text(encoding="utf-8")
    assert sorted(name for _, name, _ in MARKED.findall(text)) == sorted(blocks), f"{path} lacks a place for a block"
    return MARKED.sub(lambda found: f"{found[1]}{blocks[found[2]].strip()}\n{found[3]}", text)


def locm(edition: LocmEdition, games: dict[str, list[RecordedGame]]) -> dict[str, str]:
    """What is made of the page of an edition of Legends of Code and Magic."""
    siblings = [each for each in EDITIONS.values() if re.fullmatch(rf"{edition.name}(-wood.|-2022)?", each.name)]
    return {
        "rules": rules(edition.name),
        "constants": table(("", "value"), locm_constants(edition)),
        "editions": table(
            ("edition", "what it is", "cards", "recorded games"),
            (
                (
                    f"`{each.name}`",
                    each.summary,
                    len(each.allowed_cards) if not each.generated_cards else "120 new ones",
                    len(games[each.name]) or "none",
                )
                for each in siblings
            ),
        ),
        "example": "\n".join(example(games[edition.name])),
        "conformance": conformance([game for each in siblings for game in games[each.name]]),
    }


def rules(name: str) -> str:
    """The rulebook, below the headings of the page: worked examples are quotations."""
    family = find_family(name)
    text = family.rulebook(family.editions[name], "en").split("\n", 1)[1]
    text = re.sub(r"!\[([^\]]*)\]\(example:[^)]*\)", r"> \1", text)
    return re.sub(r"^#", "##", text, flags=re.MULTILINE)


def locm_constants(edition: LocmEdition) -> Iterator[tuple[str, object]]:
    """The numbers of an edition in words."""
    limits = edition.limits
    yield "lanes, and creatures of a player in each", f"{edition.lanes}, {edition.lane_slots}"
    yield "health at the beginning", edition.start_health
    yield "cards of the first hand, player 0 and player 1", f"{edition.first_hand} and {edition.second_hand}"
    yield "cards that a hand can hold", HAND_LIMIT
    yield "highest max mana", edition.mana_cap
    yield "bonus mana of player 1", edition.bonus_mana or "none"
    if edition.rune_step:
        yield "runes", ", ".join(map(str, range(edition.top_rune, 0, -edition.rune_step)))
    if edition.damage_per_extra_card:
        yield "lost health that brings an extra card", edition.damage_per_extra_card
    runes = "a rune breaks; with none left, health becomes 0"
    yield "a card that an empty deck owes", runes if edition.rune_step else f"{edition.missing_card_damage} damage"
    yield "own turns before drawing starts to hurt", edition.turn_limit
    if edition.constructed:
        yield "deck", f"{edition.deck_size} of {edition.constructed_pool} cards, at most {edition.max_copies} copies"
    else:
        yield "deck", f"{edition.deck_size} rounds, 1 of {edition.offer_size} cards each"
    yield "time for the first answer of deck building", f"{limits.first_build} ms"
    if not edition.constructed:
        yield "time for each further pick", f"{limits.build} ms"
    yield "time for the first turn, for each further turn", f"{limits.first_battle} ms, {limits.battle} ms"
    yield "action codes (`legal_actions`, environments)", edition.n_actions


def example(games: list[RecordedGame]) -> Iterator[str]:
    """A call of deck building and one of the battle, as the original referee made them."""
    opening, turn = next((game.turns[0], call) for game in games for call in game.turns if instructive(call))
    phase = "draft" if opening.phase == "draft" else "constructed phase"
    yield f"The first call of the {phase}, and the answer:\n"
    yield from call_block(opening)
    yield f"\nA turn of player {turn.p} in the battle:\n"
    yield from call_block(turn)


def instructive(call: RecordedCall) -> bool:
    """A turn in which both boards have creatures, and several kinds of action are carried out, all of them."""
    kinds = {each.split()[1] for each in call.done or ()}
    places = {line.split()[2] for line in cards(call)}
    return call.phase == "battle" and places == {"0", "1", "-1"} and len(kinds) > 1 and not call.ignored


def cards(call: RecordedCall) -> list[str]:
    """The lines of a message that are cards."""
    lines = call.lines
    actions = int(lines[2].split()[1]) if " " in lines[2] else 0
    return lines[4 + actions :]


def call_block(call: RecordedCall) -> Iterator[str]:
    """What was sent and answered; of a long list of cards the beginning."""
    shown, listed = list(call.lines), cards(call)
    if len(listed) > 20:
        head = len(shown) - len(listed)
        shown[head + SHOWN_CARDS :] = [f"... {len(listed) - SHOWN_CARDS} more cards"]
    answer = call.out or ""
    if answer.count(";") > 20:
        answer = "; ".join(answer.split(";")[:4]).replace(";  ", "; ") + "; ..."
    yield "```text"
    yield from (f"> {line.rstrip()}" for line in shown)
    yield f"< {answer}"
    yield "```"


def conformance(games: list[RecordedGame]) -> str:
    """What the recorded games of a page cover."""
    calls = [call for game in games for call in game.turns]
    done = sum(len(call.done or ()) for call in calls)
    ignored = sum(call.ignored or 0 for call in calls)
    faults = Counter(game.error.kind for game in games if game.error)
    kinds = ", ".join(f"{count} `{kind}`" for kind, count in sorted(faults.items()))
    return (
        f"**{len(games)} of {len(games)} recorded games are replayed identically**: {len(calls):,} messages byte for "
        f"byte, {done:,} actions that were carried out, {ignored:,} that were skipped, scores, winners, final health, "
        f"and the {sum(faults.values())} games that end with a fault ({kinds})."
    )


def tapdeck() -> dict[str, str]:
    """What is made of the page of Tapdeck."""
    return {
        "rules": rules("tapdeck"),
        "constants": table(
            ("number", "value"), ((f"`{name}`", value) for name, value in TapdeckEdition().numbers().items())
        ),
    }


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
