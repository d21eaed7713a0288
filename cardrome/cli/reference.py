"""`cardrome editions`, `cardrome cards`, `cardrome agents`: reference at hand."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cardrome.cli.options import EditionOption, JsonOption


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
    from cardrome.games.family import families

    listed = [(family, edition) for family in families() for edition in family.editions.values()]
    if as_json:
        _print_json({edition.name: family.edition_facts(edition) for family, edition in listed})
        return
    from cardrome.cli.console import console, plain_table

    table = plain_table("edition", "size", "what it is")
    for column in table.columns:
        column.justify = "left"
    for family, edition in listed:
        table.add_row(edition.name, family.edition_size(edition), edition.summary)
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
    from cardrome.games.family import find_family

    family = find_family(edition)
    chosen = family.editions[edition]
    number = series_seed(seed)
    deal = family.deal(chosen, {"seed": str(number)})
    if as_json:
        _print_json(family.cards(chosen, deal))
        return
    from cardrome.cli.console import console, plain_table

    rows = list(family.card_rows(chosen, deal))
    columns = list(rows[0]) if rows else []
    table = plain_table(*columns, title=f"{edition}, seed {number}")
    for place, name in enumerate(columns):
        if name in ("name", "type"):
            table.columns[place].justify = "left"
    for row in rows:
        table.add_row(*row.values())
    console().print(table)


def agents(as_json: JsonOption = False) -> None:
    """List the built-in agents of each game family."""
    from cardrome.games.family import families

    listed = {family.name: {kind.name: kind.description for kind in family.agents.values()} for family in families()}
    if as_json:
        _print_json(listed)
        return
    from cardrome.cli.console import console, plain_table

    table = plain_table("family", "agent", "what it does")
    for column in table.columns:
        column.justify = "left"
    for family, descriptions in listed.items():
        for name, description in descriptions.items():
            table.add_row(family, name, description)
    console().print(table)
