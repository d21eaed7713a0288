"""Reference at hand: `cardrome editions`, `cards`, `rules`, `agents` and `position`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from cardrome.cli.console import print_json
from cardrome.cli.options import (
    DEFAULT_EDITION,
    EditionArgument,
    JsonOption,
    LanguageOption,
    OptionalEditionOption,
    chosen_edition,
    chosen_language,
    examples,
)

_WIDTH = 80
"""Columns of a rulebook."""
_NO_BREAK, _STAND_IN = "\u00a0", "\ue000"
"""Rich breaks lines at any space; the stand-in is a character of the same width at which it does not."""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(epilog=examples("editions", "editions --json"))(editions)
    app.command(epilog=examples("cards", "cards locm-1.5 --seed 42", "cards -e tapdeck --json"))(cards)
    app.command(epilog=examples("rules", "rules locm-1.2", "rules tapdeck --lang fr"))(rules)
    app.command(epilog=examples("agents", "agents tapdeck"))(agents)
    app.command(epilog=examples("position saved.json", "position saved.json --input", "position - < saved.json"))(
        position
    )


def _print_list(columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """A table of words. Its last column is broken into lines where the terminal is too narrow."""
    from cardrome.cli.console import console, plain_table

    table = plain_table(*columns)
    for column in table.columns:
        column.justify, column.no_wrap = "left", True
    table.columns[-1].no_wrap = False
    for row in rows:
        table.add_row(*row)
    console().print(table)


def editions(as_json: JsonOption = False) -> None:
    """List all editions."""
    from cardrome.games.family import families

    listed = [(family, edition) for family in families() for edition in family.editions.values()]
    if as_json:
        print_json({edition.name: family.edition_facts(edition) for family, edition in listed})
        return
    _print_list(
        ("edition", "what it is"),
        [
            (edition.name, "; ".join(filter(None, (edition.summary, family.edition_size(edition)))))
            for family, edition in listed
        ],
    )


def cards(
    edition: EditionArgument = None,
    edition_option: OptionalEditionOption = None,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="SEED", help="The deal, in an edition that generates its cards.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the cards of an edition.

    Where every game has new cards, these are the cards of one deal.
    """
    from cardrome.cli.options import series_seed
    from cardrome.games.family import find_family

    name = chosen_edition(edition, edition_option, DEFAULT_EDITION)
    family = find_family(name)
    chosen = family.editions[name]
    number = series_seed(seed)
    deal = family.deal(chosen, {"seed": str(number)})
    if as_json:
        print_json(family.cards(chosen, deal))
        return
    from cardrome.cli.console import console, plain_table

    rows = list(family.card_rows(chosen, deal))
    if not rows:
        print(f"{name} has no cards")
        return
    columns = list(rows[0])
    title = f"{name}, seed {number}" if family.deals_cards(chosen) else name
    table = plain_table(*columns, title=title)
    for place, column in enumerate(columns):
        if column in ("name", "type"):
            table.columns[place].justify = "left"
    for row in rows:
        table.add_row(*row.values())
    console().print(table)


def rules(
    edition: EditionArgument = None,
    edition_option: OptionalEditionOption = None,
    language: LanguageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read the rules of an edition, told for beginners.

    There are examples in it. Without an edition, list the rulebooks. The site (`cardrome web`) has the same text with
    moving pictures.
    """
    from cardrome.games.family import families, find_family
    from cardrome.games.rulebooks import title_and_lead

    chosen = chosen_language(language)
    edition = chosen_edition(edition, edition_option, "") or None
    books: dict[str, dict[str, Any]] = {}
    for family in families() if edition is None else [find_family(edition)]:
        for name in family.editions if edition is None else [edition]:
            facts, text = family.edition_facts(family.editions[name]), family.rulebook(family.editions[name], chosen)
            books[name] = {"edition": name, "language": chosen, "facts": facts, "text": text}
    if edition is not None:
        if as_json:
            print_json(books[edition])
        else:
            _print_markdown(books[edition]["text"])
    elif as_json:
        print_json(list(books.values()))
    else:
        _print_list(
            ("edition", "rulebook"), [(name, ". ".join(title_and_lead(book["text"]))) for name, book in books.items()]
        )


def _print_markdown(text: str) -> None:
    """Markdown as a page of text. Moving pictures are told in words; links inside the text lead nowhere here."""
    from rich.markdown import Markdown

    from cardrome.cli.console import screen as new_screen

    text = re.sub(r"!\[(.*?)\]\(example:[\w-]+\)", r"> \1", text)
    text = re.sub(r"\[(.*?)\]\(#.*?\)", r"\1", text)
    screen = new_screen()
    if sys.stdout.isatty():
        screen.width = min(_WIDTH, screen.width)
    else:
        screen.width = _WIDTH
        text = re.sub(r"^(#+ )", r"\\\1", text, flags=re.M)  # nothing but its sign would tell a heading
    with screen.capture() as page:
        screen.print(Markdown(text.replace(_NO_BREAK, _STAND_IN)))
    lines = [line.rstrip() for line in page.get().replace(_STAND_IN, _NO_BREAK).splitlines()]
    if not sys.stdout.isatty() or len(lines) < screen.height:
        print("\n".join(lines))
        return
    import pydoc

    os.environ.setdefault("LESS", "-R")  # or less would show colours as codes
    pydoc.pager("\n".join(lines))


def agents(
    edition: EditionArgument = None, edition_option: OptionalEditionOption = None, as_json: JsonOption = False
) -> None:
    """List the built-in agents of each game family.

    With an edition, only those that play it.
    """
    from cardrome.games.family import families, find_family

    name = chosen_edition(edition, edition_option, "")
    shown = [find_family(name)] if name else families()
    listed = {family.name: {kind.name: kind.description for kind in family.agents.values()} for family in shown}
    if as_json:
        print_json(listed)
        return
    rows = [(family, *agent) for family, descriptions in listed.items() for agent in descriptions.items()]
    _print_list(("family", "agent", "what it does"), rows)


def position(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A position as JSON, saved or written by hand; - for standard input.")
    ],
    bot_input: Annotated[bool, typer.Option("--input", help="Print what a bot to move would be sent instead.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Draw a position and list its legal actions.

    Almost everything in the file may be left out: an edition and the creatures on both boards are enough.
    """
    from cardrome.errors import InvalidPosition
    from cardrome.games.family import from_json, to_json
    from cardrome.wording import unreadable

    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidPosition(unreadable(file, error)) from None
    except UnicodeDecodeError:
        raise InvalidPosition(f"{file}: not UTF-8 text") from None
    try:
        found = from_json(text)
    except InvalidPosition as error:
        raise InvalidPosition(f"{file}: {error}") from None
    if bot_input:
        print(found.input_text(), end="")
    elif as_json:
        print(to_json(found))
    else:
        print(found)
        print("\nlegal actions:", ", ".join(found.legal_actions) or "none")
