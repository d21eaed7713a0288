"""`cardrome editions`, `cardrome cards`, `cardrome agents`: reference at hand."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cardrome.cli.options import EditionOption, JsonOption

_TAPDECK = "the shared-deck game: creatures are tapped for mana, everything is open"


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(editions)
    app.command()(cards)
    app.command()(agents)


def _print_json(value: Any) -> None:
    import msgspec

    print(msgspec.json.encode(value).decode())


def editions(as_json: JsonOption = False) -> None:
    """List all editions."""
    from cardrome.games.locm.rules.edition import EDITIONS
    from cardrome.games.tapdeck.rules.edition import TAPDECK

    if as_json:
        _print_json({**EDITIONS, TAPDECK.name: {"name": TAPDECK.name, "summary": _TAPDECK, **TAPDECK.numbers()}})
        return
    from cardrome.cli.console import console, plain_table

    table = plain_table("edition", "lanes", "cards", "actions", "what it is")
    table.columns[-1].justify = "left"
    for edition in EDITIONS.values():
        table.add_row(
            edition.name,
            f"{edition.lanes} × {edition.lane_slots}",
            "120 new" if edition.generated_cards else str(len(edition.allowed_cards)),
            str(edition.n_actions),
            edition.summary,
        )
    table.add_row(TAPDECK.name, "", f"{TAPDECK.deck_size} new", "", _TAPDECK)
    console().print(table)


def cards(
    edition: EditionOption = "locm-1.2",
    seed: Annotated[
        str | None, typer.Option("--seed", help="The deal, in an edition that generates its cards.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the cards of an edition.

    Where every game has new cards, these are the cards of one deal.
    """
    from cardrome.cli.options import series_seed
    from cardrome.games.locm.rules.cards import AREA_NAMES, TYPE_NAMES
    from cardrome.games.locm.rules.deal import Deal, card_table
    from cardrome.games.locm.rules.edition import find_edition

    chosen = find_edition(edition)
    number = series_seed(seed)
    listed = card_table(chosen, Deal(number))
    if as_json:
        _print_json(listed)
        return
    from cardrome.cli.console import console, plain_table

    title = f"{chosen.name}, seed {number}" if chosen.generated_cards else chosen.name
    table = plain_table(
        "number", "name", "type", "cost", "attack", "defense", "keywords", "me", "foe", "draw", title=title
    )
    for column in (1, 2):
        table.columns[column].justify = "left"
    if chosen.area_effects:
        table.add_column("area")
    for card in listed:
        row = [str(card.number), card.name, TYPE_NAMES[card.type], str(card.cost), str(card.attack), str(card.defense)]
        row += [card.abilities, f"{card.my_health:+d}", f"{card.opponent_health:+d}", f"{card.card_draw:+d}"]
        row = [cell if cell != "+0" else "" for cell in row]
        table.add_row(*row, *([AREA_NAMES[card.area]] if chosen.area_effects else []))
    console().print(table)


def agents(as_json: JsonOption = False) -> None:
    """List the built-in agents of each game family."""
    from cardrome.games.locm.agents.registry import AGENTS
    from cardrome.games.tapdeck.agents.registry import TAPDECK_AGENTS

    families = {
        "locm": {kind.name: kind.description for kind in AGENTS.values()},
        "tapdeck": {kind.name: kind.description for kind in TAPDECK_AGENTS.values()},
    }
    if as_json:
        _print_json(families)
        return
    from cardrome.cli.console import console, plain_table

    table = plain_table("family", "agent", "what it does")
    for column in table.columns:
        column.justify = "left"
    for family, descriptions in families.items():
        for name, description in descriptions.items():
            table.add_row(family, name, description)
    console().print(table)
