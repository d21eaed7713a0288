"""Writing a starter kit: a bot's source, and a README with the commands to build, check, play and watch it.

The sources of a game's kits lie in the folder of its family's name, one folder for each language. They are copied as
they are: one text plays every edition of its family.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cardrome.errors import CallerError, UnknownName
from cardrome.games.family import find_family
from cardrome.wording import unwritable

_SOURCES = Path(__file__).parent
_README = "README.md"


@dataclass(frozen=True)
class Language:
    """A language that kits are written in. Commands are run in the kit's folder."""

    name: str
    title: str
    source: str
    """The file that holds the bot."""
    run: str
    build: str = ""
    """Empty where nothing has to be built."""
    aliases: tuple[str, ...] = ()

    @property
    def tool(self) -> str:
        """The program that builds the bot, or runs it if nothing has to be built."""
        return (self.build or self.run).split()[0]


_PROGRAM = "./bot"

LANGUAGES: Mapping[str, Language] = {
    language.name: language
    for language in (
        Language("python", "Python", "bot.py", "python3 bot.py", aliases=("py", "python3")),
        Language("cpp", "C++", "bot.cpp", _PROGRAM, "g++ -O2 -std=c++17 -o bot bot.cpp", ("c++", "cxx")),
        Language("java", "Java", "Bot.java", "java Bot", "javac Bot.java"),
        Language("js", "JavaScript", "bot.mjs", "node bot.mjs", aliases=("javascript", "node")),
        Language("rust", "Rust", "bot.rs", _PROGRAM, "rustc --edition 2021 -O -o bot bot.rs", ("rs",)),
        Language("go", "Go", "bot.go", _PROGRAM, "go build -o bot bot.go", ("golang",)),
    )
}


def find_language(name: str) -> Language:
    """The language of a name; `UnknownName` suggests similar ones."""
    wanted = name.lower()
    for language in LANGUAGES.values():
        if wanted == language.name or wanted in language.aliases:
            return language
    raise UnknownName("language", name, LANGUAGES)


@dataclass(frozen=True)
class Kit:
    """A kit that was written."""

    folder: Path
    edition: str
    language: Language
    steps: tuple[str, ...]
    """What to type next, line by line."""


def write_kit(folder: Path, language: Language, edition: str) -> Kit:
    """Write the kit for an edition into a new or empty folder; `CallerError` if that is not possible."""
    family = find_family(edition)
    sources = _SOURCES / family.name
    if not (sources / language.name).is_dir():
        raise CallerError(f"there is no starter kit for {family.title} in {language.title}")
    try:
        if folder.is_dir() and any(folder.iterdir()):
            raise CallerError(f"{folder} is not empty, and was left alone; name a new folder")
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(sources / language.name / language.source, folder / language.source)
        text = (sources / _README).read_text(encoding="utf-8")
        readme, steps = _filled(text, folder.resolve().name, language, edition)
        (folder / _README).write_text(readme, encoding="utf-8")
    except OSError as error:
        raise CallerError(unwritable(folder, error)) from None
    return Kit(folder, edition, language, tuple(steps))


def _filled(text: str, name: str, language: Language, edition: str) -> tuple[str, list[str]]:
    """A README for one kit, and the commands of its first block."""
    from jinja2 import Environment, StrictUndefined

    # It is Markdown for an editor, not HTML for a browser: nothing to escape.
    template = Environment(undefined=StrictUndefined, keep_trailing_newline=True, trim_blocks=True).from_string(text)
    filled = template.render(name=name, language=language, edition=edition)
    block = filled.split("```")[1].split("\n")[1:]
    return filled, [line for line in block if line]
