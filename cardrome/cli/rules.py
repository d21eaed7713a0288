"""`cardrome rules`: the rulebook of an edition, to read in the terminal."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cardrome.cli.options import JsonOption, LanguageOption, chosen_language

if TYPE_CHECKING:
    from cardrome.games.family import AnyFamily

_WIDTH = 80
_NO_BREAK, _STAND_IN = "\u00a0", "\ue000"
"""Rich breaks lines at any space; the stand-in is a character of the same width at which it does not."""


def rules(
    edition: Annotated[str | None, typer.Argument(help="The rule set; without one, list all rulebooks.")] = None,
    language: LanguageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read the rules of an edition, told for beginners with examples.

    Without an edition, list the rulebooks. The site (`cardrome web`) has the same text with moving pictures.
    """
    from cardrome.games.family import families, find_family

    chosen = chosen_language(language)
    if edition is not None:
        family = find_family(edition)
        text = family.rulebook(family.editions[edition], chosen)
        if as_json:
            _print_json(_record(family, edition, chosen) | {"text": text})
        else:
            _print_markdown(text)
        return
    listed = [(family, name) for family in families() for name in family.editions]
    if as_json:
        _print_json([_record(family, name, chosen) for family, name in listed])
    else:
        from cardrome.cli.console import console, plain_table
        from cardrome.games.rulebooks import title_and_lead

        table = plain_table("edition", "rulebook")
        table.columns[1].justify, table.columns[1].no_wrap = "left", False
        for family, name in listed:
            table.add_row(name, ". ".join(title_and_lead(family.rulebook(family.editions[name], chosen))))
        console().print(table)


def _record(family: AnyFamily, name: str, language: str) -> dict[str, object]:
    return {"edition": name, "language": language, "facts": family.edition_facts(family.editions[name])}


def _print_markdown(text: str) -> None:
    """Markdown as a page of text. Moving pictures are told in words; links inside the text lead nowhere here."""
    from rich.console import Console
    from rich.markdown import Markdown

    text = re.sub(r"!\[(.*?)\]\(example:[\w-]+\)", r"> \1", text)
    text = re.sub(r"\[(.*?)\]\(#.*?\)", r"\1", text)
    screen = Console(highlight=False)
    if sys.stdout.isatty():
        screen.width = min(_WIDTH, screen.width)
    else:
        screen.width = _WIDTH
        text = re.sub(r"^(#+ )", r"\\\1", text, flags=re.M)  # nothing but its sign would tell a heading
    with screen.capture() as page:
        screen.print(Markdown(text.replace(_NO_BREAK, _STAND_IN)))
    lines = page.get().replace(_STAND_IN, _NO_BREAK).splitlines()
    print("\n".join(line.rstrip() for line in lines))


def _print_json(value: object) -> None:
    import msgspec

    print(msgspec.json.encode(value).decode())
